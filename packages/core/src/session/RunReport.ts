/**
 * Every document in a run's scope, and whether the run leaves work: the same for documents, files
 * and sources. Hosts draw it.
 */
import { type DateTime, Effect } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { ImportFinding } from "../import/ImportFinding.ts"
import { type ImportedDocument, isConflict } from "../import/ImportedDocument.ts"
import * as RefusedRows from "../import/RefusedRows.ts"
import type { StoredConflict } from "../submission/Explanation.ts"
import { nameOf } from "../submission/ledger/RefusedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { isStuck, moving, type State, type Submission } from "../submission/Submission.ts"

/** A document in the scope of a run. */
export interface ReportEntry {
  /** Null if the source states a record that is not a sales document. */
  readonly kind: DocumentKind | null
  readonly id: string
  readonly number: string
  readonly status: State | "Refused" | "Skipped"
  readonly codes: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
  /** Difference between the source and the sent document, in words; null if there is none. */
  readonly changed: string | null
  /** How the source canceled the document, in words; null if it did not. */
  readonly cancelled: string | null
  /** Number or id of the document that this one replaces, as the source states it. */
  readonly replaces: string | null
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

/**
 * Returns the work that a document leaves. A document that is not to be sent is done. `dismissed`:
 * names of refused documents that an operator dismissed (`ImportPlan.dismissed`). Their errors
 * leave no work.
 */
export const standingOf = (
  {
    cancelled,
    changed,
    findings,
    status,
    ...document
  }: Pick<ReportEntry, "cancelled" | "changed" | "id" | "kind" | "number" | "status"> & {
    readonly findings: ReadonlyArray<Pick<Finding, "severity">>
  },
  dismissed: ReadonlySet<string> = new Set()
): Standing => {
  const isDismissed = dismissed.has(nameOf(document))
  if (status === "Refused") return isDismissed ? "done" : "needs-operator"
  if (status === "Rejected" || status === "Declined") return "needs-operator"
  if (status === "Skipped" || status === "Withdrawn") return "done"
  const isWrong = !isDismissed && findings.some(({ severity }) => severity === "error")
  const isDifferent = cancelled !== null || changed !== null || isWrong
  if (isStuck(status)) return "stuck"
  if (moving.includes(status)) return isDifferent ? "stuck" : "on-its-way"
  return isDifferent ? "needs-operator" : "done"
}

/** Returns the work that a document of an import leaves. */
export const ofDocument = (
  { findings, id, kind, number, state }: ImportedDocument,
  dismissed: ReadonlySet<string>
): Standing => {
  const changed = findings.find(isConflict)?.message ?? null
  return standingOf({ kind, id: id ?? "", number, status: state, changed, cancelled: null, findings }, dismissed)
}

/** Documents canceled after the store received them count as differing from the sent document. */
const canceledCodes: ReadonlySet<string> = new Set([
  ImportFinding.CANCELLED_AFTER_SENDING.code,
  ImportFinding.CANCELLED_WHILE_PLANNED.code
])

/** Returns the work that a finding without a document leaves. */
export const ofFinding = (finding: Finding, dismissed: ReadonlySet<string>): Standing => {
  const isRefused = refuses(finding) && !dismissed.has(RefusedRows.nameOfStray(finding))
  return canceledCodes.has(finding.code) || isRefused ? "needs-operator" : "done"
}

/** Returns the names of the account's dismissed refusals, as the store has them now. */
export const dismissedOf = (account: string): Effect.Effect<ReadonlySet<string>, StoreError, SubmissionStore> =>
  Effect.map(
    SubmissionStore.use(({ refused }) => refused.of(account)),
    (all) => new Set(all.flatMap(({ name, standing }) => (standing === "dismissed" ? [name] : [])))
  )

/** Work that an open conflict leaves for every run of its account, until it is settled. */
const conflicts: Readonly<Partial<Record<string, Standing>>> = {
  SUCCESS_WITH_ERROR: "stuck",
  SUCCESS_AND_FAILURE: "stuck",
  DOUBLE_FISCALISED: "stuck",
  PROOF_SHARED: "stuck",
  CODE_NOT_UNIQUE: "stuck",
  RECEIPT_NOT_UNIQUE: "stuck",
  ALSO_ELSEWHERE: "needs-operator"
} satisfies Partial<Record<StoredConflict["code"], Standing>>

/**
 * Returns the work that an item of attention (attention/Attention) leaves for every run of its
 * account; null if it does not belong to the report of a run. A fiscal day that cannot be closed is
 * shown, and leaves a run nothing to do.
 */
export const ofItem = ({ cause, code }: { readonly code: string; readonly cause: string | null }): Standing | null =>
  code === "DAY_FAILED"
    ? "done"
    : ((code === "CONFLICT" ? conflicts[cause ?? ""] : code === "PROOF_MISSING" ? "stuck" : undefined) ?? null)

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
  { cancelled, changed, id, kind, number, rejection, replaces, since, state }: Submission,
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
  replaces,
  since
})
