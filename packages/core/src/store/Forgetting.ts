/**
 * Personal data: buyers, descriptions, references, places in the export, and the texts of answers.
 * Numbers, dates, figures per tax, quantities, fingerprints, ids and receipts stay, because the
 * rules, the comparison with Z-reports and exactly-once need them (docs/run.md#the-store).
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import * as Stored from "../submission/ledger/Stored.ts"
import * as StoredDocument from "../submission/ledger/StoredDocument.ts"
import { dialect } from "./database/Dialect.ts"
import { settled } from "../submission/Submission.ts"
import * as RefusedDocuments from "./evidence/RefusedDocuments.ts"
import * as KeepImport from "./planning/KeepImport.ts"
import * as ImportMadeText from "./rows/ImportMadeText.ts"
import * as ImportPages from "./rows/ImportPages.ts"
import * as RestPages from "./rows/RestPages.ts"
import { schemaOf, stillOurs } from "./database/Migrations.ts"
import { forgottenSource } from "./rows/Forgotten.ts"
import { type Integer, number, rejectionOf } from "./rows/Rows.ts"

/** A blocker: no document is forgotten while one exists. */
export interface Open {
  readonly account: string
  readonly kind: DocumentKind
  readonly number: string
  readonly text:
    | "not settled"
    | "in conflict"
    | "credits one of them, and is not settled"
    /** Part of an unfinished import. Continue the import, or cancel it. */
    | "not handed over"
}

export interface Forgetting {
  readonly documents: number
  readonly imports: number
  /** The first blockers, at most ten of each kind. With any blocker, nothing is forgotten. */
  readonly open: ReadonlyArray<Open>
}

/** Settled, not yet forgotten, and before the day by the export's date and by the receipt date. */
const isToForget = (sql: SqlClient, before: CivilDate) =>
  sql`s.source_date < ${before} and (s.receipt_text is null or substr(s.receipt_text, 1, 10) < ${before})
    and ${sql.in("s.state", settled)} and exists (select 1 from fiscal_payload p
      where p.submission = s.seq and p.source <> ${forgottenSource})`

/**
 * Documents that block forgetting: an older one that is not settled or in conflict, or an open
 * credit note on an older one. An open document needs its buyer and its lines.
 */
const openBefore = (sql: SqlClient, before: CivilDate): Effect.Effect<ReadonlyArray<Open>, SqlError> =>
  sql<Open>`select s.account, s.kind, s.number, case
      when not ${sql.in("s.state", settled)} and s.source_date < ${before} then 'not settled'
      when exists (select 1 from fiscal_conflict c where c.submission = s.seq and c.settled_at is null) then 'in conflict'
      else 'credits one of them, and is not settled' end as text
    from fiscal_submission s
    where (s.source_date < ${before} and not ${sql.in("s.state", settled)})
      or (s.source_date < ${before}
        and exists (select 1 from fiscal_conflict c where c.submission = s.seq and c.settled_at is null))
      or (s.original_id is not null and not ${sql.in("s.state", settled)}
        and exists (select 1 from fiscal_submission o where o.account = s.original_account and o.kind = 'invoice'
          and o.id = s.original_id and o.source_date < ${before}))
    order by s.seq limit 10`

const waitingBefore = (sql: SqlClient, before: CivilDate): Effect.Effect<ReadonlyArray<Open>, SqlError> =>
  Effect.map(
    sql<{ readonly import: Integer; readonly body: string }>`select import, body from fiscal_import_rest
      where oldest < ${before} order by import, page limit 10`,
    (rows) =>
      rows
        .flatMap(({ body, import: id }) => RestPages.read(body, () => `what waits of import ${number(id)}`))
        .filter(({ sourceDate }) => sourceDate < before)
        .slice(0, 10)
        .map(({ account, document: { kind, number } }) => ({ account, kind, number, text: "not handed over" }))
  )

interface ForgottenRow {
  readonly submission: Integer
  readonly revision: Integer
  readonly kind: DocumentKind
  readonly number: string
  readonly body: string
}

