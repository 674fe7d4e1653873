/** What an import will do, settled before the first request: every document planned with its receipt date, held, refused, or known already. */
import { DateTime, Effect, Option, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Finding } from "../finding/Finding.ts"
import { refuses } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as Mark from "../ledger/Mark.ts"
import type { AdapterError, RefusedDocument } from "../source/Adapter.ts"
import { mapConcat } from "../source/MapConcat.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { Destination } from "../account/Destination.ts"
import type { PlannedDocument } from "../submission/PlannedDocument.ts"
import type { SourceNotice } from "../submission/PlanResult.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { type Batch, placeFindings } from "./Batch.ts"
import * as Dating from "./Dating.ts"
import * as ImportEntry from "./ImportEntry.ts"
import * as ImportInput from "./ImportInput.ts"
import * as StagingArea from "./StagingArea.ts"
import * as StoreComparison from "./StoreComparison.ts"

/** Documents are read from the staging as they are asked for, so all of it is good until the scope it was made in closes. */
export interface ImportPlan {
  /** By which it was planned. */
  readonly book: MappingBook
  /** For which account and device it was planned. */
  readonly destination: Destination
  /** How many documents there are. */
  readonly documents: number
  /** In the order of the export. */
  readonly entries: Stream.Stream<ImportEntry.ImportEntry, StoreError>
  /** What of it is planned, in the order in which it goes: handed over so, a worker that sends meanwhile makes nothing of it late. */
  readonly line: Stream.Stream<PlannedDocument, StoreError>
  readonly skipped: Stream.Stream<Skipped, StoreError>
  /** What the source states otherwise, or again as it was sent, of documents that the store has. */
  readonly notices: Stream.Stream<SourceNotice, StoreError>
  /** Every reading in its order, documents, what was skipped and what is no document alike. */
  readonly inputs: Stream.Stream<ImportInput.ImportInput, StoreError>
  /** Findings that belong to no document. */
  readonly unattached: ReadonlyArray<Finding>
  /** Refused documents that a later one of this batch would overtake: once it has gone, they are late. */
  readonly wouldBecomeLate: Dating.Overtaken
  /** What is refused, for the adapter to write down; the export is read again for it. */
  readonly refused: Stream.Stream<RefusedDocument, AdapterError | StoreError>
}

/** By which book and for which destination a batch is planned. */
export interface PlanningOptions {
  readonly book: MappingBook
  readonly destination: Destination
  /** `historical`: documents at or before the last close of a fiscal day are sent all the same, in order, after every attempt of ours. */
  readonly passage?: PlannedDocument["passage"] | undefined
  /** ClosedAt of the device's last fiscal day (connector/DayClose), which the store need not have yet. */
  readonly lastClose?: Instant | undefined
}

/** Plans a batch that has been read. Reads the store and writes nothing. */
export const make = (
  batch: Batch,
  { book, destination, lastClose, passage = "ordinary" }: PlanningOptions,
  store: StoreComparison.PlanningStore
): Effect.Effect<ImportPlan, AdapterError | StoreError> =>
  Effect.gen(function* () {
    const { sql } = batch
    const { account, lane } = destination
    yield* StoreComparison.compare(sql, book, destination, store)
    yield* StoreComparison.reserve(sql, destination, store)
    const known = Mark.closedAt(yield* store.ledger.mark(lane), lastClose)
    const mark = passage === "historical" ? Mark.withoutClose(known) : known
    yield* Dating.assignDates(sql, book, account, mark)
    yield* placeFindings(batch)
    const today = CivilDate.of(DateTime.setZone(yield* DateTime.now, book.zone))
    const restamps = book.late === "restamp" && Option.exists(Mark.ofLane(mark), ({ because }) => because === "attempt")
    const options = { book, destination, passage, mark, today }
    const [counted] = yield* sql<{ readonly count: number }>`select count(*) as count from document`
    return {
      book,
      destination,
      documents: counted?.count ?? 0,
      entries: ImportEntry.stream(sql, options, store),
      line: ImportEntry.line(sql, options),
      skipped: skipped(batch),
      notices: StoreComparison.notices(sql, account),
      inputs: ImportInput.stream(sql, ImportEntry.asRead(sql, options, store), batch.strays),
      unattached: [
        ...batch.unattached,
        ...(yield* StoreComparison.cancelled(sql, account, store)),
        ...(yield* StoreComparison.allocatedOtherwise(sql))
      ],
      wouldBecomeLate: yield* Dating.overtaken(sql, book, restamps ? "restamped" : "held"),
      refused: refused(batch)
    }
  }).pipe(StagingArea.orStoreError)

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
