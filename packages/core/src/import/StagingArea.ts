/** The staging database's tables, and the few statements that more than one step of an import needs. */
import { Array as Arr, Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Finding } from "../finding/Finding.ts"
import { storeError } from "../ledger/StoreError.ts"

/** What becomes of a document; null until its day has been dated. Known, or as something that Differs: it has gone before. */
export type Outcome = "Known" | "Differs" | "Dated" | "AtSubmission" | "Late" | "Undatable"

/** One document as it is staged. Instants of one row are seconds since the epoch, days are civil dates in the book's zone. */
export interface Row {
  /** Counts the documents as they were read, from 1. */
  readonly seq: number
  /** Its place in the export. */
  readonly place: number
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  /** Kind and identifier. */
  readonly key: string
  readonly fingerprint: string
  /** SHA-256 over everything the source states: of two documents of one wording, one is enough. */
  readonly wording: string
  /** When the source last changed it, in milliseconds since the epoch; null where it does not say. */
  readonly modified: number | null
  readonly day: string | null
  /** The day on which its receipt is to be dated: its own, unless it was planned for another before. */
  readonly dating_day: string | null
  /** The source's own date, lossless. */
  readonly date: string | null
  /** The document's place in the export, as JSON. */
  readonly source: string
  /** What the source states of a credit note, until its original is known. */
  readonly stated: string | null
  /** The undated document, lossless; where it could be shaped. */
  readonly body: string | null
  readonly completeness: "complete" | "partial" | null
  /** A JSON array. */
  readonly findings: string
  readonly refused: 0 | 1
  /** The last day on which its receipt may be dated, by the device's taxes or its original's age. */
  readonly good_until: CivilDate | null
  /** Some finding's place in the export has to be looked up by reading it again. */
  readonly unplaced: 0 | 1
  /** The key of a note's original in the same batch. */
  readonly original: string | null
  /** Why it must wait although it is in order. */
  readonly held: string | null
  /** The receipt date it was planned with before. */
  readonly kept: number | null
  /** What a person has said of it while it waits, as JSON; see Standing. */
  readonly word: string | null
  readonly outcome: Outcome | null
  readonly receipt: number | null
}

const tables = [
  `create table document (
    seq integer primary key, place integer, kind text, id text, number text, key text, fingerprint text, wording text, modified integer, day text, dating_day text,
    date text, source text, stated text, completeness text, findings text, refused integer, good_until text, unplaced integer,
    original text, held text, kept integer, word text, outcome text, receipt integer)`,
  // apart, because it is the greater part of a document and is written once
  "create table payload (seq integer primary key, body text)",
  "create view staged as select document.*, payload.body from document left join payload using (seq)",
  // `key`: of what the source has cancelled; `document`: of whatever sales document it is
  "create table skipped (seq integer primary key, reading text, key text, document text, modified integer)",
  "create table reserved (second integer, key text)",
  "create table credited (invoice text primary key, total text)",
  "create table crediting (note text primary key)"
]

/** Made once everything is read: cheaper than keeping them in order all along. */
const indexes = [
  "create index by_key on document (key, wording)",
  "create index by_number on document (number)",
  "create index by_id on document (kind, id)",
  "create index by_place on document (place, seq)",
  "create index by_document on skipped (document) where document is not null"
]

const run = (sql: SqlClient, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })

export const create = (sql: SqlClient) => run(sql, tables)
export const index = (sql: SqlClient) => run(sql, indexes)

export const orStoreError = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.mapError(work, (error) =>
    isSqlError(error) ? storeError("plan an import")(error) : (error as Exclude<E, SqlError>)
  )

/** How many documents are looked at in one step. */
export const perPage = 50

export const insert = Effect.fnUntraced(function* (sql: SqlClient, rows: ReadonlyArray<Row>) {
  if (!Arr.isReadonlyArrayNonEmpty(rows)) return
  yield* sql`insert into document ${sql.insert(Arr.map(rows, ({ body: _body, ...columns }) => columns))}`
  yield* sql`insert into payload ${sql.insert(Arr.map(rows, ({ body, seq }) => ({ seq, body })))}`
})

/** Adds a finding made after the document was read; where it is about a part of it, its place in the export is looked up later. */
export const addFinding = (sql: SqlClient, seq: number, { at: _at, ...finding }: Finding) =>
  sql`update document set unplaced = max(unplaced, ${finding.path.length === 0 ? 0 : 1}), refused = max(refused, ${finding.severity === "error" ? 1 : 0}),
    findings = json_insert(findings, '$[#]', json(${JSON.stringify(finding)})) where seq = ${seq}`

/** Changes many rows in one statement: each names its `seq` and the new values of `columns`. */
export const update = <const Column extends "dating_day" | "kept" | "outcome" | "receipt" | "word">(
  sql: SqlClient,
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Pick<Row, "seq" | Column>>
) =>
  sql.unsafe(
    `update document set ${columns.map((column) => `${column} = new.value ->> '${column}'`).join(", ")}
     from json_each(?) as new where seq = new.value ->> 'seq'`,
    [JSON.stringify(rows)]
  )

/** Rows in pages, each read only when it is wanted; `next` reads what comes after a row. */
export const pages = <A, E>(next: (after: A | undefined) => Effect.Effect<ReadonlyArray<A>, E>): Stream.Stream<A, E> =>
  Stream.paginate(undefined as A | undefined, (after) =>
    Effect.map(next(after), (rows) => [rows, Option.fromUndefinedOr(rows.length < perPage ? undefined : rows.at(-1))])
  )
