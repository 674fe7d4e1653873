/**
 * The permission to send: an account that was connected, with everything settled that protects a fiscal day. It can be had by `open` alone,
 * belongs to one store and one gateway, and is good for ten minutes at a time; whoever sends renews it.
 */
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { nobody } from "../gateway/operation/Status.ts"
import * as Moment from "../gateway/contract/Moment.ts"
import * as SubmitCapability from "../gateway/internal/SubmitCapability.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"
import * as AccountFacts from "./AccountFacts.ts"
import { AccountFinding } from "./AccountFinding.ts"
import type { AccountSettings, SendingPolicy } from "./AccountSettings.ts"
import * as DayNotices from "./DayNotices.ts"
import * as KeyOrigin from "./KeyOrigin.ts"
import * as FirstUse from "./FirstUse.ts"
import { AccountStopped, type DeviceIdentity, finding, type StopReason, stopCause } from "./StopReason.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { LaneView, StopCause } from "../submission/Lane.ts"
import { becauseFewer, type StoreStanding, unmarked } from "../ledger/NewestAttempt.ts"
import { merged, type StoreWitness, type WitnessedStore } from "./StoreWitness.ts"
import type { Notice } from "../submission/Notice.ts"
import type { Pin } from "../submission/Pin.ts"
import { Operator, type OperatorDecision } from "../submission/OperatorRecord.ts"
import { type StoreIdentity, SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

declare const permission: unique symbol

/** A permission to send. What it says of device, subscription and last close is what was seen when it was last renewed. */
export interface OpenAccount extends AccountFacts.AccountFacts, SendingPolicy {
  readonly [permission]: "made by OpenAccount.open"
  readonly checkedAt: DateTime.Utc
}

/** What a person, or a job's author, says for this run. */
export interface OpeningOptions {
  /** Whether a live device is meant. Default `not-allowed`. */
  readonly live?: "allowed" | "not-allowed"
  /** The code of the first use of a live device by this store, as the refusal showed it. */
  readonly firstUse?: string | undefined
  /** Who consents to a live device, for the record of decisions. Default the operator of the program (submission/OperatorRecord). */
  readonly decidedBy?: string | undefined
  /** What is kept beside the store about how far it has come; without it an older copy is not told. */
  readonly witness?: StoreWitness | undefined
  /**
   * Whether a lane that was stopped by something that may have been mended since waits out its back-off. `over`: for a person who says go on; what is
   * asked here is the probe, and a gateway that wants fewer requests is waited for all the same. Default `kept`, for whatever runs by itself.
   */
  readonly backOff?: "kept" | "over"
}

/** How long what was seen is good to send by. */
export const goodFor: Duration.Duration = Duration.minutes(10)

interface Inside {
  readonly settings: AccountSettings
  readonly options: OpeningOptions
  readonly store: SubmissionStoreOperations
  readonly storeId: string
  seen: Seen
  /** What was seen is no longer to be sent by, however young it is. */
  outdated: boolean
  /** When a renewal was last refused, in milliseconds. */
  refusedAt: number
  /** When the count was last kept as something was sent, in milliseconds. */
  witnessedAt: number
  /** Number of interruptions of the store before the last renewal. */
  interruptions: number
}

interface Seen {
  readonly facts: AccountFacts.AccountFacts
  readonly at: Moment.Moment
  /** The lane's fiscal day, as the store knew it before anything was asked. */
  readonly fiscalDay: number | null
}

// a value that is not in here is no permission, whatever it looks like
const insides = new WeakMap<object, Inside>()

const insideOf = (account: OpenAccount): Inside => {
  const inside = insides.get(account)
  if (inside === undefined) throw new TypeError("this is not a permission to send: only OpenAccount.open creates one")
  return inside
}

/** Whether the value is a permission to send from the store of that id. */
export const isFor = (account: unknown, storeId: string): account is OpenAccount =>
  typeof account === "object" && account !== null && insides.get(account)?.storeId === storeId

/**
 * Connects the account: reads profile, device, subscription, clock and last close, and holds them against what the store knows. The account is
 * pinned to its device. Fails with every reason at once; a lane whose device refuses, or changed, is stopped by it, and one that was and
 * no longer is goes on.
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
    if (options.backOff === "over") yield* goOn(store, seen.facts.destination.lane)
    const {
      assumptions: _,
      environment: __,
      exposed: ___,
      gateway: ____,
      origin: _____,
      zone: ______,
      ...policy
    } = settings
    const inside: Inside = {
      settings,
      options,
      store,
      storeId: id,
      seen,
      outdated: false,
      refusedAt: Number.NEGATIVE_INFINITY,
      witnessedAt: Number.NEGATIVE_INFINITY,
      interruptions
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

/** Whether the account has to be asked about again before anything more is sent in this lane: a permission is for one device. */
export const isStale = (account: OpenAccount, lane: string): Effect.Effect<boolean> =>
  Effect.clockWith((clock) => {
    const { interruptions, outdated, seen, store } = insideOf(account)
    const isOther = seen.facts.destination.lane !== lane
    const isOld = outdated || isOther || Moment.age(seen.at, clock) >= Duration.toMillis(goodFor)
    // after an interruption another store may be at the same address
    return Effect.map(store.interruptions, (now) => isOld || now !== interruptions)
  })

/**
 * Compares the store with the known attempts, and stops the lanes of an older copy at once. For a process that reaches the store again: it knows what it
 * began itself, and others may be about to send.
 */
export const prove = (account: OpenAccount): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    const { options, seen, store } = insideOf(account)
    const { id } = yield* store.identity
    const witnessed = yield* options.witness?.read ?? Effect.succeed([])
    const own = witnessed.find((one) => one.id === id)
    const standing = yield* store.standing(own ?? unmarked)
    if (!isWhole(standing)) yield* store.stopOlder(seen.facts.destination.lane, own)
  })

