/**
 * Report of a run, the same for documents, files and sources: every document in its scope, and
 * whether the run leaves work. Hosts draw it.
 */
import type { DateTime } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { ImportFinding } from "../import/ImportFinding.ts"
import { type ImportedDocument, isConflict } from "../import/ImportedDocument.ts"
import { isStuck, moving, type State, type Submission } from "../submission/Submission.ts"

/** A document in the scope of a run. */
export interface ReportEntry {
  /** Null if the source states a record that is not a sales document. */
  readonly kind: DocumentKind | null
  readonly id: string
  readonly number: string
  readonly status: State | "Refused" | "Skipped"
  /** Codes of the findings. */
  readonly codes: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
  /** Difference between the source and the sent document, in words; null if there is none. */
  readonly changed: string | null
  /** How the source canceled the document, in words; null if it did not. */
  readonly cancelled: string | null
  /** Start of the status; null if the store does not have the document. */
  readonly since: DateTime.Utc | null
}

/**
 * Work that a document leaves. `done`: none. `on-its-way`: the connector continues alone.
 * `stuck`: its outcome is open, and an operator must look. `needs-operator`: nothing more happens
 * without an operator.
 */
export type Standing = "done" | "on-its-way" | "stuck" | "needs-operator"

/** End of a run. `open`: everything that is not done is on its way. */
export type RunEnding = "done" | "open" | "needs-operator"

/** Returns the work that a document leaves. A document that is not to be sent is done. */
export const standingOf = ({
  cancelled,
  changed,
  findings,
  status
}: Pick<ReportEntry, "cancelled" | "changed" | "status"> & {
  readonly findings: ReadonlyArray<Pick<Finding, "severity">>
}): Standing => {
  if (status === "Refused" || status === "Rejected" || status === "Declined") return "needs-operator"
  if (status === "Skipped" || status === "Withdrawn") return "done"
  const isDifferent = cancelled !== null || changed !== null || findings.some(({ severity }) => severity === "error")
  if (isStuck(status)) return "stuck"
  if (moving.includes(status)) return isDifferent ? "stuck" : "on-its-way"
  return isDifferent ? "needs-operator" : "done"
}

/** Returns the work that a document of an import leaves. */
export const ofDocument = ({ findings, state }: ImportedDocument): Standing => {
  const difference = findings.find(isConflict)
  return standingOf({ status: state, changed: difference?.message ?? null, cancelled: null, findings })
}

/**
 * Codes for documents canceled in the source after the store received them. They count as differing
 * from the sent document.
 */
const cancelledCodes: ReadonlySet<string> = new Set([
  ImportFinding.CANCELLED_AFTER_SENDING.code,
  ImportFinding.CANCELLED_WHILE_PLANNED.code
])

/** Returns the work that a finding without a document leaves. */
export const ofFinding = (finding: Finding): Standing =>
  cancelledCodes.has(finding.code) || refuses(finding) ? "needs-operator" : "done"

/** Returns how a run ended. */
export const ending = (standings: ReadonlySet<Standing>): RunEnding => {
  if (standings.has("stuck") || standings.has("needs-operator")) return "needs-operator"
  return standings.has("on-its-way") ? "open" : "done"
}

/** Returns the exit code of a command: 3 if an outcome is open, else 2 if an operator is needed. */
export const exitCode = (standings: ReadonlySet<Standing>): 0 | 2 | 3 => {
  if (standings.has("on-its-way") || standings.has("stuck")) return 3
  return standings.has("needs-operator") ? 2 : 0
}

/** Returns the entry of a document in the store. `findings`: errors of this run's reading. */
export const ofSubmission = (
  { cancelled, changed, id, kind, number, rejection, since, state }: Submission,
  findings: ReadonlyArray<Finding> = []
): ReportEntry => ({
  kind,
  id,
  number,
  status: state,
  codes: [...new Set([...findings.map(({ code }) => code), ...(rejection === null ? [] : [rejection.error])])],
  findings,
  changed,
  cancelled,
  since
})
