/** The person: reads what the connector says of each document, looks in the gateway's portal, and does exactly what is printed. */
import { DateTime, Duration, Effect, Option } from "effect"
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import type { Decision, Resolution } from "@fiscal-connector/core/submission/Decision"
import type { Submission as Stored } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { Draw } from "./Draw.ts"
import { codeOf, type Fix, fixOf } from "./Fixes.ts"
import type { GatewaySide } from "./GatewaySide.ts"

export interface Decided {
  readonly submission: Stored
  /** What was printed about it. */
  readonly code: string
  readonly decision: Decision
  /** `early`: the decision will be accepted later, and that is printed. `overridden`: it was early, and was entered with `--although-recent`. */
  readonly result: "resolved" | "early" | "overridden" | "refused"
}

export interface OperatorOptions {
  readonly gateway: GatewaySide
  /** So many requests about a document may still arrive: until then nobody can say that it was not processed. */
  readonly underWay: (id: string) => number
  /** How long an Unknown is left alone. */
  readonly leaves: Duration.Duration
  /** What is held is left alone while the day goes on. */
  readonly attends: "unknowns" | "everything"
  /** Whether a historical batch is permitted; where it is refused, the next printed step is taken. */
  readonly historical: "permitted" | "refused"
  /** Draws how many characters of a request id are forgotten; null where the operator types with care. */
  readonly typos: Draw | null
  /** Draws whose request id is named; null where the operator always names one of the document. */
  readonly mixups: Draw | null
  /** Draws whether a decision that is too early is overridden; null where the operator comes back later. */
  readonly hurries: Draw | null
  /** `at-once`: as soon as a document is Unknown, by what the portal shows then, although a request may still arrive. */
  readonly answers: "at-once" | "when nothing can arrive"
  readonly decided: (decided: Decided) => void
}

type Wanted = Decision | null

/** The request id of another document, which the store knows: a row too high or too low in the portal. */
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

/** What the portal shows of a document whose outcome nobody here knows. */
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
    // whoever sends may have been stopped just before, so nobody is asked about what is younger than this
    const age = DateTime.distance(submission.since, yield* DateTime.now)
    const isEarly = options.underWay(id) > 0 || Duration.isLessThan(age, options.leaves)
    if (isEarly && options.answers !== "at-once") return null
    const store = yield* SubmissionStore
    const mixedUp = yield* ofAnother(options, submission)
    if (mixedUp !== null) return { _tag: "Accepted", requestId: mixedUp } satisfies Wanted
    const { attempts } = Option.getOrThrow(yield* store.explain(submission))
    const known = new Set(attempts.map(({ requestId }) => String(requestId)))
    // an id that a person mistyped is known here, and not there
    const missing = requests.find(({ requestId }) => !known.has(requestId))
    // the portal shows the request that was named: the gateway has not answered for it yet, and nothing is to be said
    const isNamed = requests.some(({ requestId }) => requestId === submission.requestId)
    if (missing === undefined && state === "Accepted" && isNamed) return null
    if (missing === undefined) return { _tag: "NotProcessed" } satisfies Wanted
    const text = options.typos?.chance(0.2) === true ? missing.requestId.slice(0, -1) : missing.requestId
    return { _tag: "Accepted", requestId: RequestId.make(text) } satisfies Wanted
  })

/** What the portal shows of a document that may have gone. */
const seen = ({ gateway }: OperatorOptions, { account, id, kind }: Stored): Wanted => {
  const requests = gateway.requestsOf(account, kind, id)
  const done = requests.flatMap(({ outcome }) => (outcome._tag === "Fiscalised" ? [outcome.receipt] : []))[0]
  if (done !== undefined)
    return { _tag: "Fiscalised", proof: { verificationCode: done.qrData.VerificationCode } } satisfies Wanted
  return requests.some(({ outcome }) => outcome._tag === "Pending") ? null : { _tag: "Resend" }
}

const wanted = (
  options: OperatorOptions,
  submission: Stored,
  fix: Fix
): Effect.Effect<Wanted, unknown, SubmissionStore> => {
  switch (fix) {
    case "resend":
      return Effect.succeed({ _tag: "Resend" })
    case "look":
      return Effect.succeed(seen(options, submission))
    case "import": {
      const shown = seen(options, submission)
      return Effect.succeed(options.historical === "refused" || shown?._tag === "Fiscalised" ? shown : null)
    }
    case "withdraw":
      return Effect.succeed({ _tag: "Withdrawn" })
    case "portal":
      return fromPortal(options, submission)
    case "acknowledge":
    case "wait":
      return Effect.succeed(null)
  }
}

const needsPerson = ({ state }: Stored): boolean =>
  state === "Unknown" || state === "Expired" || state === "Rejected" || state === "Declined" || state === "Held"

const resultOf = (resolution: Resolution): Decided["result"] =>
  resolution._tag === "Resolved" ? "resolved" : resolution.from === undefined ? "refused" : "early"

/** One visit: everything that waits for a person, once. */
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
      if (!needsPerson(submission) && code !== "UNANSWERED") continue
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
    // contradictions are printed with a command of their own
    for (const submission of all) {
      const { conflicts } = Option.getOrThrow(yield* store.explain(submission))
      const open = conflicts.filter(({ settledAt }) => settledAt === null)
      const decision: Decision = { _tag: "Acknowledged" }
      const [first] = open
      if (first === undefined || !open.every(({ code }) => fixOf(code) === "acknowledge")) continue
      const resolution = yield* store.decide(submission, decision, "the gateway was asked")
      decisions++
      options.decided({ submission, code: first.code, decision, result: resultOf(resolution) })
    }
    return `${decisions} decided`
  })
