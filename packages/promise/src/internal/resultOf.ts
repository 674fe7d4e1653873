/** Submissions and refused entries of a plan as results. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { ImportEntry } from "@fiscal-connector/core/import/ImportEntry"
import type { State, Submission } from "@fiscal-connector/core/submission/Submission"
import type { ChoicesOf } from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import type { Proof, Result, Status } from "../Result.ts"

const statuses = {
  Held: "held",
  Planned: "planned",
  Sending: "sending",
  Accepted: "accepted",
  Fiscalised: "fiscalised",
  Rejected: "rejected",
  Expired: "expired",
  Declined: "declined",
  Unknown: "unknown",
  Withdrawn: "withdrawn"
} as const satisfies Record<State, Status>

export const statusOf = (state: State): Status => statuses[state]

const proofOf = (proof: NonNullable<Submission["proof"]>): Proof => ({
  verificationCode: proof.verificationCode,
  qrCodeUrl: proof.qrCodeUrl,
  fiscalDay: proof.fiscalDay,
  deviceId: proof.deviceId,
  fiscalNumber: proof.invoiceNumber
})

export const ofSubmission = (
  submission: Submission,
  findings: ReadonlyArray<Finding> = [],
  choicesOf: ChoicesOf = () => []
): Result => {
  const { currency, hold, id, kind, number, proof, receiptDate, rejection, requestId, said, state, total } = submission
  return {
    kind,
    id,
    number,
    status: statusOf(state),
    because: hold?.because ?? rejection?.error ?? said,
    currency,
    total: Money.formatAmount(total),
    receiptDate: receiptDate === null ? null : Instant.format(receiptDate),
    requestId,
    verificationCode: proof?.verificationCode ?? null,
    qrCodeUrl: proof?.qrCodeUrl ?? null,
    proof: proof === null ? null : proofOf(proof),
    problems: findings.map((finding) => problemOf(finding, choicesOf(finding, number)))
  }
}

/** `submission` is what the store has of it now; undefined where that is nothing. */
export const ofEntry = (entry: ImportEntry, submission: Submission | undefined, choicesOf: ChoicesOf): Result => {
  if (entry._tag === "Known") return ofSubmission(submission ?? entry.submission)
  if (submission !== undefined && entry._tag === "Planned") return ofSubmission(submission, entry.findings, choicesOf)
  const { id, kind, number } = entry.source
  const document = entry._tag === "Planned" ? entry.planned.document : entry.document
  const held = entry._tag === "Planned" ? entry.planned.held : null
  const receiptDate = entry._tag === "Planned" ? entry.planned.receiptDate : null
  return {
    kind,
    id: id || number,
    number,
    status: entry._tag === "Refused" ? "refused" : held === null ? "planned" : "held",
    because: held,
    currency: document?.currency ?? null,
    total: document === null ? null : Money.formatAmount(document.total),
    receiptDate: receiptDate === null || receiptDate === "at-submission" ? null : Instant.format(receiptDate),
    requestId: null,
    verificationCode: null,
    qrCodeUrl: null,
    proof: null,
    problems: entry.findings.map((finding) => problemOf(finding, choicesOf(finding, number)))
  }
}
