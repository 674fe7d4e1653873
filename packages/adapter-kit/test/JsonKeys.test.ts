import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parse } from "@fiscal-connector/adapter-kit/unstable/json/JsonParser"
import { JsonObject, write } from "@fiscal-connector/adapter-kit/unstable/json/Json"

const object = (text: string): JsonObject => {
  const value = Result.getOrThrow(parse(text, 1))
  if (value instanceof JsonObject) return value
  throw new Error(`${text} is not an object`)
}

const problem = (text: string) => Result.getOrThrow(Result.flip(parse(text, 1))).text

describe("the shared keys of objects", () => {
  it("are the keys of each object, whatever objects came before", () => {
    const texts = [
      '{"A":1,"B":2}',
      '{"A":1,"C":3}',
      '{"A":1,"B":2,"C":3}',
      '{"AB":1}',
      '{"A":1}',
      '{"B":2,"A":1}',
      '{"A":1,"B":2}',
      "{}"
    ]
    for (const text of [...texts, ...texts.toReversed()]) {
      const { keys, lines, names, text: written, values } = object(text)
      assert.deepStrictEqual([...keys], Object.keys(JSON.parse(text) as object))
      assert.deepStrictEqual(
        [...names],
        keys.map((key) => key.toLowerCase())
      )
      assert.deepStrictEqual([lines.length, values.length, written], [keys.length, keys.length, text])
    }
  })

  it("are compared by value, not by their escaped form", () => {
    for (const text of [String.raw`{"a\\b":1}`, String.raw`{"a\b":1}`, String.raw`{"a\\b":1}`]) {
      assert.deepStrictEqual([...object(text).keys], Object.keys(JSON.parse(text) as object))
    }
    assert.deepStrictEqual([...object(String.raw`{"\u0041\"":1}`).keys], ['A"'])
    assert.deepStrictEqual([...object('{"A":1}').keys], ["A"])
  })

  it("occur once in an object, also if an earlier object had the same keys", () => {
    for (let times = 0; times < 2; times++) {
      assert.strictEqual(problem('{"Twice":1,"Twice":2}'), "a name appears twice in one object")
      assert.strictEqual(
        problem(String.raw`{"Twice":1,"\u0054wice":2,"Other":3}`),
        "a name appears twice in one object"
      )
      assert.deepStrictEqual([...object('{"Twice":1,"Other":3}').keys], ["Twice", "Other"])
    }
  })

  it("may be many, separately for each object", () => {
    for (const first of ["x", "y"]) {
      const text = `{${Array.from({ length: 30_000 }, (_, i) => `"${first}${i}":${i}`).join(",")}}`
      assert.strictEqual(write(object(text)), text)
      assert.strictEqual(problem(`${text.slice(0, -1)},"${first}29999":1}`), "a name appears twice in one object")
    }
    assert.strictEqual(write(object('{"A":1,"B":2}')), '{"A":1,"B":2}')
  })
})
