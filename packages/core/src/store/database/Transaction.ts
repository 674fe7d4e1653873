/** Committed work on the store: one transaction each, its time read once, its state changes told after the commit. */
import { Clock, type DateTime, Effect, PubSub, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type StoreError, storeError } from "../../ledger/StoreError.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { Change, SourceChange } from "../../submission/Submission.ts"
import { type Dialect, dialect } from "./Dialect.ts"
import { alone, type Commit, grouped, type Preamble, type Session } from "./GroupCommit.ts"
import { latest, moved, newer } from "./Migrations.ts"
import { frees } from "./Planned.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { readable, time as readTime } from "../../ledger/Stored.ts"

/** One transaction; times in milliseconds since the epoch. */
export interface Transaction extends Session {
  readonly dialect: Dialect
  /** For leases, quiet periods, polls and what is written down: the time that all who share the store go by. */
  readonly now: number
  /** For receipt dates: the clock of this machine, which the permission to send has held against the gateway's. */
  readonly hostNow: number
  readonly changes: Array<Change>
  readonly sourceChanges: Array<SourceChange>
  /** What is said of it in the log, after the commit. */
  readonly lines: Array<StateLog.StateLine>
}

/** What runs inside a transaction. */
export type SqlEffect<A> = Effect.Effect<A, SqlError | StoreError>

/**
 * What a generator returns that runs inside a transaction. What runs for every document is made of such a one by `Effect.fnUntraced`, once: a
 * generator that is written where it runs is made anew each time, which costs seven times as much.
 */
export type SqlReturn<A> = Effect.fn.Return<A, SqlError | StoreError>

/** Sends what a transaction reads first, and answers with how to wait for it. */
export type Ahead<B> = (reading: Pick<Transaction, "sql" | "dialect">) => Effect.Effect<SqlEffect<B>, SqlError>

export interface Database {
  readonly sql: SqlClient
  /**
   * Runs the work in one transaction, again where the database asks for it. Nothing of a failed one remains. Fails with `newer-version` where a
   * newer version of this library has upgraded the database meanwhile, and with `moved` where the store is another one now.
   */
  write<A>(
    operation: string,
    work: (transaction: Transaction) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  /**
   * The same, with what it reads first: that is sent together with what every transaction begins with. `touches`: the lanes and accounts that it
   * reads and writes.
   */
  writeReading<A, B>(
    operation: string,
    touches: ReadonlyArray<string>,
    ahead: Ahead<B>,
    work: (transaction: Transaction, read: B) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  /** The same for what has happened already, which is taken whatever version the database has: an answer, an outcome, a lease that is given back. */
  readonly record: Database["write"]
  read<A>(operation: string, work: Effect.Effect<A, SqlError | StoreError>): Effect.Effect<A, StoreError>
  /** For queries that need the time that all go by. */
  readonly now: Effect.Effect<number, SqlError>
  /** Number of failures to reach the database. */
  readonly interruptions: Effect.Effect<number>
  /** By how much the clock of this machine is ahead of it, for a time that is waited for here. */
  readonly hostAhead: Effect.Effect<number, SqlError>
}

/** Stored times are integers, whatever the clock counts in. */
const hostTime = Effect.map(Clock.currentTimeMillis, Math.floor)

/** Whose time all go by who share the store: the machine's, or the database's where they are several machines. */
export type Time = "host" | "database"

const databaseTime = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ readonly now: Integer }>`select ${dialect(sql).clock} as now`, ([row]) => number(row!.now))

/** Sends what every transaction begins with, once for all that share its commit. */
const preamble = (session: Session, { clock }: Dialect): Effect.Effect<NonNullable<Session["preamble"]>, SqlError> => {
  const { preamble } = session
  if (preamble !== null) return Effect.succeed(preamble)
  return Effect.map(
    session.sql.ahead<Preamble>`select ${clock} as now, (select max(migration_id) from fiscal_migrations) as version,
    (select moved_to from fiscal_store) as moved_to`,
    (answer) => (session.preamble = Effect.map(answer, ([row]) => row!))
  )
}

const nothingAhead: Ahead<void> = () => Effect.succeed(Effect.void)

