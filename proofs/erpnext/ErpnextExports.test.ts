/**
 * Proves that the plan of generated ERPNext-shaped exports equals the customer's charges: nothing
 * is refused, and nothing else is planned.
 */
import { adapter } from "@fiscal-connector/adapter-erpnext-like"
import { formatAmount } from "../../packages/core/src/document/Money.ts"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as Readings from "../../packages/core/src/source/Readings.ts"
import { translate } from "../../packages/core/src/translate/translate.ts"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console, Stream } from "effect"
import { given } from "../Given.ts"
import { exportOf, type Truth } from "./ErpnextExports.ts"

const { count, seed } = given("erpnext")

const book = `{
  "version": 1,
  "zone": "+02:00",
  "rounding": "as-inclusive",
  "taxes": [
    { "from": ["VAT - EX"], "code": "VAT15", "device": 1, "percent": "15" },
    { "from": ["Std - EX"], "code": "VAT155", "device": 515, "percent": "15.5" },
    { "from": ["Low - EX"], "code": "VAT5", "device": 5, "percent": "5" },
    { "from": ["Zero - EX", "Freight - EX"], "code": "ZERO", "device": 2, "percent": "0" }
  ],
  "currencies": [{ "code": "USD", "device": "USD" }, { "code": "EUR", "device": "EUR" }],
  "policies": { "charges": "as-line" },
  "defaults": { "payment": null, "productCode": "12345678", "creditReason": "Returned", "cashBuyer": null }
}`

describe("a generated ERPNext-shaped export", () => {
  it.live("is planned with the amounts that the customer was charged, completely", function* () {
    const mappings = yield* BookFile.load("proof.book.json", book)
    const wrong: Array<string> = []
    const refused: Array<string> = []
    let documents = 0
    for (let i = 0; i < count; i++) {
      const { sent, skipped, text } = exportOf(seed + i)
      const input = { files: [{ name: "export.json", bytes: Stream.succeed(new TextEncoder().encode(text)) }] }
      const readings = yield* Stream.runCollect(
        Readings.entering(adapter.read(input, { debitNotes: "skip", unmapped: "unread" }))
      )
      const seen = new Set<string>()
      const truths = new Map(sent.map((truth) => [truth.name, truth]))
      for (const { reading } of readings) {
        if (reading._tag === "Finding" && reading.statements === undefined)
          wrong.push(`seed ${seed + i}: ${reading.code} ${reading.message}`)
        if (reading._tag === "Skipped" && !skipped.includes(reading.key))
          wrong.push(`seed ${seed + i}: ${reading.key} skipped`)
        if (reading._tag !== "SourceDocument") continue
        documents++
        seen.add(reading.number)
        const truth = truths.get(reading.number)
        const { findings, translated } = translate(reading, mappings)
        const errors = findings.filter(refuses)
        if (truth === undefined) wrong.push(`seed ${seed + i}: ${reading.number} is not a sale`)
        else if (translated === undefined || errors.length > 0)
          refused.push(
            `seed ${seed + i}: ${reading.number} ${errors.map(({ code, detail }) => `${code} ${detail ?? ""}`).join("; ")}`
          )
        else {
          const { document } = translated
          const said: Truth = {
            name: reading.number,
            kind: document.kind,
            total: formatAmount(document.payload.total),
            currency: document.payload.currencyCode,
            buyer: document.payload.buyerContact?.name ?? "",
            day: String(translated.date),
            lines: document.payload.lineItems.length,
            original: reading.originals[0]?.value
          }
          if (JSON.stringify(said) !== JSON.stringify(truth))
            wrong.push(`seed ${seed + i}: ${JSON.stringify(said)} for ${JSON.stringify(truth)}`)
        }
      }
      for (const { name } of sent) if (!seen.has(name)) wrong.push(`seed ${seed + i}: ${name} is lost`)
    }
    yield* Console.log(`${count} exports, ${documents} documents: ${wrong.length} wrong, ${refused.length} refused`)
    assert.deepStrictEqual(wrong.slice(0, 20), [])
    assert.deepStrictEqual(refused.slice(0, 20), [])
    assert.isAbove(documents, count)
  })
})
