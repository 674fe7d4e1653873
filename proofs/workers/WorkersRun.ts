/** Runs four worker processes on one store, strikes three of them, and checks the laws. */
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import { Clock, Console, Data, Duration, Effect, Stream } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream, readFileSync } from "node:fs"
import { join } from "node:path"
import { accountsOf, make, type WorkersWorld, type WorldOptions } from "./WorkersWorld.ts"

export interface RunOptions extends WorldOptions {
  readonly seed: number
  /** Component that assigns lanes. */
  readonly through: "work" | "pg-boss" | "cluster"
  /**
   * Fates, for one worker each; empty when measuring throughput. `freeze`: stopped for longer than
   * its lease, then continued.
   */
  readonly fates: ReadonlyArray<"kill" | "end" | "freeze">
  readonly leaseSeconds: number
  /** Folder for the logs of the workers. */
  readonly logs: string
}

export interface RunResult {
  readonly documents: number
  /**
   * Documents per second from the first request to the last answer. Meaningful only without fates
   * and on an idle machine.
   */
  readonly perSecond: number
  /**
   * CPU time of the worker processes per document, in milliseconds; null if unknown to the system,
   * or if a worker was killed.
   */
  readonly cpuMillis: number | null
  /** Time from the kill until the killed worker held no lane; null without a kill. */
  readonly takeoverMillis: number | null
  /**
   * Result of the terminated worker: milliseconds to the end, number of documents made Unknown, and
   * number of planned documents left to the other workers.
   */
  readonly ending: { readonly millis: number; readonly unknown: number; readonly left: number } | null
  /** Number of documents whose outcome an operator looked up. */
  readonly lookedUp: number
  readonly problems: ReadonlyArray<string>
}

const workers = 4

const program = (through: RunOptions["through"]) =>
  through === "work"
    ? join(import.meta.dirname, "WorkerProcess.ts")
    : join(import.meta.dirname, `../../examples/workers/${through}.ts`)

const start = (world: WorkersWorld, options: RunOptions, n: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const each = Math.ceil(options.lanes / workers)
      const child = spawn(
        process.execPath,
        [
          program(options.through),
          world.config,
          // A cluster assigns lanes itself.
          ...(options.through === "cluster" ? [] : [String(each)]),
          String(options.leaseSeconds)
        ],
        {
          cwd: world.folder,
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, ENGINE_DATABASE: world.database }
        }
      )
      const log = createWriteStream(join(options.logs, `${options.through}-${options.seed}-${n}.log`))
      child.stdout.pipe(log)
      child.stderr.pipe(log)
      return child
    }),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGCONT")
        child.kill("SIGKILL")
      })
  )

class TooLong extends Data.TaggedError("TooLong")<{ readonly what: string; readonly seconds: number }> {
  override get message() {
    return `it did not come to this within ${this.seconds} s: ${this.what}`
  }
}

class EndedAlone extends Data.TaggedError("EndedAlone")<{
  readonly exitCode: number | null
  readonly signalCode: string | null
}> {
  override get message() {
    return `a worker ended that was not struck, with ${this.exitCode ?? this.signalCode}`
  }
}

/** Returns the CPU time of a process, in milliseconds; NaN if the system does not provide it. */
const cpuOf = ({ pid }: ChildProcess): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // The fields are in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return NaN
  }
}

/** Limit of one wait, only for a run that hangs: on a busy machine a wait takes minutes. */
const seconds = 900

const until = <E>(what: string, isSo: Effect.Effect<boolean, E>) =>
  Effect.repeat(Effect.delay(isSo, "20 millis"), { until: (so) => so }).pipe(
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => Effect.fail(new TooLong({ what, seconds }))
    })
  )

const ended = (child: ChildProcess) =>
  Effect.map(
    until(
      "a worker has ended",
      Effect.sync(() => child.exitCode !== null || child.signalCode !== null)
    ),
    () => child.exitCode
  )

const timed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    const value = yield* effect
    return { value, millis: (yield* Clock.currentTimeMillis) - from }
  })

/**
 * Returns the lanes that a process holds and that have unfinished documents. Other workers leave a
 * lane without them to its holder, dead or alive.
 */
const held = ({ sql }: WorkersWorld, { pid }: ChildProcess) =>
  Effect.map(
    sql<{ readonly lane: string }>`select l.lane from fiscal_lane l where l.holder like ${`session/%/${pid}/%`}
      and exists (select 1 from fiscal_submission s where s.lane = l.lane and s.state in ('Planned', 'Sending', 'Unknown'))`,
    (rows) => rows.map(({ lane }) => lane)
  )

/** Returns the Unknown documents of the lanes. */
const unknown = ({ store }: WorkersWorld, lanes: ReadonlyArray<string>) =>
  Effect.map(store.list({ states: ["Unknown"], limit: 1000 }), (rows) =>
    rows.filter(({ lane }) => lanes.includes(lane)).map(({ account, id }) => `${account} ${id}`)
  )

