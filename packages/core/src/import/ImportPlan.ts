/**
 * Plan of an import, complete before the first request: every document is planned with a receipt
 * date, held, refused, or known already.
 */
import { DateTime, Effect, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import type { DeviceFacts } from "../preflight/DeviceFacts.ts"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Finding } from "../finding/Finding.ts"
import { refuses } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as Mark from "../submission/ledger/Mark.ts"
import type { AdapterError, RefusedDocument } from "../source/Adapter.ts"
import { mapConcat } from "../source/MapConcat.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { Destination } from "../account/Destination.ts"
import type { PlannedDocument } from "../submission/PlannedDocument.ts"
import type { SourceNotice } from "../submission/PlanResult.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { type Batch, placeFindings } from "./Batch.ts"
import * as RefusedRows from "./RefusedRows.ts"
import {
  nameOf,
  type RefusedGiven,
  type StoredRefusal as Remembered,
  unnumbered
} from "../submission/ledger/RefusedDocument.ts"
import * as StagedDates from "./StagedDates.ts"
import * as ImportEntry from "./ImportEntry.ts"
import * as ImportInput from "./ImportInput.ts"
import * as StagingArea from "./StagingArea.ts"
import * as StoreComparison from "./StoreComparison.ts"

/**
 * The plan. Documents are read from the staging area on demand, so the plan is valid until the
 * scope of its creation closes.
 */
