/**
 * The closed fiscal days, each checked alone and compared with the documents that the store counts
 * as fiscalized.
 */
import { BigDecimal, DateTime, Duration, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Destination from "../account/Destination.ts"
import type { Finding } from "../finding/Finding.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import * as DayClose from "../gateway/DayClose.ts"
import * as LocalDateTime from "../gateway/operation/LocalDateTime.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import type { OtherPrograms, ReceiptQueries } from "../submission/SubmissionQuery.ts"
import * as DayLeg from "./DayLeg.ts"
import * as Receipts from "./Receipts.ts"
import { type CounterRow, type DayCodes, meaningBy } from "./ZReportComparison.ts"
import * as ZReportIdentities from "./ZReportIdentities.ts"

export interface FiscalDays {
  readonly days: ReadonlyArray<ZReport>
  readonly findings: ReadonlyArray<Finding>
}

export interface FiscalDay {
  /** Has only its number if the day is open. */
  readonly day: ZReport
  readonly compared: DayLeg.ComparedDay | null
  /** Statement of an operator about other programs on the device. Null if there is none. */
  readonly otherPrograms: OtherPrograms | null
  readonly findings: ReadonlyArray<Finding>
  readonly taxNames: ReadonlyMap<number, string>
}

/** Balance of days in one currency. Null where the device or the store states none. */
export interface DayBalance {
  readonly currency: string
  readonly device: Money.Money | null
  readonly store: Money.Money | null
}

/** Returns the counters of a day, compared with the store if the day could be compared. */
export const countersOf = ({ compared, day }: FiscalDay): ReadonlyArray<CounterRow> =>
  compared?.comparison?.rows ??
  (day.summaries ?? []).map(({ amount, counterType, currency, paymentMethod, taxId }) => ({
    counter: counterType,
    currency: currency ?? "",
    tax: taxId,
    payment: paymentMethod,
    device: amount,
    store: null
  }))

/** Returns the balances of compared days together, by currency. */
export const balancesOf = (...days: ReadonlyArray<FiscalDay>): ReadonlyArray<DayBalance> => {
  const all = days.flatMap(({ compared }) => compared?.comparison?.rows ?? [])
  const rows = all.filter(({ counter }) => counter === "Balance")
  return Array.from(
    Map.groupBy(rows, ({ currency }) => currency),
    ([currency, all]) => {
      const sum = (of: "device" | "store") =>
        all.some((row) => row[of] !== null) ? BigDecimal.sumAll(all.map((row) => row[of] ?? Money.zero)) : null
      return { currency, device: sum("device"), store: sum("store") }
    }
  )
}

export const list = (
  gateway: Pick<GatewayOperations, "allZReports">,
  sinceDay: number | undefined
): Effect.Effect<FiscalDays, GatewayError> =>
  Effect.map(Stream.runCollect(gateway.allZReports({ sinceDay })), (days) => ({
    days,
    findings: days.flatMap(ZReportIdentities.check)
  }))

type DayOperations = Pick<
  GatewayOperations,
  "zReport" | "zReports" | "fiscalDevice" | "taxMappings" | "currencyMappings"
>

/** Reads the report of a day. Null if the gateway does not have one: the day may be open. */
export const reportOf = (gateway: Pick<GatewayOperations, "zReport">, day: number) =>
  Effect.map(
    Effect.catchReason(gateway.zReport(day), "GatewayError", "NotFound", () => Effect.succeed(null)),
    (report): ZReport | null => report && { ...report, fiscalDayNumber: report.fiscalDayNumber ?? day }
  )

const openDay = (fiscalDayNumber: number): ZReport => ({
  openedAt: null,
  closedAt: null,
  fiscalDayNumber,
  summaries: null,
  message: null,
  isSuccess: null,
  unknownFields: {}
})

export type DayStore = ReceiptQueries & Pick<SubmissionStoreOperations, "list" | "explain" | "pinOf">

/**
 * Reads one day and compares the day with the receipts of all accounts of the device, if `store` is
 * given. `others`: further accounts of the configuration. Returns null if neither the gateway nor
 * the store knows the day.
 */
export const one = (
  gateway: DayOperations,
  settings: Pick<AccountSettings, "account" | "assumptions" | "zone">,
  others: ReadonlyArray<AccountSettings>,
  store: DayStore | undefined,
  number: number
): Effect.Effect<FiscalDay | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const report = yield* reportOf(gateway, number)
    const day = report ?? openDay(number)
    const found = ZReportIdentities.check(day)
    const device = yield* gateway.fiscalDevice
    const taxNames = namesOf(device)
    if (store === undefined) return report && { day, compared: null, findings: found, taxNames, otherPrograms: null }
    const pin = Option.getOrNull(yield* store.pinOf(settings.account))
    const { lane } = Destination.of(settings.account, device, pin?.environment ?? (device.isLive ? "live" : "test"))
    const { items } = yield* DayClose.reports(gateway)
    const times = timesOf([...items, day], zoneOfAccount(settings, pin)).filter(
      ({ day }) => Math.abs(day - number) <= 1
    )
    const receipts = yield* Receipts.of(store, lane, times)
    if (report === null && (yield* receipts.inDay(number)).receipts.length === 0) return null
    const otherPrograms = yield* store.otherPrograms(lane)
    const asked = {
      facts: { first: yield* firstAt(store, lane), otherPrograms },
      accounts: [{ account: settings.account, gateway }, ...others],
      reportOf: (day: number) => (day === number ? Effect.succeed(report) : reportOf(gateway, day))
    }
    const ownOf = (times: ReadonlyArray<Receipts.DayTimes>) =>
      Effect.map(compare(times, receipts, asked), (days) => days.find(({ day }) => day === number)!)
    const alone = yield* ownOf(times.filter(({ day }) => day === number))
    const compared = alone.differences.length === 0 ? alone : yield* ownOf(times)
    return { day, compared, findings: [...found, ...DayLeg.findingsOf(compared)], taxNames, otherPrograms }
  })

