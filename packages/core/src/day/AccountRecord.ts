/** The record of written reports: their figures are kept, so that a later change is stated. */
import { BigDecimal, DateTime, Effect, Option } from "effect"
import { zoneOfPin } from "../account/PinnedZone.ts"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { RecordedDecision } from "../submission/OperatorRecord.ts"
import { isOfSource, type State } from "../submission/Submission.ts"
import type { ChangedDocument } from "../submission/SubmissionQuery.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Account from "./Account.ts"
import * as Receipts from "./Receipts.ts"
import { named, type Reconciliation } from "./Reconciliation.ts"

/** Subject of a report in the record of decisions. */
export const subjectOf = ({ from, to }: Account.Period): string => `report of ${from} to ${to}`

export interface ReportedPeriod {
  readonly report: RecordedDecision
  readonly to: CivilDate.CivilDate
  /** Last fiscal day that was closed by the end of the period. Null if none was known. */
  readonly closedUpTo: number | null
}

/** Reads the record of a report. Undefined if a period or its days are not readable. */
export const periodOf = (report: RecordedDecision): ReportedPeriod | undefined => {
  const to = Option.getOrUndefined(CivilDate.parse(report.subject.split(" to ")[1] ?? ""))
  const day = /^closed up to day (\d+|none)$/.exec(report.what.split(" | ")[3] ?? "")?.[1]
  return to === undefined || day === undefined
    ? undefined
    : { report, to, closedUpTo: day === "none" ? null : Number(day) }
}

const reportedOn = ({ at, who }: RecordedDecision, zone: DateTime.TimeZone): string =>
  `reported on ${CivilDate.inZone(at, zone)} by ${who}`

type ReportedPlace = "absent" | "carried-out" | "ended" | "receipts"

/**
 * Returns the place of a changed document before and after the session. A receipt in a later day
 * changes nothing: the document was, and is, carried out.
 */
const placesOf = (
  { before, requests }: ChangedDocument,
  { closedUpTo }: ReportedPeriod,
  repeated: ReadonlySet<string>
): readonly [ReportedPlace, ReportedPlace] => {
  const { receipts } = Receipts.ofDocument(requests, requests.lane, repeated)
  const isWithin = receipts.some(({ day }) => day !== null && closedUpTo !== null && day <= closedUpTo)
  const placeOf = (state: State): ReportedPlace =>
    Account.endedBy(state) !== null || (state === "Fiscalised" && receipts.length === 0) ? "ended" : "carried-out"
  const now = isWithin ? "receipts" : placeOf(requests.state)
  // a document with a receipt keeps its place: what is found about it is a contradiction
  return [before === null ? "absent" : before === "Fiscalised" ? now : placeOf(before), now]
}

const listWords: Readonly<Record<Exclude<ReportedPlace, "absent">, string>> = {
  "carried-out": "its carried list",
  ended: "its documents without a receipt",
  receipts: "its receipts"
}

/** States what a session changed in a reported period. Null if nothing did. */
export const changedBy = (
  period: ReportedPeriod,
  documents: ReadonlyArray<ChangedDocument>,
  repeated: ReadonlySet<string>,
  zone: DateTime.TimeZone
): string | null => {
  const lists = new Map<string, { sum: Money.Money; readonly numbers: Array<string> }>()
  const numbersOf = (isFound: (code: string) => boolean) =>
    documents.filter(({ found }) => found.some(isFound)).map(({ requests }) => requests.number)
  for (const document of documents) {
    const { currency, requests, total } = document
    const [was, is] = placesOf(document, period, repeated)
    if (was === is) continue
    for (const place of [was, is]) {
      if (place === "absent") continue
      const list = `${listWords[place]} by ${currency}`
      const own = lists.get(list) ?? { sum: Money.zero, numbers: [] }
      lists.set(list, own)
      const isMore = (requests.kind === "invoice") === (place === is)
      own.sum = (isMore ? BigDecimal.sum : BigDecimal.subtract)(own.sum, total)
      own.numbers.push(requests.number)
    }
  }
  const [stated, contradicted] = [numbersOf(isOfSource), numbersOf((code) => !isOfSource(code))]
  const changes = [
    ...Array.from(lists, ([list, { numbers, sum }]) => `${list} ${Money.formatAmount(sum)} (${named(numbers, 10)})`),
    ...(stated.length === 0 ? [] : [`what the source states of ${named(stated, 10)}`]),
    ...(contradicted.length === 0 ? [] : [`the receipts of ${named(contradicted, 10)}`])
  ]
  const { report } = period
  return changes.length === 0
    ? null
    : `The ${report.subject.replace("report of", "period")} was ${reportedOn(report, zone)}; this changes ${changes.join(", ")}.`
}

