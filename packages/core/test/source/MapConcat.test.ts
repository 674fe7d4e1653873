import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mapConcat } from "../../src/source/MapConcat.ts"

const twice = mapConcat((n: number) => (n % 2 === 0 ? [] : [n, n]))

describe("mapConcat", () => {
  it.effect("gives what is made of each element in their order, elements of which nothing is made left out", () =>
    Effect.gen(function* () {
      const chunks = Stream.fromArrays([1, 2, 3], [4], [5])
      assert.deepStrictEqual(yield* Stream.runCollect(twice(chunks)), [1, 1, 3, 3, 5, 5])
      assert.deepStrictEqual(yield* Stream.runCollect(twice(Stream.empty)), [])
    })
  )

  it.effect("keeps a list within a list, and a failure after what came before it", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const failing = Stream.concat(Stream.make(1, 3), Stream.fail("broken"))
      const failure = yield* mapConcat((n: number) => [[n]])(failing).pipe(
        Stream.runForEach((list) => Effect.sync(() => seen.push(list))),
        Effect.flip
      )
      assert.strictEqual(failure, "broken")
      assert.deepStrictEqual(seen, [[1], [3]])
    })
  )
})
