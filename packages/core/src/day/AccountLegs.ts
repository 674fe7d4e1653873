/** The legs of an account: what was compared, and what was not for which reason. Pure. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import * as Notice from "../submission/Notice.ts"
import * as Account from "./Account.ts"
import type { Acknowledged, LaneFacts } from "./AccountDifferences.ts"
import * as DayLeg from "./DayLeg.ts"
import type * as ReceiptNumbers from "./ReceiptNumbers.ts"
import { type DeviceSum, type Leg, named, type NotCompared, plural } from "./Reconciliation.ts"

export interface AskedCounts {
  readonly asked: number
  readonly answered: number
  readonly text: string | null
}

export type SourceFacts =
  | { readonly _tag: "NotRead"; readonly text: string }
  | {
      readonly _tag: "Read"
      readonly name: string
      readonly documents: number
      readonly skipped: number
      readonly compared: number
      readonly added: number
      /** Numbers of documents that cannot be compared, by the reason. */
      readonly notKnown: ReadonlyMap<string, ReadonlyArray<string>>
    }

const leftOut = (count: number, because: string): NotCompared => ({ count, because, is: "left-out" })

const noDay = leftOut(0, "no fiscal day was closed in the period")

const gatewayLeg = (
  { claimed, proven }: { readonly claimed: ReadonlyArray<string>; readonly proven: number },
  { answered, asked, text }: AskedCounts
): Leg => {
  const all = proven + claimed.length
  const again = asked === 0 ? "" : `; ${answered} of ${asked} requests of the last 7 days asked again`
  return {
    name: "store ↔ gateway",
    compared: all === 0 ? null : `${proven} of ${plural(all, "receipt")} by the gateway's own answer${again}`,
    notPossible: [
      ...(all === 0 ? [leftOut(0, "no receipt in the period")] : []),
      ...(claimed.length === 0
        ? []
        : [
            leftOut(
              claimed.length,
              `only an operator stated it (${named(claimed, 10)}); the gateway answers for 7 days only`
            )
          ]),
      ...(text === null ? [] : [leftOut(asked - answered, text)])
    ]
  }
}

/** Lists numbers as ranges: `61 to 63, 65`. */
const ranges = (numbers: ReadonlyArray<number>): string => {
  const found: Array<[number, number]> = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(", ")
}

const isCompared = ({ standing }: DayLeg.ComparedDay): boolean => standing === "agrees" || standing === "differs"

/** Documents whose receipt would look like one of other programs, until they are examined. */
const indistinctIn = (
  { day, indistinct }: DayLeg.ComparedDay,
  lane: string,
  acknowledged: Acknowledged
): ReadonlyArray<NotCompared> => {
  if (indistinct.length === 0) return []
  const text = `a receipt of day ${day} would look like one of the other programs: ${DayLeg.listed(indistinct)}`
  const id = Notice.idOf({ subject: lane, code: "DAY_DIFFERS", detail: String(day), text })
  const who = acknowledged.get(id)
  const count = indistinct.length
  return [
    who === undefined
      ? { ...leftOut(count, text), id }
      : { count, because: `${text}; examined by ${who}`, is: "examined" }
  ]
}

const dayLeg = (
  days: ReadonlyArray<DayLeg.ComparedDay>,
  inOpenDay: number,
  lane: string,
  acknowledged: Acknowledged
): Leg => {
  const compared = days.filter(isCompared)
  const receipts = compared.reduce((sum, { claimed, proven }) => sum + claimed + proven, 0)
  const later = days.reduce((sum, { later }) => sum + later, 0)
  const mapped = compared.reduce((sum, { byMappings }) => sum + byMappings, 0)
  const among = compared.length === 1 ? "day" : "days"
  return {
    name: "store ↔ day reports",
    compared:
      compared.length === 0
        ? null
        : `${among} ${ranges(compared.map(({ day }) => day))}, ${plural(receipts, "receipt")}${mapped === 0 ? "" : `, the codes of ${mapped} by today's mappings`}`,
    notPossible: [
      ...(days.length === 0 ? [noDay] : []),
      ...days
        .filter((day) => !isCompared(day))
        .map(({ claimed, day, proven, standing }) =>
          leftOut(
            claimed + proven,
            `day ${day} ${typeof standing === "object" ? DayLeg.reasons[standing.notPossible] : "differs, and a document without an outcome may explain it"}`
          )
        ),
      ...(inOpenDay === 0 ? [] : [{ count: inOpenDay, because: "their day is not closed", is: "open-day" as const }]),
      ...(later === 0 ? [] : [leftOut(later, "made after a close that failed")]),
      ...days.flatMap((day) => indistinctIn(day, lane, acknowledged))
    ]
  }
}