/** Fails where a newer version of this library has upgraded the store, or it was moved, also while this process has it open. */
const stillOurs = ({ moved_to, version }: Preamble, which: "write" | "record"): Effect.Effect<void, StoreError> => {
  if (moved_to !== null) return Effect.fail(moved(moved_to))
  const found = number(version ?? 0)
  return which === "write" && found > latest ? Effect.fail(newer(found)) : Effect.void
}

/** What is asked of the database. */
interface Asked<A, B> {
  readonly which: "write" | "record"
  /** The lanes and accounts that it reads and writes; null where that is not known. */
  readonly touches: ReadonlyArray<string> | null
  readonly ahead: Ahead<B>
  readonly work: (transaction: Transaction, read: B) => SqlEffect<A>
}

/** Where it is done. */
interface Begun extends Pick<Transaction, "dialect" | "hostNow"> {
  readonly session: Session
  readonly time: Time
}

/** What came of it, and what is told after the commit. */
interface Done<A> extends Pick<Transaction, "changes" | "sourceChanges" | "lines"> {
  readonly value: A
}

/** Does it, once all that it reads has been sent. */
function* run<A, B>(
  { ahead, touches, which, work }: Asked<A, B>,
  { dialect, hostNow, session, time }: Begun,
  preambled: Effect.Effect<Preamble, SqlError>,
  reading: SqlEffect<B>
): SqlReturn<Done<A>> {
  const changes: Array<Change> = []
  const sourceChanges: Array<SourceChange> = []
  const lines: Array<StateLog.StateLine> = []
  const begun = yield* preambled
  yield* stillOurs(begun, which)
  const read = yield* reading
  const now = time === "host" ? hostNow : number(begun.now)
  // one before it in the commit has changed what was read
  const isOld = touches !== null && touches.some((each) => session.counts.has(each))
  const fresh = isOld ? yield* Effect.flatten(ahead({ sql: session.sql, dialect })) : read
  const value = yield* work({ ...session, dialect, now, hostNow, changes, sourceChanges, lines }, fresh)
  // whether it went is known at the commit
  if (dialect.tell !== null && frees(changes)) yield* Effect.asVoid(session.sql.ahead`select ${dialect.tell}`)
  return { value, changes, sourceChanges, lines }
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

/** What is told after each commit. */
export interface Hubs {
  readonly changes: PubSub.PubSub<Change>
  readonly sourceChanges: PubSub.PubSub<SourceChange>
}

/**
 * `crowd`: how many lanes are being worked here; one by itself has nobody to share a commit with. `isThere` fails where the database is no longer the
 * one in its place: asked before anything is read or written.
 */
export const make = (
  sql: SqlClient,
  hubs: Hubs,
  crowd: () => number,
  time: Time,
  isThere: Effect.Effect<void, StoreError>
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = dialect(sql)
    const single = alone(sql)
    let interruptions = 0
    const failed = (operation: string) => (error: SqlError | StoreError) => {
      if (isInterruption(error)) interruptions++
      return storeError(operation)(error)
    }
    const together = own.writers === "one" ? yield* grouped(sql) : single
    const commit: Commit = (work) => (crowd() > 1 ? together : single)(work)
    const transact = <A, B>(operation: string, asked: Asked<A, B>): Effect.Effect<A, StoreError> =>
      Effect.flatMap(Effect.andThen(isThere, hostTime), (hostNow) => {
        const look = (session: Session) => {
          const begun = { session, dialect: own, hostNow, time }
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
          Effect.tap(({ lines }) => StateLog.say(lines)),
          Effect.map(({ value }) => value),
          Effect.mapError(failed(operation))
        )
      })
    return {
      sql,
      interruptions: Effect.sync(() => interruptions),
      now: time === "host" ? hostTime : databaseTime(sql),
      hostAhead:
        time === "host" ? Effect.succeed(0) : Effect.zipWith(databaseTime(sql), hostTime, (now, host) => host - now),
      write: (operation, work) => transact(operation, { which: "write", touches: null, ahead: nothingAhead, work }),
      writeReading: (operation, touches, ahead, work) => transact(operation, { which: "write", touches, ahead, work }),
      record: (operation, work) => transact(operation, { which: "record", touches: null, ahead: nothingAhead, work }),
      read: (operation, work) => Effect.andThen(isThere, Effect.mapError(readable(work), failed(operation)))
    }
  })

/** A time of ours. */
export const utc = (millis: number): DateTime.Utc => readTime(millis, () => "a time")
