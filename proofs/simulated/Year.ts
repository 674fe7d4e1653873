/**
 * Simulates twelve months of a busy business on one store: fifty lanes, each with two invoices a
 * day, together nearly one credit note a day. Every evening all devices are closed; outcomes arrive
 * by webhook. During the year, all secrets are rotated, the gateway is down for two days, and a
 * device is replaced permanently.
 */
import { Cause, Effect, Exit, Scope, Stream } from "effect"
import { statSync } from "node:fs"
import { keyOf, secretOf } from "./Accounts.ts"
import { bookOf, hour, sourceOf, type Stated } from "./Books.ts"
import type { Program } from "./day/Machines.ts"
import { addressOf, Deliveries } from "./Deliveries.ts"
import { GatewaySide, mappings } from "./GatewaySide.ts"
import { Network } from "./Network.ts"
import { type Account, importing, listening, repinning } from "./Programs.ts"
import { of as scenarioOf } from "./Scenario.ts"
import { Shop } from "./Shop.ts"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import { Simulation } from "./Simulation.ts"

const start = Date.parse("2026-01-02T00:00:00Z")
const day = 24 * hour
/** Devices of the simulated business, each with a lane. */
const lanes = 50
const [firstDevice, newDevice] = [2001, 3001]
/** Day of each incident, counted from 0; proportionally earlier in a shorter run. */
const turnsOf = (days: number) => ({
  /** First of two days without the gateway. */
  outage: Math.floor(days * 0.27),
  rotation: Math.floor(days * 0.41),
  replacement: Math.floor(days * 0.55)
})
/** Lane whose device is replaced. */
const replaced = 7

export interface YearOptions {
  readonly days: number
  readonly say: (line: string) => void
}

const nameOf = (lane: number) => `lane-${String(lane).padStart(2, "0")}`

const namedBy = (id: string) => ({ id, number: id, description: "Thing" })

/** Returns the documents of a lane on a day. */
const statedOn = (lane: number, on: number): ReadonlyArray<Stated> => {
  const date = new Date(start + on * day).toISOString().slice(0, 10)
  const base = {
    account: nameOf(lane),
    date,
    appears: start + on * day,
    corrected: Number.POSITIVE_INFINITY,
    amount: "100.00",
    correctedAmount: "100.00"
  }
  const invoices = [0, 1].map((n) => {
    const order = (on * lanes + lane) * 3 + n
    return {
      ...base,
      kind: "invoice" as const,
      ...namedBy(`INV-${lane}-${on}-${n}`),
      order,
      original: null,
      originalNumber: null
    }
  })
  // More than three hundred a year over all lanes, each for an invoice of three days before.
  const isNoted =
    Math.floor(((on + 1) * 310) / 365) > Math.floor((on * 310) / 365) && on >= 3 && (on * 7) % lanes === lane
  const order = (on * lanes + lane) * 3 + 2
  const original = `INV-${lane}-${on - 3}-0`
  return isNoted
    ? [
        ...invoices,
        {
          ...base,
          ...namedBy(`CN-${lane}-${on}`),
          kind: "credit-note",
          order,
          original,
          originalNumber: original,
          amount: "40.00"
        }
      ]
    : invoices
}

class Year {
  readonly #options: YearOptions
  readonly #simulation: Simulation
  readonly #shop: Shop
  readonly #gateway: GatewaySide
  readonly #network: Network
  readonly #deliveries: Deliveries
  readonly #environment: SimulatedProcess
  readonly #problems: Array<string> = []
  #secret = "s1"
  #listener: SimulatedProcess | null = null
  #isOver = false