// every process looks for the store at least once a second while it is away
const settling = Duration.seconds(5)

/** Settles everything anew. Where it fails the old permission is used for nothing more; a later renewal may succeed. */
export const renew = (account: OpenAccount): Effect.Effect<void, AccountStopped | StoreError> =>
  Effect.suspend(() => {
    const inside = insideOf(account)
    inside.outdated = true
    return Effect.gen(function* () {
      const interruptions = yield* inside.store.interruptions
      // another process may know of an attempt that the store lacks now, and stops the lane first
      if (interruptions !== inside.interruptions) {
        yield* prove(account)
        yield* Effect.sleep(settling)
      }
      inside.seen = yield* examine(inside.settings, inside.options, inside.store, "again")
      inside.outdated = false
      inside.interruptions = interruptions
    }).pipe(
      Effect.tapErrorTag("AccountStopped", () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          inside.refusedAt = now
        })
      )
    )
  })

/** Whether a renewal was refused so short a time ago. */
export const wasRefusedWithin = (account: OpenAccount, time: Duration.Duration): Effect.Effect<boolean> =>
  // a clock may have been set back
  Effect.map(Clock.currentTimeMillis, (now) => Math.abs(now - insideOf(account).refusedAt) < Duration.toMillis(time))

/**
 * The lane's fiscal day that the permission goes by. Once an outcome has named a later one, to whichever process, a day was closed in between and
 * the permission is renewed.
 */
export const fiscalDayOf = (account: OpenAccount): number | null => insideOf(account).seen.fiscalDay

/** The interruptions of the store before the permission was last renewed. */
export const interruptionsOf = (account: OpenAccount): number => insideOf(account).interruptions

/** Says beside the store how far it has come. */
export const witness = (account: OpenAccount): Effect.Effect<void, StoreError> => {
  const { options, seen, store } = insideOf(account)
  return Effect.asVoid(testify(options.witness, store, seen.facts.destination.lane))
}

const witnessEvery = 10_000

/**
 * The same as a document is about to be sent, every ten seconds at most: of a run that is cut off, and of whose store an older copy is put in its
 * place, nearly all is known. Nothing is stopped by a count that cannot be kept.
 */
export const witnessSending = (account: OpenAccount): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const inside = insideOf(account)
    // a clock may have been set back
    if (Math.abs(now - inside.witnessedAt) < witnessEvery) return Effect.void
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

