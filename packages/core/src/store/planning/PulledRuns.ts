import { Array as Arr, DateTime, Effect } from "effect"
import { StoreError, type StoreEffect } from "../../submission/ledger/StoreError.ts"
import type { LiveSourceOperations, LiveSourceSettings, PulledRun } from "../../submission/LiveSourceState.ts"
import type { Database, SqlEffect, Transaction } from "../database/Transaction.ts"
import type { RefusedNote } from "../../submission/ledger/RefusedDocument.ts"
import * as RefusedDocuments from "../evidence/RefusedDocuments.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as SourceNotices from "./SourceNotices.ts"

// twelve parameters a row; a statement takes at most 32766
const rowsPerInsert = 500

const idsPerQuery = 1000

const rowOf = ({ account, goLive, quietAfter, source, tenant }: LiveSourceSettings) => ({
  source,
  tenant,
  account,
  go_live: goLive,
  quiet_after: quietAfter
})

const ensure = ({ sql }: Transaction, settings: LiveSourceSettings): SqlEffect<void> =>
  Effect.asVoid(sql`insert into fiscal_source ${sql.insert(rowOf(settings))}
    on conflict (source, tenant) do update set account = excluded.account, go_live = excluded.go_live,
      quiet_after = excluded.quiet_after`)

/** A later run compares its own account and first day with them. */
const ensureThere = ({ sql }: Transaction, settings: LiveSourceSettings): SqlEffect<void> =>
  Effect.asVoid(sql`insert into fiscal_source ${sql.insert(rowOf(settings))} on conflict (source, tenant) do nothing`)

/** Never back, whichever of two runs ends first. */
const mark = ({ sql }: Transaction, { source, tenant }: PulledRun, endpoint: string, modified: number) =>
  sql`insert into fiscal_source_mark ${sql.insert({ source, tenant, endpoint, modified })}
    on conflict (source, tenant, endpoint) do update set modified = excluded.modified
      where excluded.modified > fiscal_source_mark.modified`

interface VersionRow {
  readonly endpoint: string
  readonly id: string
  readonly modified: Integer
}

/**
 * A run that ended since this one began read later and was accepted first. Without such a run, the
 * source itself went back to an older version.
 */
const isOvertaken = ({ sql }: Transaction, { documents, follows, source, tenant }: PulledRun): SqlEffect<boolean> =>
  Effect.gen(function* () {
    const [last] = yield* sql<{ readonly ran_at: Integer | null }>`select ran_at from fiscal_source
      where source = ${source} and tenant = ${tenant}`
    const ranAt = last?.ran_at ?? null
    if (ranAt === null || (follows !== null && number(ranAt) === DateTime.toEpochMillis(follows))) return false
    const nameOf = ({ endpoint, id }: Pick<VersionRow, "endpoint" | "id">) => JSON.stringify([endpoint, id])
    const read = new Map(documents.map((one) => [nameOf(one), one.modified]))
    for (const some of Arr.chunksOf(documents, idsPerQuery)) {
      const ids = some.map(({ id }) => id)
      const endpoints = [...new Set(some.map(({ endpoint }) => endpoint))]
      const rows = yield* sql<VersionRow>`select endpoint, id, modified from fiscal_source_document
        where source = ${source} and tenant = ${tenant} and ${sql.in("endpoint", endpoints)} and ${sql.in("id", ids)}`
      if (rows.some((row) => number(row.modified) > (read.get(nameOf(row)) ?? Number.POSITIVE_INFINITY))) return true
    }
    return false
  })