  constructor(options: YearOptions, scope: Scope.Scope) {
    this.#options = options
    this.#simulation = new Simulation(1, start, () => {})
    this.#shop = new Shop(this.#simulation)
    const scenario = scenarioOf(1, { only: [] })
    const problem = (text: string) => this.#problem(text)
    this.#deliveries = new Deliveries({
      simulation: this.#simulation,
      secrets: (account) => [...new Set([this.#secret, "s1"])].map((generation) => secretOf(account, generation)),
      joins: false,
      believed: problem
    })
    const numbers = Array.from({ length: lanes }, (_, lane) => lane)
    const device = (deviceId: number) => ({ deviceId, serialNo: `SBX-${deviceId}`, taxPayerDayMaxHrs: 99 })
    const config = {
      accounts: numbers.map((lane) => ({
        key: keyOf(nameOf(lane)),
        name: nameOf(lane),
        secret: secretOf(nameOf(lane), "s1"),
        device: firstDevice + lane,
        webhook: { url: addressOf(nameOf(lane)) },
        ...mappings
      })),
      devices: [...numbers.map((lane) => device(firstDevice + lane)), device(newDevice)]
    }
    this.#gateway = GatewaySide.start(this.#simulation, config, scope, this.#deliveries.post, problem)
    const watch = {
      sending: () => {},
      late: () => {},
      limited: () => problem("the gateway limits"),
      lost: () => {},
      held: () => {},
      keptBack: () => {},
      deviceFailed: () => {},
      looked: () => {}
    }
    this.#network = new Network(this.#simulation, scenario, this.#gateway, watch)
    this.#environment = this.#simulation.process("environment")
  }

  #problem(text: string): void {
    const on = Math.floor((this.#simulation.now - start) / day)
    if (this.#problems.length < 20) this.#options.say(`day ${on}: ${text}`)
    this.#problems.push(text)
  }

  #account(lane: number): Account {
    const account = nameOf(lane)
    return {
      account,
      secret: secretOf(account, this.#secret),
      zone: bookOf({ late: "hold", taxCode: "VAT155" }).zone,
      // Outcomes arrive by webhook; lost outcomes are looked up in the evening.
      policy: { firstLook: "12 hours" },
      ...this.#shop.account
    }
  }

  /** Runs a program as a process of the shop. */
  #start(name: string, program: ReturnType<Program>, then: (end: string) => void): SimulatedProcess {
    return this.#shop.start(name, program, this.#network, (exit) => {
      if (Exit.isFailure(exit)) this.#problem(`${name}: ${Cause.pretty(exit.cause).split("\n")[0]}`)
      then(Exit.isSuccess(exit) ? exit.value : "")
    })
  }

