import { BulkDecision, type Decision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { Identifiers } from "@fiscal-connector/core/adapter"
import { type AccountSettings, Connector } from "@fiscal-connector/core/session"
import { LateBy } from "@fiscal-connector/core/host/account"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Clock, Effect, Option } from "effect"
import type { CommonDecision, Decision as GivenDecision, DecisionOptions, Selection } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Documents } from "./documents.ts"
import { failing } from "./errorOf.ts"
import type { Key } from "../Result.ts"
import { ofSubmission, statusOf } from "./resultOf.ts"

const decisions: Readonly<Record<CommonDecision, Decision.Decision>> = {
  fiscalised: { _tag: "Fiscalised", proof: {} },
  "not-processed": { _tag: "NotProcessed" },
  resend: { _tag: "Resend" },
  same: { _tag: "Same" },
  rejected: { _tag: "Rejected", rejection: { error: "as the gateway says", nature: "correctable" } },
  acknowledged: { _tag: "Acknowledged" },
  withdrawn: { _tag: "Withdrawn" }
}

const words = {
  "not-processed": { _tag: "NotProcessed" },
  resend: { _tag: "Resend" },
  same: { _tag: "Same" },
  acknowledged: { _tag: "Acknowledged" }
} as const satisfies Record<Extract<GivenDecision, string>, Decision.Decision>

export const decisionOf = (decision: GivenDecision): Decision.Decision => {
  if (typeof decision === "string") return words[decision]
  if ("fiscalised" in decision) return { _tag: "Fiscalised", proof: decision.fiscalised }
  if ("accepted" in decision)
    return { _tag: "Accepted", requestId: Identifiers.RequestId.make(decision.accepted.requestId) }
  if ("rejected" in decision) {
    return { _tag: "Rejected", rejection: { error: decision.rejected, nature: decision.nature ?? "correctable" } }
  }
  throw new FiscalConnectorError("config_invalid", "this is not a decision")
}

export const decidedBy = <A, E, R>(by: string | undefined, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  by === undefined ? effect : Effect.provideService(effect, OperatorRecord.Operator, { name: by })

export const decide = Effect.fnUntraced(function* (
  { keyOf, stored }: Documents,
  settings: AccountSettings.PollingAccount,
  key: Key,
  decision: GivenDecision | "withdrawn",
  because: string,
  { although, by }: DecisionOptions = {}
) {
  const chosen = decision === "withdrawn" ? decisions.withdrawn : decisionOf(decision)
  yield* BulkDecision.before(chosen, [yield* stored(key)], Effect.succeed([settings]))
  const resolution = yield* decidedBy(by, Connector.resolve(keyOf(key), chosen, because, although))
  if (resolution._tag === "Refused") {
    const { from, text } = resolution
    const now = yield* Clock.currentTimeMillis
    const later = from && { retryable: true, retryAfterMs: Math.max(0, from.epochMilliseconds - now) }
    return yield* failing("decision_refused", text, later)
  }
  return ofSubmission(yield* stored(key))
})

const selected = (account: string, { cause, importId, numbers, status, text }: Selection, decision: CommonDecision) =>
  Effect.gen(function* () {
    const chosen = decisions[decision]
    if (chosen === undefined) return yield* failing("config_invalid", "this is not a decision")
    if ([cause, importId, numbers, status, text].every((one) => one === undefined))
      return yield* failing("config_invalid", "the selection names no documents")
    const named = status ?? (text === undefined ? undefined : "accepted")
    const state = named === undefined ? undefined : Submission.states.find((one) => statusOf(one) === named)
    // a status without a stored state, such as `skipped`, has no documents
    if (status !== undefined && state === undefined) return { documents: [], each: [], late: null, decision: chosen }
    const found = yield* BulkDecision.select({ account, state, cause, numbers, text, import: importId }, chosen._tag)
    const [unknown] = found.unknown
    if (unknown !== undefined) return yield* failing("not_found", `the store has no document ${unknown}`)
    return { ...found, decision: chosen }
  })

export const select = (account: string, selection: Selection, decision: CommonDecision) =>
  Effect.map(selected(account, selection, decision), ({ documents }) => documents.map((one) => ofSubmission(one)))

export const becomesLate = (account: string, selection: Selection, decision: CommonDecision) =>
  Effect.map(
    selected(account, selection, decision),
    ({ late }) => late && { documents: late.documents, before: late.before as string, text: LateBy.inWords(late) }
  )

export const resolveAll = Effect.fnUntraced(function* (
  account: string,
  selection: Selection,
  common: CommonDecision,
  because: string,
  { although, by, expected }: DecisionOptions & { readonly expected: number },
  settings: AccountSettings.PollingAccount
) {
  const { decision, documents, each } = yield* selected(account, selection, common)
  if (documents.length !== expected) {
    const alone =
      each.length === 0 ? "" : `. ${each.length} more need a look in the gateway's portal each: name their \`numbers\``
    const text = `nothing was changed: ${documents.length} documents are meant now, and ${expected} were expected${alone}`
    return yield* failing("decision_refused", text)
  }
  yield* BulkDecision.before(decision, documents, Effect.succeed([settings]))
  const decided = yield* decidedBy(by, BulkDecision.decideAll(documents, decision, because, although))
  const store = yield* SubmissionStore.SubmissionStore
  return yield* Effect.forEach(decided, ({ resolution, submission }) =>
    Effect.map(store.get(submission), (now) => ({
      result: ofSubmission(Option.getOrElse(now, () => submission)),
      refused: resolution._tag === "Refused" ? resolution.text : null
    }))
  )
})

export const acknowledgeDay = Effect.fnUntraced(function* (
  account: string,
  day: number,
  because: string,
  by: string | undefined
) {
  const store = yield* SubmissionStore.SubmissionStore
  const pin = Option.getOrNull(yield* store.pinOf(account))
  const answer =
    pin === null
      ? ({ _tag: "Refused", text: `the store never sent for the account ${account}` } as const)
      : yield* decidedBy(by, store.acknowledgeDay(pin.lane, day, because))
  if (answer._tag === "Refused") return yield* failing("decision_refused", answer.text)
})

/** Dismisses refused documents of the account. Rejects with `decision_refused` if none matches. */
export const dismiss = Effect.fnUntraced(function* (
  account: string,
  { cause, numbers = [] }: { readonly cause?: string; readonly numbers?: ReadonlyArray<string> },
  because: string,
  by: string | undefined
) {
  const problem =
    cause === undefined && numbers.length === 0
      ? "name the documents: `numbers` or `cause`"
      : OperatorRecord.reasonProblem(because)
  if (problem !== null) return yield* failing("decision_refused", problem)
  const { refused } = yield* SubmissionStore.SubmissionStore
  const dismissed = yield* decidedBy(by, refused.dismiss({ account, cause, numbers }, because))
  if (dismissed.length > 0) return dismissed
  return yield* failing("decision_refused", "no refused document matches")
})
