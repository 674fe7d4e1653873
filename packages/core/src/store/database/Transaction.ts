import { Clock, type DateTime, Effect, PubSub, Result, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as DualClock from "../../gateway/contract/DualClock.ts"
import { StoreError, storeError, type StoreEffect, type WriteFailure } from "../../submission/ledger/StoreError.ts"
import { sentence, type StoreStop } from "../../submission/ledger/StoreStop.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { Change, SourceChange } from "../../submission/Submission.ts"
import * as Clocks from "./Clocks.ts"
import { type Dialect, dialect } from "./Dialect.ts"
import { alone, type Commit, grouped, type Preamble, type WriteBatch } from "./GroupCommit.ts"
import { stillOurs } from "./Migrations.ts"
import { frees } from "./Planned.ts"
import * as StoredStop from "./StoredStop.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { readable, time as readTime } from "../../submission/ledger/Stored.ts"

/** One transaction. Times are in milliseconds since the epoch. */
export interface Transaction extends WriteBatch, Clocks.StoreClocks {
  readonly dialect: Dialect
  readonly interruptions: number
  readonly stop: StoreStop | null
  readonly changes: Array<Change>
  readonly sourceChanges: Array<SourceChange>
  readonly logEntries: Array<StateLog.StateEntry>
}

export type SqlEffect<A> = Effect.Effect<A, SqlError | StoreError>

/**
 * Return type of a generator that runs inside a transaction.
 *
 * Code that runs for every document is built once from such a generator with `Effect.fnUntraced`. A
 * generator created at each call costs seven times as much.
 */
export type SqlReturn<A> = Effect.fn.Return<A, SqlError | StoreError>

export type Ahead<B> = (reading: Pick<Transaction, "sql" | "dialect">) => Effect.Effect<SqlEffect<B>, SqlError>

export interface ReadContext extends Clocks.StoreClocks {
  readonly sql: SqlClient
}

type Makes<On> = <Args extends Array<unknown>, A>(
  operation: string,
  work: (on: On, ...args: Args) => SqlEffect<A>
) => (...args: Args) => StoreEffect<A>

const makes =
  <On>(run: <A>(operation: string, work: (on: On) => SqlEffect<A>) => StoreEffect<A>): Makes<On> =>
  <Args extends Array<unknown>, A>(operation: string, work: (on: On, ...args: Args) => SqlEffect<A>) =>
  (...args: Args) =>
    run(operation, (on) => work(on, ...args))

export interface Database {
  /**
   * One transaction, retried on the database's request. A failed one leaves nothing behind.
   *
   * Fails with `newer-version` if a newer version of this library has upgraded the database
   * meanwhile, and with `moved` if the store was moved.
   */
  readonly write: Makes<Transaction>
  /** As `write`, for what plans documents: fails in a stopped store. */
  readonly planning: Makes<Transaction>
  /**
   * As `write`, for events that have already happened: an answer, an outcome, a returned lease.
   * Accepted with any version of the database.
   */
  readonly record: Makes<Transaction>
  /**
   * Runs the work as `write`, but sends the first queries together with the preamble of the
   * transaction. `touches`: the lanes and accounts that the transaction reads and writes.
   */
  readonly writeReading: <A, B>(
    operation: string,
    touches: ReadonlyArray<string>,
    ahead: Ahead<B>,
    work: (transaction: Transaction, read: B) => SqlEffect<A>
  ) => StoreEffect<A>
  readonly read: Makes<SqlClient>
  readonly readAt: Makes<ReadContext>
  readonly time: Time
  readonly heard: Clocks.GatewayTimes
  readonly interruptions: Effect.Effect<number>
  /** Writes of this process that fail. Null if none has failed, or `tryWrite` succeeded since. */
  readonly writeFailure: Effect.Effect<WriteFailure | null>
  readonly tryWrite: Effect.Effect<WriteFailure | null>
  /** Lanes worked in this process. A single lane has no other lane to share a commit with. */
  readonly leases: Set<string>
  readonly changes: PubSub.PubSub<Change>
  readonly sourceChanges: PubSub.PubSub<SourceChange>
}

/**
 * Writes only if the query finds something to write. Usually there is nothing, and a read does not
 * block writers.
 */
export const ifNeeded =
  <Args extends Array<unknown>, A>(
    isNeeded: (...args: Args) => StoreEffect<boolean>,
    write: (...args: Args) => StoreEffect<A>,
    otherwise: NoInfer<A>
  ) =>
  (...args: Args): StoreEffect<A> =>
    Effect.flatMap(isNeeded(...args), (needed) => (needed ? write(...args) : Effect.succeed(otherwise)))

/** Stored times are integers, even if the clock has fractions. */
const hostTime = Effect.map(DualClock.now, ({ tick, time }) => ({ tick, time: Math.floor(time) }))

/**
 * Clock shared by all users of the store: the machine's, or the database's for several machines.
 */
export type Time = "host" | "database"

const databaseTime = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ readonly now: Integer }>`select ${dialect(sql).clock} as now`, ([row]) => number(row!.now))

