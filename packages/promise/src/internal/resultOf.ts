import { type Finding, Instant, Money } from "@fiscal-connector/core/adapter"
import { Status as OperationStatus } from "@fiscal-connector/core/gateway"
import { ImportFinding, type ImportInput } from "@fiscal-connector/core/host/import"
import { type ImportEntry, ImportedDocument, RunReport } from "@fiscal-connector/core/session"
import { OutcomeRecord, type WrittenDocument } from "@fiscal-connector/core/host"
import { Submission } from "@fiscal-connector/core/store"
import type { ChoicesOf } from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import type { Proof, Result, Status } from "../Result.ts"

type State = RunReport.ReportEntry["status"]

export const statusOf = <S extends State>(state: S): Lowercase<S> => state.toLowerCase() as Lowercase<S>

export const byStatus = (counts: Readonly<Partial<Record<State, number>>>): Partial<Record<Status, number>> =>
  Object.fromEntries(Object.entries(counts).map(([state, count]) => [statusOf(state as State), count]))

const stateOf: ReadonlyMap<string, Submission.State> = new Map(
  Submission.states.map((state) => [statusOf(state), state])
)

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

const proofOf = (proof: Submission.Submission["proof"]): Proof => ({
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
  submission: Submission.Submission,
  findings: ReadonlyArray<Finding.Finding> = [],
  choicesOf: ChoicesOf = () => [],
  { cancelled, changed }: Pick<Submission.Submission, "cancelled" | "changed"> = submission
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
  const isProven = proof !== null && OperationStatus.hasProof(proof)
  return {
    ...common,
    because: common.because ?? (isProven ? null : "fiscalised, and the gateway has given no proof of the receipt"),
    status,
    verificationCode,
    qrCodeUrl,
    proof: proofOf(proof)
  }
}

const changeOf = (findings: ReadonlyArray<Finding.Finding>): string | undefined => {
  const found = findings.find(({ code }) => code === ImportFinding.ImportFinding.DIFFERS_FROM_SENT.code)
  return found && (found.detail ?? found.message)
}

/**
 * Returns the result of a plan entry. `submission` is the stored document, if any. `sent`: sent
 * documents by `kind id`.
 */
export const ofEntry = (
  entry: ImportEntry.ImportEntry,
  submission: Submission.Submission | undefined,
  sent: ReadonlyMap<string, WrittenDocument.WrittenDocument>,
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
  const { id, kind, number, replaces } = entry.source
  const { document, held, receiptDate } =
    entry._tag === "Planned" ? entry.planned : { document: entry.document, held: null, receiptDate: null }
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
    replaces: replaces?.value ?? null,
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
  replaces: null,
  because: null,
  problems: []
} as const

export const ofSkipped = (
  { as, skipped }: Extract<ImportInput.ImportInput, { readonly _tag: "Skipped" }>,
  submission: Submission.Submission | undefined,
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

export const ofStray = ({ finding }: Extract<ImportInput.ImportInput, { readonly _tag: "Stray" }>): Result => ({
  ...nothing,
  kind: "invoice",
  id: "",
  number: "",
  status: "refused",
  because: finding.message,
  problems: [problemOf(finding)]
})
