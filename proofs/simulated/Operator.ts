/**
 * Simulates the operator: reads the connector's report on each document, looks in the gateway's
 * portal, and does exactly what is printed.
 */
import { DateTime, Duration, Effect, Option } from "effect"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as AnswerText from "../../packages/core/src/gateway/exchange/AnswerText.ts"
import type { Decision, DecisionResult } from "../../packages/core/src/submission/Decision.ts"
import type { Submission as Stored } from "../../packages/core/src/submission/Submission.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import type { Draw } from "./Draw.ts"
import { codeOf, type Fix, fixOf } from "./Fixes.ts"
import type { GatewaySide } from "./GatewaySide.ts"

export interface Decided {
  readonly submission: Stored
  /** Code of the printed entry. */
  readonly code: string
  readonly decision: Decision
  /**
   * Result of the decision. `early`: the decision will be accepted later, and the time is printed.
   * `overridden`: the decision was early, and was entered with `--although-recent`.
   */
  readonly result: "resolved" | "early" | "overridden" | "refused"
}

export interface OperatorOptions {
  readonly gateway: GatewaySide
  /**
   * Returns the number of requests of a document that may still arrive: until zero, "not processed"
   * cannot be known.
   */
  readonly underWay: (id: string) => number
  /** Minimum age of an Unknown before a decision. */
  readonly leaves: Duration.Duration
  /** Scope of a visit: held documents are left alone during the day. */
  readonly attends: "unknowns" | "everything"
  /** Permission for a historical batch; if refused, the operator takes the next printed step. */
  readonly historical: "permitted" | "refused"
  /** Draws the mistyped request ids; null if the operator types with care. */
  readonly typos: Draw | null
  /**
   * Draws the request ids of other documents; null if the operator always names one of the
   * document.
   */
  readonly mixups: Draw | null
  /** Draws the early decisions that are overridden; null if the operator comes back later. */
  readonly hurries: Draw | null
  /**
   * Draws the documents that the operator calls not processed without finding them, although the
   * gateway may work on them; null if the operator finds each.
   */
  readonly oversights: Draw | null
  /** Corrects a refused document in the accounting system, or leaves it to be sent unchanged. */
  readonly corrects: (submission: Stored) => "corrected" | "unchanged"
  /** Treatment of an accepted document whose requests have all failed by the portal. */
  readonly unproven: "decided" | "awaited"
  /** Called when the operator overlooks a request of the document. */
  readonly overlooked: (submission: Stored) => void
  /**
   * Time of the answers. `at-once`: as soon as a document is Unknown, by the portal's current view,
   * although a request may still arrive.
   */
  readonly answers: "at-once" | "when nothing can arrive"
  readonly decided: (decided: Decided) => void
}

type Wanted = Decision | null

/**
 * Returns the request id of another document in the store: simulates reading the wrong row of the
 * portal.
 */
const ofAnother = ({ mixups }: OperatorOptions, { account, seq }: Stored) =>
  Effect.gen(function* () {
    if (mixups === null || !mixups.chance(0.3)) return null
    const store = yield* SubmissionStore
    const others = yield* store.list({ accounts: [account], limit: 1000 })
    const ids = others.flatMap(({ requestId, ...other }) =>
      other.seq !== seq && requestId !== null ? [requestId] : []
    )
    return ids.length === 0 ? null : mixups.pick(ids as [RequestId, ...Array<RequestId>])
  })

