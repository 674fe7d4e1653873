/**
 * The closed fiscal days, each checked alone and compared with the documents that the store counts
 * as fiscalized.
 */
import { DateTime, Duration, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Destination from "../account/Destination.ts"
import type { Finding } from "../finding/Finding.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import * as Money from "../document/Money.ts"
import { ZReportFinding } from "./ZReportFinding.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import * as DayClose from "../gateway/DayClose.ts"
import * as LocalDateTime from "../gateway/operation/LocalDateTime.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as DayDocuments from "./DayDocuments.ts"
import * as ZReportComparison from "./ZReportComparison.ts"
import * as ZReportIdentities from "./ZReportIdentities.ts"

/** The closed days, with the problems of each. */
export interface FiscalDays {
  readonly days: ReadonlyArray<ZReport>
  readonly findings: ReadonlyArray<Finding>
}

/** One fiscal day, with counters. */
export interface FiscalDay {
  readonly day: ZReport
  /** Comparison with the store. Null without a store. */
  readonly comparison: ZReportComparison.ZReportComparison | null
  readonly findings: ReadonlyArray<Finding>
  /** Documents as possible explanations of differing counters, each with the reason. */
  readonly explains: ReadonlyArray<Explaining>
  /** The device's names of the taxes, by tax id. */
  readonly taxNames: ReadonlyMap<number, string>
}

/** A document as a possible explanation of a difference. */
export interface Explaining {
  readonly number: string
  readonly because: string
}

/** Returns the documents that may explain why a day's counters differ from the store's. */
export const explaining = (
  counted: ReadonlyArray<DayDocuments.CountedDocument>,
  doubtful: ReadonlyArray<DayDocuments.DoubtfulDocument>,
  findings: ReadonlyArray<Finding>
): ReadonlyArray<Explaining> => [
  ...counted
    .filter(({ by }) => by === "operator")
    .map(({ number }) => ({ number, because: "an operator stated that it was fiscalised" })),
  ...doubtful.map(({ number, state }) => ({ number, because: state })),
  ...findings
    .filter(({ code }) => code === ZReportFinding.Z_REPORT_UNPLACED.code)
    .map(({ detail }) => ({ number: detail ?? "", because: "its codes are no longer mapped" }))
]

/**
 * Lists the closed days. `sinceDay` is the first requested day; if left out, all days are
 * requested.
 */
export const list = (
  gateway: Pick<GatewayOperations, "allZReports">,
  sinceDay: number | undefined
): Effect.Effect<FiscalDays, GatewayError> =>
  Effect.map(Stream.runCollect(gateway.allZReports({ sinceDay })), (days) => ({
    days,
    findings: days.flatMap(ZReportIdentities.check)
  }))

type Asked = Pick<GatewayOperations, "zReport" | "zReports" | "fiscalDevice" | "taxMappings" | "currencyMappings">

/** Reads one day and compares the day with the store, if `store` is given. */
export const one = (
  gateway: Asked,
  settings: Pick<AccountSettings, "account" | "assumptions" | "zone">,
  store: Pick<SubmissionStoreOperations, "stream" | "explain" | "pinOf"> | undefined,
  number: number
): Effect.Effect<FiscalDay, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const answered = yield* gateway.zReport(number)
    const day = { ...answered, fiscalDayNumber: answered.fiscalDayNumber ?? number }
    const found = ZReportIdentities.check(day)
    const device = yield* gateway.fiscalDevice
    const taxNames = namesOf(device)
    if (store === undefined) return { day, comparison: null, findings: found, explains: [], taxNames }
    const pin = Option.getOrNull(yield* store.pinOf(settings.account))
    const { lane } = Destination.of(settings.account, device, pin?.environment ?? (device.isLive ? "live" : "test"))
    const codes = yield* codesOf(gateway)
    const { items } = yield* DayClose.reports(gateway)
    const times = timesOf([...items, day], zoneOfAccount(settings, pin)).filter(({ day }) => day === number)
    const counted = (yield* DayDocuments.of(store, lane, times)).get(number) ?? []
    const comparison = ZReportComparison.compare(
      day,
      counted.map(({ document }) => ({ document, codes }))
    )
    const own = times[0]
    const differs = comparison.findings.some(({ code }) => code === ZReportFinding.Z_REPORT_DIFFERS.code)
    const doubtful = differs && own !== undefined ? yield* DayDocuments.doubtful(store, lane, own) : []
    return {
      day,
      comparison,
      findings: [...found, ...comparison.findings],
      explains: differs ? explaining(counted, doubtful, comparison.findings) : [],
      taxNames
    }
  })

const namesOf = ({ currentConfig }: FiscalDevice): ReadonlyMap<number, string> =>
  new Map(
    (currentConfig?.applicableTaxes ?? []).map(({ taxId, taxName, taxPercent }) => {
      const rate = taxPercent === null ? "exempt" : `${Money.formatPlain(taxPercent)} %`
      return [taxId, taxName === null || taxName === "" ? rate : taxName]
    })
  )

/** Reads the mappings of an account's codes. */
export const codesOf = (
  gateway: Pick<GatewayOperations, "taxMappings" | "currencyMappings">
): Effect.Effect<ZReportComparison.Codes, GatewayError> =>
  Effect.all({ taxes: gateway.taxMappings, currencies: gateway.currencyMappings })

/**
 * A report states its close in whole seconds. The device closed at some time within that second.
 */
const restOfSecond = Duration.millis(999)

/**
 * Returns the closes between which each closed day of the reports was open, to the ends of the
 * stated seconds.
 */
export const timesOf = (
  reports: ReadonlyArray<ZReport>,
  zone: DateTime.TimeZone | null
): ReadonlyArray<DayDocuments.DayTimes> => {
  const at = (value: ZReport["closedAt"]) =>
    value === null ? null : Option.getOrNull(LocalDateTime.toInstant(value, zone))
  const closes = new Map<number, DateTime.DateTime | null>()
  for (const { closedAt, fiscalDayNumber, isSuccess } of reports) {
    // The single report of a day may lack the time of its close; the list has the time.
    if (fiscalDayNumber !== null && isSuccess !== false)
      closes.set(fiscalDayNumber, at(closedAt) ?? closes.get(fiscalDayNumber) ?? null)
  }
  return Array.from(closes, ([day, close]) => ({
    day,
    after: closes.get(day - 1) ?? null,
    until: close === null ? null : DateTime.addDuration(close, restOfSecond)
  }))
}
