/**
 * One commit for what wants to be written at the same moment. SQLite has one writer at a time and a commit costs an fsync, so lanes that hear from
 * the gateway together share one, a few at a time; each is told only after the commit.
 */
import { Array as Arr, Clock, Deferred, Effect, Exit, Queue, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreError } from "../../ledger/StoreError.ts"
import { contended } from "./Contention.ts"
import type { Integer } from "../rows/Rows.ts"
import { flush, type Journal } from "./Journal.ts"
import { inTransaction, type Statements } from "./Statements.ts"

type Failure = SqlError | StoreError

/** Runs the work in a transaction, perhaps with others; a failing one takes nothing of the others with it. */
export type Commit = <A>(work: Work<A>) => Effect.Effect<A, Failure>

type InSession<A> = (session: Session) => Effect.Effect<A, Failure>

/** What is done in a session: `look` sends what is read first, and answers with how to do the rest. */
export interface Work<A> {
  readonly look: InSession<Effect.Effect<A, Failure>>
  /**
   * The lanes and accounts whose rows `look` reads and the rest writes; null where that is not known. Those of which none has a row in common look
   * together, before any of them writes.
   */
  readonly touches: ReadonlyArray<string> | null
}

/** What the works of one commit share. */
export interface Session extends Journal {
  readonly sql: Statements
  /** What every work of the commit is told first, once it was asked for. */
  preamble: Effect.Effect<Preamble, SqlError> | null
}

/** What every transaction begins with. */
export interface Preamble {
  /** The database's time. */
  readonly now: Integer
  readonly version: Integer | null
  readonly moved_to: string | null
  /** When the server was started; undefined where there is no server. */
  readonly started?: Integer
}

interface Job {
  readonly touches: ReadonlyArray<string> | null
  /** Sends what the work reads first, and answers with how to run it; its value is remembered, for `tell`. */
  readonly look: InSession<Effect.Effect<void, Failure>>
  readonly tell: (batch: Exit.Exit<void, Failure>) => Effect.Effect<void>
  /** Nobody waits for it any more, and it has not begun. */
  readonly isAbandoned: () => boolean
}

const job = <A>({ look, touches }: Work<A>, answer: Deferred.Deferred<A, Failure>, isAbandoned: () => boolean): Job => {
  let value: Exit.Exit<A, Failure> = Exit.interrupt()
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

type Transact = <A>(work: InSession<A>) => Effect.Effect<A, Failure>

/** Runs the work and writes the minutes, in one transaction; a span for every statement would cost as much as the statement. */
const transacting = (sql: SqlClient): Transact => {
  const within = inTransaction(sql)
  return (work) => {
    const once = within((statements) => {
      const session: Session = { sql: statements, events: [], counts: new Map(), last: { attempt: 0 }, preamble: null }
      return Effect.tap(work(session), () => flush(session))
    })
    return Effect.withTracerEnabled(contended(sql.withTransaction(once)), false)
  }
}

/** The commits of databases with many writers: one transaction each. */
export const alone = (sql: SqlClient): Commit => {
  const transact = transacting(sql)
  return ({ look }) => transact((session) => Effect.flatten(look(session)))
}

/** Those that have no row in common look together; what each of them writes comes before the next one's. The others follow one by one. */
const runAll = Effect.fnUntraced(function* (
  jobs: ReadonlyArray<Job>,
  session: Session
): Effect.fn.Return<void, Failure> {
  const touched = new Set<string>()
  const rests: Array<Effect.Effect<void, Failure>> = []
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
 * How many are written in one commit. Those of one commit hear of it together, send together and come back together: sixteen in step wait for each
 * other in every round, and nothing of theirs is under way meanwhile. So few go at once, and send while the next few are written. Many go together
 * where others come faster than a few are written, and where a disk takes so long for a commit that each counts.
 */
const [few, many] = [2, 64]

/** How many go at once of those who came to an idle writer, by what commits of a few have taken, in nanoseconds. */
const parting = () => {
  let last = 0n
  return {
    size: (): number => {
      if (last < 3_000_000n) return few
      // the disk may have had a slow moment: after a while it is tried again
      last -= last / 16n
      return many
    },
    written: (count: number, took: bigint): void => {
      if (count <= few) last = took
    }
  }
}

/** The commits of a database with one writer; ends with the scope. */
export const grouped = (sql: SqlClient): Effect.Effect<Commit, never, Scope.Scope> =>
  Effect.gen(function* () {
    const transact = transacting(sql)
    const queue = yield* Queue.unbounded<Job>()
    const commit = (jobs: ReadonlyArray<Job>) => Effect.exit(transact((session) => runAll(jobs, session)))
    const write = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>): Effect.fn.Return<void> {
      const exit = yield* commit(jobs)
      // one that fails has taken the others with it, so each has to be written by itself
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
        // whoever became ready in the same moment gets in line, too; those who have been told go and send
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

/** Gets the work in line, and waits until it is written; one that nobody waits for any more is left out. */
function* handIn<A>(queue: Queue.Enqueue<Job>, work: Work<A>): Effect.fn.Return<A, Failure> {
  const answer = yield* Deferred.make<A, Failure>()
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
