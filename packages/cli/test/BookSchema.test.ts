/**
 * Compares docs/schemas/mapping-book.schema.json in a third-party validator with the loader, on the
 * same books.
 */
import * as BookFile from "../../core/src/mapping/BookFile.ts"
import * as BookText from "../../core/src/mapping/BookText.ts"
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Exit, Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ofBook } from "../../../scripts/pages/JsonSchemas.ts"

const root = join(import.meta.dirname, "../../..")
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(ofBook())

const isValid = (text: string): boolean => validate(Result.getOrThrow(BookText.read("x.book.json", text)).value)
const loads = (text: string): boolean => Exit.isSuccess(Effect.runSyncExit(BookFile.load("x.book.json", text)))

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }]
}

describe("the JSON Schema of the mapping book", () => {
  it("accepts the example books and the book in docs/mapping-book.md, as the loader does", () => {
    const [shown] = /```jsonc\n([^]*?)```/.exec(readFileSync(join(root, "docs/mapping-book.md"), "utf8"))!.slice(1)
    for (const text of [
      shown!,
      ...["historical-invoices", "historical-invoices-with-faults"].map((name) =>
        readFileSync(join(root, `examples/${name}.book.json`), "utf8")
      )
    ]) {
      assert.isTrue(isValid(text), JSON.stringify(validate.errors))
      assert.isTrue(loads(text))
    }
  })

  for (const [name, change] of [
    ["a setting that does not exist", { taxs: [] }],
    ["no currencies", { currencies: undefined }],
    ["a device tax as text", { taxes: [{ code: "A", device: "1", percent: "15" }] }],
    ["a tax without a percent", { taxes: [{ code: "A", device: 1 }] }],
    ["an unknown payment method", { payments: [{ from: ["gold"], method: "Gold" }] }],
    ["a rule that cannot be relaxed", { relaxed: [{ rule: "RCPT019", because: "so it was agreed" }] }],
    ["a relaxed rule without a reason", { relaxed: [{ rule: "RCPT043", because: " " }] }],
    ["an invalid hour", { opens: "24:00" }],
    ["an HS code of six digits", { productCodes: [{ from: ["A"], productCode: "721420" }] }],
    ["a name for cash buyers that the device does not accept", { defaults: { cashBuyer: "{name}" } }],
    ["what a draft leaves to the person", { zone: "" }]
  ] as ReadonlyArray<readonly [string, object]>) {
    it(`refuses ${name}, as the loader does`, () => {
      assert.isTrue(isValid(JSON.stringify(book)))
      const text = JSON.stringify({ ...book, ...change })
      assert.isFalse(isValid(text))
      assert.isFalse(loads(text))
    })
  }
})
