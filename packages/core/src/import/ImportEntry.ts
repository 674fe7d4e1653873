import { DateTime, Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as CivilDate from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../document/Identifiers.ts"
import * as Instant from "../document/Instant.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { Finding } from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as ValidUntil from "../dating/ValidUntil.ts"
import * as LateDate from "../dating/LateDate.ts"
import * as Mark from "../submission/ledger/Mark.ts"
import * as StatedDate from "../dating/StatedDate.ts"
import * as Stored from "../submission/ledger/Stored.ts"
import { mapConcat } from "../source/MapConcat.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { HoldCause, PlannedDocument } from "../submission/PlannedDocument.ts"
import { holdAfter } from "../submission/Revisit.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Submission } from "../submission/Submission.ts"
import type { Destination } from "../account/Destination.ts"
import {
  type DatingRow,
  type DocumentRow,
  findingsOf,
  type NoteRow,
  orderOf,
  orStoreError,
  pages,
  perPage,
  type StagedRepeats,
  type StoredRow,
  type TranslationRow
} from "./StagingArea.ts"
import { meaningOf, type PlanningStore, type HeldOverride, submissionsOf } from "./StoreComparison.ts"

/** A document of the export and its place there. */
export interface EntrySource extends Pick<SourceDocument, "kind" | "id" | "number" | "replaces"> {
  readonly kind: DocumentKind
  readonly at: Provenance
}

/** A document of the batch and its outcome. */
export type ImportEntry =
  /**
   * Refused by our checks; `findings` has the reasons, and nothing is stored. `document` is null if
   * a part of it could not be translated: its sums were not computed.
   */
  | {
      readonly _tag: "Refused"
      readonly source: EntrySource
      /** The stated day, in the book's zone. */
      readonly day: CivilDate.CivilDate | null
      readonly document: WrittenDocument | null
      readonly findings: ReadonlyArray<Finding>
    }
  /** To be planned, or held with the reason in `planned.held`; `findings` are warnings. */
  | {
      readonly _tag: "Planned"
      readonly source: EntrySource
      readonly planned: PlannedDocument
      readonly findings: ReadonlyArray<Finding>
    }
  /**
   * Already in the store, in progress or done, and no action is needed: the export states the same,
   * or the difference is settled.
   */
  | {
      readonly _tag: "Known"
      readonly source: EntrySource
      readonly submission: Submission
      /** `settled`: the export states something else, which an operator or a note has settled. */
      readonly states: "as-sent" | "settled"
      /**
       * The document as today's book translates it, which may differ from the sent one; null if the
       * translation is not complete.
       */
      readonly translated: WrittenDocument | null
      /**
       * Errors of the reading: what the source states is not readable as the same document.
       * Findings of today's translation are left out, because the translation is not sent.
       */
      readonly findings: ReadonlyArray<Finding>
    }

/** Options for making the entries of a plan. */
export interface EntryOptions {
  readonly book: MappingBook
  readonly destination: Destination
  readonly timing: NonNullable<PlannedDocument["timing"]>
  readonly mark: Mark.LaneMark
  readonly today: CivilDate.CivilDate
  /** `checked`: the gateway maps every code as the book does. */
  readonly codes: "checked" | "not-checked"
}

interface EntryRow
  extends
    Pick<
      DocumentRow,
      "seq" | "place" | "kind" | "id" | "number" | "key" | "fingerprint" | "rounded" | "day" | "date" | "source"
    >,
    Pick<NoteRow, "held">,
    Pick<DocumentRow, "replaces">,
    Pick<StoredRow, "word">,
    Pick<DatingRow, "receipt">,
    Pick<TranslationRow, "good_until"> {
  readonly outcome: StoredRow["outcome"] | DatingRow["outcome"]
  readonly refused: 0 | 1
  /** Cause and reason of a hold that asks if the sale has a receipt already. */
  readonly question: HoldCause | null
  readonly asked: string | null
  readonly findings: string
  readonly completeness: TranslationRow["completeness"] | null
  readonly original_id: string | null
  readonly buyer: string | null
  readonly currency: string
  readonly total: string
  readonly tax_codes: string
  readonly text: string
}

const columns = `seq, place, kind, id, number, key, fingerprint, rounded, day, date, source, refused, outcome, receipt, word, held, question, asked,
  replaces, completeness, good_until, original_id, buyer, currency, total, tax_codes, text,
  case when outcome in ('Known', 'Settled') then ${findingsOf("staged.seq", "and stated")} else ${findingsOf("staged.seq")} end as findings`

/** Streams every document in the order of the export, in pages. */
export const stream = (
  sql: SqlClient,
  options: EntryOptions,
  store: Pick<PlanningStore, "getMany">
): Stream.Stream<ImportEntry, StoreError> =>
  Stream.unwrap(
    Effect.map(orStoreError(orderOf(sql)), (order) =>
      Stream.map(inOrder(order, sql, options, store), ({ entry }) => entry)
    )
  )

/** Streams every document in the order of reading. */
export const asRead = (
  sql: SqlClient,
  options: EntryOptions,
  store: Pick<PlanningStore, "getMany">
): Stream.Stream<NumberedEntry, StoreError> => inOrder("read", sql, options, store)

/** An entry and the number of its document among the readings. */
export interface NumberedEntry {
  readonly seq: number
  readonly entry: ImportEntry
}

const isKept = ({ outcome }: Pick<EntryRow, "outcome">): boolean => outcome === "Known" || outcome === "Settled"

const inOrder = (
  order: StagedRepeats["order"],
  sql: SqlClient,
  options: EntryOptions,
  store: Pick<PlanningStore, "getMany">
): Stream.Stream<NumberedEntry, StoreError> =>
  pages((last: EntryRow | undefined) =>
    sql<EntryRow>`select ${sql.literal(columns)}
      from staged left join translation using (seq) where ${
        order === "read"
          ? sql`seq > ${last?.seq ?? 0} order by seq`
          : sql`(place, seq) > (${last?.place ?? -1}, ${last?.seq ?? 0}) order by place, seq`
      } limit ${perPage}`.pipe(orStoreError)
  ).pipe(
    Stream.grouped(perPage),
    Stream.mapEffect((rows) =>
      Effect.map(submissionsOf(rows.filter(isKept), options.destination.account, store), (submissions) => {
        const lastCodes = new LastCodes()
        return rows.map((row) => ({ seq: row.seq, entry: entry(row, submissions, options, lastCodes) }))
      })
    ),
    mapConcat((entries) => entries)
  )

interface OrderedRow extends EntryRow {
  readonly turn: number
}

/**
 * Streams the documents to plan, ordered by receipt date. Documents without a receipt date come
 * last, in the order of the export.
 */
export const byReceiptDate = (sql: SqlClient, options: EntryOptions): Stream.Stream<PlannedDocument, StoreError> => {
  const lastCodes = new LastCodes()
  return Stream.unwrap(
    Effect.as(
      sql`create table if not exists line as select seq from staged
        where not refused and (outcome is null or outcome not in ('Known', 'Settled')) order by receipt is null, receipt, place, seq`.pipe(
        orStoreError
      ),
      pages((last: OrderedRow | undefined) =>
        sql<OrderedRow>`select line.rowid as turn, ${sql.literal(columns)}
          from line cross join staged using (seq) left join translation using (seq)
          where line.rowid > ${last?.turn ?? 0} order by line.rowid limit ${perPage}`.pipe(orStoreError)
      )
    )
  ).pipe(
    mapConcat((row) => {
      const made = entry(row, new Map(), options, lastCodes)
      return made._tag === "Planned" ? [made.planned] : []
    })
  )
}

/**
 * Returns the last receipt date of the documents that the plan sends, in seconds; `now` if one is
 * dated at submission, -Infinity if the plan sends none.
 */
export const lastReceipt = Effect.fnUntraced(function* (sql: SqlClient, options: EntryOptions, now: number) {
  const [dated] = yield* sql<{ readonly last: number | null }>`select max(receipt) as last from staged
    where not refused and held is null and word is null`
  const lastCodes = new LastCodes()
  // a receipt date at submission is later than all others
  const others = pages(
    (
      after: EntryRow | undefined
    ) => sql<EntryRow>`select ${sql.literal(columns)} from staged left join translation using (seq)
      where not refused and (outcome in ('AtSubmission', 'Late') or (word is not null and outcome not in ('Known', 'Settled')))
        and seq > ${after?.seq ?? 0} order by seq limit ${perPage}`
  ).pipe(
    mapConcat((row) => {
      const made = entry(row, new Map(), options, lastCodes)
      if (made._tag !== "Planned" || made.planned.held !== null) return []
      return [made.planned.receiptDate === "at-submission" ? now : Instant.seconds(made.planned.receiptDate)]
    }),
    Stream.takeUntil((second) => second >= now)
  )
  const ofDates = dated?.last ?? Number.NEGATIVE_INFINITY
  return yield* Stream.runFold(others, () => ofDates, Math.max)
})

/**
 * Returns the findings that refuse a document; undefined if the document is not refused, or is not
 * the document that was planned.
 */
export const refusal = (sql: SqlClient, seq: number, { id, kind, number }: SourceDocument) =>
  Effect.map(
    sql<EntryRow>`select source, ${sql.literal(findingsOf("staged.seq"))} as findings from staged
      where seq = ${seq} and refused and (outcome is null or outcome not in ('Known', 'Settled')) and kind = ${kind} and id = ${id} and number = ${number}`,
    ([row]) => (row === undefined ? undefined : findings(row))
  ).pipe(orStoreError)

/** A finding without a place gets the place of its document. */
const findings = ({ findings, source }: Pick<EntryRow, "findings" | "source">): ReadonlyArray<Finding> => {
  if (findings === "[]") return []
  const found: ReadonlyArray<Finding> = JSON.parse(findings)
  return found.map((finding) => ({ ...finding, detail: finding.detail, at: finding.at ?? JSON.parse(source) }))
}

class LastCodes {
  private text = "[]"
  private codes: ReadonlyArray<TaxCode> = []

  of(text: string): ReadonlyArray<TaxCode> {
    if (text !== this.text) {
      this.text = text
      this.codes = JSON.parse(text) as ReadonlyArray<TaxCode>
    }
    return this.codes
  }
}

const written = (row: EntryRow, lastCodes: LastCodes): WrittenDocument => ({
  kind: row.kind,
  id: row.id || row.number,
  number: row.number as DocumentNumber,
  originalInvoiceId: row.original_id as InvoiceId | null,
  buyer: row.buyer,
  currency: row.currency as CurrencyCode,
  total: Stored.money(row.total, () => `total of ${row.kind} ${row.number}`),
  taxCodes: lastCodes.of(row.tax_codes),
  text: row.text
})

const entry = (
  row: EntryRow,
  submissions: ReadonlyMap<string, Submission>,
  options: EntryOptions,
  lastCodes: LastCodes
): ImportEntry => {
  const { book, destination, timing } = options
  const { id, kind, number } = row
  const at: Provenance = JSON.parse(row.source)
  const replaces =
    row.replaces === null || book.replacements === "send"
      ? {}
      : { replaces: JSON.parse(row.replaces) as NonNullable<SourceDocument["replaces"]> }
  const source = { kind, id, number, at, ...replaces }
  const submission = isKept(row) ? submissions.get(row.key) : undefined
  const document = row.completeness === null ? null : written(row, lastCodes)
  if (submission !== undefined) {
    const translated = row.completeness === "complete" ? document : null
    const states = row.outcome === "Known" ? "as-sent" : "settled"
    return { _tag: "Known", source, submission, states, translated, findings: findings(row) }
  }
  const found = findings(row)
  if (row.refused === 1 || document === null || row.date === null) {
    const whole = row.completeness === "complete" ? document : null
    return { _tag: "Refused", source, day: row.day, document: whole, findings: found }
  }
  const limited = { ...document, lastDay: row.good_until }
  const restampable = ValidUntil.permits(limited, options.today, book)
  const where = placed(row, document, restampable, options)
  const waits = row.held === null ? where : { ...where, held: row.held, heldCause: "original" as const }
  const hold = asDecided(row, row.question === null ? waits : { ...waits, held: row.asked, heldCause: row.question })
  const originalId = document.originalInvoiceId
  return {
    _tag: "Planned",
    source,
    findings: found,
    planned: {
      ...destination,
      document,
      ...(options.codes === "checked" && meaningOf(document, book)),
      fingerprint: row.fingerprint,
      ...(row.rounded !== "" && { rounded: row.rounded.split(" ") }),
      sourceDate: row.day as CivilDate.CivilDate,
      dated: CivilDate.isCivilDate(row.date) ? "assigned" : "stated",
      ...hold,
      ...replaces,
      original: originalId === null ? null : { account: destination.account, kind: "invoice", id: originalId },
      zone: DateTime.zoneToString(book.zone),
      validUntil: ValidUntil.within(limited, restampable ? options.today : (row.day as CivilDate.CivilDate), book),
      late: restampable ? book.late : "hold",
      timing,
      source: at
    }
  }
}

type PlannedDate = Pick<PlannedDocument, "receiptDate" | "held"> & { readonly heldCause?: HoldCause }

/**
 * A late document that the operator sends is dated at submission; a document that the operator
 * holds stays held.
 */
const asDecided = ({ word }: EntryRow, placed: PlannedDate): PlannedDate => {
  if (word === null) return placed
  const found = placed.held === null ? null : { cause: placed.heldCause ?? "operator", text: placed.held }
  const hold = holdAfter(JSON.parse(word) as HeldOverride, found)
  if (hold !== null) return { ...placed, held: hold.text, heldCause: hold.cause }
  const isLate = found?.cause === "late" || found?.cause === "historical"
  return { receiptDate: isLate ? "at-submission" : placed.receiptDate, held: null }
}

const placed = (row: EntryRow, document: WrittenDocument, restampable: boolean, options: EntryOptions): PlannedDate => {
  const { date, id, kind, number, outcome, receipt } = row
  const { book, destination } = options
  if (receipt !== null) return { receiptDate: Instant.fromSeconds(receipt, book.zone), held: null }
  const mark = Mark.of(options.mark, { account: destination.account, kind, id: id || number })
  if (outcome !== "Late" || date === null || Option.isNone(mark)) return { receiptDate: "at-submission", held: null }
  return LateDate.of(document, StatedDate.parse(date), mark.value, restampable, book)
}
