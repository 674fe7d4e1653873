/**
 * SQLite has one writer at a time, and a commit costs an fsync. Lanes with answers at the same time
 * therefore share a commit, a few at a time. Each lane is notified only after the commit.
 */
import { Array as Arr, Clock, Deferred, Effect, Exit, Queue, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreError } from "../../submission/ledger/StoreError.ts"
import { contended } from "./Contention.ts"
import type { Integer } from "../rows/Rows.ts"
import { flush, type Journal } from "./Journal.ts"
import { inTransaction, type Statements } from "./Statements.ts"
import type { StopColumns } from "./StoredStop.ts"

type CommitFailure = SqlError | StoreError

/**
 * Runs the work in a transaction, perhaps shared with other works. A failing work does not affect
 * the others.
 */
export type Commit = <A>(work: Work<A>) => Effect.Effect<A, CommitFailure>

type InSession<A> = (session: WriteBatch) => Effect.Effect<A, CommitFailure>

/** Work of a session: `look` sends the first queries, and returns an effect for the rest. */
export interface Work<A> {
  readonly look: InSession<Effect.Effect<A, CommitFailure>>
  /**
   * Lanes and accounts whose rows `look` reads and the rest writes. Null if unknown. Works without
   * a common row send their queries together, before any of them writes.
   */
  readonly touches: ReadonlyArray<string> | null
}

export interface WriteBatch extends Journal {
  readonly sql: Statements
  preamble: Effect.Effect<Preamble, SqlError> | null
}

export interface Preamble extends StopColumns {
  readonly now: Integer
  readonly version: Integer | null
  readonly moved_to: string | null
  readonly started?: Integer
}

interface Job {
  readonly touches: ReadonlyArray<string> | null
  readonly look: InSession<Effect.Effect<void, CommitFailure>>
  readonly tell: (batch: Exit.Exit<void, CommitFailure>) => Effect.Effect<void>
  /** True if no caller waits for the work any more. Checked before the work begins. */
  readonly isAbandoned: () => boolean
}

const job = <A>(
  { look, touches }: Work<A>,
  answer: Deferred.Deferred<A, CommitFailure>,
  isAbandoned: () => boolean
): Job => {
  let value: Exit.Exit<A, CommitFailure> = Exit.interrupt()
  return {
    isAbandoned,
    touches,
    look: (session) =>
      Effect.map(look(session), (rest) =>
        Effect.map(rest, (done) => {
          value = Exit.succeed(done)
        })
      ),
    tell: (batch) => Effect.asVoid(Deferred.done(answer, Exit.isFailure(batch) ? Exit.failCause(batch.cause) : value))
  }
}

type Transact = <A>(work: InSession<A>) => Effect.Effect<A, CommitFailure>

/** Tracing is off, because a span per statement would cost as much as the statement. */
const transacting = (sql: SqlClient): Transact => {
  const within = inTransaction(sql)
  return (work) => {
    const once = within((statements) => {
      const session: WriteBatch = {
        sql: statements,
        events: [],
        counts: new Map(),
        last: { attempt: 0, stop: undefined },
        preamble: null
      }
      return Effect.tap(work(session), () => flush(session))
    })
    return Effect.withTracerEnabled(contended(sql.withTransaction(once)), false)
  }
}

/** Commits for databases with many writers: one transaction per work. */
export const alone = (sql: SqlClient): Commit => {
  const transact = transacting(sql)
  return ({ look }) => transact((session) => Effect.flatten(look(session)))
}

/**
 * Jobs without a common row send their queries together, then write one after the other. All other
 * jobs follow one by one.
 */
const runAll = Effect.fnUntraced(function* (
  jobs: ReadonlyArray<Job>,
  session: WriteBatch
): Effect.fn.Return<void, CommitFailure> {
  const touched = new Set<string>()
  const rests: Array<Effect.Effect<void, CommitFailure>> = []
  const others: Array<Job> = []
  for (const job of jobs) {
    if (job.touches === null || job.touches.some((each) => touched.has(each))) others.push(job)
    else {
      for (const each of job.touches) touched.add(each)
      rests.push(yield* job.look(session))
    }
  }
  for (const rest of rests) yield* rest
  for (const { look } of others) yield* Effect.flatten(look(session))
})

/**
 * Lanes of one commit are notified, send and return together: sixteen lanes in step wait for each
 * other in every round, with no request in flight meanwhile. Small batches let lanes send while the
 * next batch is written. Large batches are better if jobs arrive faster than small ones are
 * written, and on a disk with slow commits.
 */
const [few, many] = [2, 64]

/** By the duration of the last small commit, in nanoseconds: small below 3 ms. */
const parting = () => {
  let last = 0n
  return {
    size: (): number => {
      if (last < 3_000_000n) return few
      // the disk may have been slow only briefly, so after a while a small batch is tried again
      last -= last / 16n
      return many
    },
    written: (count: number, took: bigint): void => {
      if (count <= few) last = took
    }
  }
}

/** Commits for a database with one writer. Ends with the scope. */
export const grouped = (sql: SqlClient): Effect.Effect<Commit, never, Scope.Scope> =>
  Effect.gen(function* () {
    const transact = transacting(sql)
    const queue = yield* Queue.unbounded<Job>()
    const commit = (jobs: ReadonlyArray<Job>) => Effect.exit(transact((session) => runAll(jobs, session)))
    const write = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>): Effect.fn.Return<void> {
      const exit = yield* commit(jobs)
      // a failing job rolls back the whole commit, so each job is written alone
      if (Exit.isFailure(exit) && jobs.length > 1)
        return yield* Effect.forEach(jobs, (job) => write([job]), { discard: true })
      yield* Effect.forEach(jobs, ({ tell }) => tell(exit), { discard: true })
    })
    const clock = yield* Clock.Clock
    const parts = parting()
    const writer = Effect.fnUntraced(function* (restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>) {
      let waiting: ReadonlyArray<Job> = [yield* restore(Queue.take(queue))]
      let size: number | undefined
      while (waiting.length > 0) {
        // lets jobs that became ready at the same moment join, and lets notified lanes send
        yield* Effect.yieldNow
        const others = yield* Queue.clear(queue)
        waiting = [...waiting, ...others].filter((job) => !job.isAbandoned())
        size = size === undefined ? parts.size() : others.length > 0 ? many : size
        const [part, rest] = Arr.splitAt(waiting, size)
        if (part.length > 0) {
          const begun = clock.monotonicTimeNanosUnsafe()
          yield* write(part)
          parts.written(part.length, clock.monotonicTimeNanosUnsafe() - begun)
        }
        waiting = rest
      }
    })
    yield* Effect.forkScoped(Effect.forever(Effect.uninterruptibleMask(writer)))
    return (work) => Effect.gen(() => handIn(queue, work))
  })

/** A queued work without a waiting caller is skipped. */
function* handIn<A>(queue: Queue.Enqueue<Job>, work: Work<A>): Effect.fn.Return<A, CommitFailure> {
  const answer = yield* Deferred.make<A, CommitFailure>()
  let abandoned = false
  yield* Queue.offer(
    queue,
    job(work, answer, () => abandoned)
  )
  return yield* Effect.onInterrupt(Deferred.await(answer), () =>
    Effect.sync(() => {
      abandoned = true
    })
  )
}
