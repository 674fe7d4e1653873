/**
 * SQLite on a worker thread: this thread continues while the worker waits for the disk. Statements
 * without result rows are queued and sent in one message with the next awaited statement, at the
 * latest with the commit.
 */
import { Effect, Exit, type Scope, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import { Worker } from "node:worker_threads"
import type { AheadConnection } from "../store/SqlStore.ts"
import { sqlError } from "./SqliteError.ts"
import * as StoreThread from "./StoreThread.ts"
import {
  type ThreadAnswer,
  type ThreadRequest,
  mostKept,
  type ThreadRows,
  type Thrown,
  type ThreadConfig
} from "./SqliteThread.ts"
import { isWithoutRows } from "./WithoutRows.ts"

type ResultRow = Record<string, unknown>

interface SqlStatement {
  readonly text: string
  readonly isKept: boolean
  readonly values: ReadonlyArray<unknown>
  readonly integers: "number" | "bigint"
}

interface KnownStatement {
  readonly number: number
  columns: ReadonlyArray<string>
}

interface StatementBatch {
  readonly statements: Array<SqlStatement>
  known: ReadonlyArray<KnownStatement>
  exits: ReadonlyArray<Exit.Exit<ReadonlyArray<ResultRow>, SqlError.SqlError>> | undefined
  readonly waiting: Array<() => void>
}

interface StatementPosition {
  readonly batch: StatementBatch
  readonly at: number
}

export interface ThreadConnection {
  /**
   * Connection for an exclusive user; on a worker thread, statements of a transaction are queued
   * until an awaited statement.
   */
  readonly writing: Connection | AheadConnection
  readonly isTransaction: () => boolean
}

const thrownThere = ({ message, ...codes }: Thrown, operation: string) =>
  sqlError(Object.assign(new Error(message), codes), operation)

/** Does not come from SQLite, and must not be retried. */
const failure = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "statement" })
  })

const ended = (cause: unknown) =>
  failure(`the thread of the store has ended: ${cause instanceof Error ? cause.message : String(cause)}`)

const rolledBack = failure("the transaction was rolled back")

const nothing: ReadonlyArray<never> = []
const done = Effect.succeed(nothing)

const rowsOf = (known: KnownStatement, rows: ThreadRows | null): ReadonlyArray<ResultRow> => {
  if (rows === null) return nothing
  const [columns, values] = rows
  if (columns !== null) known.columns = columns
  const names = known.columns
  const answer: Array<ResultRow> = []
  for (let at = 0; at < values.length; at += names.length) {
    const row: ResultRow = {}
    for (let n = 0; n < names.length; n++) row[names[n]!] = values[at + n]
    answer.push(row)
  }
  return answer
}

