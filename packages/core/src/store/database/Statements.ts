/**
 * The statements of a transaction: effect/sql's templates, run on the transaction's own connection. A statement of effect/sql looks for its
 * connection, opens a span and builds its text each time, which costs several times what SQLite needs to run it; here a text is built once.
 */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { ArrayHelper, Fragment, RecordInsertHelper, RecordUpdateHelperSingle } from "effect/sql/Statement"

type Value = string | number | bigint | null
type Part = Fragment | ArrayHelper | RecordInsertHelper | RecordUpdateHelperSingle

/** The rows of a statement that has been sent. */
export type Answer<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError>

/** What `sql` is inside a transaction and outside. What it answers with is no fragment: it cannot stand in another statement. */
export interface Queries extends Pick<SqlClient, "insert" | "update" | "in" | "literal"> {
  <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<Value | Part>): Answer<Row>
}

/** `sql` inside a transaction. */
export interface Statements extends Queries {
  /** Sends the statement and does not wait: those sent after it come after it, and share its round trip where the database is far. */
  readonly ahead: <Row extends object>(
    strings: TemplateStringsArray,
    ...args: ReadonlyArray<Value | Part>
  ) => Effect.Effect<Answer<Row>, SqlError>
}

/** A connection that takes statements while it has not answered others. */
export interface AheadConnection extends Connection {
  readonly ahead: (
    text: string,
    values: ReadonlyArray<unknown>
  ) => Effect.Effect<ReturnType<Connection["execute"]>, SqlError>
}

const isAhead = (connection: Connection): connection is AheadConnection => "ahead" in connection

const isValue = (arg: Value | Part): arg is Value => typeof arg !== "object" || arg === null

// texts for longer inserts are not kept
const mostRows = 64

/** What decides the text of a template besides its strings: the columns and rows of what is written, the words of a fragment. */
interface Shape {
  readonly columns: ReadonlyArray<string>
  readonly rows: number
  readonly words: string
}

const none: Shape = { columns: [], rows: 0, words: "" }

/** The words of a fragment without values; null where it has some. */
const wordsOf = ({ segments }: Fragment): string | null => {
  let words = ""
  for (const segment of segments) {
    if (segment._tag !== "Literal" || segment.params) return null
    words += segment.value
  }
  return words
}

/** Null where the text is not worth keeping. */
const shapeOf = (part: Value | Part): Shape | null => {
  if (isValue(part)) return none
  if ("segments" in part) {
    const words = wordsOf(part)
    return words === null ? null : { ...none, words }
  }
  switch (part._tag) {
    case "RecordUpdateHelperSingle":
      return { ...none, columns: Object.keys(part.value) }
    case "RecordInsertHelper":
      return part.value.length > mostRows
        ? null
        : { ...none, columns: Object.keys(part.value[0]), rows: part.value.length }
    case "ArrayHelper":
      return null
  }
}

const isSame = (a: Shape, b: Shape): boolean =>
  a === b ||
  (a.rows === b.rows &&
    a.words === b.words &&
    a.columns.length === b.columns.length &&
    a.columns.every((column, n) => column === b.columns[n]))

const valuesOf = (arg: Value | Part): ReadonlyArray<unknown> => {
  if (isValue(arg)) return [arg]
  if ("segments" in arg) return []
  switch (arg._tag) {
    case "RecordUpdateHelperSingle":
      return Object.values(arg.value)
    case "RecordInsertHelper": {
      if (arg.value.length === 1) return Object.values(arg.value[0])
      const columns = Object.keys(arg.value[0])
      return arg.value.flatMap((row) => columns.map((column) => row[column]))
    }
    case "ArrayHelper":
      return arg.value
  }
}

type Compiled = readonly [text: string, values: ReadonlyArray<unknown>]

/** Compiles templates to texts and values; the text of a template of the same shapes once. */
const compiling = (sql: SqlClient) => {
  const known = new WeakMap<TemplateStringsArray, Array<readonly [shapes: ReadonlyArray<Shape>, text: string]>>()
  return (strings: TemplateStringsArray, args: ReadonlyArray<Value | Part>): Compiled => {
    const shapes: Array<Shape> = []
    for (const arg of args) {
      const shape = shapeOf(arg)
      if (shape === null) return sql(strings, ...args).compile()
      shapes.push(shape)
    }
    const texts = known.get(strings) ?? []
    const kept = texts.find(([kept]) => kept.every((each, n) => isSame(each, shapes[n]!)))
    if (kept !== undefined) return [kept[1], args.every(isValue) ? args : args.flatMap(valuesOf)]
    const compiled = sql(strings, ...args).compile()
    known.set(strings, [...texts, [shapes, compiled[0]]])
    return compiled
  }
}

/** Sends a statement for each, then waits for all: one round trip where the database is far. Answers in their order. */
export const inOneTrip = <A, Row>(
  of: ReadonlyArray<A>,
  send: (one: A) => Effect.Effect<Answer<Row>, SqlError>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError> =>
  Effect.flatMap(Effect.forEach(of, send), (sent) => Effect.forEach(sent, (answer) => answer))

/** For work inside `sql.withTransaction`: hands it the statements of that transaction. */
export const inTransaction = (
  sql: SqlClient
): (<A, E>(work: (statements: Statements) => Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const compile = compiling(sql)
  const { in: among, insert, literal, update } = sql
  const on = (connection: Connection): Statements => {
    // one that is near answers at once
    const sent: AheadConnection["ahead"] = isAhead(connection)
      ? connection.ahead
      : (text, values) => Effect.map(connection.execute(text, values, undefined), Effect.succeed)
    return Object.assign(
      <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<Value | Part>) =>
        Effect.suspend((): Answer<Row> => {
          const [text, values] = compile(strings, args)
          return connection.execute(text, values, undefined)
        }),
      {
        ahead: <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<Value | Part>) =>
          Effect.suspend((): Effect.Effect<Answer<Row>, SqlError> => {
            const [text, values] = compile(strings, args)
            return sent(text, values)
          }),
        in: among,
        insert,
        literal,
        update
      }
    )
  }
  return (work) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
      Option.isNone(transaction) ? Effect.die("there is no transaction") : work(on(transaction.value[0]))
    )
}
