/**
 * The only definition of permitted decisions: the store refuses by it, and the command, the page
 * and attention offer by it.
 */
import type { DateTime } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import { type Decision, letsSendAgain, settlesFailures } from "./Decision.ts"
import { causeOf } from "./ledger/LaneFailures.ts"
import type { ControlAnswer } from "./ledger/Settled.ts"
import { decided, type SubmissionKey } from "./PlannedDocument.ts"
import { type ConflictCode, type Hold, type Rejection, type State, stuck } from "./Submission.ts"

export interface CurrentFailure extends Rejection {
  readonly mask: string
  readonly control: ControlAnswer
  readonly precedent: "receipt" | "none"
}

export interface DecisionFacts {
  readonly state: State
  readonly hold: Hold | null
  /** Nature of the rejection. Null unless the document is Rejected. */
  readonly nature: Rejection["nature"] | null
  readonly cause: string
  /** `on-trust`: entered by an operator, and the gateway has never answered for it. */
  readonly requestId: "answered" | "on-trust"
  /**
   * `stated`: the gateway states a receipt, and no operator has decided about that answer, or an
   * operator has stated its code. `claimed`: only an operator states it, without a code.
   */
  readonly receipt: "stated" | "claimed" | "not-stated"
  readonly conflicts: ReadonlyArray<ConflictCode>
  /** `open`: an attempt is not settled. `receipt`: all are settled, and one has a receipt. */
  readonly attempts: "none" | "open" | "receipt"
  readonly requests: ReadonlyArray<{ readonly id: RequestId; readonly failures: ReadonlyArray<CurrentFailure> }>
  /**
   * `awaited`: the account cannot send, and the gateway may send a failed request of the document
   * once it can.
   */
  readonly account: "awaited" | "not-awaited"
  /** Other document of a possible duplicate. `missing`: neither stored nor registered any more. */
  readonly other: "known" | "missing" | "not-related" | { readonly withdrawn: DocumentNumber }
  readonly texts: "kept" | "forgotten"
  /** Invoice of a note that was prepared here, and the period from its date to that of the note. */
  readonly preparedFor: {
    readonly key: SubmissionKey
    readonly number: DocumentNumber
    /** Receipt that alone is credited, if the invoice has several. */
    readonly receipt: string | null
    readonly from: CivilDate
    readonly to: CivilDate
  } | null
}

export interface PermittedDecision {
  readonly decision: Decision["_tag"]
  /**
   * Required input besides the reason: the error's text or the request id; the verification code if
   * known.
   */
  readonly with: "nothing" | "verification" | "error" | "request-id"
  readonly from: DateTime.Utc | null
}

const takesBack: ReadonlySet<Decision["_tag"]> = new Set([
  "Accepted",
  "NotProcessed",
  "Fiscalised",
  "Rejected",
  "Withdrawn"
])

export const fitting: Readonly<Record<Decision["_tag"], ReadonlyArray<State>>> = {
  Fiscalised: ["Unknown", "Expired", "Rejected", "Held"],
  Rejected: ["Unknown", "Expired", "Accepted"],
  Accepted: ["Unknown"],
  NotProcessed: ["Unknown", "Held"],
  Resend: ["Held", "Declined", "Rejected", "Accepted"],
  Same: ["Held"],
  Withdrawn: ["Planned", ...stuck],
  Acknowledged: ["Accepted", "Fiscalised", "Planned", ...stuck, "Withdrawn"]
}

export const isTakenBack = ({ requestId }: DecisionFacts, decision: Decision["_tag"]): boolean =>
  requestId === "on-trust" && takesBack.has(decision)

const misfit = ({ state }: DecisionFacts, decision: string, fitting: string) =>
  `it is ${state}; ${decision} is for what is ${fitting}`

/** True if the gateway states success and failure, and no operator has decided since. */
export const isContradicted = ({ conflicts }: DecisionFacts) => conflicts.includes("SUCCESS_AND_FAILURE")

/** True if the document is held because a refusal may be the answer to an earlier request. */
export const isRefusal = ({ hold, receipt }: DecisionFacts): boolean =>
  hold?.cause === "contradicted" && receipt === "not-stated"

