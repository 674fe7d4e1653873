/** Sections are independent: an unreadable one does not affect the others. */
import type { AccountConfig, ConfigFile } from "@fiscal-connector/core/session"
import type { Finding } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { AssumptionSwitches } from "@fiscal-connector/core/gateway"
import { StoreOpening } from "@fiscal-connector/core/node"
import { CodeEntry, KnownCodes, SqlStore, StoreFile } from "@fiscal-connector/core/host/account"
import { Attention } from "@fiscal-connector/core/attention"
import { type Health, StorePlace, SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Duration, Effect, Result } from "effect"
import type { SupportBundle } from "../support/SupportBundle.ts"

type BundleFacts = SupportBundle
type BundleStore = Pick<BundleFacts, "store" | "health" | "attempts">

export const attempts = 200

/**
 * Reduces a finding to the catalog's texts: texts of the case may quote the gateway or a document.
 */
export const finding = ({ code, severity, steps = [] }: Finding.Finding) => ({
  code,
  severity,
  meaning: meaning(code),
  why: steps.flatMap((step) => (step.do === "why" ? [step.code] : []))
})

const meaning = (code: string) => CodeEntry.find(KnownCodes.coreCodes, code)?.meaning ?? null

const millis = (duration: Duration.Input | undefined) =>
  duration === undefined ? null : Math.round(Duration.toMillis(Duration.fromInputUnsafe(duration)))

const instant = DateTime.formatIso

const gatewayAt = (baseUrl: string): "this-machine" | "http" | "https" => {
  const url = new URL(baseUrl)
  if (StorePlace.isThisMachine(url)) return "this-machine"
  return url.protocol === "http:" ? "http" : "https"
}

// for texts free to choose, only their presence is stated, not their value
const switches = (config: NonNullable<AccountConfig.AccountReading["config"]>) =>
  Object.entries(config.settled.assumptions).flatMap(([id, is]) => {
    if (is === AssumptionSwitches.defaults[id as keyof typeof AssumptionSwitches.defaults]) return []
    return [{ id, is: id === "HOOK-3" || id === "TIME-1" ? "other" : String(is) }]
  })

const account = ({ config, findings, secrets }: AccountConfig.AccountReading, index: number) => ({
  account: `account ${index + 1}`,
  is: config === null ? ("unusable" as const) : ("usable" as const),
  gateway: config === null ? null : gatewayAt(config.settled.baseUrl),
  key: secrets.apiKey?.origin.from ?? null,
  secret: secrets.secret?.origin.from ?? null,
  formerSecrets: secrets.formerSecrets.length,
  unknown: config?.policy.unknown ?? null,
  credentials: config?.policy.credentials ?? null,
  paceMillis: millis(config?.policy.pace),
  clockSkewMillis: millis(config?.policy.clockSkew),
  unworkedAfterMillis: millis(config?.policy.unworkedAfter),
  notBefore: config?.policy.notBefore === undefined ? ("none" as const) : ("said" as const),
  timeoutMillis:
    config === null
      ? null
      : {
          write: millis(config.settled.timeouts.write)!,
          read: millis(config.settled.timeouts.read)!,
          download: millis(config.settled.timeouts.download)!
        },
  retries: config?.settled.retries.times ?? null,
  assumptions: config === null ? [] : switches(config),
  findings: findings.map(finding)
})

const engineOf = ({ _tag }: StorePlace.StorePlace): "file" | "postgres" | "memory" =>
  _tag === "File" ? "file" : _tag === "Postgres" ? "postgres" : "memory"

export const configuration = ({ accounts, alert, findings, store }: ConfigFile.Configuration) => ({
  is: "read" as const,
  store: store.place === null ? null : engineOf(store.place),
  encryption: store.place?._tag === "Postgres" ? (store.place.encryption ?? "verified") : null,
  connections: store.place?._tag === "Postgres" ? (store.place.connections ?? null) : null,
  password: store.password?.from ?? null,
  alert: alert.target === null ? null : alert.target._tag === "Command" ? ("command" as const) : ("url" as const),
  accounts: accounts.map(account),
  findings: findings.map(finding)
})

export const book = (given: MappingBook.MappingBook) => ({
  is: "read" as const,
  taxes: given.taxes.length,
  currencies: given.currencies.length,
  payments: given.payments.length,
  productCodes: given.productCodes.length,
  relaxed: given.relaxed.length,
  rounding: given.rounding,
  times: given.times,
  late: given.late,
  policies: { ...given.policies }
})

const environmentOf = (lane: string) =>
  (["sandbox", "test", "live"] as const).find((name) => lane.startsWith(`${name}/`)) ?? "other"

export const noStore = (because: string, schema: number | null): BundleStore => ({
  store: { is: "not-read", because, schema, knows: SqlStore.latest },
  health: { is: "not-read", because },
  attempts: []
})

