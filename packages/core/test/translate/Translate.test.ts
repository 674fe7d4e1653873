import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { InvoiceId } from "../../src/document/Identifiers.ts"
import * as Finding from "../../src/finding/Finding.ts"
import { catalogue } from "../../src/finding/FindingCode.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { civilDateOf, translate } from "../../src/translate/translate.ts"
import { TranslateFinding } from "../../src/translate/TranslateFinding.ts"
import { instant, zone } from "../dating/Datables.ts"
import { day, money } from "../preflight/SampleTranslated.ts"
import { bookWith, lenient } from "./GeneratedSources.ts"

const book = bookWith({})
const { UNREADABLE } = catalogue({
  UNREADABLE: { severity: "error", meaning: "Unreadable", consequence: "None.", fix: "None." }
})
const unreadable = (...path: Finding.Path) => Finding.make(UNREADABLE, { path })

const source: SourceDocument = {
  _tag: "SourceDocument",
  kind: "invoice",
  id: "inv-1",
  number: "INV-1",
  order: 0,
  date: day("2025-06-30"),
  currency: "USD",
  taxMode: "exclusive",
  lines: [
    { description: "Widget", quantity: money("2"), unitPrice: money("50"), taxes: [{ code: "Standard" }] },
    { description: "Gadget", quantity: money("1"), unitPrice: money("10"), taxes: [{ code: "Exempt" }] }
  ],
  charges: [],
  totals: { total: money("125") },
  originals: [],
  findings: [],
  where: (path) => ({ file: "a.csv", line: 7, text: path.join("/") })
}
const codes = ({ findings }: { readonly findings: ReadonlyArray<Finding.Finding> }) => findings.map(({ code }) => code)

describe("a document with a due date before its date", () => {
  it("is sent, with both days reported", () => {
    const { findings, translated } = translate({ ...source, due: day("2025-06-29") }, book)
    assert.deepStrictEqual(
      findings.map(({ code, detail, severity }) => [code, severity, detail]),
      [["DUE_BEFORE_ISSUED", "warning", "dated 2025-06-30, due 2025-06-29"]]
    )
    assert.strictEqual(translated?.completeness, "complete")
    assert.deepStrictEqual(codes(translate({ ...source, due: day("2025-06-30") }, book)), [])
  })
})

describe("a document dated in a zone other than the book's", () => {
  const found = (date: string) => translate({ ...source, date: instant(date) }, bookWith({ zone: "+02:00" }))

  it("is reported if the zone changes the day, and sent at its instant", () => {
    const { findings, translated } = found("2025-06-30T23:30:00+01:00")
    assert.deepStrictEqual(
      findings.map(({ code, detail, severity }) => [code, severity, detail]),
      [["DATE_ZONE", "warning", "2025-06-30T23:30:00+01:00 is 2025-07-01 in +02:00"]]
    )
    assert.strictEqual(translated?.completeness, "complete")
  })

  it("is not reported if the day is the same, if the zone is the book's, or if UTC states no business zone", () => {
    for (const date of ["2025-06-30T22:30:00+01:00", "2025-06-30T23:30:00+02:00", "2025-06-30T23:30:00Z"])
      assert.deepStrictEqual(codes(found(date)), [], date)
  })
})

describe("a translated document", () => {
  it("has a unit price of at most 6 places if the book computes it from the line amount", () => {
    const line = {
      ...source.lines[0]!,
      quantity: money("3"),
      unitPrice: money("92.5633333"),
      lineAmount: money("277.69")
    }
    const { translated } = translate({ ...source, lines: [line], totals: {} }, bookWith({ policies: lenient }))
    assert.deepStrictEqual(translated?.document.payload.lineItems[0]?.unitAmount, money("92.563333"))
  })

  it("has the book's taxes, the device's currency and the source's places in addition to the wire's fields", () => {
    const { findings, translated } = translate(source, book)
    assert.deepStrictEqual(findings, [])
    assert.isDefined(translated)
    assert.strictEqual(translated.completeness, "complete")
    assert.strictEqual(translated.deviceCurrency, "USD")
    assert.deepStrictEqual(translated.origins, [
      ["lines", 0],
      ["lines", 1]
    ])
    assert.deepStrictEqual(
      Array.from(translated.taxes, ([code, { device }]) => [code, device] as ReadonlyArray<unknown>),
      [
        ["T-Standard", 1],
        ["T-Exempt", 3]
      ]
    )
    assert.deepStrictEqual([translated.date, translated.taxDate], [day("2025-06-30"), day("2025-06-30")])
  })

  it("keeps the date that the source states, and uses taxes of the original's date", () => {
    const note: SourceDocument = { ...source, kind: "credit-note", date: instant("2026-01-02T09:00:00+02:00") }
    const { translated } = translate(note, book, { invoiceId: InvoiceId.make("inv-0"), date: day("2025-12-20") })
    assert.isDefined(translated)
    assert.strictEqual(translated.date, note.date)
    assert.strictEqual(translated.taxDate, "2025-12-20")
    assert.isTrue(
      translated.document.kind === "credit-note" && translated.document.payload.originalInvoiceId === "inv-0"
    )
  })

  it("of a credit note without an original has no original id", () => {
    const { document } = translate({ ...source, kind: "credit-note" }, book).translated!
    assert.isTrue(document.kind === "credit-note" && document.payload.originalInvoiceId === null)
  })
})

