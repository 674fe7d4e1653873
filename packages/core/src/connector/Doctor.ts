/** Looks at everything an account needs before it can send, and changes nothing: `connector doctor`. */
import { DateTime, Duration, Effect, Option, Result } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Instant from "../document/Instant.ts"
import { RequestId } from "../document/Identifiers.ts"
import * as Finding from "../finding/Finding.ts"
import type { FiscalDevice } from "../gateway/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { type AnswerDateTime, toInstant } from "../gateway/LocalDateTime.ts"
import * as ImportPlan from "../import/ImportPlan.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as MappingStep from "../mapping/MappingStep.ts"
import { hasPassed } from "../preflight/DeviceFacts.ts"
import * as DeviceStanding from "../preflight/DeviceStanding.ts"
import * as Health from "../submission/Health.ts"
import type { Environment } from "../submission/PlannedDocument.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { DoctorFinding } from "./DoctorFinding.ts"
import * as Mappings from "./Mappings.ts"
import * as ServerClock from "./ServerClock.ts"
import * as ZReportIdentities from "./ZReportIdentities.ts"

/** One thing looked at. `not-asked`: what comes before it failed. */
export interface Check {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  /** What was seen. */
  readonly said: string
  /** Why it is not fine, each with its next step. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

export interface DoctorRequest {
  /** Our own name of the account. */
  readonly account: string
  readonly baseUrl: string
  /** What was found in the configuration of the account; errors keep it from being used at all. */
  readonly configuration: ReadonlyArray<Finding.Finding>
  readonly requests: "signed" | "unsigned"
  readonly gateway: Pick<
    GatewayOperations,
    | "profile"
    | "status"
    | "fiscalDevice"
    | "subscription"
    | "taxMappings"
    | "currencyMappings"
    | "supportedCurrencies"
    | "zReports"
  >
  /** For date-times without an offset (TIME-1); the book's where there is one. */
  readonly zone: DateTime.TimeZone
  readonly book: MappingBook | undefined
  /** Undefined where there is no store yet. */
  readonly store: Pick<SubmissionStoreOperations, "health" | "lanes" | "stream" | "explain"> | undefined
}

/** Every check, in an order in which the first that is broken explains those after it. Only asks; never fails. */
export const examine = (request: DoctorRequest): Effect.Effect<ReadonlyArray<Check>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { gateway } = request
    const now = DateTime.setZone(yield* DateTime.now, request.zone)
    const configuration = check(
      "configuration",
      `account ${request.account}, ${request.baseUrl}`,
      request.configuration
    )
    const clock = yield* clockCheck(request.baseUrl)
    const key = yield* keyCheck(gateway)
    const rest = ["secret", "device", "subscription", "permissions", "mappings", "last fiscal day"]
    const asked =
      key.state === "broken"
        ? rest.map((name): Check => ({ name, state: "not-asked", said: `not asked: ${key.said}`, findings: [] }))
        : yield* accountChecks(request, now)
    return [configuration, clock, key, ...asked, ...(yield* storeChecks(request))]
  })

/** Whether nothing was found that keeps the account from sending. */
export const isWell = (checks: ReadonlyArray<Check>): boolean => checks.every(({ state }) => state !== "broken")

const check = (name: string, said: string, findings: ReadonlyArray<Finding.Finding> = []): Check => ({
  name,
  said,
  findings,
  state: findings.some(Finding.refuses) ? "broken" : findings.length > 0 ? "look" : "fine"
})

const clockCheck = (baseUrl: string) =>
  Effect.map(ServerClock.ahead(baseUrl), (ahead): Check => {
    if (Option.isNone(ahead))
      return { name: "clock", state: "not-asked", said: "no answer tells the gateway's time", findings: [] }
    const seconds = Math.round(ahead.value / 1000)
    if (seconds === 0) return check("clock", "agrees with the gateway's")
    const said = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the gateway's`
    const code = Math.abs(seconds) > 60 ? DoctorFinding.CLOCK_WRONG : DoctorFinding.CLOCK_SKEW
    return check("clock", said, [Finding.make(code, { message: `this machine's clock is ${said}` })])
  })