/** Returns the decision for a document without a known outcome, by the portal's current view. */
const fromPortal = (options: OperatorOptions, submission: Stored) =>
  Effect.gen(function* () {
    const { account, id, kind, state } = submission
    const requests = options.gateway.requestsOf(account, kind, id)
    const done = requests.flatMap(({ outcome }) => (outcome._tag === "Fiscalised" ? [outcome.receipt] : []))[0]
    if (state === "Expired") {
      if (done !== undefined) {
        return { _tag: "Fiscalised", proof: { verificationCode: done.qrData.VerificationCode } } satisfies Wanted
      }
      const isOver = requests.every(({ outcome }) => outcome._tag === "Failed")
      return isOver
        ? ({ _tag: "Rejected", rejection: { error: "failed", nature: "correctable" } } satisfies Wanted)
        : null
    }
    if (state === "Unknown" && options.oversights?.chance(0.6) === true) {
      if (requests.length > 0) options.overlooked(submission)
      return { _tag: "NotProcessed" } satisfies Wanted
    }
    // The sending process may have been stopped just before, so younger documents are left alone.
    const age = DateTime.distance(submission.since, yield* DateTime.now)
    const isEarly = options.underWay(id) > 0 || Duration.isLessThan(age, options.leaves)
    if (isEarly && options.answers !== "at-once") return null
    const store = yield* SubmissionStore
    const mixedUp = yield* ofAnother(options, submission)
    if (mixedUp !== null) return { _tag: "Accepted", requestId: mixedUp } satisfies Wanted
    const explained = yield* store.explain(submission)
    // An older copy without the document replaced the store after the list was read.
    if (Option.isNone(explained)) return null
    // Another operator has decided since; the next visit looks again.
    if (explained.value.submission.state !== state) return null
    const known = new Set(explained.value.attempts.map(({ requestId }) => String(requestId)))
    // A mistyped id is in the store, but not at the gateway.
    const missing = requests.find(({ requestId }) => !known.has(requestId))
    // The portal shows the named request: the gateway has not answered for the request yet, so no
    // decision is needed.
    const isNamed = requests.some(({ requestId }) => requestId === submission.requestId)
    if (missing === undefined && state === "Accepted" && isNamed) return null
    if (missing === undefined) return { _tag: "NotProcessed" } satisfies Wanted
    const text = options.typos?.chance(0.2) === true ? missing.requestId.slice(0, -1) : missing.requestId
    return { _tag: "Accepted", requestId: RequestId.make(text) } satisfies Wanted
  })

/** Returns the decision for a document that may have been sent, by the portal's current view. */
const seen = ({ gateway }: OperatorOptions, { account, id, kind }: Stored): Wanted => {
  const requests = gateway.requestsOf(account, kind, id)
  const done = requests.flatMap(({ outcome }) => (outcome._tag === "Fiscalised" ? [outcome.receipt] : []))[0]
  if (done !== undefined)
    return { _tag: "Fiscalised", proof: { verificationCode: done.qrData.VerificationCode } } satisfies Wanted
  return requests.some(({ outcome }) => outcome._tag === "Pending") ? null : { _tag: "Resend" }
}

/** Returns the decision for a document whose answer contradicts itself. */
const inConflict = ({ gateway }: OperatorOptions, { account, id, kind }: Stored): Wanted => {
  const requests = gateway.requestsOf(account, kind, id)
  const done = requests.flatMap(({ outcome }) => (outcome._tag === "Fiscalised" ? [outcome.receipt] : []))[0]
  if (done !== undefined)
    return { _tag: "Fiscalised", proof: { verificationCode: done.qrData.VerificationCode } } satisfies Wanted
  const isOver = requests.every(({ outcome }) => outcome._tag === "Failed")
  return isOver ? { _tag: "Rejected", rejection: { error: "failed", nature: "correctable" } } : null
}

/** Returns the decision for a document that was refused after a request of unknown outcome. */
const contradicted = (options: OperatorOptions, submission: Stored): Wanted => {
  const shown = seen(options, submission)
  if (shown?._tag !== "Resend") return shown
  return options.underWay(submission.id) > 0 ? null : { _tag: "NotProcessed" }
}

const wanted = (
  options: OperatorOptions,
  submission: Stored,
  fix: Fix
): Effect.Effect<Wanted, unknown, SubmissionStore> => {
  switch (fix) {
    case "resend":
      return Effect.succeed(options.corrects(submission) === "corrected" ? null : { _tag: "Resend" })
    case "look":
      return Effect.succeed(seen(options, submission))
    case "import": {
      const shown = seen(options, submission)
      return Effect.succeed(options.historical === "refused" || shown?._tag === "Fiscalised" ? shown : null)
    }
    case "withdraw":
      return Effect.succeed({ _tag: "Withdrawn" })
    case "portal":
      return submission.state === "Held"
        ? Effect.succeed(contradicted(options, submission))
        : fromPortal(options, submission)
    case "acknowledge":
    case "wait":
      return Effect.succeed(null)
  }
}