/**
 * Simulates an operator who looks up the outcome of a document in the portal after five seconds as
 * Unknown.
 */
const person = (world: WorkersWorld, lookedUp: Set<string>) =>
  Effect.gen(function* () {
    const { store } = world
    const waiting = yield* store.list({ states: ["Unknown"], limit: 1000 })
    if (waiting.length === 0) return
    const accepted = new Map((yield* world.sandbox.control.accepted).map((one) => [`${one.account} ${one.id}`, one]))
    const now = yield* Clock.currentTimeMillis
    for (const { account, id, kind, since } of waiting) {
      if (now - since.epochMilliseconds < 5000) continue
      const requestId = accepted.get(`${account} ${id}`)?.requestIds.at(-1)
      lookedUp.add(`${account} ${id}`)
      yield* store.decide(
        { account, id, kind },
        requestId === undefined ? { _tag: "NotProcessed" } : { _tag: "Accepted", requestId: RequestId.make(requestId) },
        "looked up in the portal",
        // No request of these workers is under way for five seconds.
        "recent"
      )
    }
  })

/** Runs an effect while the gateway takes half a second more for each submission. */
const slowly = <A, E>({ sandbox: { control } }: WorkersWorld, effect: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    control.addFault({ kind: "latency", millis: 500, operations: ["submitInvoice"] }),
    () => effect,
    (fault) => control.removeFault(fault)
  )

/** Fails when a worker ends that was not struck. */
const noneEnds = (spared: ReadonlyArray<ChildProcess>) =>
  Effect.gen(function* () {
    while (true) {
      const gone = spared.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
      if (gone !== undefined) return yield* new EndedAlone({ exitCode: gone.exitCode, signalCode: gone.signalCode })
      yield* Effect.sleep("1 second")
    }
  })

/** Describes a run that hangs: its workers, its lanes, its documents, and its sessions. */
const situation = ({ sql }: WorkersWorld, children: ReadonlyArray<ChildProcess>) =>
  Effect.gen(function* () {
    const workers = children.map(({ exitCode, pid, signalCode }) => ({ pid, exitCode, signalCode }))
    const lanes =
      yield* sql`select lane, holder, leased_until::text, stop_cause, (select string_agg(state || ' ' || n, ', ')
      from (select state, count(*) as n from fiscal_submission s where s.lane = l.lane group by state) states) as documents
      from fiscal_lane l order by lane`
    const sessions =
      yield* sql`select pid, application_name, state, wait_event, state_change::text, left(query, 80) as query
      from pg_stat_activity where datname = current_database()`
    yield* Console.log(JSON.stringify({ workers, lanes, sessions }, null, 1))
  }).pipe(Effect.ignore)

interface Befallen {
  takeoverMillis: number | null
  ending: RunResult["ending"]
  readonly problems: Array<string>
}

/** Strikes one worker after the other and takes it from the spared ones. */
const befall = (world: WorkersWorld, spared: Array<ChildProcess>, options: RunOptions) =>
  Effect.gen(function* () {
    const befallen: Befallen = { takeoverMillis: null, ending: null, problems: [] }
    /** Finds a worker that holds lanes. */
    const victim = Effect.gen(function* () {
      while (true) {
        for (const [n, child] of spared.entries()) {
          const lanes = yield* held(world, child)
          if (lanes.length === 0) continue
          spared.splice(n, 1)
          return { child, lanes }
        }
        yield* Effect.sleep("20 millis")
      }
    }).pipe(
      Effect.timeoutOrElse({
        duration: `${seconds} seconds`,
        orElse: () => Effect.fail(new TooLong({ what: "somebody works in a lane", seconds }))
      })
    )
    const reached = (share: number) =>
      until(
        `${share} of the documents are sent`,
        Effect.sync(() => world.requests.length >= options.documents * share)
      )
    const goesOn = (child: ChildProcess) =>
      timed(
        until(
          "the lanes of one that is gone go on",
          Effect.map(held(world, child), ({ length }) => length === 0)
        )
      )
    const fates = {
      kill: Effect.gen(function* () {
        const { child } = yield* victim
        child.kill("SIGKILL")
        befallen.takeoverMillis = (yield* goesOn(child)).millis
      }),
      end: Effect.gen(function* () {
        const { child, lanes } = yield* victim
        const before = yield* unknown(world, lanes)
        child.kill("SIGTERM")
        const end = yield* timed(ended(child))
        const after = (yield* unknown(world, lanes)).filter((one) => !before.includes(one))
        const planned = yield* world.store.list({ states: ["Planned"], limit: options.documents })
        const left = planned.filter(({ lane }) => lanes.includes(lane)).length
        befallen.ending = { millis: end.millis, unknown: after.length, left }
        if (end.value !== 0) befallen.problems.push(`the one that was told to stop ended with ${end.value}`)
        for (const one of after) befallen.problems.push(`UNKNOWN: ${one}, though its sender was only told to stop`)
      }),
      freeze: Effect.gen(function* () {
        const { child } = yield* victim
        child.kill("SIGSTOP")
        yield* goesOn(child)
        yield* Effect.sleep("3 seconds")
        child.kill("SIGCONT")
      })
    }
    for (const [n, fate] of options.fates.entries()) {
      yield* reached(0.15 + 0.2 * n + (options.seed % 10) / 100)
      // Slows the gateway down. Otherwise the other workers would finish everything while the lanes
      // change hands, and no worker would be left for the next fate.
      yield* slowly(world, fates[fate])
    }
    return befallen
  })

