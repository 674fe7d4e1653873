import { BigDecimal } from "effect"
import { type CivilDate, yearAfter } from "../document/CivilDate.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"
import { type Balance, exceeds } from "./Balance.ts"
import { CreditFinding } from "./CreditFinding.ts"
import type { NamedBuyer, Original, OriginalFigures } from "../submission/ledger/Original.ts"
import type { SourceOriginal } from "../source/SourceDocument.ts"
import { RCPT033, RCPT035, RCPT036, RCPT042 } from "../finding/ReceiptRule.ts"
import type { Violation } from "../finding/Rule.ts"

export interface CreditedInvoice extends Balance {
  readonly number: string
  readonly day: CivilDate
  readonly currency: CurrencyCode
  /** The currency's code on the device; if absent, the codes themselves are compared. */
  readonly deviceCurrency?: string
  readonly taxCodes: ReadonlySet<TaxCode>
  /**
   * The device taxes of the tax codes: two codes may map to one device tax. If absent, the codes
   * themselves are compared.
   */
  readonly deviceTaxes?: ReadonlySet<number>
  readonly buyer?: NamedBuyer | null
  readonly lines?: ReadonlyArray<LineItem>
  readonly stated?: Pick<SourceOriginal, "number" | "date" | "currency" | "total">
  readonly buyerIds?: readonly [ofNote: string, own: string]
}

export const ofLedger = (
  {
    buyer,
    currency,
    lines,
    meaning,
    number,
    taxCodes,
    total
  }: Omit<OriginalFigures, "invoiceId" | "date"> & Pick<Original, "buyer" | "lines" | "meaning">,
  day: CivilDate,
  book: Pick<MappingBook, "taxes" | "currencies">
): Omit<CreditedInvoice, "credited"> => {
  const deviceCurrency = meaning?.currency ?? book.currencies.find(({ code }) => code === currency)?.device
  const devices =
    meaning?.taxes.map(([, device]) => device) ??
    taxCodes.map((code) => book.taxes.find((tax) => tax.code === code)?.device)
  return {
    number,
    day,
    currency,
    total,
    taxCodes: new Set(taxCodes),
    ...(buyer !== undefined && { buyer }),
    ...(lines !== undefined && { lines }),
    // a code without a kept meaning that the book no longer has can only be compared as text
    ...(deviceCurrency !== undefined && { deviceCurrency }),
    ...(devices.every((device) => device !== undefined) && { deviceTaxes: new Set(devices) })
  }
}

export interface CreditRule {
  readonly rule: FindingCode
  /** `day`: the credit note's own day. */
  check(note: Translated, original: CreditedInvoice, day: CivilDate): Iterable<Violation>
}

