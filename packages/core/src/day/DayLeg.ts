/**
 * The comparison of a device's fiscal days with the receipts of the store, and the causes of each
 * difference. Pure. Figures only suggest a cause; only a proof proves one. A document that could
 * explain a difference never makes the difference smaller.
 */
import { BigDecimal, DateTime } from "effect"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import type { State } from "../submission/Submission.ts"
import type { OtherPrograms } from "../submission/SubmissionQuery.ts"
import type { Candidate, DayReceipt, DayReceipts, DayTimes, SentDocument } from "./Receipts.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"
import * as ZReportComparison from "./ZReportComparison.ts"
import { ZReportFinding } from "./ZReportFinding.ts"

/**
 * How well a cause is shown. `proven`: by a proof. `fits`: one cause alone equals the difference in
 * every counter and in the number of missing receipt numbers. `possible`: several do, or two
 * together. `unexplained`: none does.
 */
export type Grade = "proven" | "fits" | "possible" | "unexplained"

export type CauseName =
  | "second-receipt"
  | "not-fiscalised-here"
  | "claimed-without-receipt"
  | "another-day"
  | "another-tax"
  | "another-payment"
  /** A receipt of the day that could not be counted. */
  | "not-placed"

export interface Suspect {
  readonly cause: CauseName
  readonly account: string
  readonly number: string
  readonly because: string
}

export interface DayDifference {
  readonly currency: string
  readonly counters: string
  /** Balance of the device less the store's. */
  readonly amount: Money.Money
  readonly grade: Grade
  /** Documents of the causes. For `unexplained`: documents that may have an unknown receipt. */
  readonly suspects: ReadonlyArray<Suspect>
}

export type NotPossible =
  /** The device has not closed the day. */
  | "open"
  /** The report has no counters. */
  | "no-counters"
  /** The day may have been closed before the store had its first document. */
  | "before-store"
  /** The close failed at an unknown time, so that later receipts cannot be left out. */
  | "time-of-failure"

export interface ComparedDay {
  readonly day: number
  /** `awaited`: a document without an outcome may explain the difference. */
  readonly standing: "agrees" | "differs" | "awaited" | { readonly notPossible: NotPossible }
  readonly comparison: ZReportComparison.ZReportComparison | null
  readonly differences: ReadonlyArray<DayDifference>
  readonly proven: number
  readonly claimed: number
  readonly byMappings: number
  readonly missing: ReadonlyArray<ReceiptNumbers.MissingRange>
  readonly others: ReadonlyArray<OtherReceipts>
  /** Documents of which a receipt would look like one of the other programs: not compared. */
  readonly indistinct: ReadonlyArray<Suspect>
  /** The most that these documents have in the currency. Null if it is not known. */
  readonly mostOf: (currency: string) => Money.Money | null
  /** Receipts sent after a failed close, which the report cannot contain. */
  readonly later: number
}

export interface Day extends DayReceipts {
  readonly times: DayTimes
  readonly report: ZReport | null
}

export interface DayFacts {
  /** Today's meaning of a document's codes, if it was not kept. Null if it is not known. */
  readonly meant: (account: string, document: UndatedDocument) => CodeMeaning | null
  /** Time of the store's first document. Null if the store has none. */
  readonly first: DateTime.DateTime | null
  /** Statement of an operator about other programs on the device. Null if there is none. */
  readonly otherPrograms: OtherPrograms | null
}

export interface OtherReceipts {
  readonly currency: string
  readonly sum: Money.Money
}

interface Measured {
  readonly day: Day
  readonly percents: ReturnType<typeof ZReportComparison.percentsOf>
  readonly comparison: ZReportComparison.ZReportComparison
}

/** A change of the counters and of the missing receipt numbers that would explain a difference. */
interface CounterChange {
  readonly suspect: Suspect
  readonly vector: ZReportComparison.Vector
  readonly missing: number
  /** `stated`: the gateway named a receipt of the day beside a failure. */
  readonly proof: "none" | "stated"
}

const awaited: ReadonlySet<State> = new Set(["Accepted", "Sending"])

interface DayFigures<A> {
  readonly of: A
  readonly own: ZReportComparison.CounterFigures
}

