import { assert, describe, it } from "../It.ts"
import { Effect, Stream } from "effect"
import { mapConcat } from "../../src/source/MapConcat.ts"

const twice = mapConcat((n: number) => (n % 2 === 0 ? [] : [n, n]))

describe("mapConcat", () => {
  it.effect("returns the results of the elements in their order, without elements that have no result", function* () {
    const chunks = Stream.fromArrays([1, 2, 3], [4], [5])
    assert.deepStrictEqual(yield* Stream.runCollect(twice(chunks)), [1, 1, 3, 3, 5, 5])
    assert.deepStrictEqual(yield* Stream.runCollect(twice(Stream.empty)), [])
  })

  it.effect("keeps a nested list as one element, and a failure after the results before it", function* () {
    const seen: Array<unknown> = []
    const failing = Stream.concat(Stream.make(1, 3), Stream.fail("broken"))
    const failure = yield* mapConcat((n: number) => [[n]])(failing).pipe(
      Stream.runForEach((list) => Effect.sync(() => seen.push(list))),
      Effect.flip
    )
    assert.strictEqual(failure, "broken")
    assert.deepStrictEqual(seen, [[1], [3]])
  })
})
