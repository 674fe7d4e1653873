/**
 * Checks everything that an account needs before sending, and changes nothing: `connector doctor`.
 */
import { nobody, type StatusItem } from "../gateway/operation/Status.ts"
import { DateTime, Duration, Effect, Option, Result } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import { type AssumptionId, assumptions } from "../gateway/assumption/Assumptions.ts"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { toInstant } from "../gateway/operation/LocalDateTime.ts"
import * as DualClock from "../gateway/contract/DualClock.ts"
import * as ServerClock from "../gateway/exchange/ServerClock.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as MappingStep from "../mapping/MappingStep.ts"
import * as DayClose from "../gateway/DayClose.ts"
import { hasPassed } from "../preflight/DeviceFacts.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"
import { AccountFinding } from "../account/AccountFinding.ts"
import { standardClockSkew } from "../account/AccountSettings.ts"
import * as DatabaseClock from "../account/DatabaseClock.ts"
import * as GatewayFailure from "../account/GatewayFailure.ts"
import * as Destination from "../account/Destination.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as StopReason from "../account/StopReason.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreWitness } from "../account/StoreWitness.ts"
import * as Attention from "./Attention.ts"
import type { Environment } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { ReceiptQueries } from "../submission/SubmissionQuery.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { type Check, check, notAsked } from "./Check.ts"
import { answerCheck, type Days, factCheck } from "./FactChecks.ts"
import { DoctorFinding } from "./DoctorFinding.ts"
import * as KnowYourGateway from "./KnowYourGateway.ts"
import * as Mappings from "./Mappings.ts"
import * as Receipts from "../day/Receipts.ts"
import * as ZReportIdentities from "../day/ZReportIdentities.ts"

export type { Check } from "./Check.ts"

export const patience = [
  ...Object.entries(Patience),
  ...Object.entries(Patience.worker).map(([name, figure]) => [`worker.${name}`, figure] as const)
].flatMap(([name, figure]) => {
  if (!("mutant" in figure)) return []
  const { is, mutant, reason, unit } = figure
  return [{ name, is: typeof is === "number" ? String(is) : Duration.format(is), unit, reason, mutant }]
})

export interface DoctorRequest {
  readonly account: string
  readonly baseUrl: string
  /** Findings about the account's configuration. Errors prevent the use of the account. */
  readonly configuration: ReadonlyArray<Finding.Finding>
  readonly requests: "signed" | "unsigned"
  readonly assumptions?: AssumptionSwitches | undefined
  readonly clockSkew?: Duration.Input | undefined
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
    | "misfits"
  >
  /** Time zone of date-times without an offset (TIME-1): the book's zone, if there is a book. */
  readonly zone: DateTime.TimeZone
  readonly book: MappingBook | undefined
  /** Undefined before the first use of a store. An error if the store cannot be opened. */
  readonly store: DoctorStore | StoreError | undefined
  /**
   * Record of the store's progress, kept outside the store. Without a witness, an older copy is not
   * recognized.
   */
  readonly witness?: StoreWitness | undefined
}

type DoctorStore = ReceiptQueries &
  Pick<
    SubmissionStoreOperations,
    | "acceptedUnknowns"
    | "compareClocks"
    | "compareMarks"
    | "explain"
    | "gatewaySeen"
    | "health"
    | "identity"
    | "lanes"
    | "stream"
  >

/**
 * Runs every check, in an order in which the first broken check explains the later ones. Only
 * reads. Never fails.
 */
