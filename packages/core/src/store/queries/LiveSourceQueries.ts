import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Stored from "../../submission/ledger/Stored.ts"
import type {
  LiveCounts,
  LiveDocument,
  LiveSourceHealth,
  LiveSourceKey,
  LiveSourceOperations,
  LiveSourceState
} from "../../submission/LiveSourceState.ts"
import type { Database, SqlEffect } from "../database/Transaction.ts"
import { open } from "../../submission/Submission.ts"
import { type Integer, listed, type ListedRow, number, submission } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"

interface LiveSourceRow {
  readonly source: string
  readonly tenant: string
  readonly account: string
  readonly go_live: string
  readonly quiet_after: Integer
  readonly planned_at: Integer | null
  readonly ran_at: Integer | null
  readonly found_at: Integer | null
  readonly swept_at: Integer | null
  readonly stop_code: string | null
  readonly stop_text: string | null
  readonly stop_since: Integer | null
  readonly retry_at: Integer | null
  readonly login_ends: Integer | null
  readonly counts: string | null
}

interface MarkRow {
  readonly endpoint: string
  readonly modified: Integer
}

interface LiveDocumentRow extends MarkRow {
  readonly id: string
  readonly kind: string | null
  readonly number: string
  readonly standing: string
  readonly codes: string
  readonly asked_at: Integer | null
  readonly conditions: string | null
}

const stateOf = (row: LiveSourceRow, marks: ReadonlyArray<MarkRow>): LiveSourceState => {
  const named = `the source ${row.source}`
  const { column, optional } = Stored.columns(row, named)
  const time = (name: keyof LiveSourceRow) => optional(name, Stored.time)
  const since = time("stop_since")
  return {
    source: row.source,
    tenant: row.tenant,
    account: row.account,
    goLive: column("go_live", Stored.civilDate),
    quietAfter: column("quiet_after", Stored.integer),
    plannedAt: time("planned_at"),
    ranAt: time("ran_at"),
    foundAt: time("found_at"),
    sweptAt: time("swept_at"),
    stop:
      row.stop_code === null || since === null
        ? null
        : { code: row.stop_code, text: row.stop_text ?? "", since, retryAt: time("retry_at") },
    loginEnds: time("login_ends"),
    counts: optional("counts", countsOf),
    marks: marks.map(({ endpoint, modified }) => ({
      endpoint,
      modified: Stored.integer(modified, () => `mark ${endpoint} of ${named}`)
    }))
  }
}

const countsOf = (text: unknown, place: Stored.StoreLocation): LiveCounts => {
  const read = Stored.record(text, place)
  const figure = (name: string) => Stored.integer(read[name], place)
  return {
    read: figure("read"),
    new: figure("new"),
    changed: figure("changed"),
    unchanged: figure("unchanged"),
    refused: figure("refused"),
    skipped: Object.fromEntries(
      Object.entries(Stored.record(JSON.stringify(read["skipped"] ?? null), place)).map(([reason, n]) => [
        reason,
        Stored.integer(n, place)
      ])
    )
  }
}

const marksOf = (sql: SqlClient, { source, tenant }: LiveSourceKey) =>
  sql<MarkRow>`select endpoint, modified from fiscal_source_mark
    where source = ${source} and tenant = ${tenant} order by endpoint`

const documentOf = (row: LiveDocumentRow): LiveDocument => {
  const place = () => `document ${row.id} of a source`
  return {
    endpoint: row.endpoint,
    id: row.id,
    kind: Stored.nullable(row.kind, (kind) => Stored.oneOf(StoredValues.kinds, kind, place)),
    number: row.number,
    modified: Stored.integer(row.modified, place),
    standing: Stored.oneOf(StoredValues.liveStandings, row.standing, place),
    codes: row.codes === "" ? [] : row.codes.split(" ")
  }
}

// a statement takes at most 32766 parameters
const idsPerQuery = 1000

const notDone = open.map((state) => `'${state}'`).join(", ")

/** Accepted documents counted: these are enough to recognize a regular source. */
const fewTaken = 20