  #listen(): void {
    const program = listening((receiver) => {
      this.#deliveries.listener = { process: this.#listener!, receiver }
    })
    this.#listener = this.#start("listener", program, () => {})
  }

  /** Imports a lane's export of the day, which contains the last five days. */
  #import(lane: number, on: number): void {
    const days = [4, 3, 2, 1, 0].map((back) => on - back).filter((one) => one >= 0)
    const documents = days.flatMap((one) => statedOn(lane, one)).map((one) => sourceOf(one, this.#simulation.now))
    const isDown = this.#network.gateway === "down"
    const order = {
      account: this.#account(lane),
      others: [],
      book: bookOf({ late: "hold", taxCode: "VAT155" }),
      readings: Stream.fromIterable(documents),
      timing: "ordinary" as const,
      patience: 10,
      refused: (id: string, because: string | null) => {
        if (because !== null) this.#problem(`${id} is refused: ${because}`)
      }
    }
    this.#start(`import ${nameOf(lane)}`, importing(order), (end) => {
      if (!isDown && !/^\d+ sent, (drained|waiting for original)/.test(end)) this.#problem(`${nameOf(lane)}: ${end}`)
    })
  }

  #day(on: number): void {
    const turns = turnsOf(this.#options.days)
    const at = (time: number, then: () => void) => this.#simulation.later(time, this.#environment, then)
    if (on === turns.rotation) {
      this.#secret = "s2"
      for (let lane = 0; lane < lanes; lane++) {
        const account = nameOf(lane)
        this.#gateway.on(({ control }) => control.changeAccount({ account, secret: secretOf(account, "s2") }))
      }
    }
    if (on === turns.outage) this.#network.gateway = "down"
    if (on === turns.outage + 2) this.#network.gateway = "up"
    if (on === turns.replacement) {
      const account = nameOf(replaced)
      this.#gateway.on(({ control }) => control.changeAccount({ account, device: newDevice }))
      at(hour, () => {
        this.#start("repin", repinning(this.#account(replaced), "the device was replaced"), (end) =>
          this.#options.say(`day ${on}: ${account} ${end}`)
        )
      })
    }
    for (let lane = 0; lane < lanes; lane++) at(8 * hour + lane * 60_000, () => this.#import(lane, on))
    at(18 * hour, () => {
      if (this.#network.gateway === "up") this.#close()
      if ((on + 1) % 10 === 0 || on + 1 === this.#options.days) this.#tell(on + 1)
      // Schedules the next day, or after the last day one more for unfinished work.
      if (on + 1 < this.#options.days) at(6 * hour, () => this.#day(on + 1))
      else at(day, () => this.#end(on))
    })
  }

  #close(): void {
    for (const deviceId of [...Array.from({ length: lanes }, (_, lane) => firstDevice + lane), newDevice])
      this.#gateway.on(
        ({ control }) => control.closeDay({ deviceId }),
        ({ result }) => {
          if (result !== "closed") this.#problem(`the day of ${deviceId} is ${result}`)
        }
      )
  }

  #tell(days: number): void {
    const [{ n } = { n: 0 }] = this.#shop.store.read(
      "select count(*) as n from fiscal_submission where state = 'Fiscalised'"
    )
    const { system, user } = process.cpuUsage()
    this.#options.say(
      `${days} days: ${n} documents fiscalised, ${Math.round((system + user) / 1_000_000)} s of processor time`
    )
  }

  /** Imports every lane a last time, then ends the run. */
  #end(on: number): void {
    for (let lane = 0; lane < lanes; lane++)
      this.#simulation.later(lane * 60_000, this.#environment, () => this.#import(lane, on))
    this.#simulation.later(day, this.#environment, () => {
      this.#isOver = true
    })
  }

  #check(): void {
    const { receipts } = this.#gateway
    const rows = new Map(
      this.#shop.store.read("select id, state from fiscal_submission").map(({ id, state }) => [id, state])
    )
    const own = Map.groupBy(receipts, ({ documentId }) => documentId)
    for (let on = 0; on < this.#options.days; on++) {
      for (const { id } of Array.from({ length: lanes }, (_, lane) => statedOn(lane, on)).flat()) {
        if (rows.get(id) !== "Fiscalised") this.#problem(`${id} is ${rows.get(id) ?? "not in the store"}`)
        if (own.get(id)?.length !== 1) this.#problem(`${id} has ${own.get(id)?.length ?? 0} receipts`)
      }
    }
    const latest = new Map<number, number>()
    for (const { deviceId, documentId, epochSeconds, marks } of receipts) {
      if (marks.length > 0) this.#problem(`${documentId} is colored: ${marks.map(({ code }) => code).join(", ")}`)
      if (epochSeconds <= (latest.get(deviceId) ?? 0)) this.#problem(`${documentId} is not later than the one before`)
      latest.set(deviceId, epochSeconds)
    }
  }

  run(): number {
    const simulation = this.#simulation
    this.#listen()
    simulation.later(0, this.#environment, () => this.#day(0))
    while (!this.#isOver && !simulation.isTurningOnTheSpot && simulation.step());
    if (!this.#isOver) this.#problem("it does not come to its end")
    this.#check()
    const { receipts } = this.#gateway
    const notes = receipts.filter(({ kind }) => kind === "credit-note").length
    const sources = this.#shop.store.read("select source, count(*) as n from fiscal_outcome group by source")
    const size = Math.round(statSync(this.#shop.store.filename).size / 2 ** 20)
    const by = sources.map(({ n, source }) => `${n} by ${source}`).join(", ")
    this.#options.say(
      `${this.#options.days} days, ${lanes} lanes: ${receipts.length} receipts, ${notes} of them credit notes; outcomes ${by}; store ${size} MiB; ${this.#problems.length} problems`
    )
    for (const connection of this.#listener?.connections ?? []) connection.close()
    this.#shop.close()
    return this.#problems.length
  }
}

/** Runs the given number of days; returns the number of problems found. */
export const run = (options: YearOptions): number =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.sync(() => new Year(options, scope).run()),
      (scope) => Scope.close(scope, Exit.void)
    )
  )
