/** Invoices are checked at once, credit notes once all their originals are known. */
import { Effect, Result, type Scope, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Finding from "../finding/Finding.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { ExportStatements } from "../source/ExportStatements.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { type BatchOptions, stagedOf, translationRow } from "./BatchDocument.ts"
import * as CreditNotes from "./CreditNotes.ts"
import { ImportFinding } from "./ImportFinding.ts"
import * as KnownSales from "./KnownSales.ts"
import * as LatestStates from "./LatestStates.ts"
import { fillWordings, Repeats } from "./Repeats.ts"
import { elsewhere, named, type EntryPlace, skip, skippedRow, type Turn } from "./SkippedRows.ts"
import { Staging } from "./Staging.ts"
import type { DocumentRow, TranslationRow } from "./StagingArea.ts"
import * as StagingArea from "./StagingArea.ts"
import type { PlanningStore } from "./StoreComparison.ts"
import * as UnreadAmounts from "./UnreadAmounts.ts"

export interface Batch {
  readonly sql: SqlClient
  readonly readings: Stream.Stream<Readings.Numbered, AdapterError>
  readonly unattached: ReadonlyArray<Finding.Finding>
  readonly strays: ReadonlyArray<Stray>
}

export interface Stray extends Turn {
  readonly finding: Finding.Finding
}

/**
 * Reads an export to its end. Fails only if the export cannot be read or the staging area fails.
 * `readings` may be read again later.
 */
export const read = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  store: Pick<PlanningStore, "known" | "ledger">,
  options: BatchOptions
): Effect.Effect<Batch, AdapterError | StoreError, R | Staging | Scope.Scope> =>
  Effect.gen(function* () {
    const { ledger } = store
    const { open } = yield* Staging
    const sql = yield* open
    const spelled = yield* KnownSales.spelled(ledger, options.account)
    const again = Stream.provideContext(Stream.map(Readings.entering(readings), spelled), yield* Effect.context<R>())
    const strays: Array<Stray> = []
    yield* StagingArea.create(sql)
    const amounts = new UnreadAmounts.UnreadAmounts()
    const statements = new ExportStatements()
    const { seen, takeAll, write } = staging(sql, { strays, amounts, statements }, options)
    yield* Stream.runForEachArray(again, takeAll)
    yield* write
    const { repeats, replaced, states } = seen()
    if (repeats === "some") yield* fillWordings(sql, again)
    yield* StagingArea.index(sql, seen())
    if (repeats === "some" || states === "some") yield* LatestStates.keepLatest(sql)
    if (repeats === "some") {
      yield* skipRepeats(sql)
      yield* takeLast(sql)
      yield* refuseTwins(sql)
    }
    if (replaced === "some" && options.book.replacements === "hold") yield* showReplaced(sql)
    yield* amounts.settle(sql)
    yield* KnownSales.settleRegistered(sql, ledger, options)
    yield* KnownSales.refusePreparedNumbers(sql, ledger, options)
    yield* CreditNotes.examineAll(sql, store, amounts, options)
    yield* amounts.settle(sql)
    for (const finding of statements.findings((file, name) => amounts.isHeld(file, name)))
      strays.push({ after: afterAll, turn: 0, finding })
    return { sql, readings: again, strays, unattached: strays.map(({ finding }) => finding) }
  }).pipe(StagingArea.orStoreError)

const afterAll = Number.MAX_SAFE_INTEGER - 1

interface StagedPage {
  readings: number
  readonly documents: Array<DocumentRow>
  readonly translations: Array<TranslationRow>
  readonly found: Array<StagingArea.FoundOf>
  readonly statements: Array<{ readonly seq: number; readonly stated: string }>
  readonly skipped: Array<ReturnType<typeof skippedRow>>
  readonly amounts: Array<UnreadAmounts.Contradiction>
}

const emptyPage = (): StagedPage => ({
  readings: 0,
  documents: [],
  translations: [],
  found: [],
  statements: [],
  skipped: [],
  amounts: []
})

