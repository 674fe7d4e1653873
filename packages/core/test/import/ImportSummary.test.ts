import { assert, describe, it } from "@effect/vitest"
import { CurrencyCode } from "../../src/document/Identifiers.ts"
import * as Money from "../../src/document/Money.ts"
import * as Finding from "../../src/finding/Finding.ts"
import type { ImportedDocument } from "../../src/import/ImportedDocument.ts"
import { ImportFinding } from "../../src/import/ImportFinding.ts"
import * as ImportSummary from "../../src/import/ImportSummary.ts"
import { Option } from "effect"

const document = (number: string, changes: Partial<ImportedDocument> = {}): ImportedDocument => ({
  kind: "invoice",
  id: number,
  number,
  document: null,
  currency: CurrencyCode.make("USD"),
  total: Option.getOrThrow(Money.parse("0.10")),
  buyer: null,
  shares: null,
  receiptDate: null,
  day: null,
  findings: [],
  source: { file: "export.csv", line: 2 },
  state: "Fiscalised",
  requestId: null,
  verificationCode: null,
  proof: null,
  text: null,
  cause: null,
  replaces: null,
  news: "new",
  ...changes
})

const summed = (...documents: ReadonlyArray<ImportedDocument>) => {
  const summing = ImportSummary.make({ taxes: [] })
  for (const one of documents) summing.add(one)
  return summing.summary
}

describe("an import's summary", () => {
  it("adds up exactly, separated by state, currency and kind", () => {
    const { counts, documents, totals } = summed(
      ...Array.from({ length: 3 }, (_, n) => document(`INV-${n}`)),
      document("CN-1", { kind: "credit-note" }),
      document("INV-9", { currency: CurrencyCode.make("ZAR"), state: "Held", cause: "late" }),
      document("INV-10", { currency: null, total: null, state: "Refused" })
    )
    assert.deepStrictEqual([documents, counts], [6, { Fiscalised: 4, Held: 1, Refused: 1 }])
    assert.deepStrictEqual(
      totals.map(({ currency, documents, kind, state, total }) => [
        state,
        currency,
        kind,
        documents,
        Money.formatAmount(total)
      ]),
      [
        ["Fiscalised", "USD", "invoice", 3, "0.30"],
        ["Fiscalised", "USD", "credit-note", 1, "0.10"],
        ["Held", "ZAR", "invoice", 1, "0.10"]
      ]
    )
  })

  it("counts a cause once per document, names five documents, and states why documents are held", () => {
    const finding = Finding.make(ImportFinding.DIFFERS_FROM_SENT)
    const { causes, held } = summed(
      ...Array.from({ length: 7 }, (_, n) =>
        document(`INV-${n}`, { findings: [finding, finding], state: "Held", cause: "original" })
      )
    )
    assert.deepStrictEqual(
      causes.map(({ code, documents, examples }) => [code, documents, examples.length]),
      [["DIFFERS_FROM_SENT", 7, 5]]
    )
    assert.deepStrictEqual(held, { original: 7 })
  })
})