export interface ImportPlan {
  readonly book: MappingBook
  readonly destination: Destination
  readonly documents: number
  readonly entries: Stream.Stream<ImportEntry.ImportEntry, StoreError>
  /**
   * Documents to plan, in sending order. Storing them in this order keeps a worker that sends
   * meanwhile from making some of them late.
   */
  readonly byReceiptDate: Stream.Stream<PlannedDocument, StoreError>
  readonly skipped: Stream.Stream<Skipped, StoreError>
  /**
   * Changes for the store: stored documents that the source now states differently, or states again
   * as sent.
   */
  readonly notices: Stream.Stream<SourceNotice, StoreError>
  /**
   * Every reading in the order of reading, including skipped readings and findings without a
   * document.
   */
  readonly inputs: Stream.Stream<ImportInput.ImportInput, StoreError>
  /** Findings that do not belong to a document. */
  readonly unattached: ReadonlyArray<Finding>
  /**
   * Refused documents that are not late now, and would be late once this plan is sent.
   */
  readonly wouldBecomeLate: StagedDates.Overtaken
  /**
   * Planned documents that the device will mark because of their dates alone; null if none, or if
   * the longest day is not stated.
   */
  readonly beyondDay: BeyondDay | null
  /** Refused documents of the account, as the store knew them before this plan. */
  readonly remembered: ReadonlyArray<Remembered>
  /** Names of refused documents that an operator dismissed and this export states unchanged. */
  readonly dismissed: ReadonlySet<string>
  /** Refused documents, for the store to remember until they are accounted for. */
  readonly given: Effect.Effect<ReadonlyArray<RefusedGiven>, StoreError>
  /** Returns the documents among these names that are known, or that the export does not issue. */
  readonly accountedFor: (names: ReadonlySet<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Refused documents, for the adapter to write out. Reads the export again. */
  readonly refused: Stream.Stream<RefusedDocument, AdapterError | StoreError>
}

/** Documents dated later than the first of the batch plus the longest fiscal day (RCPT041). */
export interface BeyondDay {
  readonly documents: number
  readonly hours: number
  readonly first: Instant.Instant
}

/** Options for planning a batch. */
export interface PlanningOptions {
  readonly book: MappingBook
  readonly destination: Destination
  /**
   * `historical`: documents at or before the last close of a fiscal day are sent anyway, in order,
   * after every attempt of ours.
   */
  readonly timing?: PlannedDocument["timing"] | undefined
  /**
   * ClosedAt of the device's last fiscal day (connector/DayClose), which may not be in the store
   * yet.
   */
  readonly lastClose?: Instant.Instant | undefined
  /** Known device facts; `dayHours` limits the fiscal day. */
  readonly device?: DeviceFacts
}

/** Plans a batch that has been read. Reads the store, never writes. */
export const make = (
  batch: Batch,
  { book, destination, device, lastClose, timing = "ordinary" }: PlanningOptions,
  store: StoreComparison.PlanningStore
): Effect.Effect<ImportPlan, AdapterError | StoreError> =>
  Effect.gen(function* () {
    const { sql } = batch
    const { account, lane } = destination
    yield* StoreComparison.compare(sql, book, destination, store)
    yield* StoreComparison.reserve(sql, destination, store)
    const known = Mark.closedAt(yield* store.ledger.mark(lane), lastClose)
    const mark = timing === "historical" ? Mark.withoutClose(known) : known
    yield* StagedDates.assignDates(sql, book, account, mark)
    yield* placeFindings(batch)
    const remembered = yield* store.refused.of(account)
    const given = RefusedRows.all(sql, batch.unattached)
    const now = yield* DateTime.now
    const today = CivilDate.inZone(now, book.zone)
    // our own sandbox is set up from the book
    const isChecked = device?.mappings != null || destination.environment === "sandbox"
    const codes = isChecked ? ("checked" as const) : ("not-checked" as const)
    const options = { book, destination, timing, mark, today, codes }
    const [counted] = yield* sql<{ readonly count: number }>`select count(*) as count from document`
    return {
      book,
      destination,
      documents: counted?.count ?? 0,
      entries: ImportEntry.stream(sql, options, store),
      byReceiptDate: ImportEntry.byReceiptDate(sql, options),
      skipped: skipped(batch),
      notices: StoreComparison.notices(sql, account, book, codes),
      inputs: ImportInput.stream(sql, ImportEntry.asRead(sql, options, store), batch.strays),
      unattached: [
        ...batch.unattached,
        ...(yield* StoreComparison.canceled(sql, account, store)),
        ...(yield* StoreComparison.allocatedOtherwise(sql))
      ],
      wouldBecomeLate: yield* wouldBecomeLate(sql, options, now, remembered),
      remembered,
      dismissed: yield* dismissedOf(remembered, given),
      given,
      accountedFor: (names: ReadonlySet<string>) => RefusedRows.accountedFor(sql, skipped(batch), names),
      beyondDay: yield* beyondDay(sql, book, device?.dayHours ?? null),
      refused: refused(batch)
    }
  }).pipe(StagingArea.orStoreError)

/**
 * A dismissed document stays dismissed while its content and codes are equal. Documents without a
 * name have one entry: all of them must be dismissed.
 */
const dismissedOf = Effect.fnUntraced(function* (
  remembered: ReadonlyArray<Remembered>,
  given: ImportPlan["given"]
): Effect.fn.Return<ReadonlySet<string>, StoreError> {
  const before = new Map(remembered.flatMap((one) => (one.standing === "dismissed" ? [[one.name, one] as const] : [])))
  if (before.size === 0) return new Set()
  const isDismissed = ({ codes, content, name }: RefusedGiven) => {
    const known = before.get(name)
    return known?.content === content && known.codes.join(" ") === codes.join(" ")
  }
  const reported = Map.groupBy(yield* given, ({ kind, name, number }) =>
    number === unnumbered ? nameOf({ kind, id: "", number: "" }) : name
  )
  return new Set(reported.entries().flatMap(([name, some]) => (some.every(isDismissed) ? [name] : [])))
})

const countedDays = 30

const wouldBecomeLate = Effect.fnUntraced(function* (
  sql: SqlClient,
  options: ImportEntry.EntryOptions,
  now: DateTime.DateTime,
  remembered: ReadonlyArray<Remembered>
) {
  const { book, destination, mark } = options
  if ((yield* sql`select 1 from refused limit 1`).length === 0) return { count: 0, first: [], causes: [] }
  const last = yield* ImportEntry.lastReceipt(sql, options, Instant.seconds(now))
  const overtaken = yield* StagedDates.overtaken(sql, book, destination.account, mark, last)
  if (overtaken.count === 0) return overtaken
  const from = DateTime.subtract(now, { days: countedDays })
  const earlier = remembered.filter(
    ({ lateAt, standing }) => standing === "open" && lateAt !== null && DateTime.isGreaterThan(lateAt, from)
  )
  const causes = overtaken.causes.map((cause) => ({
    ...cause,
    earlier: earlier.filter(({ codes }) => codes.includes(cause.code)).length
  }))
  return { ...overtaken, causes }
})

/**
 * The day opens at the latest with the first receipt. Documents dated at submission are not
 * counted: the day may be closed by then.
 */
const beyondDay = Effect.fnUntraced(function* (sql: SqlClient, book: MappingBook, hours: number | null) {
  if (hours === null) return null
  const sent = sql.literal("(not refused and held is null and outcome = 'Dated' and receipt is not null)")
  const [row] = yield* sql<{ readonly first: number | null; readonly documents: number }>`
    with sent as (select receipt from staged where ${sent}), opening as (select min(receipt) as first from sent)
    select first, (select count(*) from sent where receipt > first + ${hours * 3600}) as documents from opening`
  if (row === undefined || row.first === null || row.documents === 0) return null
  return { documents: row.documents, hours, first: Instant.fromSeconds(row.first, book.zone) }
})

const refused = ({ readings, sql }: Batch): ImportPlan["refused"] =>
  readings.pipe(
    Stream.mapEffect(({ reading, seq }): Effect.Effect<ReadonlyArray<RefusedDocument>, StoreError> => {
      if (reading._tag === "Skipped") return Effect.succeed([])
      if (reading._tag === "Finding") return Effect.succeed(refuses(reading) ? [{ reading, findings: [reading] }] : [])
      return Effect.map(ImportEntry.refusal(sql, seq, reading), (findings) =>
        findings === undefined ? [] : [{ reading, findings }]
      )
    }),
    mapConcat((refused) => refused)
  )

const skipped = ({ sql }: Batch): ImportPlan["skipped"] =>
  StagingArea.pages((last: { readonly seq: number; readonly reading: string } | undefined) =>
    sql<{ readonly seq: number; readonly reading: string }>`select seq, reading from skipped
      where seq > ${last?.seq ?? 0} order by seq limit ${StagingArea.perPage}`.pipe(StagingArea.orStoreError)
  ).pipe(Stream.map(({ reading }): Skipped => JSON.parse(reading)))