/** Returns why the failures of the open requests cannot be settled by an operator. */
const unsettled = ({ requests }: DecisionFacts, decision: Decision["_tag"]): string | null => {
  if (requests.length === 0) return "the gateway states no failure for it"
  for (const { failures, id } of requests) {
    if (failures.length === 0) return `the gateway states no failure for its request ${id} now`
    const same = failures.find(({ control }) => control === "same")
    if (same !== undefined)
      return `the gateway says the same of an id that no request has: "${same.error}" is not about the document`
    if (decision === "Resend" && failures.some(({ nature }) => nature === "final"))
      return "the gateway calls its failure final: say that it is rejected, and issue a new document instead"
  }
  return null
}

const sameRefusal = (facts: DecisionFacts): string | null => {
  const { attempts, hold, other } = facts
  if (hold?.cause !== "duplicate") return misfit(facts, "the same sale as another", "Held as duplicate")
  if (attempts !== "none") return "a request of it may have a separate receipt: look in the portal, and say fiscalised"
  if (typeof other === "object")
    return `the other document, ${other.withdrawn}, has been withdrawn, and nothing of this sale would be sent: import the export again to see what is known of the sale now, or withdraw the document`
  return other !== "known" ? "the other document is not known any more: import it again" : null
}

const resendRefusal = (facts: DecisionFacts): string | null => {
  const { hold, nature, preparedFor, state, texts } = facts
  if (state === "Accepted" && !isContradicted(facts)) return unsettled(facts, "Resend")
  if (hold?.cause === "contradicted") return "an earlier revision was fiscalised; say so, or withdraw this one"
  if (state === "Held") return null
  if (state !== "Declined" && state !== "Rejected")
    return misfit(facts, "sending it again", "Declined, Rejected or Held")
  if (preparedFor !== null)
    return `it was prepared here, and its figures are computed when it is sent: credit the invoice ${preparedFor.number} again`
  if (nature === "final") return "its rejection is final: issue a new document instead"
  return texts === "forgotten"
    ? "its buyer and its texts were forgotten: what would be sent is another document. Issue a new one"
    : null
}

export const refusal = (facts: DecisionFacts, decision: Decision["_tag"]): string | null => {
  const state = isTakenBack(facts, decision) ? "Unknown" : facts.state
  const isIn = (...states: ReadonlyArray<State>) => states.includes(state)
  const contradicted = isContradicted(facts)
  const unless = (isAccepted: boolean, what: string, fitting: string) =>
    isAccepted ? null : misfit(facts, what, fitting)
  if (isRefusal(facts) && !["Fiscalised", "NotProcessed", "Acknowledged"].includes(decision))
    return `${facts.hold?.text}. Look in the portal: it was fiscalised, or no request of it was processed`
  switch (decision) {
    case "Fiscalised":
      return unless(
        isIn("Unknown", "Expired", "Rejected", "Held") ||
          (contradicted && isIn("Accepted", "Fiscalised", "Withdrawn")) ||
          (isIn("Fiscalised") && facts.receipt === "claimed") ||
          (isIn("Accepted") && facts.requests.some(({ failures }) => failures.length > 0)),
        "fiscalised",
        "Unknown, Expired, Rejected or Held"
      )
    case "Rejected":
      return isIn("Accepted") && !contradicted
        ? unsettled(facts, decision)
        : unless(isIn("Unknown", "Expired", "Accepted"), "rejected", "Unknown or Expired")
    case "Accepted":
      return unless(isIn("Unknown"), "a request id", "Unknown")
    case "NotProcessed":
      return unless(isIn("Unknown") || isRefusal(facts), "not processed", "Unknown")
    case "Same":
      return sameRefusal(facts)
    case "Resend":
      return resendRefusal(facts)
    case "Withdrawn":
      return fitting.Withdrawn.includes(state) ? null : `it is ${state}; that cannot be withdrawn`
    case "Acknowledged":
      return contradicted && isIn("Accepted")
        ? "it may be fiscalised: look in the portal, and say fiscalised or rejected"
        : null
  }
}

