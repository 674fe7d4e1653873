/** The store's file: new for every run, and read as any other process would see it. */
import { Effect, Layer } from "effect"
import { copyFileSync, existsSync, rmSync } from "node:fs"
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
  process.on("exit", () => remove(filename))
  template = filename
  return filename
}

export type Row = Readonly<Record<string, string | number | null>>

export class StoreFile {
  readonly filename: string
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

  /** A consistent copy, as a person makes a backup. */
  backup(): string {
    const copy = `${this.filename}.backup`
    remove(copy)
    this.#view.prepare("vacuum into ?").run(copy)
    return copy
  }

  /** Puts a backup in the place of the store; nobody may have it open. */
  restore(copy: string): void {
    this.close()
    copyFileSync(copy, this.filename)
    remove(copy)
    this.#view = new DatabaseSync(this.filename)
  }

  close(): void {
    this.#statements.clear()
    this.#view.close()
    remove(this.filename)
  }
}
