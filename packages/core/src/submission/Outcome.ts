/** Outcomes from the gateway or an operator, and the reduction of all evidence to one verdict. */
import type { RequestId } from "../document/Identifiers.ts"
import type { Change, Proof, Rejection } from "./Submission.ts"
import type { DateTime, Duration, Option } from "effect"
import type { StatusControl, StatusItem } from "../gateway/operation/Status.ts"
import type { Ability, SettlesAfter } from "./ledger/Settled.ts"
import { ruleCodes } from "./ledger/StatedFailure.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"
import type { SubmissionKey } from "./PlannedDocument.ts"

/**
 * Outcome of a request. `Expired` is our own conclusion, not the gateway's: the gateway no longer
 * answers for the request.
 */
export type Outcome =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Rejected"; readonly rejection: Rejection }
  /** The gateway reports a failure beside evidence for a receipt. */
  | { readonly _tag: "Contradictory"; readonly rejection: Rejection; readonly proof: Proof }
  | { readonly _tag: "Fiscalised"; readonly proof: Proof }

/**
 * Origin of evidence. The gateway's evidence beats an operator's, except that nothing revokes
 * Fiscalised.
 */
export type OutcomeSource = "poll" | "webhook" | "operator"

/**
 * One statement about one request, or an operator's statement about a document without a known
 * request id.
 */
export interface Evidence {
  readonly source: OutcomeSource
  readonly requestId: RequestId | null
  readonly outcome: Outcome
}

/**
 * Contradiction that an operator must check. `OUTCOME_CONFLICT`: two statements contradict each
 * other. `DOUBLE_FISCALISED`: one document has two receipts. `SUCCESS_AND_FAILURE`: one statement
 * contradicts itself.
 */
export interface Conflict {
  readonly code: "OUTCOME_CONFLICT" | "DOUBLE_FISCALISED" | "SUCCESS_AND_FAILURE"
  readonly detail: string
}

/** Verdict from all evidence on one submission. */
export interface Verdict {
  readonly outcome: Outcome
  /** Origin of the outcome. Null without evidence. */
  readonly statedBy: Party | null
  /** Every proven receipt, in the order of the codes. */
  readonly proofs: ReadonlyArray<Proof>
  readonly conflicts: ReadonlyArray<Conflict>
}

type Party = "gateway" | "operator"

const partyOf = (source: OutcomeSource): Party => (source === "operator" ? "operator" : "gateway")

const outcomeRank = { Fiscalised: 4, Contradictory: 3, Rejected: 2, Expired: 1, Pending: 0 } as const

/**
 * Ranks Fiscalised > Contradictory > Rejected > Expired > Pending, because nothing leads back from
 * Fiscalised and a document that may be fiscalized must not be sent again. For equal outcomes the
 * gateway ranks higher.
 */
const rank = (evidence: Evidence): number =>
  2 * outcomeRank[evidence.outcome._tag] + (partyOf(evidence.source) === "gateway" ? 1 : 0)

