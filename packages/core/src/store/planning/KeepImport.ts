/**
 * Begun, stored page by page, accepted in one commit, and handed over from the store
 * (docs/architecture.md#jobs).
 */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import {
  type HandedOver,
  type ImportCanceling,
  type ImportCounts,
  type ImportMade,
  type ImportOperations,
  type ImportStanding,
  type KeptPage,
  notTaken,
  notTakenBecause
} from "../../submission/KeptImport.ts"
import type { PlannedDocument } from "../../submission/PlannedDocument.ts"
import type { PulledRun } from "../../submission/LiveSourceState.ts"
import type { PlanResult } from "../../submission/PlanResult.ts"
import { type Database, ifNeeded, type SqlEffect, type Transaction } from "../database/Transaction.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import * as ImportMadeText from "../rows/ImportMadeText.ts"
import * as ImportPages from "../rows/ImportPages.ts"
import * as RestPages from "../rows/RestPages.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { Operator } from "../../submission/OperatorRecord.ts"
import { plan } from "./Plan.ts"
import * as RefusedDocuments from "../evidence/RefusedDocuments.ts"
import type { RefusedNote } from "../../submission/ledger/RefusedDocument.ts"
import * as PulledRuns from "./PulledRuns.ts"

const begin = (
  { now, sql }: Transaction,
  { at, ...made }: ImportMade,
  memory: "kept" | "until-handed-over"
): SqlEffect<number> =>
  Effect.gen(function* () {
    const { name: by } = yield* Operator
    const [row] = yield* sql<{ readonly id: Integer }>`insert into fiscal_import ${sql.insert({
      account: made.destination.account,
      at: Instant.format(at),
      made: ImportMadeText.write({ ...made, by }),
      standing: "begun",
      documents: 0,
      refused: 0,
      skipped: 0,
      memory,
      rest: 0,
      begun_at: now
    })} returning id`
    return number(row!.id)
  })

const add = ({ sql }: Transaction, { documents, import: id }: KeptPage): SqlEffect<void> =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly at: string; readonly pages: Integer }>`select at,
      (select coalesce(max(page) + 1, 0) from fiscal_import_page where import = ${id}) as pages from fiscal_import where id = ${id}`
    if (row === undefined || documents.length === 0) return
    yield* sql`insert into fiscal_import_page ${sql.insert({
      import: id,
      page: number(row.pages),
      oldest: ImportPages.oldestOf(documents, dayOf(row.at)),
      body: ImportPages.write(documents)
    })}`
  })

interface KeptImportRow {
  readonly id: Integer
  readonly standing: ImportStanding
  /** `incomplete`: as `kept`, but the store did not take all documents. */
  readonly memory: "kept" | "until-handed-over" | "incomplete" | null
  readonly rest: Integer
}

const one = ({ dialect, sql }: Transaction, id: number) =>
  Effect.map(
    sql<KeptImportRow>`select id, standing, memory, rest from fiscal_import where id = ${id} ${dialect.forUpdate}`,
    ([row]) => row
  )

const ended = (id: number) =>
  new StoreError({
    operation: "keep an import",
    reason: "conflict",
    text: `import ${id} was ended by another process while it was being written; nothing of it was accepted. Import the files again`
  })

const addRest = (transaction: Transaction, id: number, documents: ReadonlyArray<PlannedDocument>): SqlEffect<void> =>
  Effect.gen(function* () {
    if (documents.length === 0) return
    const { sql } = transaction
    const row = yield* one(transaction, id)
    if (row?.standing !== "begun") return yield* ended(id)
    const [last] = yield* sql<{ readonly page: Integer }>`select coalesce(max(page) + 1, 0) as page
      from fiscal_import_rest where import = ${id}`
    yield* sql`insert into fiscal_import_rest ${sql.insert({
      import: id,
      page: number(last!.page),
      documents: documents.length,
      oldest: RestPages.oldestOf(documents),
      body: RestPages.write(documents)
    })}`
    yield* sql`update fiscal_import set rest = rest + ${documents.length} where id = ${id}`
  })

/**
 * No document was handed over. The importing process is gone by then, or gets the error `ended`.
 */
const abandonedAfter = 24 * 60 * 60 * 1000

const accept = (
  transaction: Transaction,
  id: number,
  { documents, refused, skipped }: ImportCounts,
  pulled?: PulledRun,
  refusals?: RefusedNote
): SqlEffect<"written" | "overtaken"> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    if (pulled !== undefined && (yield* PulledRuns.record(transaction, pulled)) === "overtaken") {
      yield* drop(transaction, id)
      return "overtaken"
    }
    if (refusals !== undefined) yield* RefusedDocuments.note(transaction, refusals)
    const row = yield* one(transaction, id)
    if (row?.standing !== "begun") return yield* ended(id)
    yield* sql`update fiscal_import set standing = 'accepted', documents = ${documents}, refused = ${refused}, skipped = ${skipped}
      where id = ${id}`
    if (number(row.rest) === 0) yield* finish(transaction, row)
    const since = now - abandonedAfter
    yield* sql`delete from fiscal_import_rest
      where import in (select id from fiscal_import where standing = 'begun' and begun_at < ${since})`
    yield* sql`update fiscal_import set standing = 'cancelled', rest = 0 where standing = 'begun' and begun_at < ${since}`
    return "written"
  })

