import { Effect, type Scope } from "effect"
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { HostProcess, located, pathIn, temporary } from "../file/HostProcess.ts"
import * as SpecialFile from "../file/SpecialFile.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import { problemOf } from "../submission/ledger/StoreProblem.ts"
import { openToRead } from "./SqliteDatabase.ts"

const foreign = (problem: string) =>
  new StoreError({
    operation: "open",
    reason: "foreign",
    text: `${problem}. Say which file is the store, or let the first import make a new one`
  })

const unusable = (filename: string, problem: string) =>
  new StoreError({ operation: "open", reason: "unavailable", text: `${filename}: ${problem}` })

/**
 * Returns the size of the file in bytes, without opening it; undefined if the file does not exist.
 * Fails if the path cannot be read or is not a file: opening a pipe could block forever.
 */
export const sizeOf = (filename: string): Effect.Effect<number | undefined, StoreError> =>
  Effect.flatMap(
    Effect.flatMap(located(filename), (path) =>
      Effect.try({
        try: () => statSync(path, { throwIfNoEntry: false }),
        catch: (cause) => unusable(filename, problemOf(cause))
      })
    ),
    (found) => {
      if (found === undefined || found.isFile()) return Effect.succeed(found?.size)
      const what = found.isDirectory() ? "it is a folder" : `it ${SpecialFile.problemText}`
      return Effect.fail(unusable(filename, `${what}, and a store is a file: name another place for the store`))
    }
  )

/** Fails if no file can be created at the path; creates nothing. */
export const mayBeMade = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.flatMap(located(filename), (path) =>
    Effect.try({
      // the final slash requires a folder
      try: () => accessSync(`${dirname(path)}/`, constants.W_OK),
      catch: (cause) => unusable(filename, problemOf(cause))
    })
  )

/** Fails with `foreign` if the file cannot be a store: missing or empty. */
export const mayBeStore = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.flatMap(sizeOf(filename), (size) => {
    if (size === undefined) return Effect.fail(foreign("there is no such file"))
    return size === 0 ? Effect.fail(foreign("it is empty, and no store")) : Effect.void
  })

export const unmade = Effect.fail(foreign("it is not a store yet, because its creation was interrupted"))

/**
 * Fails with `foreign` if a database belongs to another program: it has tables, but none of ours.
 */
export const isOurs = (tables: ReadonlyArray<string>): Effect.Effect<void, StoreError> =>
  tables.length === 0 || tables.includes("fiscal_migrations")
    ? Effect.void
    : Effect.fail(foreign("it is the database of another program"))

export interface OpeningProgram {
  readonly name: string
  readonly sql: string
}

// our only trigger refuses attempts of earlier versions and does nothing else
// (store/database/Migrations)
const isGuard = ({ name, sql }: OpeningProgram): boolean =>
  name === "fiscal_attempt_of_this_version" &&
  /^create trigger \w+ before insert on fiscal_attempt\s+when new\.written_by is not \d+\s+begin select raise\(abort, '[^']*'\); end$/i.test(
    sql
  )

export const hasNoPrograms = (found: ReadonlyArray<OpeningProgram>): Effect.Effect<void, StoreError> => {
  const strange = found.find((one) => !isGuard(one))
  return strange === undefined
    ? Effect.void
    : Effect.fail(foreign(`it has a view or a trigger that no version of this program makes (${strange.name})`))
}

const unwritten = (target: string, because: unknown) =>
  new StoreError({
    operation: "copy",
    reason: "unavailable",
    text: `${target} cannot be written: ${problemOf(because)}`
  })

export interface Copy {
  readonly file: string
  readonly bytes: number
  readonly submissions: number
}

/**
 * Two numbers of SQLite's header that SQLite does not use: the program that wrote the file, and a
 * number chosen by that program.
 */
export interface FileStamp {
  readonly program: number
  readonly version: number
}

const unmarked: FileStamp = { program: 0, version: 0 }

/** Returns the mark in the first 100 bytes of a database. */
export const markOf = (header: Buffer): FileStamp => ({
  program: header.readUInt32BE(68),
  version: header.readUInt32BE(60)
})

