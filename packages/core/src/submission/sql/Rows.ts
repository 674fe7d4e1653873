/** Rows of the store and what they mean. Big integers of PostgreSQL and numbers of SQLite read alike. */
import { DateTime, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CivilDate } from "../../document/CivilDate.ts"
import { CurrencyCode, DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import type { Provenance } from "../../finding/Provenance.ts"
import type { Environment, HoldCause, SubmissionKey } from "../PlannedDocument.ts"
import type { Hold, Proof, Rejection, State, Submission } from "../Submission.ts"

/** An integer column. */
export type Integer = number | bigint
export const number = (value: Integer): number => Number(value)

/** The state row: what every change reads. */
export interface SubmissionRow {
  readonly seq: Integer
  readonly account: string
  readonly kind: SubmissionKey["kind"]
  readonly id: string
  readonly state: State
  readonly since: Integer
  readonly lane: string
  readonly taxpayer: string
  readonly environment: Environment
  readonly number: string
  readonly revision: Integer
  readonly fingerprint: string
  readonly source_date: string
  readonly receipt_at: Integer | null
  readonly receipt_text: string | null
  readonly lane_order: Integer
  /** Null in rows of older versions. */
  readonly dated: "stated" | "assigned" | null
  readonly zone: string
  readonly good_until: string | null
  readonly late: "hold" | "restamp"
  readonly passage: "ordinary" | "historical"
  readonly original_account: string | null
  readonly original_id: string | null
  readonly hold_cause: HoldCause | null
  readonly hold_because: string | null
  /** What a person has said of it while it waits (submission/Revisit). */
  readonly word: string | null
  readonly request_id: string | null
  readonly said: string | null
  readonly rejection: string | null
  readonly proof: string | null
}

/** What a state change reads of the state row. */
export type MovableRow = Pick<SubmissionRow, "seq" | "account" | "kind" | "id" | "state" | "lane" | "number">

/** The state row with what `list` shows of its payload. */
export interface ListedRow extends SubmissionRow {
  readonly buyer: string | null
  readonly currency: string
  readonly total: string
  readonly source: string
}

export interface AttemptRow {
  readonly id: Integer
  readonly submission: Integer
  readonly revision: Integer
  readonly account: string
  readonly lane: string
  readonly receipt_text: string
  readonly repeats: "first" | "retry"
  readonly begun_at: Integer
  readonly finished_at: Integer | null
  readonly result: "Accepted" | "Declined" | "NotProcessed" | "Unknown" | null
  readonly said: string | null
  readonly request_id: string | null
  readonly possibly_processed: Integer
  readonly ruled_out: Integer
  readonly known_at: Integer | null
  /** A person gave the request id; null: the gateway did. */
  readonly named_by: "operator" | null
  /** When a status last mentioned the request id, if only as pending. */
  readonly mentioned_at: Integer | null
  readonly looks: Integer
}

export interface OutcomeRow {
  readonly id: Integer
  readonly attempt: Integer | null
  readonly request_id: string
  readonly source: "poll" | "webhook" | "operator"
  readonly outcome: "Fiscalised" | "Rejected" | "Expired"
  readonly detail: string
  readonly unknown_fields: string | null
  readonly arrived_at: Integer
}

export const keyOf = ({ account, id, kind }: SubmissionKey): SubmissionKey => ({ account, kind, id })

/** A receipt date that is not settled yet sorts after all that are. */
export const unsettledOrder = 253_402_300_799

/** A submission's columns with those of its current payload. */
export const listed = (sql: SqlClient) =>
  sql.literal(
    `select s.*, p.buyer, p.currency, p.total, p.source from fiscal_submission s
     join fiscal_payload p on p.submission = s.seq and p.revision = s.revision`
  )

const json = <A>(text: string | null): A | null => (text === null ? null : (JSON.parse(text) as A))

/** Why it is held; null where it is not. */
export const holdOf = (row: Pick<SubmissionRow, "hold_cause" | "hold_because">): Hold | null =>
  row.hold_cause === null ? null : { cause: row.hold_cause, because: row.hold_because ?? "" }

export const submission = (row: ListedRow): Submission => ({
  ...keyOf(row),
  seq: number(row.seq),
  state: row.state,
  since: DateTime.makeUnsafe(number(row.since)),
  number: DocumentNumber.make(row.number),
  taxpayer: row.taxpayer,
  lane: row.lane,
  environment: row.environment,
  revision: number(row.revision),
  fingerprint: row.fingerprint,
  sourceDate: row.source_date as CivilDate,
  receiptDate: row.receipt_text === null ? null : Option.getOrNull(Instant.parse(row.receipt_text)),
  buyer: row.buyer,
  currency: CurrencyCode.make(row.currency),
  total: Option.getOrThrow(Money.parse(row.total)),
  requestId: row.request_id,
  hold: holdOf(row),
  said: row.said,
  rejection: json<Rejection>(row.rejection),
  proof: json<Proof>(row.proof),
  source: json<Provenance>(row.source) ?? { file: "" }
})
