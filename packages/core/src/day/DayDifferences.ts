/**
 * Compares the closed fiscal days of a device with the store, and records each difference for all
 * processes and for attention. Finds receipts that the store does not know, and documents that an
 * operator wrongly declared fiscalized.
 */
import { DateTime, Effect, Option } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as DayNotices from "../account/DayNotices.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Destination from "../account/Destination.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as DayClose from "../gateway/DayClose.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Notice } from "../submission/Notice.ts"
import type { State } from "../submission/Submission.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as DayDocuments from "./DayDocuments.ts"
import * as FiscalDays from "./FiscalDays.ts"
import * as ZReportComparison from "./ZReportComparison.ts"
import { ZReportFinding } from "./ZReportFinding.ts"

/**
 * Days already found to agree with the store, by lane. This process does not read their reports
 * again.
 */
export type AgreedDays = Map<string, Set<number>>

/** An account pinned to the lane. */
interface PinnedAccount {
  readonly settings: AccountSettings
  readonly lane: string
  /** Time zone of date-times without an offset (TIME-1). Null if it is not known. */
  readonly zone: DateTime.TimeZone | null
  /** Longest permitted fiscal day of the device, in hours. */
  readonly longestHours: number | null
}

/**
 * Reads the latest reports of every device of these accounts, records the problems of its days, and
 * compares each closed day with the store. While the gateway does not answer, the store keeps the
 * earlier result. Days that were closed before the store had its first document are not compared.
 */
export const look = (
  accounts: ReadonlyArray<AccountSettings>,
  agreed: AgreedDays
): Effect.Effect<void, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const pinned: Array<PinnedAccount> = []
    for (const settings of accounts) {
      const found = yield* Effect.catchTag(pinnedNow(store, settings), "GatewayError", () => Effect.succeed(null))
      if (found !== null) pinned.push(found)
    }
    for (const [lane, own] of Map.groupBy(pinned, ({ lane }) => lane)) {
      const days = agreed.get(lane) ?? new Set()
      agreed.set(lane, days)
      yield* Effect.catchTag(lookAt(store, lane, own, days), "GatewayError", () => Effect.void)
    }
  })

/**
 * Returns null if the account was never sent for. Returns null also if the account has another
 * device now, because the reports belong to that device.
 */
const pinnedNow = (
  store: SubmissionStoreOperations,
  settings: AccountSettings
): Effect.Effect<PinnedAccount | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const { account, gateway } = settings
    const pin = Option.getOrNull(yield* store.pinOf(account))
    if (pin === null) return null
    const device = yield* gateway.fiscalDevice
    const { lane } = Destination.of(account, device, pin.environment)
    if (lane !== pin.lane || device.serialNo !== pin.serial) return null
    const zone = zoneOfAccount(settings, pin)
    return { settings, lane, zone, longestHours: device.currentConfig?.taxPayerDayMaxHrs ?? null }
  })

/**
 * Returns the time of the store's first document for the device. Null if the store has no document
 * for the device.
 */
const firstAt = (store: SubmissionStoreOperations, lane: string) =>
  Effect.gen(function* () {
    const [first] = yield* store.list({ lane, limit: 1 })
    if (first === undefined) return null
    const found = yield* store.explain(first)
    return Option.isSome(found) ? (found.value.timeline[0]?.at ?? null) : null
  })

