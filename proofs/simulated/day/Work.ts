/**
 * Runs the programs of a day: imports and resumes in turn, visits of the operator, and the listener
 * for deliveries.
 */
import { Duration } from "effect"
import { accountNames } from "../Accounts.ts"
import { hour } from "../Books.ts"
import type { Deliveries } from "../Deliveries.ts"
import { type Draw, stream } from "../Draw.ts"
import type { Jobs } from "./Jobs.ts"
import { type Machines, operatorMachine } from "./Machines.ts"
import type { OperatorVisits } from "./OperatorVisits.ts"
import { listening } from "../Programs.ts"
import type { Scenario, Trouble } from "../Scenario.ts"
import type { Crash, SimulatedProcess } from "../SimulatedProcess.ts"
import type { StoreFile } from "../StoreFile.ts"

export interface WorkOptions {
  readonly scenario: Scenario
  readonly machines: Machines
  readonly jobs: Jobs
  readonly visits: OperatorVisits
  readonly deliveries: Deliveries
  readonly store: StoreFile
  /** Returns true if the day is over: no program starts any more. */
  readonly isOver: () => boolean
}

/** Time between the ends and starts of daily jobs, in milliseconds. */
const daily = [16 * hour, 28 * hour] as const

export class Work {
  /** Last process started to listen for deliveries. */
  listener: SimulatedProcess | null = null
  readonly #options: WorkOptions
  /** Number of processes started so far, by machine. */
  readonly #numbers = new Map<number, number>()
  /** True if a prompt operator is about to look. */
  #isLooking = false

  readonly #workers: Draw

  constructor(options: WorkOptions) {
    this.#options = options
    this.#workers = stream(options.scenario.seed, "workers")
  }

  #has(trouble: Trouble): boolean {
    return this.#options.scenario.troubles.has(trouble)
  }

  begin(): void {
    const { machines, scenario } = this.#options
    for (const machine of scenario.machines) machines.later(0, 60_000, () => this.#next(machine), machine)
    machines.later(600_000, 1_200_000, () => this.#visit())
  }

  /** Processes of the day, as `machine/number`. */
  get processes(): ReadonlyArray<string> {
    return Array.from(this.#numbers, ([machine, numbers]) =>
      Array.from({ length: numbers }, (_, i) => `${machine}/${i + 1}`)
    ).flat()
  }

  /** Starts the next process of a machine, each after the end of the one before. */
  #next(machine: number): void {
    const { isOver, jobs, machines, scenario } = this.#options
    if (isOver()) return
    const life = machines.life(machine)
    const account = life.pick(accountNames)
    const own = jobs.accounts.includes(account) ? account : "shop"
    const role = life.chance(0.6) ? "import" : "resume"
    const time = this.#has("workers") && role === "resume" ? this.#workers.pick([0, 5, 20, 40]) : 0
    const onward = time === 0 ? jobs.resuming() : jobs.working(Duration.minutes(time))
    const program = role === "import" ? jobs.importing(own, life) : onward
    const crash = this.#crash(role, life)
    const number = (this.#numbers.get(machine) ?? 0) + 1
    this.#numbers.set(machine, number)
    const impatience = life()
    /**
     * Starts the next process. Usually at once, so that processes meet; rarely if only the operator
     * can continue.
     */
    const next = () => {
      const isAtOnce = impatience < (this.#canGoOn() ? 0.7 : 0.15)
      const soon = isAtOnce ? ([1000, 60_000] as const) : ([900_000, 1.25 * hour] as const)
      const [from, to] = this.#has("nights") ? daily : soon
      machines.later(from, to, () => this.#next(machine), machine)
    }
    if (scenario.idle.has(`${machine}/${number}`)) next()
    else machines.start(time === 0 ? role : "worker", machine, crash, program, next)
  }

  #crash(role: "import" | "resume", life: Draw): Crash | null {
    const dies = life.chance(0.6)
    const crash = life.pick<Crash>([
      { at: "operation", n: 1 + life.int(role === "import" ? 50_000 : 17_000) },
      { at: "commit", n: 1 + life.int(36), side: life.pick(["before", "after"]) },
      { at: "request", n: 1 + life.int(12), phase: life.pick(["before", "in-flight", "answered"]) }
    ])
    return dies && this.#has("crashes") ? crash : null
  }

  /** Returns true if the remaining documents can progress without an operator. */
  #canGoOn(): boolean {
    const rows = this.#options.store.read(
      "select distinct state from fiscal_submission where state not in ('Fiscalised', 'Held')"
    )
    const states = new Set(rows.map((row) => row["state"]))
    return !states.has("Unknown") && (states.has("Planned") || states.has("Sending") || states.has("Accepted"))
  }

  #visit(): void {
    const { isOver, machines, visits } = this.#options
    if (isOver()) return
    const pace = this.#has("nights") ? 12 : 1
    const slow = this.#has("slow-operator") ? 3 : 1
    machines.start("operator", operatorMachine, null, visits.visiting(), () =>
      machines.later(1_800_000 * slow * pace, 5_400_000 * slow * pace, () => this.#visit())
    )
  }

  /**
   * Called when a document becomes Unknown. A prompt operator looks after seconds, decides, and has
   * the document sent again.
   */
  unknown(): void {
    const { isOver, jobs, machines, visits } = this.#options
    if (!this.#has("prompt-operator") || isOver() || this.#isLooking) return
    this.#isLooking = true
    machines.later(1000, 120_000, () => {
      this.#isLooking = false
      machines.start("operator", operatorMachine, null, visits.visiting(), () =>
        machines.later(1000, 5000, () => machines.start("resume", 0, null, jobs.resuming()))
      )
    })
  }

  /** Runs a process that listens for deliveries; a new process replaces a dead one. */
  listen(): void {
    const { deliveries, isOver, machines, scenario } = this.#options
    const life = machines.life(1)
    const isCrashing = this.#has("crashes") && !isOver() && stream(scenario.seed, "listener").chance(0.7)
    const crash: Crash | null = isCrashing
      ? life.pick<Crash>([
          { at: "operation", n: 1 + life.int(20_000) },
          { at: "commit", n: 1 + life.int(20), side: life.pick(["before", "after"]) }
        ])
      : null
    const program = () =>
      listening((receiver) => {
        deliveries.listener = { process: this.listener!, receiver }
      })
    this.listener = machines.start("listener", 1, crash, program, () =>
      machines.later(1000, 600_000, () => this.listen(), 1)
    )
  }
}