export const all = (sql: SqlClient): SqlEffect<ReadonlyArray<LiveSourceHealth>> =>
  Effect.gen(function* () {
    const rows = yield* sql<LiveSourceRow>`select * from fiscal_source order by source, tenant`
    return yield* Effect.forEach(rows, (row) =>
      Effect.gen(function* () {
        const { source, tenant } = row
        const [counted] = yield* sql<{ readonly n: Integer }>`select count(*) as n from fiscal_source_document
          where source = ${source} and tenant = ${tenant} and standing = 'refused'`
        // a few are enough to recognize a regular source
        const taken = yield* sql`select 1 from fiscal_source_document
          where source = ${source} and tenant = ${tenant} and standing = 'taken' limit ${fewTaken}`
        return {
          ...stateOf(row, yield* marksOf(sql, row)),
          taken: taken.length,
          refused: number(counted?.n ?? 0)
        }
      })
    )
  })

const documentsOf = (
  sql: SqlClient,
  { source, tenant }: LiveSourceKey,
  endpoint: string,
  ids: ReadonlyArray<string>
): SqlEffect<ReadonlyArray<LiveDocument>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(ids, idsPerQuery),
      (some) => sql<LiveDocumentRow>`select * from fiscal_source_document
        where source = ${source} and tenant = ${tenant} and endpoint = ${endpoint} and ${sql.in("id", some)}`
    ),
    (rows) => rows.flat().map(documentOf)
  )

export const make = ({ read }: Database) =>
  ({
    state: read("read a source", (sql, { source, tenant }) =>
      Effect.gen(function* () {
        const [row] =
          yield* sql<LiveSourceRow>`select * from fiscal_source where source = ${source} and tenant = ${tenant}`
        return row === undefined ? undefined : stateOf(row, yield* marksOf(sql, row))
      })
    ),
    documents: read("read a source", documentsOf),
    foreign: read("read a source", (sql, { tenant }, endpoint, records) =>
      Effect.gen(function* () {
        const given = new Map(records.map((record) => [record.id, record]))
        // a source without marks has only planned
        const others = yield* sql<LiveSourceKey>`select distinct source, tenant from fiscal_source_mark
          where tenant <> ${tenant}`
        for (const { source, tenant } of others) {
          const same = (yield* documentsOf(sql, { source, tenant }, endpoint, [...given.keys()])).find((one) => {
            const { modified, number } = given.get(one.id)!
            return one.standing !== "gone" && one.number === number && one.modified === modified
          })
          if (same !== undefined) return { source, tenant, number: same.number }
        }
        return undefined
      })
    ),
    modified: read("read a source", (sql, { source, tenant }, endpoint, { from, limit }) =>
      Effect.map(
        sql<LiveDocumentRow>`select * from fiscal_source_document where source = ${source} and tenant = ${tenant}
          and endpoint = ${endpoint} and modified >= ${from} and standing <> 'gone' order by modified desc, id limit ${limit}`,
        (rows) => rows.map(documentOf)
      )
    ),
    // cross join: SQLite joins in this order, and does not read all documents of the source
    again: read("read a source", (sql, { source, tenant }) =>
      Effect.map(
        sql<LiveDocumentRow>`select * from fiscal_source_document where source = ${source} and tenant = ${tenant}
            and standing = 'refused'
          union all select d.* from fiscal_submission s
            cross join fiscal_source f cross join fiscal_source_mark m cross join fiscal_source_document d
            where s.state in ('Declined', 'Rejected') and coalesce(s.rejection, '') not like '%"nature":"final"%'
              and f.source = ${source} and f.tenant = ${tenant} and f.account = s.account
              and m.source = f.source and m.tenant = f.tenant
              and d.source = f.source and d.tenant = f.tenant and d.endpoint = m.endpoint
              and d.id = s.id and d.kind = s.kind and d.standing = 'taken'
          order by since, endpoint, id`,
        (rows) =>
          rows.map((row) => ({
            ...documentOf(row),
            askedAt: row.asked_at === null ? 0 : number(row.asked_at),
            conditions: row.conditions
          }))
      )
    ),
    left: read("read a source", (sql, { source, tenant }, endpoints, account) =>
      Effect.map(
        sql<ListedRow>`${listed(sql)} where s.account = ${account}
          and s.seq in (select seq from fiscal_submission where state in (${sql.literal(notDone)})
            union select submission from fiscal_conflict
              where settled_at is null and code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED'))
          and exists (select 1 from fiscal_source_document d where d.source = ${source} and d.tenant = ${tenant}
            and ${sql.in("d.endpoint", endpoints)} and d.id = s.id and d.kind = s.kind) order by s.seq`,
        (rows) => rows.map(submission)
      )
    )
  }) satisfies Partial<LiveSourceOperations>
