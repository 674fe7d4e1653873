/**
 * The account of a period as data: what was compared, the chain of sums, and the differences. Also
 * its fiscal days: what was sent on each, which agree, and the counters that say something.
 */
import { BigDecimal, type DateTime, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Money from "../document/Money.ts"
import type { Step } from "../finding/Step.ts"
import * as LocalDateTime from "../gateway/operation/LocalDateTime.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { ReceiptQueries } from "../submission/SubmissionQuery.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import type { StoredConflict } from "../submission/Explanation.ts"
import type * as Notice from "../submission/Notice.ts"
import type { RecordedDecision } from "../submission/OperatorRecord.ts"
import * as Account from "./Account.ts"
import { type DocumentState, moving } from "../submission/Submission.ts"
import * as DayLeg from "./DayLeg.ts"
import { balancesOf, countersOf, type FiscalDay, timesOf } from "./FiscalDays.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"
import * as Receipts from "./Receipts.ts"
import type { CounterRow } from "./ZReportComparison.ts"

/** Part of a leg that was not compared. `open-day`: it is compared when the day is closed. */
export interface NotCompared {
  readonly count: number
  readonly because: string
  readonly is: "open-day" | "left-out" | "examined"
  /** Id under which an operator can record that the part was examined. */
  readonly id?: string
}

export interface Leg {
  readonly name: "store ↔ gateway" | "store ↔ day reports" | "receipt numbers" | "source ↔ store"
  /** The compared part with counts. Null if nothing was compared. */
  readonly compared: string | null
  readonly notPossible: ReadonlyArray<NotCompared>
}

/** A difference of the period. */
export interface Difference {
  /** Made of device, day or document, name and figures. */
  readonly id: string
  readonly code: StoredConflict["code"] | Notice.ReconcileCode | "DAY_DIFFERS" | "RECEIPT_NOT_OURS"
  readonly grade: DayLeg.Grade
  readonly currency: string | null
  /** Amount that is taxed more than the books have. Null if no amount is known. */
  readonly amount: Money.Money | null
  /** Amount in the books and amount with a receipt. Null if not there, or not known. */
  readonly books: Money.Money | null
  readonly sent: Money.Money | null
  readonly documents: ReadonlyArray<{ readonly account: string; readonly number: string }>
  readonly text: string
  /** The text without the counters of a day. */
  readonly words: string
  readonly step: Step
  /** Operator who examined the difference. Null if it is not examined. */
  readonly acknowledged: string | null
}

export interface DeviceSum {
  readonly reports: Money.Money
  /** Receipts of the store in days that were not compared. */
  readonly notCompared: Money.Money
  /** Receipts of other programs, which an operator has declared. */
  readonly others: Money.Money
  /** Day reports less receipts: what no row explains. */
  readonly left: Money.Money
}

/** A document of the period, for lists and files. */
export interface AccountRow extends Account.AccountDocument {
  readonly id: string
  readonly buyer: string | null
  readonly place: Account.AccountPlace
}

/** One account of a period. */
export interface Reconciliation {
  readonly account: string
  readonly taxpayer: string
  readonly device: string
  readonly period: Account.Period
  readonly at: DateTime.Utc
  /** Zone of the days: the device's, otherwise UTC. */
  readonly zone: DateTime.TimeZone
  readonly legs: ReadonlyArray<Leg>
  /** Rows of the chain by currency. Null if the closings of the days are not known. */
  readonly chains: ReadonlyMap<string, ReadonlyArray<Account.AccountLine>> | null
  readonly deviceSums: ReadonlyMap<string, DeviceSum>
  readonly opening: ReadonlyArray<Account.Carried>
  readonly closing: ReadonlyArray<Account.Carried>
  readonly differences: ReadonlyArray<Difference>
  readonly days: ReadonlyArray<DayLeg.ComparedDay>
  /** Last fiscal day that was closed by the end of the period. Null if none is known. */
  readonly closedUpTo: number | null
  /** Record of the last report of the period. Null if none was written. */
  readonly reported: RecordedDecision | null
  /** Statements worth reading that are no difference: missing numbers, the start of the store. */
  readonly notes: ReadonlyArray<string>
  readonly decisions: ReadonlyArray<RecordedDecision>
}

export type SourceStatement =
  | { readonly _tag: "Same" | "Void" | "NotStated" }
  /** Figures of today. `text`: difference from the sent document in words, empty for none. */
  | { readonly _tag: "Stated"; readonly figures: Account.AccountFigures; readonly text: string }
  /** The export has the document, and its figures cannot be compared. */
  | { readonly _tag: "NotKnown"; readonly text: string }

/** States a part that was not compared, with its count. */
export const notPossible = ({ because, count }: NotCompared): string => `${count === 0 ? "" : `${count}: `}${because}`

/** Rows of the device below the chain of a currency, in their order. */
export const deviceRows = ({ left, notCompared, others, reports }: DeviceSum) =>
  (
    [
      ["-", "in days that were not compared", notCompared],
      ["+", "receipts of other programs", others],
      ["", "day reports", reports],
      ["=", "left: reports - receipts", left]
    ] as const
  ).filter(([sign, , total]) => sign === "" || sign === "=" || !BigDecimal.isZero(total))

/** Sum of one place. Null: not known, as the kinds and the number of documents in day reports. */
export interface PlaceSum {
  readonly place: "books" | "sent" | "gateway" | "reports"
  readonly invoice: Account.AccountSum | null
  readonly "credit-note": Account.AccountSum | null
  readonly documents: number | null
  /** Credit notes are negative. */
  readonly total: Money.Money
  /** This place less the place on its left. Null for the first place. */
  readonly more: { readonly documents: number | null; readonly total: Money.Money } | null
}

/**
 * Returns the four places of a currency. `books`: issued in the period. `sent`: documents with a
 * receipt, as proven or as an operator states. `gateway`: receipts proven by the gateway's answers.
 * `reports`: counters of the device without other programs; days that were not compared are left
 * out of its difference.
 */
export const placesOf = (
  rows: ReadonlyArray<Account.AccountLine>,
  { notCompared, others, reports }: DeviceSum
): ReadonlyArray<PlaceSum> => {
  const of = (place: PlaceSum["place"], ...names: ReadonlyArray<Account.RowName>): Omit<PlaceSum, "more"> => {
    const found = names.map((name) => rows.find((row) => row.name === name)!)
    const kind = (name: "invoice" | "credit-note"): Account.AccountSum => ({
      documents: found.reduce((sum, row) => sum + row[name].documents, 0),
      tax: BigDecimal.sumAll(found.map((row) => row[name].tax)),
      total: BigDecimal.sumAll(found.map((row) => row[name].total))
    })
    const sums = { invoice: kind("invoice"), "credit-note": kind("credit-note") }
    const documents = sums.invoice.documents + sums["credit-note"].documents
    return { place, ...sums, documents, total: Account.netOf(sums) }
  }
  const counted = BigDecimal.subtract(reports, others)
  const all = [
    of("books", "issued"),
    of("sent", "fiscalised", "claimed"),
    of("gateway", "fiscalised", "second"),
    { place: "reports" as const, invoice: null, "credit-note": null, documents: null, total: counted }
  ]
  return all.map((one, at) => {
    const left = all[at - 1]
    if (left === undefined) return { ...one, more: null }
    const known = one.documents !== null && left.documents !== null ? one.documents - left.documents : null
    const own = one.place === "reports" ? BigDecimal.sum(one.total, notCompared) : one.total
    return { ...one, more: { documents: known, total: BigDecimal.subtract(own, left.total) } }
  })
}

/** Exit code: 2 for a difference that is not acknowledged, 3 for a part that was not compared. */
export const exitOf = ({ closing, differences, legs }: Reconciliation): 0 | 2 | 3 => {
  if (differences.some(({ acknowledged }) => acknowledged === null)) return 2
  const isPart = legs.some(
    ({ compared, notPossible }) => compared === null || notPossible.some(({ is }) => is === "left-out")
  )
  return isPart || closing.some(({ standing }) => standing === "open") ? 3 : 0
}

/** Documents of the books in one state, without a receipt. */
export interface WithoutReceipt {
  readonly state: DocumentState
  /** `moving`: no operator is needed. */
  readonly standing: "moving" | "stuck"
  readonly currency: string
  readonly documents: number
  /** Credit notes are negative. */
  readonly total: Money.Money
  /** Numbers of the documents. Empty if they were not accepted: the account has their sums only. */
  readonly numbers: ReadonlyArray<string>
}

/** Returns the documents of the books that have no receipt, by state and currency. */
export const withoutReceipt = ({
  chains,
  closing
}: Pick<Reconciliation, "chains" | "closing">): ReadonlyArray<WithoutReceipt> => {
  const open = Map.groupBy(
    closing.filter(({ standing }) => standing === "open"),
    ({ figures, state }) => JSON.stringify([state, figures.currency])
  )
  return [
    ...Array.from(open.values(), (all) => {
      const [{ figures, state }] = all as [Account.Carried]
      const total = BigDecimal.sumAll(all.map((one) => Account.signedTotal(one.figures)))
      const numbers = all.map(({ number }) => number)
      const standing: WithoutReceipt["standing"] = moving.some((one) => one === state) ? "moving" : "stuck"
      return { state, standing, currency: figures.currency, documents: all.length, total, numbers }
    }),
    ...Array.from(chains ?? []).flatMap(([currency, rows]) => {
      const row = rows.find(({ name }) => name === "not-accepted")!
      const documents = row.invoice.documents + row["credit-note"].documents
      const own = {
        state: "Refused",
        standing: "stuck",
        currency,
        documents,
        total: Account.netOf(row),
        numbers: []
      } as const
      return documents === 0 ? [] : [own]
    })
  ]
}

/** Grades of a difference whose documents are its cause. Others only name suspects. */
const exact: ReadonlySet<DayLeg.Grade> = new Set(["proven", "fits"])

/** Differences in the words of a bookkeeper. Others have their text only. */
export const titles: Partial<Readonly<Record<Difference["code"], string>>> = {
  SOURCE_CONFLICT: "Changed in your books after its receipt",
  SOURCE_CANCELLED: "Void in your books after its receipt",
  SOURCE_NOT_HERE: "In your books, not sent",
  NOT_IN_SOURCE: "Sent, not in your books",
  DAY_DIFFERS: "The day report differs",
  RECEIPT_NOT_OURS: "Not sent by this program"
}

/** Sides of a comparison in the words of a bookkeeper. */
export const sides: Readonly<Record<Leg["name"], string>> = {
  "source ↔ store": "Books and sent",
  "store ↔ gateway": "Sent and gateway",
  "store ↔ day reports": "Sent and day reports",
  "receipt numbers": "Receipt numbers"
}

/** Says how many documents differ, and how many have no receipt. */
export const outcomeOf = (found: Reconciliation): string => {
  const open = found.differences.filter(({ acknowledged }) => acknowledged === null)
  const isKnown = open.every(({ documents, grade }) => documents.length > 0 && exact.has(grade))
  const named = new Set(open.flatMap(({ documents }) => documents.map((one) => JSON.stringify(one)))).size
  const without = withoutReceipt(found).reduce((sum, { documents }) => sum + documents, 0)
  const differ = isKnown
    ? `${plural(named, "document")} ${named === 1 ? "differs" : "differ"}`
    : plural(open.length, "difference")
  const parts = [
    ...(open.length === 0 ? [] : [differ]),
    ...(without === 0 ? [] : [`${plural(without, "document")} ${without === 1 ? "has" : "have"} no receipt yet`])
  ]
  if (parts.length > 0) return parts.join(", ")
  return exitOf(found) === 0 ? "everything that was compared agrees" : "not everything can be compared yet"
}

/** Lists numbers, at most so many. */
export const named = (numbers: ReadonlyArray<string>, most: number): string =>
  `${numbers.slice(0, most).join(", ")}${numbers.length > most ? ", …" : ""}`

export const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/** Documents that were sent on a day and have a receipt. Credit notes are negative in the sums. */
export interface SentOnDay {
  readonly documents: number
  /** Sums by currency. */
  readonly sums: ReadonlyMap<string, Money.Money>
}

/** Documents of each day, and the zone of the days. Null if the zone is not known. */
export interface SentOnDays {
  readonly zone: DateTime.TimeZone | null
  readonly days: ReadonlyMap<number, SentOnDay>
}

/** Reported days of a month, the oldest first. */
export interface MonthOfDays {
  /** Such as `2026-11`. Null if no day has a time. */
  readonly month: string | null
  /** Months that have a day, the newest first. */
  readonly months: ReadonlyArray<string>
  readonly days: ReadonlyArray<ZReport>
}

const monthOf = ({ closedAt, openedAt }: ZReport): string | null => {
  const at = closedAt ?? openedAt
  return at === null ? null : LocalDateTime.wallClock(at).slice(0, "YYYY-MM".length)
}

/** Returns the days closed in the month asked for, or in the newest if that month has none. */
export const ofMonth = (all: ReadonlyArray<ZReport>, asked: string | null): MonthOfDays => {
  const months = [...new Set(all.flatMap((day) => monthOf(day) ?? []))].toSorted().toReversed()
  const month = months.find((one) => one === asked) ?? months[0] ?? null
  const own = all.filter((day) => (monthOf(day) ?? months[0] ?? null) === month)
  // gateways list the newest or the oldest first
  return { month, months, days: own.toSorted((a, b) => (a.fiscalDayNumber ?? 0) - (b.fiscalDayNumber ?? 0)) }
}

const counted = (count: number, one: string, several: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]

/** True if the comparison of the day with the store has findings. */
export const needsOperator = ({ compared }: FiscalDay): boolean =>
  compared !== null && DayLeg.findingsOf(compared).length > 0

/** Says which closed days agree, and which do not. `days`: their number. `read`: compared ones. */
export const resultOf = (days: number, read: ReadonlyArray<FiscalDay>): string => {
  const is = (standing: string) => read.filter(({ compared }) => compared?.standing === standing)
  const [agrees, differs] = [is("agrees").length, is("differs")]
  const [first, ...more] = differs
  return [
    ...(first === undefined || more.length > 0
      ? []
      : [`Fiscal day ${first.day.fiscalDayNumber ?? "?"} does not agree`]),
    ...(more.length === 0 ? [] : [`${differs.length} days do not agree`]),
    ...counted(agrees, "closed day agrees", "closed days agree"),
    ...counted(read.length - agrees - differs.length, "day cannot be compared", "days cannot be compared"),
    ...counted(days - read.length, "day is not read yet", "days are not read yet")
  ].join(", ")
}

/**
 * Returns the counters of a compared day that say something: balances as one sum for each currency,
 * and taxes only where they differ.
 */
export const judgedCounters = (shown: FiscalDay): ReadonlyArray<CounterRow> => [
  ...countersOf(shown).filter(
    ({ counter, device, store }) =>
      counter !== "Balance" &&
      (!counter.endsWith("Tax") || !BigDecimal.equals(device ?? Money.zero, store ?? Money.zero))
  ),
  ...balancesOf(shown).map((one) => ({ ...one, counter: "Balance", tax: null, payment: null }))
]

const together = 500

/**
 * Returns what the store has of each day, also of the open one, without a report. `reports`: those
 * of the shown days. Times of reports are those of the zone.
 */
export const sentOnDays = (
  settings: Pick<AccountSettings, "account" | "assumptions" | "zone">,
  store: ReceiptQueries & Pick<SubmissionStoreOperations, "pinOf">,
  reports: ReadonlyArray<ZReport>
): Effect.Effect<SentOnDays, StoreError> =>
  Effect.gen(function* () {
    const pin = Option.getOrNull(yield* store.pinOf(settings.account))
    const zone = zoneOfAccount(settings, pin)
    const days = new Map<number, { documents: number; sums: Map<string, Money.Money> }>()
    if (pin === null) return { zone, days }
    const times = timesOf(reports, zone)
    const receipts = Receipts.stream(store, pin.lane, "sent", Receipts.sinceOf(times), ReceiptNumbers.make()).pipe(
      Stream.flatMap(({ receipts }) => Stream.fromIterable(receipts)),
      Stream.grouped(together)
    )
    yield* Stream.runForEach(receipts, (page) =>
      Effect.gen(function* () {
        const documents = yield* store.revisions(page.map(({ of }) => of))
        for (const [n, receipt] of page.entries()) {
          const own = Receipts.dayOf(receipt, times)
          if (own === null) continue
          const of = days.get(own) ?? { documents: 0, sums: new Map<string, Money.Money>() }
          days.set(own, of)
          const figures = Account.figuresOf(documents[n]!)
          const { currency } = figures
          of.documents++
          of.sums.set(currency, BigDecimal.sum(of.sums.get(currency) ?? Money.zero, Account.signedTotal(figures)))
        }
      })
    )
    return { zone, days }
  })