export const examine = (request: DoctorRequest): Effect.Effect<ReadonlyArray<Check>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { gateway } = request
    const now = DateTime.setZone(yield* DateTime.now, request.zone)
    const configuration = check(
      "configuration",
      `account ${request.account}, ${request.baseUrl}`,
      request.configuration
    )
    const refusals = refusalCheck(request)
    const clocks = yield* clockChecks(request)
    const key = yield* keyCheck(gateway)
    if (key.state === "broken") {
      const rest = [
        "secret",
        "device",
        "subscription",
        "permissions",
        "facts",
        "mappings",
        "last fiscal day",
        "answers"
      ]
      const asked = rest.map((name) => notAsked(name, "not asked: the key comes first"))
      const store = yield* storeChecks(request, undefined)
      return [configuration, refusals, ...clocks, key, ...asked, ...store, yield* assumptionCheck(request, null)]
    }
    const device = yield* Effect.result(gateway.fiscalDevice)
    const control = yield* Effect.result(gateway.status([nobody]))
    return [
      configuration,
      refusals,
      ...clocks,
      key,
      secretCheck(request, control),
      ...(yield* deviceChecks(request, device, now)),
      ...(yield* storeChecks(request, Result.getOrUndefined(device))),
      yield* assumptionCheck(
        request,
        Result.getOrElse(control, () => null)
      )
    ]
  })

export const isWell = (checks: ReadonlyArray<Check>): boolean => checks.every(({ state }) => state !== "broken")

/** States the known limit of LIM-1. Never a reason to stop. */
const refusalCheck = ({ assumptions: switches = defaults }: DoctorRequest): Check =>
  check(
    "refusals",
    switches["LIM-1"] === "unknown"
      ? "counted as possibly processed (LIM-1)"
      : "counted as not processed; a gateway that refuses after its work makes a second receipt (LIM-1)"
  )

const clockChecks = Effect.fnUntraced(function* (request: DoctorRequest) {
  const asked = yield* DualClock.now
  const ahead = yield* ServerClock.clockLead(request.baseUrl)
  return [clockCheck(request, ahead), ...(yield* databaseClockChecks(request, ahead, asked))]
})

const databaseClockChecks = (
  { account, clockSkew = standardClockSkew, store }: DoctorRequest,
  ahead: Option.Option<number>,
  asked: DualClock.DualClock
): Effect.Effect<ReadonlyArray<Check>> => {
  if (store === undefined || isError(store)) return Effect.succeed([])
  const gateway = Option.match(ahead, {
    onNone: (): ServerClock.ClockSample => ({ _tag: "NotTold", cause: "no-date" }),
    onSome: (aheadMillis): ServerClock.ClockSample => ({ _tag: "Told", aheadMillis })
  })
  return Effect.match(DatabaseClock.compare(store, account, gateway, asked), {
    onFailure: ({ message }) => [notAsked("clock of the database", message)],
    onSuccess: (aheadMillis) => {
      if (aheadMillis === null) return []
      const warning = DatabaseClock.warning(aheadMillis, gateway, Duration.fromInputUnsafe(clockSkew))
      const others = gateway._tag === "Told" ? "this machine's and the gateway's" : "this machine's"
      const observation = DatabaseClock.describe(aheadMillis, gateway) ?? `agrees with ${others}`
      return [check("clock of the database", observation, warning === null ? [] : [warning])]
    }
  })
}

const clockCheck = ({ clockSkew = standardClockSkew }: DoctorRequest, ahead: Option.Option<number>): Check => {
  if (Option.isNone(ahead)) return notAsked("clock", "no answer tells the gateway's time")
  const seconds = Math.round(ahead.value / 1000)
  if (seconds === 0) return check("clock", "agrees with the gateway's")
  const offset = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the gateway's`
  const code =
    Math.abs(ahead.value) > Duration.toMillis(clockSkew) ? AccountFinding.CLOCK_WRONG : DoctorFinding.CLOCK_SKEW
  return check("clock", offset, [Finding.make(code, { message: `this machine's clock is ${offset}` })])
}

const keyCheck = ({ profile }: DoctorRequest["gateway"]) =>
  Effect.map(Effect.result(profile), (answer) => {
    if (Result.isSuccess(answer)) return check("key", `accepted, user ${answer.success.username ?? answer.success.id}`)
    return check("key", answer.failure.message, [GatewayFailure.finding(answer.failure)])
  })