export const creditRules: ReadonlyArray<CreditRule> = [
  {
    rule: RCPT033,
    check: (_, original, day) =>
      day <= yearAfter(original.day)
        ? []
        : [{ path: ["originals"], detail: `${original.number} is of ${original.day}, the credit note of ${day}` }]
  },
  {
    rule: RCPT035,
    check: ({ completeness, document }, original) => {
      const { total } = document.payload
      if (completeness === "partial" || !exceeds(original, total)) return []
      const before = BigDecimal.isZero(original.credited)
        ? ""
        : `${Money.formatAmount(original.credited)} credited before + `
      const detail = `${before}${Money.formatAmount(total)} > ${Money.formatAmount(original.total)} of ${original.number}`
      return [{ path: ["totals", "total"], detail }]
    }
  },
  {
    rule: RCPT036,
    *check({ document, origins, taxes }, original) {
      for (const [code, { device }] of taxes) {
        if (original.deviceTaxes?.has(device) ?? original.taxCodes.has(code)) continue
        const index = document.payload.lineItems.findIndex(({ taxCode }) => taxCode === code)
        const message = `tax code ${code} is not on the original`
        yield {
          path: [...(origins[index] ?? ["lines"]), "taxes"],
          message,
          detail: `${original.number} has ${[...original.taxCodes].join(", ")}`
        }
      }
    }
  },
  {
    rule: RCPT042,
    check: ({ deviceCurrency, document }, original) => {
      const { currencyCode } = document.payload
      const isSame =
        original.deviceCurrency === undefined
          ? currencyCode === original.currency
          : deviceCurrency === original.deviceCurrency
      return isSame
        ? []
        : [{ path: ["currency"], detail: `${currencyCode}, ${original.number} is in ${original.currency}` }]
    }
  },
  {
    rule: CreditFinding.CREDIT_ORIGINAL_DIFFERS,
    check: (_, original) => {
      const differing = otherFact(original)
      return differing === undefined ? [] : [{ path: ["originals"], detail: differing }]
    }
  },
  {
    rule: CreditFinding.CREDIT_BUYER_DIFFERS,
    check: ({ document }, { buyer, buyerIds, number }) => {
      const path = buyer == null ? undefined : otherBuyer(document.payload.buyerContact, buyer, buyerIds)
      return path === undefined ? [] : [{ path: ["buyer", path], detail: `it credits ${number}` }]
    }
  },
  {
    rule: CreditFinding.CREDIT_QUANTITY_EXCEEDS,
    *check({ document, origins }, { lines, number }) {
      const known = quantities(lines ?? [])
      const first = new Set<string>()
      const credited = quantities(document.payload.lineItems)
      for (const [i, line] of document.payload.lineItems.entries()) {
        const key = itemOf(line)
        const quantity = known.get(key)
        if (quantity === undefined || first.has(key)) continue
        first.add(key)
        const taken = credited.get(key)!
        if (!BigDecimal.isGreaterThan(taken, quantity)) continue
        const detail = `${Money.formatPlain(taken)} > ${Money.formatPlain(quantity)} of ${number}`
        yield { path: [...(origins[i] ?? ["lines", i]), "quantity"], detail }
      }
    }
  }
]

const otherFact = ({ currency, day, number, stated = {}, total }: CreditedInvoice): string | undefined => {
  if (stated.number !== undefined && stated.number !== number)
    return `its id is that of ${number}, its number ${stated.number}`
  if (stated.date !== undefined && stated.date !== day) return `${number} is of ${day}, stated ${stated.date}`
  if (stated.currency !== undefined && /^[A-Z]{3}$/.test(stated.currency) && stated.currency !== currency)
    return `${number} is in ${currency}, stated ${stated.currency}`
  if (stated.total !== undefined && !BigDecimal.equals(BigDecimal.abs(stated.total), total))
    return `${number} has the total ${Money.formatAmount(total)}, stated ${Money.formatAmount(stated.total)}`
  return undefined
}

/**
 * Returns the field that proves two buyers different. Compares a number that both state; otherwise
 * the source's ids; otherwise the names. Undefined if no difference is proven.
 */
export const otherBuyer = (
  buyer: NamedBuyer | null,
  original: NamedBuyer,
  ids: CreditedInvoice["buyerIds"]
): keyof NamedBuyer | undefined => {
  if (buyer === null) return undefined
  for (const number of ["tin", "vatNumber"] as const) {
    if (buyer[number] === null || original[number] === null) continue
    return buyer[number] === original[number] ? undefined : number
  }
  if (ids !== undefined) return ids[0] === ids[1] ? undefined : "name"
  if (buyer.name === null || original.name === null) return undefined
  const [words, others] = [wordsOf(buyer.name), wordsOf(original.name)]
  // a pattern for cash buyers adds words to a name
  return words.isSubsetOf(others) || others.isSubsetOf(words) ? undefined : "name"
}

const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
  )

const itemOf = ({ description, productCode }: LineItem): string => JSON.stringify([description, productCode])

const quantities = (lines: ReadonlyArray<LineItem>): ReadonlyMap<string, Money.Money> => {
  const sums = new Map<string, Money.Money>()
  for (const line of lines) sums.set(itemOf(line), BigDecimal.sum(sums.get(itemOf(line)) ?? Money.zero, line.quantity))
  return sums
}
