/**
 * A separate session with an advisory lock, which the database releases when the process ends, for
 * any reason and on any machine. Not for a pooler that shares sessions between statements.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Deferred, Duration, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { Holder } from "../submission/Holder.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import { inPlace, type PgConfig, sessionAt } from "./PgStore.ts"

export interface PgHolderOptions {
  /**
   * Silence after which the database ends the session of a stalled machine. Default 2 minutes, as
   * long as a lease.
   */
  readonly lease?: Duration.Input
}

const kind = "session/"

/**
 * Session settings: the database ends a session that is silent for the lease, and sooner if the
 * machine is gone.
 */
const settings = (lease: Duration.Duration) => ({
  idle_session_timeout: `${Duration.toMillis(lease)}ms`,
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3"
})

/** Interval of the session's heartbeats, which also detect a lost session. */
const beat = (lease: Duration.Duration) => Duration.min(Duration.divideUnsafe(lease, 3), Duration.seconds(5))

const pooled = new StoreError({
  operation: "open",
  reason: "unavailable",
  text: "a pooler gives its sessions to others between statements, and then it is not known when a worker is gone. Name the database itself, or a pooler that keeps sessions"
})

/**
 * Returns this process's holder, valid while the scope is open. A lost session is opened again;
 * other workers may take its lanes meanwhile, and fences keep that safe.
 */
export const make = (config: PgConfig, options: PgHolderOptions = {}): Effect.Effect<Holder, StoreError, Scope.Scope> =>
  inPlace(config, (url, schema) =>
    Effect.gen(function* () {
      const lease = Duration.fromInputUnsafe(options.lease ?? "2 minutes")
      const name = `${kind}${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
      // names of different stores in one database are different
      const keyOf = (holder: string) => `${schema} ${holder}`
      let session: { readonly sql: PgClient.PgClient; readonly lost: Deferred.Deferred<void> } | undefined
      const backend = (sql: PgClient.PgClient) =>
        Effect.map(sql<{ readonly pid: number }>`select pg_backend_pid() as pid`, ([row]) => row?.pid)

      /** Holds the lock until the session is lost, and fails with the reason. */
      const hold = (onHeld: Effect.Effect<unknown>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* PgClient.makeClient({
              ...sessionAt(config, url),
              applicationName: "fiscal-connector worker",
              startupParameters: settings(lease)
            })
            const pid = yield* backend(sql)
            yield* sql`select pg_advisory_lock(hashtextextended(${keyOf(name)}, 77))`
            const lost = yield* Deferred.make<void>()
            session = { sql, lost }
            while ((yield* backend(sql)) === pid) {
              yield* onHeld
              yield* Effect.timeoutOption(Deferred.await(lost), beat(lease))
            }
            return yield* pooled
          })
        )

      const first = yield* Deferred.make<void, SqlError | StoreError>()
      const held = Effect.gen(function* () {
        yield* Effect.catch(hold(Deferred.succeed(first, undefined)), (error) => Deferred.fail(first, error))
        while (true) {
          session = undefined
          yield* Effect.sleep("1 second")
          yield* Effect.ignore(hold(Effect.void))
        }
      })
      // heartbeats follow real time, even under simulated time
      yield* Effect.forkScoped(Effect.provideService(held, Clock.Clock, Clock.Clock.defaultValue()))
      yield* Deferred.await(first)

      /**
       * True if no session holds the other's lock. Not usable for this holder's own lock,
       * which its session could always take again.
       */
      const isFree = (sql: PgClient.PgClient, other: string) =>
        Effect.map(
          sql<{
            readonly free: boolean
          }>`select case when pg_try_advisory_lock_shared(hashtextextended(${keyOf(other)}, 77))
            then pg_advisory_unlock_shared(hashtextextended(${keyOf(other)}, 77)) else false end as free`,
          ([row]) => row?.free === true
        )
      return {
        name,
        presumedDead: (other) =>
          Effect.suspend(() => {
            if (session === undefined || other === name || !other.startsWith(kind)) return Effect.succeed(false)
            const { lost, sql } = session
            return Effect.catch(isFree(sql, other), () => Effect.as(Deferred.succeed(lost, undefined), false))
          })
      }
    })
  )