interface DifferenceCase extends Measured {
  readonly currency: string
  readonly receipts: ReadonlyArray<DayFigures<DayReceipt>>
  readonly candidates: ReadonlyArray<DayFigures<Candidate>>
  readonly others: ReadonlyArray<
    Pick<DifferenceCase, "day" | "percents" | "receipts"> & { readonly difference: ZReportComparison.Vector }
  >
}

type ReceiptOrCandidate = DayReceipt | Candidate

const change = (
  cause: CauseName,
  { account, number }: ReceiptOrCandidate,
  because: string,
  vector: ZReportComparison.Vector,
  missing: number,
  proof: CounterChange["proof"] = "none"
): CounterChange => ({ suspect: { cause, account, number, because }, vector, missing, proof })

const further =
  (receipt: Candidate["receipt"], cause: CauseName, because: (of: Candidate) => string) =>
  ({ candidates, day, percents }: DifferenceCase): ReadonlyArray<CounterChange> =>
    candidates.flatMap(({ of, own }) => {
      if (of.receipt !== receipt) return []
      const proof = of.statedDay === day.times.day ? "stated" : "none"
      return [change(cause, of, because(of), ZReportComparison.vectorOf(own, percents), 1, proof)]
    })

/** A receipt without a number is expected to have one of the missing numbers. */
const numbered = ({ receiptNumber }: DayReceipt): number => (receiptNumber === null ? 1 : 0)

const claimed = ({ percents, receipts }: DifferenceCase): ReadonlyArray<CounterChange> =>
  receipts.flatMap(({ of, own }) => {
    if (of.by !== "operator") return []
    const less = ZReportComparison.negated(ZReportComparison.vectorOf(own, percents))
    return [change("claimed-without-receipt", of, "an operator stated that it was fiscalised", less, -numbered(of))]
  })

/** Both days must fit: what one of them lacks, the other has. */
const anotherDay = ({ day, others, percents, receipts }: DifferenceCase): ReadonlyArray<CounterChange> =>
  others.flatMap((other) => [
    ...receipts.flatMap(({ of, own }) => {
      if (!ZReportComparison.areEqual(other.difference, ZReportComparison.vectorOf(own, other.percents))) return []
      const less = ZReportComparison.negated(ZReportComparison.vectorOf(own, percents))
      return [change("another-day", of, `counted in fiscal day ${other.day.times.day}`, less, -numbered(of))]
    }),
    ...other.receipts.flatMap(({ of, own }) => {
      const less = ZReportComparison.negated(ZReportComparison.vectorOf(own, other.percents))
      if (!ZReportComparison.areEqual(other.difference, less)) return []
      const because = `counted in fiscal day ${day.times.day} instead of ${other.day.times.day}`
      return [change("another-day", of, because, ZReportComparison.vectorOf(own, percents), numbered(of))]
    })
  ])

const instead = (
  { own }: DayFigures<DayReceipt>,
  as: ZReportComparison.CounterFigures,
  percents: DifferenceCase["percents"]
): ZReportComparison.Vector =>
  ZReportComparison.combine(
    ZReportComparison.vectorOf(as, percents),
    ZReportComparison.negated(ZReportComparison.vectorOf(own, percents))
  )

const anotherTax = ({ percents, receipts }: DifferenceCase): ReadonlyArray<CounterChange> =>
  receipts.flatMap((receipt) =>
    [...receipt.own.taxes.keys()].flatMap((from) =>
      [...percents.keys()].flatMap((to) => {
        const as = to === from ? undefined : ZReportComparison.withTax(receipt.own, from, to, percents)
        const because = `counted under tax ${to} instead of ${from}`
        return as === undefined ? [] : [change("another-tax", receipt.of, because, instead(receipt, as, percents), 0)]
      })
    )
  )

const anotherPayment = ({ day, percents, receipts }: DifferenceCase): ReadonlyArray<CounterChange> => {
  const payments = new Set((day.report?.summaries ?? []).flatMap(({ paymentMethod }) => paymentMethod ?? []))
  return receipts.flatMap((receipt) => {
    const { payment: stated } = receipt.own
    const others = stated === null ? [] : [...payments].filter((payment) => payment !== stated)
    return others.map((payment) =>
      change(
        "another-payment",
        receipt.of,
        `counted as ${payment} instead of ${stated}`,
        instead(receipt, { ...receipt.own, payment }, percents),
        0
      )
    )
  })
}

