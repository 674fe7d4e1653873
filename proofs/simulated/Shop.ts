/** One machine of a business: its store, its witness, and its processes. */
import { merged } from "../../packages/core/src/account/StoreWitness.ts"
import { Effect, type Exit } from "effect"
import type { Holder } from "../../packages/core/src/submission/Holder.ts"
import { IdleDatabases, opening } from "./Database.ts"
import type { Program } from "./day/Machines.ts"
import type { Network } from "./Network.ts"
import { type Account, engine } from "./Programs.ts"
import type { Crash, SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"
import { StoreFile } from "./StoreFile.ts"

export class Shop {
  readonly store = new StoreFile()
  readonly #simulation: Simulation
  readonly #idle: IdleDatabases
  readonly #processes = new Map<string, SimulatedProcess>()
  readonly #witnessed = new Map<string, Parameters<Account["witness"]["write"]>[0]>()

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    this.#idle = new IdleDatabases(() => simulation.now)
  }

  /** Parts of an account that are the same for every lane. */
  get account(): Pick<Account, "witness" | "firstUse" | "opening"> {
    return {
      witness: {
        read: Effect.sync(() => [...this.#witnessed.values()]),
        write: (store) =>
          Effect.sync(() => {
            this.#witnessed.set(store.id, merged(this.#witnessed.get(store.id), store))
            return "written"
          })
      },
      firstUse: undefined,
      opening: () => () => {}
    }
  }

  /** Runs a program as a process of the shop, which dies at `crash`. */
  start(
    name: string,
    program: ReturnType<Program>,
    network: Network,
    ended: (exit: Exit.Exit<string, unknown>) => void,
    crash: Crash | null = null
  ): SimulatedProcess {
    const process = this.#simulation.process(name, { host: "shop", isSpared: crash === null, crash })
    this.#processes.set(`shop/${process.pid}/0`, process)
    const holder: Holder = {
      name: `shop/${process.pid}/0`,
      presumedDead: (other) => Effect.sync(() => this.#processes.get(other)?.life === "dead")
    }
    const watch = { committed: () => {}, timed: () => {}, contended: () => {}, isFull: () => false }
    const open = opening(this.#simulation, process, watch, this.#idle)
    const config = { filename: this.store.filename, busyTimeoutMillis: 0, synchronous: "off", open } as const
    const running = program.pipe(Effect.provide(engine(network.client(process), config, holder)), Effect.scoped)
    this.#simulation.spawn(process, running, (exit) => {
      process.life = "ended"
      ended(exit)
    })
    return process
  }

  close(): void {
    this.#idle.close()
    this.store.close()
  }
}
