/** One document of an import as it is shown and printed: what became of it, its payload in the wire's spelling, everything found. */
import {
  type FiscalDocument,
  type DocumentKind,
  stamp,
  type UndatedDocument
} from "@fiscal-connector/core/document/FiscalDocument"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import * as WireCodec from "@fiscal-connector/core/document/WireCodec"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { ImportEntry } from "@fiscal-connector/core/import/ImportEntry"
import * as AuthorityCode from "@fiscal-connector/core/preflight/AuthorityCode"
import type { HoldCause } from "@fiscal-connector/core/submission/PlannedDocument"
import type { State, Submission } from "@fiscal-connector/core/submission/Submission"
import type { Skipped } from "@fiscal-connector/core/source/SourceDocument"

export interface DocumentRow {
  readonly kind: DocumentKind | null
  readonly id: string | null
  readonly number: string
  readonly payload: UndatedDocument | null
  readonly receiptDate: Instant | "at-submission" | null
  /** The day a refused document states. */
  readonly day: CivilDate.CivilDate | null
  readonly findings: ReadonlyArray<Finding>
  readonly source: Provenance
  readonly state: State | "Refused" | "Skipped"
  readonly requestId: string | null
  readonly verificationCode: string | null
  /** Why it stands as it does, where that needs a word. */
  readonly said: string | null
  /** Why it is held. */
  readonly cause: HoldCause | null
}

/** The row of a document; `submissions` are those of the store, after the import, by `kind id`. */
export const ofEntry = (entry: ImportEntry, submissions: ReadonlyMap<string, Submission>): DocumentRow => {
  const { at, id, kind, number } = entry.source
  const common = { kind, id: id || number, number, source: at }
  switch (entry._tag) {
    case "Refused":
      return {
        ...common,
        ...nothing,
        payload: entry.completeness === "complete" ? entry.document : null,
        day: entry.day,
        findings: entry.findings,
        state: "Refused"
      }
    case "Known":
      return { ...common, ...nothing, ...standing(entry.submission), findings: [] }
    case "Planned": {
      const { document, held, heldCause, receiptDate } = entry.planned
      const submission = submissions.get(`${kind} ${common.id}`)
      return {
        ...common,
        ...nothing,
        receiptDate,
        state: held === null ? "Planned" : "Held",
        said: held,
        cause: heldCause ?? null,
        ...(submission && standing(submission)),
        payload: document,
        findings: entry.findings
      }
    }
  }
}

const nothing = {
  payload: null,
  receiptDate: null,
  day: null,
  requestId: null,
  verificationCode: null,
  said: null,
  cause: null
} as const

const standing = ({ hold, proof, receiptDate, rejection, requestId, said, state }: Submission) => ({
  state,
  receiptDate,
  requestId,
  verificationCode: proof?.verificationCode ?? null,
  said: hold?.because ?? rejection?.error ?? said,
  cause: hold?.cause ?? null
})

export const ofSkipped = ({ at, key, reason }: Skipped): DocumentRow => ({
  ...nothing,
  kind: null,
  id: null,
  number: key,
  source: at,
  findings: [],
  state: "Skipped",
  said: reason
})

/**
 * The document as it would be sent, or was; null where there is no complete payload. A date that is not settled yet is now's, that of a refused
 * document the beginning of its own day.
 */
export const stamped = ({ day, payload, receiptDate }: DocumentRow, now: Instant): FiscalDocument | null => {
  if (payload === null) return null
  const settled = receiptDate === null || receiptDate === "at-submission" ? undefined : receiptDate
  return stamp(payload, settled ?? (day === null ? now : CivilDate.at(day, 0, now.zone)), "first")
}

/** One line of `--json`; what only an import knows is null before one. */
export const toJson = (row: DocumentRow, now: Instant): string => {
  const { cause, findings, id, kind, number, requestId, said, source, state, verificationCode } = row
  const document = stamped(row, now)
  return JSON.stringify({
    kind,
    id,
    number,
    payload: document === null ? null : WireCodec.toWire(document),
    findings: findings.map(({ _tag, ...finding }) => finding),
    source,
    state,
    requestId,
    verificationCode,
    said,
    cause,
    codes: AuthorityCode.inText(said ?? "")
  })
}