/** Without buyer, reference, descriptions and custom fields. Everything that counts stays. */
const bodyWithout = ({ body, kind, number }: ForgottenRow): Effect.Effect<string, StoreError> =>
  Effect.map(StoredDocument.read(kind, body, number), (document) => {
    const lineItems = document.payload.lineItems.map((line) => ({ ...line, description: null, customFields: null }))
    const without = { reference: null, buyerContact: null, lineItems }
    return document.kind === "invoice"
      ? WrittenDocument.of({ kind: "invoice", payload: { ...document.payload, ...without } }).text
      : WrittenDocument.of({ kind: "credit-note", payload: { ...document.payload, ...without } }).text
  })

/** They state the reason without quoting personal data. */
const codesOf = (text: string): string => [...new Set(text.match(/\bRCPT\d{3}\b/g))].join(" ") || "forgotten"

const rejectionWithout = (text: string, place: Stored.StoreLocation): string => {
  const { error, nature } = rejectionOf(text, place)
  return JSON.stringify({ ...Stored.record(text, place), error: codesOf(error), nature })
}

// small enough that other transactions do not wait long
const together = 200

const some = (sql: SqlClient, before: CivilDate) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* isOurs(sql)
      const open = [...(yield* openBefore(sql, before)), ...(yield* waitingBefore(sql, before))]
      if (open.length > 0) return { documents: 0, open }
      const documents = yield* sql<{
        readonly seq: Integer
        readonly rejection: string | null
      }>`select s.seq, s.rejection from fiscal_submission s
        where ${isToForget(sql, before)}
        order by s.seq limit ${sql.literal(String(together))} ${dialect(sql).forUpdate}`
      if (documents.length === 0) return { documents: 0, open }
      const seqs = documents.map(({ seq }) => number(seq))
      const outcomes = yield* sql<{
        readonly id: Integer
        readonly detail: string
      }>`select id, detail from fiscal_outcome
        where ${sql.in("submission", seqs)} and outcome in ('Rejected', 'Contradictory')`
      for (const { detail, id } of outcomes) {
        const kept = rejectionWithout(detail, () => `detail of outcome ${id}`)
        yield* sql`update fiscal_outcome set detail = ${kept} where id = ${id}`
      }
      yield* sql`update fiscal_outcome set unknown_fields = null where ${sql.in("submission", seqs)}`
      yield* sql`delete from fiscal_statement where exists (select 1 from fiscal_attempt a
        where a.account = fiscal_statement.account and a.request_id = fiscal_statement.request_id and ${sql.in("a.submission", seqs)})`
      yield* sql`update fiscal_attempt set said = null where ${sql.in("submission", seqs)}`
      yield* sql`update fiscal_event set text = null where ${sql.in("submission", seqs)}`
      yield* sql`update fiscal_submission set said = null where ${sql.in("seq", seqs)}`
      yield* sql`update fiscal_conflict set body = null, meaning = null where ${sql.in("submission", seqs)}`
      yield* sql`update fiscal_decision set because = null where ${sql.in("submission", seqs)}`
      yield* sql`update fiscal_relation set because = '' where exists (select 1 from fiscal_submission s where ${sql.in("s.seq", seqs)}
        and s.account = fiscal_relation.account and s.kind = fiscal_relation.kind and s.id = fiscal_relation.id)`
      for (const { rejection, seq } of documents) {
        if (rejection === null) continue
        const kept = rejectionWithout(rejection, () => `rejection of submission ${seq}`)
        yield* sql`update fiscal_submission set rejection = ${kept} where seq = ${seq}`
      }
      const payloads = yield* sql<ForgottenRow>`select p.submission, p.revision, s.kind, s.number, p.body
        from fiscal_payload p join fiscal_submission s on s.seq = p.submission where ${sql.in("p.submission", seqs)}`
      for (const row of payloads) {
        const body = yield* bodyWithout(row)
        yield* sql`update fiscal_payload set buyer = null, source = ${forgottenSource}, body = ${body}
          where submission = ${row.submission} and revision = ${row.revision}`
      }
      return { documents: documents.length, open }
    })
  )

interface PageRow {
  readonly import: Integer
  readonly page: Integer
  readonly body: string
  readonly at: string
}

const pagesTogether = 20

/**
 * A few import pages at a time. Also erases the file names of imports without remaining documents
 * to forget.
 */