const keyCheck = ({ profile }: DoctorRequest["gateway"]) =>
  Effect.map(Effect.result(profile), (answer) => {
    if (Result.isSuccess(answer)) return check("key", `accepted, user ${answer.success.username ?? answer.success.id}`)
    const { message, reason } = answer.failure
    const code = reason._tag === "CredentialsRefused" ? DoctorFinding.KEY_REFUSED : DoctorFinding.GATEWAY_UNREACHED
    return check("key", message, [Finding.make(code, { message, detail: reason._tag })])
  })

const accountChecks = (request: DoctorRequest, now: Instant.Instant) =>
  Effect.gen(function* () {
    const { gateway } = request
    const secret = yield* secretCheck(request)
    const device = yield* Effect.result(gateway.fiscalDevice)
    if (Result.isFailure(device)) {
      const { message, reason } = device.failure
      const code = reason._tag === "NotFound" ? DoctorFinding.DEVICE_MISSING : DoctorFinding.GATEWAY_UNREACHED
      return [secret, check("device", message, [Finding.make(code, { message })])]
    }
    return [
      secret,
      deviceCheck(device.success),
      yield* subscriptionCheck(gateway, device.success, now),
      permissionCheck(device.success, now),
      ...(request.book === undefined ? [] : [yield* mappingCheck(request, request.book)]),
      yield* dayCheck(gateway)
    ]
  })

/** A request id that nobody has: a signed question whose answer is empty. */
const nobody = RequestId.make("00000000-0000-4000-8000-000000000000")

const secretCheck = ({ gateway, requests }: DoctorRequest) =>
  Effect.map(Effect.result(gateway.status([nobody])), (answer) => {
    if (Result.isFailure(answer)) {
      const { message, reason } = answer.failure
      const code = reason._tag === "CredentialsRefused" ? DoctorFinding.SECRET_REFUSED : DoctorFinding.GATEWAY_UNREACHED
      const unsigned = requests === "unsigned" && code === DoctorFinding.SECRET_REFUSED
      const particulars = unsigned
        ? { message: "the gateway wants signed calls, and the account has no secret" }
        : { detail: message }
      return check("secret", message, [Finding.make(code, particulars)])
    }
    return requests === "signed"
      ? check("secret", "a signed call is accepted")
      : check("secret", "none", [Finding.make(DoctorFinding.REQUESTS_UNSIGNED)])
  })

const deviceCheck = (device: FiscalDevice): Check => {
  const { deviceId, isActive, isLive, isSwitchedOn, serialNo, taxpayerName, tin } = device
  const words = [isActive ? "active" : "not active", isSwitchedOn ? "on" : "off", isLive ? "live" : "test"]
  const whose = `${taxpayerName ?? "taxpayer"} (TIN ${tin ?? "not given"})`
  const said = `${deviceId}, serial number ${serialNo ?? "not given"}, ${whose}: ${words.join(", ")}`
  return check("device", said, DeviceStanding.check(device, undefined))
}

/** Warned about this many days before. */
const soon = 14

const subscriptionCheck = (gateway: DoctorRequest["gateway"], device: FiscalDevice, now: Instant.Instant) =>
  Effect.map(Effect.result(gateway.subscription), (answer) => {
    if (Result.isFailure(answer) && answer.failure.reason._tag !== "NotFound") {
      return unread("subscription", answer.failure)
    }
    const subscription = Result.isSuccess(answer) ? answer.success : null
    const standing = DeviceStanding.check({ ...device, isActive: true, isSwitchedOn: true }, subscription)
    if (subscription === null) return check("subscription", "none", standing)
    const end = subscription.expiresOn === null ? Option.none() : toInstant(subscription.expiresOn, now.zone)
    const days = Option.map(end, (end) => Math.floor((Instant.seconds(end) - Instant.seconds(now)) / 86_400))
    const left = Option.match(days, {
      onNone: () => "",
      onSome: (days) => (days < 0 ? `, ended ${-days} days ago` : `, ${days} days left`)
    })
    const ending = Option.exists(days, (days) => days <= soon)
      ? [Finding.make(DoctorFinding.SUBSCRIPTION_ENDS, { detail: left.slice(2) })]
      : []
    return check("subscription", `${subscription.status}${left}`, [...standing, ...ending])
  })

