/** The fiscal days that were closed, each checked by itself and held against what the store has fiscalised. */
import { Effect, Stream } from "effect"
import * as Destination from "../account/Destination.ts"
import * as ZReportComparison from "../day/ZReportComparison.ts"
import * as ZReportIdentities from "../day/ZReportIdentities.ts"
import type { Finding } from "../finding/Finding.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/** The closed days, the oldest first, with what is wrong with any. */
export interface FiscalDays {
  readonly days: ReadonlyArray<ZReport>
  readonly findings: ReadonlyArray<Finding>
}

/** One day with its counters. */
export interface FiscalDay {
  readonly day: ZReport
  /** Beside what the store has; null where there is no store. */
  readonly comparison: ZReportComparison.ZReportComparison | null
  readonly findings: ReadonlyArray<Finding>
}

/** `sinceDay`: the first day that is asked for; all of them where it is left out. */
export const list = (
  gateway: Pick<GatewayOperations, "allZReports">,
  sinceDay: number | undefined
): Effect.Effect<FiscalDays, GatewayError> =>
  Effect.map(Stream.runCollect(gateway.allZReports({ sinceDay })), (days) => ({
    days,
    findings: days.flatMap(ZReportIdentities.check)
  }))

/** `store`: undefined where there is none. */
export const one = (
  gateway: Pick<GatewayOperations, "zReport" | "fiscalDevice" | "taxMappings" | "currencyMappings">,
  account: string,
  store: Pick<SubmissionStoreOperations, "stream" | "explain"> | undefined,
  number: number
): Effect.Effect<FiscalDay, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const answered = yield* gateway.zReport(number)
    const day = { ...answered, fiscalDayNumber: answered.fiscalDayNumber ?? number }
    const found = ZReportIdentities.check(day)
    if (store === undefined) return { day, comparison: null, findings: found }
    const device = yield* gateway.fiscalDevice
    const { lane } = Destination.of(account, device, device.isLive ? "live" : "test")
    const codes = { taxes: yield* gateway.taxMappings, currencies: yield* gateway.currencyMappings }
    const documents = yield* ZReportComparison.documentsOf(store, lane, day.fiscalDayNumber)
    const comparison = ZReportComparison.compare(day, documents, codes)
    return { day, comparison, findings: [...found, ...comparison.findings] }
  })
