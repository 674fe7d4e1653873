/** Big integers of PostgreSQL and numbers of SQLite read alike. */
import type { CodeMeaning } from "../../submission/ledger/Original.ts"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CurrencyCode, DocumentNumber } from "../../document/Identifiers.ts"
import type { Provenance } from "../../finding/Provenance.ts"
import type { ExchangeStage } from "../../gateway/contract/ExchangeFacts.ts"
import { causeNamed, type Environment, type HoldCause, type SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { StoredConflict } from "../../submission/Explanation.ts"
import type { Hold, Proof, Rejection, State, Submission } from "../../submission/Submission.ts"
import type { MissingProof } from "../../gateway/contract/MissingProof.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredValues from "./StoredValues.ts"

export type Integer = number | bigint
export const number = (value: Integer): number => Stored.integer(value, () => "an integer")

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
  readonly restated: string | null
  readonly source_date: string
  readonly receipt_at: Integer | null
  readonly receipt_text: string | null
  readonly lane_order: Integer
  readonly dated: "stated" | "assigned" | null
  readonly zone: string
  readonly good_until: string | null
  readonly late: "hold" | "restamp"
  readonly passage: "ordinary" | "historical"
  readonly original_account: string | null
  readonly original_id: string | null
  readonly hold_cause: HoldCause | null
  readonly hold_because: string | null
  readonly word: string | null
  readonly request_id: string | null
  readonly said: string | null
  readonly rejection: string | null
  readonly proof: string | null
  /** `here`: a credit note prepared by this program. Null: a document of the source. */
  readonly made: "here" | null
  readonly receipt: string | null
}

export type MovableRow = Pick<SubmissionRow, "seq" | "account" | "kind" | "id" | "state" | "lane" | "number"> &
  Partial<Pick<SubmissionRow, "request_id">>

export interface ListedRow extends SubmissionRow {
  readonly buyer: string | null
  readonly currency: string
  readonly total: string
  readonly source: string
  readonly changed: string | null
  readonly cancelled: string | null
  readonly replaces: string | null
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
  /** Statements that the attempt was not processed: 0, 1 or 2 (store/lanes/Refutation). */
  readonly ruled_out: Integer
  readonly known_at: Integer | null
  readonly named_by: "operator" | null
  /** Time of the last status with the request id, even as pending. */
  readonly mentioned_at: Integer | null
  readonly looks: Integer
  readonly token: string | null
  readonly quiet: Integer | null
  readonly hurried_at: Integer | null
  /** Milliseconds that the latest known clock was ahead of the store's. Null before version 28. */
  readonly behind: Integer | null
  readonly confirmed: Integer | null
  readonly stage: ExchangeStage | null
  readonly status: Integer | null
  readonly code: string | null
  readonly millis: Integer | null
}

export interface OutcomeRow {
  readonly id: Integer
  readonly attempt: Integer | null
  readonly request_id: string
  readonly source: "poll" | "webhook" | "operator"
  readonly outcome: "Fiscalised" | "Contradictory" | "Rejected" | "Expired"
  readonly detail: string
  readonly unknown_fields: string | null
  readonly arrived_at: Integer
  readonly code: string | null
  /** Fiscal day and receipt number, `7/41`. */
  readonly receipt: string | null
  readonly missing: MissingProof | null
}

export const keyOf = ({ account, id, kind }: SubmissionKey): SubmissionKey => ({ account, kind, id })

/** Sort value of a receipt date that is not settled: after all settled dates. */
export const unsettledOrder = 253_402_300_799

const notice = (code: StoredConflict["code"]) =>
  `(select detail from fiscal_conflict where submission = s.seq and code = '${code}' and settled_at is null order by at desc limit 1)`

// the nearest document of a chain replaces most others
const replaced = `(select coalesce(o.number, g.number, r.other_id) from fiscal_relation r
  left join fiscal_submission o on o.account = r.other_account and o.kind = r.other_kind and o.id = r.other_id
  left join fiscal_original g on g.account = r.other_account and g.invoice_id = r.other_id and r.other_kind = 'invoice'
  where r.account = s.account and r.kind = s.kind and r.id = s.id and r.relation = 'replaces'
  order by (select count(*) from fiscal_relation n where n.account = r.other_account and n.kind = r.other_kind
    and n.id = r.other_id and n.relation = 'replaces') desc, r.at desc, r.other_id limit 1)`