export const refusalNow = (facts: DecisionFacts, decision: Decision["_tag"]): string | null =>
  facts.account === "awaited" && letsSendAgain.has(decision)
    ? "the account cannot send now, and the gateway may send its failed request once it can: it would then get two receipts. This decision is accepted one quiet period after the account can send again"
    : refusal(facts, decision)

export interface Together {
  readonly by: "numbers" | "property"
  readonly cause?: string | undefined
  readonly conflict?: string | undefined
  readonly mask?: string | undefined
}

export const causesOf = ({ cause, hold, requests, state }: DecisionFacts): ReadonlyArray<string | null> => {
  if (hold !== null) return [hold.cause]
  if (state === "Rejected" || state === "Declined") return [cause]
  const stated = requests.flatMap(({ failures, id }) => failures.map(({ error }) => causeOf(error, id)))
  return stated.length === 0 ? [null] : stated
}

export const isDecidedAlone = ({ hold, state }: Pick<DecisionFacts, "hold" | "state">): boolean =>
  state === "Unknown" || state === "Expired" || (hold !== null && decided[hold.cause] === "each")

/**
 * Returns why the decision is not made about the document together with others. Null: it is.
 *
 * A shared text or cause settles failures of Accepted documents only if the gateway says something
 * else of an id that no request has, and no document with the text ever had a receipt.
 */
export const refusalTogether = (
  facts: DecisionFacts,
  decision: Decision["_tag"],
  { by, cause, conflict, mask }: Together
): string | null => {
  const { attempts, conflicts, requests, state } = facts
  const never = refusal(facts, decision)
  if (never !== null) return never
  if (decision === "Acknowledged" || conflict !== undefined) {
    if (conflicts.length === 0) return "it has no open conflict"
    if (conflicts.some((code) => conflict !== undefined && code !== conflict))
      return "it has another open conflict, too"
  }
  if (decision === "Resend" && state !== "Held" && state !== "Accepted" && attempts === "open")
    return "a request of it may still make a receipt"
  if (state !== "Accepted" || !settlesFailures.has(decision)) {
    if (mask !== undefined) return "the gateway does not say this text of it"
    return decision === "Fiscalised" && state === "Accepted" && by === "property" ? "it is decided by its number" : null
  }
  const stated = requests.flatMap(({ failures }) => failures)
  const isShared = mask !== undefined || (cause !== undefined && by === "property")
  if (decision === "Resend" && by === "property" && !isShared)
    return "it is sent again by its number, a text or a cause"
  if (isShared && stated.some(({ control, precedent }) => control !== "told-apart" || precedent === "receipt"))
    return "a failure of this text may still become a receipt"
  return mask !== undefined && stated.some((failure) => failure.mask !== mask)
    ? "the gateway says another text of it, too"
    : null
}

const order: ReadonlyArray<Decision["_tag"]> = [
  "Fiscalised",
  "Rejected",
  "Accepted",
  "NotProcessed",
  "Same",
  "Resend",
  "Withdrawn",
  "Acknowledged"
]

const neededFor = (facts: DecisionFacts, decision: Decision["_tag"]): PermittedDecision["with"] => {
  const { hold, receipt, requestId, state } = facts
  if (decision === "Accepted") return "request-id"
  if (decision === "Rejected")
    return state === "Accepted" && requestId === "answered" && !isContradicted(facts) ? "nothing" : "error"
  if (decision !== "Fiscalised" || state === "Fiscalised" || state === "Withdrawn") return "nothing"
  return hold?.cause === "contradicted" && receipt !== "not-stated" ? "nothing" : "verification"
}

export const of = ({
  facts,
  quietUntil
}: {
  readonly facts: DecisionFacts
  readonly quietUntil: DateTime.Utc | null
}): ReadonlyArray<PermittedDecision> =>
  order
    .filter((decision) => refusalNow(facts, decision) === null)
    .filter((decision) => decision !== "Acknowledged" || facts.conflicts.length > 0)
    .map((decision) => ({
      decision,
      with: neededFor(facts, decision),
      from: letsSendAgain.has(decision) ? quietUntil : null
    }))
