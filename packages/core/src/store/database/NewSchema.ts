/**
 * Creates the tables of a new store in one step: adding 25 columns one by one costs SQLite more
 * than everything else at the first start.
 */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"

type Migration = Effect.Effect<void, SqlError, SqlClient.SqlClient>

const isStatement = (made: unknown): made is Statement<object> => Effect.isEffect(made) && "compile" in made

const addition = /^alter table (\w+) add column ([^]+)$/
const creation = /^create table (\w+) \(/
const firstConstraint = /,\s+(?:primary key|unique) \(|\)$/

/**
 * Returns the statements of the migrations, in order. Executes nothing: a new store has no rows to
 * read or change.
 */
const statementsOf = (sql: SqlClient.SqlClient, migrations: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const statements: Array<string> = []
    const recorder = new Proxy(sql, {
      apply: (target, self, given) => {
        const made: unknown = Reflect.apply(target, self, given)
        if (!isStatement(made)) return made
        statements.push(made.compile()[0])
        return Effect.succeed([])
      }
    })
    for (const migration of migrations) yield* Effect.provideService(migration, SqlClient.SqlClient, recorder)
    return statements
  })

/**
 * Moves every added column into the statement that creates its table. Omits reads and updates,
 * because a new store has no rows.
 */
const folded = (statements: ReadonlyArray<string>): ReadonlyArray<string> => {
  const made: Array<string> = []
  const places = new Map<string, number>()
  for (const statement of statements) {
    if (/^(?:select|update) /.test(statement)) continue
    const [, table, column] = addition.exec(statement) ?? []
    const place = table === undefined ? undefined : places.get(table)
    if (place === undefined) {
      const created = creation.exec(statement)?.[1]
      if (created !== undefined) places.set(created, made.length)
      made.push(statement)
    } else {
      made[place] = made[place]!.replace(firstConstraint, (rest) => `, ${column}${rest}`)
    }
  }
  return made
}

/**
 * Returns the same migrations for a store without tables: the first creates everything, the others
 * do nothing.
 */
export const inOneStep = <Name extends string>(migrations: Readonly<Record<Name, Migration>>) => {
  const create = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statements = yield* statementsOf(sql, Object.values(migrations))
    yield* Effect.forEach(folded(statements), (statement) => sql.unsafe(statement), { discard: true })
  })
  const [first] = Object.keys(migrations)
  return Object.fromEntries(Object.keys(migrations).map((name) => [name, name === first ? create : Effect.void]))
}
