/** Connector of one account, built on core's facade. */
import * as OpenAccount from "@fiscal-connector/core/account/OpenAccount"
import * as StoreWitness from "@fiscal-connector/core/account/StoreWitness"
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as AccountConfig from "@fiscal-connector/core/configuration/AccountConfig"
import * as BulkDecision from "@fiscal-connector/core/connector/BulkDecision"
import * as Connector from "@fiscal-connector/core/connector/Connector"
import { zoneOf } from "@fiscal-connector/core/unstable/gateway/operation/LocalDateTime"
import * as Session from "@fiscal-connector/core/session/Session"
import * as Attention from "@fiscal-connector/core/attention/Attention"
import * as AttentionJson from "@fiscal-connector/core/attention/AttentionJson"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import type { Health } from "@fiscal-connector/core/submission/Health"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { signedBody } from "@fiscal-connector/core/webhook/WebhookDelivery"
import { WebhookReceiver } from "@fiscal-connector/core/webhook/WebhookReceiver"
import { policyOf } from "@fiscal-connector/core/engine/StatusPoller"
import { Clock, DateTime, Effect, Exit, Fiber, Option, Scope } from "effect"
import * as Account from "./Account.ts"
import * as Book from "./Book.ts"
import type { ConnectOptions } from "../ConnectOptions.ts"
import type { ExportInput } from "../ExportInput.ts"
import { handed } from "./handed.ts"
import { explanationOf } from "./explanationOf.ts"
import type { DecisionOptions, DeliveryHeaders, FiscalConnector, Plan, PlanOptions } from "../FiscalConnector.ts"
import type { Documents } from "@fiscal-connector/core/source/DocumentInput"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as manyDecisions from "./manyDecisions.ts"
import * as openStore from "./openStore.ts"
import * as originals from "./originals.ts"
import * as plans from "./plans.ts"
import { refusedBecauseOf } from "./errorOf.ts"
import { problemOf } from "./problemOf.ts"
import type { Key, Result } from "../Result.ts"
import * as sourceSync from "./sourceSync.ts"
import { syncReport } from "./syncReport.ts"
import { ofSubmission, statusOf } from "./resultOf.ts"
import { asking, close, pull } from "./run.ts"
import { runReport } from "./runReport.ts"
import * as runtimes from "./runtime.ts"
import { storedResults } from "./storedResults.ts"
import { heard, telling } from "./telling.ts"