const either = <Value extends string | number>(a: Value | null, b: Value | null): Value | null => {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** The second may have more detail. */
const merge = (a: Proof, b: Proof): Proof => {
  const said = either(a.said ?? null, b.said ?? null)
  return { ...mergedReceipt(a, b), ...(said !== null && { said }) }
}

const mergedReceipt = (a: Proof, b: Proof): Omit<Proof, "said"> => ({
  verificationCode: either(a.verificationCode, b.verificationCode),
  qrCodeUrl: either(a.qrCodeUrl, b.qrCodeUrl),
  fiscalDay: either(a.fiscalDay, b.fiscalDay),
  deviceId: either(a.deviceId, b.deviceId),
  invoiceNumber: either(a.invoiceNumber, b.invoiceNumber),
  fiscalInvoicePdf: either(a.fiscalInvoicePdf, b.fiscalInvoicePdf)
})

/** A success of one request. The request id is null for an operator's statement without one. */
export interface Success {
  readonly requestId: RequestId | null
  readonly proof: Proof
}

/**
 * Merges successes to one proof per receipt. Two request ids are two receipts unless both state the
 * same code. A `repeated` code is on receipts of other documents, too, and says nothing. Each
 * result has the request of its first success.
 */
export const receipts = <S extends Success>(
  successes: ReadonlyArray<S>,
  repeated: ReadonlySet<string>
): ReadonlyArray<S> => {
  const found = new Map<string, Array<S>>()
  const uncoded: Array<ReadonlyArray<S>> = []
  const add = (name: string, ...more: ReadonlyArray<S>) => found.set(name, [...(found.get(name) ?? []), ...more])
  const byRequest = Map.groupBy(successes, ({ requestId }) => requestId)
  for (const [requestId, ofRequest] of byRequest) {
    const nameOf = (code: string) => (repeated.has(code) ? `${code} of ${requestId}` : code)
    const byCode = Map.groupBy(ofRequest, ({ proof }) => proof.verificationCode)
    const names = [...byCode].flatMap(([code, same]) => {
      if (code === null) return []
      add(nameOf(code), ...same)
      return [nameOf(code)]
    })
    const without = byCode.get(null) ?? []
    if (without.length === 0) continue
    if (names.length === 1) add(names[0]!, ...without)
    else if (names.length === 0) uncoded.push(without)
  }
  const merged = (same: ReadonlyArray<S>): S => ({ ...same[0]!, proof: same.map(({ proof }) => proof).reduce(merge) })
  const coded = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => merged(same))
  const ofIds = uncoded.map(merged).filter(({ requestId }) => requestId !== null)
  const all = [...coded, ...ofIds.toSorted((a, b) => (a.requestId! < b.requestId! ? -1 : 1))]
  // an operator's statement without a code is about the only receipt
  const general = uncoded.map(merged).filter(({ requestId }) => requestId === null)
  const [only] = all
  if (only === undefined || general.length === 0) return [...all, ...general]
  return all.length === 1 ? [{ ...only, proof: merge(only.proof, general[0]!.proof) }] : all
}

/**
 * A text that the gateway states while it works may call the failure final. The code of a receipt
 * rule is a result of processing, so its word counts.
 */
const stricter = (a: Rejection, b: Rejection): Rejection => {
  const isCoded = ruleCodes(a.error).length > 0
  if (isCoded !== ruleCodes(b.error).length > 0) return isCoded ? a : b
  if (a.nature !== b.nature) return a.nature === "final" ? a : b
  return a.error <= b.error ? a : b
}

const codes = (receipts: ReadonlyArray<Success>) =>
  receipts
    .map(
      ({ proof, requestId }) =>
        proof.verificationCode ?? (requestId === null ? "none" : `none (request id ${requestId})`)
    )
    .join(" and ")

/**
 * True unless the same request also succeeded. A success with another verification code leaves the
 * contradiction open.
 */
const isUndecided = (evidence: ReadonlyArray<Evidence>, { outcome, requestId }: Evidence): boolean =>
  outcome._tag === "Contradictory" &&
  !evidence.some((one) => {
    if (one.outcome._tag !== "Fiscalised" || one.requestId !== requestId) return false
    const [mine, theirs] = [outcome.proof.verificationCode, one.outcome.proof.verificationCode]
    return mine === null || theirs === null || mine === theirs
  })

const contradictionOf = ({ invoiceNumber, verificationCode }: Proof, requestId: RequestId | null): Conflict => {
  const proof =
    verificationCode === null ? `the receipt number ${invoiceNumber}` : `the verification code ${verificationCode}`
  const detail = `the gateway reports a failure and states ${proof} (request id ${requestId})`
  return { code: "SUCCESS_AND_FAILURE", detail }
}