const laws = (world: WorkersWorld, { documents, lanes }: RunOptions) =>
  Effect.gen(function* () {
    const { store } = world
    const all = yield* Stream.runCollect(store.stream({}))
    const accepted = yield* world.sandbox.control.accepted
    const receipts = yield* world.sandbox.control.receipts
    const problems: Array<string> = []
    const planned = Math.floor(documents / lanes) * lanes
    if (all.length !== planned) problems.push(`LOST: ${planned} were planned, ${all.length} are in the store`)
    for (const { id, state } of all) if (state !== "Fiscalised") problems.push(`LOST: ${id} is ${state}`)
    if (receipts.length !== planned) problems.push(`LOST: ${receipts.length} receipts of ${planned} documents`)
    for (const one of accepted)
      if (one.accepted > 1 || one.receipts > 1) problems.push(`DOUBLE: ${one.id} was accepted ${one.accepted} times`)
    for (const name of accountsOf(lanes)) {
      const own = receipts.filter(({ account }) => account === name).map(({ documentId }) => documentId)
      if (own.join() !== own.toSorted().join()) problems.push(`ORDER: the receipts of ${name} are out of order`)
      const requests = world.requests.filter(({ account }) => account === name).toSorted((a, b) => a.from - b.from)
      requests.forEach((request, n) => {
        const next = requests[n + 1]
        if (next !== undefined && next.from < request.to)
          problems.push(`TWO IN A LANE: ${request.document} and ${next.document}`)
      })
    }
    for (const { documentId, marks } of receipts)
      for (const { code, colour } of marks) problems.push(`COLOUR: ${documentId} is ${colour}, ${code}`)
    // A holder that lost the lane begins no further attempt.
    const fences = yield* world.sql<{
      readonly id: bigint
    }>`select a.id from fiscal_attempt a where exists (select 1 from fiscal_attempt b where b.lane = a.lane and b.id < a.id and b.fence > a.fence)`
    for (const { id } of fences) problems.push(`FENCE: attempt ${id} was begun by a holder that had lost the lane`)
    return problems
  })

/** Strikes the workers and waits until every document has its outcome. */
const worked = (world: WorkersWorld, children: ReadonlyArray<ChildProcess>, options: RunOptions) =>
  Effect.gen(function* () {
    const spared = [...children]
    const work = Effect.gen(function* () {
      yield* until(
        "the first request",
        Effect.sync(() => world.requests.length > 0)
      )
      const cpu = () => children.reduce((sum, child) => sum + cpuOf(child), 0)
      const before = cpu()
      const befallen = yield* befall(world, spared, options)
      const planned = Math.floor(options.documents / options.lanes) * options.lanes
      const settled = world.store.health(Duration.days(7)).pipe(
        Effect.map(({ counts }) => (counts.Fiscalised ?? 0) === planned),
        Effect.delay("200 millis")
      )
      yield* until("every document has its outcome", settled)
      const cpuMillis = (cpu() - before) / planned
      return { ...befallen, cpuMillis: Number.isNaN(cpuMillis) ? null : cpuMillis }
    })
    return yield* Effect.raceFirst(work, noneEnds(spared))
  }).pipe(Effect.tapError(() => situation(world, children)))

export const run = (options: RunOptions) =>
  Effect.gen(function* () {
    const world = yield* make(options)
    const children = yield* Effect.forEach(Array.from({ length: workers }), (_, n) => start(world, options, n))
    const lookedUp = new Set<string>()
    // A store that is locked for a while does not end the operator.
    const operator = Effect.andThen(Effect.ignore(person(world, lookedUp)), Effect.sleep("500 millis"))
    yield* Effect.forkScoped(Effect.forever(operator))
    const { cpuMillis, ending, problems, takeoverMillis } = yield* worked(world, children, options)
    // The fate `end` examines how a worker stops; here, nothing is left to do.
    for (const child of children) child.kill("SIGKILL")
    yield* Effect.forEach(children, ended, { discard: true })
    const from = Math.min(...world.requests.map(({ from }) => from))
    const to = Math.max(...world.requests.map(({ to }) => to))
    const result: RunResult = {
      documents: world.requests.length,
      perSecond: (world.requests.length / (to - from)) * 1000,
      cpuMillis,
      takeoverMillis,
      ending,
      lookedUp: lookedUp.size,
      problems: [...problems, ...(yield* laws(world, options))]
    }
    return result
  }).pipe(Effect.scoped)
