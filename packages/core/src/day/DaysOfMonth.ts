/**
 * The fiscal days of a month for an operator: what was sent on each day, which days agree, and the
 * counters that say something. Reads no report.
 */
import { BigDecimal, type DateTime, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Money from "../document/Money.ts"
import * as LocalDateTime from "../gateway/operation/LocalDateTime.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { ReceiptQueries } from "../submission/SubmissionQuery.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as Account from "./Account.ts"
import * as DayLeg from "./DayLeg.ts"
import { balancesOf, countersOf, type FiscalDay, timesOf } from "./FiscalDays.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"
import * as Receipts from "./Receipts.ts"
import type { CounterRow } from "./ZReportComparison.ts"

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
export const sent = (
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
        for (const [n, { day, sentAt }] of page.entries()) {
          const own = day ?? times.find((one) => Receipts.isWithin(sentAt, one))?.day
          if (own === undefined) continue
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