/** SQLite copies the mark of the source, so an unwanted mark is cleared. */
const marked = (file: string, { program, version }: FileStamp): void => {
  const db = new DatabaseSync(file)
  try {
    const isSo =
      db.prepare("pragma application_id").get()?.["application_id"] === program &&
      db.prepare("pragma user_version").get()?.["user_version"] === version
    if (!isSo) db.exec(`begin; pragma application_id = ${program}; pragma user_version = ${version}; commit`)
  } finally {
    db.close()
  }
}

/**
 * Readable by the owner only, while other processes continue to write. The copy is checked before
 * getting a mark and the final name. Fails if the file exists or the disk is full, and leaves no
 * partial file.
 */
export const copy = (source: string, target: string, mark: FileStamp = unmarked): Effect.Effect<Copy, StoreError> =>
  Effect.flatMap(HostProcess, ({ cwd }) => {
    const [from, to] = [pathIn(cwd, source), pathIn(cwd, target)]
    const unfinished = `${to}.part`
    const made: Array<string> = []
    const reserve = (file: string) => {
      closeSync(openSync(file, "wx", 0o600))
      made.push(file)
    }
    try {
      reserve(to)
      reserve(unfinished)
      const db = openToRead({ filename: from, busyTimeoutMillis: 5000 })
      try {
        // the statement writes only the copy
        db.exec("pragma query_only = off")
        db.prepare("vacuum into ?").run(unfinished)
      } finally {
        db.close()
      }
      const submissions = checked(unfinished)
      marked(unfinished, mark)
      for (const name of [unfinished, dirname(to)]) {
        const handle = openSync(name, "r")
        fsyncSync(handle)
        closeSync(handle)
      }
      renameSync(unfinished, to)
      return Effect.succeed({ file: target, bytes: statSync(to).size, submissions })
    } catch (cause) {
      for (const file of made) rmSync(file, { force: true })
      const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST"
      return Effect.fail(
        unwritten(target, isThere ? "there is a file of this name already, or of an unfinished copy (.part)" : cause)
      )
    }
  })

const checked = (file: string): number => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const fault = db.prepare("pragma quick_check(1)").get()?.["quick_check"]
    if (fault !== "ok") throw new Error(`the copy is damaged (${String(fault)})`)
    return Number(db.prepare("select count(*) as n from fiscal_submission").get()?.["n"])
  } finally {
    db.close()
  }
}

export const freeName = (wanted: string): Effect.Effect<string> =>
  Effect.map(HostProcess, ({ cwd }) => {
    const isTaken = (name: string) => existsSync(pathIn(cwd, name))
    let name = wanted
    for (let n = 2; isTaken(name) || isTaken(`${name}.part`); n++) name = `${wanted}.${n}`
    return name
  })

/** Creates a copy of the store for this process alone, removed with the scope. */
export const privateCopy = (source: string): Effect.Effect<string, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const inside = yield* temporary
    const folder = yield* Effect.acquireRelease(
      Effect.try({
        try: () => mkdtempSync(join(inside, "fiscal-connector-")),
        catch: (cause) => unwritten(inside, cause)
      }),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    return (yield* copy(source, join(folder, "store.db"))).file
  })

// in milliseconds: a check costs 12 µs, 1 % of a document's cost; a file can be replaced right
// after any check
const lookEvery = 5

/** Returns a check for a replaced store file: everything written to a removed file is lost. */
export const replaced = (filename: string): Effect.Effect<() => StoreError | null> =>
  Effect.map(located(filename), (path) => {
    const look = () => {
      try {
        return statSync(path, { throwIfNoEntry: false })
      } catch {
        // a folder without read access: the file is gone for this process
        return undefined
      }
    }
    const opened = look()
    let lookedAt = Number.NEGATIVE_INFINITY
    return () => {
      // real time: the file does not follow a test's clock
      const at = performance.now()
      if (at - lookedAt < lookEvery) return null
      const now = look()
      if (now !== undefined && now.ino === opened?.ino && now.dev === opened.dev) {
        lookedAt = at
        return null
      }
      return new StoreError({
        operation: "look at its file",
        reason: "replaced",
        text: `${filename}: ${now === undefined ? "the file was removed" : "another file was put in its place"} while it was open. Nothing more is sent: look which one is the newest, put that one there, and start again`
      })
    }
  })
