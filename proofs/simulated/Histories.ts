/**
 * Simulates histories of documents about which the gateway says anything: each document has its own
 * words, for up to three hours, and its own end. Jobs run at growing distances for days, or rest
 * over a weekend. Each export after the first states every document corrected, so that a correction
 * is sent at the first moment at which the connector permits one.
 */
import { merged } from "@fiscal-connector/core/account/StoreWitness"
import type { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"
import { Cause, Duration, Effect, Exit, Scope, Stream } from "effect"
import type { Holder } from "@fiscal-connector/core/submission/Holder"
import { keyOf, secretOf } from "./Accounts.ts"
import { bookOf, hour, sourceOf, type Stated } from "./Books.ts"
import { IdleDatabases, opening } from "./Database.ts"
import { Deliveries } from "./Deliveries.ts"
import { type Draw, stream } from "./Draw.ts"
import { GatewaySide, mappings } from "./GatewaySide.ts"
import type { Program } from "./day/Machines.ts"
import { Network } from "./Network.ts"
import { visiting } from "./Operator.ts"
import { type Account, engine, importing } from "./Programs.ts"
import { of as scenarioOf } from "./Scenario.ts"
import { Simulation } from "./Simulation.ts"
import { StoreFile } from "./StoreFile.ts"
import * as Words from "./Words.ts"

/** A Friday noon. */
const start = Date.parse("2026-03-13T10:00:00Z")
const minute = 60_000
const lanes = 10
const documentsOfLane = 4
/** Histories of one run. */
export const ofRun = lanes * documentsOfLane
const firstDevice = 2001
const longestWork = 3 * hour
/** Time of the corrections, in milliseconds: between the first job and the second. */
const correctedAfter = 100_000

/** Times of the jobs after the first one, in minutes. */
const busy = [2, 5, 8, 15, 30, 60, 100, 150, 200, 300, 600, 1200, 1230, 1300, 1600, 2000, 2880, 4400]
/** The same if no job runs on the weekend. */
const weekend = [3780, 3785, 3800, 3900, 4200, 5100, 5200, 6600]

const nameOf = (lane: number) => `lane-${lane}`

/** True end of a document: the gateway makes a receipt of the request, or not. */
type End = "receipt" | "failure"

interface History {
  readonly stated: Stated
  readonly end: End
  readonly faults: ReadonlyArray<FaultSpec>
}

const historyOf = (draw: Draw, lane: number, order: number): History => {
  const id = `H-${lane}-${order}`
  const rule = `RCPT0${10 + (order * lanes + lane)}`
  const stated: Stated = {
    account: nameOf(lane),
    kind: "invoice",
    id,
    number: draw.pick([id, rule, `${rule}-${order}`]),
    description: draw.pick(["Thing", `Part ${rule}`]),
    order,
    date: "2026-03-13",
    original: null,
    originalNumber: null,
    amount: "100.00",
    // Documents of the second day carry no faults: a later receipt shows that the lane works.
    appears: start + (order === documentsOfLane ? 25 * hour : 0),
    corrected: start + correctedAfter,
    correctedAmount: "90.00"
  }
  if (order === documentsOfLane) return { stated, end: "receipt", faults: [] }
  const about = { documents: [id], times: 1 } as const
  const end: End = draw.chance(0.25) ? "failure" : "receipt"
  const working: FaultSpec = {
    kind: "working",
    ...Words.whileWorking(draw),
    millis: Math.min(Words.timeOf(draw), longestWork),
    ...about
  }
  const reported = draw.pick<() => ReadonlyArray<FaultSpec>>([
    () => [],
    () => [],
    () => [{ kind: "contradiction", ...Words.whileWorking(draw), qrData: draw.pick(["object", "text"]), ...about }],
    () => [{ kind: "proof-missing", millis: draw.between(minute, 2 * hour), ...about }]
  ])()
  const { error, ...failure } = Words.ofFailure(draw)
  // Other words than for an unknown id: the same words never become a result.
  const failing: FaultSpec = { kind: "reject", error: `${error} (final)`, ...failure, ...about }
  return { stated, end, faults: [working, ...(end === "failure" ? [failing] : reported)] }
}

/** Returns the words for the document in work, which the gateway also has for an unknown id. */
const wordsOf = ({ faults }: History): Words.Words => {
  const [working] = faults
  return working?.kind === "working"
    ? { error: working.error, actionable: working.actionable }
    : { error: "Request not found", actionable: null }
}

export interface HistoriesResult {
  readonly histories: number
  /** Documents with more than one receipt, with their words. */
  readonly doubled: ReadonlyArray<string>
  /** Documents without a receipt at the end. */
  readonly stranded: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

class Histories {
  readonly #seed: number
  readonly #simulation: Simulation
  readonly #store = new StoreFile()
  readonly #idle: IdleDatabases
  readonly #gateway: GatewaySide
  readonly #network: Network
  readonly #histories: ReadonlyArray<History>
  readonly #problems: Array<string> = []
  readonly #witnessed = new Map<string, Parameters<Account["witness"]["write"]>[0]>()
  readonly #draw: Draw

  constructor(seed: number, scope: Scope.Scope) {
    this.#seed = seed
    const draw = stream(seed, "histories")
    this.#draw = draw
    this.#simulation = new Simulation(seed, start, () => {})
    this.#idle = new IdleDatabases(() => this.#simulation.now)
    const problem = (text: string) => void this.#problems.push(text)
    const numbers = Array.from({ length: lanes }, (_, lane) => lane)
    this.#histories = numbers.flatMap((lane) =>
      Array.from({ length: documentsOfLane }, (_, i) => historyOf(draw, lane, i + 1))
    )
    const deliveries = new Deliveries({
      simulation: this.#simulation,
      secrets: (account) => [secretOf(account, "s1")],
      joins: false,
      believed: problem
    })
    const config = {
      unknownIds: draw.pick(["omit", "error-item"]),
      unknownItem: wordsOf(draw.pick(this.#histories as [History, ...Array<History>])),
      accounts: numbers.map((lane) => ({
        key: keyOf(nameOf(lane)),
        name: nameOf(lane),
        secret: secretOf(nameOf(lane), "s1"),
        device: firstDevice + lane,
        ...mappings
      })),
      devices: numbers.map((lane) => ({
        deviceId: firstDevice + lane,
        serialNo: `SBX-${firstDevice + lane}`,
        taxPayerDayMaxHrs: 999
      })),
      faults: this.#histories.flatMap(({ faults }) => faults)
    }
    this.#gateway = GatewaySide.start(this.#simulation, config, scope, deliveries.post, problem)
    const nothing = () => {}
    const watch = {
      sending: nothing,
      late: nothing,
      limited: nothing,
      lost: nothing,
      held: nothing,
      keptBack: nothing,
      deviceFailed: nothing,
      looked: nothing
    }
    this.#network = new Network(this.#simulation, scenarioOf(seed, { only: [] }), this.#gateway, watch)
  }

  #account(lane: number): Account {
    return {
      account: nameOf(lane),
      secret: secretOf(nameOf(lane), "s1"),
      zone: bookOf({ late: "restamp", taxCode: "VAT155" }).zone,
      witness: {
        read: Effect.sync(() => [...this.#witnessed.values()]),
        write: (store) =>
          Effect.sync(() => {
            this.#witnessed.set(store.id, merged(this.#witnessed.get(store.id), store))
            return "written"
          })
      },
      policy: {},
      firstUse: undefined,
      opening: () => () => {}
    }
  }

  #start(name: string, program: ReturnType<Program>): void {
    const process = this.#simulation.process(name, { host: "shop", isSpared: true })
    const holder: Holder = { name: `shop/${process.pid}/0`, presumedDead: () => Effect.succeed(false) }
    const watch = { committed: () => {}, contended: () => {}, isFull: () => false }
    const open = opening(this.#simulation, process, watch, this.#idle)
    const config = { filename: this.#store.filename, busyTimeoutMillis: 0, synchronous: "off", open } as const
    const running = program.pipe(Effect.provide(engine(this.#network.client(process), config, holder)), Effect.scoped)
    this.#simulation.spawn(process, running, (exit) => {
      process.life = "ended"
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        this.#problems.push(`${name}: ${Cause.pretty(exit.cause).split("\n")[0]}`)
    })
  }

  #import(lane: number): void {
    const { now } = this.#simulation
    const documents = this.#histories
      .filter(({ stated }) => stated.account === nameOf(lane) && stated.appears <= now)
      .map(({ stated }) => sourceOf(stated, now))
    const order = {
      account: this.#account(lane),
      others: [],
      book: bookOf({ late: "restamp", taxCode: "VAT155" }),
      readings: Stream.fromIterable(documents),
      timing: "ordinary" as const,
      patience: 10,
      refused: () => {}
    }
    this.#start(`import ${nameOf(lane)}`, importing(order))
  }

  /** The operator finds in the portal which requests have failed, and says so. */
  #visit(): void {
    const program = visiting({
      gateway: this.#gateway,
      underWay: () => 0,
      leaves: Duration.minutes(1),
      attends: "everything",
      historical: "permitted",
      typos: null,
      mixups: null,
      hurries: null,
      oversights: null,
      unproven: "decided",
      corrects: () => "corrected",
      overlooked: () => {},
      answers: "when nothing can arrive",
      decided: () => {}
    })
    this.#start("operator", program)
  }

  run(): HistoriesResult {
    const simulation = this.#simulation
    const later = (millis: number, then: () => void) => simulation.later(millis, null, then)
    const isAttended = this.#draw.chance(0.5)
    const jobs = this.#draw.chance(0.25) ? weekend : busy
    for (const job of [0, ...jobs]) {
      const at = job * minute + this.#draw.between(0, minute)
      for (let lane = 0; lane < lanes; lane++) later(at + lane * 2000, () => this.#import(lane))
      if (isAttended) later(at + 50_000, () => this.#visit())
    }
    while (!simulation.isTurningOnTheSpot && simulation.step());
    const receipts = Map.groupBy(this.#gateway.receipts, ({ documentId }) => documentId)
    const told = (how: (receipts: number) => boolean) =>
      this.#histories.flatMap(({ end, faults, stated }) => {
        const own = receipts.get(stated.id)?.length ?? 0
        return how(own) ? [`seed ${this.#seed}, ${stated.id}: ${own} receipts, ${end}, ${JSON.stringify(faults)}`] : []
      })
    this.#idle.close()
    this.#store.close()
    return {
      histories: this.#histories.length,
      doubled: told((own) => own > 1),
      stranded: told((own) => own === 0),
      problems: this.#problems
    }
  }
}

/** Runs the histories of one seed. */
export const run = (seed: number): HistoriesResult =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.sync(() => new Histories(seed, scope).run()),
      (scope) => Scope.close(scope, Exit.void)
    )
  )
