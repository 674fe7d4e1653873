/** The file of a store: whether it is one, and copies of it. */
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
import * as PipeOrDevice from "../file/PipeOrDevice.ts"
import { StoreError } from "../ledger/StoreError.ts"
import { problemOf } from "../ledger/StoreProblem.ts"
import { openToRead } from "./SqliteDatabase.ts"

const foreign = (problem: string) =>
  new StoreError({
    operation: "open",
    reason: "foreign",
    problem: `${problem}. Say which file is the store, or let the first import make a new one`
  })

const unusable = (filename: string, problem: string) =>
  new StoreError({ operation: "open", reason: "unavailable", problem: `${filename}: ${problem}` })

/**
 * How many bytes there are under the name, before SQLite is asked; undefined where there is no file. Fails where nobody may look, and where there is
 * something else than a file: whoever opened a pipe would wait for ever.
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
      const what = found.isDirectory() ? "it is a folder" : `it ${PipeOrDevice.inWords}`
      return Effect.fail(unusable(filename, `${what}, and a store is a file: name another place for the store`))
    }
  )

/** Fails where no file can be made under the name, as making it would; makes nothing. */
export const mayBeMade = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.flatMap(located(filename), (path) =>
    Effect.try({
      // the end of the name asks for a folder
      try: () => accessSync(`${dirname(path)}/`, constants.W_OK),
      catch: (cause) => unusable(filename, problemOf(cause))
    })
  )

/** Fails with `foreign` where the file cannot be a store: it is missing, or empty. */
export const mayBeStore = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.flatMap(sizeOf(filename), (size) => {
    if (size === undefined) return Effect.fail(foreign("there is no such file"))
    return size === 0 ? Effect.fail(foreign("it is empty, and no store")) : Effect.void
  })

/** A store whose making was broken off, by a full disk for one: it has nothing in it. */
export const unmade = Effect.fail(foreign("it is not a store yet, because its creation was interrupted"))

/** Fails with `foreign` where a database is another program's: it has tables, and none of ours. */
export const isOurs = (tables: ReadonlyArray<string>): Effect.Effect<void, StoreError> =>
  tables.length === 0 || tables.includes("fiscal_migrations")
    ? Effect.void
    : Effect.fail(foreign("it is the database of another program"))

/** A view or a trigger, as the database has it. */
export interface Program {
  readonly name: string
  readonly sql: string
}

// our only trigger refuses attempts of earlier versions and does nothing else (store/database/Migrations)
const isGuard = ({ name, sql }: Program): boolean =>
  name === "fiscal_attempt_of_this_version" &&
  /^create trigger \w+ before insert on fiscal_attempt\s+when new\.written_by is not \d+\s+begin select raise\(abort, '[^']*'\); end$/i.test(
    sql
  )

/** Fails with `foreign` where the database has a view or a trigger: it could change or invent what the store reads. */
export const hasNoPrograms = (found: ReadonlyArray<Program>): Effect.Effect<void, StoreError> => {
  const strange = found.find((one) => !isGuard(one))
  return strange === undefined
    ? Effect.void
    : Effect.fail(foreign(`it has a view or a trigger that no version of this program makes (${strange.name})`))
}

const unwritten = (target: string, because: unknown) =>
  new StoreError({
    operation: "copy",
    reason: "unavailable",
    problem: `${target} cannot be written: ${problemOf(because)}`
  })

/** A copy of a store, as it stood at one moment between two transactions. */
export interface Copy {
  readonly file: string
  readonly bytes: number
  readonly submissions: number
}

/** Two numbers of SQLite's header that SQLite does not use: the program that wrote the file, and a number of its own. */
export interface Mark {
  readonly program: number
  readonly version: number
}

const unmarked: Mark = { program: 0, version: 0 }

/** Returns the mark in the first 100 bytes of a database. */
export const markOf = (header: Buffer): Mark => ({ program: header.readUInt32BE(68), version: header.readUInt32BE(60) })

/** Sets the mark of a whole copy. SQLite copies the mark of the source, so it is cleared where none is wanted. */
const marked = (file: string, { program, version }: Mark): void => {
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
 * Writes a whole copy to `target`, for its owner alone, while others go on writing; it is checked before it gets its mark and its name. Fails where
 * there is such a file already, or no room for one; nothing half-written is left.
 */
export const copy = (source: string, target: string, mark: Mark = unmarked): Effect.Effect<Copy, StoreError> =>
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
        // what it writes is the copy
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

/** How many submissions the copy has; throws where SQLite finds fault with it. */
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

/** A name beside the store that nothing has yet: `STORE.before-v3`, `STORE.before-v3.2`, … */
export const freeName = (wanted: string): Effect.Effect<string> =>
  Effect.map(HostProcess, ({ cwd }) => {
    const isTaken = (name: string) => existsSync(pathIn(cwd, name))
    let name = wanted
    for (let n = 2; isTaken(name) || isTaken(`${name}.part`); n++) name = `${wanted}.${n}`
    return name
  })

/** A copy of the store for this process alone, gone with the scope. */
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

// a look costs 12 µs, which is 1 % of what a document costs; a file can be replaced right after any look
const lookEvery = 5

/** Returns a check that finds if another file has replaced the opened one: everything written to a removed file is lost. */
export const replaced = (filename: string): Effect.Effect<() => StoreError | null> =>
  Effect.map(located(filename), (path) => {
    const look = () => {
      try {
        return statSync(path, { throwIfNoEntry: false })
      } catch {
        // a folder that may not be looked at any more: the file has gone for this process
        return undefined
      }
    }
    const opened = look()
    let lookedAt = Number.NEGATIVE_INFINITY
    return () => {
      // the file does not wait for a clock of a test
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
        problem: `${filename}: ${now === undefined ? "the file was removed" : "another file was put in its place"} while it was open. Nothing more is sent: look which one is the newest, put that one there, and start again`
      })
    }
  })
