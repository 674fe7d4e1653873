/** What the documents of an import come to by tax, summed as the device sums them: each document's lines of one tax together. */
import { BigDecimal } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { CurrencyCode } from "../document/Identifiers.ts"
import type { Money } from "../document/Money.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import type { BookTax, MappingBook } from "../mapping/MappingBook.ts"
import * as Rounding from "../translate/Rounding.ts"
import type { ImportedDocument } from "./ImportedDocument.ts"

/** Documents of one kind, currency and state, by one tax; amounts are exact and positive for credit notes, too (DOC-4). */
export interface TaxTotal {
  readonly state: ImportedDocument["state"]
  readonly currency: CurrencyCode
  readonly kind: DocumentKind
  readonly tax: Pick<BookTax, "code" | "device" | "percent">
  readonly documents: number
  /** Without the tax. */
  readonly net: Money
  /** As the device computes it on each document (DOC-7). */
  readonly taxAmount: Money
}

/** Adds up documents as they come; a document that is only known from the store has no lines to be summed. */
export interface TaxSumming {
  add(document: ImportedDocument): void
  readonly totals: ReadonlyArray<TaxTotal>
}

export const make = (book: MappingBook): TaxSumming => {
  const taxes = new Map(book.taxes.map((tax) => [tax.code, tax]))
  const totals = new Map<string, { -readonly [Field in keyof TaxTotal]: TaxTotal[Field] }>()
  return {
    add: ({ currency, document, kind, state }) => {
      if (currency === null || document === null || kind === null) return
      const { payload } = WrittenDocument.read(document)
      const basis = payload.isTaxInclusive ? "inclusive" : "exclusive"
      const lines = payload.lineItems.flatMap(({ lineAmount, taxCode }) => {
        const tax = taxes.get(taxCode)
        return tax === undefined ? [] : [{ lineAmount, tax }]
      })
      for (const { amount, tax, taxAmount } of Rounding.groups(lines, basis)) {
        const net = basis === "inclusive" ? BigDecimal.subtract(amount, taxAmount) : amount
        const key = `${state} ${currency} ${kind} ${tax.device}`
        const sum = totals.get(key)
        if (sum === undefined) totals.set(key, { state, currency, kind, tax, documents: 1, net, taxAmount })
        else {
          sum.documents += 1
          sum.net = BigDecimal.sum(sum.net, net)
          sum.taxAmount = BigDecimal.sum(sum.taxAmount, taxAmount)
        }
      }
    },
    get totals() {
      return Array.from(totals.values(), ({ tax: { code, device, percent }, ...sum }) => ({
        ...sum,
        tax: { code, device, percent }
      }))
    }
  }
}