/** Returns what changed in the reports after the position of the store, in words. */
export const changedAfter = (
  reports: ReadonlyArray<RecordedDecision>,
  position: number
): Effect.Effect<ReadonlyArray<string>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const texts = yield* Effect.forEach(reports, (report) =>
      Effect.gen(function* () {
        const pin = Option.getOrNull(yield* store.pinOf(report.account ?? ""))
        const period = periodOf(report)
        if (pin === null) return null
        if (period === undefined) return `It is not known if this changes the ${report.subject}.`
        const changed = yield* store.changedAfter(pin.lane, period.to, position)
        const repeated = yield* store.repeatedCodes(pin.lane)
        return changedBy(period, changed, repeated, zoneOfPin(pin) ?? DateTime.zoneMakeOffset(0))
      })
    )
    return texts.filter((text) => text !== null)
  })

/** States the figures that a report records: the same text is the same account. */
const figuresIn = ({ chains, closing, deviceSums }: Reconciliation): string =>
  [
    ...Array.from(chains ?? [], ([currency, rows]) => {
      const of = (name: Account.RowName) => Money.formatAmount(Account.netOf(rows.find((row) => row.name === name)!))
      const left = Money.formatAmount(deviceSums.get(currency)!.left)
      return `${currency}: issued ${of("issued")}, receipts ${of("receipts")}, carried in ${of("carried-in")}, carried out ${of("carried-out")}, left ${left}`
    }),
    `${closing.length} carried out`
  ].join("; ")

const sharesIn = ({ chains }: Reconciliation): string =>
  Array.from(chains ?? [], ([currency, rows]) =>
    rows.flatMap(({ name, shares }) =>
      shares.map(
        ({ device, gross, kind, tax }) =>
          `${currency} ${Account.rows[name].words} ${kind} ${device ?? "not known"}: ${Money.formatAmount(gross)}, tax ${Money.formatAmount(tax)}`
      )
    )
  )
    .flat()
    .toSorted()
    .join("; ")

/** States what changed since the last report of the period. Null if nothing did. */
export const changedSince = (found: Reconciliation): string | null => {
  const { reported, zone } = found
  if (reported === null) return null
  // a report of an earlier version has no shares
  const [before = "", , shares] = reported.what.split(" | ")
  const [now, ofTaxes] = [figuresIn(found), sharesIn(found)]
  const by = `The period was ${reportedOn(reported, zone)}`
  if (before !== now) return `${by}: ${before}. Now: ${now}.`
  if (shares === undefined || shares === ofTaxes) return null
  const [was, is] = [shares, ofTaxes].map((text) => text.split("; "))
  const gone = was!.filter((one) => !is!.includes(one))
  const come = is!.filter((one) => !was!.includes(one))
  return `${by}. Since then the amounts of taxes changed. Reported: ${gone.join("; ") || "none"}. Now: ${come.join("; ") || "none"}.`
}

/** Records that a report was written, with its figures and hash. */
export const recordReport = (found: Reconciliation, sha256: string): Effect.Effect<void, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    store.recordDecision(
      {
        act: "report",
        account: found.account,
        subject: subjectOf(found.period),
        what: `${figuresIn(found)} | sha256 ${sha256} | ${sharesIn(found)} | closed up to day ${found.closedUpTo ?? "none"}`,
        because: null
      },
      "each"
    )
  )

/** Returns the decisions of the period, by the days of the zone. */
export const within = (
  decisions: ReadonlyArray<RecordedDecision>,
  { from, to }: Account.Period,
  zone: DateTime.TimeZone
): ReadonlyArray<RecordedDecision> =>
  decisions.filter(({ at }) => {
    const day = CivilDate.inZone(at, zone)
    return day >= from && day <= to
  })