const drop = ({ sql }: Transaction, id: number): SqlEffect<void> =>
  Effect.gen(function* () {
    yield* sql`delete from fiscal_import_rest where import = ${id}`
    yield* sql`delete from fiscal_import_page where import = ${id}`
    yield* sql`delete from fiscal_import where id = ${id}`
  })

const finish = ({ sql }: Transaction, { id, memory }: Pick<KeptImportRow, "id" | "memory">): SqlEffect<void> =>
  Effect.asVoid(
    memory === "until-handed-over"
      ? sql`delete from fiscal_import where id = ${id}`
      : sql`update fiscal_import set standing = ${memory === "incomplete" ? memory : "whole"}, rest = 0 where id = ${id}`
  )

/** Every process shows them. */
const keepUntaken = (
  transaction: Transaction,
  id: number,
  documents: ReadonlyArray<PlannedDocument>,
  results: ReadonlyArray<PlanResult>
): SqlEffect<"all-taken" | "incomplete"> =>
  Effect.gen(function* () {
    const untaken = documents.flatMap((document, n) => {
      const reason = notTakenBecause(results[n]!.verdict)
      return reason === null ? [] : [notTaken(document, reason)]
    })
    if (untaken.length === 0) return "all-taken"
    yield* add(transaction, { import: id, documents: untaken })
    yield* transaction.sql`update fiscal_import set memory = 'incomplete', refused = refused + ${untaken.length} where id = ${id}`
    return "incomplete"
  })

const waits = (sql: SqlClient, accounts: ReadonlyArray<string>): Effect.Effect<boolean, SqlError> =>
  accounts.length === 0
    ? Effect.succeed(false)
    : Effect.map(
        sql`select 1 from fiscal_import where standing = 'accepted' and ${sql.in("account", accounts)} limit 1`,
        ({ length }) => length > 0
      )

/**
 * One transaction plans the page's documents and deletes the page, so that no page is handed over
 * twice.
 */
const handOver = (transaction: Transaction, accounts: ReadonlyArray<string>): SqlEffect<Option.Option<HandedOver>> =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const [row] = yield* sql<KeptImportRow>`select id, standing, memory, rest from fiscal_import
      where standing = 'accepted' and ${sql.in("account", accounts)} order by id limit 1 ${dialect.forUpdate}`
    if (row === undefined) return Option.none()
    const id = number(row.id)
    const pages = yield* sql<{ readonly page: Integer; readonly body: string }>`select page, body
      from fiscal_import_rest where import = ${id} order by page limit 1`
    const results: Array<HandedOver["results"][number]> = []
    let { memory } = row
    for (const { body, page } of pages) {
      const documents = RestPages.read(body, () => `page ${number(page)} of what waits of import ${id}`)
      const planned = yield* plan(transaction, documents)
      if ((yield* keepUntaken(transaction, id, documents, planned)) === "incomplete") memory = "incomplete"
      results.push(...planned)
      yield* sql`delete from fiscal_import_rest where import = ${id} and page = ${page}`
    }
    const rest = number(row.rest) - results.length
    if (pages.length === 0 || rest <= 0) yield* finish(transaction, { id, memory })
    else yield* sql`update fiscal_import set rest = ${rest} where id = ${id}`
    return Option.some({ import: id, results })
  })

const cancel = (transaction: Transaction, id: number, because?: string): SqlEffect<ImportCanceling> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const row = yield* one(transaction, id)
    if (row === undefined) return { _tag: "Refused", text: `the store has no import ${id}` }
    if (row.standing === "whole" || row.standing === "cancelled") {
      const ended =
        row.standing === "whole"
          ? `everything of import ${id} was handed over; withdraw single documents instead`
          : `import ${id} was cancelled before`
      return { _tag: "Refused", text: ended }
    }
    yield* sql`delete from fiscal_import_rest where import = ${id}`
    yield* sql`update fiscal_import set standing = 'cancelled', memory = 'kept', rest = 0 where id = ${id}`
    const dropped = number(row.rest)
    yield* OperatorRecords.add(transaction, {
      act: "cancel-import",
      account: null,
      subject: `import ${id}`,
      what: `${dropped} documents are never handed over`,
      because: because ?? null
    })
    return { _tag: "Cancelled", dropped }
  })

export const dayOf = (at: string): CivilDate.CivilDate => at.slice(0, "YYYY-MM-DD".length) as CivilDate.CivilDate

export const make = ({ planning, read, write }: Database) => {
  const accepted = planning("accept an import", accept)
  const handedOver = planning("hand over", handOver)
  return {
    beginImport: write("begin an import", begin),
    keepPage: write("remember an import", add),
    keepRest: write("keep an import", addRest),
    acceptImport: (...args) => PulledRuns.unlessOvertaken(accepted(...args)),
    handOver: ifNeeded(
      read("look for open imports", waits),
      (accounts) => Effect.withSpan(handedOver(accounts), "FiscalConnector.handOver", { captureStackTrace: false }),
      Option.none()
    ),
    cancelImport: write("cancel an import", cancel)
  } satisfies Partial<ImportOperations>
}
