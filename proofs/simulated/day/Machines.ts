/**
 * Machines of a day: their clocks, the shop's disk, the random choices of their users, and their
 * processes.
 */
import { Cause, Effect, Exit, type Scope } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import type { StatusPoller } from "../../../packages/core/src/sending/StatusPoller.ts"
import type { Submitter } from "../../../packages/core/src/sending/Submitter.ts"
import type { Staging } from "../../../packages/core/src/import/Staging.ts"
import type { Holder } from "../../../packages/core/src/submission/Holder.ts"
import type { SubmissionStore } from "../../../packages/core/src/submission/SubmissionStore.ts"
import type { SqliteConfig } from "../../../packages/core/src/node/SqliteClient.ts"
import { IdleDatabases, opening, type Watch } from "../Database.ts"
import { type Draw, stream } from "../Draw.ts"
import type { Report } from "../laws/Law.ts"
import type { Network } from "../Network.ts"
import { engine } from "../Programs.ts"
import type { Scenario, Trouble } from "../Scenario.ts"
import type { Crash, Outage, SimulatedProcess } from "../SimulatedProcess.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreFile } from "../StoreFile.ts"

/** Program of a process on a machine; returns the text for the trace. */
export type Program = (machine: number) => Effect.Effect<string, unknown, Engine | Scope.Scope>

type Engine = SubmissionStore | Submitter | StatusPoller | Staging | HttpClient

/** Machine of the operator; no imports run there. */
export const operatorMachine = 3
/** Approximate number of operations between the commit of an attempt and the socket. */
const operationsToSocket = 90

export interface MachinesOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly network: Network
  readonly store: StoreFile
  readonly seen: Seen
  /** Share of the operations before which a process is paused, on a day with preemption. */
  readonly preemption: number
  readonly isCalm: () => boolean
  /** Called after every commit of a process, with the written tables. */
  readonly committed: Watch["committed"]
  readonly report: Report
}

export class Machines {
  disk: "full" | "free" = "free"
  readonly #options: MachinesOptions
  readonly #processes: Array<SimulatedProcess> = []
  /** Distance of the clock of the store's server from the true time, in milliseconds. */
  serverAhead = 0
  readonly #idle = new IdleDatabases(() => this.#options.simulation.now + this.serverAhead)
  readonly #environment: SimulatedProcess
  readonly #lives: ReadonlyMap<number, Draw>
  readonly #stalls: Draw
  readonly #stallsBeforeSending: Draw
  /** Distance of each machine's clock from the true time, in milliseconds; positive if ahead. */
  readonly #skews: Array<number>

  constructor(options: MachinesOptions) {
    this.#options = options
    const { preemption, simulation } = options
    const { seed } = simulation
    this.#lives = new Map([0, 1, 2, operatorMachine].map((machine) => [machine, stream(seed, `machine ${machine}`)]))
    this.#stalls = stream(seed, "stalls")
    this.#stallsBeforeSending = stream(seed, "stalls before sending")
    const skews = stream(seed, "skew")
    this.#skews = [0, 1, 2, 3].map(() => (this.#has("skew") ? skews.between(-4000, 4000) : 0))
    this.#environment = simulation.process("environment", { isSpared: true })
    const share = this.#has("preemption") ? preemption : this.#has("stalls") ? 0.0005 : 0
    simulation.preemption = { share, stalls: this.#has("stalls") ? 0.06 : 0 }
  }

  get #time(): "host" | "database" {
    return this.#has("server-clock") ? "database" : "host"
  }