interface ExportFacts {
  readonly strays: Array<Stray>
  readonly amounts: UnreadAmounts.UnreadAmounts
  readonly statements: ExportStatements
}

/** Only the documents of one chunk are in memory. */
const staging = (sql: SqlClient, { amounts, statements, strays }: ExportFacts, options: BatchOptions) => {
  let page = emptyPage()
  let turn = 0
  const [keys, numbers, folds] = [new Repeats(), new Repeats(), new Repeats()]
  let lastPlace = Number.NEGATIVE_INFINITY
  let order: StagingArea.StagedRepeats["order"] = "read"
  let states: StagingArea.StagedRepeats["states"] = "none"
  let replaced: StagingArea.StagedRepeats["replaced"] = "none"
  const look = ({ folded, key, kind, number, place, replaces }: DocumentRow) => {
    keys.add(key)
    if (replaces !== null) replaced = "some"
    if (number !== "") numbers.add(number)
    folds.add(`${kind} ${folded}`)
    if (place < lastPlace) order = "placed"
    lastPlace = place
  }
  const take = (seq: number, reading: Reading): Result.Result<unknown, AdapterError> => {
    page.readings++
    turn++
    if (reading._tag === "Finding")
      return Result.succeed(
        reading.statements === undefined ? strays.push({ after: seq, turn, finding: reading }) : statements.add(reading)
      )
    if (reading._tag === "Skipped") {
      const row = skippedRow(reading, { after: seq, turn })
      if (row.document !== null) states = "some"
      return Result.succeed(page.skipped.push(row))
    }
    return Result.map(
      Readings.made(reading, (source) => {
        statements.take(source)
        return stagedOf(seq, source, options)
      }),
      ({ document, examined, stated }) => {
        look(document)
        page.documents.push(document)
        if (examined !== null) {
          page.translations.push(...translationRow(seq, examined, options))
          if (examined.findings.length > 0)
            page.found.push({ seq, findings: examined.findings, stated: examined.source.findings })
          if (examined.source.amounts !== undefined)
            page.amounts.push(...amounts.take(seq, examined.source, examined.translated))
        }
        if (stated !== null) page.statements.push({ seq, stated })
      }
    )
  }
  const write = Effect.suspend(() => {
    const full = page
    page = emptyPage()
    return writePage(sql, full)
  })
  return {
    takeAll: Effect.fnUntraced(function* (readings: ReadonlyArray<Readings.Numbered>) {
      for (const { reading, seq } of readings) {
        const taken = take(seq, reading)
        if (Result.isFailure(taken)) return yield* taken.failure
        if (page.readings === StagingArea.perPage) yield* write
      }
    }),
    write,
    seen: (): StagingArea.StagedRepeats => ({
      order,
      states,
      replaced,
      repeats: keys.again || numbers.again ? "some" : "none",
      folds: folds.again ? "some" : "apart"
    })
  }
}

const writePage = Effect.fnUntraced(function* (sql: SqlClient, page: StagedPage) {
  yield* StagingArea.insert(sql, "document", page.documents)
  yield* StagingArea.insert(sql, "translation", page.translations)
  yield* StagingArea.insertFindings(sql, page.found)
  yield* StagingArea.insert(sql, "statement", page.statements)
  yield* StagingArea.insert(sql, "skipped", page.skipped)
  yield* UnreadAmounts.keep(sql, page.amounts)
})

/** Skips identical repeats, from overlapping pages or a file given twice; the first one counts. */
const skipRepeats = Effect.fnUntraced(function* (sql: SqlClient) {
  const repeated = yield* sql<EntryPlace>`select seq, key, number, source from (select seq, place, key, number, source,
      row_number() over (partition by key, wording order by place, seq) as nth from document
      where (key, wording) in (select key, wording from document group by key, wording having count(*) > 1))
    where nth > 1 order by place, seq`
  for (const place of repeated) yield* skip(sql, place, "stated twice, word for word", "duplicate")
})

interface RestatedPlace extends EntryPlace {
  readonly last: number
}