const examine = (
  settings: AccountSettings,
  options: OpeningOptions,
  store: SubmissionStoreOperations,
  when: "at-opening" | "again"
): Effect.Effect<Seen, AccountStopped | StoreError> =>
  Effect.gen(function* () {
    const { account } = settings
    const pinned = Option.getOrNull(yield* store.pinOf(account))
    const change = KeyOrigin.change(pinned, settings.origin)
    // before the first byte: the key is in every request
    if (change !== undefined) {
      return yield* stopped(store, account, pinned?.lane ?? null, [{ _tag: "OriginChanged", account, change }])
    }
    const before = yield* store.lanes()
    // what is seen is as old as the question: the process may be stopped between the answers
    const at = yield* Moment.now
    const zone = settings.zone ?? Option.getOrElse(zoneNamed(pinned), () => DateTime.zoneMakeOffset(0))
    const read = yield* Effect.result(AccountFacts.read(settings, zone, pinned))
    if (read._tag === "Failure") return yield* stopped(store, account, pinned?.lane ?? null, [unread(read.failure)])
    const facts = read.success
    const { lane } = facts.destination
    const identity = yield* store.identity
    const witnessed = yield* options.witness?.read ?? Effect.succeed([])
    const own = before.find((view) => view.lane === lane)
    const recorded = witnessed.find(({ id }) => id === identity.id)
    const standing = yield* store.standing(recorded ?? unmarked)
    const secret: SecretProof = when === "at-opening" ? yield* secretProof(settings) : { _tag: "Proven" }
    const reasons: Array<StopReason> = [
      ...(secret._tag === "Refused" ? [unread(secret.error)] : []),
      ...DeviceReadiness.check(facts.device, facts.subscription, facts.assumptions)
        .filter(Finding.refuses)
        .map((finding) => ({ _tag: "DeviceRefuses", finding }) as const),
      ...clockReasons(facts, settings)
    ]
    const pin: Pin = {
      ...facts.destination,
      serial: facts.device.serialNo,
      zone: settings.zone === undefined ? null : DateTime.zoneToString(settings.zone),
      origin: KeyOrigin.kept(settings.origin),
      unworkedAfterSeconds:
        settings.unworkedAfter === undefined
          ? null
          : Math.round(Duration.toSeconds(Duration.fromInputUnsafe(settings.unworkedAfter)))
    }
    if (pinned !== null) {
      // the pinned lane is stopped by it where the device is another, and goes on where it is the same again
      const answer = yield* store.pin(pin)
      if (answer._tag === "Changed") {
        const view = (yield* store.lanes()).find(({ lane }) => lane === answer.pinned)
        const because = view?.stop?.because ?? `account ${account} is pinned to device ${answer.pinned}`
        reasons.push({ _tag: "DeviceChanged", pinned: answer.pinned, because })
      }
    }
    const isKnown = own?.device === "known"
    const exposed = settings.exposed ?? []
    if (facts.destination.environment === "live" && exposed.length > 0) {
      reasons.push({ _tag: "LiveExposed", texts: exposed })
    }
    // what is sent to a live device must not be forgotten, whatever a test may risk
    const durability = facts.destination.environment === "live" ? yield* store.durability : null
    if (durability?._tag === "MayLose") reasons.push({ _tag: "StoreNotDurable", because: durability.because })
    const older = olderReasons({ identity, lanes: before, standing, witnessed })
    if (older.some(({ _tag }) => _tag === "StoreOlder")) yield* store.stopOlder(lane, recorded)
    reasons.push(...older, ...storeReasons(facts, options, identity, witnessed, isKnown))
    if (reasons.length > 0) return yield* stopped(store, account, pinned?.lane ?? null, reasons)
    const { place } = standing
    if (place !== null && place.is !== "unread" && place.is !== place.provenAs) yield* store.proven(place.is)
    if (pinned === null) yield* store.pin(pin)
    if (facts.destination.environment === "live") {
      const record = (decision: OperatorDecision, how: "each" | "once") => {
        const recorded = store.recordDecision(decision, how)
        const { decidedBy: name } = options
        return name === undefined ? recorded : Effect.provideService(recorded, Operator, { name })
      }
      const subject = `device ${lane}, serial number ${facts.device.serialNo ?? "not given"}`
      const consent = { account, subject, because: null }
      if (!isKnown) yield* record({ ...consent, act: "first-use", what: "first use confirmed" }, "each")
      if (when === "at-opening") yield* record({ ...consent, act: "live", what: "live device meant" }, "once")
    }
    if (!isKnown) yield* store.know(lane)
    yield* DayNotices.record(store, lane, {
      lastClose: facts.lastClose,
      reports: facts.days,
      longestHours: facts.device.currentConfig?.taxPayerDayMaxHrs ?? null,
      now: DateTime.makeUnsafe(at.time)
    })
    if (own?.stop != null && stops.has(own.stop.cause)) yield* store.restart(lane)
    const kept = yield* testify(options.witness, store, lane)
    yield* store.notice(
      "opening",
      account,
      kept === "written" ? [] : [noticeOf(Finding.make(AccountFinding.STORE_UNWITNESSED))]
    )
    const warnings = [
      ...facts.warnings,
      ...exposed.map((message) => Finding.make(AccountFinding.CONFIG_WRITABLE, { message })),
      ...(secret._tag === "Unproven" ? [Finding.make(AccountFinding.SECRET_UNPROVEN, { detail: secret.because })] : []),
      ...(isKnown || facts.destination.environment !== "test" ? [] : [Finding.make(AccountFinding.STORE_NEW)]),
      ...(kept === "written" ? [] : [Finding.make(AccountFinding.STORE_UNWITNESSED)]),
      ...(place?.is === "unread" ? [Finding.make(AccountFinding.STORE_PLACE_UNREAD)] : [])
    ]
    return { facts: { ...facts, warnings }, at, fiscalDay: own?.fiscalDay ?? null }
  })

