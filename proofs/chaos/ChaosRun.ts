/**
 * Chaos run: three processes on one store under every kind of failure; then a calm phase without
 * failures, and the laws.
 */
import { Clock, Console, Effect, Option } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Random from "../Random.ts"
import { type Account, accounts, type ChaosWorld, count, type Engine, make } from "./ChaosWorld.ts"
import * as Laws from "./Laws.ts"
import * as Operator from "./Operator.ts"
import * as Processes from "./Processes.ts"
import * as Restores from "./Restores.ts"
import * as Shop from "./Shop.ts"
import * as StoreView from "./StoreView.ts"
import * as Trouble from "./Trouble.ts"

const slots = 3

interface Run {
  readonly world: ChaosWorld
  readonly shops: Record<Account, Shop.Shop>
  /** State of the run; `draining`: no new process is started. */
  state: "raging" | "draining"
  longStops: number
  /**
   * Time after which no process is stopped for longer than its lease: the calm phase would wait for
   * the process.
   */
  readonly longStopsUntil: number
  imports: number
}

const importing = (
  run: Run,
  account: Account,
  extent: number | "all",
  flags: ReadonlyArray<string>,
  fate?: Processes.Fate
) =>
  Effect.gen(function* () {
    const { shops, world } = run
    const folder = join(world.folder, "exports", String(++run.imports))
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${account}.csv`)
    writeFileSync(file, shops[account].export(extent))
    count(world, `import ${account}`)
    const args = ["import", "csv", file, "--book", world.book(account), "--config", world.config, "--account", account]
    return yield* Processes.run(world, [...args, ...flags], fate)
  })

const resuming = ({ world }: Run, flags: ReadonlyArray<string> = [], fate?: Processes.Fate) => {
  count(world, "resume")
  return Processes.run(world, ["resume", "--config", world.config, ...flags], fate)
}

const fateFrom = (run: Run, random: Random.Random): Processes.Fate => {
  const drawn = random.between(1, 100)
  const after = random.between(1500, 20_000)
  if (drawn <= 40) return { _tag: "Killed", after }
  if (drawn <= 65) return { _tag: "Terminated", after }
  if (drawn <= 75) return { _tag: "Stopped", after, forMillis: random.between(500, 15_000) }
  // The command's lease is two minutes; a few stops outlast the lease.
  if (drawn <= 78 && run.longStops === 0 && Date.now() < run.longStopsUntil)
    return { _tag: "Stopped", after, forMillis: random.between(128_000, 150_000) }
  // A command that waits for outcomes has two minutes of patience, and occupies its slot meanwhile.
  return drawn <= 88 ? { _tag: "Left" } : { _tag: "Terminated", after: random.between(25_000, 45_000) }
}

/** One of the three slots for a process, never empty for long. */
const slot = (run: Run, random: Random.Random) =>
  Effect.gen(function* () {
    while (run.state === "raging") {
      const fate = fateFrom(run, random)
      const isLong = fate._tag === "Stopped" && fate.forMillis > 120_000
      if (isLong) run.longStops++
      const extent = random.chance(0.3) ? "all" : random.between(5, 60)
      const flags = random.chance(0.7) ? ["--send-rest"] : []
      const drawn = random.between(1, 12)
      if (drawn > 10) {
        // A command without an end of its run: terminated later.
        const after = random.between(25_000, 45_000)
        const told: Processes.Fate =
          fate._tag === "Left"
            ? { _tag: "Terminated", after }
            : fate._tag === "Stopped"
              ? { ...fate, afterwards: "terminated" }
              : fate
        count(run.world, "work")
        yield* Processes.run(run.world, ["work", "--config", run.world.config], told)
      } else if (drawn <= 6)
        yield* importing(
          run,
          random.pick(accounts),
          extent,
          [...flags, ...(random.chance(0.2) ? ["--json"] : [])],
          fate
        )
      else yield* resuming(run, drawn <= 9 ? [] : ["--account", random.pick(accounts)], fate)
      if (isLong) run.longStops--
    }
  })

const trading = ({ shops, world }: Run, random: Random.Random) =>
  Effect.gen(function* () {
    while (true) {
      count(world, shops[random.pick(accounts)].trade() === "issued" ? "documents issued" : "documents corrected")
      yield* Effect.sleep(random.between(1500, 4500))
    }
  })

const working = (run: Run, operator: Operator.Operator, random: Random.Random) =>
  Effect.gen(function* () {
    while (run.state === "raging") {
      yield* Effect.sleep(random.between(3000, 9000))
      // Long enough for every request on its way to arrive.
      yield* operator.settle(random.between(1, 6), 10_000)
    }
  })

const line = (run: Run, startedAt: number) =>
  Effect.gen(function* () {
    const { control } = run.world.sandbox
    const seconds = Math.round(((yield* Clock.currentTimeMillis) - startedAt) / 1000)
    const states = Array.from(yield* Laws.counted(run.world), ([state, n]) => `${n} ${state}`).join(", ")
    const receipts = (yield* control.receipts).length
    const stops = Option.getOrElse(yield* StoreView.lanes(run.world), () => []).flatMap(({ lane, stopCause }) =>
      stopCause === null ? [] : [` ${lane} stopped (${stopCause})`]
    )
    const doubled = (yield* control.accepted).filter(({ receipts }) => receipts > 1).length
    const processes = run.world.counts.get("processes") ?? 0
    yield* Console.log(
      `${String(seconds).padStart(5)} s  ${processes} processes, ${receipts} receipts, ${doubled} double; ${states}${stops.join(",")}`
    )
  })

/** Waits until the back-off of every stopped lane is over. */
const backOff = ({ world }: Run) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const retries = Option.getOrElse(yield* StoreView.lanes(world), () => []).flatMap(({ retryAt, stopCause }) =>
      stopCause !== null && retryAt !== null ? [retryAt] : []
    )
    const wait = Math.max(0, ...retries) - now
    if (wait <= 0) return
    yield* Console.log(`        waiting ${Math.ceil(wait / 1000)} s for the back-off of a stopped lane`)
    yield* Effect.sleep(wait + 100)
  })

const refusedIn = (account: Account, out: string, refusals: Map<string, ReadonlyArray<string>>) => {
  for (const text of out.split("\n")) {
    if (!text.startsWith('{"kind":"document"')) continue
    const row = JSON.parse(text).data as {
      kind: "invoice" | "credit-note"
      id: string
      state: string
      findings: ReadonlyArray<{ code: string; severity: string }>
    }
    const key = Operator.keyOf({ account, kind: row.kind, id: row.id })
    const codes = row.findings.filter(({ severity }) => severity === "error").map(({ code }) => code)
    if (row.state === "Refused") refusals.set(key, codes)
    else refusals.delete(key)
  }
}

/**
 * Rounds of the calm phase. A released document may be held again for another cause: an older copy,
 * a closed day, a later receipt. The last round shows the final state of all documents.
 */
const lastRound = 6

/**
 * Imports again, resumes, and has the operator settle the open documents, until none is open or the
 * last round is over.
 */
const drain = (run: Run, operator: Operator.Operator) =>
  Effect.gen(function* () {
    const refusals = new Map<string, ReadonlyArray<string>>()
    for (let round = 1; round <= lastRound; round++) {
      yield* backOff(run)
      for (const account of accounts) {
        const { out } = yield* importing(run, account, "all", ["--send-rest", "--json"])
        refusedIn(account, out, refusals)
      }
      yield* resuming(run)
      const settled = round < lastRound ? yield* operator.settle(Number.POSITIVE_INFINITY, 0) : 0
      yield* backOff(run)
      if (settled > 0) yield* resuming(run)
      yield* Console.log(
        `round ${round}: the operator settled ${settled}; ${JSON.stringify(Object.fromEntries(yield* Laws.counted(run.world)))}`
      )
      if (settled === 0) break
    }
    return refusals
  })

const summary = ({ world }: Run) =>
  Array.from(world.counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, n]) => `${String(n).padStart(7)}  ${what}`)
    .join("\n")

/**
 * Runs the chaos for the given minutes, then the calm phase; returns the violations of the laws.
 */
export const chaos = ({
  engine,
  minutes,
  seed
}: {
  readonly engine: Engine
  readonly minutes: number
  readonly seed: number
}) =>
  Effect.gen(function* () {
    const random = (actor: number) => Random.make(seed * 100 + actor)
    const world = yield* make(engine, random(12))
    const run: Run = {
      world,
      shops: {
        main: Shop.make("main", random(1)),
        till: Shop.make("till", random(2)),
        solo: Shop.make("solo", random(3))
      },
      state: "raging",
      longStops: 0,
      longStopsUntil: Date.now() + minutes * 60_000 - 180_000,
      imports: 0
    }
    const operator = Operator.make(world, random(4))
    yield* Console.log(
      `seed ${seed}, ${minutes} minutes; store ${engine === "sqlite" ? world.disk : "postgres"}; everything is kept in ${world.folder}`
    )
    const startedAt = yield* Clock.currentTimeMillis
    for (let i = 0; i < 30; i++) run.shops[accounts[i % 3]!].trade()
    const seen = Effect.forever(Effect.andThen(Effect.sleep("10 seconds"), line(run, startedAt)))
    yield* Effect.forkScoped(seen)
    const processes = Effect.forEach([5, 6, 7], (actor) => slot(run, random(actor)), { concurrency: slots })
    const raging = Effect.all(
      [
        trading(run, random(8)),
        Trouble.faults(world, random(9)),
        Trouble.events(world, random(10)),
        Restores.restores(world, random(13)),
        Effect.never
      ],
      { concurrency: "unbounded" }
    )
    const peace = Effect.gen(function* () {
      run.state = "draining"
      world.holding = "never"
      yield* Trouble.calm(world)
      yield* world.sandbox.control.change({ processingDelayMillis: 50 })
      yield* Effect.orDie(world.sandbox.control.changeDevice({ deviceId: 1001, isSwitchedOn: true }))
      rmSync(join(world.diskFolder, "filler"), { force: true })
      yield* Console.log("        peace: what still runs comes to its end")
    })
    const operating = working(run, operator, random(11))
    const time = Effect.andThen(Effect.ignore(Effect.timeoutOption(raging, `${minutes} minutes`)), peace)
    yield* Effect.all([processes, operating, time], { concurrency: "unbounded" })
    while (world.held().length > 0) yield* Effect.sleep("1 second")
    const refusals = yield* drain(run, operator)
    count(world, "requests that arrived after their client had gone", world.late())
    const problems = yield* Laws.broken(world, Object.values(run.shops), refusals, operator)
    const receipts = (yield* world.sandbox.control.receipts).length
    const issued = Object.values(run.shops).reduce((sum, { documents }) => sum + documents.length, 0)
    yield* Console.log(
      `\n${summary(run)}\n${String(issued).padStart(7)}  documents in the exports\n${String(receipts).padStart(7)}  receipts`
    )
    for (const code of new Set([...refusals.values()].flat())) yield* Console.log(`refused in the end: ${code}`)
    return { problems, folder: world.folder }
  }).pipe(Effect.scoped)
