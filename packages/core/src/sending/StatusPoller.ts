/** Polls the gateway for the outcomes of accepted submissions, at most 100 ids per call. */
import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { settlesAfter } from "../gateway/contract/AssumptionSwitches.ts"
import { standardAfter } from "../submission/ledger/Settled.ts"
import { idsPerCall } from "../gateway/operation/Status.ts"
import * as AnswerMisfits from "../account/AnswerMisfits.ts"
import * as KeyOrigin from "../account/KeyOrigin.ts"
import type { PollingAccount, PollingPolicy } from "../account/AccountSettings.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import * as SendingAbility from "../account/SendingAbility.ts"
import type { PollPolicy, SweepFacts } from "../submission/Outcome.ts"
import type { Pin } from "../submission/Pin.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/**
 * A status call that left outcomes open. `not-asked`: the call failed. `not-read`: the answer, or a
 * part of it, did not fit its documented form (ANSWER_MISFIT).
 */
export interface PollProblem {
  readonly account: string
  readonly what: "not-asked" | "not-read"
  readonly text: string
}

/** Result of one sweep over everything that is due. */
export interface SweepReport {
  readonly calls: number
  readonly answered: number
  readonly pending: number
  readonly expired: number
  /**
   * Calls that failed, or were answered in another form than documented. Their ids are asked for
   * again at their next look.
   */
  readonly problems: ReadonlyArray<PollProblem>
}

/** Operations of the poller. */
export interface StatusPollerShape {
  /** Asks once for every outcome that is due. */
  sweep(accounts: ReadonlyArray<PollingAccount>): Effect.Effect<SweepReport, StoreError>
}

/** Polls the gateway for outcomes that no webhook brought. */
export class StatusPoller extends Context.Service<StatusPoller, StatusPollerShape>()(
  "@fiscal-connector/core/engine/StatusPoller"
) {}

/** Returns the account's policy with its defaults: 6 s, 1 hour, 7 days. */
export const policyOf = ({
  assumptions,
  firstLook,
  longestPause,
  retention
}: Pick<PollingAccount, keyof PollingPolicy | "assumptions">): PollPolicy => ({
  settlesAfter: settlesAfter(assumptions?.["STAT-9"] ?? "") ?? standardAfter,
  firstLook: Duration.fromInputUnsafe(firstLook ?? Patience.firstLook.is),
  longestPause: Duration.fromInputUnsafe(longestPause ?? Patience.longestPause.is),
  retention: Duration.fromInputUnsafe(retention ?? Patience.retention.is)
})

/**
 * Returns the shortest time for which the gateway answers about requests of these accounts, at most
 * the default of 7 days.
 */
export const retentionOf = (accounts: ReadonlyArray<PollingPolicy>): Duration.Duration =>
  accounts.map((account) => policyOf(account).retention).reduce(Duration.min, policyOf({}).retention)

// Other pollers leave the ids of a call alone for as long as a first look takes, at least one
// second. A short time: asking twice is harmless, but ids must not stay unasked because the process
// that wanted to ask was killed.
const inCall = ({ firstLook }: PollPolicy) => Duration.max(firstLook, Duration.seconds(1))

/** Asks what a failure is compared with: the control, and if the account can send. */
const factsOf = (
  store: SubmissionStoreOperations,
  { assumptions, gateway }: PollingAccount,
  pin: Pin | null
): Effect.Effect<SweepFacts, StoreError> =>
  Effect.gen(function* () {
    const control = yield* SendingAbility.control(gateway)
    return { control, ability: yield* SendingAbility.read(gateway, assumptions, pin, store.pin) }
  })

const notRead = (account: string, text: string): PollProblem => ({ account, what: "not-read", text })

const noCall: SweepReport = { calls: 0, answered: 0, pending: 0, expired: 0, problems: [] }

