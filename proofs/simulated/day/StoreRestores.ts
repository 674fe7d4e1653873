/**
 * Replaces the file of the store: a backup replaces it, it is lost and found again, and an
 * operator accepts an older copy. Either the machines restart for the restore, or the store goes
 * back under running processes, like a database server restored at its address.
 */
import { Effect } from "effect"
import * as OlderStore from "../../../packages/core/src/session/OlderStore.ts"
import { SubmissionStore } from "../../../packages/core/src/submission/SubmissionStore.ts"
import { type Draw, stream } from "../Draw.ts"
import type { AttemptsBegun } from "../laws/AttemptsBegun.ts"
import type { StepLaws } from "../laws/StepLaws.ts"
import { type Machines, operatorMachine, type Program } from "./Machines.ts"
import type { Scenario } from "../Scenario.ts"
import type { Outage } from "../SimulatedProcess.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreFile } from "../StoreFile.ts"
import type { Witnesses } from "./Witnesses.ts"

/**
 * Delays between the beginning of an attempt and the copy or restore of a running store, in
 * milliseconds: during the request, or shortly after.
 */
const soonAfter = [60, 500, 5000] as const
/** Maximum ages of the copy at the restore of a running store, in milliseconds. */
const copyAges = [1000, 20_000, 900_000] as const

/** Maximum jump of a PostgreSQL sequence after a crash. */
const longestJump = 32

export interface StoreRestoresOptions {
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

export class StoreRestores {
  /** Documents with an attempt that a store lacked while its senders could not know. */
  readonly unnoticed = new Set<string>()
  /** Documents that were sent through such a store before the device showed anything. */
  readonly unshown = new Set<string>()
  /** Time of the operator's last acceptance. */
  acceptedAt = 0
  readonly #options: StoreRestoresOptions
  readonly #draw: Draw
  #aside: string | null = null
  #backup: string | null = null
  /** Puts back the witness files of the moment of the backup. */
  #putWitnessesBack: () => void = () => {}
  /** Second copy of the backup, for an operator who restores the backup twice. */
  #again: string | null = null
  /** Action on a running store after the next attempt. */
  #next: "nothing" | "backup" | "restore" = "nothing"

  constructor(options: StoreRestoresOptions) {
    this.#options = options
    this.#draw = stream(options.scenario.seed, "store exchange")
  }

  /**
   * Records that a process that could not know sent a document through an older copy: the document
   * may get a second receipt.
   */
  sentUndetected(document: string): void {
    const { begun, simulation, store } = this.#options
    if (this.unnoticed.size === 0) simulation.log("nothing tells the sender that it is an older copy")
    for (const document of begun.lost) this.unnoticed.add(document)
    this.unshown.add(document)
    // The copy has been used, so no operator replaces it by the newer store.
    if (store.standing === "an older copy") store.standing = "own"
  }

  /**
   * Makes a copy for later. If the store goes back under running processes, the copy is made while
   * documents are sent, and restored while more are sent. Documents sent in between are then
   * planned again.
   */
  backup(): void {
    if (this.#isRunning) this.#next = "backup"
    else this.#copy()
  }

  #copy(): void {
    const { simulation, store, witnesses } = this.#options
    simulation.log("a backup of the store is made")
    this.#putWitnessesBack = witnesses.snapshot()
    this.#backup = store.backup()
  }

  get #isRunning(): boolean {
    return this.#options.scenario.troubles.has("running-restore")
  }

  /**
   * Restores the copy. Does nothing if the scenario restores under running processes: there,
   * `begun` restores the copy after a later sending attempt.
   */
  restore(): void {
    if (!this.#isRunning) this.#restore()
  }

  /** Called after an attempt was begun. */
  begun(): void {
    const { machines } = this.#options
    const next = this.#next
    if (next === "nothing") return
    this.#next = "nothing"
    // In the calm, nothing fails any more.
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
    if (scenario.troubles.has("whole-machine") && !this.#isRunning) {
      note(seen, "a store is restored with its witness")
      this.#putWitnessesBack()
    }
    this.#replace("a backup is put in the store's place", backup)
    if (begun.isAnythingLost) {
      note(seen, "an older store is restored")
      store.standing = "an older copy"
    } else simulation.log("no attempt was lost")
  }

  /** Replaces the store by an empty one. */
  lose(): void {
    const { machines, seen, store, witnesses } = this.#options
    note(seen, "a store is lost")
    // A store that was never used leaves no trace by which its loss is noticed.
    const { isUsed } = witnesses
    this.#options.simulation.log("the store is mislaid")
    machines.restart()
    this.#aside = store.putAside()
    store.putInPlace("empty")
    this.#options.laws.adopt()
    if (isUsed) store.standing = "another store"
  }

  /**
   * Finds the newer store and puts it back. If the copy sent documents meanwhile, each store lacks
   * attempts of the other, and the operator accepts.
   */
  find(): void {
    const { begun, store } = this.#options
    this.#next = "nothing"
    // `own`: no process could notice the loss, or an operator accepted the copy. It stays in use.
    if (store.standing === "own" || this.#aside === null) return
    this.#replace("the newer store is found, and put back", this.#aside)
    store.standing = begun.isAnythingLost ? "an older copy" : "own"
    this.accept()
  }

  /** Accepts the older copy as the operator, if the store is one. */
  accept(): void {
    const { machines, store } = this.#options
    if (store.standing !== "own") machines.start("accept", operatorMachine, null, this.accepting())
  }

  /** Returns the operator's acceptance, with each witness that recorded more attempts. */
  accepting(): Program {
    const { begun, machines, seen, simulation, store, witnesses } = this.#options
    return () =>
      Effect.gen({ self: this }, function* () {
        let held = 0
        for (const machine of witnesses.machines)
          held += yield* witnesses.lowering(OlderStore.accept(witnesses.of(machine), "the newer one is gone"))
        store.standing = "own"
        begun.acceptLoss()
        this.acceptedAt = simulation.now
        note(seen, "an older store is accepted")
        machines.at(this.#draw.between(60_000, 1_200_000), () => this.#restoreAgain())
        return `${held} held, since the store is an older copy`
      })
  }

  /** Returns the operator's statement that another till uses the device of the stopped store. */
  statingOthers(): Program {
    const [row] = this.#options.store.read("select stop_lane from fiscal_store")
    const lane = row?.["stop_lane"] ?? null
    return () =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        if (lane !== null) yield* store.stateOtherPrograms(String(lane), "others", "the other till")
        return "another till is stated"
      })
  }

  /** Restores the same copy again: the acceptance and everything after it is lost. */
  #restoreAgain(): void {
    const { isCalm, seen, simulation, store } = this.#options
    if (this.#again === null || isCalm()) return
    note(seen, "an acceptance of an older store is lost")
    this.#replace("the same backup is put in the store's place once more", this.#again, "lost")
    this.#again = null
    simulation.log(`the store ${store.id} has been accepted before`)
  }

  /** Replaces the store by a file: restarts the machines or the database server. */
  #replace(said: string, file: string, acceptance: "kept" | "lost" = "kept"): void {
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

  /** Returns the minimum for the last attempt number after a crash of the server. */
  #jump(file: string): number {
    const { scenario, seen, store } = this.#options
    if (!scenario.troubles.has("counter-jumps")) return 0
    note(seen, "the counter of attempts jumps")
    return store.lastAttemptOf(file) + this.#draw.between(1, longestJump + 1)
  }
}