export const store = (place: StorePlace.StorePlace): Effect.Effect<BundleStore> =>
  Effect.gen(function* () {
    if (!(yield* StoreOpening.isThere(place))) return noStore("none", null)
    const schema = yield* StoreOpening.schemaAt(place)
    const read = Effect.provide(readStore(place, schema), StoreOpening.layerReading(place))
    return yield* Effect.catchTag(read, "StoreError", ({ reason }) => Effect.succeed(noStore(reason, schema)))
  }).pipe(Effect.catchTag("StoreError", ({ reason }) => Effect.succeed(noStore(reason, null))))

const readStore = Effect.fnUntraced(function* (place: StorePlace.StorePlace, schema: number) {
  const store = yield* SubmissionStore.SubmissionStore
  const { attempts: written, id } = yield* store.identity
  const state = yield* store.health(StatusPoller.retentionOf([]))
  const durability = yield* store.durability
  const numbers = new Map(state.lanes.map(({ lane }, index) => [lane, `lane ${index + 1}`]))
  const numbered = (lane: string) => numbers.get(lane) ?? "lane 0"
  const found: BundleStore = {
    store: {
      is: "read",
      engine: engineOf(place),
      id,
      attempts: written,
      schema,
      knows: SqlStore.latest,
      bytes: place._tag === "File" ? ((yield* StoreFile.sizeOf(place.file)) ?? null) : null,
      durable: durability._tag === "Durable",
      counts: { ...state.counts },
      held: { ...(yield* store.holdCauses) }
    },
    health: {
      is: "read",
      secondsToHorizon: state.secondsToHorizon,
      conflicts: state.conflicts.reduce((sum, { count }) => sum + count, 0),
      unmatched: state.unmatched,
      unanswered: state.unanswered.length,
      concerns: Attention.of(state).map(({ cause, code, lane }) => ({
        code,
        cause: cause !== null && /^[\w-]{1,60}$/.test(cause) ? cause : null,
        lane: lane === null ? null : numbered(lane),
        meaning: meaning(code)
      })),
      lanes: state.lanes.map((lane) => ({
        lane: numbered(lane.lane),
        environment: environmentOf(lane.lane),
        accounts: lane.accounts.length,
        stop:
          lane.stop === null
            ? null
            : { cause: lane.stop.cause, retryAt: lane.stop.retryAt === null ? null : instant(lane.stop.retryAt) },
        stops: lane.stops,
        lease: leaseOf(lane, state.at),
        device: lane.device,
        fiscalDay: lane.fiscalDay,
        closedAt: lane.closedAt === null ? null : instant(lane.closedAt),
        counts: { ...lane.counts },
        waitingSince: Object.fromEntries(Object.entries(lane.oldest).map(([name, since]) => [name, instant(since)]))
      }))
    },
    attempts: (yield* store.lastAttempts(attempts)).map(({ begunAt, exchanged, lane, repeats, result }) => ({
      lane: numbered(lane),
      begunAt: instant(begunAt),
      repeats,
      result,
      stage: exchanged?.stage ?? null,
      status: exchanged?.status ?? null,
      code: exchanged === null || exchanged.code === null ? null : systemCode(exchanged.code),
      millis: exchanged?.millis ?? null
    }))
  }
  return found
})

const leaseOf = ({ holder, leasedUntil }: Health.LaneHealth, now: DateTime.Utc) => {
  if (holder === null) return "none"
  return leasedUntil !== null && DateTime.isGreaterThan(leasedUntil, now) ? "live" : "over"
}

/** Returns the transport's error code if it has the form of a code, else `other`. */
const systemCode = (code: string) => (/^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? code : ("other" as const))

/**
 * Returns the doctor's result for an account. Timeout of 30 seconds: a slow doctor must not block
 * the bundle.
 */
export const doctor = <E, R>(
  name: string,
  checks: Effect.Effect<
    ReadonlyArray<{
      readonly name: string
      readonly state: "fine" | "look" | "broken" | "not-asked"
      readonly findings: ReadonlyArray<Finding.Finding>
    }>,
    E,
    R
  >
): Effect.Effect<BundleFacts["doctor"][number], never, R> =>
  Effect.map(Effect.result(Effect.timeoutOption(checks, "30 seconds")), (answer): BundleFacts["doctor"][number] => {
    if (Result.isFailure(answer)) return { is: "not-read", account: name, because: "unusable" }
    if (answer.success._tag === "None") return { is: "not-read", account: name, because: "timeout" }
    const found = answer.success.value
    return {
      is: "read",
      account: name,
      checks: found.map(({ findings, name, state }) => ({ name, state, findings: findings.map(finding) }))
    }
  })
