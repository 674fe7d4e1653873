/** Runs batches of statements (SqlitePipeline) and answers each batch once. */
import { parentPort, workerData } from "node:worker_threads"
import { open, type SqliteConfig, type SqliteDatabase, type SqliteStatement, toInput } from "./SqliteDatabase.ts"

export type ThreadConfig = Omit<SqliteConfig, "open">

/**
 * `text` is null if the thread has the text under this number; a statement that is not kept has the
 * number 0. `integers`: `bigint` if the reader asks for bigints.
 */
export type ThreadRequest = readonly [
  number: number,
  text: string | null,
  values: ReadonlyArray<unknown>,
  integers: "number" | "bigint"
]

/**
 * Rows of a statement, all values in one array; `columns` only if the columns changed since the
 * last run.
 */
export type ThreadRows = readonly [columns: ReadonlyArray<string> | null, values: ReadonlyArray<unknown>]

export interface Thrown {
  readonly message: string
  readonly code: unknown
  readonly errcode: unknown
}

/** Results of a batch; statements after a failed statement are not run. */
export interface ThreadAnswer {
  readonly rows: ReadonlyArray<ThreadRows | null>
  readonly failed: Thrown | null
  readonly isTransaction: boolean
}

// drops the experimental warning of Node 22 about SQLite: the main thread has already written the
// warning to the log
if (parentPort !== null) {
  const listeners = process.listeners("warning")
  process.removeAllListeners("warning")
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") for (const listener of listeners) listener(warning)
  })
}

const thrown = (error: unknown): Thrown => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Error && "code" in error ? error.code : undefined,
  errcode: error instanceof Error && "errcode" in error ? error.errcode : undefined
})

export const mostKept = 200

interface KeptStatement {
  readonly text: string
  statement: SqliteStatement | undefined
  columns: string
}

const answering = (db: SqliteDatabase): ((batch: ReadonlyArray<ThreadRequest>) => ThreadAnswer) => {
  const kept = new Map<number, KeptStatement>()
  const noted = ([number, text]: ThreadRequest): KeptStatement => {
    if (text === null) return kept.get(number)!
    const one: KeptStatement = { text, statement: undefined, columns: "" }
    if (number === 0) return one
    if (kept.size >= mostKept) kept.clear()
    kept.set(number, one)
    return one
  }
  const run = (one: KeptStatement, [, , values, integers]: ThreadRequest): ThreadRows | null => {
    // a failed ROLLBACK, or a transaction that SQLite has already ended
    if (one.text === "ROLLBACK" && !db.isTransaction) return null
    one.statement ??= db.prepare(one.text)
    one.statement.setReadBigInts(integers === "bigint")
    const rows = one.statement.all(...values.map(toInput))
    if (rows.length === 0) return null
    const names = Object.keys(rows[0]!)
    const columns = names.join("\n")
    const isOther = columns !== one.columns
    one.columns = columns
    return [isOther ? names : null, rows.flatMap((row) => Object.values(row))]
  }
  return (batch) => {
    // every statement is registered, also statements that are not run: the other thread relies on
    // the numbers
    const statements = batch.map(noted)
    const rows: Array<ThreadRows | null> = []
    try {
      for (const [n, asked] of batch.entries()) rows.push(run(statements[n]!, asked))
      return { rows, failed: null, isTransaction: db.isTransaction }
    } catch (error) {
      return { rows, failed: thrown(error), isTransaction: db.isTransaction }
    }
  }
}

const serve = (port: NonNullable<typeof parentPort>): void => {
  let db: SqliteDatabase
  try {
    db = open(workerData as ThreadConfig)
  } catch (error) {
    port.postMessage(thrown(error))
    return port.close()
  }
  const answer = answering(db)
  port.on("message", (batch: ReadonlyArray<ThreadRequest> | "close") => {
    if (batch !== "close") return port.postMessage(answer(batch))
    db.close()
    port.close()
  })
  port.postMessage(null)
}

if (parentPort !== null) serve(parentPort)
