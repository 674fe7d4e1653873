import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { quoted } from "../../src/document/JsonText.ts"
import { seeded } from "../Property.ts"

describe("a text quoted for JSON", () => {
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
  ])("is written like JSON.stringify: %j", (text) => assert.strictEqual(quoted(text), JSON.stringify(text)))

  it.prop(
    "always equals the result of JSON.stringify",
    { text: Schema.String },
    ({ text }) => assert.strictEqual(quoted(text), JSON.stringify(text)),
    seeded()
  )
})