const zoneNamed = (pinned: Pin | null) =>
  typeof pinned?.zone === "string" ? DateTime.zoneFromString(pinned.zone) : Option.none<DateTime.TimeZone>()

const unread = (error: GatewayError): StopReason =>
  error.reason._tag === "NotFound" && error.reason.what === "device"
    ? { _tag: "DeviceMissing", error }
    : { _tag: "Unasked", error }

/** What the one signed read says of the secret. */
type SecretProof =
  | { readonly _tag: "Proven" }
  | { readonly _tag: "Refused"; readonly error: GatewayError }
  /** The gateway cannot be reached for it, or has no such operation: nothing is stopped, and it is said. */
  | { readonly _tag: "Unproven"; readonly because: string }

/** Proves the secret by the one signed read there is, before anything is planned: everything else that is asked here proves the key alone (AUTH-5). */
const secretProof = ({ gateway }: AccountSettings): Effect.Effect<SecretProof> =>
  gateway.status([nobody]).pipe(
    Effect.timeoutOption(longestProof),
    Effect.match({
      onFailure: (error): SecretProof =>
        error.reason._tag === "CredentialsRefused"
          ? { _tag: "Refused", error }
          : { _tag: "Unproven", because: error.message },
      onSuccess: (answer): SecretProof =>
        Option.isSome(answer)
          ? { _tag: "Proven" }
          : { _tag: "Unproven", because: `no answer within ${Duration.format(longestProof)}` }
    })
  )

const longestProof = Duration.seconds(5)

const clockReasons = (
  { clock }: AccountFacts.AccountFacts,
  { clockSkew }: AccountSettings
): ReadonlyArray<StopReason> => {
  const allowed = Duration.fromInputUnsafe(clockSkew ?? "60 seconds")
  if (clock._tag === "NotTold" || Math.abs(clock.aheadMillis) <= Duration.toMillis(allowed)) return []
  return [{ _tag: "ClockWrong", aheadMillis: clock.aheadMillis, allowed }]
}

const unaccepted = "an operator has accepted it before, which is not in it: the copy was put in place once more"

const isWhole = ({ acceptance, missing }: StoreStanding): boolean => acceptance === "kept" && missing.length === 0

const attemptsIn = (lanes: ReadonlyArray<LaneView>, lane: string) =>
  lanes.find((view) => view.lane === lane)?.attempts ?? 0

/**
 * Compares the store with the known attempts. If the database has changed and no attempt is known here, another process has to prove that the store is
 * complete.
 */
const wholeReasons = (
  lanes: ReadonlyArray<LaneView>,
  { acceptance, known, missing, place }: StoreStanding
): ReadonlyArray<StopReason> => {
  if (acceptance === "lost") return [{ _tag: "StoreOlder", because: unaccepted, lane: null }]
  const [lost] = missing.toSorted((a, b) => b.number - a.number)
  if (lost !== undefined) {
    const { begunAt, lane, number } = lost
    const because = `it has written ${attemptsIn(lanes, lane)} attempts of lane ${lane}; ${number} were counted at ${new Date(begunAt).toISOString()}`
    return [{ _tag: "StoreOlder", because, lane }]
  }
  if (place === null || place.is === "unread" || place.provenAs === null || place.is === place.provenAs) return []
  return known > 0 ? [] : [{ _tag: "StoreUnproven", was: place.provenAs, is: place.is }]
}

/** Facts by which an older copy is recognized. */
export interface StoreFacts {
  readonly identity: StoreIdentity
  readonly lanes: ReadonlyArray<LaneView>
  readonly standing: StoreStanding
  readonly witnessed: ReadonlyArray<WitnessedStore>
}

/** Returns the reasons why the store may lack documents that were sent. */
export const olderReasons = ({ identity, lanes, standing, witnessed }: StoreFacts): ReadonlyArray<StopReason> => {
  const reasons = wholeReasons(lanes, standing)
  const older = olderCopy(identity, witnessed, standing)
  return older === undefined || !isWhole(standing) ? reasons : [older, ...reasons]
}

