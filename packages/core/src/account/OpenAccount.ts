/**
 * Permission to send: every check that protects a fiscal day has passed. Only `open` makes a
 * permission. It belongs to one store and one gateway and is valid for ten minutes; the sender
 * renews it.
 */
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { controlOf, nobody, type StatusControl } from "../gateway/operation/Status.ts"
import * as DualClock from "../gateway/contract/DualClock.ts"
import * as SubmitCapability from "../gateway/internal/SubmitCapability.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"
import * as AccountFacts from "./AccountFacts.ts"
import { AccountFinding } from "./AccountFinding.ts"
import { type AccountSettings, type SendingPolicy, standardClockSkew } from "./AccountSettings.ts"
import * as DatabaseClock from "./DatabaseClock.ts"
import * as DayNotices from "./DayNotices.ts"
import * as SendingAbility from "./SendingAbility.ts"
import * as KeyOrigin from "./KeyOrigin.ts"
import { zoneOfPin } from "./PinnedZone.ts"
import * as FirstUse from "./FirstUse.ts"
import { AccountStopped, type DeviceIdentity, finding, type StopReason, stopCause } from "./StopReason.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { LaneView, OwnStop, StopCause } from "../submission/Lane.ts"
import { becauseOlder, isUnproven, type MarkComparison, unmarked } from "../submission/ledger/NewestAttempt.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import { merged, type StoreWitness, unwitnessed, type WitnessedStore } from "./StoreWitness.ts"
import type { Notice } from "../submission/Notice.ts"
import type { Pin } from "../submission/Pin.ts"
import { Operator } from "../submission/OperatorRecord.ts"
import { type StoreIdentity, SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

declare const permission: unique symbol

/** A permission to send. Device, subscription and last close are as seen at the last renewal. */
export interface OpenAccount extends AccountFacts.AccountFacts, SendingPolicy {
  readonly [permission]: "made by OpenAccount.open"
  readonly checkedAt: DateTime.Utc
}

/** Statements of the operator, or of a job's author, for this run. */
export interface OpeningOptions {
  /** `allowed`: sending to a live device is intended. Default `not-allowed`. */
  readonly live?: "allowed" | "not-allowed"
  readonly firstUse?: string | undefined
  /**
   * Name of the operator who consents to a live device, for the record of decisions. Default: the
   * operator of the program (submission/OperatorRecord).
   */
  readonly decidedBy?: string | undefined
  /**
   * Record of the store's progress, kept outside the store. Without a witness, an older copy of the
   * store is not recognized.
   */
  readonly witness?: StoreWitness | undefined
  /**
   * `over`: ends the back-off of a lane whose cause of stopping may have been fixed since. For an
   * operator who asks to continue: the reads made here serve as the probe. A rate limit of the
   * gateway is still waited for. `kept`: the lane waits until its back-off ends, for everything
   * that runs unattended. Default `kept`.
   */
  readonly backOff?: "kept" | "over"
}

interface OpenedAccount {
  readonly settings: AccountSettings
  readonly options: OpeningOptions
  readonly store: SubmissionStoreOperations
  readonly storeId: string
  seen: AccountSight
  /** True if the permission must not be used any more, regardless of its age. */
  outdated: boolean
  /** Time of the last refused renewal, in milliseconds since the epoch. */
  refusedAt: number
  /** Time at which the witness was last updated while sending, in milliseconds since the epoch. */
  witnessedAt: number
  interruptions: number
  /** Time of the last renewal, in milliseconds since the epoch. */
  renewedAt: number
}

interface AccountSight {
  readonly facts: AccountFacts.AccountFacts
  readonly at: DualClock.DualClock
  /** The lane's fiscal day, as the store knew the day before the gateway was asked. */
  readonly fiscalDay: number | null
  /** The lane's failures, as the store knew them before the gateway was asked. */
  readonly failures: LaneView["failures"]
}

// Genuine permissions. Any value that is missing here is not a permission.
const insides = new WeakMap<object, OpenedAccount>()

const insideOf = (account: OpenAccount): OpenedAccount => {
  const inside = insides.get(account)
  if (inside === undefined) throw new TypeError("this is not a permission to send: only OpenAccount.open creates one")
  return inside
}

/** True if the value is a permission to send from the store with this id. */
export const isFor = (account: unknown, storeId: string): account is OpenAccount =>
  typeof account === "object" && account !== null && insides.get(account)?.storeId === storeId

/** Returns the settings of a permission to send. Null for facts that give no permission. */
export const settingsOf = (account: object): AccountSettings | null => insides.get(account)?.settings ?? null

/**
 * Connects the account: reads profile, device, subscription, clock and last close, and compares
 * them with the store's knowledge. Pins the account to its device. Fails with every reason at once.
 * Stops the lane of a device that refuses or has changed; restarts a lane that was stopped for a
 * cause that is gone.
 */
export const open = (
  settings: AccountSettings,
  options: OpeningOptions = {}
): Effect.Effect<OpenAccount, AccountStopped | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const submit = yield* SubmitCapability.of(settings.gateway)
    const { id } = yield* store.identity
    const interruptions = yield* store.interruptions
    const seen = yield* examine(settings, options, store, "at-opening")
    if (options.backOff === "over") yield* restartLane(store, seen.facts.destination.lane)
    const {
      assumptions: _,
      environment: __,
      exposed: ___,
      gateway: ____,
      origin: _____,
      zone: ______,
      ...policy
    } = settings
    const inside: OpenedAccount = {
      settings,
      options,
      store,
      storeId: id,
      seen,
      outdated: false,
      refusedAt: Number.NEGATIVE_INFINITY,
      witnessedAt: Number.NEGATIVE_INFINITY,
      interruptions,
      renewedAt: Number.NEGATIVE_INFINITY
    }
    const account = Object.create(policy, {
      ...Object.fromEntries(
        Object.keys(seen.facts).map((field) => [
          field,
          { enumerable: true, get: () => inside.seen.facts[field as keyof AccountFacts.AccountFacts] }
        ])
      ),
      checkedAt: { enumerable: true, get: () => DateTime.makeUnsafe(inside.seen.at.time) }
    }) as OpenAccount
    insides.set(account, inside)
    return SubmitCapability.keep(account, submit)
  })

