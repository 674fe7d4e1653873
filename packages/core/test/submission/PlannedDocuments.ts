/** Minimal planned documents for tests of stores and their users. */
import { withoutTrailing } from "../../src/document/TextEdges.ts"
import { BigDecimal, Option } from "effect"
import type { CivilDate } from "../../src/document/CivilDate.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import type { OperatorDecision } from "../../src/submission/OperatorRecord.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"

/** Values of a test's planned document that differ from the defaults. */
export interface Particulars extends Partial<Omit<PlannedDocument, "document" | "receiptDate" | "sourceDate">> {
  readonly number?: string
  /**
   * ISO 8601 with an offset, or `at-submission`. Default: noon of 10 January 2026, plus as many
   * seconds as the number at the end of the id.
   */
  readonly receiptDate?: string
  readonly sourceDate?: string
  readonly total?: string
  readonly buyer?: string
  /** Id of the invoice that a credit note credits. */
  readonly credits?: string
  readonly currency?: string
}

const instant = (text: string): Instant.Instant => Option.getOrThrow(Instant.parse(text))

const defaultDate = (id: string): string => {
  const ordinal = Number(id.slice(withoutTrailing(id, "0123456789").length))
  return Instant.format(
    Instant.fromSeconds(
      Instant.seconds(instant("2026-01-10T12:00:00+02:00")) + ordinal,
      instant("2026-01-10T12:00:00+02:00").zone
    )
  )
}

const common = ({ buyer = "Ada Example", currency = "USD", total = "115.00" }: Particulars) => {
  const gross = BigDecimal.fromStringUnsafe(total)
  const tax = BigDecimal.fromStringUnsafe("0.00")
  return {
    reference: "as agreed",
    isDiscounted: false,
    isTaxInclusive: true,
    buyerContact: {
      name: buyer,
      tradeName: null,
      tin: "1234567890",
      vatNumber: null,
      phone: null,
      email: null,
      address: null
    },
    lineItems: [
      {
        description: "a thing",
        unitAmount: gross,
        taxCode: TaxCode.make("EXEMPT"),
        productCode: "12345678",
        lineAmount: gross,
        discountAmount: null,
        quantity: BigDecimal.fromStringUnsafe("1"),
        customFields: null
      }
    ],
    paymentMethod: null,
    subTotal: gross,
    totalTax: tax,
    total: gross,
    currencyCode: CurrencyCode.make(currency)
  }
}

const planned = (id: string, particulars: Particulars): Omit<PlannedDocument, "document"> => {
  const { buyer: _b, credits, currency: _c, number: _n, receiptDate, sourceDate, total: _t, ...rest } = particulars
  const date = receiptDate ?? defaultDate(id)
  const account = particulars.account ?? "shop"
  return {
    account,
    taxpayer: "2000000001",
    lane: "test/1001",
    environment: "test",
    fingerprint: `print of ${id} ${particulars.total ?? ""}`,
    sourceDate: (sourceDate ?? (date === "at-submission" ? "2026-01-10" : date.slice(0, 10))) as CivilDate,
    receiptDate: date === "at-submission" ? "at-submission" : instant(date),
    original: credits === undefined ? null : { account, kind: "invoice", id: credits },
    held: null,
    source: { file: "export.csv", line: 1 },
    ...rest
  }
}

/** Returns a planned invoice for a test. */
export const invoice = (id: string, particulars: Particulars = {}): PlannedDocument => ({
  ...planned(id, particulars),
  document: WrittenDocument.of({
    kind: "invoice",
    payload: {
      invoiceId: InvoiceId.make(id),
      invoiceNumber: DocumentNumber.make(particulars.number ?? `N-${id}`),
      ...common(particulars)
    }
  })
})

/** Returns a planned credit note for a test. */
export const creditNote = (id: string, particulars: Particulars = {}): PlannedDocument => ({
  ...planned(id, particulars),
  document: WrittenDocument.of({
    kind: "credit-note",
    payload: {
      creditNoteId: CreditNoteId.make(id),
      creditNoteNumber: DocumentNumber.make(particulars.number ?? `N-${id}`),
      originalInvoiceId: particulars.credits === undefined ? null : InvoiceId.make(particulars.credits),
      ...common(particulars)
    }
  })
})

/** Decision about a prepared credit note. */
export const creditDecision: OperatorDecision = {
  act: "credit",
  account: "shop",
  subject: "invoice i1",
  what: "a credit note",
  because: "as the books say"
}