const causes: ReadonlyArray<{
  /** `pairs`: two of these together are tried. */
  readonly tried: "alone" | "pairs"
  readonly changes: (difference: DifferenceCase) => ReadonlyArray<CounterChange>
}> = [
  { tried: "pairs", changes: further("second", "second-receipt", () => "a second receipt of it") },
  { tried: "pairs", changes: further("only", "not-fiscalised-here", ({ state }) => state) },
  { tried: "pairs", changes: claimed },
  { tried: "alone", changes: anotherDay },
  { tried: "alone", changes: anotherTax },
  { tried: "alone", changes: anotherPayment }
]

/** More changes than this are not paired, and then no single one is named alone. */
const mostPaired = 200

/** Documents that a difference names at most. */
const mostNamed = 20

const missingOf = (set: ReadonlyArray<CounterChange>): number => set.reduce((all, { missing }) => all + missing, 0)

/** Changes that equal the difference: each set is a single change or a pair. */
const explanations = (
  difference: ZReportComparison.Vector,
  single: ReadonlyArray<CounterChange>,
  paired: ReadonlyArray<CounterChange>,
  missing: ReceiptNumbers.MissingNumbers
): ReadonlyArray<ReadonlyArray<CounterChange>> => {
  const pairs = paired.flatMap((a, n) => paired.slice(n + 1).map((b): ReadonlyArray<CounterChange> => [a, b]))
  return [...single.map((one) => [one]), ...pairs].filter(
    (set) =>
      ReceiptNumbers.permits(missing, missingOf(set)) &&
      ZReportComparison.areEqual(difference, set.map(({ vector }) => vector).reduce(ZReportComparison.combine))
  )
}

const notPlaced =
  (unplaced: ReadonlyArray<string>) =>
  ({ account, number }: DayReceipt): ReadonlyArray<Suspect> =>
    unplaced.includes(number)
      ? [{ cause: "not-placed", account, number, because: "its codes have no known tax of the device" }]
      : []

const nameOf = ({ suspect: { account, because, cause, number } }: CounterChange) =>
  JSON.stringify([account, number, cause, because])

const once = (changes: ReadonlyArray<CounterChange>): ReadonlyArray<Suspect> =>
  new Map(changes.map((one) => [nameOf(one), one.suspect])).values().toArray()

/** `several currencies`: the missing numbers of the day may be of another currency. */
const explained = (
  { text: counters, vector }: ZReportComparison.CounterDifference,
  own: DifferenceCase,
  among: "one currency" | "several currencies"
): DayDifference => {
  const { currency } = own
  const amount = ZReportComparison.balanceOf(vector)
  const tried = causes.map(({ changes, tried }) => ({ tried, changes: changes(own) }))
  const some = tried.flatMap(({ changes, tried }) => (tried === "pairs" ? changes : []))
  const paired = some.length > mostPaired ? [] : some
  const missing = among === "one currency" ? own.day.missing : ReceiptNumbers.notKnown
  const single = tried.flatMap(({ changes }) => changes)
  const found = explanations(vector, single, paired, missing)
  if (found.length === 0) {
    const suspects = [...once(some), ...own.day.receipts.flatMap(notPlaced(own.comparison.unplaced))]
    return { currency, counters, amount, grade: "unexplained", suspects }
  }
  const stated = found.filter((set) => set.every(({ proof }) => proof === "stated"))
  if (stated.length === 1) return { currency, counters, amount, grade: "proven", suspects: once(stated.flat()) }
  const suspects = once(found.flat())
  const isOne = suspects.length === 1 && found.every((set) => set.length === 1)
  const isNumber = ReceiptNumbers.areExactly(missing, missingOf(found[0]!))
  const isAlone = isOne && isNumber && paired.length === some.length
  return { currency, counters, amount, grade: isAlone ? "fits" : "possible", suspects }
}

const figured = <A extends ReceiptOrCandidate>(
  all: ReadonlyArray<SentDocument<A>>,
  currency: string,
  facts: DayFacts
) =>
  all.flatMap((of): ReadonlyArray<DayFigures<A>> => {
    const own = ZReportComparison.figuresOf(placed(of, facts))
    return own?.currency === currency ? [{ of, own }] : []
  })