const sweepOne = (store: SubmissionStoreOperations, account: PollingAccount): Effect.Effect<SweepReport, StoreError> =>
  Effect.gen(function* () {
    const policy = policyOf(account)
    const pin = Option.getOrNull(yield* store.pinOf(account.account))
    const change = KeyOrigin.change(pin, account.origin)
    if (change !== undefined) {
      const problem = KeyOrigin.changed(account.account, change)
      return { ...noCall, problems: [{ account: account.account, what: "not-asked", text: problem }] }
    }
    let total = noCall
    let facts: SweepFacts | undefined
    while (true) {
      const asked = yield* store.duePolls(account.account, idsPerCall, inCall(policy))
      if (asked.length === 0) return total
      const asking = Effect.withSpan(account.gateway.status(asked), "FiscalConnector.poll", {
        attributes: { account: account.account, asked: asked.length },
        captureStackTrace: false
      })
      const answer = yield* Effect.result(asking)
      const calls = total.calls + 1
      if (Result.isFailure(answer)) {
        const { message, reason } = answer.failure
        const what = reason._tag === "MalformedAnswer" ? "not-read" : "not-asked"
        return { ...total, calls, problems: [{ account: account.account, what, text: message }] }
      }
      const unread = (yield* account.gateway.misfits).find(({ operation }) => operation === "status")
      const problems =
        unread === undefined ? [] : [notRead(account.account, AnswerMisfits.unreadResults(unread.misfits))]
      yield* Effect.forEach(problems, ({ text }) => Effect.logWarning(text), { discard: true })
      if (facts === undefined && answer.success.some(({ _tag }) => _tag === "Rejected"))
        facts = yield* factsOf(store, account, pin)
      const { answered, expired, pending } = yield* store.recordPoll(
        account.account,
        asked,
        answer.success,
        policy,
        facts
      )
      total = {
        calls,
        answered: total.answered + answered,
        pending: total.pending + pending,
        expired: total.expired + expired,
        problems: problems.length > 0 ? problems : total.problems
      }
    }
  })

/** Makes a poller over the store in the context. */
export const make: Effect.Effect<StatusPollerShape, never, SubmissionStore> = Effect.map(SubmissionStore, (store) => ({
  sweep: (accounts) =>
    Effect.map(
      Effect.forEach(accounts, (account) => sweepOne(store, account), { concurrency: "unbounded" }),
      (reports) =>
        reports.reduce(
          (sum, report) => ({
            calls: sum.calls + report.calls,
            answered: sum.answered + report.answered,
            pending: sum.pending + report.pending,
            expired: sum.expired + report.expired,
            problems: [...sum.problems, ...report.problems]
          }),
          noCall
        )
    )
}))

/** Provides the poller over the store in the context. */
export const layer: Layer.Layer<StatusPoller, never, SubmissionStore> = Layer.effect(StatusPoller, make)

const nameOf = ({ account, id, kind }: SubmissionKey) => JSON.stringify([account, kind, id])

/**
 * Asks the gateway once more for Accepted documents of which it states a failure. Called before an
 * operator settles the failure, because the store takes only an answer of the last minute, and
 * before an export with these documents is planned or a source is read. Returns the calls that
 * failed.
 */
export const askOnceMore = (
  documents: ReadonlyArray<SubmissionKey> | "all",
  accounts: ReadonlyArray<PollingAccount>
): Effect.Effect<ReadonlyArray<PollProblem>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const poller = yield* make
    const chosen = documents === "all" ? documents : new Set(documents.map(nameOf))
    const asked: Array<PollingAccount> = []
    for (const account of accounts) {
      const unproven = yield* store.unproven([account.account])
      const meant = unproven.filter(({ key }) => chosen === "all" || chosen.has(nameOf(key)))
      const ids = meant.map(({ failure }) => failure.requestId)
      if (ids.length === 0) continue
      yield* store.hastenPolls(account.account, ids)
      asked.push(account)
    }
    return (yield* poller.sweep(asked)).problems
  })
