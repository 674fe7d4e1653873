/**
 * Transactions of the store: each reads the time once and publishes its state changes after the
 * commit.
 */
import { type DateTime, Effect, PubSub, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as DualClock from "../../gateway/contract/DualClock.ts"
import { type StoreError, storeError } from "../../submission/ledger/StoreError.ts"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { Change, SourceChange } from "../../submission/Submission.ts"
import * as Clocks from "./Clocks.ts"
import { type Dialect, dialect } from "./Dialect.ts"
import { alone, type Commit, grouped, type Preamble, type Session } from "./GroupCommit.ts"
import { latest, moved, newer } from "./Migrations.ts"
import { frees } from "./Planned.ts"
import * as StoredStop from "./StoredStop.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { readable, time as readTime } from "../../submission/ledger/Stored.ts"

/** One transaction. Times are in milliseconds since the epoch. */
export interface Transaction extends Session, Clocks.Clocks {
  readonly dialect: Dialect
  /**
   * Number of times the store was unreachable, or its server restarted (`Database.interruptions`).
   */
  readonly interruptions: number
  /** Stop of the store. Null if the store is not stopped. */
  readonly stop: StoreStop | null
  readonly changes: Array<Change>
  readonly sourceChanges: Array<SourceChange>
  /** Log entries to write after the commit. */
  readonly logEntries: Array<StateLog.StateEntry>
}

/** An effect that runs inside a transaction. */
export type SqlEffect<A> = Effect.Effect<A, SqlError | StoreError>

/**
 * Return type of a generator that runs inside a transaction.
 *
 * Code that runs for every document is built once from such a generator with `Effect.fnUntraced`. A
 * generator created at each call costs seven times as much.
 */
export type SqlReturn<A> = Effect.fn.Return<A, SqlError | StoreError>

/** Sends the first queries of a transaction, and returns an effect that waits for the answers. */
export type Ahead<B> = (reading: Pick<Transaction, "sql" | "dialect">) => Effect.Effect<SqlEffect<B>, SqlError>

export interface Database {
  readonly sql: SqlClient
  /**
   * Runs the work in one transaction, and retries on the database's request. A failed transaction
   * leaves nothing behind.
   *
   * Fails with `newer-version` if a newer version of this library has upgraded the database
   * meanwhile, and with `moved` if the store was moved.
   */
  write<A>(
    operation: string,
    work: (transaction: Transaction) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  /**
   * As `write`, but sends the first queries together with the preamble of the transaction.
   * `touches`: the lanes and accounts that the transaction reads and writes.
   */
  writeReading<A, B>(
    operation: string,
    touches: ReadonlyArray<string>,
    ahead: Ahead<B>,
    work: (transaction: Transaction, read: B) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  /**
   * As `write`, for events that have already happened: an answer, an outcome, a returned lease.
   * Accepted with any version of the database.
   */
  readonly record: Database["write"]
  read<A>(operation: string, work: Effect.Effect<A, SqlError | StoreError>): Effect.Effect<A, StoreError>
  /** Current shared time, for queries. */
  readonly now: Effect.Effect<number, SqlError>
  /** Current time by every clock, for queries. */
  readonly clocks: Effect.Effect<Clocks.Clocks, SqlError>
  readonly time: Time
  /** Times of the gateways that this process has heard. */
  readonly heard: Clocks.GatewayTimes
  /** Number of times the database was unreachable, or was found restarted. */
  readonly interruptions: Effect.Effect<number>
  /**
   * Milliseconds by which this machine's clock is ahead of the shared time, for waits on this
   * machine.
   */
  readonly hostAhead: Effect.Effect<number, SqlError>
}

/** Stored times are integers, even if the clock has fractions. */
const hostTime = Effect.map(DualClock.now, ({ tick, time }) => ({ tick, time: Math.floor(time) }))

/**
 * Clock shared by all users of the store: the machine's, or the database's for several machines.
 */
export type Time = "host" | "database"

const databaseTime = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ readonly now: Integer }>`select ${dialect(sql).clock} as now`, ([row]) => number(row!.now))

/** Sends the preamble of a transaction, once for all works of a commit. */
const preamble = (
  session: Session,
  { clock, started }: Dialect
): Effect.Effect<NonNullable<Session["preamble"]>, SqlError> => {
  const { preamble } = session
  if (preamble !== null) return Effect.succeed(preamble)
  return Effect.map(
    session.sql.ahead<Preamble>`select ${clock} as now, (select max(migration_id) from fiscal_migrations) as version,
    (select moved_to from fiscal_store) as moved_to, (select stop_cause from fiscal_store) as stop_cause,
    (select stop_because from fiscal_store) as stop_because, (select stop_since from fiscal_store) as stop_since ${started}`,
    (answer) => (session.preamble = Effect.map(answer, ([row]) => row!))
  )
}

const nothingAhead: Ahead<void> = () => Effect.succeed(Effect.void)

/**
 * Fails if a newer version of this library has upgraded the store, or if the store was moved, even
 * while this process has the store open. `record` ignores the version.
 */
const stillOurs = ({ moved_to, version }: Preamble, which: "write" | "record"): Effect.Effect<void, StoreError> => {
  if (moved_to !== null) return Effect.fail(moved(moved_to))
  const found = number(version ?? 0)
  return which === "write" && found > latest ? Effect.fail(newer(found)) : Effect.void
}

/** A request to the database. */
interface Asked<A, B> {
  readonly which: "write" | "record"
  /** Lanes and accounts that the work reads and writes. Null if unknown. */
  readonly touches: ReadonlyArray<string> | null
  readonly ahead: Ahead<B>
  readonly work: (transaction: Transaction, read: B) => SqlEffect<A>
}

/** Context of the work. */
interface Begun extends Pick<Transaction, "dialect" | "hostNow"> {
  readonly gateways: ReadonlyArray<number>
  readonly session: Session
  readonly time: Time
  /** Records the server's start time and returns the number of interruptions. */
  readonly interruptions: (started: number) => number
}

/** Result of the work, with the notifications for after the commit. */
interface Done<A> extends Pick<Transaction, "changes" | "sourceChanges" | "logEntries"> {
  readonly value: A
}

/** Runs the work after all its first queries have been sent. */
function* run<A, B>(
  { ahead, touches, which, work }: Asked<A, B>,
  { dialect, gateways, hostNow, interruptions: count, session, time }: Begun,
  preambled: Effect.Effect<Preamble, SqlError>,
  reading: SqlEffect<B>
): SqlReturn<Done<A>> {
  const changes: Array<Change> = []
  const sourceChanges: Array<SourceChange> = []
  const logEntries: Array<StateLog.StateEntry> = []
  const begun = yield* preambled
  yield* stillOurs(begun, which)
  const read = yield* reading
  const now = time === "host" ? hostNow : number(begun.now)
  // an earlier work in the same commit has changed the rows read ahead
  const isOld = touches !== null && touches.some((each) => session.counts.has(each))
  const fresh = isOld ? yield* Effect.flatten(ahead({ sql: session.sql, dialect })) : read
  const interruptions = count(number(begun.started ?? 0))
  const stop = session.last.stop ?? StoredStop.ofRow(begun)
  const value = yield* work(
    {
      ...session,
      ...Clocks.of(now, hostNow, gateways),
      dialect,
      interruptions,
      stop,
      changes,
      sourceChanges,
      logEntries
    },
    fresh
  )
  // not awaited: a failed notification appears at the commit
  if (dialect.tell !== null && frees(changes)) yield* Effect.asVoid(session.sql.ahead`select ${dialect.tell}`)
  return { value, changes, sourceChanges, logEntries }
}

/** Errors that a reachable database reports. */
const answered = new Set([
  "UniqueViolation",
  "ConstraintError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError"
])

const isInterruption = (error: SqlError | StoreError): boolean =>
  error._tag === "SqlError" && !answered.has(error.reason._tag)

/** Hubs for notifications after each commit. */
export interface Hubs {
  readonly changes: PubSub.PubSub<Change>
  readonly sourceChanges: PubSub.PubSub<SourceChange>
}

/** Checks if another database replaced the open one. Null if not. */
export type Replaced = () => StoreError | null

/**
 * Creates the database. `crowd`: number of lanes worked in this process; a single lane has no other
 * lane to share a commit with. `replaced` is checked before every read and write.
 */
export const make = (
  sql: SqlClient,
  hubs: Hubs,
  crowd: () => number,
  time: Time,
  replaced: Replaced
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = dialect(sql)
    const heard: Clocks.GatewayTimes = new Map()
    const single = alone(sql)
    let interruptions = 0
    let startedAt: number | null = null
    // idle connections are reopened silently, so a restart is detected by the server's start time
    const counted = (started: number) => {
      if (startedAt !== null && startedAt !== started) interruptions++
      startedAt = started
      return interruptions
    }
    const failed = (operation: string) => (error: SqlError | StoreError) => {
      if (isInterruption(error)) interruptions++
      return storeError(operation)(error)
    }
    const together = own.writers === "one" ? yield* grouped(sql) : single
    const commit: Commit = (work) => (crowd() > 1 ? together : single)(work)
    const transact = <A, B>(operation: string, asked: Asked<A, B>): Effect.Effect<A, StoreError> =>
      Effect.flatMap(hostTime, ({ tick, time: hostNow }) => {
        const gateways = Clocks.gatewaysAt(heard, tick)
        const isOther = replaced()
        if (isOther !== null) return Effect.fail(isOther)
        const look = (session: Session) => {
          const begun = { session, dialect: own, hostNow, gateways, time, interruptions: counted }
          return Effect.zipWith(
            preamble(session, own),
            asked.ahead({ sql: session.sql, dialect: own }),
            (preambled, reading) => readable(Effect.gen(() => run(asked, begun, preambled, reading)))
          )
        }
        return commit({ touches: asked.touches, look }).pipe(
          Effect.tap(({ changes }) => (changes.length === 0 ? Effect.void : PubSub.publishAll(hubs.changes, changes))),
          Effect.tap(({ sourceChanges }) =>
            sourceChanges.length === 0 ? Effect.void : PubSub.publishAll(hubs.sourceChanges, sourceChanges)
          ),
          Effect.tap(({ logEntries }) => StateLog.say(logEntries)),
          Effect.map(({ value }) => value),
          Effect.mapError(failed(operation))
        )
      })
    const clocks = Effect.gen(function* () {
      const database = time === "host" ? null : yield* databaseTime(sql)
      const host = yield* hostTime
      return Clocks.of(database ?? host.time, host.time, Clocks.gatewaysAt(heard, host.tick))
    })
    const now = Effect.map(clocks, ({ now }) => now)
    return {
      sql,
      time,
      heard,
      clocks,
      now,
      interruptions: Effect.sync(() => interruptions),
      hostAhead: Effect.map(clocks, ({ hostNow, now }) => hostNow - now),
      write: (operation, work) => transact(operation, { which: "write", touches: null, ahead: nothingAhead, work }),
      writeReading: (operation, touches, ahead, work) => transact(operation, { which: "write", touches, ahead, work }),
      record: (operation, work) => transact(operation, { which: "record", touches: null, ahead: nothingAhead, work }),
      read: (operation, work) =>
        Effect.suspend(() => {
          const isOther = replaced()
          return isOther === null ? Effect.mapError(readable(work), failed(operation)) : Effect.fail(isOther)
        })
    }
  })

/** Converts milliseconds to a UTC time. */
export const utc = (millis: number): DateTime.Utc => readTime(millis, () => "a time")
