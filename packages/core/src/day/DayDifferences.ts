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
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Notice } from "../submission/Notice.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as DayLeg from "./DayLeg.ts"
import * as FiscalDays from "./FiscalDays.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"
import * as Receipts from "./Receipts.ts"

/**
 * Days already found to agree with the store, by lane. This process does not read their reports
 * again.
 */
export type AgreedDays = Map<string, Set<number>>

export interface PinnedAccount {
  readonly settings: AccountSettings
  readonly lane: string
  /** Time zone of date-times without an offset (TIME-1). Null if it is not known. */
  readonly zone: DateTime.TimeZone | null
  readonly longestHours: number | null
}

/**
 * Reads the latest reports of every device of these accounts, records the problems of its days, and
 * compares each closed day with the store. While the gateway does not answer, the store keeps the
 * earlier result. Days that were closed before the store had its first document are not compared.
 * Stops the lane of an account that has another device now.
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
 * Returns null if the account was never sent for. If the account has another device now, stops its
 * lane and returns null, because the reports belong to that device.
 */
export const pinnedNow = (
  store: SubmissionStoreOperations,
  settings: AccountSettings
): Effect.Effect<PinnedAccount | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const { account, gateway } = settings
    const pin = Option.getOrNull(yield* store.pinOf(account))
    if (pin === null) return null
    const device = yield* gateway.fiscalDevice
    const other = Destination.changed(pin, device)
    if (other !== null) return yield* Effect.as(store.pin(other), null)
    const zone = zoneOfAccount(settings, pin)
    return { settings, lane: pin.lane, zone, longestHours: device.currentConfig?.taxPayerDayMaxHrs ?? null }
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
    const first = yield* FiscalDays.firstAt(store, lane)
    if (first === null) return
    const closed = FiscalDays.timesOf(page.items, zone).filter(
      ({ day, until }) => until !== null && until.epochMilliseconds > first.epochMilliseconds && !agreed.has(day)
    )
    const otherPrograms = yield* store.otherPrograms(lane)
    const notices: Array<Notice> = []
    const comparedDays =
      closed.length === 0
        ? []
        : yield* FiscalDays.compare(closed, yield* Receipts.of(store, lane, closed), {
            facts: { first, otherPrograms },
            accounts: accounts.map(({ settings }) => settings),
            reportOf: (day) => FiscalDays.reportOf(settings.gateway, day)
          })
    if (closed.length > 0 && (yield* pinnedNow(store, settings)) === null) return
    for (const compared of comparedDays) {
      const { day, others, standing } = compared
      // a day that could not be closed gets further receipts; a statement about tills may change
      if (
        standing === "agrees" &&
        others.length === 0 &&
        closed.some((one) => one.day === day && one.close === "closed")
      )
        agreed.add(day)
      if (standing !== "differs") continue
      notices.push({ code: "DAY_DIFFERS", detail: String(day), text: DayLeg.textOf(compared) })
    }
    if (otherPrograms?.stated !== "others") {
      const reported = page.items.flatMap(({ fiscalDayNumber }) => fiscalDayNumber ?? [])
      const oldest = reported.length === 0 ? 0 : Math.min(...reported)
      const since = Receipts.sinceOf(FiscalDays.timesOf(page.items, zone))
      const numbers = yield* Receipts.numbersOf(store, lane, since)
      notices.push(...notOurs(numbers, oldest, agreed, otherPrograms === null ? "not-stated" : "alone"))
    }
    yield* store.notice("counters", lane, notices)
  })

const unbroken = 200

/**
 * Returns a notice for each day with missing receipt numbers that nothing of the store may have. A
 * day whose counters agree shows that the device skips numbers. `oldest`: earlier days are ignored.
 * `not-stated`: only the first range after many proofs is a question about other programs.
 */
const notOurs = (
  numbers: ReceiptNumbers.ReceiptNumbers,
  oldest: number,
  agreed: ReadonlySet<number>,
  stated: "alone" | "not-stated"
): ReadonlyArray<Notice> => {
  const ranges = ReceiptNumbers.unexplained(
    numbers.rangesIn(oldest, Infinity).filter(({ awaited }) => awaited === 0),
    (day) => (agreed.has(day) ? "agrees" : "not-compared")
  )
  const shown = stated === "alone" ? ranges : ranges.filter((range) => range.unbroken >= unbroken).slice(0, 1)
  const question =
    stated === "alone" ? "" : " Does another till or program use this device? Answer once: yes keeps this silent."
  return Array.from(
    Map.groupBy(shown, ({ after }) => after.day),
    ([day, own]): Notice => ({
      code: "RECEIPT_NOT_OURS",
      detail: String(day),
      text: `the device made a receipt that this store does not know: ${ReceiptNumbers.listed(own)}${question}`
    })
  )
}
