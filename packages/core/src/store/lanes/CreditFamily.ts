/**
 * Reads the credit notes on an invoice and what the source states of it now. Keeps the notes of the
 * source apart from the notes that this program has prepared.
 */
import { BigDecimal, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Prepared from "../../credit/Prepared.ts"
import { DocumentNumber } from "../../document/Identifiers.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import type { SameSaleQuestion } from "../../submission/ledger/SameSale.ts"
import type { StoreError } from "../../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import { ended, type State } from "../../submission/Submission.ts"
import type { NoteOnInvoice, StatedInvoice } from "../../submission/ledger/CreditFamily.ts"
import type { InvoiceFamily } from "../../submission/SubmissionQuery.ts"
import type { Queries } from "../database/Statements.ts"
import { type Transaction, utc } from "../database/Transaction.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { type Integer, keyOf, type MovableRow, meaningOf, number, type SubmissionRow } from "../rows/Rows.ts"
import { mayBeReceipt, mayBeReceiptText } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"

type StoreRead<A> = Effect.Effect<A, SqlError | StoreError>

interface PayloadColumns {
  readonly body: string
  readonly source: string
  readonly meaning: string | null
}

const meant = ({
  body,
  kind,
  meaning,
  number: named
}: Pick<PayloadColumns, "body" | "meaning"> & Pick<SubmissionRow, "kind" | "number">) =>
  Effect.map(StoredDocument.read(kind, body, named), (document) => ({
    document,
    meaning: Stored.nullable(meaning, (text) => meaningOf(text, () => `meaning of ${kind} ${named}`))
  }))

interface FamilyNoteRow
  extends
    Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "state" | "made">,
    Pick<PayloadColumns, "body" | "meaning"> {
  readonly receipts: Integer
  readonly conflicts: Integer
  readonly represented: Integer
}

const standingOf = (
  { conflicts, receipts }: FamilyNoteRow,
  state: SubmissionRow["state"]
): NoteOnInvoice["standing"] => {
  if (number(conflicts) > 0) return "unclear"
  if (state === "Fiscalised") return "fiscalised"
  return ended.includes(state) && number(receipts) === 0 ? "ended" : "open"
}

const notesOn = (sql: Queries, { account, id }: SubmissionKey): StoreRead<ReadonlyArray<NoteOnInvoice>> =>
  Effect.gen(function* () {
    const rows = yield* sql<FamilyNoteRow>`select s.account, s.kind, s.id, s.number, s.state, s.made, p.body, p.meaning,
        (select count(*) from fiscal_attempt a where a.submission = s.seq and ${mayBeReceipt(sql)}) as receipts,
        (select count(*) from fiscal_conflict c where c.submission = s.seq and c.settled_at is null
          and c.code not in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')) as conflicts,
        (select count(*) from fiscal_relation r join fiscal_submission o
          on o.account = r.other_account and o.kind = r.other_kind and o.id = r.other_id
          where r.account = s.account and r.kind = s.kind and r.id = s.id
            and r.relation = 'same' and o.made = 'here') as represented
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${account} and s.original_id = ${id} order by s.seq`
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(meant(row), (document): NoteOnInvoice => {
        const state = Stored.oneOf(StoredValues.states, row.state, () => `state of credit note ${row.number}`)
        const made = row.made === "here" ? "here" : "source"
        const isRepresented = number(row.represented) > 0
        return {
          ...keyOf(row),
          number: row.number,
          state,
          made,
          standing: standingOf(row, state),
          isRepresented,
          ...document
        }
      })
    )
  })

/**
 * Reads notes of the source that credit an invoice which is not known: refused ones that no
 * operator has dismissed, and those without an original. A note before the invoice is not on it.
 */
const unplacedNotes = (sql: Queries, { account, source_date }: SubmissionRow): StoreRead<ReadonlyArray<string>> =>
  Effect.map(
    sql<Pick<SubmissionRow, "number">>`select number from fiscal_refused
        where account = ${account} and kind = 'credit-note' and dismissed_at is null and coalesce(day, '9') >= ${source_date}
      union select number from fiscal_submission
        where account = ${account} and kind = 'credit-note' and original_id is null and made is null
          and state <> 'Withdrawn' and source_date >= ${source_date} order by number`,
    (rows) => rows.map(({ number }) => number)
  )

interface StatedNoticeRow extends Pick<SubmissionRow, "kind" | "number"> {
  readonly code: "SOURCE_CONFLICT" | "SOURCE_CANCELLED"
  readonly body: string | null
  readonly meaning: string | null
}

// an empty statement: the source again states the sent values
const statedOf = (sql: Queries, { seq }: Pick<SubmissionRow, "seq">): StoreRead<StatedInvoice> =>
  Effect.gen(function* () {
    const rows = yield* sql<StatedNoticeRow>`select c.code, c.body, c.meaning, s.kind, s.number from fiscal_conflict c
      join fiscal_submission s on s.seq = c.submission
      where c.submission = ${seq} and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED') and coalesce(c.stated, '?') <> ''
      order by c.at desc`
    if (rows.some(({ code }) => code === "SOURCE_CANCELLED")) return { _tag: "Nothing" }
    const [changed] = rows
    if (changed === undefined) return { _tag: "AsSent" }
    const { body } = changed
    return body === null ? { _tag: "NotKept" } : { _tag: "Changed", ...(yield* meant({ ...changed, body })) }
  })