/** Asks the gateway for the state of the device: one read. Never fails. */
export const askDevice = (gateway: Pick<DoctorRequest["gateway"], "fiscalDevice">): Effect.Effect<Check> =>
  Effect.map(Effect.result(gateway.fiscalDevice), (device) =>
    Result.isSuccess(device) ? deviceCheck(device.success) : failedCheck(device.failure)
  )

const failedCheck = (failure: GatewayError): Check =>
  check("device", failure.message, [GatewayFailure.finding(failure)])

const deviceChecks = Effect.fnUntraced(function* (
  request: DoctorRequest,
  device: Result.Result<FiscalDevice, GatewayError>,
  now: Instant.Instant
) {
  const { book, gateway } = request
  if (Result.isFailure(device)) return [failedCheck(device.failure)]
  const days = yield* Effect.result(DayClose.reports(gateway))
  return [
    deviceCheck(device.success),
    yield* subscriptionCheck(gateway, device.success, now),
    permissionCheck(device.success, now),
    yield* factCheck({ ...request, store: usable(request.store) }, device.success, days, now),
    book === undefined
      ? notAsked("mappings", "not asked: no mapping book was named that says what they must be")
      : yield* mappingCheck(request, book),
    dayCheck(days),
    yield* answerCheck(gateway)
  ]
})

/** Answer for an unused request id: proves the secret, and shows how an unknown id looks. */
type UnusedIdAnswer = Result.Result<ReadonlyArray<StatusItem>, GatewayError>

const secretCheck = ({ requests }: DoctorRequest, answer: UnusedIdAnswer): Check => {
  if (Result.isFailure(answer)) {
    const { message, reason } = answer.failure
    if (reason._tag !== "CredentialsRefused") return check("secret", message, [GatewayFailure.finding(answer.failure)])
    const particulars =
      requests === "unsigned" ? { message: "the gateway wants signed calls, and the account has no secret" } : {}
    return check("secret", message, [Finding.make(AccountFinding.SECRET_REFUSED, particulars)])
  }
  return requests === "signed"
    ? check("secret", "a signed call is accepted")
    : check("secret", "none", [Finding.make(DoctorFinding.REQUESTS_UNSIGNED)])
}

const assumptionCheck = (
  { account, assumptions: switches = defaults, store }: DoctorRequest,
  control: ReadonlyArray<StatusItem> | null
) =>
  Effect.gen(function* () {
    const own = usable(store)
    const seen = own === undefined ? null : yield* Effect.orElseSucceed(own.gatewaySeen(account), () => null)
    const all = KnowYourGateway.of(Object.keys(assumptions) as ReadonlyArray<AssumptionId>, { seen, control, switches })
    const count = (is: KnowYourGateway.SeenAssumption["is"]) => all.filter((one) => one.is === is).length
    const findings = all
      .filter(({ is }) => is === "contradicts")
      .map(({ id, saw, setting }) =>
        Finding.make(DoctorFinding.GATEWAY_DIFFERS, {
          message: `${id}: ${saw}`,
          ...(setting !== null && { detail: `this setting would fit: ${setting}` })
        })
      )
    const text = `${count("agrees")} agree, ${count("contradicts")} contradict, ${count("not-seen")} not seen yet`
    return { ...check("assumptions", text, findings), assumptions: all }
  })

const deviceCheck = (device: FiscalDevice): Check => {
  const { deviceId, isActive, isLive, isSwitchedOn, serialNo, taxpayerName, tin } = device
  const states = [isActive ? "active" : "not active", isSwitchedOn ? "on" : "off", isLive ? "live" : "test"]
  const whose = `${taxpayerName ?? "taxpayer"} (TIN ${tin ?? "not given"})`
  const observation = `${deviceId}, serial number ${serialNo ?? "not given"}, ${whose}: ${states.join(", ")}`
  return check("device", observation, DeviceReadiness.check(device, undefined))
}

const soon = 14