const somePages = (sql: SqlClient, before: CivilDate) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* isOurs(sql)
      const rows = yield* sql<PageRow>`select p.import, p.page, p.body, i.at
        from fiscal_import_page p join fiscal_import i on i.id = p.import
        where p.oldest < ${before} order by p.import, p.page limit ${sql.literal(String(pagesTogether))}`
      for (const { at, body, import: id, page } of rows) {
        const day = KeepImport.dayOf(at)
        const documents = ImportPages.read(body, () => `page ${page} of import ${id}`).map((document) =>
          ImportPages.forgotten(document, before, day)
        )
        const kept = { oldest: ImportPages.oldestOf(documents, day), body: ImportPages.write(documents) }
        yield* sql`update fiscal_import_page set ${sql.update(kept)} where import = ${id} and page = ${page}`
      }
      const over = yield* sql<{ readonly id: Integer; readonly made: string }>`select id, made from fiscal_import i
        where substr(at, 1, 10) < ${before} and made not like ${ImportMadeText.nameless}
          and not exists (select 1 from fiscal_import_page p where p.import = i.id and p.oldest is not null)`
      for (const { id, made } of over) {
        yield* sql`update fiscal_import set made = ${ImportMadeText.withoutNames(made, () => `what was made of import ${number(id)}`)} where id = ${id}`
      }
      return rows.length
    })
  )

const importsBefore = (sql: SqlClient, before: CivilDate): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{ readonly n: Integer }>`select count(distinct import) as n from fiscal_import_page where oldest < ${before}`,
    ([row]) => number(row!.n)
  )

const notWrittenOver = new StoreError({
  operation: "forget",
  reason: "unavailable",
  text: "everything is forgotten, but what was freed is not written over yet, since another process has the store open: an open page, a worker, a receiver of webhooks. Stop it, and do the same again"
})

const patience = 5000

/**
 * Overwrites the freed space and empties the write-ahead log into the file. In PostgreSQL the
 * operator runs `vacuum full` (docs/run.md#the-store).
 */
const scrubbed = (sql: SqlClient): Effect.Effect<void, SqlError | StoreError> =>
  sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`pragma busy_timeout = ${sql.literal(String(patience))}`
        yield* sql`vacuum`
        const [left] = yield* sql<{ readonly busy: Integer }>`pragma wal_checkpoint(truncate)`
        if (number(left?.busy ?? 0) !== 0) return yield* notWrittenOver
      }).pipe(
        Effect.catchIf(
          (error) => error._tag === "SqlError" && error.reason._tag === "LockTimeoutError",
          () => notWrittenOver
        )
      )
  })

const isOurs = (sql: SqlClient): Effect.Effect<void, SqlError | StoreError> =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly moved_to: string | null }>`select moved_to from fiscal_store`
    yield* stillOurs({ version: yield* schemaOf(sql), moved_to: row?.moved_to ?? null }, "write")
  })

export const look = (sql: SqlClient, before: CivilDate): Effect.Effect<Forgetting, SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly n: Integer }>`select count(*) as n from fiscal_submission s
      where ${isToForget(sql, before)}`
    return {
      documents: number(row!.n),
      imports: yield* importsBefore(sql, before),
      open: [...(yield* openBefore(sql, before)), ...(yield* waitingBefore(sql, before))]
    }
  })

/**
 * Erases the personal data of settled documents, a few documents per transaction; the documents
 * themselves stay. Repeating the call finishes an interrupted run. Stops as soon as a blocker is
 * `open`.
 *
 * Fails with `moved` and `newer-version` like every change of the store, and with `unavailable` if
 * the freed space could not be overwritten.
 */
export const forget = (sql: SqlClient, before: CivilDate): Effect.Effect<Forgetting, SqlError | StoreError> =>
  Effect.gen(function* () {
    yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => Effect.asVoid(sql`pragma secure_delete = on`) })
    let documents = 0
    while (true) {
      const step = yield* some(sql, before)
      if (step.open.length > 0) return { documents, imports: 0, open: step.open }
      if (step.documents === 0) break
      documents += step.documents
    }
    const imports = yield* importsBefore(sql, before)
    while ((yield* somePages(sql, before)) > 0);
    yield* RefusedDocuments.forget(sql, before)
    yield* scrubbed(sql)
    return { documents, imports, open: [] }
  })