const caseOf = (
  own: Measured,
  currency: string,
  measured: ReadonlyArray<Measured>,
  facts: DayFacts
): DifferenceCase => ({
  ...own,
  currency,
  receipts: figured(own.day.receipts, currency, facts),
  candidates: figured(own.day.candidates, currency, facts),
  others: measured.flatMap((other) => {
    const difference = other.comparison.differences.find((one) => one.currency === currency)?.vector
    if (other === own || difference === undefined) return []
    return [{ ...other, difference, receipts: figured(other.day.receipts, currency, facts) }]
  })
})

const placed = <A extends ReceiptOrCandidate>(
  { account, document, meaning }: SentDocument<A>,
  { meant }: DayFacts
) => ({
  document,
  meaning: meaning ?? meant(account, document)
})

const mayBeOlder = ({ receipts, times: { until } }: Day, first: DayFacts["first"]): boolean =>
  receipts.length === 0 &&
  until !== null &&
  first !== null &&
  // a report states its close in whole seconds
  DateTime.startOf(until, "second").epochMilliseconds <= first.epochMilliseconds

const notPossibleIn = (day: Day, { first }: DayFacts): NotPossible | null => {
  if (day.report === null) return "open"
  if (day.report.summaries === null) return "no-counters"
  return mayBeOlder(day, first) ? "before-store" : null
}

export const compare = (days: ReadonlyArray<Day>, facts: DayFacts): ReadonlyArray<ComparedDay> => {
  const measured = days.flatMap((day): ReadonlyArray<Measured> => {
    if (day.report === null || day.report.summaries === null) return []
    const documents = day.receipts.map((receipt) => placed(receipt, facts))
    const comparison = ZReportComparison.compare(day.report, documents)
    return [{ day, comparison, percents: ZReportComparison.percentsOf(day.report) }]
  })
  return days.map((day): ComparedDay => {
    const own = measured.find((one) => one.day === day)
    const proven = day.receipts.filter(({ by }) => by === "proof").length
    const byMappings = day.receipts.filter(({ meaning }) => meaning === null).length
    const counts = { proven, claimed: day.receipts.length - proven, byMappings, later: day.later, missing: day.ranges }
    const none = { differences: [], others: [], indistinct: [], mostOf: mostIn(day, facts) }
    const counted = { day: day.times.day, comparison: own?.comparison ?? null, ...counts, ...none }
    const reason = notPossibleIn(day, facts)
    if (reason !== null || own === undefined) return { ...counted, standing: { notPossible: reason ?? "no-counters" } }
    const isShared = facts.otherPrograms?.stated === "others"
    const theirs = isShared ? own.comparison.differences.filter((one) => canBeOthers(one, day)) : []
    const differences = own.comparison.differences.filter((one) => !theirs.includes(one))
    const others = theirs.map(({ currency, vector }) => ({ currency, sum: ZReportComparison.balanceOf(vector) }))
    const seen = { ...counted, others, indistinct: others.length === 0 ? [] : indistinctIn(day) }
    if (differences.length === 0) return { ...seen, standing: "agrees" }
    if (day.times.close !== "closed" && day.times.until === null)
      return { ...seen, standing: { notPossible: "time-of-failure" } }
    const among = differences.length === 1 ? "one currency" : "several currencies"
    return {
      ...seen,
      standing: day.candidates.some(({ state }) => awaited.has(state)) ? "awaited" : "differs",
      differences: differences.map((difference) =>
        explained(difference, caseOf(own, difference.currency, measured, facts), among)
      )
    }
  })
}

/**
 * True if receipts of other programs can be the difference: no counter of sales is below the
 * store's, no counter of credits is above, and a receipt number may be missing.
 */
const canBeOthers = ({ vector }: ZReportComparison.CounterDifference, { missing }: Day): boolean =>
  missing.most >= 1 &&
  ZReportComparison.countersIn(vector).every(({ amount, counter }) =>
    /^(?:Sale|DebitNote)/.test(counter)
      ? !BigDecimal.isNegative(amount)
      : !counter.startsWith("CreditNote") || !BigDecimal.isPositive(amount)
  )

const indistinctIn = ({ candidates, receipts }: Day): ReadonlyArray<Suspect> => [
  ...receipts.flatMap(({ account, by, number }): ReadonlyArray<Suspect> =>
    by === "operator"
      ? [{ cause: "claimed-without-receipt", account, number, because: "an operator stated that it was fiscalised" }]
      : []
  ),
  ...candidates.flatMap(({ account, number, receipt, state }): ReadonlyArray<Suspect> =>
    receipt === "second"
      ? [{ cause: "second-receipt", account, number, because: "more than one request" }]
      : [{ cause: "not-fiscalised-here", account, number, because: state }]
  )
]

