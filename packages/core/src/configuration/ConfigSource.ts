/** An accounting system that is read live, for one account. */
import { type Duration, Effect, type FileSystem, Path, type Redacted, Result, Schema } from "effect"
import * as Finding from "../finding/Finding.ts"
import { liveDefaults } from "../submission/LiveSourceState.ts"
import { SourceEntry, sourceFields } from "./ConfigEntry.ts"
import { allMisshapen, misshapen } from "./ConfigFinding.ts"
import * as ConfigSecret from "./ConfigSecret.ts"

/** A usable source. The path of the book is absolute. */
export interface SourceConfig extends Omit<
  typeof SourceEntry.Type,
  "secretFile" | "secretCommand" | "overlap" | "clockSkew" | "sweep" | "quietAfter" | "every"
> {
  readonly name: string
  readonly folder: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: Redacted.Redacted<string> | undefined
  readonly overlap: Duration.Duration
  readonly clockSkew: Duration.Duration
  readonly sweep: Duration.Duration
  readonly quietAfter: Duration.Duration
  /** Interval of a worker; null where no worker reads the source. */
  readonly every: Duration.Duration | null
}

export interface SourceReading {
  readonly name: string
  readonly config: SourceConfig | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

const decode = Schema.decodeUnknownResult(SourceEntry, { errors: "all" })

/** Reads one entry of `sources`. `accounts`: account names of the file. */
export const read = Effect.fnUntraced(function* (
  name: string,
  entry: unknown,
  accounts: ReadonlyArray<string>,
  surroundings: ConfigSecret.Surroundings
): Effect.fn.Return<SourceReading, never, FileSystem.FileSystem | Path.Path> {
  const root = ["sources", name]
  const path = yield* Path.Path
  const decoded = decode(entry)
  if (Result.isFailure(decoded)) return { name, config: null, findings: allMisshapen(root, decoded.failure) }
  const { clockSkew, every, overlap, quietAfter, secretCommand, secretFile, sweep, ...fields } = decoded.success
  const settings = Object.fromEntries(Object.entries(entry as object).filter(([field]) => !(field in sourceFields)))
  const named = { file: secretFile, command: secretCommand }
  const secret = yield* ConfigSecret.fromNamed("secret", named, surroundings, root)
  const findings = [
    ...secret.findings,
    ...(accounts.includes(fields.account)
      ? []
      : [
          misshapen(
            [...root, "account"],
            `there is no account ${fields.account}, but ${accounts.join(", ") || "none at all"}`
          )
        ])
  ]
  if (findings.some(Finding.refuses)) return { name, config: null, findings }
  const config: SourceConfig = {
    ...fields,
    settings,
    name,
    folder: surroundings.folder,
    book: path.resolve(surroundings.folder, fields.book),
    secret: secret.secret?.value,
    overlap: overlap ?? liveDefaults.overlap,
    clockSkew: clockSkew ?? liveDefaults.clockSkew,
    sweep: sweep ?? liveDefaults.sweep,
    quietAfter: quietAfter ?? liveDefaults.quietAfter,
    every: every ?? null
  }
  return { name, config, findings }
})
