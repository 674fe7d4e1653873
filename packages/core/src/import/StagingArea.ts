/** The staging database's tables, and the few statements that more than one step of an import needs. */
import { Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { readable } from "../ledger/Stored.ts"
import { storeError } from "../ledger/StoreError.ts"
import { staging } from "../ledger/StoreProblem.ts"
import type { KnownDocument } from "../submission/PlanResult.ts"

/**
 * A document as it was read, which never changes: Batch writes it. Each later step writes a table of its own, so that a row there says that the
 * step has come to it. Instants are seconds since the epoch, days civil dates in the book's zone.
 */
export interface DocumentRow {
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
  /** When the source last changed it, in milliseconds since the epoch; null where it does not say. */
  readonly modified: number | null
  readonly day: CivilDate | null
  /** The source's own date: a civil date, or an instant with its offset. */
  readonly date: string | null
  /** The source's own identifier of the buyer. */
  readonly buyer_id: string | null
  /** The document's place in the export, as JSON. */
  readonly source: string
}

/** A document as it would be sent, where it could be shaped: of an invoice at once, of a credit note once its original is known. */
export interface TranslationRow {
  readonly seq: number
  readonly completeness: "complete" | "partial"
  /** The last day on which its receipt may be dated, by the device's taxes or its original's age. */
  readonly good_until: CivilDate | null
  readonly original_id: string | null
  readonly buyer: string | null
  readonly currency: string
  readonly total: string
  /** A JSON array. */
  readonly tax_codes: string
  /** The document's one text (document/WrittenDocument). */
  readonly text: string
}

/** What CreditNotes says of a note: its original in the same batch, by key and `seq`, and why it must wait although it is in order. */
export interface NoteRow {
  readonly seq: number
  readonly original: string | null
  readonly original_seq: number | null
  readonly held: string | null
}

/** What StoreComparison says: how it stands with the store. */
export interface StoredRow {
  readonly seq: number
  /** It has gone before, as it is or as something else; null where it is to be planned. */
  /** `Settled`: it differs from what was sent, and an operator has dealt with that. */
  readonly outcome: "Known" | "Differs" | "Settled" | null
  /** The receipt date it was planned with before, and the day of that. */
  readonly kept: number | null
  readonly kept_day: CivilDate | null
  readonly dated: KnownDocument["dated"] | null
  /** What a person has said of it while it waits, as JSON; see StoreComparison. */
  readonly word: string | null
}

/** What Dating says of a document that is neither refused nor known. */
export interface DatingRow {
  readonly seq: number
  /** The day on which its receipt is to be dated: its own, unless it was planned for another before. */
  readonly day: CivilDate
  readonly outcome: "Dated" | "AtSubmission" | "Late" | "Undatable" | null
  readonly receipt: number | null
}

const tables = [
  // `wording`: where a key comes more than once, SHA-256 over everything the source states; of two documents of one wording, one is enough
  `create table document (
    seq integer primary key, place integer, kind text, id text, number text, key text, fingerprint text, wording text, modified integer,
    day text, date text, buyer_id text, source text)`,
  // what a credit note states, until it is examined
  "create table statement (seq integer primary key, stated text)",
  `create table translation (
    seq integer primary key, completeness text, good_until text, original_id text, buyer text, currency text, total text, tax_codes text, text text)`,
  "create table note (seq integer primary key, original text, original_seq integer, held text)",
  "create table stored (seq integer primary key, outcome text, kept integer, kept_day text, dated text, word text)",
  "create table dating (seq integer primary key, day text, outcome text, receipt integer)",
  // any step finds something; `unplaced`: where it stands in the export has to be looked up by reading that again
  "create table finding (id integer primary key, seq integer, finding text, unplaced integer)",
  "create table refused (seq integer primary key)",
  `create view staged as select document.*, refused.seq is not null as refused, coalesce(stored.outcome, dating.outcome) as outcome,
      dating.receipt, stored.word, note.held
    from document left join refused using (seq) left join stored using (seq) left join dating using (seq) left join note using (seq)`,
  // `key`: of what the source has cancelled; `document`: of whatever sales document it is
  `create table skipped (seq integer primary key, reading text, key text, document text, modified integer,
    follows integer, turn integer, skipped_as text)`,
  // what the store keeps of the source's statements about documents that it has
  "create table notice (id integer primary key, kind text, document text, states text, fingerprint text, because text)",
  // amounts in columns that nothing reads which are not the document's total, until it is known which columns state totals
  "create table amount_off (seq integer, file text, name text, nth integer, stated text, total text)",
  "create table reserved (second integer, key text)",
  "create table credited (invoice text primary key, total text)",
  "create table crediting (note text primary key)"
]

/** What was seen of a batch while it was read. */
export interface Seen {
  /** `none`: no two documents have a key or a number in common. */
  readonly repeats: "none" | "some"
  /** Whether something that is no issued document is a state of a document. */
  readonly states: "none" | "some"
  /** `read`: documents came in the order of their places. */
  readonly order: "read" | "placed"
}

/** Made once everything is read, which is cheaper than keeping them in order all along; and only what is looked for has one. */
const indexes = ({ order, repeats, states }: Seen): ReadonlyArray<string> => [
  ...(repeats === "some" ? ["create index by_number on document (number)"] : []),
  ...(repeats === "some" || states === "some" ? ["create index by_key on document (key, wording)"] : []),
  ...(order === "placed" ? [`create index ${byPlace} on document (place, seq)`] : []),
  "create index by_document on skipped (document) where document is not null",
  "create index by_turn on skipped (follows, turn, seq)",
  "create index by_seq on finding (seq)"
]

const byPlace = "by_place"

/** How the order of the export is had. */
export const orderOf = (sql: SqlClient): Effect.Effect<Seen["order"], SqlError> =>
  Effect.map(sql`select 1 from sqlite_schema where name = ${byPlace}`, ({ length }) =>
    length === 0 ? "read" : "placed"
  )

const run = (sql: SqlClient, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })

