import { assert, describe, it } from "@effect/vitest"
import { Repeats } from "../../src/import/Repeats.ts"

const seen = (texts: Iterable<string>) => {
  const repeats = new Repeats()
  for (const text of texts) repeats.add(text)
  return repeats.again
}

describe("Repeats", () => {
  it("distinguishes a hundred thousand numbers, and finds the one that occurs twice", () => {
    const numbers = Array.from({ length: 100_000 }, (_, i) => `INV-${i}`)
    assert.isFalse(seen(numbers))
    assert.isTrue(seen([...numbers, "INV-7"]))
    assert.isTrue(seen(["", ...numbers, ""]))
  })

  it("treats numbers as equal if the staging does: half of a character is stored as U+FFFD", () => {
    assert.isTrue(seen(["INV-\ud800", "INV-\udfff"]))
    assert.isTrue(seen(["INV-\ud800", "INV-\ufffd"]))
    assert.isFalse(seen(["INV-\ufffc", "INV-\ufffd"]))
  })
})