/**
 * True if the permission must be renewed before anything more is sent in this lane. A
 * permission is for one device.
 */
export const isStale = (account: OpenAccount, lane: string): Effect.Effect<boolean> =>
  Effect.clockWith((clock) => {
    const { interruptions, outdated, seen, store } = insideOf(account)
    const isOther = seen.facts.destination.lane !== lane
    const isOld = outdated || isOther || DualClock.age(seen.at, clock) >= Duration.toMillis(Patience.permission.is)
    // After an interruption another store may be at the same address.
    return Effect.map(store.interruptions, (now) => isOld || now !== interruptions)
  })

/**
 * Compares the store with the known attempts, and stops the lanes of an older copy at once. For a
 * process that reaches the store again: the process knows the attempts begun here, and other
 * processes may be about to send.
 */
export const prove = (account: OpenAccount): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    const { options, store } = insideOf(account)
    const { comparison, recorded } = yield* storeFacts(store, options.witness)
    if (!isWhole(comparison)) yield* store.stopOlder(recorded)
  })

/**
 * Returns the reasons that need a word of the operator before documents are sent to a live device:
 * live consent, and the code of a first use. Opens, pins and writes nothing.
 */
export const asks = (
  facts: AccountFacts.AccountFacts,
  options: Pick<OpeningOptions, "firstUse" | "live" | "witness">
): Effect.Effect<ReadonlyArray<StopReason>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const seen = yield* storeFacts(store, options.witness)
    const own = (yield* store.lanes()).find(({ lane }) => lane === facts.destination.lane)
    return liveReasons(facts, options, userOf(seen), seen.witnessed, own?.device === "known")
  })

/** Reads what proves that the store is complete. */
export const storeFacts = Effect.fnUntraced(function* (
  store: Pick<SubmissionStoreOperations, "identity" | "compareMarks">,
  witness: StoreWitness | undefined
) {
  const identity = yield* store.identity
  const witnessed = yield* witness?.read ?? Effect.succeed([])
  const recorded = witnessed.find(({ id }) => id === identity.id)
  return { identity, witnessed, recorded, comparison: yield* store.compareMarks(recorded ?? unmarked) }
})

/** Null if the store may lack documents. */
const userOf = (facts: StoreFacts): FirstUse.FirstUser | null =>
  storeReason(facts) === null ? { id: facts.identity.id, accepted: facts.comparison.accepted } : null

/**
 * Renews the permission by all checks. If the renewal fails, the permission permits nothing more
 * until a later renewal succeeds.
 */