/**
 * Returns the decision for an accepted document whose last request failed by the gateway's words,
 * which are not proof of it. Without a receipt in the portal, all requests must have failed there:
 * it must show the words that the connector shows, and every host asks for them just before such a
 * decision.
 */
const unproven = (options: OperatorOptions, submission: Stored) =>
  Effect.gen(function* () {
    const { gateway, leaves } = options
    const { account, id, kind, since, state } = submission
    const requests = gateway.requestsOf(account, kind, id)
    const isYoung = Duration.isLessThan(DateTime.distance(since, yield* DateTime.now), leaves)
    if (state !== "Accepted" || isYoung || requests.length === 0) return null
    // an earlier request without an answer may have a receipt, whatever is stated of the last one
    if (requests.some(({ outcome }) => outcome._tag === "Fiscalised")) return inConflict(options, submission)
    const explained = yield* SubmissionStore.use((store) => store.explain(submission))
    const shown = Option.match(explained, { onNone: () => [], onSome: ({ failures }) => failures })
    const isOver = requests.every(
      ({ outcome, requestId }) =>
        outcome._tag === "Failed" &&
        shown.every((one) => one.requestId !== requestId || one.error === AnswerText.oneLine(outcome.error, 2000))
    )
    return isOver
      ? ({ _tag: "Rejected", rejection: { error: "failed", nature: "correctable" } } satisfies Wanted)
      : null
  })

const needsPerson = ({ state }: Stored): boolean =>
  state === "Unknown" || state === "Expired" || state === "Rejected" || state === "Declined" || state === "Held"

const resultOf = (resolution: DecisionResult): Decided["result"] =>
  resolution._tag === "Resolved" ? "resolved" : resolution.from === undefined ? "refused" : "early"

/** Makes one visit: decides once about everything that waits for the operator. */
export const visiting = (options: OperatorOptions) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const all = yield* store.list({ limit: 1000 })
    const { unanswered } = yield* store.health(Duration.days(7))
    const mistyped = new Set(
      unanswered.flatMap(({ by, key, looks }) => (by === "operator" && looks > 0 ? [key.id] : []))
    )
    let decisions = 0
    for (const submission of all) {
      const code = mistyped.has(submission.id) ? "UNANSWERED" : codeOf(submission)
      if (!needsPerson(submission) && code !== "UNANSWERED") {
        const decision = options.unproven === "decided" ? yield* unproven(options, submission) : null
        if (decision === null) continue
        const result = resultOf(yield* store.decide(submission, decision, "failed in the portal"))
        if (result === "refused") continue
        decisions++
        options.decided({ submission, code: "ANSWER_UNPROVEN", decision, result })
        continue
      }
      if (submission.state === "Held" && options.attends === "unknowns") continue
      const fix = fixOf(code)
      const decision = yield* wanted(options, submission, fix)
      if (decision === null) continue
      const said = resultOf(yield* store.decide(submission, decision, "as the portal shows"))
      const isHurried = said === "early" && options.hurries?.chance(0.5) === true
      const second = isHurried ? yield* store.decide(submission, decision, "it must be sent today", "recent") : null
      decisions++
      options.decided({ submission, code, decision, result: second?._tag === "Resolved" ? "overridden" : said })
    }
    // Contradictions are printed with a separate command.
    for (const submission of all) {
      const explained = yield* store.explain(submission)
      if (Option.isNone(explained)) continue
      const open = explained.value.conflicts.filter(({ settledAt }) => settledAt === null)
      const [first] = open
      if (first === undefined) continue
      const { state } = explained.value.submission
      const isOpen = state !== "Fiscalised" && state !== "Withdrawn"
      const isLookedUp = open.some(({ code }) => fixOf(code) === "portal" || fixOf(code) === "look")
      if (!isLookedUp && !open.every(({ code }) => fixOf(code) === "acknowledge")) continue
      const decision = isLookedUp && isOpen ? inConflict(options, submission) : { _tag: "Acknowledged" as const }
      if (decision === null) continue
      const resolution = yield* store.decide(submission, decision, "the gateway was asked")
      decisions++
      options.decided({ submission, code: first.code, decision, result: resultOf(resolution) })
    }
    return `${decisions} decided`
  })
