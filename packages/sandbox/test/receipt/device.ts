/** Device with a few taxes, and the check of documents by the device. */
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { judge } from "../../src/gateway/Judgment.ts"
import type { ColorContext, Original } from "../../src/receipt/Rule.ts"
import * as Document from "../../src/wire/Document.ts"
import * as ExactJson from "../../src/wire/ExactJson.ts"
import { epochSeconds } from "../../src/wire/ReceiptDate.ts"
import * as Zone from "../../src/wire/Zone.ts"

export const decimal = BigDecimal.fromStringUnsafe
export const at = (text: string): number => epochSeconds(text) ?? Number.NaN

export const codes = {
  taxIdOf: (code: string) =>
    ({ VAT15: 1, VAT0: 2, EXEMPT: 3, VAT155: 515, GONE: 99 })[code as "VAT15" | "VAT0" | "EXEMPT" | "VAT155" | "GONE"],
  currencyOf: (code: string) => ({ USD: "USD", EUR: "EUR", BTC: "XBT" })[code as "USD" | "EUR" | "BTC"],
  supportedCurrencies: ["USD", "EUR"]
}

/** Receipt of `invoice()`: 115.00 USD at 15 % on 2025-06-02. */
export const original: Original = {
  epochSeconds: at("2025-06-02T10:00:00+02:00"),
  currency: "USD",
  total: decimal("115"),
  credited: decimal("0"),
  taxIds: [1]
}

export const context: ColorContext = {
  taxes: [
    { taxId: 1, taxPercent: decimal("15"), taxName: "Standard", taxValidTill: "2025-12-31" },
    { taxId: 515, taxPercent: decimal("15.5"), taxName: "Standard", taxValidFrom: "2026-01-01" },
    { taxId: 2, taxPercent: decimal("0"), taxName: "Zero" },
    { taxId: 3, taxName: "Exempt" }
  ],
  taxpayer: "vat-registered",
  zone: Zone.Zone.make("+02:00"),
  now: at("2027-01-01T00:00:00+02:00"),
  clockToleranceSeconds: 0,
  dayOpenedAt: undefined,
  dayMaxHours: 24,
  previousReceiptAt: undefined,
  numbers: new Set(),
  original: undefined,
  creditWithoutInvoice: "forbidden",
  taxTolerance: decimal("0")
}

/** Returns the codes of a document's marks, or the text of its failure. */
export const marksOf = (
  body: { readonly [field: string]: unknown },
  change: Partial<ColorContext> = {}
): ReadonlyArray<string> | string => {
  const json = Result.getOrThrow(ExactJson.parse(JSON.stringify(body)))
  const document =
    "InvoiceId" in body
      ? Document.fromInvoice(Schema.decodeUnknownSync(Document.Invoice)(json))
      : Document.fromCreditNote(Schema.decodeUnknownSync(Document.CreditNote)(json))
  const judgment = judge(document, codes, { ...context, ...change })
  return judgment._tag === "Failed" ? judgment.error : judgment.marks.map((mark) => mark.code)
}