const conflictsIn = (
  isStated: (party: Party, tag: Outcome["_tag"]) => boolean,
  gateway: ReadonlyArray<Success>,
  operator: ReadonlyArray<Success>,
  repeated: ReadonlySet<string>
): ReadonlyArray<Conflict> => {
  const found: Array<Conflict> = []
  const contradiction = (detail: string) => found.push({ code: "OUTCOME_CONFLICT", detail })
  if (gateway.length > 1) {
    found.push({ code: "DOUBLE_FISCALISED", detail: `verification codes ${codes(gateway)}` })
  }
  if (isStated("gateway", "Fiscalised") && isStated("gateway", "Rejected")) {
    contradiction("the gateway says both fiscalised and rejected")
  }
  if (isStated("gateway", "Fiscalised") && isStated("operator", "Rejected")) {
    contradiction("an operator stated rejected, the gateway states fiscalised")
  }
  if (isStated("gateway", "Rejected") && isStated("operator", "Fiscalised")) {
    contradiction("an operator stated fiscalised, the gateway states rejected")
  }
  if (isStated("operator", "Fiscalised") && isStated("operator", "Rejected")) {
    contradiction("an operator stated both fiscalised and rejected")
  }
  if (
    gateway.length > 0 &&
    operator.length > 0 &&
    receipts([...gateway, ...operator], repeated).length > gateway.length
  ) {
    contradiction(`an operator stated the verification code ${codes(operator)}, the gateway states ${codes(gateway)}`)
  }
  return found
}

/**
 * Reduces all evidence on a document's requests to one verdict.
 *
 * Order and repetition of the evidence do not matter. Contradicting evidence keeps the higher
 * outcome and adds a conflict. `repeated`: verification codes that three documents or more have.
 */
export const reduce = (given: ReadonlyArray<Evidence>, repeated: ReadonlySet<string> = new Set()): Verdict => {
  const evidence = given.filter((one) => one.outcome._tag !== "Contradictory" || isUndecided(given, one))
  const isStated = (party: Party, tag: Outcome["_tag"]) =>
    evidence.some((one) => partyOf(one.source) === party && one.outcome._tag === tag)
  const receiptsOf = (party: Party) =>
    receipts(
      evidence.flatMap(({ outcome, requestId, source }) =>
        partyOf(source) === party && outcome._tag === "Fiscalised" ? [{ requestId, proof: outcome.proof }] : []
      ),
      repeated
    )
  const gateway = receiptsOf("gateway")
  const operator = receiptsOf("operator")
  const proofs = (gateway.length > 0 ? gateway : operator).map(({ proof }) => proof)
  const contradictions = evidence.flatMap(({ outcome, requestId }) =>
    outcome._tag === "Contradictory" ? [contradictionOf(outcome.proof, requestId)] : []
  )
  const conflicts = [
    ...conflictsIn(isStated, gateway, operator, repeated),
    ...new Map(contradictions.map((one) => [one.detail, one]))
      .values()
      .toArray()
      .toSorted((a, b) => (a.detail < b.detail ? -1 : 1))
  ]
  const highest = evidence.reduce<Evidence | null>((a, b) => (a === null || rank(b) > rank(a) ? b : a), null)
  if (highest === null) return { outcome: { _tag: "Pending" }, statedBy: null, proofs, conflicts }
  const statedBy = partyOf(highest.source)
  switch (highest.outcome._tag) {
    case "Fiscalised":
      return { outcome: { _tag: "Fiscalised", proof: proofs[0]! }, statedBy, proofs, conflicts }
    case "Rejected": {
      const rejections = evidence.flatMap((one) =>
        one.outcome._tag === "Rejected" && partyOf(one.source) === statedBy ? [one.outcome.rejection] : []
      )
      return { outcome: { _tag: "Rejected", rejection: rejections.reduce(stricter) }, statedBy, proofs, conflicts }
    }
    case "Contradictory": {
      const all = evidence.flatMap(({ outcome }) => (outcome._tag === "Contradictory" ? [outcome] : []))
      const rejection = all.map((one) => one.rejection).reduce(stricter)
      const proof = all.map((one) => one.proof).reduce(merge)
      return { outcome: { _tag: "Contradictory", rejection, proof }, statedBy, proofs, conflicts }
    }
    case "Expired":
    case "Pending":
      return { outcome: highest.outcome, statedBy, proofs, conflicts }
  }
}

/** A request that succeeded, with its verification codes, if it has any. */
export interface Succeeded {
  readonly requestId: RequestId
  readonly codes: ReadonlyArray<string>
}

