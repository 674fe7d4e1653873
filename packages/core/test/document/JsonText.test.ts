import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { quoted } from "@fiscal-connector/core/unstable/document/JsonText"

describe("a text in JSON", () => {
  it.each([
    "",
    "Müller & Söhne",
    'say "yes"',
    "back\\slash",
    "two\nlines",
    "\u0000",
    "\u007f",
    "\u2028",
    "\ud800",
    "😀",
    "</"
  ])("is %j as JSON.stringify writes it", (text) => assert.strictEqual(quoted(text), JSON.stringify(text)))

  it.prop("is always what JSON.stringify writes", { text: Schema.String }, ({ text }) =>
    assert.strictEqual(quoted(text), JSON.stringify(text))
  )
})
