/**
 * What happens to the file of the store: a copy is made and put in its place, it is mislaid and found again, and a person takes an older one for
 * the store. Beside it is what the configuration remembers of the store.
 */
import { Effect } from "effect"
import type { StoreWitness, WitnessedStore } from "@fiscal-connector/core/account/StoreWitness"
import * as OlderStore from "@fiscal-connector/core/unstable/connector/OlderStore"
import type { Report } from "../laws/Law.ts"
import type { StepLaws } from "../laws/StepLaws.ts"
import { type Machines, operatorMachine } from "./Machines.ts"
import type { Scenario } from "../Scenario.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { Row, StoreFile } from "../StoreFile.ts"

/** So often the count of attempts is kept while a run sends, with what clocks differ; in milliseconds. */
const witnessedEvery = 10_000 + 10_000

export interface StoreExchangeOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly store: StoreFile
  readonly machines: Machines
  readonly laws: StepLaws
  readonly seen: Seen
  readonly report: Report
}

export class StoreExchange {
  /** A person has taken an older copy for the store: what was lost with the newer one cannot be made good. */
  isApart = false
  readonly #options: StoreExchangeOptions
  /** What the witness beside the configuration knows, by store. */
  readonly #witnessed = new Map<string, WitnessedStore>()
  #aside: string | null = null
  #backup: string | null = null
  #backupAt = 0

  /** Beside the configuration: one for all processes. */
  readonly witness: StoreWitness = {
    read: Effect.sync(() => [...this.#witnessed.values()]),
    write: (store) =>
      Effect.sync(() => {
        this.#witnessed.set(store.id, store)
        return "written"
      })
  }

  constructor(options: StoreExchangeOptions) {
    this.#options = options
  }

  /** How many attempts of the store that is in place are counted beside it. */
  get attemptsWitnessed(): number {
    const [store] = this.#options.store.read("select id from fiscal_store")
    return this.#witnessed.get(String(store?.["id"]))?.attempts ?? 0
  }

  /** A copy for later. */
  backup(): void {
    const { simulation, store } = this.#options
    simulation.log("a backup of the store is made")
    this.#backup = store.backup()
    this.#backupAt = simulation.now
  }

  /** Puts the copy in the store's place, where one was made. */
  restore(): void {
    if (this.#backup === null) return
    const { laws, seen, store } = this.#options
    const sent = new Set(laws.sent.keys())
    this.#exchange("a backup is put in the store's place", this.#backup)
    const [last] = store.read("select coalesce(max(id), 0) as attempts from fiscal_attempt")
    if (Number(last!["attempts"]) >= this.attemptsWitnessed) {
      const after = store.attemptsAside(this.#aside!, Number(last!["attempts"]))
      return this.#untold(after.filter(({ id }) => sent.has(Number(id))))
    }
    note(seen, "an older store is restored")
    store.standing = "an older copy"
  }

  /** Puts an empty one in its place. */
  lose(): void {
    const { seen, store } = this.#options
    note(seen, "a store is lost")
    // what was never used tells nobody that it is missing
    const isUsed = this.#witnessed.size > 0
    this.#exchange("the store is mislaid", "empty")
    if (isUsed) store.standing = "another store"
  }

  /** The true one is found, and put back. */
  find(): void {
    const { store } = this.#options
    // where nothing told them apart, what is there has been used since
    if (store.standing === "own" || this.#aside === null) return
    this.#exchange("the newer store is found, and put back", this.#aside)
    store.standing = "own"
  }

  /** A person says that the older copy is the store from now on. */
  accept(): void {
    const { machines, seen, store } = this.#options
    if (store.standing === "own") return
    const accepting = () =>
      Effect.map(OlderStore.accept(this.witness, "the newer one is gone"), (held) => {
        store.standing = "own"
        this.isApart = true
        note(seen, "an older store is accepted")
        return `${held} held, since the store is an older copy`
      })
    machines.start("accept", operatorMachine, null, accepting)
  }

  /** An older copy that nothing tells: then hardly anything was sent since it was made, by a run that was cut off. */
  #untold(sent: ReadonlyArray<Row>): void {
    if (sent.length === 0) return
    const { report, scenario, simulation } = this.#options
    simulation.log("nothing tells that it is an older copy")
    this.isApart = true
    const known = this.#backupAt + witnessedEvery
    if (sent.some((row) => Number(row["begun_at"]) > known) && !scenario.troubles.has("clock-jumps"))
      report("store", "an older copy that nothing tells, although more was sent than in the ten seconds after it")
  }

  /** Puts a file in the place of the store; the machines are restarted for it. */
  #exchange(said: string, file: string): void {
    const { laws, machines, simulation, store } = this.#options
    simulation.log(said)
    machines.restart()
    if (file === this.#aside) this.#aside = null
    else this.#aside = store.putAside()
    store.putInPlace(file)
    laws.adopt()
  }
}