const sourceLeg = (source: SourceFacts): Leg => {
  const name = "source ↔ store"
  if (source._tag === "NotRead") return { name, compared: null, notPossible: [leftOut(0, source.text)] }
  const { compared, documents, notKnown, skipped } = source
  const text = `${plural(compared, "document")} of the period are in both; ${source.name} has ${plural(documents, "document")}${skipped === 0 ? "" : `, and ${plural(skipped, "row")} without an issued document`}`
  const isEmpty = compared + source.added === 0
  return {
    name,
    compared: isEmpty ? null : text,
    notPossible: [
      ...(isEmpty ? [leftOut(0, "the source has no document of the period")] : []),
      ...Array.from(notKnown, ([because, numbers]) => leftOut(numbers.length, `${because} (${named(numbers, 10)})`))
    ]
  }
}

const numbersLeg = (
  ranges: ReadonlyArray<ReceiptNumbers.MissingRange>,
  days: ReadonlyArray<DayLeg.ComparedDay>
): Leg => {
  const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const text =
    count === 0 ? "none is missing between our receipts" : `${count} missing in ${plural(ranges.length, "range")}`
  return {
    name: "receipt numbers",
    compared: days.length === 0 ? null : text,
    notPossible: days.length === 0 ? [noDay] : []
  }
}

export const legs = (
  counted: Parameters<typeof gatewayLeg>[0] & { readonly inOpenDay: number },
  asked: AskedCounts,
  days: ReadonlyArray<DayLeg.ComparedDay>,
  ranges: ReadonlyArray<ReceiptNumbers.MissingRange>,
  source: SourceFacts | null,
  { lane }: Pick<LaneFacts, "lane">,
  acknowledged: Acknowledged
): ReadonlyArray<Leg> => [
  gatewayLeg(counted, asked),
  dayLeg(days, counted.inOpenDay, lane, acknowledged),
  numbersLeg(ranges, days),
  ...(source === null ? [] : [sourceLeg(source)])
]

/** Returns the device's sums by currency. `byDay`: receipts of the store by day and currency. */
export const deviceSums = (
  chains: ReadonlyMap<string, ReadonlyArray<Account.AccountLine>>,
  days: ReadonlyArray<DayLeg.ComparedDay>,
  byDay: ReadonlyMap<number, ReadonlyMap<string, Money.Money>>,
  failed: ReadonlySet<number>
): ReadonlyMap<string, DeviceSum> => {
  const seen = days.filter((one) => isCompared(one) && !failed.has(one.day))
  const compared = new Set(seen.map(({ day }) => day))
  const balances = seen.flatMap(({ comparison }) => comparison!.rows.filter(({ counter }) => counter === "Balance"))
  const currencies = new Set([...chains.keys(), ...balances.map(({ currency }) => currency)])
  const sumOf = (amounts: ReadonlyArray<Money.Money | null | undefined>) =>
    BigDecimal.sumAll(amounts.map((amount) => amount ?? Money.zero))
  return new Map(
    Array.from(currencies, (currency) => {
      const row = chains.get(currency)?.find(({ name }) => name === "receipts")
      const receipts = row === undefined ? Money.zero : Account.netOf(row)
      const reports = sumOf(balances.flatMap((one) => (one.currency === currency ? [one.device] : [])))
      const notCompared = sumOf(Array.from(byDay, ([day, sums]) => (compared.has(day) ? null : sums.get(currency))))
      const others = sumOf(
        seen.flatMap(({ others }) => others.flatMap((one) => (one.currency === currency ? [one.sum] : [])))
      )
      const left = BigDecimal.subtract(BigDecimal.subtract(reports, others), BigDecimal.subtract(receipts, notCompared))
      return [currency, { reports, notCompared, others, left }]
    })
  )
}
