/** Conversion of submissions and plan entries to results. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import { hasProof } from "@fiscal-connector/core/gateway/operation/Status"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { ImportInput } from "@fiscal-connector/core/unstable/import/ImportInput"
import { ImportFinding } from "@fiscal-connector/core/unstable/import/ImportFinding"
import * as ImportedDocument from "@fiscal-connector/core/import/ImportedDocument"
import type { WrittenDocument } from "@fiscal-connector/core/unstable/document/WrittenDocument"
import type { ImportEntry } from "@fiscal-connector/core/import/ImportEntry"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import * as OutcomeRecord from "@fiscal-connector/core/unstable/submission/OutcomeRecord"
import { type State, states, type Submission } from "@fiscal-connector/core/submission/Submission"
import type { ChoicesOf } from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import type { Proof, Result, Status } from "../Result.ts"

/** Returns the status of a state: its name in small letters. */
export const statusOf = <S extends State>(state: S): Lowercase<S> => state.toLowerCase() as Lowercase<S>

const stateOf: ReadonlyMap<string, State> = new Map(states.map((state) => [statusOf(state), state]))

/** Statuses that leave no work: the document's other statement or its other receipt counts. */
const elsewhere: ReadonlySet<Status> = new Set(["skipped", "duplicate", "elsewhere"])

/** Returns the work that a document leaves. `dismissed`: as in `RunReport.standingOf`. */
export const standingOf = (
  { problems, status, ...result }: Result,
  dismissed: ReadonlySet<string>
): RunReport.Standing => {
  const left = elsewhere.has(status) ? "Skipped" : (stateOf.get(status) ?? "Refused")
  return RunReport.standingOf({ ...result, status: left, findings: problems }, dismissed)
}

const proofOf = (proof: Submission["proof"]): Proof => ({
  verificationCode: proof?.verificationCode ?? null,
  qrCodeUrl: proof?.qrCodeUrl ?? null,
  fiscalDay: proof?.fiscalDay ?? null,
  deviceId: proof?.deviceId ?? null,
  fiscalNumber: proof?.invoiceNumber ?? null
})

/**
 * `planned`: the plan is not accepted yet, and only the plan knows differences in the source.
 * `accepted`: the store knows them.
 */
export type ResultStage = "planned" | "accepted"

const nothingYet = { verificationCode: null, qrCodeUrl: null, proof: null } as const

export const ofSubmission = (
  submission: Submission,
  findings: ReadonlyArray<Finding> = [],
  choicesOf: ChoicesOf = () => [],
  { cancelled, changed }: Pick<Submission, "cancelled" | "changed"> = submission
): Result => {
  const { proof } = submission
  const { account: _, qrCodeUrl, since: __, state, verificationCode, ...outcome } = OutcomeRecord.of(submission)
  const common = {
    ...outcome,
    changed,
    cancelled,
    problems: findings.map((finding) => problemOf(finding, choicesOf(finding, outcome.number)))
  }
  const status = statusOf(state)
  if (status !== "fiscalised") return { ...common, ...nothingYet, status }
  const isProven = proof !== null && hasProof(proof)
  return {
    ...common,
    because: common.because ?? (isProven ? null : "fiscalised, and the gateway has given no proof of the receipt"),
    status,
    verificationCode,
    qrCodeUrl,
    proof: proofOf(proof)
  }
}

/** Returns the difference from the sent document; undefined if equal. */
const changeOf = (findings: ReadonlyArray<Finding>): string | undefined => {
  const found = findings.find(({ code }) => code === ImportFinding.DIFFERS_FROM_SENT.code)
  return found && (found.detail ?? found.message)
}

/**
 * Returns the result of a plan entry. `submission` is the stored document, if any. `sent`: sent
 * documents by `kind id`.
 */
export const ofEntry = (
  entry: ImportEntry,
  submission: Submission | undefined,
  sent: ReadonlyMap<string, WrittenDocument>,
  choicesOf: ChoicesOf,
  stage: ResultStage
): Result => {
  if (entry._tag === "Known") {
    const known = submission ?? entry.submission
    const findings = ImportedDocument.besideSent(entry, sent.get(`${known.kind} ${known.id}`) ?? null)
    return ofSubmission(known, findings, undefined, stage === "accepted" ? known : { changed: null, cancelled: null })
  }
  const changed = changeOf(entry.findings)
  if (submission !== undefined && (entry._tag === "Planned" || changed !== undefined))
    return ofSubmission(
      submission,
      entry._tag === "Planned" && changed !== undefined ? ImportedDocument.besideSent(entry, null) : entry.findings,
      choicesOf,
      stage === "accepted" ? submission : { changed: changed ?? null, cancelled: null }
    )
  const { id, kind, number } = entry.source
  const document = entry._tag === "Planned" ? entry.planned.document : entry.document
  const held = entry._tag === "Planned" ? entry.planned.held : null
  const receiptDate = entry._tag === "Planned" ? entry.planned.receiptDate : null
  return {
    ...nothing,
    kind,
    id: id || number,
    number,
    status: entry._tag === "Refused" ? "refused" : held === null ? "planned" : "held",
    because: held,
    currency: document?.currency ?? null,
    total: document === null ? null : Money.formatAmount(document.total),
    receiptDate: receiptDate === null || receiptDate === "at-submission" ? null : Instant.format(receiptDate),
    problems: entry.findings.map((finding) => problemOf(finding, choicesOf(finding, number)))
  }
}

const nothing = {
  ...nothingYet,
  total: null,
  currency: null,
  receiptDate: null,
  requestId: null,
  changed: null,
  cancelled: null,
  because: null,
  problems: []
} as const

/**
 * Returns the result of a skipped input. `submission` is the stored document that the source has
 * canceled.
 */
export const ofSkipped = (
  { as, skipped }: Extract<ImportInput, { readonly _tag: "Skipped" }>,
  submission: Submission | undefined,
  stage: ResultStage
): Result => {
  const { cancelled, document, key, of, reason } = skipped
  if (cancelled !== undefined && submission !== undefined && submission.state !== "Withdrawn")
    return ofSubmission(
      submission,
      [],
      undefined,
      stage === "accepted" ? submission : { changed: submission.changed, cancelled: reason }
    )
  const { id, kind, number } = of ?? document ?? cancelled ?? { kind: "invoice", id: key, number: key }
  return { ...nothing, kind, id: id || number, number, status: as, because: reason }
}

/** Returns the result of an input that is not a document. */
export const ofStray = ({ finding }: Extract<ImportInput, { readonly _tag: "Stray" }>): Result => ({
  ...nothing,
  kind: "invoice",
  id: "",
  number: "",
  status: "refused",
  because: finding.message,
  problems: [problemOf(finding)]
})
