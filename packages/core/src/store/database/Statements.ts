/**
 * Statements of a transaction: effect/sql's templates, run on the transaction's own connection.
 *
 * A statement of effect/sql looks up its connection, opens a span and builds its text each time,
 * which costs several times the execution in SQLite. Here, a text is built once.
 */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { ArrayHelper, Fragment, RecordInsertHelper, RecordUpdateHelperSingle } from "effect/sql/Statement"

type SqlValue = string | number | bigint | null
type TemplatePart = Fragment | ArrayHelper | RecordInsertHelper | RecordUpdateHelperSingle

/** The rows of a sent statement. */
export type QueryResult<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError>

/**
 * Common interface of `sql` inside and outside a transaction. The result is not a fragment and
 * cannot be embedded in another statement.
 */
export interface Queries extends Pick<SqlClient, "insert" | "update" | "in" | "literal"> {
  <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<SqlValue | TemplatePart>): QueryResult<Row>
}

/** `sql` inside a transaction. */
export interface Statements extends Queries {
  /**
   * Sends the statement without waiting. Later statements are executed after it, and share its
   * round trip to a remote database.
   */
  readonly ahead: <Row extends object>(
    strings: TemplateStringsArray,
    ...args: ReadonlyArray<SqlValue | TemplatePart>
  ) => Effect.Effect<QueryResult<Row>, SqlError>
}

/** A connection that accepts statements before earlier ones are answered. */
export interface AheadConnection extends Connection {
  readonly ahead: (
    text: string,
    values: ReadonlyArray<unknown>
  ) => Effect.Effect<ReturnType<Connection["execute"]>, SqlError>
}

const isAhead = (connection: Connection): connection is AheadConnection => "ahead" in connection

const isValue = (arg: SqlValue | TemplatePart): arg is SqlValue => typeof arg !== "object" || arg === null

// texts of longer inserts are not cached
const mostRows = 64

/**
 * Variable parts of a template's text: the columns and rows of an insert or update, the text of a
 * fragment.
 */
interface TemplateShape {
  readonly columns: ReadonlyArray<string>
  readonly rows: number
  readonly text: string
}

const none: TemplateShape = { columns: [], rows: 0, text: "" }

/** Returns the text of a fragment without values. Null if the fragment has values. */
const textOf = ({ segments }: Fragment): string | null => {
  let text = ""
  for (const segment of segments) {
    if (segment._tag !== "Literal" || segment.params) return null
    text += segment.value
  }
  return text
}

/** Returns the shape of a part. Null if the text is not worth caching. */
const shapeOf = (part: SqlValue | TemplatePart): TemplateShape | null => {
  if (isValue(part)) return none
  if ("segments" in part) {
    const text = textOf(part)
    return text === null ? null : { ...none, text }
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

const isSame = (a: TemplateShape, b: TemplateShape): boolean =>
  a === b ||
  (a.rows === b.rows &&
    a.text === b.text &&
    a.columns.length === b.columns.length &&
    a.columns.every((column, n) => column === b.columns[n]))

const valuesOf = (arg: SqlValue | TemplatePart): ReadonlyArray<unknown> => {
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

/** Compiles templates to texts and values. Caches the text per template and shapes. */
const compiling = (sql: SqlClient) => {
  const known = new WeakMap<
    TemplateStringsArray,
    Array<readonly [shapes: ReadonlyArray<TemplateShape>, text: string]>
  >()
  return (strings: TemplateStringsArray, args: ReadonlyArray<SqlValue | TemplatePart>): Compiled => {
    const shapes: Array<TemplateShape> = []
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

/**
 * Sends a statement for each item, then waits for all answers: one round trip to a remote database.
 * Returns the answers in order.
 */
export const inOneTrip = <A, Row>(
  of: ReadonlyArray<A>,
  send: (one: A) => Effect.Effect<QueryResult<Row>, SqlError>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError> =>
  Effect.flatMap(Effect.forEach(of, send), (sent) => Effect.forEach(sent, (answer) => answer))

/** Passes the statements of the current transaction to work inside `sql.withTransaction`. */
export const inTransaction = (
  sql: SqlClient
): (<A, E>(work: (statements: Statements) => Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const compile = compiling(sql)
  const { in: among, insert, literal, update } = sql
  const on = (connection: Connection): Statements => {
    // a local connection answers at once
    const sent: AheadConnection["ahead"] = isAhead(connection)
      ? connection.ahead
      : (text, values) => Effect.map(connection.execute(text, values, undefined), Effect.succeed)
    return Object.assign(
      <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<SqlValue | TemplatePart>) =>
        Effect.suspend((): QueryResult<Row> => {
          const [text, values] = compile(strings, args)
          return connection.execute(text, values, undefined)
        }),
      {
        ahead: <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<SqlValue | TemplatePart>) =>
          Effect.suspend((): Effect.Effect<QueryResult<Row>, SqlError> => {
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
