/** One run: a day on which everything happens that the scenario holds, and then a calm in which everything must come to its end. */
import { Cause, Duration, Effect, Exit, Scope } from "effect"
import type { Holder } from "@fiscal-connector/core/submission/Holder"
import * as OlderStore from "@fiscal-connector/core/unstable/connector/OlderStore"
import type { StatusPoller } from "@fiscal-connector/core/engine/StatusPoller"
import type { StoreWitness, WitnessedStore } from "@fiscal-connector/core/account/StoreWitness"
import type { AccountStopped } from "@fiscal-connector/core/account/StopReason"
import type { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { Submitter } from "@fiscal-connector/core/engine/Submitter"
import type { HttpClient } from "effect/http/HttpClient"
import type { Staging } from "@fiscal-connector/core/import/Staging"
import { type AccountName, accountNames, accountsOf, device, pinnedDevice, policyOf, secretOf } from "./Accounts.ts"
import { type BookChoice, bookOf, documentsOf, hour, type Stated } from "./Books.ts"
import { IdleDatabases, opening } from "./Database.ts"
import { Deliveries } from "./Deliveries.ts"
import { type Draw, stream } from "./Draw.ts"
import * as Exports from "./Exports.ts"
import * as EndLaws from "./laws/EndLaws.ts"
import { fixOf } from "./Fixes.ts"
import { configOf, GatewaySide } from "./GatewaySide.ts"
import { untrue } from "./laws/HoldReasons.ts"
import { general, type Law, type Violation } from "./laws/Law.ts"
import { Network } from "./Network.ts"
import { type Decided, visiting } from "./Operator.ts"
import * as Incidents from "./Incidents.ts"
import { type Account, engine, importing, listening, resuming } from "./Programs.ts"
import { isQuiet, type Scenario, type Trouble } from "./Scenario.ts"
import type { Crash, SimulatedProcess } from "./SimulatedProcess.ts"
import { Simulation } from "./Simulation.ts"
import { note, type Seen } from "./Sometimes.ts"
import { StepLaws } from "./laws/StepLaws.ts"
import { type Row, StoreFile } from "./StoreFile.ts"

export interface Run {
  readonly scenario: Scenario
  readonly violations: ReadonlyArray<Violation>
  /** An older copy was taken for the store: what does not hold for that is counted apart. */
  readonly isApart: boolean
  /** Over every line of the trace and every choice that was made. */
  readonly hash: number
  readonly steps: number
  readonly receipts: number
  readonly seen: Seen
  /** What was run during the day, as `machine/number`. */
  readonly processes: ReadonlyArray<string>
  readonly trace: ReadonlyArray<string>
}

/** What a process runs: its last word. */
type Program = () => Effect.Effect<string, unknown, Engine | Scope.Scope>

type Engine = SubmissionStore | Submitter | StatusPoller | Staging | HttpClient

const start = Date.parse("2026-03-10T06:00:00Z")
const length = 4 * hour
const mostSteps = 3_000_000
/** An operator does what is printed, twice at most; then it must have worked. */
const mostDecisions = 2
const mostRounds = 8
/** So often the count of attempts is kept while a run sends, with what clocks differ; in milliseconds. */
const witnessedEvery = 10_000 + 10_000
const operatorMachine = 3
/** So often one process looks at a device at most: a few times in its half hour, and with every back-off of a lane. */
const mostLooks = 100
/** About so many operations lie between the commit of an attempt and the socket. */
const operationsToSocket = 90

class Day {
  readonly #scenario: Scenario
  readonly #simulation: Simulation
  readonly #store = new StoreFile()
  readonly #idle = new IdleDatabases()
  readonly #violations = new Map<string, Violation>()
  readonly #seen: Seen = new Map()
  readonly #gateway: GatewaySide
  readonly #network: Network
  readonly #laws: StepLaws
  readonly #documents: ReadonlyArray<Stated>
  readonly #accounts: ReadonlyArray<AccountName>
  #book: BookChoice
  readonly #deliveries: Deliveries
  #listener: SimulatedProcess | null = null
  #disk: "full" | "free" = "free"
  /** Codes of first uses that a person has read, by account. */
  readonly #codes = new Map<string, string>()
  /** What the witness beside the configuration knows, by store. */
  readonly #witnessed = new Map<string, WitnessedStore>()
  #aside: string | null = null
  #backup: string | null = null
  #backupAt = 0
  /** A person has taken an older copy for the store: what was lost with the newer one cannot be made good. */
  #isApart = false
  /** How long a process waits while nothing moves, in seconds. */
  readonly #patience: number
  readonly #lives: ReadonlyMap<number, Draw>
  readonly #environment: SimulatedProcess
  readonly #processes: Array<SimulatedProcess> = []
  readonly #stalls: Draw
  readonly #stallsBeforeSending: Draw
  readonly #refusals = new Map<string, string>()
  /** How far each machine's clock is ahead, in milliseconds. */
  readonly #skews: Array<number>
  readonly #decisions = new Map<string, number>()
  /** When the documents of an account were last imported, by account. */
  readonly #importedAt = new Map<string, number>()
  /** How many processes each machine has been given. */
  readonly #numbers = new Map<number, number>()
  /** Beside the configuration: one for all processes. */
  readonly #witness: StoreWitness
  #secret = "s1"
  #isCalm = false
  #isClosing = false
  #isFinished = false
  #rounds = 0

  constructor(scenario: Scenario, scope: Scope.Scope, listen: (line: string) => void) {
    const { seed } = scenario
    this.#scenario = scenario
    this.#simulation = new Simulation(seed, start, listen)
    const draw = stream(seed, "day")
    this.#book = { late: draw.pick(["hold", "restamp"]), taxCode: "VAT155" }
    const patience = draw.pick([20, 120])
    this.#patience = this.#has("patience") ? 1800 : patience
    this.#stalls = stream(seed, "stalls")
    this.#stallsBeforeSending = stream(seed, "stalls before sending")
    const preemption = draw.pick([0.0005, 0.003])
    this.#accounts = accountsOf(scenario)
    this.#lives = new Map([0, 1, 2, operatorMachine].map((machine) => [machine, stream(seed, `machine ${machine}`)]))
    this.#documents = documentsOf(scenario, start)
    const skews = stream(seed, "skew")
    this.#skews = [0, 1, 2, 3].map(() => (this.#has("skew") ? skews.between(-4000, 4000) : 0))
    const report = (law: Law, text: string) => this.#report(law, text)
    this.#deliveries = new Deliveries({
      simulation: this.#simulation,
      secrets: (account) => [...new Set([this.#secret, "s1"])].map((generation) => secretOf(account, generation)),
      joins: this.#has("exclusive"),
      believed: (text) => report("forgery", text)
    })
    const { post } = this.#deliveries
    this.#gateway = GatewaySide.start(this.#simulation, configOf(scenario), scope, post, (text) =>
      report("defect", text)
    )
    this.#network = new Network(this.#simulation, scenario, this.#gateway, {
      sending: (process, sending) => this.#laws.sending(process, sending),
      late: () => note(this.#seen, "an answer comes late"),
      limited: () => note(this.#seen, "the gateway limits"),
      lost: () => this.#lost(),
      keptBack: () => note(this.#seen, "a late request is kept from the socket"),
      looked: (times) => {
        if (times > 1) note(this.#seen, "a running process looks at the device again")
        if (times > mostLooks) this.#report("spinning", "a process looks at the device again and again")
      }
    })
    const isAlive = (pid: number) => this.#processes.some((one) => one.pid === pid && one.life === "running")
    this.#laws = new StepLaws(
      this.#store,
      this.#gateway,
      this.#simulation,
      scenario,
      this.#seen,
      isAlive,
      () => this.#attemptsWitnessed(),
      report
    )
    this.#environment = this.#simulation.process("environment", { isSpared: true })
    // nothing gives way before everything stands
    const share = this.#has("preemption") ? preemption : this.#has("stalls") ? 0.0005 : 0
    this.#simulation.preemption = { share, stalls: this.#has("stalls") ? 0.06 : 0 }
    this.#witness = {
      read: Effect.sync(() => [...this.#witnessed.values()]),
      write: (store) =>
        Effect.sync(() => {
          this.#witnessed.set(store.id, store)
          return "written"
        })
    }
    if (isQuiet(scenario)) note(this.#seen, "a day is quiet")
    if (this.#has("two-accounts")) note(this.#seen, "two accounts share a lane")
    if (this.#has("two-lanes")) note(this.#seen, "two lanes are worked")
    if (this.#has("live")) note(this.#seen, "a live device is used")
    for (const account of this.#accounts) {
      const make = Exports.makeOf(scenario, account)
      if (make !== "documents") note(this.#seen, make === "csv" ? "a CSV file is read" : "Xero-shaped JSON is read")
    }
  }

  #has(trouble: Trouble): boolean {
    return this.#scenario.troubles.has(trouble)
  }

  #report(law: Law, text: string): void {
    const violation = { law, text: general(text) }
    const key = `${law} ${violation.text}`
    if (this.#violations.has(key)) return
    this.#violations.set(key, violation)
    this.#simulation.log(`VIOLATION ${law}: ${text}`)
  }

  #later(from: number, to: number, then: () => void, machine = operatorMachine): void {
    this.#simulation.later(this.#life(machine).between(from, to), this.#environment, then)
  }

  /** What a machine's people do is drawn from a stream of its own. */
  #life(machine: number): Draw {
    return this.#lives.get(machine)!
  }

  /** Starts a process on a machine; `then` when it has ended, however that was. */
  #start(role: string, machine: number, crash: Crash | null, program: Program, then: () => void): void {
    const simulation = this.#simulation
    const process = simulation.process(`${role}${this.#processes.length + 1}`, {
      host: machine === 2 ? "office" : "shop",
      machine,
      skew: this.#skews[machine] ?? 0,
      crash,
      onDeath: () => {
        if (crash !== null)
          note(this.#seen, `a process dies at ${crash.at === "operation" ? "an" : "a"} ${crash.at}` as never)
        simulation.later(0, this.#environment, then)
      }
    })
    this.#processes.push(process)
    // the system tells processes of the same host that another has ended
    const holder: Holder = {
      name: `${process.host}/${process.pid}/0`,
      presumedDead: (name) =>
        Effect.sync(() => {
          const [host, pid] = name.split("/")
          const other = this.#processes.find((other) => other.pid === Number(pid))
          return host === process.host && other?.life !== "running"
        })
    }
    const watch = {
      committed: (by: SimulatedProcess, tables: ReadonlySet<string>) => {
        if (by === this.#listener && tables.has("fiscal_outcome")) note(this.#seen, "an outcome comes by webhook")
        this.#laws.committed(by, tables)
        // most of all while it has a lane
        if (this.#has("stalls") && !this.#isCalm && tables.has("fiscal_lane") && this.#stalls.chance(0.02))
          simulation.stall(process)
        const isBetween = this.#has("stalls-before-sending") && !this.#isCalm && tables.has("fiscal_attempt")
        if (isBetween && this.#stallsBeforeSending.chance(0.1))
          process.stallsAt = process.operations + 1 + this.#stallsBeforeSending.int(operationsToSocket)
      },
      isFull: () => this.#disk === "full" && process.host === "shop",
      contended: () => note(this.#seen, "a commit is contended")
    }
    const open = opening(simulation, process, watch, this.#idle)
    // a live device is not fed from a database that may forget
    const synchronous = this.#has("live") ? "full" : "off"
    const config = { filename: this.#store.filename, busyTimeoutMillis: 0, synchronous, open } as const
    const running = Effect.suspend(program).pipe(
      Effect.provide(engine(this.#network.client(process), config, holder)),
      Effect.scoped
    )
    if (role === "listener") this.#listener = process
    simulation.log(`${process.name} starts on machine ${machine}`)
    simulation.spawn(process, running, (exit) => {
      process.life = "ended"
      for (const connection of process.connections) {
        this.#report("leak", `${role} left a connection open`)
        connection.close()
      }
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        this.#report("defect", `${role}: ${Cause.pretty(exit.cause).split("\n").slice(0, 3).join(" ")}`)
      if (role === "historical" && this.#has("no-upload")) note(this.#seen, "a historical batch is refused")
      const end = Exit.isSuccess(exit) ? exit.value : Cause.pretty(exit.cause).split("\n")[0]!
      if (end.includes("lost the lane")) note(this.#seen, "a writer is fenced off")
      simulation.log(`${process.name} ends: ${end}`)
      then()
    })
  }

  // what people and machines run

  /** `part`: draws what of the documents the export has, mostly the latest; all of them where it is null. */
  #importing(account: AccountName, part: Draw | null, passage: "ordinary" | "historical" = "ordinary") {
    return () => {
      const { now } = this.#simulation
      const since = part === null || part.chance(0.4) ? 0 : now - part.between(0.2 * hour, 1.5 * hour)
      const there = this.#documents.filter(
        (one) => one.account === account && one.appears <= now && (one.appears >= since || one.corrected >= since)
      )
      return importing({
        account: this.#account(account),
        others: this.#accounts.filter((other) => other !== account).map((other) => this.#account(other)),
        book: bookOf(this.#book),
        readings: Exports.readings(
          Exports.makeOf(this.#scenario, account),
          there.filter(() => part === null || part.chance(0.8)),
          now,
          this.#scenario.seed
        ),
        passage,
        patience: this.#patience,
        refused: (id, because) => {
          if (because === null) this.#refusals.delete(id)
          else this.#refusals.set(id, because)
        }
      })
    }
  }

  #resuming() {
    return () =>
      resuming(
        this.#accounts.map((account) => this.#account(account)),
        this.#patience
      )
  }

  #account(account: AccountName): Account {
    return {
      account,
      secret: secretOf(account, this.#secret),
      zone: bookOf(this.#book).zone,
      witness: this.#witness,
      policy: policyOf(this.#scenario),
      firstUse: this.#codes.get(account),
      stopped: (name, reasons) => this.#stopped(name, reasons)
    }
  }

  /** A person reads why an account was not opened. */
  #stopped(account: string, reasons: AccountStopped["reasons"]): void {
    for (const reason of reasons) {
      if (reason._tag === "StoreOlder") note(this.#seen, "an older store is noticed")
      if (reason._tag !== "FirstUse") continue
      // who reads that another store was used looks for it
      if (reason.other !== null) note(this.#seen, "a lost store is noticed")
      // and who reads of a device that is not theirs does not take it for theirs
      else if (this.#store.standing === "own" && pinnedDevice(account) === reason.device.deviceId)
        this.#codes.set(account, reason.code)
    }
  }

  #visiting() {
    return () =>
      visiting({
        gateway: this.#gateway,
        underWay: (id) => this.#network.underWay.get(id) ?? 0,
        leaves: Duration.minutes(this.#isCalm ? 0 : 10),
        attends: this.#isCalm ? "everything" : "unknowns",
        historical: this.#has("no-upload") ? "refused" : "permitted",
        typos: this.#has("typos") && !this.#isCalm ? this.#life(operatorMachine) : null,
        decided: (decided) => this.#decided(decided)
      })
  }

  #decided(decided: Decided): void {
    const { code, decision, result, submission } = decided
    this.#simulation.log(`the operator says ${decision._tag} of ${submission.id}, ${code}: ${result}`)
    this.#laws.decided(decided)
    if (!this.#isCalm) return
    const reason = untrue(submission, {
      gateway: this.#gateway,
      store: this.#store,
      network: this.#network,
      ruledOut: (submission) => this.#laws.ruledOut(submission),
      documents: this.#documents,
      importedAt: this.#importedAt.get(submission.account) ?? 0
    })
    if (reason !== null) this.#report("hold-reason", reason)
    if (result === "refused") this.#report("way-out", `${code}: ${fixOf(code)} is printed, and refused`)
    const key = `${submission.id} ${code}`
    const times = (this.#decisions.get(key) ?? 0) + 1
    this.#decisions.set(key, times)
    if (times > mostDecisions) this.#report("way-out", `${code}: ${fixOf(code)} is printed, and changes nothing`)
  }

  #crash(role: "import" | "resume", life: Draw): Crash | null {
    const dies = life.chance(0.6)
    const crash = life.pick<Crash>([
      { at: "operation", n: 1 + life.int(role === "import" ? 60_000 : 20_000) },
      { at: "commit", n: 1 + life.int(40), side: life.pick(["before", "after"]) },
      { at: "request", n: 1 + life.int(12), phase: life.pick(["before", "in-flight", "answered"]) }
    ])
    return dies && this.#has("crashes") ? crash : null
  }

  get #isOver(): boolean {
    return this.#isCalm || this.#simulation.now > start + length
  }

  /** One process after the other on a machine. */
  #work(machine: number): void {
    if (this.#isOver) return
    const life = this.#life(machine)
    const account = life.pick(accountNames)
    const own = this.#accounts.includes(account) ? account : "shop"
    const role = life.chance(0.6) ? "import" : "resume"
    const program = role === "import" ? this.#importing(own, life) : this.#resuming()
    const crash = this.#crash(role, life)
    const number = (this.#numbers.get(machine) ?? 0) + 1
    this.#numbers.set(machine, number)
    const impatience = life()
    /** People come back at once, so that processes meet; less so where nothing goes on without somebody else. */
    const next = () => {
      const isAtOnce = impatience < (this.#canGoOn() ? 0.7 : 0.15)
      const [from, to] = isAtOnce ? [1000, 60_000] : [900_000, 1.25 * hour]
      this.#later(from, to, () => this.#work(machine), machine)
    }
    if (this.#scenario.idle.has(`${machine}/${number}`)) next()
    else this.#start(role, machine, crash, program, next)
  }

  #operate(): void {
    if (this.#isOver) return
    const slow = this.#has("slow-operator") ? 3 : 1
    this.#start("operator", operatorMachine, null, this.#visiting(), () =>
      this.#later(1_800_000 * slow, 5_400_000 * slow, () => this.#operate())
    )
  }

  // what goes wrong

  /** Nothing goes through, so somebody closes the day: once. */
  #lost(): void {
    if (!this.#has("closes-after-loss") || this.#isOver || this.#isClosing) return
    this.#isClosing = true
    this.#simulation.later(stream(this.#scenario.seed, "closes after loss").between(1000, 900_000), null, () => {
      if (this.#isCalm) return
      note(this.#seen, "the day is closed")
      note(this.#seen, "the day is closed after a request was lost")
      this.#gateway.closeDay()
    })
  }

  #incidents(): Incidents.IncidentsOptions {
    return {
      scenario: this.#scenario,
      simulation: this.#simulation,
      gateway: this.#gateway,
      deliveries: this.#deliveries,
      seen: this.#seen,
      isCalm: () => this.#isCalm,
      jump: (by) => this.#jump(by),
      exchangeSecret: () => {
        this.#simulation.log("the secret is exchanged")
        this.#secret = "s2"
        for (const account of this.#accounts)
          this.#gateway.on(({ control }) => control.changeAccount({ account, secret: secretOf(account, "s2") }))
      },
      editBook: () => {
        const { late } = this.#book
        this.#book = { late: late === "hold" ? "restamp" : "hold", taxCode: "STD155" }
        this.#simulation.log(`the mapping book is edited: late is ${this.#book.late}, and the tax is STD155`)
      },
      disk: (state) => {
        this.#simulation.log(`the shop's disk is ${state}`)
        this.#disk = state
      },
      store: {
        backup: () => {
          this.#simulation.log("a backup of the store is made")
          this.#backup = this.#store.backup()
          this.#backupAt = this.#simulation.now
        },
        restore: () => {
          if (this.#backup === null) return
          const sent = new Set(this.#laws.sent.keys())
          this.#exchange("a backup is put in the store's place", this.#backup)
          const [last] = this.#store.read("select coalesce(max(id), 0) as attempts from fiscal_attempt")
          const seen = this.#attemptsWitnessed()
          if (Number(last!["attempts"]) >= seen) {
            const after = this.#store.attemptsAside(this.#aside!, Number(last!["attempts"]))
            return this.#untold(after.filter(({ id }) => sent.has(Number(id))))
          }
          note(this.#seen, "an older store is restored")
          this.#store.standing = "an older copy"
        },
        lose: () => {
          note(this.#seen, "a store is lost")
          // what was never used tells nobody that it is missing
          const isUsed = this.#witnessed.size > 0
          this.#exchange("the store is mislaid", "empty")
          if (isUsed) this.#store.standing = "another store"
        },
        find: () => {
          // where nothing told them apart, what is there has been used since
          if (this.#store.standing === "own" || this.#aside === null) return
          this.#exchange("the newer store is found, and put back", this.#aside)
          this.#store.standing = "own"
        },
        accept: () => this.#accept()
      }
    }
  }

  #attemptsWitnessed(): number {
    const [store] = this.#store.read("select id from fiscal_store")
    return this.#witnessed.get(String(store?.["id"]))?.attempts ?? 0
  }

  /** An older copy that nothing tells: then hardly anything was sent since it was made, by a run that was cut off. */
  #untold(sent: ReadonlyArray<Row>): void {
    if (sent.length === 0) return
    this.#simulation.log("nothing tells that it is an older copy")
    this.#isApart = true
    const known = this.#backupAt + witnessedEvery
    if (sent.some((row) => Number(row["begun_at"]) > known) && !this.#has("clock-jumps"))
      this.#report("store", "an older copy that nothing tells, although more was sent than in the ten seconds after it")
  }

  /** Puts a file in the place of the store; the machines are restarted for it. */
  #exchange(said: string, file: string): void {
    this.#simulation.log(said)
    for (const process of this.#processes)
      if (process.life === "running") this.#simulation.kill(process, "with its machine")
    this.#idle.close()
    if (file === this.#aside) this.#aside = null
    else this.#aside = this.#store.putAside()
    this.#store.putInPlace(file)
    this.#laws.adopt()
  }

  /** A person says that the older copy is the store from now on. */
  #accept(): void {
    if (this.#store.standing === "own") return
    const accepting = () =>
      Effect.map(OlderStore.accept(this.#witness, "the newer one is gone"), (held) => {
        this.#store.standing = "own"
        this.#isApart = true
        note(this.#seen, "an older store is accepted")
        return `${held} held, since the store is an older copy`
      })
    this.#start("accept", operatorMachine, null, accepting, () => {})
  }

  /** Somebody listens for deliveries; who dies is started again. */
  #listen(): void {
    const life = this.#life(1)
    const isCrashing = this.#has("crashes") && !this.#isOver && stream(this.#scenario.seed, "listener").chance(0.7)
    const crash: Crash | null = isCrashing
      ? life.pick<Crash>([
          { at: "operation", n: 1 + life.int(20_000) },
          { at: "commit", n: 1 + life.int(20), side: life.pick(["before", "after"]) }
        ])
      : null
    const program = () =>
      listening((receiver) => {
        this.#deliveries.listener = { process: this.#listener!, receiver }
      })
    this.#start("listener", 1, crash, program, () => this.#later(1000, 600_000, () => this.#listen(), 1))
  }

  /** The clock of the first machine, with everything that runs on it. */
  #jump(by: number): void {
    // in the calm every clock has been set
    if (this.#isCalm) return
    this.#simulation.log(`the clock of machine 0 jumps by ${Math.round(by / 1000)} s`)
    this.#skews[0] = (this.#skews[0] ?? 0) + by
    for (const process of this.#processes) {
      if (process.machine !== 0 || process.life !== "running") continue
      process.skew += by
      process.skewedAt = this.#simulation.now
    }
  }

  // the calm: everything works again, and an operator does what is printed

  #drain(): void {
    if (!this.#isCalm) {
      if (this.#processes.some((process) => process.life === "running" && process !== this.#listener)) {
        this.#later(60_000, 120_000, () => this.#drain())
        return
      }
      this.#isCalm = true
      this.#network.isCalm = true
      this.#simulation.log("from here on nothing fails any more")
      this.#skews.fill(0)
      this.#disk = "free"
      if (this.#store.standing !== "own") this.#incidents().store.find()
      this.#gateway.change({ deviceId: device, standing: "on" })
      this.#simulation.preemption = { share: this.#simulation.preemption.share, stalls: 0 }
      this.#gateway.on(({ control }) => control.clearFaults)
      this.#gateway.on(({ control }) => control.change({ processingDelayMillis: 3000 }))
    }
    const steps: ReadonlyArray<readonly [role: string, program: Program, account?: AccountName]> = [
      ...this.#accounts.map((account) => ["import", this.#importing(account, null), account] as const),
      ...this.#historical().map((account) => ["historical", this.#importing(account, null, "historical")] as const),
      ["operator", this.#visiting()],
      ["resume", this.#resuming()]
    ]
    const next = (i: number): void => {
      const step = steps[i]
      if (step !== undefined) {
        const [role, program, account] = step
        if (account !== undefined) this.#importedAt.set(account, this.#simulation.now)
        this.#start(role, 0, null, program, () => this.#later(1000, 2000, () => next(i + 1)))
        return
      }
      if (++this.#rounds >= mostRounds || this.#isSettled()) {
        this.#isFinished = true
        return
      }
      // the last one looks again after the gateway has stopped answering for what it took
      // nobody looks for longer than the gateway answers for what it has processed
      const isLongAway = this.#has("horizon") && this.#rounds === 1
      // the last one looks again after the gateway has stopped answering for what it took
      const pause = isLongAway ? 17 * 24 : this.#rounds === mostRounds - 1 ? 170 : 1
      this.#later(pause * hour, (pause + 0.1) * hour, () => this.#drain())
    }
    next(0)
  }

  /** Whether something is left that goes on by itself. */
  #canGoOn(): boolean {
    const rows = this.#store.read(
      "select distinct state from fiscal_submission where state not in ('Fiscalised', 'Held')"
    )
    const states = new Set(rows.map((row) => row["state"]))
    return !states.has("Unknown") && (states.has("Planned") || states.has("Sending") || states.has("Accepted"))
  }

  /** Accounts with documents for which an import under --historical is printed. */
  #historical(): ReadonlyArray<AccountName> {
    const rows = this.#store.read(
      "select distinct account from fiscal_submission where state = 'Held' and hold_cause = 'historical'"
    )
    return this.#accounts.filter((account) => rows.some((row) => row["account"] === account))
  }

  #isSettled(): boolean {
    const states = new Map(
      this.#store.read("select id, state from fiscal_submission").map(({ id, state }) => [id, state])
    )
    // what the import refuses for its original's sake stays refused; anything else, also what the store has of that, takes another round
    const isRefused = (id: string, state: unknown) =>
      this.#refusals.get(id) === "RCPT035" && (state === undefined || state === "Withdrawn")
    return this.#documents.every(({ id }) => states.get(id) === "Fiscalised" || isRefused(id, states.get(id)))
  }

  run(): Run {
    const simulation = this.#simulation
    for (const machine of this.#scenario.machines) this.#later(0, 60_000, () => this.#work(machine), machine)
    this.#later(600_000, 1_200_000, () => this.#operate())
    Incidents.faults(this.#incidents())
    Incidents.schedule(this.#incidents())
    if (this.#has("webhooks")) this.#listen()
    simulation.later(length, this.#environment, () => this.#drain())
    while (!this.#isFinished && simulation.steps < mostSteps && !simulation.isTurningOnTheSpot && simulation.step());
    if (simulation.isTurningOnTheSpot) this.#report("spinning", "so much in one moment")
    else if (!this.#isFinished) this.#report("end", "it goes on and on")
    EndLaws.check({
      scenario: this.#scenario,
      documents: this.#documents,
      gateway: this.#gateway,
      store: this.#store,
      refusals: this.#refusals,
      unknowing: this.#laws.unknowing,
      report: (law, text) => this.#report(law, text)
    })
    if (this.#gateway.receipts.some(({ kind }) => kind === "credit-note"))
      note(this.#seen, "a credit note is fiscalised")
    if (this.#listener?.life === "running") for (const connection of this.#listener.connections) connection.close()
    this.#idle.close()
    this.#store.close()
    return {
      isApart: this.#isApart,
      scenario: this.#scenario,
      violations: [...this.#violations.values()],
      hash: simulation.hash >>> 0,
      steps: simulation.steps,
      receipts: this.#gateway.receipts.length,
      seen: this.#seen,
      processes: Array.from(this.#numbers, ([machine, numbers]) =>
        Array.from({ length: numbers }, (_, i) => `${machine}/${i + 1}`)
      ).flat(),
      trace: simulation.trace
    }
  }
}

/** Runs a scenario; the same one always comes to the same. `listen` is told every line of the trace. */
export const run = (scenario: Scenario, listen: (line: string) => void = () => {}): Run =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.sync(() => new Day(scenario, scope, listen).run()),
      (scope) => Scope.close(scope, Exit.void)
    )
  )