const subscriptionCheck = (gateway: DoctorRequest["gateway"], device: FiscalDevice, now: Instant.Instant) =>
  Effect.map(Effect.result(gateway.subscription), (answer) => {
    if (Result.isFailure(answer) && answer.failure.reason._tag !== "NotFound") {
      return notAsked("subscription", answer.failure.message)
    }
    const subscription = Result.isSuccess(answer) ? answer.success : null
    const readiness = DeviceReadiness.check({ ...device, isActive: true, isSwitchedOn: true }, subscription)
    if (subscription === null) return check("subscription", "none", readiness)
    const end = subscription.expiresOn === null ? Option.none() : toInstant(subscription.expiresOn, now.zone)
    const days = Option.map(end, (end) => Math.floor((Instant.seconds(end) - Instant.seconds(now)) / 86_400))
    const left = Option.match(days, {
      onNone: () => "",
      onSome: (days) => (days < 0 ? `, ended ${-days} days ago` : `, ${days} days left`)
    })
    const ending = Option.exists(days, (days) => days <= soon)
      ? [Finding.make(DoctorFinding.SUBSCRIPTION_ENDS, { detail: left.slice(2) })]
      : []
    return check("subscription", `${subscription.status}${left}`, [...readiness, ...ending])
  })

const permissionCheck = (device: FiscalDevice, now: Instant.Instant): Check => {
  const permissions = [
    ["back-dated uploads", device.allowCsvUpload, device.expireCsvUpload],
    ["credit notes without an invoice", device.allowCreditNoteWithNoInvoice, device.expireCreditNoteWithNoInvoice]
  ] as const
  const seen = permissions.map(([name, allowed, expiry]) => {
    if (allowed !== true) return { text: `${name}: no`, ends: [] }
    const until = expiry === null ? "" : typeof expiry === "string" ? expiry.slice(0, 16) : Instant.format(expiry)
    const text = hasPassed(expiry, now)
      ? `${name}: ended ${until}`
      : `${name}: yes${until === "" ? "" : `, until ${until}`}`
    return { text, ends: hasPassed(expiry, DateTime.add(now, { days: soon })) ? [text] : [] }
  })
  return check(
    "permissions",
    seen.map(({ text }) => text).join("; "),
    seen.flatMap(({ ends }) => ends.map((detail) => Finding.make(DoctorFinding.PERMISSION_ENDS, { detail })))
  )
}

const mappingCheck = ({ account, gateway, store }: DoctorRequest, book: MappingBook) =>
  Effect.map(
    Effect.result(Mappings.plan(gateway, { account, book, extras: "keep", store: usable(store) })),
    (planned) => {
      if (Result.isFailure(planned)) return notAsked("mappings", planned.failure.message)
      const { findings, steps } = planned.success.plan
      const missing = steps.map((step) =>
        Finding.make(step._tag === "RenameTax" ? DoctorFinding.MAPPING_NAMES_DIFFER : DoctorFinding.MAPPINGS_DIFFER, {
          detail: `to be done: ${MappingStep.describe(step)}`
        })
      )
      const observation =
        steps.length + findings.length === 0
          ? "as the book says"
          : [
              ...(steps.length === 0 ? [] : [`${steps.length} to be done`]),
              ...(findings.length === 0
                ? []
                : [`${findings.length} not in order${steps.length === 0 ? "" : " otherwise"}`])
            ].join(", ")
      return check("mappings", observation, [...missing, ...findings])
    }
  )

const dayCheck = (days: Days): Check => {
  if (Result.isFailure(days)) return notAsked("last fiscal day", days.failure.message)
  const last = days.success.items[0]
  if (last === undefined) return check("last fiscal day", "none closed yet")
  const closed = last.isSuccess === false ? "not closed" : "closed"
  return check("last fiscal day", `${last.fiscalDayNumber}, ${closed}`, ZReportIdentities.check(last))
}

const usable = (store: DoctorRequest["store"]): DoctorStore | undefined => (isError(store) ? undefined : store)