/** Compares the total count only: files of earlier versions have nothing else. */
const olderCopy = (
  { attempts, id }: StoreIdentity,
  witnessed: ReadonlyArray<WitnessedStore>,
  { accepted }: StoreStanding
): StopReason | undefined => {
  const own = witnessed.find((store) => store.id === id)
  const because = own === undefined ? undefined : becauseFewer(own, { accepted, attempts })
  return because === undefined ? undefined : { _tag: "StoreOlder", because, lane: null }
}

/** What the store has to know, and what a person has to have said. */
const storeReasons = (
  facts: AccountFacts.AccountFacts,
  { firstUse, live }: OpeningOptions,
  { id }: StoreIdentity,
  witnessed: ReadonlyArray<WitnessedStore>,
  isKnown: boolean
): ReadonlyArray<StopReason> => {
  const { destination, device } = facts
  const reasons: Array<StopReason> = []
  if (destination.environment !== "live") return reasons
  if (live !== "allowed") reasons.push({ _tag: "LiveNotAllowed", device: identityOf(facts) })
  const code = FirstUse.code(id, device.deviceId, device.serialNo)
  if (!isKnown && firstUse?.toUpperCase() !== code) {
    const other = witnessed.find((store) => store.id !== id && store.lanes.includes(destination.lane))
    reasons.push({
      _tag: "FirstUse",
      code,
      device: identityOf(facts),
      other: other === undefined ? null : { attempts: other.attempts, at: other.at }
    })
  }
  return reasons
}

// these name the taxpayer of a device, or a code that confirms its use
const withoutDetail: ReadonlySet<string> = new Set(["FIRST_USE", "LIVE_NOT_ALLOWED"])

const noticeOf = ({ code, detail, message }: Finding.Finding): Notice => ({
  code,
  detail: "",
  text: detail === undefined || withoutDetail.has(code) ? message : `${message} (${detail})`
})

/** Says no; where it is about the lane, everybody who looks at the store sees why it stands still. */
const stopped = (
  store: SubmissionStoreOperations,
  account: string,
  lane: string | null,
  reasons: ReadonlyArray<StopReason>
): Effect.Effect<never, AccountStopped | StoreError> =>
  Effect.gen(function* () {
    const ofDevice = reasons.find((reason) => stops.has(stopCause(reason)))
    if (lane !== null && ofDevice !== undefined) {
      const { detail, message } = finding(ofDevice)
      const because = detail === undefined ? message : `${message} (${detail})`
      yield* store.stop(lane, { cause: stopCause(ofDevice)!, because, retryAt: null })
    }
    // every process sees it, also where the account never had a lane
    yield* store.notice(
      "opening",
      account,
      reasons.map((reason) => noticeOf(finding(reason)))
    )
    return yield* new AccountStopped({ account, reasons: reasons as AccountStopped["reasons"] })
  })

// what opening an account stops, opening it again clears
const stops: ReadonlySet<ReturnType<typeof stopCause>> = new Set(["device-refuses", "clock", "store-unproven"])

// certainly not processed, and answered otherwise once the cause is mended
const mendable: ReadonlySet<StopCause> = new Set(["credentials", "not-found", "misdirected", "not-sent"])

/** The next stop in a row waits longer than the last all the same. */
const goOn = (store: SubmissionStoreOperations, lane: string) =>
  Effect.gen(function* () {
    const stopped = (yield* store.lanes()).find((view) => view.lane === lane)?.stop
    if (stopped != null && stopped.retryAt !== null && mendable.has(stopped.cause)) yield* store.restart(lane)
  })

const testify = (witness: StoreWitness | undefined, store: SubmissionStoreOperations, lane: string) =>
  Effect.gen(function* () {
    if (witness === undefined) return "written" as const
    const { attempts, id } = yield* store.identity
    const known = (yield* witness.read).find((store) => store.id === id)
    const standing = yield* store.standing(known ?? unmarked)
    // an older copy without the last acceptance must not overwrite what is known
    if (standing.acceptance === "lost") return "written" as const
    const { accepted, missing } = standing
    // what this process began, and the store lost, is recorded all the same: the next process has no other way to know
    const newest = isWhole(standing) ? standing.newest : missing
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const told = merged(known, { id, attempts, lanes: [lane], at, accepted, newest })
    if (known !== undefined && isSame(known, told)) return "written" as const
    return yield* witness.write(told)
  })

/** Returns true if no attempt was begun since. */
const isSame = (known: WitnessedStore, told: WitnessedStore): boolean =>
  JSON.stringify({ ...known, at: "" }) === JSON.stringify({ ...told, at: "" })
