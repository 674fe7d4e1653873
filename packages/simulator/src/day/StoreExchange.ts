/**
 * What happens to the file of the store: a copy is made and put in its place, it is mislaid and found again, and an operator accepts an older copy.
 * The machines are restarted for it, or the store goes back under running processes, as a database server does that was restored at its address.
 */
import { Effect } from "effect"
import * as OlderStore from "@fiscal-connector/core/unstable/connector/OlderStore"
import { type Draw, stream } from "../Draw.ts"
import type { AttemptsBegun } from "../laws/AttemptsBegun.ts"
import type { StepLaws } from "../laws/StepLaws.ts"
import { type Machines, operatorMachine } from "./Machines.ts"
import type { Scenario } from "../Scenario.ts"
import type { Outage } from "../SimulatedProcess.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreFile } from "../StoreFile.ts"
import type { Witnesses } from "./Witnesses.ts"

/** How soon after an attempt was begun a running store is copied, or goes back, in milliseconds: with the request under way, or just after. */
const soonAfter = [60, 500, 5000] as const
/** How long after the copy a running store may go back, in milliseconds. */
const copyAges = [1000, 20_000, 900_000] as const

/** A sequence of PostgreSQL may be ahead by so many numbers after a crash. */
const longestJump = 32

export interface StoreExchangeOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly store: StoreFile
  readonly machines: Machines
  readonly witnesses: Witnesses
  readonly begun: AttemptsBegun
  readonly laws: StepLaws
  readonly seen: Seen
  readonly isCalm: () => boolean
}

export class StoreExchange {
  /** What was lost with a newer store cannot be made good: an operator took an older copy for the store, or nothing told the senders. */
  isApart = false
  /** Nothing told the senders that the store was an older copy. */
  isUntold = false
  readonly #options: StoreExchangeOptions
  readonly #draw: Draw
  #aside: string | null = null
  #backup: string | null = null
  /** The backup once more, for an operator who puts it in place a second time. */
  #again: string | null = null
  /** What happens to a running store after the next attempt. */
  #next: "nothing" | "backup" | "restore" = "nothing"

  constructor(options: StoreExchangeOptions) {
    this.#options = options
    this.#draw = stream(options.scenario.seed, "store exchange")
  }

  /** A document was sent through an older copy, by a process that nothing told: its receipts may be second ones. */
  untold(): void {
    const { simulation, store } = this.#options
    if (this.isApart) return
    simulation.log("nothing tells the sender that it is an older copy")
    this.isApart = true
    this.isUntold = true
    // the copy has been used: nobody puts the newer store back over it
    if (store.standing === "an older copy") store.standing = "own"
  }

  /**
   * A copy for later. Of a store that goes back under running processes it is made while documents are sent, and put in place while more are sent:
   * documents that were sent in between are planned again then.
   */
  backup(): void {
    if (this.#isRunning) this.#next = "backup"
    else this.#copy()
  }

  #copy(): void {
    const { simulation, store } = this.#options
    simulation.log("a backup of the store is made")
    this.#backup = store.backup()
  }

  get #isRunning(): boolean {
    return this.#options.scenario.troubles.has("running-restore")
  }

  /** Puts the copy in the store's place; one that goes back under running processes does so by itself. */
  restore(): void {
    if (!this.#isRunning) this.#restore()
  }

  /** An attempt was begun. */
  begun(): void {
    const { machines } = this.#options
    const next = this.#next
    if (next === "nothing") return
    this.#next = "nothing"
    // nothing goes wrong any more
    if (this.#options.isCalm()) return
    machines.at(this.#draw.int(this.#draw.pick(soonAfter)), () => {
      if (this.#options.isCalm()) return
      if (next === "restore") return this.#restore()
      this.#copy()
      machines.at(this.#draw.int(this.#draw.pick(copyAges)), () => {
        this.#next = "restore"
      })
    })
  }

  #restore(): void {
    const { begun, scenario, seen, simulation, store } = this.#options
    if (this.#backup === null) return
    const backup = this.#backup
    this.#backup = null
    if (scenario.troubles.has("restored-again")) this.#again = store.keepCopyOf(backup)
    this.#exchange("a backup is put in the store's place", backup)
    if (begun.isAnythingLost) {
      note(seen, "an older store is restored")
      store.standing = "an older copy"
    } else simulation.log("no attempt was lost")
  }

  /** Puts an empty one in its place. */
  lose(): void {
    const { machines, seen, store, witnesses } = this.#options
    note(seen, "a store is lost")
    // what was never used tells nobody that it is missing
    const { isUsed } = witnesses
    this.#options.simulation.log("the store is mislaid")
    machines.restart()
    this.#aside = store.putAside()
    store.putInPlace("empty")
    this.#options.laws.adopt()
    if (isUsed) store.standing = "another store"
  }

  /** The true one is found, and put back. */
  find(): void {
    const { store } = this.#options
    this.#next = "nothing"
    // where nothing told them apart, what is there has been used since
    if (store.standing === "own" || this.#aside === null) return
    this.#exchange("the newer store is found, and put back", this.#aside)
    store.standing = "own"
  }

  /** An operator accepts the older copy, with each witness that remembers more. */
  accept(): void {
    const { begun, machines, seen, store, witnesses } = this.#options
    if (store.standing === "own") return
    const accepting = () =>
      Effect.gen({ self: this }, function* () {
        let held = 0
        for (const machine of witnesses.machines)
          held += yield* witnesses.lowering(OlderStore.accept(witnesses.of(machine), "the newer one is gone"))
        store.standing = "own"
        this.isApart = true
        begun.giveUp()
        note(seen, "an older store is accepted")
        machines.at(this.#draw.between(60_000, 1_200_000), () => this.#restoreAgain())
        return `${held} held, since the store is an older copy`
      })
    machines.start("accept", operatorMachine, null, accepting)
  }

  /** The same copy is put in place once more: the acceptance is lost with everything after it. */
  #restoreAgain(): void {
    const { isCalm, seen, simulation, store } = this.#options
    if (this.#again === null || isCalm()) return
    note(seen, "an acceptance of an older store is lost")
    this.#exchange("the same backup is put in the store's place once more", this.#again, "lost")
    this.#again = null
    simulation.log(`the store ${store.id} has been accepted before`)
  }

  /** Puts a file in the place of the store: the machines are restarted for it, or the database server that has it. */
  #exchange(said: string, file: string, acceptance: "kept" | "lost" = "kept"): void {
    const { laws, machines, seen, simulation, store } = this.#options
    simulation.log(said)
    if (this.#isRunning && store.standing !== "another store") {
      note(seen, "a store goes back under running processes")
      const outage = this.#draw.pick<Outage>(["noticed", "unnoticed"])
      machines.sever(outage, this.#jump(file))
      const isBack = file === this.#aside
      const aside = isBack ? null : store.copyAside()
      store.goBackTo(file)
      this.#aside = aside
    } else {
      machines.restart()
      if (file === this.#aside) this.#aside = null
      else this.#aside = store.putAside()
      store.putInPlace(file)
    }
    laws.adopt(acceptance)
  }

  /** The number after which a server counts attempts when it has crashed. */
  #jump(file: string): number {
    const { scenario, seen, store } = this.#options
    if (!scenario.troubles.has("counter-jumps")) return 0
    note(seen, "the counter of attempts jumps")
    return store.lastAttemptOf(file) + this.#draw.between(1, longestJump + 1)
  }
}
