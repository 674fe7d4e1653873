/**
 * Temporary files for data that is read at random positions or repeatedly. Readable only by their
 * owner, and deleted with the scope.
 */
import { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Spool {
  readonly file: number
  size: number
}

const failed = (name: string) => (cause: unknown) =>
  new Adapter.AdapterError({
    adapter: "xlsx",
    reason: new Adapter.InputFailed({
      file: name,
      problem: `nothing can be written to ${tmpdir()}: ${cause instanceof Error ? cause.message : "it failed"}`
    })
  })

export const open = (name: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const folder = mkdtempSync(join(tmpdir(), "fiscal-connector-"))
        const spool: Spool = { file: openSync(join(folder, "spool"), "wx+", 0o600), size: 0 }
        return { spool, folder: unnamed(folder) }
      },
      catch: failed(name)
    }),
    ({ folder, spool }) =>
      Effect.sync(() => {
        closeSync(spool.file)
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      })
  ).pipe(Effect.map(({ spool }) => spool))

/**
 * An open file needs no name. On Windows it cannot be deleted, and the name goes with the scope.
 */
const unnamed = (folder: string): string | undefined => {
  try {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  } catch {
    return folder
  }
}

export const append = (spool: Spool, bytes: Uint8Array): void => {
  let from = 0
  while (from < bytes.length) from += writeSync(spool.file, bytes, from, bytes.length - from, spool.size + from)
  spool.size += bytes.length
}

export const fill = (spool: Spool, { bytes, name }: Adapter.InputFile): Effect.Effect<void, Adapter.AdapterError> =>
  Stream.runForEach(bytes, (chunk) => Effect.try({ try: () => append(spool, chunk), catch: failed(name) }))

export const head = ({ file, size }: Spool, bytes: Buffer): Buffer =>
  bytes.subarray(0, readSync(file, bytes, 0, Math.min(bytes.length, size), 0))

const chunk = 1 << 18

/**
 * Reads the whole file from its start, as often and as far as requested. A Node stream would close
 * the file as soon as the reader stops.
 */
export const stream = (spool: Spool, name: string): Stream.Stream<Uint8Array, Adapter.AdapterError> =>
  Stream.unfold(0, (from) =>
    Effect.try({
      try: () => {
        const bytes = Buffer.allocUnsafe(Math.min(chunk, spool.size - from))
        const read = readSync(spool.file, bytes, 0, bytes.length, from)
        return read === 0 ? undefined : ([bytes.subarray(0, read), from + read] as const)
      },
      catch: failed(name)
    })
  )
