/** Sales that look random, as the device has them in its report and as the store has sent them. */
import { Option } from "effect"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import * as Money from "../../src/document/Money.ts"
import type { MeantDocument } from "../../src/submission/SubmissionQuery.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"

/** Share of a receipt under one tax, in cents. Gross amounts, tax included. */
export interface Group {
  readonly tax: 515 | 2
  readonly gross: number
}

/** A receipt as the device has it. */
export interface Sale {
  readonly name: string
  readonly kind: UndatedDocument["kind"]
  readonly currency: string
  readonly payment: string
  readonly groups: ReadonlyArray<Group>
  readonly buyer?: string
  readonly file?: string
  /** Invoice that a credit note is on. */
  readonly credits?: string
}

export const money = (cents: number) => Option.getOrThrow(Money.parse((cents / 100).toFixed(2)))
export const percents = { 515: "15.5", 2: "0" } as const
export const grossOf = ({ groups }: Sale) => groups.reduce((sum, { gross }) => sum + gross, 0)
/** Tax in cents, half up, in whole numbers: another way than the code under test. */
const taxOf = ({ gross, tax }: Group) => (tax === 2 ? 0 : Math.floor((2 * gross * 155 + 1155) / (2 * 1155)))

export const reportOf = (day: number, sales: ReadonlyArray<Sale>): ZReport => {
  const sums = new Map<string, number>()
  for (const sale of sales) {
    const { currency, groups, kind, payment } = sale
    const [name, sign] = kind === "invoice" ? ["Sale", 1] : ["CreditNote", -1]
    const add = (counter: ReadonlyArray<unknown>, cents: number) => {
      const key = JSON.stringify(counter)
      sums.set(key, (sums.get(key) ?? 0) + cents * Number(sign))
    }
    for (const group of groups) {
      add([name, currency, group.tax, null], group.gross)
      if (group.tax === 515) add([`${name}Tax`, currency, group.tax, null], taxOf(group))
    }
    add(["Balance", currency, null, payment], grossOf(sale))
  }
  return {
    openedAt: null,
    closedAt: null,
    fiscalDayNumber: day,
    isSuccess: true,
    message: null,
    unknownFields: {},
    summaries: Array.from(sums, ([key, cents]) => {
      const [counterType, currency, taxId, paymentMethod] = JSON.parse(key)
      const taxPercent = taxId === null ? null : Option.getOrThrow(Money.parse(percents[taxId as 2]))
      return { counterType, currency, taxId, taxPercent, paymentMethod, amount: money(cents), unknownFields: {} }
    })
  }
}

/** Two accounts name the taxes differently. */
export const codes = { main: { 515: "VAT155", 2: "ZERO" }, shop: { 515: "STD", 2: "NUL" } } as const

export const documentOf = (sale: Sale, account: keyof typeof codes): MeantDocument => {
  const { buyer, currency, file = "sales.csv", groups, name, payment } = sale
  const tax = groups.reduce((sum, group) => sum + taxOf(group), 0)
  const payload = {
    ...(sale.kind === "invoice"
      ? { invoiceId: name, invoiceNumber: name }
      : { creditNoteId: name, creditNoteNumber: name, originalInvoiceId: sale.credits ?? null }),
    reference: null,
    isDiscounted: false,
    isTaxInclusive: true,
    buyerContact: buyer === undefined ? null : { name: buyer },
    lineItems: groups.map(({ gross, tax }) => ({
      description: "Goods",
      unitAmount: money(gross),
      taxCode: codes[account][tax],
      productCode: null,
      lineAmount: money(gross),
      discountAmount: null,
      quantity: money(100),
      customFields: null
    })),
    paymentMethod: payment,
    subTotal: money(grossOf(sale) - tax),
    totalTax: money(tax),
    total: money(grossOf(sale)),
    currencyCode: `${currency}$`
  }
  const taxes = sale.groups.map(({ tax }) => [codes[account][tax], tax, percents[tax]] as const)
  return {
    document: { kind: sale.kind, payload } as unknown as UndatedDocument,
    meaning: { currency: sale.currency, taxes },
    source: { file }
  }
}

/** Numbers that look random, the same in every run. */
export const random = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % below)
  }
}
export type Draw = ReturnType<typeof random>

const prices = [1000, 2550, 4995, 11_781, 25_000]

export const saleOf = (draw: Draw, name: string, amounts: "free" | "five prices"): Sale => {
  const price = () => (amounts === "free" ? 100 + draw(90_000) : prices[draw(prices.length)]!)
  const both = draw(5) === 0
  const tax = draw(4) === 0 ? 2 : 515
  return {
    name,
    kind: draw(8) === 0 ? "credit-note" : "invoice",
    currency: draw(10) === 0 ? "ZAR" : "USD",
    payment: draw(3) === 0 ? "Card" : "Cash",
    groups: both
      ? [
          { tax: 515, gross: price() },
          { tax: 2, gross: price() }
        ]
      : [{ tax, gross: price() }]
  }
}
