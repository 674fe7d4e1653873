import { assert, describe, it } from "@effect/vitest"
import { Repeats } from "../../src/import/Repeats.ts"

const seen = (texts: Iterable<string>) => {
  const repeats = new Repeats()
  for (const text of texts) repeats.add(text)
  return repeats.again
}

describe("Repeats", () => {
  it("tells a hundred thousand numbers apart, and finds the one that comes twice", () => {
    const numbers = Array.from({ length: 100_000 }, (_, i) => `INV-${i}`)
    assert.isFalse(seen(numbers))
    assert.isTrue(seen([...numbers, "INV-7"]))
    assert.isTrue(seen(["", ...numbers, ""]))
  })

  it("takes for one what the staging takes for one: half of a character is stored as U+FFFD", () => {
    assert.isTrue(seen(["INV-\ud800", "INV-\udfff"]))
    assert.isTrue(seen(["INV-\ud800", "INV-\ufffd"]))
    assert.isFalse(seen(["INV-\ufffc", "INV-\ufffd"]))
  })
})
