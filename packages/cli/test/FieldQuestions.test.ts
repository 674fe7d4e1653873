/**
 * Questions for the fields with the buyers' numbers and the product codes: proposals from the
 * export, and answers.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as odoo } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooks } from "@fiscal-connector/adapter-quickbooks-like"
import { adapter as xero } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { Adapter } from "../../core/src/source/Adapter.ts"
import * as Questions from "../../core/src/question/Questions.ts"
import { Effect, Stream } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const asked = <Options>(adapter: Adapter<Options>, file: string, options: Options) => {
  const bytes = readFileSync(join(import.meta.dirname, "../../../examples", file))
  const input = { files: [{ name: file, bytes: Stream.succeed(bytes) }] }
  return Effect.map(Questions.open({ adapter, input, options, zones: ["+02:00"] }), ({ questions }) => questions)
}

const said = (questions: Questions.OpenedQuestions["questions"], id: string) => {
  const found = questions.find((one) => one.id === id)
  return found && [found.proposal, ...found.choices.map(({ id }) => id)].join(" ")
}

describe("a field that an adapter reads by a setting", () => {
  it.effect(
    "is proposed if all its values have the expected form, and is not asked about for each document",
    function* () {
      const questions = yield* asked(xero, "historical-invoices.json", {})
      assert.strictEqual(said(questions, "buyer-tin"), "TaxNumber TaxNumber none")
      assert.strictEqual(said(questions, "product-code"), "item-code item-code none")
      assert.match(String(said(questions, "payment-method")), /^ paying-account none$/)
      const { choices } = questions.find(({ id }) => id === "buyer-tin")!
      assert.include(choices[0]!.examples, "2000112233")
      assert.match(choices[0]!.evidence.join(), /documents state it, and each value has the 10 digits of a TIN/)
      assert.isUndefined(said(questions, "product-codes"))
      assert.isFalse(questions.some(({ id }) => id.startsWith("DEFAULT_OVERRULES")))
    }
  )

  it.effect("is asked about for every adapter with the setting, with values of the export", function* () {
    const ofQuickBooks = yield* asked(quickBooks, "quickbooks-like.json", {})
    assert.match(String(said(ofQuickBooks, "buyer-vat-number")), /^ResaleNum ResaleNum/)
    const ofOdoo = yield* asked(odoo, "odoo-like.json", {})
    assert.match(String(said(ofOdoo, "buyer-vat-number")), /^vat vat/)
  })

  it.effect("is not asked about if the setting is given", function* () {
    const options = { tin: "TaxNumber", vatNumber: "TaxNumber", productCode: "item-code" } as const
    const questions = yield* asked(xero, "historical-invoices.json", { ...options, paymentMethod: "paying-account" })
    for (const id of ["buyer-tin", "buyer-vat-number", "product-code", "payment-method"])
      assert.isUndefined(said(questions, id), id)
  })
})

describe("a cell that no setting makes readable", () => {
  const header =
    "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total"
  const row = (number: string, date: string, total: string) =>
    `${number},${date},USD,inclusive,Lamp,1,10.00,10.00,Zero,87168000,${total}`
  const opened = (...rows: ReadonlyArray<string>) =>
    Questions.open({
      adapter: csv,
      input: { files: [{ name: "own.csv", bytes: Stream.succeed(Buffer.from([header, ...rows, ""].join("\n"))) }] },
      options: {},
      zones: ["+02:00"]
    })

  it.effect("gives no question about the whole file, and is reported as not accepted", function* () {
    const { questions, unsettled } = yield* opened(row("A-1", "2026-02-01", "10.00"), row("A-2", "2026-02-30", "1O.00"))
    assert.deepStrictEqual(
      questions.filter(({ id }) => id.startsWith("CSV_")),
      []
    )
    assert.includeMembers(
      unsettled.map(({ finding }) => finding.code),
      ["CSV_DATE_UNREADABLE", "CSV_NUMBER_UNREADABLE"]
    )
  })
})
