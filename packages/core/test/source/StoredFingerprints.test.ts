/** Fingerprints are stored: each of these documents must keep its stored fingerprint. */
import { assert, describe, it } from "@effect/vitest"
import { fingerprint } from "../../src/source/Fingerprint.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { creditNote, invoice, money } from "../import/SampleSources.ts"

const full: SourceDocument = invoice("INV-1", "2026-01-10", {
  currency: "US$",
  taxMode: "exclusive",
  buyer: {
    name: 'Baobab "Traders"',
    tin: " 2000000001 ",
    vatNumber: "220000001",
    email: "accounts@example.test",
    address: { city: "Harare", houseNo: "7" }
  },
  lines: [
    {
      description: "Cement, 50 kg\nbag",
      quantity: money("2.50"),
      unitPrice: money("100"),
      lineAmount: money("225.0"),
      discount: { percent: money("10") },
      taxes: [{ code: "Standard", percent: money("15"), amount: money("33.75") }],
      productCode: "25232900",
      account: "200",
      totals: { net: money("225"), tax: money("33.75") }
    },
    { discount: { amount: money("1") }, taxes: [] }
  ],
  charges: [{ kind: "shipping", amount: money("5"), taxes: [{ code: "Zero", percent: money("0") }] }],
  totals: { net: money("230"), tax: money("33.75"), total: money("263.75") },
  reference: "PO 7",
  paymentMethod: "Card"
})
const note: SourceDocument = {
  ...creditNote("CN-1", "2026-01-12", "INV-1"),
  reference: "returned",
  originals: [{ by: "number", value: "INV-1", amount: money("10.0") }]
}

describe("a fingerprint", () => {
  it("equals the stored fingerprint of the document", () => {
    assert.strictEqual(fingerprint(full), "775b8a6cbfb16901940994a2ce9026a8f6014c87ec9a4b481f59acd63a46f638")
    assert.strictEqual(fingerprint(note), "cc8f8812f4c521667b121a628a38ffb90387032a4b08f731389fb58883e25c74")
  })
})