const lookAt = (
  store: SubmissionStoreOperations,
  lane: string,
  accounts: ReadonlyArray<PinnedAccount>,
  agreed: Set<number>
): Effect.Effect<void, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const { longestHours, settings } = accounts[0]!
    // All accounts of a device share its clock.
    const zone = accounts.map(({ zone }) => zone).find((zone) => zone !== null) ?? null
    const page = yield* DayClose.reports(settings.gateway)
    // The reports do not name their device, and the store keeps the latest close for good.
    if ((yield* pinnedNow(store, settings)) === null) return
    const now = yield* DateTime.now
    yield* DayNotices.record(store, lane, {
      lastClose: DayClose.lastOf(page, zone).at,
      reports: page.items,
      longestHours,
      now
    })
    const first = yield* firstAt(store, lane)
    if (first === null) return
    const closed = FiscalDays.timesOf(page.items, zone).filter(
      ({ day, until }) => until !== null && until.epochMilliseconds > first.epochMilliseconds && !agreed.has(day)
    )
    const reports: Array<ZReport> = []
    for (const { day } of closed) {
      const report = yield* Effect.catchReason(settings.gateway.zReport(day), "GatewayError", "NotFound", () =>
        Effect.succeed(null)
      )
      // A report without counters has nothing to compare.
      if (report !== null && report.summaries !== null) reports.push({ ...report, fiscalDayNumber: day })
    }
    if (reports.length > 0 && (yield* pinnedNow(store, settings)) === null) return
    const notices: Array<Notice> = []
    const compared = reports.length === 0 ? [] : yield* compareAll(store, lane, accounts, reports, closed, first)
    for (const { day, difference } of compared) {
      if (difference === "none") agreed.add(day)
      else if (difference !== "awaited")
        notices.push({ code: "DAY_DIFFERS", detail: String(day), text: difference.text })
    }
    yield* store.notice("counters", lane, notices)
  })

/** `awaited`: the counters differ, and a still awaited outcome may be the reason. */
interface ComparedDay {
  readonly day: number
  readonly difference: "none" | "awaited" | { readonly text: string }
}

/** States whose outcome arrives without an operator. */
const awaited: ReadonlySet<State> = new Set(["Accepted", "Sending"])

const compareAll = (
  store: SubmissionStoreOperations,
  lane: string,
  accounts: ReadonlyArray<PinnedAccount>,
  reports: ReadonlyArray<ZReport>,
  times: ReadonlyArray<DayDocuments.DayTimes>,
  first: DateTime.DateTime
): Effect.Effect<ReadonlyArray<ComparedDay>, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const codes = new Map<string, ZReportComparison.Codes>()
    for (const { settings } of accounts) codes.set(settings.account, yield* FiscalDays.codesOf(settings.gateway))
    const counted = yield* DayDocuments.of(store, lane, times)
    const compared: Array<ComparedDay> = []
    for (const report of reports) {
      const day = report.fiscalDayNumber!
      const documents = counted.get(day) ?? []
      const dayTimes = times.find((one) => one.day === day)!
      if (documents.length === 0 && mayBeOlder(dayTimes, first)) continue
      const { findings } = ZReportComparison.compare(
        report,
        documents.map(({ account, document }) => ({ document, codes: codes.get(account) ?? noCodes }))
      )
      const differing = findings.filter(({ code }) => code === ZReportFinding.Z_REPORT_DIFFERS.code)
      if (differing.length === 0) {
        compared.push({ day, difference: "none" })
        continue
      }
      const doubtful = yield* DayDocuments.doubtful(store, lane, dayTimes)
      if (doubtful.some(({ state }) => awaited.has(state))) {
        compared.push({ day, difference: "awaited" })
        continue
      }
      const may = FiscalDays.explaining(documents, doubtful, findings).map(
        ({ because, number }) => `${number} (${because})`
      )
      const text = [...differing.map(({ detail, message }) => `${message}: ${detail}`), explanation(may)].join(". ")
      compared.push({ day, difference: { text } })
    }
    return compared
  })

/**
 * Returns true if the day may have been closed before the store had its first document, because
 * both times are in the same second.
 */
const mayBeOlder = ({ until }: DayDocuments.DayTimes, first: DateTime.DateTime): boolean =>
  until !== null && DateTime.startOf(until, "second").epochMilliseconds <= first.epochMilliseconds

/**
 * Codes of an account that is not configured here. The documents of such an account cannot be
 * placed.
 */
const noCodes: ZReportComparison.Codes = { taxes: [], currencies: [] }

/** Documents that a difference names as its possible cause. */
const named = 10

const explanation = (may: ReadonlyArray<string>): string =>
  may.length === 0
    ? "No document of the store can explain it: another program may use the device"
    : `Documents that can explain it: ${may.slice(0, named).join(", ")}${may.length > named ? " and others" : ""}`