export const connect = async (options: ConnectOptions): Promise<FiscalConnector> => {
  const runtime = runtimes.make(options)
  try {
    const asked = asking(runtime, options.signal)
    const book = await asked(Book.read(options.book))
    const accounts = await asked(Account.read(options, book.zone))
    await asked(SubmissionStore)
    return make(options, runtime, book, accounts)
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}

/** Logs a disabled guard, or another finding despite which the permission was granted. */
const warn =
  (account: string) =>
  ({ code, fix, message }: Finding.Finding) =>
    Effect.annotateLogs(Effect.logWarning(`${message}. ${fix}`), { account, code })

/** Returns headers by lower-case name, as `node:http` does. */
const plainHeaders = (
  headers: DeliveryHeaders
): Readonly<Record<string, string | ReadonlyArray<string> | undefined>> => {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

const withoutWitness = StoreWitness.unwitnessed("absent")

const unwitnessedCheck = {
  name: "witness",
  state: "look",
  said: withoutWitness.message,
  problems: [problemOf(withoutWitness)]
} as const

const keyNamed = (name: string): Key => {
  const end = name.indexOf(" ")
  return { kind: name.slice(0, end) as Key["kind"], id: name.slice(end + 1) }
}

type OpenedBook = Effect.Success<ReturnType<typeof Book.read>>

const make = (
  options: ConnectOptions,
  runtime: runtimes.Runtime,
  book: OpenedBook,
  { others, own, witness }: Account.Accounts
): FiscalConnector => {
  const { account, allowLive = false, firstUse, onEvent, signal } = options
  // a store in memory cannot be restored from an older copy
  const isUnwitnessed = witness === undefined && !openStore.isMemory(options.store)
  /** Scope of all open plans; closing the scope closes them. */
  const plansScope = Scope.makeUnsafe()
  const fiber = onEvent === undefined ? undefined : runtime.runFork(telling(account, onEvent))

  const opening = {
    live: allowLive ? "allowed" : "not-allowed",
    firstUse,
    witness: isUnwitnessed ? StoreWitness.absent : witness
  } as const
  const permissions = new Map<string, OpenAccount.OpenAccount>()

  /** Opens an account's permission once; the sender renews the permission. */
  const permission = ({ settings }: Account.Account) =>
    Effect.suspend(() => {
      const known = permissions.get(settings.account)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(Session.open(settings, opening), (opened) => {
        permissions.set(settings.account, opened)
        return Effect.forEach(opened.warnings, warn(settings.account), { discard: true })
      })
    })

  /** Returns the account's permission, based on the gateway's current answer. */
  const permissionNow = Effect.suspend(() => {
    const known = permissions.get(own.settings.account)
    return known === undefined ? permission(own) : Effect.as(OpenAccount.renew(known), known)
  })

  /** Returns this account's permission, and those of the accounts that share its lane. */
  const permitted = Effect.gen(function* () {
    const store = yield* SubmissionStore
    const first = yield* permission(own)
    const names = new Set((yield* store.lanes([account])).flatMap(({ accounts }) => accounts))
    const beside = others.filter(({ config }) => names.has(config.name))
    return [first, ...(yield* Effect.forEach(beside, permission))]
  })

  const keyOf = ({ id, kind }: Key): SubmissionKey => ({ account, kind, id })

  const stored = (key: Key) =>
    Effect.flatMap(
      Connector.outcomeOf(keyOf(key)),
      Option.match({
        onNone: () =>
          Effect.fail(new FiscalConnectorError("not_found", `the store has no ${key.kind} ${key.id} of ${account}`)),
        onSome: Effect.succeed
      })
    )

  const decided = Effect.fnUntraced(function* (
    key: Key,
    decision: Parameters<typeof manyDecisions.decisionOf>[0] | "withdrawn",
    because: string,
    { although, by }: DecisionOptions = {}
  ) {
    const chosen = decision === "withdrawn" ? ({ _tag: "Withdrawn" } as const) : manyDecisions.decisionOf(decision)
    yield* BulkDecision.before(chosen, [yield* stored(key)], Effect.succeed([own.settings]))
    const resolution = yield* manyDecisions.decidedBy(by, Connector.resolve(keyOf(key), chosen, because, although))
    if (resolution._tag === "Refused") {
      const { because, from } = resolution
      const now = yield* Clock.currentTimeMillis
      const later = from && { retryable: true, retryAfterMs: Math.max(0, from.epochMilliseconds - now) }
      return yield* Effect.fail(new FiscalConnectorError("decision_refused", because, later))
    }
    return ofSubmission(yield* stored(key))
  })

  const settled = Effect.fnUntraced(function* (patience: number | undefined, longest: number | undefined) {
    const settling = Session.resume(yield* permitted, patience === undefined ? {} : { patience })
    const settlement =
      longest === undefined ? Option.some(yield* settling) : yield* Effect.timeoutOption(settling, longest)
    const report = runReport(settlement)
    for (const { lane, state, text } of report.lanes) {
      if (text !== null && state !== "busy") heard(onEvent, { type: "lane", lane, because: text })
    }
    return report
  })

  /** Reads the gateway's facts about the account, also for callers without permission to send. */
  const facts = Effect.suspend(() =>
    AccountFacts.read(own.settings, zoneOf(own.config.settled.assumptions["TIME-1"], book.zone))
  )

  const asked = asking(runtime, signal)

  /**
   * Plans documents. `reading`: the gateway's facts; a permission to send already includes them.
   */
  const planned = async <Options>(
    documents: Documents | ExportInput<Options>,
    { originals: settledByHand = {}, timing, signal: ofCall }: PlanOptions,
    reading: typeof facts | typeof permissionNow
  ): Promise<Plan> => {
    const scope = Scope.forkUnsafe(plansScope)
    try {
      return await asked(
        Effect.gen(function* () {
          const { notBefore } = own.settings
          const { exported, failed, readings } = yield* handed(documents, book)
          const order = {
            book,
            readings,
            originals: new Map(Object.entries(settledByHand)),
            ...(timing !== undefined && { timing })
          }
          const found = yield* Session.plan(
            { ...(yield* reading), ...(notBefore !== undefined && { notBefore }) },
            order
          ).pipe(Effect.catchTag("AdapterError", (error) => Effect.fail(failed(error))))
          yield* Session.requireMapped(found.missing)
          return yield* plans.make(found, scope, account, book, exported?.adapter, runtime)
        }).pipe(Effect.provideService(Scope.Scope, scope)),
        ofCall
      )
    } catch (error) {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      throw error
    }
  }

  const healthNow = SubmissionStore.use((store) => store.health(policyOf(own.settings).retention))

  const itemsOf = (health: Health) => Attention.ofAccounts(Attention.of(health), health, [account])

  /** Items of the last attention event. */
  let lastReported = ""

  /** Sends an attention event if the items that need an operator have changed. Never fails. */
  const tellAttention = Effect.gen(function* () {
    if (onEvent === undefined) return
    const health = yield* healthNow
    const items = Attention.of(health)
    const names = JSON.stringify(
      items.map(({ account, cause, code, documents, lane }) => [code, cause, account, lane, documents])
    )
    if (names === lastReported || (lastReported === "" && items.length === 0)) return
    lastReported = names
    heard(onEvent, { type: "attention", concerns: items.map(AttentionJson.of), at: DateTime.toDateUtc(health.at) })
  }).pipe(Effect.ignore)

  let closed: Promise<void> | undefined
  const closeAll = async () => {
    await Effect.runPromise(Scope.close(plansScope, Exit.void))
    if (fiber !== undefined) await Effect.runPromise(Fiber.interrupt(fiber))
    await close(runtime)
  }
  const closing = () => (closed ??= closeAll())

  /** Returns warnings of disabled guards seen by the permission, while they last. */
  const guardsOff = () =>
    (permissions.get(account)?.warnings ?? (isUnwitnessed ? [withoutWitness] : [])).map((finding) => problemOf(finding))

  /** Does the same as `asked` for an effect that may change what needs an operator. */
  const acting: typeof asked = (effect, ofCall) => asked(Effect.ensuring(effect, tellAttention), ofCall)

  const connector: FiscalConnector = {
    plan: (documents, given = {}) => planned(documents, given, facts),
    submit: (plan, { signal: ofCall, whenLate } = {}) =>
      acting(
        Effect.gen(function* () {
          const planned = plans.plannedOf(plan)
          const consent = yield* Session.consent(yield* permission(own), planned, { whenLate }).pipe(
            Effect.catchTag("ImportRefused", (error) =>
              Effect.flatMap(plans.refusals(plan), (problems) => Effect.fail(refusedBecauseOf(error, problems)))
            )
          )
          const accepted = yield* Session.accept(consent)
          plans.accepted(plan, accepted)
          const { conflicts, planned: going } = accepted
          return {
            planned: going,
            conflicts: Array.from(conflicts, ([name, because]) => ({ ...keyNamed(name), because }))
          }
        }),
        ofCall
      ),
    run: ({ maxDurationMs, patienceMs, signal: ofCall } = {}) => acting(settled(patienceMs, maxDurationMs), ofCall),
    sync: sourceSync.either(
      (given, options) => acting(sourceSync.run(own, book, opening, given, options, guardsOff), options.signal),
      async (documents, given) => {
        await using plan = await planned(documents, given, permissionNow)
        const { dismissed } = plans.plannedOf(plan).plan
        const submitted = await connector.submit(plan, given)
        const ran = await connector.run(given)
        const results: Array<Result> = []
        for await (const result of plan.entries()) results.push(result)
        const items = await asked(Effect.map(healthNow, itemsOf), given.signal)
        return syncReport(results, [...plan.problems, ...guardsOff()], submitted, ran, { dismissed, items })
      }
    ),
    results: ({ after, signal: ofCall } = {}) => ({
      [Symbol.asyncIterator]: () => pull(runtime, storedResults(account, after, book.zone), signal, ofCall)
    }),
    registerOriginals: (documents) =>
      asked(
        Effect.gen(function* () {
          const readings = yield* handed(documents, book)
          return yield* originals.register(yield* facts, book, readings)
        })
      ),
    reconcile: async (given) =>
      asked((await import("./reconciled.ts")).reconciled({ others, own }, book, facts, given), given.signal),
    get: (key) =>
      asked(
        Effect.map(Connector.outcomeOf(keyOf(key)), (found) => Option.getOrUndefined(Option.map(found, ofSubmission)))
      ),
    waitFor: (key, { signal: ofCall, timeoutMs = 120_000 } = {}) =>
      asked(
        Effect.map(Connector.waitForOutcome(keyOf(key), timeoutMs), (submission) => ofSubmission(submission)),
        ofCall
      ),
    pdf: (key) =>
      asked(
        Effect.gen(function* () {
          const { number, proof, state } = yield* stored(key)
          if (proof?.fiscalInvoicePdf == null) {
            return yield* Effect.fail(
              new FiscalConnectorError("not_found", `${number} is ${statusOf(state)}; there is no PDF of it`)
            )
          }
          return yield* own.settings.gateway.downloadPdf(proof.fiscalInvoicePdf)
        })
      ),
    explain: (key) =>
      asked(
        Effect.map(Connector.explain(keyOf(key)), (found) =>
          Option.match(found, { onNone: () => undefined, onSome: explanationOf })
        )
      ),
    dismiss: (selection, because, { by } = {}) => acting(manyDecisions.dismiss(account, selection, because, by)),
    resolve: (key, decision, because, options) => acting(decided(key, decision, because, options)),
    withdraw: (key, because, options) => acting(decided(key, "withdrawn", because, options)),
    select: (selection, decision) => asked(manyDecisions.select(account, selection, decision)),
    becomesLate: (selection, decision) => asked(manyDecisions.becomesLate(account, selection, decision)),
    resolveAll: (selection, decision, because, options) =>
      acting(manyDecisions.resolveAll(account, selection, decision, because, options, own.settings)),
    questions: async (given, how = {}) =>
      asked((await import("./questions.ts")).questions(own, book, options.book, given, how), how.signal),
    creditable: async (key, given) => asked((await import("./credits.ts")).creditable(facts, keyOf(key), given)),
    credit: async (key, given) => acting((await import("./credits.ts")).credit(permission(own), keyOf(key), given)),
    acknowledgeDay: (day, because, { by } = {}) => acting(manyDecisions.acknowledgeDay(account, day, because, by)),
    health: () =>
      asked(
        Effect.map(healthNow, (health) => ({
          at: DateTime.toDateUtc(health.at),
          concerns: Attention.of(health).map(AttentionJson.of),
          counts: Object.fromEntries(
            Object.entries(health.counts).map(([state, count]) => [
              statusOf(state as keyof typeof health.counts),
              count
            ])
          ),
          secondsToHorizon: health.secondsToHorizon
        }))
      ),
    doctor: () =>
      asked(
        Effect.gen(function* () {
          const { config, settings } = own
          const Doctor = yield* Effect.promise(() => import("@fiscal-connector/core/unstable/attention/Doctor"))
          const checks = yield* Doctor.examine({
            account,
            baseUrl: config.gateway.baseUrl,
            configuration: [],
            requests: config.gateway.secret === undefined ? "unsigned" : "signed",
            clockSkew: settings.clockSkew,
            assumptions: config.settled.assumptions,
            gateway: settings.gateway,
            zone: zoneOf(config.settled.assumptions["TIME-1"], book.zone),
            book,
            store: yield* SubmissionStore
          })
          const answers = checks.map(({ findings, ...check }) => ({
            ...check,
            problems: findings.map((finding) => problemOf(finding))
          }))
          return isUnwitnessed ? [...answers, unwitnessedCheck] : answers
        })
      ),
    webhooks: {
      receive: (body, headers) =>
        asking(runtime)(
          Effect.flatMap(DateTime.nowAsDate, (receivedAt) =>
            WebhookReceiver.use((receiver) =>
              receiver.receive({
                account: AccountConfig.webhookOf(own.config),
                body,
                headers: plainHeaders(headers),
                receivedAt
              })
            )
          )
        ),
      signForTest: (body) => signedBody(new TextEncoder().encode(body), AccountConfig.webhookOf(own.config)).headers
    },
    close: closing,
    [Symbol.asyncDispose]: closing
  }
  return connector
}