export const renew = (account: OpenAccount): Effect.Effect<void, AccountStopped | StoreError> =>
  Effect.suspend(() => {
    const inside = insideOf(account)
    inside.outdated = true
    return Effect.gen(function* () {
      const interruptions = yield* inside.store.interruptions
      // Another process may know of an attempt that the store lacks now. The pause lets that
      // process stop the lane first.
      if (interruptions !== inside.interruptions) {
        yield* prove(account)
        yield* Effect.sleep(Patience.holdOff.is)
      }
      inside.seen = yield* examine(inside.settings, inside.options, inside.store, "again")
      inside.outdated = false
      inside.interruptions = interruptions
      inside.renewedAt = inside.seen.at.time
    }).pipe(
      Effect.tapErrorTag("AccountStopped", () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          inside.refusedAt = now
        })
      )
    )
  })

/** True if a renewal was refused within this time. */
export const wasRefusedWithin = (account: OpenAccount, time: Duration.Duration): Effect.Effect<boolean> =>
  // The clock may have been set back.
  Effect.map(Clock.currentTimeMillis, (now) => Math.abs(now - insideOf(account).refusedAt) < Duration.toMillis(time))

/**
 * Returns the lane's fiscal day for which the permission is valid. If an outcome, received by any
 * process, names a later day, a day was closed in between and the permission is renewed.
 */
export const fiscalDayOf = (account: OpenAccount): number | null => insideOf(account).seen.fiscalDay

/** Returns the lane's failures for which the permission is valid. */
export const failuresOf = (account: OpenAccount): LaneView["failures"] => insideOf(account).seen.failures

/** Returns the time of the last renewal, in milliseconds since the epoch. */
export const renewedAt = (account: OpenAccount): number => insideOf(account).renewedAt

/** Returns the number of interruptions of the store before the permission was last renewed. */
export const interruptionsOf = (account: OpenAccount): number => insideOf(account).interruptions

/** Records the store's progress in the witness. */
export const witness = (account: OpenAccount): Effect.Effect<void, StoreError> => {
  const { options, seen, store } = insideOf(account)
  return Effect.asVoid(writeWitness(options.witness, store, seen.facts.destination.lane))
}

/**
 * Records the progress while documents are sent. If the run is cut off
 * and an older copy then replaces the store, nearly all progress is known. A failure to record
 * stops nothing.
 */
export const witnessSending = (account: OpenAccount): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const inside = insideOf(account)
    // The clock may have been set back.
    if (Math.abs(now - inside.witnessedAt) < Duration.toMillis(Patience.betweenRecords.is)) return Effect.void
    inside.witnessedAt = now
    return Effect.ignore(witness(account))
  })

const identityOf = ({ destination, device }: AccountFacts.AccountFacts): DeviceIdentity => ({
  deviceId: device.deviceId,
  serial: device.serialNo,
  taxpayerName: device.taxpayerName,
  tin: device.tin,
  environment: destination.environment
})

const pinFor = ({ origin, unworkedAfter, zone }: AccountSettings, facts: AccountFacts.AccountFacts): Pin => ({
  ...facts.destination,
  serial: facts.device.serialNo,
  zone: zone === undefined ? null : DateTime.zoneToString(zone),
  origin: KeyOrigin.kept(origin),
  unworkedAfterSeconds:
    unworkedAfter === undefined ? null : Math.round(Duration.toSeconds(Duration.fromInputUnsafe(unworkedAfter)))
})

const changedDevice = Effect.fnUntraced(function* (
  store: SubmissionStoreOperations,
  pin: Pin
): Effect.fn.Return<ReadonlyArray<StopReason>, StoreError> {
  const answer = yield* store.pin(pin)
  if (answer._tag !== "Changed") return []
  const view = (yield* store.lanes()).find(({ lane }) => lane === answer.pinned)
  const text = view?.stop?.text ?? `account ${pin.account} is pinned to device ${answer.pinned}`
  return [{ _tag: "DeviceChanged", pinned: answer.pinned, text }]
})

const firstUse = { act: "first-use", what: "first use confirmed", how: "each" } as const
const liveUse = { act: "live", what: "live device meant", how: "once" } as const

const recordConsents = (
  store: SubmissionStoreOperations,
  account: string,
  { destination, device }: AccountFacts.AccountFacts,
  name: string | undefined,
  consents: ReadonlyArray<typeof firstUse | typeof liveUse>
) =>
  Effect.forEach(
    consents,
    ({ how, ...consent }) => {
      const subject = `device ${destination.lane}, serial number ${device.serialNo ?? "not given"}`
      const recorded = store.recordDecision({ ...consent, account, subject, because: null }, how)
      return name === undefined ? recorded : Effect.provideService(recorded, Operator, { name })
    },
    { discard: true }
  )