const preamble = (
  session: WriteBatch,
  { clock, started }: Dialect
): Effect.Effect<NonNullable<WriteBatch["preamble"]>, SqlError> => {
  const { preamble } = session
  if (preamble !== null) return Effect.succeed(preamble)
  return Effect.map(
    session.sql.ahead<Preamble>`select ${clock} as now, (select max(migration_id) from fiscal_migrations) as version,
    (select moved_to from fiscal_store) as moved_to, (select stop_cause from fiscal_store) as stop_cause,
    (select stop_because from fiscal_store) as stop_because, (select stop_since from fiscal_store) as stop_since,
    (select stop_lane from fiscal_store) as stop_lane ${started}`,
    (answer) => (session.preamble = Effect.map(answer, ([row]) => row!))
  )
}

const nothingAhead: Ahead<void> = () => Effect.succeed(Effect.void)

interface DatabaseRequest<A, B> {
  readonly which: "write" | "record"
  readonly touches: ReadonlyArray<string> | null
  readonly ahead: Ahead<B>
  readonly work: (transaction: Transaction, read: B) => SqlEffect<A>
}

interface WorkContext extends Pick<Transaction, "dialect" | "hostNow"> {
  readonly gateways: ReadonlyArray<number>
  readonly session: WriteBatch
  readonly time: Time
  readonly interruptions: (started: number) => number
}

interface Done<A> extends Pick<Transaction, "changes" | "sourceChanges" | "logEntries"> {
  readonly value: A
}