export const stated = `${notice("SOURCE_CONFLICT")} as changed, ${notice("SOURCE_CANCELLED")} as cancelled,
  ${replaced} as replaces`

export const listed = (sql: SqlClient) =>
  sql.literal(
    `select s.*, p.buyer, p.currency, p.total, p.source, ${stated} from fiscal_submission s
     join fiscal_payload p on p.submission = s.seq and p.revision = s.revision`
  )

const whose = ({ account, id, kind, seq }: Pick<SubmissionRow, "account" | "id" | "kind" | "seq">) =>
  `${kind} ${id} of account ${account} (fiscal_submission ${seq})`

export const holdOf = (row: Pick<SubmissionRow, "hold_cause" | "hold_because">): Hold | null =>
  row.hold_cause === null ? null : { cause: row.hold_cause, text: row.hold_because ?? "" }

export const rejectionOf = (text: unknown, place: Stored.StoreLocation): Rejection => {
  const { error, nature } = Stored.record(text, place)
  return { error: Stored.text(error, place), nature: Stored.oneOf(StoredValues.natures, nature, place) }
}

export const proofOf = (text: unknown, place: Stored.StoreLocation): Proof => {
  const stored = Stored.record(text, place)
  const text_ = (name: keyof Proof) => Stored.nullable(stored[name], (value) => Stored.text(value, place))
  const said = text_("said")
  const integer = (name: keyof Proof) => Stored.nullable(stored[name], (value) => Stored.integer(value, place))
  return {
    verificationCode: text_("verificationCode"),
    qrCodeUrl: text_("qrCodeUrl"),
    fiscalDay: integer("fiscalDay"),
    deviceId: integer("deviceId"),
    invoiceNumber: integer("invoiceNumber"),
    fiscalInvoicePdf: text_("fiscalInvoicePdf"),
    ...(said !== null && { said })
  }
}

/** Converts a row. Throws `Stored.Unreadable` with the column and the row. */
export const submission = (row: ListedRow): Submission => {
  const { column, optional } = Stored.columns(row, whose(row))
  return {
    account: column("account", Stored.text),
    kind: column("kind", Stored.among(StoredValues.kinds)),
    id: column("id", Stored.text),
    seq: column("seq", Stored.integer),
    state: column("state", Stored.among(StoredValues.states)),
    since: column("since", Stored.time),
    number: column("number", Stored.name<DocumentNumber>),
    taxpayer: column("taxpayer", Stored.text),
    lane: column("lane", Stored.text),
    environment: column("environment", Stored.among(StoredValues.environments)),
    revision: column("revision", Stored.integer),
    fingerprint: column("fingerprint", Stored.text),
    sourceDate: column("source_date", Stored.civilDate),
    receiptDate: optional("receipt_text", Stored.instant),
    buyer: optional("buyer", Stored.text),
    currency: column("currency", Stored.name<CurrencyCode>),
    total: column("total", Stored.money),
    requestId: optional("request_id", Stored.text),
    hold: Stored.nullable(optional("hold_cause", Stored.among(StoredValues.holdCauses)), (cause) => ({
      cause: causeNamed(cause),
      text: row.hold_because ?? ""
    })),
    text: optional("said", Stored.text),
    rejection: optional("rejection", rejectionOf),
    proof: optional("proof", proofOf),
    source: column("source", sourceOf),
    changed: optional("changed", Stored.text),
    cancelled: optional("cancelled", Stored.text),
    replaces: optional("replaces", Stored.text)
  }
}

export const sourceOf = (text: unknown, place: Stored.StoreLocation): Provenance => {
  const stored = Stored.record(text, place)
  Stored.text(stored["file"], place)
  // an adapter's other fields are shown unchanged
  return stored as unknown as Provenance
}

export const meaningOf = (text: unknown, place: Stored.StoreLocation): CodeMeaning => {
  const { currency, taxes } = Stored.record(text, place)
  return {
    currency: Stored.text(currency, place),
    taxes: Stored.list(taxes, place).map((one) => {
      const [code, tax, percent] = Stored.list(one, place)
      const exempt = Stored.nullable(percent, (percent) => Stored.text(percent, place))
      return [Stored.text(code, place), Stored.integer(tax, place), exempt]
    })
  }
}