describe("the day of a source date", () => {
  it("is the civil date itself, or an instant's day in the book's zone, whatever its own offset", () => {
    assert.strictEqual(civilDateOf(day("2026-01-31"), zone("-12:00")), "2026-01-31")
    assert.strictEqual(civilDateOf(instant("2026-01-31T23:30:00-05:00"), zone("+02:00")), "2026-02-01")
    assert.strictEqual(civilDateOf(instant("2026-02-01T00:30:00+14:00"), zone("-12:00")), "2026-01-30")
  })
})

describe("a value that the adapter could not read", () => {
  it("is reported at its place, and the rest is still checked", () => {
    const { currency: _, ...rest } = source
    const findings = [unreadable("currency")]
    const lines = [{ ...source.lines[0]!, taxes: [{ code: "Luxury" }] }]
    assert.deepStrictEqual(codes(translate({ ...rest, lines, findings }, book)), ["UNREADABLE", "TAX_UNMAPPED"])
  })

  it("in one document's taxes does not affect another document with the same taxes", () => {
    const taxes = [{ code: "Luxury" }]
    const lines = [{ ...source.lines[0]!, taxes }]
    const findings = [unreadable("lines", 0, "taxes")]
    assert.deepStrictEqual(codes(translate({ ...source, lines, findings }, book)), ["UNREADABLE"])
    assert.deepStrictEqual(codes(translate({ ...source, lines }, book)), ["TAX_UNMAPPED"])
  })

  it("in a line makes the document partial, so that totals are not judged by the rest", () => {
    const { quantity: _, ...line } = source.lines[0]!
    const translation = translate({ ...source, lines: [line], findings: [unreadable("lines", 0, "quantity")] }, book)
    assert.deepStrictEqual(codes(translation), ["UNREADABLE"])
    assert.strictEqual(translation.translated?.completeness, "partial")
  })

  it("does not turn a line into a text line that is dropped", () => {
    const lines = [...source.lines, { description: "Gizmo", taxes: [{ code: "Standard" }] }]
    const findings = [unreadable("lines", 2, "unitPrice")]
    const dropping = bookWith({ policies: { ...lenient, textLines: "drop" } })
    const translation = translate({ ...source, lines, findings }, dropping)
    assert.strictEqual(translation.translated?.completeness, "partial")
    assert.include(codes(translation), "LINE_INCOMPLETE")
  })

  it("reported as a warning does not block the document", () => {
    const { ODD } = catalogue({ ODD: { severity: "warning", meaning: "Odd", consequence: "None.", fix: "None." } })
    const translation = translate({ ...source, findings: [Finding.make(ODD, { path: ["lines", 0] })] }, book)
    assert.strictEqual(translation.translated?.completeness, "complete")
    assert.deepStrictEqual(codes(translation), ["ODD"])
  })
})

describe("a document with an error", () => {
  it("is still translated as far as possible, so that the device's rules are checked too", () => {
    const lines = [{ ...source.lines[0]!, taxes: [{ code: "Luxury" }] }, source.lines[1]!]
    const { findings, translated } = translate({ ...source, lines }, book)
    assert.deepStrictEqual(codes({ findings }), ["TAX_UNMAPPED"])
    assert.isDefined(translated)
    assert.strictEqual(translated.completeness, "partial")
    assert.deepStrictEqual(
      translated.document.payload.lineItems.map(({ taxCode }) => taxCode as string),
      ["Luxury", "T-Exempt"]
    )
    assert.isTrue(BigDecimal.isZero(translated.document.payload.total))
  })

  it("has its finding at the place in the source", () => {
    const { findings } = translate({ ...source, totals: { total: money("1") } }, book)
    assert.deepStrictEqual(findings[0]?.at, { file: "a.csv", line: 7, text: "totals/total" })
  })

  it("gets the way out if the source rounds per line", () => {
    const amounts = ["25.06", "25.61", "25.63"].map(money)
    const lines = amounts.map((unitPrice) => ({ ...source.lines[0]!, quantity: money("1"), unitPrice }))
    const { findings } = translate({ ...source, lines, totals: { total: money("87.74") } }, book)
    assert.include(findings[0]?.fix, "`as-inclusive`")
  })
})

it("every translation code states consequence and next step", () => {
  for (const { code, consequence, fix, meaning } of Object.values(TranslateFinding)) {
    assert.match(code, /^[A-Z_]+$/)
    assert.match(meaning, /^[A-Z].*[^.]$/, code)
    assert.match(consequence, /\.$/, code)
    assert.match(fix, /^[A-Z].*\.$/, code)
  }
})
