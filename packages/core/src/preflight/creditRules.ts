/** The rules a credit note is held against beside its original: currency, taxes, age, buyer, and what is left to credit. Pure. */
import { BigDecimal } from "effect"
import { type CivilDate, yearAfter } from "../document/CivilDate.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"
import { CreditFinding } from "./CreditFinding.ts"
import type { NamedBuyer, Original } from "../ledger/Ledger.ts"
import type { SourceOriginal } from "../source/SourceDocument.ts"
import { RCPT033, RCPT035, RCPT036, RCPT042 } from "./ReceiptRule.ts"
import type { Violation } from "./Rule.ts"

/** The original as the rules see it; amounts in its currency. */
export interface CreditedInvoice {
  readonly number: string
  readonly day: CivilDate
  readonly currency: CurrencyCode
  /** What the currency is on the device; left out, the codes themselves are compared. */
  readonly deviceCurrency?: string
  readonly total: Money.Money
  readonly taxCodes: ReadonlySet<TaxCode>
  /** What its tax codes are on the device: two codes may be one tax there. Left out, the codes themselves are compared. */
  readonly deviceTaxes?: ReadonlySet<number>
  /** Left out where only its figures are known. */
  readonly buyer?: NamedBuyer | null
  readonly lines?: ReadonlyArray<LineItem>
  /** What the note states of it beside its id or number. */
  readonly stated?: Pick<SourceOriginal, "number" | "date" | "currency" | "total">
  /** The source's own identifiers of the note's buyer and of its own, where the export states both. */
  readonly buyerIds?: readonly [ofNote: string, own: string]
  /** Credits before this one, in flight ones counted. */
  readonly credited: Money.Money
}

/** An original of the ledger, or of the same batch; `day` is that of its receipt in the book's zone. */
export const ofLedger = (
  {
    buyer,
    currency,
    lines,
    number,
    taxCodes,
    total
  }: Pick<Original, "buyer" | "currency" | "lines" | "number" | "taxCodes" | "total">,
  day: CivilDate,
  book: Pick<MappingBook, "taxes" | "currencies">
): Omit<CreditedInvoice, "credited"> => {
  const deviceCurrency = book.currencies.find(({ code }) => code === currency)?.device
  const entries = taxCodes.map((code) => book.taxes.find((tax) => tax.code === code))
  return {
    number,
    day,
    currency,
    total,
    taxCodes: new Set(taxCodes),
    ...(buyer !== undefined && { buyer }),
    ...(lines !== undefined && { lines }),
    // a code the book no longer has can only be compared as it stands
    ...(deviceCurrency !== undefined && { deviceCurrency }),
    ...(entries.every((entry) => entry !== undefined) && { deviceTaxes: new Set(entries.map(({ device }) => device)) })
  }
}

export interface CreditRule {
  readonly rule: FindingCode
  /** `day`: the credit note's own. */
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
      const after = BigDecimal.sum(original.credited, total)
      if (completeness === "partial" || !BigDecimal.isGreaterThan(after, original.total)) return []
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

/** What the note states of its original otherwise than that is; undefined where nothing. */
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

/** What shows that two buyers are not the same: a number that both state, without one the source's own ids, without those their names. */
const otherBuyer = (
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

/** Lines are of one item where description and product code are the same, word for word; no other likeness is concluded from. */
const itemOf = ({ description, productCode }: LineItem): string => JSON.stringify([description, productCode])

const quantities = (lines: ReadonlyArray<LineItem>): ReadonlyMap<string, Money.Money> => {
  const sums = new Map<string, Money.Money>()
  for (const line of lines) sums.set(itemOf(line), BigDecimal.sum(sums.get(itemOf(line)) ?? Money.zero, line.quantity))
  return sums
}