const mostIn = ({ candidates, receipts }: Day, facts: DayFacts): ComparedDay["mostOf"] => {
  const own = [...candidates, ...receipts.filter(({ by }) => by === "operator")].map((one) =>
    ZReportComparison.figuresOf(placed(one, facts))
  )
  return (currency) =>
    own.reduce<Money.Money | null>((sum, figures) => {
      if (sum === null || figures === undefined) return null
      return figures.currency === currency ? BigDecimal.sum(sum, figures.total) : sum
    }, Money.zero)
}

export const listed = (suspects: ReadonlyArray<Suspect>): string => {
  const names = suspects.slice(0, mostNamed).map(({ because, number }) => `${number} (${because})`)
  return `${names.join(", ")}${suspects.length > mostNamed ? ` and ${suspects.length - mostNamed} others` : ""}`
}

/** States the causes of a difference in words. A cause that only fits is worded as that. */
export const wordsOf = ({ grade, suspects }: DayDifference): string => {
  switch (grade) {
    case "proven":
      return `The gateway stated a receipt of this day for ${listed(suspects)}, with exactly these figures`
    case "fits":
      return `The difference has exactly the figures of ${listed(suspects)}; look it up`
    case "possible":
      return `Documents that can explain it: ${listed(suspects)}`
    case "unexplained":
      return suspects.length === 0
        ? "No document of the store can explain it: another program may use the device"
        : `No cause has exactly these figures. Documents to look up: ${listed(suspects)}`
  }
}

const titleOf = (day: number, { currency }: DayDifference): string =>
  `fiscal day ${day}, ${currency || "no currency"}: the counters differ from the store`

const detailOf = (difference: DayDifference): string => `${difference.counters}. ${wordsOf(difference)}`

/** States the differences of a day in words. The same text is the same difference. */
export const textOf = ({ day, differences }: Pick<ComparedDay, "day" | "differences">): string =>
  differences.map((difference) => `${titleOf(day, difference)}: ${detailOf(difference)}`).join(". ")

export const findingsOf = ({ comparison, day, differences, standing }: ComparedDay): ReadonlyArray<Finding.Finding> => {
  const unplaced = comparison?.unplaced ?? []
  return [
    ...(typeof standing === "object" ? [] : differences).map((difference) =>
      Finding.make(ZReportFinding.DAY_DIFFERS, {
        message: titleOf(day, difference),
        detail: detailOf(difference)
      })
    ),
    ...(unplaced.length === 0
      ? []
      : [
          Finding.make(ZReportFinding.Z_REPORT_UNPLACED, {
            detail: `${unplaced.slice(0, 10).join(", ")}${unplaced.length > 10 ? ", …" : ""}`
          })
        ])
  ]
}

export const reasons: Readonly<Record<NotPossible, string>> = {
  open: "because it is open",
  "no-counters": "because its report has no counters",
  "before-store": "because it was closed before the store had its first document",
  "time-of-failure": "because the report does not state when the close failed"
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

export const extentOf = (compared: ComparedDay): string => {
  const { byMappings, claimed, indistinct, later, missing, others, proven, standing } = compared
  const count = proven + claimed
  if (typeof standing === "object")
    return `Not possible, ${reasons[standing.notPossible]} (${plural(count, "receipt")}).`
  const parts = [
    `Beside ${plural(count, "document")} that the store has for this day.`,
    ...(claimed === 0
      ? []
      : [`Only an operator stated that ${claimed} of them ${claimed === 1 ? "is" : "are"} fiscalised.`]),
    ...(byMappings === 0 ? [] : [`The codes of ${byMappings} are read by today's mappings.`]),
    ...others.map(({ currency, sum }) => `Receipts of other programs: ${currency} ${Money.formatAmount(sum)}.`),
    ...(indistinct.length === 0
      ? []
      : [`Not compared, because a receipt would look like one of theirs: ${listed(indistinct)}.`]),
    ...(missing.length === 0 ? [] : [ReceiptNumbers.listed(missing)]),
    ...(later === 0 ? [] : [`Not compared: ${plural(later, "receipt")} made after the close failed.`])
  ]
  return parts.join(" ")
}