class ThreadChannel {
  readonly #worker: Worker
  readonly #known = new Map<string, KnownStatement>()
  readonly #sent: Array<StatementBatch> = []
  readonly #withoutRows = new Map<string, boolean>()
  #numbers = 0
  #savepoints = 0
  #open: StatementBatch | undefined
  #ended: SqlError.SqlError | undefined
  #failed: SqlError.SqlError | undefined
  isTransaction = false

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on("message", (answered: ThreadAnswer) => this.#take(answered))
    worker.on("error", (error) => this.#end(ended(error)))
    worker.on("exit", (code) => this.#end(ended(`exit code ${code}`)))
    worker.unref()
  }

  /** Within a savepoint every statement is awaited: statements before it must survive a failure. */
  isSentOn(text: string): boolean {
    if (this.#savepoints > 0) return false
    const known = this.#withoutRows.get(text)
    if (known !== undefined) return known
    const found = isWithoutRows(text)
    if (this.#withoutRows.size < mostKept) this.#withoutRows.set(text, found)
    return found
  }

  add(statement: SqlStatement): StatementPosition {
    if (statement.text.startsWith("BEGIN")) {
      this.#failed = undefined
      this.#savepoints = 0
      this.isTransaction = this.#ended === undefined
    }
    if (statement.text.startsWith("SAVEPOINT")) this.#savepoints++
    if (statement.text.startsWith("RELEASE")) this.#savepoints--
    // also a rollback to a savepoint: statements before the savepoint were awaited, so the failure
    // came after it
    if (statement.text.startsWith("ROLLBACK")) {
      // queued statements that were not sent are dropped
      if (this.#open !== undefined) this.#settle(this.#open, rolledBack)
      this.#open = undefined
      this.#failed = undefined
    }
    const batch = (this.#open ??= { statements: [], known: [], exits: undefined, waiting: [] })
    return { batch, at: batch.statements.push(statement) - 1 }
  }

  answer({ at, batch }: StatementPosition): Effect.Effect<ReadonlyArray<ResultRow>, SqlError.SqlError> {
    return Effect.suspend(() => {
      if (batch === this.#open) this.#send(batch)
      if (batch.exits !== undefined) return batch.exits[at]!
      return Effect.callback((resume) => {
        batch.waiting.push(() => resume(batch.exits![at]!))
      })
    })
  }

  close(): Promise<void> {
    if (this.#ended !== undefined) return Promise.resolve()
    this.#worker.ref()
    const exit = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()))
    this.#worker.postMessage("close")
    return exit
  }

  #send(batch: StatementBatch): void {
    this.#open = undefined
    const failure = this.#ended ?? (this.isTransaction ? this.#failed : undefined)
    if (failure !== undefined) return this.#settle(batch, failure)
    const asked = batch.statements.map((one) => this.#asked(one))
    batch.known = asked.map(([, known]) => known)
    this.#worker.postMessage(asked.map(([asked]) => asked))
    // the process stays alive while it waits for an answer
    if (this.#sent.push(batch) === 1) this.#worker.ref()
  }

  #asked({ integers, isKept, text, values }: SqlStatement): readonly [ThreadRequest, KnownStatement] {
    const known = this.#known.get(text)
    if (known !== undefined) return [[known.number, null, values, integers], known]
    if (!isKept) return [[0, text, values, integers], { number: 0, columns: [] }]
    if (this.#known.size >= mostKept) this.#known.clear()
    const made = { number: ++this.#numbers, columns: [] }
    this.#known.set(text, made)
    return [[made.number, text, values, integers], made]
  }

  #take({ failed, isTransaction, rows }: ThreadAnswer): void {
    const batch = this.#sent.shift()!
    if (this.#sent.length === 0) this.#worker.unref()
    const answers = rows.map((each, n) => Exit.succeed(rowsOf(batch.known[n]!, each)))
    if (failed === null) batch.exits = answers
    else {
      const error = thrownThere(failed, "statement")
      this.#failed ??= error
      const failure = Exit.fail(error)
      batch.exits = batch.statements.map((_, n) => answers[n] ?? failure)
    }
    // if more statements were sent, another transaction may have begun
    if (this.#sent.length === 0 && this.#open === undefined) this.isTransaction = isTransaction
    for (const tell of batch.waiting) tell()
  }

  #settle(batch: StatementBatch, error: SqlError.SqlError): void {
    const failure = Exit.fail(error)
    batch.exits = batch.statements.map(() => failure)
    for (const tell of batch.waiting) tell()
  }

  #end(error: SqlError.SqlError): void {
    this.#ended ??= error
    this.isTransaction = false
    for (const batch of this.#sent.splice(0)) this.#settle(batch, this.#ended)
  }
}

const connections = (channel: ThreadChannel): ThreadConnection => {
  const statement = (text: string, values: ReadonlyArray<unknown>, isKept: boolean) =>
    Effect.withFiber((fiber) =>
      Effect.succeed<SqlStatement>({
        text,
        values,
        isKept,
        integers: fiber.getRef(SqlClient.SafeIntegers) ? "bigint" : "number"
      })
    )
  const waited = (text: string, values: ReadonlyArray<unknown>, isKept: boolean) =>
    Effect.flatMap(statement(text, values, isKept), (one) => channel.answer(channel.add(one)))
  const sentOn = (text: string, values: ReadonlyArray<unknown>, isKept: boolean) =>
    Effect.flatMap(statement(text, values, isKept), (one) => {
      const place = channel.add(one)
      return channel.isSentOn(text) ? done : channel.answer(place)
    })
  return {
    writing: {
      execute: (sql, params) => sentOn(sql, params, true),
      executeUnprepared: (sql, params) => sentOn(sql, params, false),
      executeRaw: (sql, params) => waited(sql, params, true),
      executeValues: (sql, params) => Effect.map(waited(sql, params, true), valuesOf),
      executeValuesUnprepared: (sql, params) => Effect.map(waited(sql, params, false), valuesOf),
      // results larger than memory are read outside a transaction, on the reading connection
      executeStream: (sql, params) => Stream.fromIterableEffect(waited(sql, params, false)),
      ahead: (sql, params) => Effect.map(statement(sql, params, true), (one) => channel.answer(channel.add(one)))
    },
    isTransaction: () => channel.isTransaction
  }
}

const valuesOf = (rows: ReadonlyArray<ResultRow>) => rows.map((row) => Object.values(row))

const started = (config: ThreadConfig): Promise<ThreadChannel> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(StoreThread.program(), { workerData: config, name: "store" })
    worker.once("error", reject)
    worker.once("message", (refused: Thrown | null) => {
      worker.off("error", reject)
      if (refused === null) resolve(new ThreadChannel(worker))
      else reject(thrownThere(refused, "open"))
    })
  })

export const make = (config: ThreadConfig): Effect.Effect<ThreadConnection, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => started(config),
        catch: (cause) => (SqlError.isSqlError(cause) ? cause : ended(cause))
      }),
      (channel) => Effect.promise(() => channel.close())
    ),
    connections
  )
