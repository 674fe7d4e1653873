/**
 * Runs one scenario: a day with all its troubles, then a calm in which everything must be
 * completed.
 */
import { Effect, Exit, Scope } from "effect"
import { documentsOf, hour, paceOf, type Stated } from "../Books.ts"
import { Calm } from "./Calm.ts"
import { Deliveries } from "../Deliveries.ts"
import { stream } from "../Draw.ts"
import * as Exports from "../Exports.ts"
import { configOf, GatewaySide } from "../GatewaySide.ts"
import { accountsOf } from "../Accounts.ts"
import * as Incidents from "./Incidents.ts"
import { Jobs } from "./Jobs.ts"
import * as AccountLaws from "../laws/AccountLaws.ts"
import * as EndLaws from "../laws/EndLaws.ts"
import type { Excuses } from "../laws/KnownViolations.ts"
import { general, type Report, type Violation } from "../laws/Law.ts"
import { AttentionLaws } from "../laws/AttentionLaws.ts"
import { AttemptsBegun } from "../laws/AttemptsBegun.ts"
import { StepLaws } from "../laws/StepLaws.ts"
import { Machines, operatorMachine } from "./Machines.ts"
import { Network } from "../Network.ts"
import { OperatorVisits } from "./OperatorVisits.ts"
import { isQuiet, type Scenario, type Trouble } from "../Scenario.ts"
import { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import { StoreRestores } from "./StoreRestores.ts"
import { StoreFile } from "../StoreFile.ts"
import { Witnesses } from "./Witnesses.ts"
import { Work } from "./Work.ts"

export interface Run {
  readonly scenario: Scenario
  readonly violations: ReadonlyArray<Violation>
  readonly excuses: Excuses
  /** Hash over every line of the trace and every choice. */
  readonly hash: number
  readonly steps: number
  readonly receipts: number
  readonly seen: Seen
  /** Processes started during the day, as `machine/number`. */
  readonly processes: ReadonlyArray<string>
  readonly trace: ReadonlyArray<string>
}

const start = Date.parse("2026-03-10T06:00:00Z")
/** Duration of the troubles, before the calm. */
const lengthOf = (scenario: Scenario): number => 4 * hour * paceOf(scenario)
/** Interval for checking whether anything moves, in milliseconds. */
const betweenLooks = hour / 6
/** Steps after which a day without an end is stopped. */
const mostSteps = 3_000_000
/**
 * Maximum number of looks at a device per process: a few in its half hour, one with every back-off
 * of a lane, and one with each sweep that finds a failure, of which each document has about ten.
 */
const mostLooks = 400

class Day {
  readonly #scenario: Scenario
  readonly #simulation: Simulation
  readonly #store = new StoreFile()
  readonly #violations = new Map<string, Violation>()
  readonly #seen: Seen = new Map()
  readonly #documents: ReadonlyArray<Stated>
  readonly #deliveries: Deliveries
  readonly #gateway: GatewaySide
  readonly #begun: AttemptsBegun
  readonly #laws: StepLaws
  readonly #attention: AttentionLaws
  readonly #machines: Machines
  readonly #restores: StoreRestores
  readonly #visits: OperatorVisits
  readonly #jobs: Jobs
  readonly #work: Work
  readonly #calm: Calm
  #isClosing = false
  /** Incidents that happen while documents are sent, or their outcome is unknown. */
  readonly #each: Record<"sending" | "unknown", Array<() => void>> = { sending: [], unknown: [] }

  constructor(scenario: Scenario, scope: Scope.Scope, listen: (line: string) => void) {
    const { seed } = scenario
    this.#scenario = scenario
    const simulation = new Simulation(seed, start, listen)
    this.#simulation = simulation
    const store = this.#store
    const seen = this.#seen
    const report = this.#report
    const isCalm = () => this.#calm.isHere
    const draw = stream(seed, "day")
    const late = draw.pick(["hold", "restamp"] as const)
    const patience = draw.pick([20, 120])
    const preemption = draw.pick([0.0005, 0.003])
    const documents = documentsOf(scenario, start)
    this.#documents = documents
    const deliveries = new Deliveries({
      simulation,
      secrets: (account) => this.#jobs.secrets(account),
      joins: this.#has("exclusive"),
      believed: (text) => report("forgery", text)
    })
    this.#deliveries = deliveries
    const gateway = GatewaySide.start(simulation, configOf(scenario), scope, deliveries.post, (text) =>
      report("defect", text)
    )
    this.#gateway = gateway
    const network = new Network(simulation, scenario, gateway, {
      sending: (process, sending) => {
        this.#laws.sending(process, sending)
        for (const then of this.#each.sending) then()
      },
      late: () => note(seen, "an answer comes late"),
      limited: () => note(seen, "the gateway limits"),
      lost: () => this.#lost(),
      held: () => note(seen, "a request arrives after its client's time limit"),
      deviceFailed: (process, account, failure) => this.#laws.deviceFailed(process, account, failure),
      keptBack: () => note(seen, "a late request is kept from the socket"),
      looked: (times) => {
        if (times > 1) note(seen, "a running process looks at the device again")
        if (times > mostLooks) report("spinning", "a process looks at the device again and again")
      }
    })
    const witnesses = new Witnesses(
      this.#has("own-witnesses") ? "one for each machine" : "one for all machines",
      report
    )
    const begun = new AttemptsBegun((machine, attempt) => witnesses.has(machine, store.id, attempt))
    this.#begun = begun
    const laws = new StepLaws(
      store,
      gateway,
      simulation,
      scenario,
      seen,
      begun,
      (pid) => this.#machines.isAlive(pid),
      (machine) => witnesses.attempts(machine, store.id),
      {
        begun: () => this.#restores.begun(),
        unknown: () => {
          for (const then of this.#each.unknown) then()
          this.#work.unknown()
        },
        sentUndetected: (document) => this.#restores.sentUndetected(document)
      },
      report
    )
    this.#laws = laws
    const attention = new AttentionLaws(store, seen, report)
    this.#attention = attention
    // Machines turns on preemption, so everything before starts without pauses.
    const machines = new Machines({
      scenario,
      simulation,
      network,
      store,
      seen,
      preemption,
      isCalm,
      committed: (by, tables) => {
        if (by === this.#work.listener && tables.has("fiscal_outcome")) note(seen, "an outcome comes by webhook")
        laws.committed(by, tables)
        if (tables.has("fiscal_notice")) attention.noticed(by)
      },
      report
    })
    this.#machines = machines
    const restores = new StoreRestores({ scenario, simulation, store, machines, witnesses, begun, laws, seen, isCalm })
    this.#restores = restores
    const visits = new OperatorVisits({
      scenario,
      simulation,
      gateway,
      network,
      store,
      laws,
      documents,
      seen,
      life: machines.life(operatorMachine),
      isCalm,
      importedAt: (account) => this.#calm.importedAt(account),
      report
    })
    this.#visits = visits
    const jobs = new Jobs({
      scenario,
      simulation,
      gateway,
      documents,
      late,
      patience: this.#has("patience") ? 1800 : patience,
      witnesses,
      firstUse: (account) => visits.firstUse(account),
      opening: () => {
        const by = simulation.running
        const before = attention.noticesOfOthers(by)
        return (account, reasons) => {
          visits.stopped(account, reasons)
          if (reasons.some(({ _tag }) => _tag === "StoreOlder")) begun.recognized(simulation.now)
          // Another process may have opened the account in the meantime.
          if (attention.noticesOfOthers(by) === before) attention.stopped(account, simulation.now)
        }
      }
    })
    this.#jobs = jobs
    const work = new Work({
      scenario,
      machines,
      jobs,
      visits,
      deliveries,
      store,
      isOver: () => this.#isOver
    })
    this.#work = work
    this.#calm = new Calm({
      scenario,
      simulation,
      gateway,
      network,
      machines,
      store,
      restores,
      jobs,
      visits,
      documents,
      seen,
      rested: () => attention.check(simulation.now),
      ended: (then) => this.#closeDay(then),
      listener: () => work.listener
    })
    this.#noteParticipants()
  }

  #has(trouble: Trouble): boolean {
    return this.#scenario.troubles.has(trouble)
  }

  #noteParticipants(): void {
    const seen = this.#seen
    if (isQuiet(this.#scenario)) note(seen, "a day is quiet")
    if (this.#has("two-accounts")) note(seen, "two accounts share a lane")
    if (this.#has("two-lanes")) note(seen, "two lanes are worked")
    if (this.#has("live")) note(seen, "a live device is used")
    for (const account of this.#jobs.accounts) {
      const format = Exports.formatOf(this.#scenario, account)
      if (format !== "documents") note(seen, format === "csv" ? "a CSV file is read" : "Xero-shaped JSON is read")
    }
  }

  readonly #report: Report = (law, text, ...about) => {
    const key = `${law} ${general(text)}`
    const known = this.#violations.get(key)
    const occurrences = [...(known?.occurrences ?? []), about]
    this.#violations.set(key, { law, text: general(text), occurrences })
    if (known === undefined) this.#simulation.log(`VIOLATION ${law}: ${text}`)
  }

  get #isOver(): boolean {
    return this.#calm.isHere || this.#simulation.now > start + lengthOf(this.#scenario)
  }

  /** Closes the day, once, because nothing succeeds. */
  #lost(): void {
    if (!this.#has("closes-after-loss") || this.#isOver || this.#isClosing) return
    this.#isClosing = true
    this.#simulation.later(stream(this.#scenario.seed, "closes after loss").between(1000, 900_000), null, () => {
      if (this.#calm.isHere) return
      note(this.#seen, "the day is closed")
      note(this.#seen, "the day is closed after a request was lost")
      this.#gateway.closeDay()
    })
  }

  /** Closes the fiscal day, and makes the account of the device, as an operator does. */
  #closeDay(then: () => void): void {
    const [gateway, machines] = [this.#gateway, this.#machines]
    const world = { scenario: this.#scenario, gateway, store: this.#store, seen: this.#seen, report: this.#report }
    gateway.closeDay()
    machines.at(5000, () =>
      machines.start(
        "reconcile",
        operatorMachine,
        null,
        this.#jobs.reconciling((found) => AccountLaws.check(found, world)),
        then
      )
    )
  }

  get #incidents(): Incidents.IncidentsOptions {
    return {
      scenario: this.#scenario,
      simulation: this.#simulation,
      gateway: this.#gateway,
      deliveries: this.#deliveries,
      seen: this.#seen,
      isCalm: () => this.#calm.isHere,
      jump: (by) => {
        // In the calm, every clock is already set.
        if (!this.#calm.isHere) this.#machines.jump(by)
      },
      serverClock: (ahead) => {
        this.#simulation.log(`the clock of the store's server is ${Math.round(ahead / 1000)} s ahead`)
        this.#machines.serverAhead = ahead
      },
      each: (what, then) => void this.#each[what].push(then),
      rotateSecret: () => this.#jobs.rotateSecret(),
      editBook: () => this.#jobs.editBook(),
      closeDay: (then) => this.#closeDay(then),
      disk: (state) => {
        this.#simulation.log(`the shop's disk is ${state}`)
        this.#machines.disk = state
      },
      isPinned: () => accountsOf(this.#scenario).every((account) => this.#store.pinned.includes(account)),
      store: this.#restores
    }
  }

  /** Checks regularly whether anything moves. */
  #look(): void {
    const simulation = this.#simulation
    simulation.later(betweenLooks, null, () => {
      if (!this.#machines.isBusy(this.#work.listener)) this.#attention.check(simulation.now)
      this.#look()
    })
  }

  run(): Run {
    const machines = this.#machines
    const simulation = this.#simulation
    this.#work.begin()
    Incidents.faults(this.#incidents)
    Incidents.schedule(this.#incidents)
    if (this.#has("webhooks")) this.#work.listen()
    machines.at(lengthOf(this.#scenario), () => this.#calm.come())
    this.#look()
    while (!this.#calm.isOver && simulation.steps < mostSteps && !simulation.isTurningOnTheSpot && simulation.step());
    if (simulation.isTurningOnTheSpot) this.#report("spinning", "so much in one moment")
    else if (!this.#calm.isOver) this.#report("end", "it goes on and on")
    EndLaws.check({
      scenario: this.#scenario,
      documents: this.#documents,
      gateway: this.#gateway,
      store: this.#store,
      refusals: this.#jobs.refusals,
      sentWithUnreadClose: this.#laws.sentWithUnreadClose,
      sentAt: (receipt) => this.#laws.sentAt(receipt),
      report: this.#report
    })
    if (this.#calm.isOver) this.#attention.ended(simulation.now)
    if (this.#gateway.receipts.some(({ kind }) => kind === "credit-note"))
      note(this.#seen, "a credit note is fiscalised")
    const { listener } = this.#work
    if (listener?.life === "running") for (const connection of listener.connections) connection.close()
    machines.close()
    this.#store.close()
    return {
      excuses: {
        givenUp: this.#begun.givenUp,
        unnoticed: this.#restores.unnoticed,
        unshown: this.#restores.unshown,
        overridden: this.#visits.overridden,
        misstated: this.#visits.misstated,
        isBlind: this.#visits.isBlind
      },
      scenario: this.#scenario,
      violations: [...this.#violations.values()],
      hash: simulation.hash >>> 0,
      steps: simulation.steps,
      receipts: this.#gateway.receipts.length,
      seen: this.#seen,
      processes: this.#work.processes,
      trace: simulation.trace
    }
  }
}

/**
 * Runs a scenario; the same scenario always has the same result. `listen` receives every line of
 * the trace.
 */
export const run = (scenario: Scenario, listen: (line: string) => void = () => {}): Run =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.sync(() => new Day(scenario, scope, listen).run()),
      (scope) => Scope.close(scope, Exit.void)
    )
  )
