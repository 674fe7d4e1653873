/** Translated documents that pass every rule; tests replace single fields. */
import { BigDecimal } from "effect"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import type { LineItem } from "../../src/document/LineItem.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import type { BookTax } from "../../src/mapping/MappingBook.ts"
import type { CreditedInvoice } from "../../src/credit/creditRules.ts"
import type { Translated } from "../../src/translate/Translated.ts"

export const money = BigDecimal.fromStringUnsafe
export const day = (text: string) => CivilDate.CivilDate.make(text)

export const tax = (code: string, device: number, percent: string | null): BookTax => ({
  from: [],
  since: undefined,
  until: undefined,
  code: TaxCode.make(code),
  name: code,
  device,
  percent: percent === null ? null : money(percent)
})

const taxes = [tax("VAT15", 1, "15"), tax("GOODS", 1, "15"), tax("ZERO", 2, "0"), tax("EXEMPT", 3, null)]

type Figures = Partial<Record<"quantity" | "unitAmount" | "lineAmount", string>>

export const line = (
  figures: Figures = {},
  fields: { taxCode?: string; discount?: string | null; productCode?: string | null } = {}
): LineItem => ({
  description: "Widget",
  quantity: money(figures.quantity ?? "1"),
  unitAmount: money(figures.unitAmount ?? "100"),
  lineAmount: money(figures.lineAmount ?? "100"),
  discountAmount: fields.discount == null ? null : money(fields.discount),
  taxCode: TaxCode.make(fields.taxCode ?? "VAT15"),
  productCode: fields.productCode === undefined ? "12345678" : fields.productCode,
  customFields: null
})

type Payload = Extract<UndatedDocument, { kind: "invoice" }>["payload"]
type Common = Omit<Payload, "invoiceId" | "invoiceNumber">

/** 100.00 exclusive of 15 %: tax 15.00, total 115.00. */
const common: Common = {
  reference: null,
  isDiscounted: false,
  isTaxInclusive: false,
  buyerContact: null,
  lineItems: [line()],
  paymentMethod: null,
  subTotal: money("100"),
  totalTax: money("15"),
  total: money("115"),
  currencyCode: CurrencyCode.make("USD")
}

const translated = (document: UndatedDocument, change: Partial<Translated>): Translated => ({
  completeness: "complete",
  document,
  date: day("2025-06-30"),
  taxDate: day("2025-06-30"),
  taxes: new Map(
    taxes
      .filter(({ code }) => document.payload.lineItems.some(({ taxCode }) => taxCode === code))
      .map((tax) => [tax.code, tax])
  ),
  deviceCurrency: "USD",
  origins: document.payload.lineItems.map((_, i) => ["lines", i]),
  ...change
})

export const invoice = (fields: Partial<Common> = {}, change: Partial<Translated> = {}): Translated =>
  translated(
    {
      kind: "invoice",
      payload: {
        invoiceId: InvoiceId.make("inv-1"),
        invoiceNumber: DocumentNumber.make("INV-1"),
        ...common,
        ...fields
      }
    },
    change
  )

export const creditNote = (fields: Partial<Common> = {}, change: Partial<Translated> = {}): Translated =>
  translated(
    {
      kind: "credit-note",
      payload: {
        creditNoteId: CreditNoteId.make("cn-1"),
        originalInvoiceId: InvoiceId.make("inv-1"),
        creditNoteNumber: DocumentNumber.make("CN-1"),
        ...common,
        reference: "Returned",
        ...fields
      }
    },
    change
  )

/** Returns totals for a change of a document. */
export const totals = (subTotal: string, totalTax: string, total: string) => ({
  subTotal: money(subTotal),
  totalTax: money(totalTax),
  total: money(total)
})

/** Returns an invoice in the form that its credit notes are compared with. */
export const original = (
  { deviceCurrency, document, taxes }: Translated,
  number: string,
  day: CivilDate.CivilDate
): Omit<CreditedInvoice, "credited"> => ({
  number,
  day,
  currency: document.payload.currencyCode,
  deviceCurrency,
  total: document.payload.total,
  taxCodes: new Set(taxes.keys()),
  deviceTaxes: new Set(Array.from(taxes.values(), ({ device }) => device)),
  buyer: document.payload.buyerContact,
  lines: document.payload.lineItems
})
