/** What runs on the thread of a SQLite connection (SqlitePipeline): takes batches of statements, answers each batch once. */
import { parentPort, workerData } from "node:worker_threads"
import { open, type SqliteConfig, type SqliteDatabase, type SqliteStatement, toInput } from "./SqliteDatabase.ts"

/** What can be given to a thread. */
export type ThreadConfig = Omit<SqliteConfig, "open">

/**
 * A statement, or the next run of one. `text` is null where the thread has it under this number; what is not kept has the number 0. `integers`: as
 * bigints, where the reader asks for them.
 */
export type Asked = readonly [
  number: number,
  text: string | null,
  values: ReadonlyArray<unknown>,
  integers: "number" | "bigint"
]

/** Its rows, all in one array; `columns` where they are others than last time. */
export type Rows = readonly [columns: ReadonlyArray<string> | null, values: ReadonlyArray<unknown>]

/** What node:sqlite threw, as far as somebody goes by it. */
export interface Thrown {
  readonly message: string
  readonly code: unknown
  readonly errcode: unknown
}

/** Of a batch, as far as it went: nothing of it is run after a statement that failed. */
export interface Answered {
  readonly rows: ReadonlyArray<Rows | null>
  readonly failed: Thrown | null
  readonly isTransaction: boolean
}

// Node 22 warns of its SQLite in each thread: text lines between those of a log that the main thread has warned in already
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

/** How many statements are kept prepared, here and in the numbers of whoever asks. */
export const mostKept = 200

interface Kept {
  readonly text: string
  statement: SqliteStatement | undefined
  columns: string
}

const answering = (db: SqliteDatabase): ((batch: ReadonlyArray<Asked>) => Answered) => {
  const kept = new Map<number, Kept>()
  const noted = ([number, text]: Asked): Kept => {
    if (text === null) return kept.get(number)!
    const one: Kept = { text, statement: undefined, columns: "" }
    if (number === 0) return one
    if (kept.size >= mostKept) kept.clear()
    kept.set(number, one)
    return one
  }
  const run = (one: Kept, [, , values, integers]: Asked): Rows | null => {
    // one that has failed, or a transaction that SQLite has ended by itself
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
    // all are noted, also those that are not run
    const statements = batch.map(noted)
    const rows: Array<Rows | null> = []
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
  port.on("message", (batch: ReadonlyArray<Asked> | "close") => {
    if (batch !== "close") return port.postMessage(answer(batch))
    db.close()
    port.close()
  })
  port.postMessage(null)
}

if (parentPort !== null) serve(parentPort)
