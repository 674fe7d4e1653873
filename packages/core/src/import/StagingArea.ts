/** Tables of the staging database and the statements shared by several steps of an import. */
import { Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { readable } from "../submission/ledger/Stored.ts"
import { storeError } from "../submission/ledger/StoreError.ts"
import { staging } from "../submission/ledger/StoreProblem.ts"
import type { KnownDocument } from "../submission/PlanResult.ts"

/**
 * Written by Batch and never changed. Each later step writes its own table, so that a row there
 * shows that the step has processed the document. Instants are seconds since the epoch, days are
 * civil dates in the book's zone.
 */
export interface DocumentRow {
  readonly seq: number
  readonly place: number
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly folded: string
  readonly replaces: string | null
  readonly key: string
  readonly fingerprint: string
  readonly rounded: string
  /** Time of the source's last change, in milliseconds since the epoch; null if not stated. */
  readonly modified: number | null
  readonly day: CivilDate | null
  readonly date: string | null
  readonly buyer_id: string | null
  readonly source: string
}

/**
 * A document as it would be sent, if it could be shaped. Written at once for an invoice, and for a
 * credit note once its original is known.
 */
export interface TranslationRow {
  readonly seq: number
  readonly completeness: "complete" | "partial"
  readonly good_until: CivilDate | null
  readonly original_id: string | null
  readonly buyer: string | null
  readonly currency: string
  readonly total: string
  readonly tax_codes: string
  readonly text: string
}

/**
 * Result of CreditNotes: the note's original in the same batch, by key and `seq`, and the reason if
 * a correct note must wait.
 */
export interface NoteRow {
  readonly seq: number
  readonly original: string | null
  readonly original_seq: number | null
  readonly held: string | null
}

export interface StoredRow {
  readonly seq: number
  /**
   * `Known`: sent or processed before with the same content. `Differs`: sent before with other
   * content. `Settled`: as `Differs`, and an operator has settled the difference. Null: to be
   * planned.
   */
  readonly outcome: "Known" | "Differs" | "Settled" | null
  readonly kept: number | null
  readonly kept_day: CivilDate | null
  readonly dated: KnownDocument["dated"] | null
  readonly word: string | null
}

export interface DatingRow {
  readonly seq: number
  readonly day: CivilDate
  readonly outcome: "Dated" | "AtSubmission" | "Late" | "Undatable" | null
  readonly receipt: number | null
}

const tables = [
  // `wording`: for a repeated key, SHA-256 of the full statement; documents with equal wordings
  // count once
  `create table document (
    seq integer primary key, place integer, kind text, id text, number text, folded text, replaces text, key text, fingerprint text, rounded text,
    wording text, modified integer,
    day text, date text, buyer_id text, source text)`,
  // statement of a credit note, until the note is examined
  "create table statement (seq integer primary key, stated text)",
  `create table translation (
    seq integer primary key, completeness text, good_until text, original_id text, buyer text, currency text, total text, tax_codes text, text text)`,
  "create table note (seq integer primary key, original text, original_seq integer, held text)",
  "create table stored (seq integer primary key, outcome text, kept integer, kept_day text, dated text, word text)",
  "create table dating (seq integer primary key, day text, outcome text, receipt integer)",
  // findings of any step; `unplaced`: the place must be looked up by reading the export again;
  // `stated`: an error that the reading found in what the source states
  "create table finding (id integer primary key, seq integer, finding text, unplaced integer, stated integer)",
  "create table refused (seq integer primary key)",
  // why a document is not sent without an operator: another one may be the same sale
  "create table question (seq integer primary key, cause text, because text)",
  // refused documents that the plan makes late
  "create table overtaken (seq integer primary key)",
  `create view staged as select document.*, refused.seq is not null as refused, coalesce(stored.outcome, dating.outcome) as outcome,
      dating.receipt, stored.word, note.held, question.cause as question, question.because as asked
    from document left join refused using (seq) left join stored using (seq) left join dating using (seq) left join note using (seq) left join question using (seq)`,
  // `key`: document that the source has canceled; `document`: the sales document concerned
  `create table skipped (seq integer primary key, reading text, key text, document text, modified integer,
    follows integer, turn integer, skipped_as text)`,
  // changes of the source's statements that the store records about its documents
  "create table notice (id integer primary key, translated integer, kind text, document text, states text, fingerprint text, because text)",
  // amounts in unread columns that differ from the document's total, until columns of totals are
  // known
  "create table amount_off (seq integer, file text, name text, nth integer, stated text, figures text)",
  "create table reserved (second integer, key text)",
  "create table credited (invoice text primary key, total text)",
  "create table crediting (note text primary key)"
]

export interface StagedRepeats {
  /** `none`: all keys and numbers are unique. */
  readonly repeats: "none" | "some"
  /** `some`: the export states a document in an unissued state. */
  readonly states: "none" | "some"
  /** `some`: a document states that it replaces another. */
  readonly replaced: "none" | "some"
  /** `some`: two documents have numbers with the same fold. */
  readonly folds: "apart" | "some"
  /** `read`: documents came in the order of their places. */
  readonly order: "read" | "placed"
}

/** Created after reading, which is cheaper than maintaining indexes while inserting. */
const indexes = ({ folds, order, repeats, states }: StagedRepeats): ReadonlyArray<string> => [
  ...(repeats === "some" ? ["create index by_number on document (number)"] : []),
  ...(repeats === "some" || states === "some" ? ["create index by_key on document (key, wording)"] : []),
  ...(folds === "some" ? [`create index ${byFold} on document (folded)`] : []),
  ...(order === "placed" ? [`create index ${byPlace} on document (place, seq)`] : []),
  "create index by_document on skipped (document) where document is not null",
  "create index by_turn on skipped (follows, turn, seq)",
  "create index by_seq on finding (seq)"
]

const byPlace = "by_place"
const byFold = "by_fold"

const isIndexed = (sql: SqlClient, name: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(sql`select 1 from sqlite_schema where name = ${name}`, ({ length }) => length > 0)

export const hasFolds = (sql: SqlClient) => isIndexed(sql, byFold)

/** Returns `read` if the order of reading is the order of the export, otherwise `placed`. */
export const orderOf = (sql: SqlClient): Effect.Effect<StagedRepeats["order"], SqlError> =>
  Effect.map(isIndexed(sql, byPlace), (isPlaced) => (isPlaced ? "placed" : "read"))

const run = (sql: SqlClient, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })

export const create = (sql: SqlClient) => run(sql, tables)
export const index = (sql: SqlClient, seen: StagedRepeats) => run(sql, indexes(seen))

export const orStoreError = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.mapError(readable(work), (error) =>
    isSqlError(error) ? storeError(staging)(error) : (error as Exclude<E, SqlError>)
  )

export const perPage = 50

type StagingTable =
  | "document"
  | "overtaken"
  | "statement"
  | "translation"
  | "note"
  | "stored"
  | "question"
  | "finding"
  | "refused"
  | "skipped"
  | "notice"

const inserts = new Map<string, string>()

const insertOf = (table: StagingTable, columns: ReadonlyArray<string>, count: number): string => {
  const named = `${table} (${columns.join(", ")})`
  const known = inserts.get(`${count} ${named}`)
  if (known !== undefined) return known
  const row = `(${columns.map(() => "?").join(", ")})`
  const made = `insert or replace into ${named} values ${Array<string>(count).fill(row).join(", ")}`
  inserts.set(`${count} ${named}`, made)
  return made
}

/** All rows must have the same columns. */
export const insert = <Row extends object>(sql: SqlClient, table: StagingTable, rows: ReadonlyArray<Row>) => {
  const [first] = rows
  if (first === undefined) return Effect.void
  const columns = Object.keys(first) as Array<keyof Row & string>
  const values: Array<Row[keyof Row]> = []
  for (const row of rows) for (const column of columns) values.push(row[column])
  return sql.unsafe(insertOf(table, columns, rows.length), values)
}

/** Findings about one document. `stated`: those among them that the reading itself made. */
export interface FoundOf {
  readonly seq: number
  readonly findings: ReadonlyArray<Finding>
  readonly stated?: ReadonlyArray<Finding>
}

/**
 * Writes findings about documents and marks findings whose place must be looked up. An error among
 * the findings refuses the document.
 */
export const insertFindings = Effect.fnUntraced(function* (sql: SqlClient, found: ReadonlyArray<FoundOf>) {
  const rows = found.flatMap(({ findings, seq, stated = [] }) =>
    findings.map((finding) => ({
      seq,
      finding: JSON.stringify(finding),
      unplaced: finding.at === undefined && finding.path.length > 0 ? 1 : 0,
      stated: stated.includes(finding) && refuses(finding) ? 1 : 0
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

export const addFinding = (sql: SqlClient, seq: number, finding: Finding) =>
  insertFindings(sql, [{ seq, findings: [{ ...finding, at: undefined }] }])

/**
 * Returns SQL for the document's findings as a JSON array, in the order of creation. `which`:
 * further condition.
 */
export const findingsOf = (seq: string, which = ""): string =>
  // fast path: most documents have no findings
  `(case when exists (select 1 from finding where finding.seq = ${seq})
    then (select json_group_array(json(finding)) from (select finding from finding where finding.seq = ${seq} ${which} order by id)) else '[]' end)`

export const pages = <A, E>(next: (after: A | undefined) => Effect.Effect<ReadonlyArray<A>, E>): Stream.Stream<A, E> =>
  Stream.paginate(undefined as A | undefined, (after) =>
    Effect.map(next(after), (rows) => [rows, Option.fromUndefinedOr(rows.length < perPage ? undefined : rows.at(-1))])
  )