const isError = (store: DoctorRequest["store"]): store is StoreError => store !== undefined && "reason" in store

const storeChecks = ({ account, store, witness }: DoctorRequest, device: FiscalDevice | undefined) =>
  Effect.gen(function* () {
    if (store === undefined) return [check("store", "none yet: nothing was ever sent for this account")]
    if (isError(store)) return unusable(store)
    const looked = yield* Effect.result(
      Effect.gen(function* () {
        return {
          health: yield* store.health(Patience.retention.is),
          lanes: yield* store.lanes([account]),
          suspect: OpenAccount.storeReason(yield* OpenAccount.storeFacts(store, witness))
        }
      })
    )
    if (Result.isFailure(looked)) return unusable(looked.failure)
    const { health, lanes, suspect } = looked.success
    const counts = Object.entries(health.counts).map(([state, count]) => `${count} ${state}`)
    const concerns = Attention.of(health).map(({ code, text }) =>
      Finding.make(DoctorFinding.STORE_NEEDS_LOOK, { detail: `${code}: ${text}` })
    )
    const sentTo = lanes.map(({ lane }) => lane)
    const own = device === undefined ? undefined : Destination.of(account, device, device.isLive ? "live" : "test").lane
    const isNew = own !== undefined && !lanes.some((view) => view.lane === own && view.device === "known")
    return [
      check("store", `${counts.join(", ") || "empty"}${isNew ? "; it has never sent to this device" : ""}`, [
        ...(suspect === null ? [] : [StopReason.finding(suspect)]),
        ...concerns
      ]),
      device === undefined
        ? notAsked("environment", "not asked: the device comes first")
        : environmentCheck(account, sentTo, device),
      ...(own === undefined || isNew ? [] : [yield* programsCheck(store, own)])
    ]
  })

const counted = Duration.days(31)

/** States if other tills or programs use the device, and how many receipt numbers may be theirs. */
const programsCheck = (store: DoctorStore, lane: string) =>
  Effect.gen(function* () {
    const stated = yield* store.otherPrograms(lane)
    const since = DateTime.subtractDuration(yield* DateTime.now, counted)
    const ranges = (yield* Receipts.numbersOf(store, lane, since)).rangesIn(0, Infinity)
    const missing = ranges.reduce((sum, { awaited, from, to }) => sum + to - from + 1 - awaited, 0)
    const count = `receipt numbers of the last 31 days that this store does not have: ${missing}`
    if (stated === null) return notAsked(programs, `not stated if another till or program uses this device; ${count}`)
    const who = stated.stated === "others" ? "other tills or programs use" : "only this store uses"
    return check(programs, `${who} this device, stated on ${DateTime.formatIsoDateUtc(stated.since)}; ${count}`)
  }).pipe(Effect.catchTag("StoreError", ({ message }) => Effect.succeed(notAsked(programs, message))))

const programs = "other programs"

const unusable = ({ message, reason }: StoreError): ReadonlyArray<Check> => {
  const code = `STORE_${reason.toUpperCase().replaceAll("-", "_")}`
  return [
    check("store", message, [
      Finding.make(DoctorFinding.STORE_UNUSABLE, { message, detail: code, steps: [{ do: "why", code }] })
    ]),
    notAsked("environment", "not asked: the store comes first")
  ]
}

const environmentCheck = (account: string, lanes: ReadonlyArray<string>, device: FiscalDevice): Check => {
  const environment: Environment = device.isLive ? "live" : "test"
  const { lane } = Destination.of(account, device, environment)
  const others = lanes.filter((other) => other !== lane && !other.startsWith("sandbox/"))
  const observation = `${environment}, device ${device.deviceId}`
  if (others.length === 0) return check("environment", observation)
  const message = `the account ${account} has sent to ${others.join(", ")}, its device is now ${lane}`
  return check("environment", observation, [Finding.make(DoctorFinding.ENVIRONMENT_MIXED, { message })])
}