  #has(trouble: Trouble): boolean {
    return this.#options.scenario.troubles.has(trouble)
  }

  /** Returns the random stream for the actions of a machine's users. */
  life(machine: number): Draw {
    return this.#lives.get(machine)!
  }

  /**
   * Schedules a function at a random time, in milliseconds from now, drawn from the machine's
   * stream.
   */
  later(from: number, to: number, then: () => void, machine = operatorMachine): void {
    this.#options.simulation.later(this.life(machine).between(from, to), this.#environment, then)
  }

  /** Schedules a function at a fixed time, in milliseconds from now. */
  at(millis: number, then: () => void): void {
    this.#options.simulation.later(millis, this.#environment, then)
  }

  /** Starts a process on a machine; calls `then` after its end or death. */
  start(
    role: string,
    machine: number,
    crash: Crash | null,
    program: Program,
    then: () => void = () => {}
  ): SimulatedProcess {
    const { network, seen, simulation } = this.#options
    const process = simulation.process(`${role}${this.#processes.length + 1}`, {
      host: machine === 2 ? "office" : "shop",
      machine,
      skew: this.#skews[machine] ?? 0,
      crash,
      onDeath: () => {
        if (crash !== null)
          note(seen, `a process dies at ${crash.at === "operation" ? "an" : "a"} ${crash.at}` as never)
        this.at(0, then)
      }
    })
    this.#processes.push(process)
    const running = Effect.suspend(() => program(machine)).pipe(
      Effect.provide(engine(network.client(process), this.#storeOf(process), this.#holderOf(process), this.#time)),
      Effect.scoped
    )
    simulation.log(`${process.name} starts on machine ${machine}`)
    simulation.spawn(process, running, (exit) => {
      this.#ended(role, process, exit)
      then()
    })
    return process
  }

  #ended(role: string, process: SimulatedProcess, exit: Exit.Exit<string, unknown>): void {
    const { report, seen, simulation, store } = this.#options
    process.life = "ended"
    for (const connection of process.connections) {
      report("leak", `${role} left a connection open`)
      connection.close()
    }
    // The file's name differs in every simulating process.
    const failure = Exit.isFailure(exit)
      ? Cause.pretty(exit.cause).replaceAll(store.filename, "store.db").split("\n")
      : []
    if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) report("defect", `${role}: ${failure.slice(0, 3).join(" ")}`)
    const end = Exit.isSuccess(exit) ? exit.value : failure[0]!
    if (end.includes("lost the lane")) note(seen, "a writer is fenced off")
    simulation.log(`${process.name} ends: ${end}`)
  }

  /**
   * Describes a process as lane holder. Processes of the same host learn from the system that
   * another process has ended.
   */
  #holderOf(process: SimulatedProcess): Holder {
    return {
      name: `${process.host}/${process.pid}/0`,
      presumedDead: (name) =>
        Effect.sync(() => {
          const [host, pid] = name.split("/")
          const other = this.#processes.find((other) => other.pid === Number(pid))
          return host === process.host && other?.life !== "running"
        })
    }
  }

  #storeOf(process: SimulatedProcess): SqliteConfig {
    const { committed, isCalm, report, seen, simulation, store } = this.#options
    const watch: Watch = {
      committed: (by, tables) => {
        committed(by, tables)
        if (tables.size > 1 || !tables.has("fiscal_lane")) simulation.changed()
        // Stalls most of all while the process holds a lane.
        if (this.#has("stalls") && !isCalm() && tables.has("fiscal_lane") && this.#stalls.chance(0.02))
          simulation.stall(process)
        const isBetween = this.#has("stalls-before-sending") && !isCalm() && tables.has("fiscal_attempt")
        if (isBetween && this.#stallsBeforeSending.chance(0.1))
          process.stallsAt = process.operations + 1 + this.#stallsBeforeSending.int(operationsToSocket)
      },
      isFull: () => this.disk === "full" && process.host === "shop",
      timed: (sql) => report("defect", `a time is part of a statement: ${sql.slice(0, 200)}`),
      contended: () => note(seen, "a commit is contended")
    }
    return {
      filename: store.filename,
      busyTimeoutMillis: 0,
      // A live device requires a database that does not lose commits.
      synchronous: this.#has("live") ? "full" : "off",
      open: opening(simulation, process, watch, this.#idle)
    }
  }

  isAlive(pid: number): boolean {
    return this.#processes.some((one) => one.pid === pid && one.life === "running")
  }

  /** Returns true if any process works, except the given one. */
  isBusy(apartFrom: SimulatedProcess | null): boolean {
    return this.#processes.some((process) => process.life === "running" && process !== apartFrom)
  }

  /** Moves the clock of the first machine, with every process on it. */
  jump(by: number): void {
    const { simulation } = this.#options
    simulation.log(`the clock of machine 0 jumps by ${Math.round(by / 1000)} s`)
    this.#skews[0] = (this.#skews[0] ?? 0) + by
    for (const process of this.#processes) {
      if (process.machine !== 0 || process.life !== "running") continue
      process.skew += by
      process.skewedAt = simulation.now
    }
  }

  /** Kills every process together with its machine, and closes all idle databases. */
  restart(): void {
    for (const process of this.#processes)
      if (process.life === "running") this.#options.simulation.kill(process, "with its machine")
    this.#idle.jumpedTo = 0
    this.#idle.close()
  }

  /**
   * Restarts the store's server: open transactions are lost, and no process dies. `jump`: minimum
   * for the number of the last attempt.
   */
  sever(how: Outage, jump: number): void {
    this.#idle.jumpedTo = jump
    for (const { connections, life } of this.#processes)
      if (life === "running") for (const connection of connections) connection.sever(how)
  }

  /** Sets the clocks right and frees the disk. */
  mend(): void {
    this.#skews.fill(0)
    this.serverAhead = 0
    this.disk = "free"
  }

  close(): void {
    this.#idle.close()
  }
}