/** An invoice with its row. */
export interface FamilyRow extends Omit<InvoiceFamily, "requests" | "conflicts"> {
  readonly row: SubmissionRow
}

/** Reads an invoice with its notes. Undefined if the store does not have it. */
export const of = (sql: Queries, key: SubmissionKey): StoreRead<FamilyRow | undefined> =>
  Effect.gen(function* () {
    const [row] = yield* sql<SubmissionRow & PayloadColumns>`select s.*, p.body, p.source, p.meaning
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.account = ${key.account} and s.kind = ${key.kind} and s.id = ${key.id}`
    if (row === undefined) return undefined
    return {
      row,
      sent: yield* meant(row),
      texts: isForgotten(row) ? ("forgotten" as const) : ("kept" as const),
      notes: yield* notesOn(sql, key),
      unplaced: yield* unplacedNotes(sql, row),
      stated: yield* statedOf(sql, row)
    }
  })

/**
 * Ends the notice of the source about an invoice once its receipts and the source agree again: a
 * fiscalised note has credited the difference.
 */
export const endNotice = (transaction: Transaction, { seq }: MovableRow) =>
  Effect.gen(function* () {
    const { events, now, sourceChanges, sql } = transaction
    const [noticed] = yield* sql<SubmissionKey>`select i.account, i.kind, i.id from fiscal_submission n
      join fiscal_submission i on i.account = n.original_account and i.kind = 'invoice' and i.id = n.original_id
      where n.seq = ${seq} and i.state = 'Fiscalised' and exists (select 1 from fiscal_conflict c where c.submission = i.seq
        and c.settled_at is null and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED'))`
    if (noticed === undefined) return
    const family = (yield* of(sql, noticed))!
    const { row } = family
    // what waits or is under way may still fail
    if (family.notes.some(({ standing }) => standing === "open")) return
    const prepared = Prepared.prepare(family, "difference")
    const isOver =
      prepared._tag === "Nothing" &&
      prepared.balance.stated !== null &&
      BigDecimal.equals(
        prepared.balance.stated.total,
        BigDecimal.subtract(prepared.balance.fiscalised.total, prepared.balance.credited.total)
      )
    if (!isOver) return
    yield* sql`update fiscal_conflict set settled_at = ${now}
      where submission = ${row.seq} and settled_at is null and code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')`
    const text = "its receipts agree with the source again: the difference is credited"
    const { seq: submission, state } = row
    events.push({ submission, at: now, from_state: state, to_state: state, cause: "noted", text, attempt: null })
    sourceChanges.push({
      key: keyOf(row),
      number: DocumentNumber.make(row.number),
      lane: row.lane,
      state,
      changed: null,
      cancelled: null,
      at: utc(now)
    })
  })

/** Returns true if a prepared note has credited the invoice, or still may. */
export const isCreditedHere = (sql: Queries, { account, id }: SubmissionKey): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`select 1 from fiscal_submission o where o.original_account = ${account} and o.original_id = ${id}
      and ${sql.literal(asked.here)} limit 1`,
    (notes) => notes.length > 0
  )

/** A credit note that is to be planned, or sent. */
interface PlannedNote {
  readonly key: SubmissionKey
  readonly original: SubmissionKey
  readonly made: "here" | null
}

interface OtherRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "state"> {
  readonly currency: string
  readonly total: string
}

const mayHaveReceipt = `exists (select 1 from fiscal_attempt a where a.submission = o.seq and ${mayBeReceiptText})`

const listed = (states: ReadonlyArray<State>) => states.map((state) => `'${state}'`).join(", ")

/** Notes about which the other side asks, by the side of the other note. */
const asked = {
  here: `o.made is not null and (o.state not in (${listed(ended)}) or ${mayHaveReceipt})`,
  source: `o.made is null and (o.state in ('Sending', 'Accepted', 'Unknown', 'Fiscalised') or ${mayHaveReceipt})`
}

/**
 * Returns the question about a note of the source beside a prepared one on the same invoice, unless
 * it was answered, or the prepared note counts the other. A prepared note asks only about one that
 * may have a receipt: what waits asks itself.
 */
export const question = (
  sql: Queries,
  { key, made, original }: PlannedNote
): Effect.Effect<SameSaleQuestion | null, SqlError> =>
  Effect.gen(function* () {
    const [other] = yield* sql<OtherRow>`select o.account, o.kind, o.id, o.number, o.state, p.currency, p.total
      from fiscal_submission o join fiscal_payload p on p.submission = o.seq and p.revision = o.revision
      where o.original_account = ${original.account} and o.original_id = ${original.id} and ${sql.literal(asked[made === null ? "here" : "source"])}
        and not (o.account = ${key.account} and o.kind = ${key.kind} and o.id = ${key.id})
        and not exists (select 1 from fiscal_relation r where r.relation <> 'possible' and (
          (r.account = ${key.account} and r.kind = ${key.kind} and r.id = ${key.id}
            and r.other_account = o.account and r.other_kind = o.kind and r.other_id = o.id)
          or (r.account = o.account and r.kind = o.kind and r.id = o.id
            and r.other_account = ${key.account} and r.other_kind = ${key.kind} and r.other_id = ${key.id})))
      order by o.seq limit 1`
    if (other === undefined) return null
    const where = made === null ? "prepared here" : "of the source"
    return {
      other: keyOf(other),
      differs: "nothing",
      because: `its invoice has a credit note ${where}: ${other.number} (${other.state}, ${other.currency} ${other.total})`
    }
  })