const examine = (
  settings: AccountSettings,
  options: OpeningOptions,
  store: SubmissionStoreOperations,
  when: "at-opening" | "again"
): Effect.Effect<AccountSight, AccountStopped | StoreError> =>
  Effect.gen(function* () {
    const { account } = settings
    const pinned = Option.getOrNull(yield* store.pinOf(account))
    const change = KeyOrigin.change(pinned, settings.origin)
    // Before the first byte is sent, because the key is in every request.
    if (change !== undefined) {
      return yield* stopped(store, account, pinned?.lane ?? null, [{ _tag: "OriginChanged", account, change }])
    }
    const before = yield* store.lanes()
    // The facts are as old as the question: the process may be suspended between the answers.
    const at = yield* DualClock.now
    const zone = settings.zone ?? zoneOfPin(pinned)
    const read = yield* Effect.result(AccountFacts.read(settings, zone, pinned))
    if (read._tag === "Failure") return yield* stopped(store, account, pinned?.lane ?? null, [unread(read.failure)])
    const facts = read.success
    const { clock } = facts
    const databaseAhead = yield* DatabaseClock.compare(store, account, clock, at)
    const databaseClock = DatabaseClock.warning(databaseAhead, clock, allowedSkew(settings))
    const { lane } = facts.destination
    const own = before.find((view) => view.lane === lane)
    const stored = yield* storeFacts(store, options.witness)
    const { comparison, recorded, witnessed } = stored
    const secret = when === "at-opening" ? yield* secretProof(settings) : unasked
    const recordOpening = store.recordOpening(account, {
      ability: SendingAbility.of(facts.device, facts.subscription, facts.assumptions),
      control: secret._tag === "Proven" ? secret.control : null
    })
    yield* recordOpening
    const reasons: Array<StopReason> = [
      ...(secret._tag === "Refused" ? [unread(secret.error)] : []),
      ...DeviceReadiness.check(facts.device, facts.subscription, facts.assumptions)
        .filter(Finding.refuses)
        .map((finding) => ({ _tag: "DeviceRefuses", finding }) as const),
      ...clockReasons(facts, settings)
    ]
    const pin = pinFor(settings, facts)
    if (pinned !== null) reasons.push(...(yield* changedDevice(store, pin)))
    const isKnown = own?.device === "known"
    const exposed = settings.exposed ?? []
    if (facts.destination.environment === "live" && exposed.length > 0) {
      reasons.push({ _tag: "LiveExposed", texts: exposed })
    }
    // A store that may forget what was sent is refused for live devices only; for a test device the
    // risk is accepted.
    const durability = facts.destination.environment === "live" ? yield* store.durability : null
    if (durability?._tag === "MayLose") reasons.push({ _tag: "StoreNotDurable", text: durability.text })
    const { place } = comparison
    const suspect = storeReason(stored)
    if (suspect?._tag === "StoreOlder") yield* store.stopOlder(recorded)
    if (suspect?._tag === "StoreUnproven") yield* store.stopUnproven(suspect.text, place?.provenAs ?? null)
    if (suspect !== null) reasons.push(suspect)
    reasons.push(...liveReasons(facts, options, userOf(stored), witnessed, isKnown))
    if (reasons.length > 0) return yield* stopped(store, account, pinned?.lane ?? null, reasons)
    const isProven =
      comparison.stop === null && (place === null || place.is === "unread" || place.is === place.provenAs)
    if (!isProven) yield* store.proven(place === null || place.is === "unread" ? null : place.is)
    if (pinned === null) yield* Effect.andThen(store.pin(pin), recordOpening)
    if (facts.destination.environment === "live")
      yield* recordConsents(store, account, facts, options.decidedBy, [
        ...(isKnown ? [] : [firstUse]),
        ...(when === "at-opening" ? [liveUse] : [])
      ])
    if (!isKnown) yield* store.know(lane)
    yield* DayNotices.record(store, lane, {
      lastClose: facts.lastClose,
      reports: facts.days,
      longestHours: facts.device.currentConfig?.taxPayerDayMaxHrs ?? null,
      now: DateTime.makeUnsafe(at.time)
    })
    if (own?.stop != null && isChecked(own.stop.cause)) yield* store.restart(lane)
    const kept = yield* writeWitness(options.witness, store, lane)
    const unrecorded = kept === "written" ? [] : [unwitnessed(kept)]
    yield* store.notice("opening", account, unrecorded.map(noticeOf))
    const warnings = [
      ...facts.warnings,
      ...(databaseClock === null ? [] : [databaseClock]),
      ...exposed.map((message) => Finding.make(AccountFinding.CONFIG_WRITABLE, { message })),
      ...(secret._tag === "Unproven" ? [Finding.make(AccountFinding.SECRET_UNPROVEN, { detail: secret.text })] : []),
      ...(isKnown || facts.destination.environment !== "test" ? [] : [Finding.make(AccountFinding.STORE_NEW)]),
      ...unrecorded,
      ...(place?.is === "unread" ? [Finding.make(AccountFinding.STORE_PLACE_UNREAD)] : [])
    ]
    return {
      facts: { ...facts, warnings },
      at,
      fiscalDay: own?.fiscalDay ?? null,
      failures: own?.failures ?? { ofRules: 0, others: 0 }
    }
  })

