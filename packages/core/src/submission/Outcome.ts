/**
 * Outcomes of a request from the gateway or an operator, and the reduction of all evidence to one
 * verdict.
 */
import type { RequestId } from "../document/Identifiers.ts"
import type { Proof, Rejection } from "./Submission.ts"

/**
 * Outcome of a request. `Expired` is our own conclusion, not the gateway's: the gateway no longer
 * answers for the request.
 */
export type Outcome =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Rejected"; readonly rejection: Rejection }
  | { readonly _tag: "Fiscalised"; readonly proof: Proof }

/**
 * Origin of evidence. The gateway's evidence beats an operator's, except that nothing revokes
 * Fiscalised.
 */
export type Source = "poll" | "webhook" | "operator"

/**
 * One statement about one request, or an operator's statement about a document without a known
 * request id.
 */
export interface Evidence {
  readonly source: Source
  readonly requestId: RequestId | null
  readonly outcome: Outcome
}

/**
 * Contradiction that an operator must check. `OUTCOME_CONFLICT`: two statements contradict each
 * other. `DOUBLE_FISCALISED`: one document has two receipts.
 */
export interface Conflict {
  readonly code: "OUTCOME_CONFLICT" | "DOUBLE_FISCALISED"
  readonly detail: string
}

/** Verdict from all evidence on one submission. */
export interface Verdict {
  readonly outcome: Outcome
  /** Origin of the outcome. Null without evidence. */
  readonly statedBy: Party | null
  /** Every proven receipt, one per verification code, in the order of the codes. */
  readonly proofs: ReadonlyArray<Proof>
  readonly conflicts: ReadonlyArray<Conflict>
}

type Party = "gateway" | "operator"

const partyOf = ({ source }: Evidence): Party => (source === "operator" ? "operator" : "gateway")

const outcomeRank = { Fiscalised: 3, Rejected: 2, Expired: 1, Pending: 0 } as const

/**
 * Ranks Fiscalised > Rejected > Expired > Pending, because nothing leads back from Fiscalised and a
 * document that may be fiscalised must not be sent again. For equal outcomes the gateway ranks
 * higher.
 */
const rank = (evidence: Evidence): number =>
  2 * outcomeRank[evidence.outcome._tag] + (partyOf(evidence) === "gateway" ? 1 : 0)

const either = <Value extends string | number>(a: Value | null, b: Value | null): Value | null => {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** Merges two statements of one receipt. The second may have more detail. */
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

/**
 * Merges proofs to one per verification code. A proof without a code does not contradict a receipt
 * with a code.
 */
const receipts = (proofs: ReadonlyArray<Proof>): ReadonlyArray<Proof> => {
  const byCode = Map.groupBy(proofs, ({ verificationCode }) => verificationCode)
  const merged = (code: string | null) => (byCode.get(code) ?? []).reduce(merge)
  const coded = [...byCode.keys()].filter((code) => code !== null).toSorted()
  if (!byCode.has(null)) return coded.map(merged)
  if (coded.length === 0) return [merged(null)]
  return coded.length === 1 ? [merge(merged(coded[0]!), merged(null))] : coded.map(merged)
}

const stricter = (a: Rejection, b: Rejection): Rejection => {
  if (a.nature !== b.nature) return a.nature === "final" ? a : b
  return a.error <= b.error ? a : b
}

const codes = (proofs: ReadonlyArray<Proof>) => proofs.map((proof) => proof.verificationCode ?? "none").join(" and ")

const conflictsIn = (
  isStated: (party: Party, tag: Outcome["_tag"]) => boolean,
  gateway: ReadonlyArray<Proof>,
  operator: ReadonlyArray<Proof>
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
  if (gateway.length > 0 && operator.length > 0 && receipts([...gateway, ...operator]).length > gateway.length) {
    contradiction(`an operator stated the verification code ${codes(operator)}, the gateway states ${codes(gateway)}`)
  }
  return found
}

/**
 * Reduces all evidence on a document's requests to one verdict.
 *
 * Order and repetition of the evidence do not matter. Contradicting evidence keeps the higher
 * outcome and adds a conflict.
 */
export const reduce = (evidence: ReadonlyArray<Evidence>): Verdict => {
  const isStated = (party: Party, tag: Outcome["_tag"]) =>
    evidence.some((one) => partyOf(one) === party && one.outcome._tag === tag)
  const proofsOf = (party: Party) =>
    receipts(
      evidence.flatMap((one) =>
        partyOf(one) === party && one.outcome._tag === "Fiscalised" ? [one.outcome.proof] : []
      )
    )
  const gateway = proofsOf("gateway")
  const operator = proofsOf("operator")
  const proofs = gateway.length > 0 ? gateway : operator
  const conflicts = conflictsIn(isStated, gateway, operator)
  const highest = evidence.reduce<Evidence | null>((a, b) => (a === null || rank(b) > rank(a) ? b : a), null)
  if (highest === null) return { outcome: { _tag: "Pending" }, statedBy: null, proofs, conflicts }
  const statedBy = partyOf(highest)
  switch (highest.outcome._tag) {
    case "Fiscalised":
      return { outcome: { _tag: "Fiscalised", proof: proofs[0]! }, statedBy, proofs, conflicts }
    case "Rejected": {
      const rejections = evidence.flatMap((one) =>
        one.outcome._tag === "Rejected" && partyOf(one) === statedBy ? [one.outcome.rejection] : []
      )
      return { outcome: { _tag: "Rejected", rejection: rejections.reduce(stricter) }, statedBy, proofs, conflicts }
    }
    case "Expired":
    case "Pending":
      return { outcome: highest.outcome, statedBy, proofs, conflicts }
  }
}