export const create = (sql: SqlClient) => run(sql, tables)
export const index = (sql: SqlClient, seen: Seen) => run(sql, indexes(seen))

export const orStoreError = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.mapError(readable(work), (error) =>
    isSqlError(error) ? storeError(staging)(error) : (error as Exclude<E, SqlError>)
  )

/** How many documents are looked at in one step. */
export const perPage = 50

type Table = "document" | "statement" | "translation" | "note" | "stored" | "finding" | "refused" | "skipped" | "notice"

/** By table and how many rows; every page but the last has the same. */
const inserts = new Map<string, string>()

const insertOf = (table: Table, columns: ReadonlyArray<string>, count: number): string => {
  const named = `${table} (${columns.join(", ")})`
  const known = inserts.get(`${count} ${named}`)
  if (known !== undefined) return known
  const row = `(${columns.map(() => "?").join(", ")})`
  const made = `insert or replace into ${named} values ${Array<string>(count).fill(row).join(", ")}`
  inserts.set(`${count} ${named}`, made)
  return made
}

/** Writes rows of one table, all with the same columns, in one statement. */
export const insert = <Row extends object>(sql: SqlClient, table: Table, rows: ReadonlyArray<Row>) => {
  const [first] = rows
  if (first === undefined) return Effect.void
  const columns = Object.keys(first) as Array<keyof Row & string>
  const values: Array<Row[keyof Row]> = []
  for (const row of rows) for (const column of columns) values.push(row[column])
  return sql.unsafe(insertOf(table, columns, rows.length), values)
}

/** Findings about documents, those that have no place yet to be looked up. An error among them refuses its document. */
export const insertFindings = Effect.fnUntraced(function* (
  sql: SqlClient,
  found: ReadonlyArray<{ readonly seq: number; readonly findings: ReadonlyArray<Finding> }>
) {
  const rows = found.flatMap(({ findings, seq }) =>
    findings.map((finding) => ({
      seq,
      finding: JSON.stringify(finding),
      unplaced: finding.at === undefined && finding.path.length > 0 ? 1 : 0
    }))
  )
  yield* insert(sql, "finding", rows)
  const isRefused = found.filter(({ findings }) => findings.some(refuses))
  yield* insert(
    sql,
    "refused",
    isRefused.map(({ seq }) => ({ seq }))
  )
})

/** Adds a finding made after the document was read; where it is about a part of it, its place in the export is looked up later. */
export const addFinding = (sql: SqlClient, seq: number, finding: Finding) =>
  insertFindings(sql, [{ seq, findings: [{ ...finding, at: undefined }] }])

/** The findings of the document in the row, as a JSON array, in the order in which they were made. */
export const findingsOf = (seq: string): string =>
  // most have none, and nothing is put together for them
  `(case when exists (select 1 from finding where finding.seq = ${seq})
    then (select json_group_array(json(finding)) from (select finding from finding where finding.seq = ${seq} order by id)) else '[]' end)`

/** Rows in pages, each read only when it is wanted; `next` reads what comes after a row. */
export const pages = <A, E>(next: (after: A | undefined) => Effect.Effect<ReadonlyArray<A>, E>): Stream.Stream<A, E> =>
  Stream.paginate(undefined as A | undefined, (after) =>
    Effect.map(next(after), (rows) => [rows, Option.fromUndefinedOr(rows.length < perPage ? undefined : rows.at(-1))])
  )
