/** Reads the contents of the store while the processes write. */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Option, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { DatabaseSync } from "node:sqlite"
import { defaultSchema } from "../../packages/core/src/submission/StorePlace.ts"
import type { ChaosWorld } from "./ChaosWorld.ts"

export interface Row {
  readonly seq: number
  readonly account: string
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  readonly state: string
  readonly since: number
  readonly hold: string | null
  readonly said: string | null
  readonly rejection: { readonly nature: string; readonly error: string } | null
  readonly original: string | null
  readonly requestIds: ReadonlyArray<string>
  readonly conflicts: number
}

export interface AttemptRow {
  readonly id: number
  readonly requestId: string | null
  readonly begunAt: number
  /** Time of the request's outcome; null without an outcome. */
  readonly answeredAt: number | null
}

export interface LaneRow {
  readonly lane: string
  readonly stopCause: string | null
  readonly stopBecause: string | null
  readonly retryAt: number | null
}

type Raw = Readonly<Record<string, unknown>>
type Viewed = Pick<ChaosWorld, "store" | "engine">
type View<A> = Effect.Effect<Option.Option<ReadonlyArray<A>>>

const fromFile = (store: string, statement: string): Effect.Effect<ReadonlyArray<Raw>, unknown> =>
  Effect.try(() => {
    const database = new DatabaseSync(store, { readOnly: true, timeout: 2000 })
    try {
      return database.prepare(statement).all()
    } finally {
      database.close()
    }
  })

const fromServer = (url: string, statement: string): Effect.Effect<ReadonlyArray<Raw>, unknown> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.make({
      url: Redacted.make(url),
      maxConnections: 1,
      startupParameters: { search_path: defaultSchema }
    })
    return yield* sql.unsafe<Raw>(statement)
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.timeout("5 seconds"))

/** Reads the store; returns no value if the store cannot be read at the moment. */
const read = <A>({ engine, store }: Viewed, statement: string, made: (raw: Raw) => A): View<A> =>
  Effect.option(
    Effect.map((engine === "sqlite" ? fromFile : fromServer)(store, statement), (rows) => rows.map((raw) => made(raw)))
  )

const time = (value: unknown): number | null => (value === null ? null : Number(value))

export const rows = (world: Viewed): View<Row> =>
  read(
    world,
    `select seq, account, kind, id, state, since, hold_cause as hold, coalesce(hold_because, said) as said, rejection, original_id as original,
      (select ${world.engine === "sqlite" ? "group_concat" : "string_agg"}(request_id, ' ') from fiscal_attempt where submission = seq) as "requestIds",
      (select count(*) from fiscal_conflict where submission = seq and settled_at is null) as conflicts
    from fiscal_submission order by seq`,
    (raw) =>
      ({
        ...raw,
        seq: Number(raw["seq"]),
        since: Number(raw["since"]),
        conflicts: Number(raw["conflicts"]),
        rejection: typeof raw["rejection"] === "string" ? JSON.parse(raw["rejection"]) : null,
        requestIds: typeof raw["requestIds"] === "string" ? raw["requestIds"].split(" ") : []
      }) as unknown as Row
  )

export const attempts = (world: Viewed): View<AttemptRow> =>
  read(
    world,
    `select id, request_id as "requestId", begun_at as "begunAt", (select min(arrived_at) from fiscal_outcome o
        where o.account = a.account and o.request_id = a.request_id and o.source <> 'operator') as "answeredAt"
      from fiscal_attempt a order by id`,
    (raw) =>
      ({
        ...raw,
        id: Number(raw["id"]),
        begunAt: Number(raw["begunAt"]),
        answeredAt: time(raw["answeredAt"])
      }) as unknown as AttemptRow
  )

export const lanes = (world: Viewed): View<LaneRow> =>
  read(
    world,
    `select lane, coalesce((select 'store-' || stop_cause from fiscal_store), stop_cause) as "stopCause",
      stop_because as "stopBecause", retry_at as "retryAt" from fiscal_lane`,
    (raw) => ({ ...raw, retryAt: time(raw["retryAt"]) }) as unknown as LaneRow
  )

/** Lanes whose device has receipts that the store does not have, if the store stopped for it. */
export const behind = (world: Viewed): View<string> =>
  read(world, "select stop_lane as lane from fiscal_store where stop_cause = 'behind'", ({ lane }) => String(lane))
