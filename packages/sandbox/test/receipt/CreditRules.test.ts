import { assert, describe, it } from "@effect/vitest"
import type { ColorContext } from "../../src/receipt/Rule.ts"
import { creditNote, line } from "../documents.ts"
import { at, decimal, marksOf, original } from "./device.ts"

type Case = readonly [
  title: string,
  body: ReturnType<typeof creditNote>,
  context: Partial<ColorContext>,
  marks: ReadonlyArray<string>
]

const of = (change: Partial<typeof original> = {}): Partial<ColorContext> => ({ original: { ...original, ...change } })
const dated = (Date: string) => creditNote({ Date })

const cases: ReadonlyArray<Case> = [
  ["of the whole invoice", creditNote(), of(), []],
  ["RCPT015: without an original", creditNote({ OriginalInvoiceId: null }), {}, ["RCPT015"]],
  ["RCPT015: with an empty original", creditNote({ OriginalInvoiceId: "" }), {}, ["RCPT015"]],
  [
    "without an original, permitted",
    creditNote({ OriginalInvoiceId: null }),
    { creditWithoutInvoice: "permitted" },
    []
  ],
  ["RCPT032: of an unknown original", creditNote(), {}, ["RCPT032"]],
  [
    "RCPT032: of an unknown original, permission or not",
    creditNote(),
    { creditWithoutInvoice: "permitted" },
    ["RCPT032"]
  ],
  ["RCPT034: without a reason", creditNote({ Reference: null }), of(), ["RCPT034"]],
  ["RCPT034: with a blank reason", creditNote({ Reference: "  " }), of(), ["RCPT034"]],
  ["RCPT035: one cent above what is left", creditNote(), of({ credited: decimal("0.01") }), ["RCPT035"]],
  ["RCPT035: of an invoice credited in full", creditNote(), of({ credited: decimal("115") }), ["RCPT035"]],
  ["of exactly what is left", creditNote(), of({ total: decimal("200"), credited: decimal("85") }), []],
  ["RCPT036: with a tax the original has not", creditNote(), of({ taxIds: [2, 3] }), ["RCPT036"]],
  ["with one of the original's taxes", creditNote(), of({ taxIds: [3, 1] }), []],
  ["RCPT042: in another currency", creditNote({ CurrencyCode: "EUR" }), of(), ["RCPT042"]],
  ["twelve months later to the day", dated("2026-06-02T23:59:59+02:00"), of(), []],
  ["RCPT033: a day later than that", dated("2026-06-03T00:00:00+02:00"), of(), ["RCPT033"]],
  [
    "twelve months after a 29 February",
    dated("2025-02-28T23:59:59+02:00"),
    of({ epochSeconds: at("2024-02-29T12:00:00+02:00") }),
    []
  ],
  [
    "RCPT033: on the day after",
    dated("2025-03-01T00:00:00+02:00"),
    of({ epochSeconds: at("2024-02-29T12:00:00+02:00") }),
    ["RCPT033"]
  ],
  [
    "at the old rate after the change, its original before it",
    dated("2026-03-01T10:00:00+02:00"),
    of({ epochSeconds: at("2025-12-30T10:00:00+02:00") }),
    []
  ],
  [
    "RCPT025: at the new rate, its original before the change",
    creditNote({
      Date: "2026-03-01T10:00:00+02:00",
      LineItems: [{ ...line, TaxCode: "VAT155", UnitAmount: 115.5, LineAmount: 115.5 }],
      TotalTax: 15.5,
      Total: 115.5
    }),
    of({ epochSeconds: at("2025-12-30T10:00:00+02:00"), total: decimal("200"), taxIds: [515] }),
    ["RCPT025"]
  ]
]

describe("a credit note", () => {
  for (const [title, body, context, marks] of cases) {
    it(`${title} is ${marks.length === 0 ? "not marked" : `marked ${marks.join(", ")}`}`, () => {
      assert.deepStrictEqual(marksOf(body, context), marks)
    })
  }
})
