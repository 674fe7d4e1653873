/**
 * Notes of the source apart from the notes that this program has prepared, and what the source
 * states of the invoice now.
 */
import { BigDecimal, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Prepared from "../../credit/Prepared.ts"
import { numberOf } from "../../document/FiscalDocument.ts"
import { DocumentNumber } from "../../document/Identifiers.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import type { SameSaleQuestion } from "../../submission/ledger/SameSale.ts"
import type { StoreError } from "../../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import { ended, type State } from "../../submission/Submission.ts"
import {
  type NoteOnInvoice,
  receiptName,
  type ReceiptNote,
  type StatedInvoice,
  surplusOf
} from "../../submission/ledger/CreditFamily.ts"
import type { Proof } from "../../submission/Submission.ts"
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

/** SQL: conflict `c` is a notice of the source (`isOfSource` of submission/Submission). */
const isNotice = "c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')"

interface FamilyNoteRow
  extends
    Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "state" | "made" | "receipt">,
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

export const representing = `(select count(*) from fiscal_relation r join fiscal_submission o
    on o.account = r.other_account and o.kind = r.other_kind and o.id = r.other_id
    where r.account = s.account and r.kind = s.kind and r.id = s.id and r.relation = 'same' and o.made = 'here')`

interface StoredNote extends NoteOnInvoice {
  readonly receipt: string | null
}

const isForReceipt = (note: StoredNote): note is ReceiptNote => note.receipt !== null

const notesOn = (sql: Queries, { account, id }: SubmissionKey): StoreRead<ReadonlyArray<StoredNote>> =>
  Effect.gen(function* () {
    const rows =
      yield* sql<FamilyNoteRow>`select s.account, s.kind, s.id, s.number, s.state, s.made, s.receipt, p.body, p.meaning,
        (select count(*) from fiscal_attempt a where a.submission = s.seq and ${mayBeReceipt(sql)}) as receipts,
        (select count(*) from fiscal_conflict c where c.submission = s.seq and c.settled_at is null
          and not ${sql.literal(isNotice)}) as conflicts,
        ${sql.literal(representing)} as represented
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${account} and s.original_id = ${id} order by s.seq`
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(meant(row), (document): StoredNote => {
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
          receipt: row.receipt,
          ...document
        }
      })
    )
  })

/**
 * Refused ones that no operator has dismissed, and those without an original. A note before the
 * invoice is on it only if it says so.
 */
