import type { CivilDate } from "../document/CivilDate.ts"
import type { PaymentMethod } from "../document/PaymentMethod.ts"
import { type BookCurrency, type BookTax, currencyOf, type MappingBook, paymentOf, taxesOf } from "./MappingBook.ts"

export interface BookExplanation {
  readonly spelling: string
  readonly taxes: ReadonlyArray<BookTax & { readonly applies: "yes" | "no" }>
  readonly currency: BookCurrency | undefined
  readonly payment: PaymentMethod | undefined
  readonly productCodes: ReadonlyArray<string>
  /**
   * Spellings of the book that differ only in case or white space; the book does not treat them as
   * this spelling.
   */
  readonly near: ReadonlyArray<string>
}

/** Explains a spelling. Without a day, every period applies. */
export const explain = (book: MappingBook, spelling: string, day: CivilDate | undefined): BookExplanation => ({
  spelling,
  taxes: taxesOf(book, spelling).map((tax) => ({
    ...tax,
    applies: day === undefined || ((tax.since ?? "") <= day && day <= (tax.until ?? "9999")) ? "yes" : "no"
  })),
  currency: currencyOf(book, spelling),
  payment: paymentOf(book, spelling),
  productCodes: book.productCodes
    .filter(({ descriptions, from }) => from.includes(spelling) || descriptions.includes(spelling))
    .map(({ productCode }) => productCode),
  near: [...spellings(book)].filter((known) => known !== spelling && folded(known) === folded(spelling))
})

export const isKnown = ({ currency, payment, productCodes, taxes }: BookExplanation): boolean =>
  taxes.length > 0 || currency !== undefined || payment !== undefined || productCodes.length > 0

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, "")

const spellings = ({ currencies, payments, productCodes, taxes }: MappingBook): ReadonlySet<string> =>
  new Set([
    ...[...taxes, ...currencies].flatMap(({ code, from }): ReadonlyArray<string> => [
      code,
      ...from.filter((spelling) => spelling !== "")
    ]),
    ...payments.flatMap(({ from }) => from),
    ...productCodes.flatMap(({ descriptions, from }) => [...from, ...descriptions])
  ])
