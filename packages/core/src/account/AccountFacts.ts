/** All facts of one device. Only reads. */
import { DateTime, Effect, Option } from "effect"
import * as CreditNumber from "../submission/ledger/CreditNumber.ts"
import type { Instant } from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import * as DayClose from "../gateway/DayClose.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { zoneOf } from "../gateway/operation/LocalDateTime.ts"
import * as ServerClock from "../gateway/exchange/ServerClock.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { Subscription } from "../gateway/operation/Subscription.ts"
import { strict } from "../preflight/check.ts"
import type { Tolerances } from "../preflight/documentRules.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"
import { AccountFinding } from "./AccountFinding.ts"
import * as AnswerMisfits from "./AnswerMisfits.ts"
import type { AccountSettings } from "./AccountSettings.ts"
import * as Destination from "./Destination.ts"
import * as OneDevice from "./OneDevice.ts"

export interface AccountFacts {
  readonly account: string
  readonly gateway: GatewayOperations
  readonly destination: Destination.Destination
  readonly device: FiscalDevice
  /** Null if the gateway has no subscription for the account (404). */
  readonly subscription: Subscription | null
  readonly assumptions: AssumptionSwitches
  /** Permitted difference between a stated tax and the device's tax (DOC-7). */
  readonly tolerances: Tolerances
  readonly creditNumbers: string
  /**
   * ClosedAt of the last successful Z-report. Empty if no report is successful or the reports
   * cannot be read.
   */
  readonly lastClose: Option.Option<Instant>
  /**
   * Reason why a close later than `lastClose` may exist. Null if the gateway's reports are as
   * documented, or cannot be requested.
   */
  readonly lastCloseDoubt: string | null
  /** The latest Z-reports. Null if the reports cannot be read. */
  readonly days: ReadonlyArray<ZReport> | null
  /** Time zone of date-times without an offset (TIME-1). UTC if it is not known. */
  readonly zone: DateTime.TimeZone
  readonly clock: ServerClock.ClockSample
  readonly warnings: ReadonlyArray<Finding.Finding>
}

const unreadable = ({ message, reason }: GatewayError): string | null =>
  reason._tag === "MalformedAnswer" ? message : null

const untold: ServerClock.ClockSample = { _tag: "NotTold", cause: "no-date" }

/**
 * Reads the facts of an account. `zone` applies to date-times without an offset, unless TIME-1
 * names another zone; null if it is not known: closes without an offset are not read then.
 * `pinned` is the device that the store knows for the account. Fails if the gateway does not answer
 * about profile, device or subscription, or if the device is exchanged meanwhile. A missing
 * subscription (404) and unreadable Z-reports are not failures.
 */
export const read = (
  { account, assumptions: switches, creditNumbers = CreditNumber.standard, environment, gateway }: AccountSettings,
  zone: DateTime.TimeZone | null,
  pinned: Destination.Pinned | null = null
): Effect.Effect<AccountFacts, GatewayError> =>
  Effect.gen(function* () {
    const assumptions: AssumptionSwitches = { ...defaults, ...switches }
    const own = zoneOf(assumptions["TIME-1"], zone)
    const clocks: Array<ServerClock.ClockSample> = []
    const clocked = <A, E>(asking: Effect.Effect<A, E>) =>
      Effect.tap(asking, () => Effect.map(gateway.clock, (reading) => clocks.push(...Option.toArray(reading))))
    const profile = yield* clocked(gateway.profile)
    const [device, { days, subscription }] = yield* OneDevice.read(
      clocked(gateway.fiscalDevice),
      Effect.gen(function* () {
        const subscription = yield* Effect.catchReason(clocked(gateway.subscription), "GatewayError", "NotFound", () =>
          Effect.succeed(null)
        )
        return { subscription, days: yield* Effect.result(DayClose.reports(gateway)) }
      })
    )
    const close = days._tag === "Success" ? DayClose.lastOf(days.success, own) : null
    const clock = ServerClock.surest(clocks) ?? untold
    return {
      account,
      gateway,
      creditNumbers,
      destination: Destination.of(account, device, environment ?? (device.isLive ? "live" : "test"), pinned),
      device,
      subscription,
      assumptions,
      tolerances: { ...strict, sums: Option.getOrElse(Money.parse(assumptions["DOC-7"]), () => strict.sums) },
      lastClose: close === null ? Option.none() : close.at,
      lastCloseDoubt: days._tag === "Success" ? (close?.doubt ?? null) : unreadable(days.failure),
      days: days._tag === "Success" ? days.success.items : null,
      zone: own ?? DateTime.zoneMakeOffset(0),
      clock,
      warnings: [
        ...(clock._tag === "Told" ? [] : [Finding.make(AccountFinding.CLOCK_UNKNOWN)]),
        ...DeviceReadiness.check(device, subscription, assumptions).filter((finding) => !Finding.refuses(finding)),
        ...AnswerMisfits.findings("profile", profile.misfits),
        ...AnswerMisfits.findings("fiscalDevice", device.misfits),
        ...AnswerMisfits.findings("subscription", subscription?.misfits),
        ...(days._tag === "Success"
          ? AnswerMisfits.findings("zReports", days.success.misfits ?? [])
          : [Finding.make(AccountFinding.LAST_CLOSE_UNKNOWN, { detail: days.failure.message })])
      ]
    }
  })
