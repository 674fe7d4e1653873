/**
 * Limited to the newest. Deletes only files of this module, recognized by name and by a mark in the
 * header, and counts only files of full length.
 */
import { Clock, Data, Effect } from "effect"
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { located, pathIn, HostProcess } from "../file/HostProcess.ts"
import * as SystemLock from "../file/SystemLock.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import { problemOf } from "../submission/ledger/StoreProblem.ts"
import { openToRead } from "./SqliteDatabase.ts"
import * as StoreFile from "./StoreFile.ts"

export interface KeptBackup extends StoreFile.Copy {
  readonly kept: number
  readonly removed: ReadonlyArray<string>
}

export class BackupUnderWay extends Data.TaggedError("BackupUnderWay")<{ readonly folder: string }> {
  override get message() {
    return `another backup is written to ${this.folder}, or its lock cannot be written there; nothing was done`
  }
}

const unusable = (folder: string, cause: unknown) =>
  new StoreError({ operation: "back up", reason: "unavailable", text: `${folder}: ${problemOf(cause)}` })

const attempt = <A>(folder: string, work: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({ try: work, catch: (cause) => unusable(folder, cause) })

/** The file name and the start of the store's id: stores can share a folder. */
const prefixOf = (file: string): string => {
  const db = openToRead({ filename: file, busyTimeoutMillis: 5000 })
  try {
    if (db.prepare("select 1 from sqlite_schema where name = 'fiscal_store'").get() === undefined)
      throw new Error("a store of this earlier version has no id: back it up to a file that you name, not to a folder")
    const id = String(db.prepare("select id from fiscal_store").get()?.["id"])
    return `${basename(file, extname(file))}-${id.replaceAll(/[^0-9a-z]/gi, "").slice(0, 8)}-`
  } finally {
    db.close()
  }
}

const inName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

const nameAt = (prefix: string, seconds: number): string =>
  `${prefix}${new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, "")}.db`

const secondsIn = (prefix: string, name: string): number | undefined => {
  if (!name.startsWith(prefix)) return undefined
  const [, year, month, day, hour, minute, second] = (inName.exec(name.slice(prefix.length)) ?? []).map(Number)
  return second === undefined ? undefined : Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000
}

/** Reads SQLite's header: page size at byte 16, number of pages at 28, the mark at 60 and 68. */
const headerOf = (file: string): Buffer | undefined => {
  const header = Buffer.alloc(100)
  const handle = openSync(file, "r")
  try {
    return readSync(handle, header, 0, 100, 0) === 100 ? header : undefined
  } finally {
    closeSync(handle)
  }
}

const isOwn = (file: string, seconds: number): boolean => {
  const { size } = statSync(file)
  const header = size === 0 ? undefined : headerOf(file)
  if (header === undefined) return false
  const { program, version } = StoreFile.markOf(header)
  // 1 means the largest page
  const page = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  return program === mark && version === seconds && size === page * header.readUInt32BE(28)
}

const mark = 0x46_43_42_4b

interface Backup {
  readonly name: string
  readonly seconds: number
}

const backupsIn = (folder: string, prefix: string): ReadonlyArray<Backup> =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const seconds = entry.isFile() ? secondsIn(prefix, entry.name) : undefined
      return seconds !== undefined && isOwn(join(folder, entry.name), seconds) ? [{ name: entry.name, seconds }] : []
    })
    .toSorted((a, b) => b.seconds - a.seconds)

const clearAfterCrash = (folder: string, prefix: string): void => {
  for (const name of readdirSync(folder)) {
    const whole = name.replace(/\.part(-journal)?$/, "")
    if (secondsIn(prefix, whole) === undefined) continue
    const isUnfinished = whole !== name
    if (isUnfinished || statSync(join(folder, name)).size === 0) rmSync(join(folder, name), { force: true })
  }
}

const synced = (folder: string): void => {
  const handle = openSync(folder, "r")
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * Writes a copy of the store to the folder, which is created if missing, and deletes backups of the
 * same store beyond the newest `keep`. Deletes only after the new backup is checked and on the
 * disk: a full disk or a power cut loses no backup. Each backup gets a later time than all earlier
 * backups, so that a clock set back does not make the new backup the oldest.
 */
export const make = (
  source: string,
  folder: string,
  keep: number
): Effect.Effect<KeptBackup, StoreError | BackupUnderWay> =>
  Effect.gen(function* () {
    const { cwd } = yield* HostProcess
    const into = yield* located(folder)
    const prefix = yield* attempt(source, () => prefixOf(pathIn(cwd, source)))
    yield* attempt(folder, () => (existsSync(into) ? undefined : mkdirSync(into, { mode: 0o700 })))
    const work = Effect.gen(function* () {
      yield* attempt(folder, () => clearAfterCrash(into, prefix))
      const before = yield* attempt(folder, () => backupsIn(into, prefix))
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      let seconds = Math.max(now, (before[0]?.seconds ?? 0) + 1)
      // the name may belong to a file of the operator
      while (existsSync(join(into, nameAt(prefix, seconds)))) seconds++
      const made = yield* StoreFile.copy(source, join(folder, nameAt(prefix, seconds)), {
        program: mark,
        version: seconds
      })
      const old = before.slice(keep - 1)
      yield* attempt(folder, () => {
        synced(into)
        for (const { name } of old) rmSync(join(into, name), { force: true })
      })
      return { ...made, kept: before.length + 1 - old.length, removed: old.map(({ name }) => name) }
    })
    // a copy of a large store takes long: no wait for another backup
    return yield* SystemLock.holding(join(folder, `.${prefix}lock`), work, 0)
  }).pipe(Effect.catchTag("NotLocked", () => Effect.fail(new BackupUnderWay({ folder }))))