const unread = (error: GatewayError): StopReason =>
  error.reason._tag === "NotFound" && error.reason.what === "device"
    ? { _tag: "DeviceMissing", error }
    : { _tag: "Unasked", error }

type SecretProof =
  /** `control`: the answer for the id that no request has. Null if it was not asked. */
  | { readonly _tag: "Proven"; readonly control: StatusControl | null }
  | { readonly _tag: "Refused"; readonly error: GatewayError }
  /**
   * The gateway cannot be reached for the signed read, or lacks the operation. Nothing is stopped;
   * a warning is reported.
   */
  | { readonly _tag: "Unproven"; readonly text: string }

const unasked: SecretProof = { _tag: "Proven", control: null }

/**
 * The only signed read, before anything is planned. Every other read here proves the key alone
 * (AUTH-5).
 */
const secretProof = ({ gateway }: AccountSettings): Effect.Effect<SecretProof> =>
  gateway.status([nobody]).pipe(
    Effect.timeoutOption(Patience.oneRead.is),
    Effect.match({
      onFailure: (error): SecretProof =>
        error.reason._tag === "CredentialsRefused"
          ? { _tag: "Refused", error }
          : { _tag: "Unproven", text: error.message },
      onSuccess: (answer): SecretProof =>
        Option.isSome(answer)
          ? { _tag: "Proven", control: controlOf(answer.value) }
          : { _tag: "Unproven", text: `no answer within ${Duration.format(Patience.oneRead.is)}` }
    })
  )

const allowedSkew = ({ clockSkew }: AccountSettings) => Duration.fromInputUnsafe(clockSkew ?? standardClockSkew)

const clockReasons = ({ clock }: AccountFacts.AccountFacts, settings: AccountSettings): ReadonlyArray<StopReason> => {
  const allowed = allowedSkew(settings)
  if (clock._tag === "NotTold" || Math.abs(clock.aheadMillis) <= Duration.toMillis(allowed)) return []
  return [{ _tag: "ClockWrong", aheadMillis: clock.aheadMillis, allowed }]
}

const isWhole = ({ acceptance, missing }: MarkComparison): boolean => acceptance === "kept" && missing.length === 0

/** Facts by which an older copy is recognized. */
export interface StoreFacts {
  readonly identity: StoreIdentity
  readonly comparison: MarkComparison
  readonly recorded: WitnessedStore | undefined
}

/**
 * Returns the reason why the store may lack documents that were sent, or null. If the database has
 * changed and no attempt is known here, another process has to prove that the store is complete.
 */
export const storeReason = ({ comparison, identity, recorded }: StoreFacts): StopReason | null => {
  const { known, place, stop } = comparison
  const text = becauseOlder(comparison, identity.attempts, recorded)
  if (text !== undefined) return { _tag: "StoreOlder", text }
  if (stop?.is === "older") return { _tag: "StoreOlder", text: stop.text }
  if (stop?.is === "behind") return { _tag: "StoreBehind", text: stop.text }
  return known > 0 || !isUnproven(comparison)
    ? null
    : { _tag: "StoreUnproven", text: stop?.text ?? `it was ${place?.provenAs} and is ${place?.is}` }
}