const unread = (name: string, { message }: GatewayError): Check => ({
  name,
  state: "not-asked",
  said: message,
  findings: []
})

const permissionCheck = (device: FiscalDevice, now: Instant.Instant): Check => {
  const permission = (name: string, allowed: boolean | null, expiry: AnswerDateTime | null) => {
    if (allowed !== true) return `${name}: no`
    const until = expiry === null ? "" : typeof expiry === "string" ? expiry.slice(0, 16) : Instant.format(expiry)
    return hasPassed(expiry, now) ? `${name}: ended ${until}` : `${name}: yes${until === "" ? "" : `, until ${until}`}`
  }
  return check(
    "permissions",
    [
      permission("back-dated uploads", device.allowCsvUpload, device.expireCsvUpload),
      permission(
        "credit notes without an invoice",
        device.allowCreditNoteWithNoInvoice,
        device.expireCreditNoteWithNoInvoice
      )
    ].join("; ")
  )
}

const mappingCheck = ({ account, gateway, store }: DoctorRequest, book: MappingBook) =>
  Effect.map(Effect.result(Mappings.plan(gateway, { account, book, extras: "keep", store })), (planned) => {
    if (Result.isFailure(planned)) {
      return { name: "mappings", state: "not-asked", said: planned.failure.message, findings: [] } as const
    }
    const { findings, steps } = planned.success.plan
    const missing = steps.map((step) =>
      Finding.make(step._tag === "RenameTax" ? DoctorFinding.MAPPING_NAMES_DIFFER : DoctorFinding.MAPPINGS_DIFFER, {
        detail: `to be done: ${MappingStep.describe(step)}`
      })
    )
    const said =
      steps.length + findings.length === 0 ? "as the book says" : `${steps.length} steps, ${findings.length} findings`
    return check("mappings", said, [...missing, ...findings])
  })

const dayCheck = (gateway: DoctorRequest["gateway"]) =>
  Effect.map(Effect.result(gateway.zReports({ order: "desc", size: 1 })), (page) => {
    if (Result.isFailure(page)) return unread("last fiscal day", page.failure)
    const last = page.success.items[0]
    if (last === undefined) return check("last fiscal day", "none closed yet")
    const closed = last.isSuccess === false ? "not closed" : "closed"
    return check("last fiscal day", `${last.fiscalDayNumber}, ${closed}`, ZReportIdentities.check(last))
  })

const storeChecks = ({ account, gateway, store }: DoctorRequest) =>
  Effect.gen(function* () {
    if (store === undefined) return [check("store", "none yet: nothing was ever sent for this account")]
    const looked = yield* Effect.result(
      Effect.all({
        health: store.health(Duration.days(7)),
        lanes: store.lanes([account]),
        device: Effect.option(gateway.fiscalDevice)
      })
    )
    if (Result.isFailure(looked)) {
      const { message, reason } = looked.failure
      return [check("store", message, [Finding.make(DoctorFinding.STORE_NEEDS_LOOK, { message, detail: reason })])]
    }
    const { device, health, lanes } = looked.success
    const counts = Object.entries(health.counts).map(([state, count]) => `${count} ${state}`)
    const concerns = Health.concerns(health).map(({ code, text }) =>
      Finding.make(DoctorFinding.STORE_NEEDS_LOOK, { message: text, detail: code })
    )
    return [
      check("store", counts.join(", ") || "empty", concerns),
      ...(Option.isNone(device)
        ? []
        : [
            environmentCheck(
              account,
              lanes.map(({ lane }) => lane),
              device.value
            )
          ])
    ]
  })

const environmentCheck = (account: string, lanes: ReadonlyArray<string>, device: FiscalDevice): Check => {
  const environment: Environment = device.isLive ? "live" : "test"
  const { lane } = ImportPlan.destination(account, device, environment)
  const others = lanes.filter((other) => other !== lane && !other.startsWith("sandbox/"))
  const said = `${environment}, device ${device.deviceId}`
  if (others.length === 0) return check("environment", said)
  const message = `the account ${account} has sent to ${others.join(", ")}, its device is now ${lane}`
  return check("environment", said, [Finding.make(DoctorFinding.ENVIRONMENT_MIXED, { message })])
}
