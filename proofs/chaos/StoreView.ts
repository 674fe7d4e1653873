/** What the store holds, read beside the processes that write it. */
import { type Option, Result } from "effect"
import { DatabaseSync } from "node:sqlite"
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
  /** When the outcome of the request came; null where none has. */
  readonly answeredAt: number | null
}

export interface LaneRow {
  readonly lane: string
  readonly stopCause: string | null
  readonly stopBecause: string | null
  readonly retryAt: number | null
}

const read = <A>({ store }: Pick<ChaosWorld, "store">, use: (database: DatabaseSync) => A): Option.Option<A> =>
  Result.getSuccess(
    Result.try(() => {
      const database = new DatabaseSync(store, { readOnly: true, timeout: 2000 })
      try {
        return use(database)
      } finally {
        database.close()
      }
    })
  )

const row = (raw: Record<string, unknown>): Row =>
  ({
    ...raw,
    rejection: typeof raw["rejection"] === "string" ? JSON.parse(raw["rejection"]) : null,
    requestIds: typeof raw["requestIds"] === "string" ? raw["requestIds"].split(" ") : []
  }) as unknown as Row

/** None where the store cannot be read just now. */
export const rows = (world: Pick<ChaosWorld, "store">): Option.Option<ReadonlyArray<Row>> =>
  read(world, (database) =>
    database
      .prepare(
        `select seq, account, kind, id, state, since, hold_cause as hold, coalesce(hold_because, said) as said, rejection, original_id as original,
          (select group_concat(request_id, ' ') from fiscal_attempt where submission = seq) as requestIds,
          (select count(*) from fiscal_conflict where submission = seq and settled_at is null) as conflicts
        from fiscal_submission order by seq`
      )
      .all()
      .map(row)
  )

export const attempts = (world: Pick<ChaosWorld, "store">): Option.Option<ReadonlyArray<AttemptRow>> =>
  read(
    world,
    (database) =>
      database
        .prepare(
          `select id, request_id as requestId, begun_at as begunAt, (select min(arrived_at) from fiscal_outcome o
            where o.account = a.account and o.request_id = a.request_id and o.source <> 'operator') as answeredAt
          from fiscal_attempt a order by id`
        )
        .all() as unknown as ReadonlyArray<AttemptRow>
  )

export const lanes = (world: Pick<ChaosWorld, "store">): Option.Option<ReadonlyArray<LaneRow>> =>
  read(
    world,
    (database) =>
      database
        .prepare(
          "select lane, stop_cause as stopCause, stop_because as stopBecause, retry_at as retryAt from fiscal_lane"
        )
        .all() as unknown as ReadonlyArray<LaneRow>
  )