function* run<A, B>(
  { ahead, touches, which, work }: DatabaseRequest<A, B>,
  { dialect, gateways, hostNow, interruptions: count, session, time }: WorkContext,
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

/** Text that needs room on the disk: as long as a few hundred documents. */
const room = "room ".repeat(50_000)

/** A full disk takes a change in place, and no new documents. */
const takesRoom = ({ dialect, sql }: Transaction): SqlEffect<void> =>
  Effect.gen(function* () {
    const [kept] = yield* sql<{
      readonly stop_because: string | null
    }>`select stop_because from fiscal_store ${dialect.forUpdate}`
    yield* sql`update fiscal_store set stop_because = ${room}`
    yield* sql`update fiscal_store set stop_because = ${kept?.stop_because ?? null}`
  })

/** Remembers writes that fail, until a write that needs room succeeds. */
const failedWrites = () => {
  let failing: WriteFailure | null = null
  return {
    failure: Effect.sync(() => failing),
    note: (at: number, { text }: StoreError) => {
      failing = { since: failing?.since ?? utc(at), text }
    },
    tried: (write: StoreEffect<void>) =>
      Effect.flatMap(Effect.result(write), (done) =>
        Effect.map(
          Clock.currentTimeMillis,
          (now) => (failing = Result.isSuccess(done) ? null : (failing ?? { since: utc(now), text: done.failure.text }))
        )
      )
  }
}

const answered = new Set([
  "UniqueViolation",
  "ConstraintError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError"
])

const isInterruption = (error: SqlError | StoreError): boolean =>
  error._tag === "SqlError" && !answered.has(error.reason._tag)

export type ReplacedNotice = () => StoreError | null

export const make = (
  sql: SqlClient,
  time: Time,
  replaced: ReplacedNotice
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = dialect(sql)
    const heard: Clocks.GatewayTimes = new Map()
    const leases = new Set<string>()
    const published = {
      changes: yield* PubSub.unbounded<Change>(),
      sourceChanges: yield* PubSub.unbounded<SourceChange>()
    }
    const single = alone(sql)
    let interruptions = 0
    let startedAt: number | null = null
    const writes = failedWrites()
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
    const commit: Commit = (work) => (leases.size > 1 ? together : single)(work)
    const transact = <A, B>(operation: string, asked: DatabaseRequest<A, B>): Effect.Effect<A, StoreError> =>
      Effect.flatMap(hostTime, ({ tick, time: hostNow }) => {
        const gateways = Clocks.gatewaysAt(heard, tick)
        const isOther = replaced()
        if (isOther !== null) return Effect.fail(isOther)
        const look = (session: WriteBatch) => {
          const begun = { session, dialect: own, hostNow, gateways, time, interruptions: counted }
          return Effect.zipWith(
            preamble(session, own),
            asked.ahead({ sql: session.sql, dialect: own }),
            (preambled, reading) => readable(Effect.gen(() => run(asked, begun, preambled, reading)))
          )
        }
        return commit({ touches: asked.touches, look }).pipe(
          Effect.flatMap(({ changes, logEntries, sourceChanges, value }) => {
            const told = changes.length === 0 ? Effect.void : PubSub.publishAll(published.changes, changes)
            return sourceChanges.length + logEntries.length === 0
              ? Effect.as(told, value)
              : told.pipe(
                  Effect.andThen(PubSub.publishAll(published.sourceChanges, sourceChanges)),
                  Effect.andThen(StateLog.say(logEntries)),
                  Effect.as(value)
                )
          }),
          Effect.mapError((error) => {
            const found = failed(operation)(error)
            if (isInterruption(error)) writes.note(hostNow, found)
            return found
          })
        )
      })
    const clocks = Effect.gen(function* () {
      const database = time === "host" ? null : yield* databaseTime(sql)
      const host = yield* hostTime
      return Clocks.of(database ?? host.time, host.time, Clocks.gatewaysAt(heard, host.tick))
    })
    const reading = <A>(operation: string, query: (sql: SqlClient) => SqlEffect<A>): StoreEffect<A> =>
      Effect.suspend(() => {
        const isOther = replaced()
        return isOther === null ? Effect.mapError(readable(query(sql)), failed(operation)) : Effect.fail(isOther)
      })
    const writing =
      (which: "write" | "record") =>
      <A>(operation: string, work: (transaction: Transaction) => SqlEffect<A>) =>
        transact(operation, { which, touches: null, ahead: nothingAhead, work })
    const tryWrite = writes.tried(writing("write")("write", takesRoom))
    return {
      ...published,
      time,
      heard,
      leases,
      interruptions: Effect.sync(() => interruptions),
      writeFailure: writes.failure,
      tryWrite,
      write: makes(writing("write")),
      planning: makes((operation, work) =>
        writing("write")(operation, (transaction) =>
          transaction.stop === null
            ? work(transaction)
            : Effect.fail(new StoreError({ operation, reason: "stopped", text: sentence(transaction.stop) }))
        )
      ),
      record: makes(writing("record")),
      writeReading: (operation, touches, ahead, work) => transact(operation, { which: "write", touches, ahead, work }),
      read: makes(reading),
      readAt: makes((operation, query) =>
        reading(operation, () => Effect.flatMap(clocks, (clocks) => query({ ...clocks, sql })))
      )
    }
  })

export const utc = (millis: number): DateTime.Utc => readTime(millis, () => "a time")