/**
 * Skips earlier statements of a document if no difference appears on a receipt (overlapping pages,
 * a list and its details). The last statement counts.
 */
const takeLast = Effect.fnUntraced(function* (sql: SqlClient) {
  const earlier =
    yield* sql<RestatedPlace>`select seq, key, number, source, last from (select seq, key, number, source, place,
      first_value(seq) over (partition by key, fingerprint, stated ->> '$.originals' order by place desc, seq desc) as last
      from document left join statement using (seq) where number <> '' and key in (select key from document group by key having count(*) > 1))
    where seq <> last order by place, seq`
  for (const [last, statements] of Map.groupBy(earlier, ({ last }) => last)) {
    for (const place of statements)
      yield* skip(sql, place, "stated again later, with the same lines and totals", "duplicate")
    const finding = Finding.make(ImportFinding.DOCUMENT_RESTATED, { detail: elsewhere(statements) })
    yield* StagingArea.addFinding(sql, last, finding)
  }
})

const refuseTwins = Effect.fnUntraced(function* (sql: SqlClient) {
  const twins = yield* sql<EntryPlace>`select seq, key, number from document where number <> '' and (
    key in (select key from document group by key having count(*) > 1)
    or number in (select number from document group by number having count(*) > 1)) order by seq`
  for (const { key, number, seq } of twins) {
    const others = yield* sql<EntryPlace>`select key, source from document
      where seq <> ${seq} and (key = ${key} or number = ${number}) order by place, seq limit ${named + 1}`
    const message = others.some((other) => other.key === key)
      ? `several documents have the identifier ${key.slice(key.indexOf(" ") + 1)}`
      : `several documents have the number ${number}`
    yield* StagingArea.addFinding(
      sql,
      seq,
      Finding.make(ImportFinding.DOCUMENT_TWICE, { message, detail: elsewhere(others), path: ["number"] })
    )
  }
})

const showReplaced = Effect.fnUntraced(function* (sql: SqlClient) {
  const replaced = yield* sql<Pick<EntryPlace, "seq" | "source"> & { readonly by: string }>`with later as materialized (
      select seq, kind, number, source, replaces ->> '$.value' as value, replaces ->> '$.by' as by from document
      where replaces is not null)
    select document.seq, later.source, later.number as by from document join later on later.kind = document.kind
      and later.value = case later.by when 'id' then document.id else document.number end
    where later.seq <> document.seq order by document.seq`
  for (const { by, seq, source } of replaced) {
    const about = { message: `the document ${by} replaces it`, detail: elsewhere([{ source }]), path: ["number"] }
    yield* StagingArea.addFinding(sql, seq, Finding.make(ImportFinding.DOCUMENT_REPLACED, about))
  }
})

/**
 * Reads the export again and adds places to findings that were made after their document was
 * released from memory.
 */
export const placeFindings = Effect.fnUntraced(function* ({ readings, sql }: Pick<Batch, "sql" | "readings">) {
  const rows = yield* sql<{ readonly seq: number }>`select distinct seq from finding where unplaced = 1`
  if (rows.length === 0) return
  const wanted = new Set(rows.map(({ seq }) => seq))
  yield* Stream.runForEach(readings, ({ reading, seq }) =>
    reading._tag === "SourceDocument" && wanted.has(seq) ? place(sql, seq, reading) : Effect.void
  )
})

const place = Effect.fnUntraced(function* (sql: SqlClient, seq: number, source: SourceDocument) {
  const isPlanned = yield* sql`select 1 from document
    where seq = ${seq} and kind = ${source.kind} and id = ${source.id} and number = ${source.number}`
  if (isPlanned.length === 0) return
  const rows = yield* sql<{ readonly id: number; readonly finding: string }>`select id, finding from finding
    where seq = ${seq} and unplaced = 1`
  for (const { finding, id } of rows) {
    const found: Finding.Finding = JSON.parse(finding)
    const at = yield* Readings.using(source, (source) => source.where(found.path))
    yield* sql`update finding set finding = ${JSON.stringify({ ...found, at })}, unplaced = 0 where id = ${id}`
  }
})