/** Returns every request that the gateway reports as fiscalized. */
export const succeeded = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<Succeeded> => {
  const codes = new Map<RequestId, Set<string>>()
  for (const { outcome, requestId } of evidence) {
    if (requestId === null || outcome._tag !== "Fiscalised") continue
    const known = codes.get(requestId) ?? new Set()
    codes.set(requestId, outcome.proof.verificationCode === null ? known : known.add(outcome.proof.verificationCode))
  }
  return Array.from(codes, ([requestId, stated]) => ({ requestId, codes: [...stated] }))
}

/**
 * Result of one status call. `answered`: requests with an answer that was not known. `expired`:
 * requests past the time for which the gateway answers.
 */
export interface PollResult {
  readonly answered: number
  readonly pending: number
  readonly expired: number
}

/** How often, and for how long, a pending request is polled. */
export interface PollPolicy {
  /** Delay from acceptance to the first look (STAT-7). The delay doubles with every look. */
  readonly firstLook: Duration.Duration
  readonly longestPause: Duration.Duration
  /** How long the gateway answers for a request (docs/gateway.md#limits). */
  readonly retention: Duration.Duration
  /** STAT-9. Default 20 hours. */
  readonly settlesAfter?: SettlesAfter
}

/** Answers of the gateway beside a look that found failures, from the same sweep. */
export interface SweepFacts {
  readonly control: StatusControl
  readonly ability: Ability
}

/** Facts that an opening read. `control`: null if it was not asked or not answered. */
export interface OpeningFacts {
  readonly ability: Ability
  readonly control: StatusControl | null
}

/** Operations of outcomes, and of the polls for them. Each operation is one transaction. */
export interface OutcomeOperations {
  /**
   * Records outcomes from a webhook or a poll and returns the changed states. Outcomes of unknown
   * request ids are kept for 8 days, the last 10 000 of each account. A failure is evidence only if
   * it is settled (submission/ledger/Settled). `after`: STAT-9, default 20 hours.
   */
  readonly recordOutcomes: (
    account: string,
    items: ReadonlyArray<StatusItem>,
    source: "poll" | "webhook",
    after?: SettlesAfter
  ) => StoreEffect<ReadonlyArray<Change>>
  /** Records if the account can send, and what the gateway answers to the control. */
  readonly recordOpening: (account: string, facts: OpeningFacts) => StoreEffect<void>
  readonly pollable: (accounts: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<string>>
  /**
   * Returns the account's requests whose next look is due, oldest-expiring first, at most `limit`
   * (100). Postpones the next look of each by `lease`.
   */
  readonly duePolls: (account: string, limit: number, lease: Duration.Duration) => StoreEffect<ReadonlyArray<RequestId>>
  /**
   * Makes the next look at these awaited requests of the account due now. Other requests stay
   * unchanged.
   */
  readonly hastenPolls: (account: string, requestIds: ReadonlyArray<RequestId>) => StoreEffect<void>
  /**
   * Returns the time of the next look at a document of the account that is Planned, Sending,
   * Accepted or Unknown; none if there is none. Looks at other documents only collect evidence that
   * no caller waits for.
   */
  readonly nextPoll: (account: string) => StoreEffect<Option.Option<DateTime.Utc>>
  /**
   * Records the answer to one status call: outcomes, next looks, and Expired for requests past the
   * retention time. Without `facts`, only the code of a receipt rule settles a failure.
   */
  readonly recordPoll: (
    account: string,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    policy: PollPolicy,
    facts?: SweepFacts
  ) => StoreEffect<PollResult>
  /**
   * Records the gateway's answer to the second query for requests of a rejected document. Requests
   * that still have the same failure need no further query before this revision. If another
   * answer comes for a request, the document is held for an operator.
   */
  readonly confirmRejections: (
    key: SubmissionKey,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    control?: StatusControl
  ) => StoreEffect<void>
  /**
   * Plans Unknown documents again under `resend-flagged` once their quiet period is over. Returns
   * their number.
   */
  readonly resendUnknown: (account: string) => StoreEffect<number>
  /**
   * Assigns an unmatched outcome to the only attempt of an `exclusive` account without a request
   * id, if the attempt lies between the first and the last one that this process began, and the
   * outcome arrived within 15 minutes. Never while the store is recognized as an older copy, nor
   * within 8 days after an operator accepted one. Returns the number of assignments (0 or 1).
   */
  readonly joinByElimination: (account: string) => StoreEffect<number>
}