/** `user` is null for a stopped store, which offers no first use. */
const liveReasons = (
  facts: AccountFacts.AccountFacts,
  { firstUse, live }: Pick<OpeningOptions, "firstUse" | "live">,
  user: FirstUse.FirstUser | null,
  witnessed: ReadonlyArray<WitnessedStore>,
  isKnown: boolean
): ReadonlyArray<StopReason> => {
  const { destination, device } = facts
  const reasons: Array<StopReason> = []
  if (destination.environment !== "live") return reasons
  if (live !== "allowed") reasons.push({ _tag: "LiveNotAllowed", device: identityOf(facts) })
  if (user === null) return reasons
  const code = FirstUse.code(user, device.deviceId, device.serialNo)
  if (!isKnown && firstUse?.toUpperCase() !== code) {
    const other = witnessed.find((store) => store.id !== user.id && store.lanes.includes(destination.lane))
    reasons.push({
      _tag: "FirstUse",
      code,
      device: identityOf(facts),
      other: other === undefined ? null : { attempts: other.attempts, at: other.at }
    })
  }
  return reasons
}

// The details of these codes name the taxpayer of a device, or a code that confirms its use.
const withoutDetail: ReadonlySet<string> = new Set(["FIRST_USE", "LIVE_NOT_ALLOWED"])

const noticeOf = ({ code, detail, message }: Finding.Finding): Notice => ({
  code,
  detail: "",
  text: detail === undefined || withoutDetail.has(code) ? message : `${message} (${detail})`
})

/**
 * A reason that concerns the lane stops the lane, so that everyone who looks at the store sees the
 * cause.
 */
const stopped = (
  store: SubmissionStoreOperations,
  account: string,
  lane: string | null,
  reasons: ReadonlyArray<StopReason>
): Effect.Effect<never, AccountStopped | StoreError> =>
  Effect.gen(function* () {
    const ofDevice = reasons.find((reason) => isChecked(stopCause(reason)))
    const cause = ofDevice === undefined ? null : stopCause(ofDevice)
    if (lane !== null && ofDevice !== undefined && isChecked(cause)) {
      const { detail, message } = finding(ofDevice)
      const text = detail === undefined ? message : `${message} (${detail})`
      yield* store.stop(lane, { cause, text, retryAt: null })
    }
    // Every process sees the notice, also if the account never had a lane.
    yield* store.notice(
      "opening",
      account,
      reasons.map((reason) => noticeOf(finding(reason)))
    )
    return yield* new AccountStopped({ account, reasons: reasons as AccountStopped["reasons"] })
  })

// Causes for which opening an account stops the lane. The next successful opening clears the stop.
const isChecked = (cause: StopCause | null): cause is "device-refuses" | "clock" =>
  cause === "device-refuses" || cause === "clock"

// Causes with which a document is certainly not processed, and which may have been fixed since.
const mendable: ReadonlySet<StopCause> = new Set(["credentials", "not-found", "misdirected", "not-sent"])

/** The count of stops is kept, so the next stop in a row still waits longer than the last. */
const restartLane = Effect.fnUntraced(function* (store: SubmissionStoreOperations, lane: string) {
  const stopped = (yield* store.lanes()).find((view) => view.lane === lane)?.stop
  if (stopped == null || stopped.retryAt === null) return
  if (mendable.has(stopped.cause)) yield* store.restart(lane)
  // one document is sent as a test; only its receipt ends the stop
  if (stopped.cause === "same-failure") {
    const probed: OwnStop = { ...stopped, cause: stopped.cause, retryAt: yield* DateTime.now }
    yield* store.stop(lane, probed)
  }
})

const writeWitness = (witness: StoreWitness | undefined, store: SubmissionStoreOperations, lane: string) =>
  Effect.gen(function* () {
    if (witness === undefined) return "written" as const
    const { attempts, id } = yield* store.identity
    const known = (yield* witness.read).find((store) => store.id === id)
    const comparison = yield* store.compareMarks(known ?? unmarked)
    // An older copy without the last acceptance must not overwrite what is known.
    if (comparison.acceptance === "lost") return "written" as const
    const { accepted, missing } = comparison
    // Attempts begun by this process and lost by the store are recorded too, because the next
    // process has no other way to learn of them.
    const newest = isWhole(comparison) ? comparison.newest : missing
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const isMended = known?.unwritten != null && (yield* store.tryWrite) === null
    const unwritten = isMended ? null : undefined
    const witnessed = merged(known, { id, attempts, lanes: [lane], at, accepted, newest, unwritten })
    if (known !== undefined && isSame(known, witnessed)) return "written" as const
    return yield* witness.write(witnessed)
  })

const isSame = (known: WitnessedStore, reported: WitnessedStore): boolean =>
  JSON.stringify({ ...known, at: "" }) === JSON.stringify({ ...reported, at: "" })
