/**
 * Runs effect/sql's templates on the transaction's own connection. A statement of effect/sql looks
 * up its connection, opens a span and builds its text each time, which costs several times the
 * execution in SQLite. Here, a text is built once.
 */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { ArrayHelper, Fragment, RecordInsertHelper, RecordUpdateHelperSingle } from "effect/sql/Statement"

type SqlValue = string | number | bigint | null
type TemplatePart = Fragment | ArrayHelper | RecordInsertHelper | RecordUpdateHelperSingle

export type QueryResult<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError>

/**
 * Common interface of `sql` inside and outside a transaction. The result is not a fragment and
 * cannot be embedded in another statement.
 */
export interface Queries extends Pick<SqlClient, "insert" | "update" | "in" | "literal"> {
  <Row extends object>(strings: TemplateStringsArray, ...args: ReadonlyArray<SqlValue | TemplatePart>): QueryResult<Row>
}

export interface Statements extends Queries {
  readonly ahead: <Row extends object>(
    strings: TemplateStringsArray,
    ...args: ReadonlyArray<SqlValue | TemplatePart>
  ) => Effect.Effect<QueryResult<Row>, SqlError>
}

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

/** Null for a value, a fragment, or the columns and rows of records. */
type TemplateShape = null | Fragment | { readonly columns: ReadonlyArray<string>; readonly rows: number }

const textOf = ({ segments }: Fragment): string | null => {
  let text = ""
  for (const segment of segments) {
    if (segment._tag !== "Literal" || segment.params) return null
    text += segment.value
  }
  return text
}

const columnsOf = (part: RecordInsertHelper | RecordUpdateHelperSingle) =>
  Object.keys(part._tag === "RecordInsertHelper" ? part.value[0] : part.value)

const rowsOf = (part: RecordInsertHelper | RecordUpdateHelperSingle) =>
  part._tag === "RecordInsertHelper" ? part.value.length : 0

/** Undefined if the text is not worth caching. */
const shapeOf = (part: SqlValue | TemplatePart): TemplateShape | undefined => {
  if (isValue(part)) return null
  if ("segments" in part) return textOf(part) === null ? undefined : part
  if (part._tag === "ArrayHelper") return undefined
  const rows = rowsOf(part)
  return rows > mostRows ? undefined : { columns: columnsOf(part), rows }
}

/** Creates nothing for a kept fragment. */
const fits = (shape: TemplateShape, part: SqlValue | TemplatePart): boolean => {
  if (shape === part) return true
  if (shape === null || isValue(part)) return shape === null && isValue(part)
  if ("segments" in part) return "segments" in shape && textOf(shape) === textOf(part)
  if ("segments" in shape || part._tag === "ArrayHelper" || shape.rows !== rowsOf(part)) return false
  const columns = columnsOf(part)
  return columns.length === shape.columns.length && columns.every((column, n) => column === shape.columns[n])
}

const addValues = (values: Array<unknown>, arg: SqlValue | TemplatePart): void => {
  if (isValue(arg)) values.push(arg)
  else if ("segments" in arg) return
  else if (arg._tag === "ArrayHelper") values.push(...arg.value)
  else if (arg._tag === "RecordUpdateHelperSingle") values.push(...Object.values(arg.value))
  else {
    const columns = columnsOf(arg)
    for (const row of arg.value) for (const column of columns) values.push(row[column])
  }
}

type Compiled = readonly [text: string, values: ReadonlyArray<unknown>]

/** Caches the text per template and shapes. */
const compiling = (sql: SqlClient) => {
  const known = new WeakMap<
    TemplateStringsArray,
    Array<readonly [shapes: ReadonlyArray<TemplateShape>, text: string]>
  >()
  return (strings: TemplateStringsArray, args: ReadonlyArray<SqlValue | TemplatePart>): Compiled => {
    const kept = known.get(strings)?.find(([shapes]) => shapes.every((shape, n) => fits(shape, args[n]!)))
    if (kept !== undefined) {
      const values: Array<unknown> = []
      for (const arg of args) addValues(values, arg)
      return [kept[1], values]
    }
    const compiled = sql(strings, ...args).compile()
    const shapes = args.map(shapeOf)
    if (shapes.every((shape) => shape !== undefined))
      known.set(strings, [...(known.get(strings) ?? []), [shapes, compiled[0]]])
    return compiled
  }
}

/** Largest number of kept fragments; some texts have a number. */
const mostLiterals = 200

/** A text is then compared by its identity. */
const keptLiterals = (literal: SqlClient["literal"]): SqlClient["literal"] => {
  const kept = new Map<string, Fragment>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= mostLiterals) kept.clear()
    const fragment = literal(text)
    kept.set(text, fragment)
    return fragment
  }
}

export const inOneTrip = <A, Row>(
  of: ReadonlyArray<A>,
  send: (one: A) => Effect.Effect<QueryResult<Row>, SqlError>
): Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError> =>
  Effect.flatMap(Effect.forEach(of, send), (sent) => Effect.forEach(sent, (answer) => answer))

export const inTransaction = (
  sql: SqlClient
): (<A, E>(work: (statements: Statements) => Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const compile = compiling(sql)
  const { in: among, insert, update } = sql
  const literal = keptLiterals(sql.literal)
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
