import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { make } from "../../src/node/SqliteClient.ts"
import { inTransaction, type Statements } from "../../src/store/database/Statements.ts"

type Row = Record<string, unknown>

/** Runs the work in a transaction on a table of fruit. */
const withFruit = <A, E>(work: (sql: Statements) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const client = yield* make({ filename: ":memory:" })
    yield* client`create table fruit (id integer primary key, name text, colour text)`
    return yield* client.withTransaction(inTransaction(client)(work))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

describe("a transaction template", () => {
  it.effect(
    "has the same text for other values, and another text for other columns or another number of rows",
    function* () {
      const rows = yield* withFruit((sql) =>
        Effect.gen(function* () {
          const add = (first: Row, ...rest: ReadonlyArray<Row>) =>
            sql`insert into fruit ${sql.insert([first, ...rest])}`
          const change = (id: number, columns: Row) => sql`update fruit set ${sql.update(columns)} where id = ${id}`
          yield* add({ id: 1, name: "apple" })
          yield* add({ id: 2, name: "pear" }, { id: 3, name: "plum" })
          yield* add({ id: 4, name: "fig" })
          yield* change(1, { colour: "red" })
          yield* change(2, { name: "quince", colour: "yellow" })
          yield* change(3, { colour: "blue" })
          yield* change(4, { name: null })
          return yield* sql<Row>`select id, name, colour from fruit order by id`
        })
      )
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { id: 1, name: "apple", colour: "red" },
          { id: 2, name: "quince", colour: "yellow" },
          { id: 3, name: "plum", colour: "blue" },
          { id: 4, name: null, colour: null }
        ]
      )
    }
  )

  it.effect("has another text for other keywords", function* () {
    const orders = yield* withFruit((sql) =>
      Effect.gen(function* () {
        yield* sql`insert into fruit ${sql.insert([{ id: 1 }, { id: 2 }])}`
        const inOrder = (order: "asc" | "desc") =>
          Effect.map(
            sql<{ readonly id: number }>`select id from fruit where id > ${0} order by id ${sql.literal(order)}`,
            (rows) => rows.map(({ id }) => id)
          )
        return [yield* inOrder("asc"), yield* inOrder("desc"), yield* inOrder("asc")]
      })
    )
    assert.deepStrictEqual(orders, [
      [1, 2],
      [2, 1],
      [1, 2]
    ])
  })

  it.effect("accepts lists of any length and pieces of text", function* () {
    const counted = yield* withFruit((sql) =>
      Effect.gen(function* () {
        yield* sql`insert into fruit ${sql.insert([{ id: 1 }, { id: 2 }, { id: 3 }])}`
        const among = (ids: ReadonlyArray<number>, order: "asc" | "desc") =>
          Effect.map(
            sql<{
              readonly id: number
            }>`select id from fruit where ${sql.in("id", ids)} and id > ${0} order by id ${sql.literal(order)}`,
            (rows) => rows.map(({ id }) => id)
          )
        return [
          yield* among([1, 2], "asc"),
          yield* among([1, 2, 3], "desc"),
          yield* among([], "asc"),
          yield* among([3, 1], "desc")
        ]
      })
    )
    assert.deepStrictEqual(counted, [[1, 2], [3, 2, 1], [], [3, 1]])
  })
})
