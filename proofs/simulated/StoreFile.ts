/** The store's file: new for every run, and read like any other process would read it. */
import { Effect, Layer } from "effect"
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"

const directory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
const nameOf = (what: string) => join(directory, `fiscal-connector-simulator-${process.pid}-${what}.db`)

const remove = (filename: string) => {
  for (const end of ["", "-wal", "-shm"]) rmSync(filename + end, { force: true })
}

let template: string | undefined
let number = 0

/** Returns an empty store file, migrated once and copied for each run. */
const migrated = (): string => {
  if (template !== undefined) return template
  const filename = nameOf("template")
  Effect.runSync(Effect.scoped(Layer.build(SqliteStore.layer({ filename }))))
  // Every store gives itself an id when first opened.
  const made = new DatabaseSync(filename)
  made.exec("delete from fiscal_store; pragma wal_checkpoint(truncate)")
  made.close()
  process.on("exit", () => remove(filename))
  template = filename
  return filename
}

export type Row = Readonly<Record<string, string | number | null>>

export class StoreFile {
  readonly filename: string
  /** Relation of the current file to the used store, as far as detectable. */
  standing: "own" | "an older copy" | "another store" = "own"
  /** Number of times the contents were restored. */
  replacements = 0
  #view: DatabaseSync
  #statements = new Map<string, StatementSync>()

  constructor() {
    this.filename = nameOf(String(++number))
    remove(this.filename)
    copyFileSync(migrated(), this.filename)
    this.#view = new DatabaseSync(this.filename)
  }

  /** Reads committed rows. */
  read(sql: string, ...parameters: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    const statement = this.#statements.get(sql) ?? this.#view.prepare(sql)
    this.#statements.set(sql, statement)
    return statement.all(...parameters) as ReadonlyArray<Row>
  }

  /** Id that the store gave itself; empty before the store is first opened. */
  get id(): string {
    return String(this.read("select id from fiscal_store")[0]?.["id"] ?? "")
  }

  /** Accounts that were pinned to a device. */
  get pinned(): ReadonlyArray<string> {
    return this.read("select account from fiscal_account").map(({ account }) => String(account))
  }

  /** Makes a consistent copy, like an operator's backup. */
  backup(): string {
    const copy = `${this.filename}.backup`
    remove(copy)
    this.#view.prepare("vacuum into ?").run(copy)
    return copy
  }

  /**
   * Makes a consistent copy of the current contents for inspection and changes; the next copy
   * replaces it.
   */
  copyToLook(): string {
    const copy = `${this.filename}.look`
    remove(copy)
    // The log of an open transaction ends without a commit, and is read as far as its last commit.
    for (const end of ["", "-wal"]) if (existsSync(this.filename + end)) copyFileSync(this.filename + end, copy + end)
    return copy
  }

  /** Number that grows with every commit of any process. */
  get changes(): number {
    return Number(this.read("pragma data_version")[0]?.["data_version"])
  }

  /** Moves the file away and returns its new place; the file must not be open. */
  putAside(): string {
    const aside = `${this.filename}.aside`
    remove(aside)
    this.#shut()
    renameSync(this.filename, aside)
    return aside
  }

  /** Makes a second copy of a backup; restoring a backup deletes it. */
  keepCopyOf(backup: string): string {
    const again = `${this.filename}.again`
    remove(again)
    copyFileSync(backup, again)
    return again
  }

  /** Returns the number of the last attempt in a copy. */
  lastAttemptOf(copy: string): number {
    const view = new DatabaseSync(copy)
    const last = view.prepare("select coalesce(max(id), 0) as n from fiscal_attempt").get()
    view.close()
    return Number(last?.["n"])
  }

  /** Copies the current contents to the place that `putAside` would use. */
  copyAside(): string {
    const aside = `${this.filename}.aside`
    remove(aside)
    this.#view.prepare("vacuum into ?").run(aside)
    return aside
  }

  /**
   * Replaces the contents by those of another file, in one commit; processes keep the store open.
   * No process may be in a transaction.
   */
  goBackTo(file: string): void {
    const view = this.#view
    this.replacements++
    view.exec("pragma foreign_keys = off")
    view.prepare("attach ? as older").run(file)
    view.exec("begin immediate")
    const tables = view.prepare("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'")
    for (const { name } of tables.all())
      view.exec(`delete from main."${name}"; insert into main."${name}" select * from older."${name}"`)
    view.exec("commit; detach older; pragma foreign_keys = on")
    remove(file)
  }

  /** Replaces the store by a file or by an empty store; the store must not be open. */
  putInPlace(file: string | "empty"): void {
    this.replacements++
    if (existsSync(this.filename)) {
      this.#shut()
      remove(this.filename)
    }
    copyFileSync(file === "empty" ? migrated() : file, this.filename)
    if (file !== "empty") remove(file)
    this.#view = new DatabaseSync(this.filename)
  }

  close(): void {
    this.#shut()
    for (const end of ["", ".backup", ".aside", ".again", ".look"]) remove(this.filename + end)
  }

  #shut(): void {
    this.#statements.clear()
    // Includes the log in the file: the last connection to close does so.
    this.#view.exec("pragma wal_checkpoint(truncate)")
    this.#view.close()
  }
}
