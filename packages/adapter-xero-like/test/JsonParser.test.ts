import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isArray, type Json, JsonNumber, JsonObject, write } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { deepest, parse } from "@fiscal-connector/adapter-kit/unstable/json/JsonParser"
import { mutate, randomOf } from "./Mutation.ts"

/** Returns the value as `JSON.parse` would. */
const inDoubles = (value: Json): unknown => {
  if (value instanceof JsonNumber) return Number(value.text)
  if (value instanceof JsonObject) {
    return Object.fromEntries(value.keys.map((key, i) => [key, inDoubles(value.values[i] ?? null)]))
  }
  return isArray(value) ? value.map(inDoubles) : value
}

const problemOf = (text: string) =>
  Result.match(parse(text, 1), { onSuccess: () => undefined, onFailure: ({ text: problem }) => problem })

describe("JsonParser", () => {
  it("keeps the digits of every number and the spelling of every key", () => {
    const text = '{"A":[0.1,-0,1e-7,12345678901234567.89,10.10],"__proto__":"é","a b":{"":null}}'
    assert.strictEqual(Result.getOrThrow(Result.map(parse(text, 1), write)), text)
  })

  it("states the line of every value", () => {
    const value = Result.getOrThrow(parse('{\n"a": 1,\r\n\n "b":\n[{"c"\n:2}]}', 7))
    if (!(value instanceof JsonObject)) return assert.fail("no object")
    assert.deepStrictEqual([value.line, ...value.lines], [7, 8, 10])
    const [inner] = value.values[1] as ReadonlyArray<Json>
    assert.deepStrictEqual(inner instanceof JsonObject && inner.lines, [11])
  })

  it("refuses a duplicate key, and values that are nested too deeply", () => {
    assert.strictEqual(problemOf('{"Total":1,"Total":2}'), "a name appears twice in one object")
    assert.isUndefined(problemOf("[".repeat(deepest) + "]".repeat(deepest)))
    assert.strictEqual(problemOf("[".repeat(100_000)), "values are nested too deeply")
    assert.strictEqual(problemOf('{"a":'.repeat(100_000)), "values are nested too deeply")
  })

  it("reports the line of the problem, without quoting the text", () => {
    const problem = Result.match(parse('{"Name":\n"secret', 4), {
      onSuccess: () => undefined,
      onFailure: (found) => found
    })
    assert.deepStrictEqual(problem, { text: "a text is not closed", line: 5 })
  })

  it("accepts exactly the texts that JSON.parse accepts, with the same values, in 5 000 damaged texts", () => {
    const root = join(import.meta.dirname, "../fixtures")
    const seeds = readdirSync(root)
      .map((name) => readFileSync(join(root, name, "expected.json")))
      .filter((bytes) => bytes.length < 2500)
    const random = randomOf(5)
    let accepted = 0
    for (let run = 0; run < 5000; run++) {
      const whole =
        run % 2 === 0
          ? new TextEncoder().encode(`[1.50e2, "a\\u00e9\\n", {"k": [true, null, {}], "7": -0.0}]`)
          : seeds[run % seeds.length]
      const text = new TextDecoder().decode(mutate(whole ?? new Uint8Array(0), random))
      const expected = Result.try(() => JSON.parse(text) as unknown)
      const actual = parse(text, 1)
      if (Result.isFailure(actual)) {
        if (/twice|deeply/.test(actual.failure.text)) continue
        assert.isTrue(Result.isFailure(expected), text)
      } else {
        accepted++
        assert.deepStrictEqual(inDoubles(actual.success), Result.getOrUndefined(expected), text)
      }
    }
    assert.isAbove(accepted, 300)
  })
})
