/**
 * Calm after a simulated day: nothing fails any more, and all documents are imported, decided and
 * resumed until each has its final state.
 */
import { type AccountName, device } from "../Accounts.ts"
import { hour, type Stated } from "../Books.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { Jobs } from "./Jobs.ts"
import type { Machines, Program } from "./Machines.ts"
import type { Network } from "../Network.ts"
import type { OperatorVisits } from "./OperatorVisits.ts"
import type { Scenario } from "../Scenario.ts"
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreRestores } from "./StoreRestores.ts"
import type { StoreFile } from "../StoreFile.ts"

/**
 * Rounds until the gateway has stopped answering for its documents: the last of these follows after
 * a week.
 */
const awaitedRounds = 8

/**
 * Maximum number of rounds. An operator ends an expired document in one visit and sends it again in
 * the next one, and its credit notes follow, so rounds go on while one of them changes a document.
 */
const mostRounds = 16

export interface CalmOptions {
  readonly scenario: Scenario
  readonly simulation: Simulation
  readonly gateway: GatewaySide
  readonly network: Network
  readonly machines: Machines
  readonly store: StoreFile
  readonly restores: StoreRestores
  readonly jobs: Jobs
  readonly visits: OperatorVisits
  readonly documents: ReadonlyArray<Stated>
  readonly seen: Seen
  /** Called when nothing moves and an operator is about to look. */
  readonly rested: () => void
  /** Closes the fiscal day and makes its account, then calls the function. */
  readonly ended: (then: () => void) => void
  /** Returns the process that runs for ever; the calm does not wait for it. */
  readonly listener: () => SimulatedProcess | null
}

export class Calm {
  /** True once the calm has begun. */
  isHere = false
  /** True when everything is settled, when nothing changes any more, or after the last round. */
  isOver = false
  readonly #options: CalmOptions
  /** Times of the last import of all documents in the calm, by account. */
  readonly #importedAt = new Map<string, number>()
  #rounds = 0
  /** Documents at the end of the round before. */
  #before = ""

  constructor(options: CalmOptions) {
    this.#options = options
  }

  /**
   * Returns the time of the account's last import of all documents in the calm; 0 before the first.
   */
  importedAt(account: string): number {
    return this.#importedAt.get(account) ?? 0
  }

  /** Begins once no process works any more, then runs round by round. */
  come(): void {
    const { listener, machines } = this.#options
    if (this.isHere) return this.#round()
    if (machines.isBusy(listener())) return machines.later(60_000, 120_000, () => this.come())
    this.#mend()
    this.#round()
  }

  #mend(): void {
    const { restores, gateway, machines, network, simulation, store } = this.#options
    this.isHere = true
    network.isCalm = true
    simulation.log("from here on nothing fails any more")
    machines.mend()
    if (store.standing !== "own") restores.find()
    gateway.change({ deviceId: device, standing: "on" })
    simulation.preemption = { share: simulation.preemption.share, stalls: 0 }
    gateway.on(({ control }) => control.clearFaults)
    gateway.on(({ control }) => control.change({ processingDelayMillis: 3000 }))
  }

  #round(): void {
    const { jobs, machines, restores, scenario, seen, simulation, visits } = this.#options
    const { troubles } = scenario
    const steps: ReadonlyArray<readonly [role: string, program: Program, account?: AccountName]> = [
      ...jobs.accounts.map((account) => ["import", jobs.importing(account, null), account] as const),
      ...this.#historical().map((account) => ["historical", jobs.importing(account, null, "historical")] as const),
      // The store went back once more after an acceptance: acceptance is listed, and taken.
      ...(visits.olderAt > restores.acceptedAt ? [["accept", restores.accepting()] as const] : []),
      ...(visits.sharedAt > 0 ? [["others", restores.statingOthers()] as const] : []),
      ["operator", visits.visiting()],
      ["resume", jobs.resuming()]
    ]
    const next = (i: number): void => {
      const step = steps[i]
      if (step !== undefined) {
        const [role, program, account] = step
        if (role === "operator") this.#options.rested()
        if (account !== undefined) this.#importedAt.set(account, simulation.now)
        machines.start(role, 0, null, program, () => {
          if (role === "historical" && troubles.has("no-upload")) note(seen, "a historical batch is refused")
          machines.later(1000, 2000, () => next(i + 1))
        })
        return
      }
      this.#rounds++
      const isChanged = this.#isChanged()
      // the next round states the other till that stopped the store
      const isBehind = this.#options.store.read("select 1 from fiscal_store where stop_cause = 'behind'").length > 0
      const isAtRest = this.#rounds >= awaitedRounds && !isChanged && !isBehind
      if (this.#rounds >= mostRounds || isAtRest || this.#isSettled()) {
        this.#options.ended(() => {
          this.isOver = true
        })
        return
      }
      // No process waits longer than the gateway answers for processed documents.
      const isLongAway = troubles.has("horizon") && this.#rounds === 1
      // This round looks again after the gateway has stopped answering for its documents.
      const pause = isLongAway ? 17 * 24 : this.#rounds === awaitedRounds - 1 ? 170 : 1
      machines.later(pause * hour, (pause + 0.1) * hour, () => this.#round())
    }
    next(0)
  }

  /** Returns the accounts with documents for which an import under --historical is printed. */
  #historical(): ReadonlyArray<AccountName> {
    const { jobs, store } = this.#options
    const rows = store.read(
      "select distinct account from fiscal_submission where state = 'Held' and hold_cause = 'historical'"
    )
    return jobs.accounts.filter((account) => rows.some((row) => row["account"] === account))
  }

  /** Returns true if a document has changed or was sent since the round before. */
  #isChanged(): boolean {
    const documents = this.#options.store.read(
      `select seq, state, hold_cause, (select count(*) from fiscal_attempt a where a.submission = s.seq) as attempts
        from fiscal_submission s order by seq`
    )
    const [before, now] = [this.#before, JSON.stringify(documents)]
    this.#before = now
    return now !== before
  }

  #isSettled(): boolean {
    const { documents, jobs, scenario, store } = this.#options
    // The gateway has not yet come to report the proof.
    const unproven = store.read(
      "select 1 from fiscal_submission where state = 'Fiscalised' and json_extract(proof, '$.verificationCode') is null"
    )
    if (scenario.troubles.has("missing-proofs") && unproven.length > 0) return false
    const states = new Map(store.read("select id, state from fiscal_submission").map(({ id, state }) => [id, state]))
    // A document that the import refuses because of its original remains refused. Every other
    // document gets another round, and so does a refused document that the store still has.
    const isRefused = (id: string, state: unknown) =>
      jobs.refusals.get(id) === "RCPT035" && (state === undefined || state === "Withdrawn")
    return documents.every(({ id }) => states.get(id) === "Fiscalised" || isRefused(id, states.get(id)))
  }
}
