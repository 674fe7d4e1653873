/** The store's file: new for every run, and read as any other process would see it. */
import { Effect, Layer } from "effect"
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"

const directory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
const nameOf = (what: string) => join(directory, `fiscal-connector-simulator-${process.pid}-${what}.db`)

const remove = (filename: string) => {
  for (const end of ["", "-wal", "-shm"]) rmSync(filename + end, { force: true })
}

let template: string | undefined
let number = 0

/** An empty store, migrated once and copied from then on. */
const migrated = (): string => {
  if (template !== undefined) return template
  const filename = nameOf("template")
  Effect.runSync(Effect.scoped(Layer.build(SqliteStore.layer({ filename }))))
  // every store gives itself an id of its own when it is first opened
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
  /** Whether it is the one that was used, as far as that can be told. */
  standing: "own" | "an older copy" | "another store" = "own"
  /** How often its contents were exchanged. */
  exchanges = 0
  #view: DatabaseSync
  #statements = new Map<string, StatementSync>()

  constructor() {
    this.filename = nameOf(String(++number))
    remove(this.filename)
    copyFileSync(migrated(), this.filename)
    this.#view = new DatabaseSync(this.filename)
  }

  /** What is committed. */
  read(sql: string, ...parameters: ReadonlyArray<SQLInputValue>): ReadonlyArray<Row> {
    const statement = this.#statements.get(sql) ?? this.#view.prepare(sql)
    this.#statements.set(sql, statement)
    return statement.all(...parameters) as ReadonlyArray<Row>
  }

  /** The id that the store gave itself; empty before it was first opened. */
  get id(): string {
    return String(this.read("select id from fiscal_store")[0]?.["id"] ?? "")
  }

  /** Accounts that were pinned to a device. */
  get pinned(): ReadonlyArray<string> {
    return this.read("select account from fiscal_account").map(({ account }) => String(account))
  }

  /** A consistent copy, as a person makes a backup. */
  backup(): string {
    const copy = `${this.filename}.backup`
    remove(copy)
    this.#view.prepare("vacuum into ?").run(copy)
    return copy
  }

  /** A consistent copy of the present contents, to be looked at and changed; the next one takes its place. */
  copyToLook(): string {
    const copy = `${this.filename}.look`
    remove(copy)
    this.#view.prepare("vacuum into ?").run(copy)
    return copy
  }

  /** Grows whenever any process commits. */
  get changes(): number {
    return Number(this.read("pragma data_version")[0]?.["data_version"])
  }

  /** Takes the file away, and says where it is kept; nobody may have it open. */
  putAside(): string {
    const aside = `${this.filename}.aside`
    remove(aside)
    this.#shut()
    renameSync(this.filename, aside)
    return aside
  }

  /** A second copy of a backup, which is used up when it is put in place. */
  keepCopyOf(backup: string): string {
    const again = `${this.filename}.again`
    remove(again)
    copyFileSync(backup, again)
    return again
  }

  /** The number of the last attempt in a copy. */
  lastAttemptOf(copy: string): number {
    const view = new DatabaseSync(copy)
    const last = view.prepare("select coalesce(max(id), 0) as n from fiscal_attempt").get()
    view.close()
    return Number(last?.["n"])
  }

  /** Copies the present contents to where `putAside` would move them. */
  copyAside(): string {
    const aside = `${this.filename}.aside`
    remove(aside)
    this.#view.prepare("vacuum into ?").run(aside)
    return aside
  }

  /** Replaces the contents by those of another file, in one commit; processes keep the store open. No process may be in a transaction. */
  goBackTo(file: string): void {
    const view = this.#view
    this.exchanges++
    view.exec("pragma foreign_keys = off")
    view.prepare("attach ? as older").run(file)
    view.exec("begin immediate")
    const tables = view.prepare("select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'")
    for (const { name } of tables.all())
      view.exec(`delete from main."${name}"; insert into main."${name}" select * from older."${name}"`)
    view.exec("commit; detach older; pragma foreign_keys = on")
    remove(file)
  }

  /** Puts a file, or an empty store, in the place of the store; nobody may have it open. */
  putInPlace(file: string | "empty"): void {
    this.exchanges++
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
    // the last to close takes the log along
    this.#view.exec("pragma wal_checkpoint(truncate)")
    this.#view.close()
  }
}