/** Writes the run in the given transaction, unless another run has overtaken it. */
export const record = (transaction: Transaction, run: PulledRun): SqlEffect<"written" | "overtaken"> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const { conditions, counts, documents, loginEnds, marks, notices, source, stage, sweep, tenant } = run
    // first, so that a simultaneous run waits here for the end of this transaction
    yield* ensure(transaction, run)
    if (stage === "taken") {
      if (yield* isOvertaken(transaction, run)) return "overtaken"
      yield* SourceNotices.noteAll(transaction, notices)
      for (const { endpoint, modified } of marks) yield* mark(transaction, run, endpoint, modified)
      for (const page of Arr.chunksOf(documents, rowsPerInsert)) {
        const rows = Arr.map(page, ({ codes, endpoint, id, kind, modified, number, standing }) => ({
          source,
          tenant,
          endpoint,
          id,
          kind,
          number,
          modified,
          standing,
          since: now,
          codes: codes.join(" "),
          asked_at: now,
          conditions
        }))
        yield* sql`insert into fiscal_source_document ${sql.insert([...rows])}
          on conflict (source, tenant, endpoint, id) do update set kind = excluded.kind, number = excluded.number,
            modified = excluded.modified, codes = excluded.codes, standing = excluded.standing,
            asked_at = excluded.asked_at, conditions = excluded.conditions,
            since = case when fiscal_source_document.standing = excluded.standing
              then fiscal_source_document.since else excluded.since end`
      }
    }
    const news = counts.new + counts.changed > 0
    yield* sql`update fiscal_source set ran_at = ${now}, counts = ${JSON.stringify(counts)}, login_ends = ${loginEnds},
      planned_at = coalesce(${stage === "planned" ? now : null}, planned_at, ${now}),
      found_at = coalesce(${news ? now : null}, found_at), swept_at = coalesce(${sweep === "done" ? now : null}, swept_at),
      stop_code = null, stop_text = null, stop_since = null, retry_at = null
      where source = ${source} and tenant = ${tenant}`
    return "written"
  })

interface StopRow {
  readonly stop_code: string | null
  readonly stop_since: Integer | null
}

/** Fails if another run of the source was accepted first, with newer documents. */
export const unlessOvertaken = (run: StoreEffect<"written" | "overtaken">): StoreEffect<void> =>
  Effect.flatMap(run, (outcome) =>
    outcome === "written"
      ? Effect.void
      : Effect.fail(
          new StoreError({
            operation: "accept what was read",
            reason: "conflict",
            text: "another run of the source has accepted newer documents; try again"
          })
        )
  )

export const make = ({ write }: Database) => {
  const recorded = write("note a run of a source", (transaction, run: PulledRun, refused?: RefusedNote) =>
    Effect.tap(record(transaction, run), (outcome) =>
      outcome === "overtaken" || refused === undefined ? Effect.void : RefusedDocuments.note(transaction, refused)
    )
  )
  return {
    record: (run, refused) => unlessOvertaken(recorded(run, refused)),
    // a repeated reason keeps the time of its first occurrence
    stop: write("note a run of a source", (transaction, settings, { code, retryAt, text }) =>
      Effect.gen(function* () {
        const { now, sql } = transaction
        const { source, tenant } = settings
        yield* ensureThere(transaction, settings)
        const [row] = yield* sql<StopRow>`select stop_code, stop_since from fiscal_source
          where source = ${source} and tenant = ${tenant}`
        const since = row?.stop_code === code && row.stop_since !== null ? number(row.stop_since) : now
        yield* sql`update fiscal_source set stop_code = ${code}, stop_text = ${text}, stop_since = ${since},
          retry_at = ${retryAt === null ? null : DateTime.toEpochMillis(retryAt)} where source = ${source} and tenant = ${tenant}`
      })
    ),
    forget: write("forget a source", (transaction, source, because) =>
      Effect.gen(function* () {
        const { sql } = transaction
        const known = yield* sql`select 1 from fiscal_source where source = ${source} limit 1`
        if (known.length === 0) return undefined
        const [counted] = yield* sql<{ readonly n: Integer }>`select count(*) as n from fiscal_source_document
          where source = ${source}`
        yield* sql`delete from fiscal_source_document where source = ${source}`
        yield* sql`delete from fiscal_source_mark where source = ${source}`
        yield* sql`delete from fiscal_source where source = ${source}`
        const documents = number(counted?.n ?? 0)
        yield* OperatorRecords.add(transaction, {
          act: "forget-source",
          account: null,
          subject: `source ${source}`,
          what: `what was read of it is forgotten (${documents} documents); its next run is a plan`,
          because
        })
        return documents
      })
    )
  } satisfies Partial<LiveSourceOperations>
}
