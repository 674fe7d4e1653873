import { BigDecimal } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import type { Money } from "../document/Money.ts"
import type { Finding } from "../finding/Finding.ts"
import * as Unmapped from "../preflight/Unmapped.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { ImportedDocument } from "./ImportedDocument.ts"
import * as TaxShares from "./TaxShares.ts"

/**
 * Documents of one kind, currency and state. The total is exact, and positive for credit notes too
 * (DOC-4).
 */
export interface Total {
  readonly state: ImportedDocument["state"]
  readonly currency: CurrencyCode
  readonly kind: DocumentKind
  readonly documents: number
  readonly total: Money
}

/**
 * Amounts under one tax code, for documents of one state, currency and kind; `net` and `tax` add up
 * to `total`.
 */
export interface TaxTotal extends Total {
  /**
   * Null for documents whose taxes cannot be split: the percents of several codes are unknown, or
   * remembered shares no longer match the total.
   */
  readonly taxCode: TaxCode | null
  /** Amount without tax; null if `taxCode` is null. */
  readonly net: Money | null
  readonly tax: Money | null
}

/** Findings with the same code and message. */
export interface SummaryCause extends Pick<Finding, "code" | "severity" | "message" | "consequence" | "fix"> {
  readonly documents: number
  readonly examples: ReadonlyArray<string>
}

/** Totals of an import: counts per state, and amounts per currency. */
export interface ImportSummary {
  readonly documents: number
  readonly counts: Readonly<Partial<Record<ImportedDocument["state"], number>>>
  readonly totals: ReadonlyArray<Total>
  /** The same documents by tax code; a document with several codes counts under each. */
  readonly taxes: ReadonlyArray<TaxTotal>
  /** Causes in the order of first occurrence; at most a thousand. */
  readonly causes: ReadonlyArray<SummaryCause>
  readonly held: Readonly<Partial<Record<HoldCause, number>>>
  /** Spellings missing in the mapping book. */
  readonly unmapped: Pick<Unmapped.UnmappedCodes, "codes" | "beyond">
}

/** Adds up documents one by one. */
export interface Summing {
  add(document: ImportedDocument): void
  readonly summary: ImportSummary
}

/** Maximum number of different causes kept in memory. */
const keptCauses = 1000
const namedOfEach = 5

const increase = <Key>(counts: Map<Key, number>, of: Key) => counts.set(of, (counts.get(of) ?? 0) + 1)

interface GrowingSum {
  state: Total["state"]
  currency: CurrencyCode
  kind: DocumentKind
  documents: number
  total: Money
}

interface TaxSum extends GrowingSum {
  taxCode: TaxCode | null
  net: Money | null
  tax: Money | null
}

const plus = (a: Money | null, b: Money | null): Money | null =>
  a === null || b === null ? null : BigDecimal.sum(a, b)

/**
 * Creates a summary with bounded memory for any number of documents. `book`: the book used for the
 * translation.
 */
export const make = (book: Pick<MappingBook, "taxes">): Summing => {
  const percents = TaxShares.percentsOf(book)
  const counts = new Map<ImportedDocument["state"], number>()
  const held = new Map<HoldCause, number>()
  const totals = new Map<string, GrowingSum>()
  const taxes = new Map<string, TaxSum>()
  const causes = new Map<string, { finding: Finding; documents: number; examples: Array<string> }>()
  const unmapped = Unmapped.make()
  let documents = 0

  const addTotal = ({ currency, kind, state, total }: ImportedDocument) => {
    if (currency === null || total === null || kind === null) return
    const key = `${state} ${currency} ${kind}`
    const sum = totals.get(key)
    if (sum === undefined) totals.set(key, { state, currency, kind, documents: 1, total })
    else {
      sum.documents += 1
      sum.total = BigDecimal.sum(sum.total, total)
    }
  }

  const sharesOf = ({ document, shares, total }: ImportedDocument) => {
    if (total === null) return undefined
    if (shares !== null)
      return BigDecimal.equals(BigDecimal.sumAll(shares.map((share) => share.total)), total) ? shares : undefined
    return document === null ? undefined : TaxShares.of(document, percents)
  }

  const addTaxes = (document: ImportedDocument) => {
    const { currency, kind, state, total } = document
    if (currency === null || total === null || kind === null) return
    const shares = sharesOf(document) ?? [{ taxCode: null, net: null, tax: null, total }]
    for (const share of shares) {
      const key = `${state} ${currency} ${kind} ${share.taxCode}`
      const sum = taxes.get(key)
      if (sum === undefined) taxes.set(key, { state, currency, kind, documents: 1, ...share })
      else {
        sum.documents += 1
        sum.net = plus(sum.net, share.net)
        sum.tax = plus(sum.tax, share.tax)
        sum.total = BigDecimal.sum(sum.total, share.total)
      }
    }
  }

  const addCauses = ({ findings, number }: ImportedDocument) => {
    const ofDocument = new Set<string>()
    for (const finding of findings) {
      const key = `${finding.code}\n${finding.message}`
      const known = causes.get(key)
      if (known === undefined && causes.size === keptCauses) continue
      const cause = known ?? { finding, documents: 0, examples: [] }
      causes.set(key, cause)
      if (ofDocument.has(key)) continue
      ofDocument.add(key)
      cause.documents += 1
      if (cause.examples.length < namedOfEach) cause.examples.push(number)
    }
  }

  return {
    add: (document) => {
      documents += 1
      increase(counts, document.state)
      if (document.state === "Held" && document.cause !== null) increase(held, document.cause)
      addTotal(document)
      addTaxes(document)
      addCauses(document)
      unmapped.add(document.number, document.findings)
    },
    get summary() {
      return {
        documents,
        counts: Object.fromEntries(counts),
        totals: [...totals.values()],
        taxes: [...taxes.values()],
        causes: Array.from(causes.values(), ({ documents, examples, finding }) => {
          const { code, consequence, fix, message, severity } = finding
          return { code, severity, message, consequence, fix, documents, examples }
        }),
        held: Object.fromEntries(held),
        unmapped
      }
    }
  }
}