const unplacedNotes = (sql: Queries, { account, id, source_date }: SubmissionRow): StoreRead<ReadonlyArray<string>> =>
  Effect.map(
    sql<Pick<SubmissionRow, "number">>`select number from fiscal_refused
        where account = ${account} and kind = 'credit-note' and dismissed_at is null
          and (original = ${id} or original is null and coalesce(day, '9') >= ${source_date})
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

/** SQL: `c` is the present statement. An earlier one is empty; older versions stored none. */
const isPresent = "coalesce(c.stated, '?') <> ''"

const statedOf = (sql: Queries, { seq }: Pick<SubmissionRow, "seq">): StoreRead<StatedInvoice> =>
  Effect.gen(function* () {
    const rows = yield* sql<StatedNoticeRow>`select c.code, c.body, c.meaning, s.kind, s.number from fiscal_conflict c
      join fiscal_submission s on s.seq = c.submission
      where c.submission = ${seq} and ${sql.literal(isNotice)} and ${sql.literal(isPresent)}
      order by c.at desc`
    if (rows.some(({ code }) => code === "SOURCE_CANCELLED")) return { _tag: "Nothing" }
    const [changed] = rows
    if (changed === undefined) return { _tag: "AsSent" }
    const { body } = changed
    return body === null ? { _tag: "NotKept" } : { _tag: "Changed", ...(yield* meant({ ...changed, body })) }
  })

const creditedReceipts = (sql: Queries, invoice: Integer): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    sql<{ readonly what: string }>`select distinct what from fiscal_decision
      where submission = ${invoice} and act = 'credited-receipt' order by what`,
    (rows) => rows.map(({ what }) => what)
  )

export interface FamilyRow extends Omit<InvoiceFamily, "requests" | "conflicts"> {
  readonly row: SubmissionRow
}

export const of = (sql: Queries, key: SubmissionKey): StoreRead<FamilyRow | undefined> =>
  Effect.gen(function* () {
    const [row] = yield* sql<SubmissionRow & PayloadColumns>`select s.*, p.body, p.source, p.meaning
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.account = ${key.account} and s.kind = ${key.kind} and s.id = ${key.id}`
    if (row === undefined) return undefined
    const notes = yield* notesOn(sql, key)
    return {
      row,
      sent: yield* meant(row),
      texts: isForgotten(row) ? ("forgotten" as const) : ("kept" as const),
      notes: notes.filter(({ receipt }) => receipt === null),
      ofReceipts: {
        notes: notes.filter(isForReceipt),
        credited: yield* creditedReceipts(sql, row.seq)
      },
      unplaced: yield* unplacedNotes(sql, row),
      stated: yield* statedOf(sql, row)
    }
  })

/**
 * Ends the notices of the source about the invoice, or about the note's invoice, once its receipts
 * and the source agree again. A note prepared here that makes them differ opens the last notice.
 */
export const endNotice = (transaction: Transaction, { seq }: Pick<MovableRow, "seq">) =>
  Effect.gen(function* () {
    const { events, now, sourceChanges, sql } = transaction
    const notice = sql.literal(isNotice)
    const [noticed] = yield* sql<SubmissionKey & { readonly made: string | null; readonly open: Integer }>`select
        i.account, i.kind, i.id, n.made, (select count(*) from fiscal_conflict c where c.submission = i.seq
          and c.settled_at is null and ${notice}) as open
      from fiscal_submission n join fiscal_submission i on i.account = coalesce(n.original_account, n.account)
        and i.kind = 'invoice' and i.id = case n.kind when 'invoice' then n.id else n.original_id end
      where n.seq = ${seq} and i.state = 'Fiscalised'
        and exists (select 1 from fiscal_conflict c where c.submission = i.seq and ${notice})
        and not exists (select 1 from fiscal_conflict c where c.submission = i.seq and c.settled_at is null and not ${notice})`
    if (noticed === undefined || (number(noticed.open) === 0 && noticed.made === null)) return
    const family = (yield* of(sql, noticed))!
    const { row } = family
    // with receipts of several versions, only an operator knows what is left
    if (family.ofReceipts.notes.length > 0 && number(row.revision) > 1) return
    const { sent, stated } = family
    const prepared = Prepared.prepare(family, "difference")
    const isEqual =
      prepared._tag === "Nothing" &&
      // a receipt is found by its number: another number is more than another text
      (stated._tag !== "Changed" || numberOf(stated.document) === numberOf(sent.document)) &&
      prepared.balance.stated !== null &&
      BigDecimal.equals(
        prepared.balance.stated.total,
        BigDecimal.subtract(prepared.balance.fiscalised.total, prepared.balance.credited.total)
      )
    if (isEqual === number(noticed.open) > 0) {
      // what waits or is under way may still fail
      if (isEqual && family.notes.some(({ standing }) => standing === "open")) return
      yield* sql`update fiscal_conflict as c set settled_at = ${isEqual ? now : null}
        where c.submission = ${row.seq} and ${notice} and ${sql.literal(isEqual ? "c.settled_at is null" : isPresent)}`
      const text = `its receipts ${isEqual ? "agree with the source again" : "differ from the source"}`
      const { seq: submission, state } = row
      events.push({ submission, at: now, from_state: state, to_state: state, cause: "noted", text, attempt: null })
      sourceChanges.push({
        key: keyOf(row),
        number: DocumentNumber.make(row.number),
        lane: row.lane,
        state,
        changed: isEqual ? null : text,
        cancelled: null,
        at: utc(now)
      })
    }
  })

export const isSurplusCredited = (
  sql: Queries,
  row: SubmissionRow,
  proofs: ReadonlyArray<Pick<Proof, "invoiceNumber" | "verificationCode">>
): StoreRead<boolean> =>
  Effect.map(notesOn(sql, row), (all) => {
    const notes = all.filter(isForReceipt)
    const proven = proofs.map(({ invoiceNumber, verificationCode }) => receiptName(invoiceNumber, verificationCode))
    return notes.filter(({ standing }) => standing === "fiscalised").length >= surplusOf(proven, notes)
  })

export const isCreditedHere = (sql: Queries, { account, id }: SubmissionKey): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`select 1 from fiscal_submission o where o.original_account = ${account} and o.original_id = ${id}
      and ${sql.literal(asked.here)} limit 1`,
    (notes) => notes.length > 0
  )

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

export const notEnded = `(o.state not in (${listed(ended)}) or ${mayHaveReceipt})`

export const mayBeSent = `(o.state in ('Sending', 'Accepted', 'Unknown', 'Fiscalised') or ${mayHaveReceipt})`

const asked = {
  here: `o.made is not null and ${notEnded}`,
  source: `o.made is null and ${mayBeSent}`
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
      text: `its invoice has a credit note ${where}: ${other.number} (${other.state}, ${other.currency} ${other.total})`
    }
  })