export interface Comparing {
  readonly facts: Omit<DayLeg.DayFacts, "meant">
  readonly accounts: ReadonlyArray<Mapping>
  readonly reportOf: (day: number) => Effect.Effect<ZReport | null, GatewayError>
}

export const todaysCodes = (accounts: ReadonlyArray<Mapping>) => {
  const codes = new Map<string, DayCodes>()
  return {
    learn: (
      documents: ReadonlyArray<Pick<Receipts.SentDocument<Receipts.DayReceipt>, "account" | "meaning">>
    ): Effect.Effect<void, GatewayError> =>
      Effect.gen(function* () {
        const unknown = new Set(documents.flatMap(({ account, meaning }) => (meaning === null ? [account] : [])))
        for (const { account, gateway } of accounts) {
          if (!unknown.has(account) || codes.has(account)) continue
          codes.set(account, yield* Effect.all({ taxes: gateway.taxMappings, currencies: gateway.currencyMappings }))
        }
      }),
    /** Returns today's meaning of a document's codes. Null if it is not known. */
    meant: (account: string, document: UndatedDocument): CodeMeaning | null => {
      const mapped = codes.get(account)
      return mapped === undefined ? null : meaningBy(document, mapped)
    }
  }
}

/**
 * Compares days one at a time, so that the documents of one day are in memory. Days that differ are
 * compared again together: a receipt of one may be counted in another.
 */
export const compare = (
  days: ReadonlyArray<Receipts.DayTimes>,
  receipts: Pick<Receipts.LaneReceipts, "inDay">,
  { accounts, facts, reportOf }: Comparing
): Effect.Effect<ReadonlyArray<DayLeg.ComparedDay>, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const codes = todaysCodes(accounts)
    const reports = new Map<number, ZReport | null>()
    const all: DayLeg.DayFacts = { ...facts, meant: codes.meant }
    const read = (times: Receipts.DayTimes): Effect.Effect<DayLeg.Day, GatewayError | StoreError> =>
      Effect.gen(function* () {
        const own = yield* receipts.inDay(times.day)
        yield* codes.learn([...own.receipts, ...own.candidates])
        if (!reports.has(times.day)) reports.set(times.day, yield* reportOf(times.day))
        const report = reports.get(times.day)!
        // closed since its times were read: the counters are later than the times
        return { ...own, times, report: times.close === "failed" && report?.isSuccess ? null : report }
      })
    const compared = new Map<number, DayLeg.ComparedDay>()
    const add = (given: ReadonlyArray<DayLeg.Day>) => {
      for (const one of DayLeg.compare(given, all)) compared.set(one.day, one)
    }
    for (const times of days) add([yield* read(times)])
    const differing = days.filter(({ day }) => compared.get(day)!.differences.length > 0)
    if (differing.length > 1) add(yield* Effect.forEach(differing, read))
    return days.map(({ day }) => compared.get(day)!)
  })

/**
 * Returns the time of the store's first document for the device. Null if the store has no document
 * for the device.
 */
export const firstAt = (store: DayStore, lane: string): Effect.Effect<DateTime.Utc | null, StoreError> =>
  Effect.gen(function* () {
    const [first] = yield* store.list({ lane, limit: 1 })
    if (first === undefined) return null
    const found = yield* store.explain(first)
    return Option.isSome(found) ? (found.value.timeline[0]?.at ?? null) : null
  })

const namesOf = ({ currentConfig }: FiscalDevice): ReadonlyMap<number, string> =>
  new Map(
    (currentConfig?.applicableTaxes ?? []).map(({ taxId, taxName, taxPercent }) => {
      const rate = taxPercent === null ? "exempt" : `${Money.formatPlain(taxPercent)} %`
      return [taxId, taxName === null || taxName === "" ? rate : taxName]
    })
  )

type Mapping = Pick<AccountSettings, "account"> & {
  readonly gateway: Pick<GatewayOperations, "taxMappings" | "currencyMappings">
}

/**
 * A report states its close in whole seconds. The device closed at some time within that second.
 */
const restOfSecond = Duration.millis(999)

/**
 * Returns the times between which each reported day was open, to the ends of the stated seconds. A
 * day without a close is open.
 */
export const timesOf = (
  reports: ReadonlyArray<ZReport>,
  zone: DateTime.TimeZone | null
): ReadonlyArray<Receipts.DayTimes> => {
  const at = (value: ZReport["closedAt"]) =>
    value === null ? null : Option.getOrNull(LocalDateTime.toInstant(value, zone))
  const closes = new Map<number, Pick<Receipts.DayTimes, "until" | "close">>()
  for (const { closedAt, fiscalDayNumber, isSuccess } of reports) {
    if (fiscalDayNumber === null) continue
    // the single report of a day may lack the time of its close; the list has the time
    const until = at(closedAt) ?? closes.get(fiscalDayNumber)?.until ?? null
    const close = isSuccess === null ? "not-known" : isSuccess ? "closed" : "failed"
    closes.set(fiscalDayNumber, { until, close })
  }
  const closeOf = (day: number) => {
    const found = closes.get(day)
    return found?.close === "closed" ? found.until : null
  }
  return Array.from(closes, ([day, { close, until }]) => ({
    day,
    close,
    after: closeOf(day - 1),
    until: until === null ? null : DateTime.addDuration(until, restOfSecond)
  }))
}
