/** What the gateway, or a person, says happened to a request; and the one way in which all that is said becomes one verdict. */
import type { RequestId } from "../document/Identifiers.ts"
import type { Proof, Rejection } from "./Submission.ts"

/** `Expired` is our own conclusion, not the gateway's: nobody answers for the request any more. */
export type Outcome =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Rejected"; readonly rejection: Rejection }
  | { readonly _tag: "Fiscalised"; readonly proof: Proof }

/** Whose word it is. The gateway's evidence beats an operator's word. */
export type Source = "poll" | "webhook" | "operator"

/** One thing said about one request, or by an operator about a document whose request id is not known. */
export interface Evidence {
  readonly source: Source
  readonly requestId: RequestId | null
  readonly outcome: Outcome
}

/** What a person must look at. `OUTCOME_CONFLICT`: two words contradict each other; `DOUBLE_FISCALISED`: two receipts for one document. */
export interface Conflict {
  readonly code: "OUTCOME_CONFLICT" | "DOUBLE_FISCALISED"
  readonly detail: string
}

export interface Verdict {
  readonly outcome: Outcome
  /** Whose word the outcome is; null while nothing has been said. */
  readonly word: "gateway" | "operator" | null
  /** Every receipt there is proof of, one per verification code, in the order of the codes. */
  readonly proofs: ReadonlyArray<Proof>
  readonly conflicts: ReadonlyArray<Conflict>
}

const wordOf = ({ source }: Evidence): "gateway" | "operator" => (source === "operator" ? "operator" : "gateway")

/** Fiscalised > Rejected > Expired > pending; the gateway's Fiscalised and Rejected come before any operator's. */
const rank = (evidence: Evidence): number => {
  const gateway = evidence.source !== "operator"
  switch (evidence.outcome._tag) {
    case "Fiscalised":
      return gateway ? 5 : 3
    case "Rejected":
      return gateway ? 4 : 2
    case "Expired":
      return 1
    case "Pending":
      return 0
  }
}

const richer = <Value extends string | number>(a: Value | null, b: Value | null): Value | null =>
  a === null ? b : b === null || a <= b ? a : b

/** One receipt said twice, perhaps with more detail the second time. */
const merge = (a: Proof, b: Proof): Proof => ({
  verificationCode: richer(a.verificationCode, b.verificationCode),
  qrCodeUrl: richer(a.qrCodeUrl, b.qrCodeUrl),
  fiscalDay: richer(a.fiscalDay, b.fiscalDay),
  deviceId: richer(a.deviceId, b.deviceId),
  invoiceNumber: richer(a.invoiceNumber, b.invoiceNumber),
  fiscalInvoicePdf: richer(a.fiscalInvoicePdf, b.fiscalInvoicePdf)
})

const receipts = (proofs: ReadonlyArray<Proof>): ReadonlyArray<Proof> => {
  const byCode = new Map<string | null, Proof>()
  for (const proof of proofs) {
    const known = byCode.get(proof.verificationCode)
    byCode.set(proof.verificationCode, known === undefined ? proof : merge(known, proof))
  }
  const uncoded = byCode.get(null)
  const coded = [...byCode.values()]
    .filter((proof) => proof.verificationCode !== null)
    .toSorted((a, b) => (a.verificationCode! < b.verificationCode! ? -1 : 1))
  // A success without a code says nothing against a receipt that has one.
  const [first, ...others] = coded
  if (first === undefined) return uncoded === undefined ? [] : [uncoded]
  return [uncoded === undefined || others.length > 0 ? first : merge(first, uncoded), ...others]
}

const stricter = (a: Rejection, b: Rejection): Rejection =>
  a.nature === b.nature ? (a.error <= b.error ? a : b) : a.nature === "final" ? a : b

const codes = (proofs: ReadonlyArray<Proof>) => proofs.map((proof) => proof.verificationCode ?? "without a code")

const conflictsIn = (
  evidence: ReadonlyArray<Evidence>,
  proofs: ReadonlyArray<Proof>
): ReadonlyArray<Conflict> => {
  const said = (word: "gateway" | "operator", tag: Outcome["_tag"]) =>
    evidence.some((one) => wordOf(one) === word && one.outcome._tag === tag)
  const conflict = (detail: string): Conflict => ({ code: "OUTCOME_CONFLICT", detail })
  const requests = new Set(evidence.filter((one) => one.outcome._tag === "Fiscalised").map((one) => one.requestId))
  const contradicted = [...requests].some((id) =>
    evidence.some((one) => wordOf(one) === "gateway" && one.requestId === id && one.outcome._tag === "Rejected")
  )
  return [
    ...(proofs.length > 1
      ? [{ code: "DOUBLE_FISCALISED", detail: `verification codes ${codes(proofs).join(" and ")}` } as const]
      : []),
    ...(contradicted && said("gateway", "Fiscalised") ? [conflict("the gateway says both fiscalised and rejected")] : []),
    ...(said("operator", "Rejected") && said("gateway", "Fiscalised")
      ? [conflict("a person said rejected, the gateway says fiscalised")]
      : []),
    ...(said("operator", "Fiscalised") && said("gateway", "Rejected") && !said("gateway", "Fiscalised")
      ? [conflict("a person said fiscalised, the gateway says rejected")]
      : []),
    ...(said("operator", "Fiscalised") && said("operator", "Rejected")
      ? [conflict("a person said both fiscalised and rejected")]
      : [])
  ]
}
