/**
 * A credit note is negative in every row and every sum. Every host shows these figures and adds
 * none itself.
 */
import { BigDecimal } from "effect"
import { type DocumentKind, signed } from "../document/FiscalDocument.ts"
import { type Money, zero } from "../document/Money.ts"
import { type DocumentState, groupOf, type StateGroup } from "../submission/Submission.ts"
import type { ImportSummary, TaxTotal, Total } from "./ImportSummary.ts"

/** Figures of one document, or of several of one kind. Positive for credit notes too (DOC-4). */
export interface Figured {
  readonly kind: DocumentKind | null
  readonly currency: string | null
  readonly total: Money | null
  readonly net?: Money | null
  readonly tax?: Money | null
  /** Default 1. */
  readonly documents?: number
}

export interface SignedSum {
  readonly currency: string
  readonly documents: number
  readonly total: Money
  /** Null if the net amount of a document is not known. */
  readonly net: Money | null
  readonly tax: Money | null
}

export interface SignedSums {
  readonly sums: ReadonlyArray<SignedSum>
  readonly unknown: number
}

export { signed }

const added = (sum: Money | null, kind: DocumentKind, amount: Money | null | undefined): Money | null =>
  sum === null || amount == null ? null : BigDecimal.sum(sum, signed(kind, amount))

export const none: SignedSums = { sums: [], unknown: 0 }

export const plus = (
  { sums, unknown }: SignedSums,
  { currency, documents = 1, kind, net, tax, total }: Figured
): SignedSums => {
  if (currency === null || kind === null || total === null) return { sums, unknown: unknown + documents }
  const before = sums.find((sum) => sum.currency === currency)
  const sum = before ?? { currency, documents: 0, total: zero, net: zero, tax: zero }
  const after = {
    currency,
    documents: sum.documents + documents,
    total: BigDecimal.sum(sum.total, signed(kind, total)),
    net: added(sum.net, kind, net),
    tax: added(sum.tax, kind, tax)
  }
  return { sums: before === undefined ? [...sums, after] : sums.map((one) => (one === before ? after : one)), unknown }
}

export const of = (figures: ReadonlyArray<Figured>): SignedSums => figures.reduce(plus, none)

export interface GroupSum extends SignedSums {
  readonly group: StateGroup
  readonly documents: number
}

const groups = [...new Set(Object.values(groupOf))]

type SummedDocuments = Pick<ImportSummary, "counts" | "totals">

/**
 * Returns the groups that have documents. They add up to all documents, in count and amount.
 * `rest`: accepted documents that wait for hand-over, whose amounts are not known yet.
 */
export const byGroup = ({ counts, totals }: SummedDocuments, rest = 0): ReadonlyArray<GroupSum> =>
  groups.flatMap((group) => {
    const states = Object.entries(counts) as ReadonlyArray<[DocumentState, number]>
    const known = states.filter(([state]) => groupOf[state] === group).reduce((sum, [, count]) => sum + count, 0)
    const documents = known + (group === "to-send" ? rest : 0)
    if (documents === 0) return []
    const { sums } = of(totals.filter(({ state }) => groupOf[state] === group))
    const summed = sums.reduce((sum, one) => sum + one.documents, 0)
    return [{ group, documents, sums, unknown: documents - summed }]
  })

export const together = (parts: ReadonlyArray<GroupSum>): Omit<GroupSum, "group"> => ({
  documents: parts.reduce((sum, { documents }) => sum + documents, 0),
  unknown: parts.reduce((sum, { unknown }) => sum + unknown, 0),
  // amounts of groups have their sign already
  sums: of(parts.flatMap(({ sums }) => sums.map((sum) => ({ ...sum, kind: "invoice" as const })))).sums
})

export interface CurrencySum extends SignedSum {
  readonly kinds: ReadonlyArray<Pick<Total, "kind" | "documents" | "total">>
  /** `taxCode`: null if the taxes of documents cannot be split. */
  readonly taxes: ReadonlyArray<Pick<TaxTotal, "taxCode" | "net" | "tax" | "total">>
}

export const ofGroup = (
  { taxes, totals }: Pick<ImportSummary, "taxes" | "totals">,
  group: StateGroup
): ReadonlyArray<CurrencySum> => {
  const own = totals.filter(({ state }) => groupOf[state] === group)
  const shares = taxes.filter(({ state }) => groupOf[state] === group)
  return of(own).sums.map((sum) => {
    const { currency } = sum
    const here = shares.filter((share) => share.currency === currency)
    const kinds = (["invoice", "credit-note"] as const).flatMap((kind) => {
      const [found] = of(own.filter((one) => one.kind === kind && one.currency === currency)).sums
      return found === undefined ? [] : [{ kind, documents: found.documents, total: found.total }]
    })
    const byTax = Array.from(
      Map.groupBy(here, ({ taxCode }) => taxCode),
      ([taxCode, those]) => {
        const [found] = of(those).sums
        return { taxCode, net: found!.net, tax: found!.tax, total: found!.total }
      }
    )
    const [all] = of(here).sums
    return { ...sum, net: all?.net ?? null, tax: all?.tax ?? null, kinds, taxes: byTax }
  })
}
