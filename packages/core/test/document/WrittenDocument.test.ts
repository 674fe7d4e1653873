import { assert, describe, it } from "@effect/vitest"
import { formatAmount } from "../../src/document/Money.ts"
import type { FiscalDocument } from "../../src/document/FiscalDocument.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import { creditNote, invoice } from "./GeneratedDocuments.ts"
import { seeded } from "../Property.ts"

/** Returns the document with texts and fields that contain the names of the sums. */
const misleading = (document: FiscalDocument): FiscalDocument => {
  const lineItems = document.payload.lineItems.map((line) => ({
    ...line,
    description: ',"subTotal":"1.00"',
    customFields: { a: 1, subTotal: "2.00", totalTax: "3.00" }
  }))
  const named = { lineItems, reference: '"subTotal":"4.00","totalTax":"5.00"' }
  return document.kind === "invoice"
    ? { kind: "invoice", payload: { ...document.payload, ...named } }
    : { kind: "credit-note", payload: { ...document.payload, ...named } }
}

describe("a written document", () => {
  it.prop(
    "gives its sums without decoding the whole document",
    { invoice, creditNote },
    ({ creditNote, invoice }) => {
      for (const document of [invoice, creditNote, misleading(invoice), misleading(creditNote)]) {
        const written = WrittenDocument.of(document)
        const { subTotal, totalTax } = WrittenDocument.read(written).payload
        const sums = WrittenDocument.sumsOf(written)
        assert.strictEqual(formatAmount(sums.subTotal), formatAmount(subTotal))
        assert.strictEqual(formatAmount(sums.totalTax), formatAmount(totalTax))
      }
    },
    seeded()
  )
})
