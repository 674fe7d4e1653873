/** The gateway, its devices and its book: a process of its own that never dies, whose clock is the true time. */
import { Cause, Effect, Exit, Scope } from "effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { Submission } from "@fiscal-connector/sandbox/gateway/Submission"
import type { Answer, Cut } from "@fiscal-connector/sandbox/http/InProcess"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { accountNames } from "./Books.ts"
import { stream, uuid } from "./Draw.ts"
import type { Scenario } from "./Scenario.ts"
import type { Simulation } from "./Simulation.ts"
import type { SimulatedProcess } from "./SimulatedProcess.ts"

export const keyOf = (account: string) => `key-${account}`
/** The device that the accounts feed from the start, and the one that takes its place for a while. */
export const device = 1001
export const otherDevice = 1002

const processingDelay = 3000

/** The device as it truly was, from a moment on. */
export interface DeviceHistory {
  readonly at: number
  readonly deviceId: number
  readonly standing: "on" | "off"
}

export class GatewaySide {
  readonly process: SimulatedProcess
  readonly #simulation: Simulation
  readonly #sandbox: Sandbox.InProcessSandbox
  readonly #problem: (text: string) => void
  /** What was true of the accounts' device, oldest first. */
  readonly history: Array<DeviceHistory>
  /** When fiscal days were closed, in milliseconds. */
  readonly closes: Array<number> = []

  private constructor(
    simulation: Simulation,
    process: SimulatedProcess,
    sandbox: Sandbox.InProcessSandbox,
    problem: (text: string) => void
  ) {
    this.#simulation = simulation
    this.process = process
    this.#sandbox = sandbox
    this.#problem = problem
    this.history = [{ at: simulation.now, deviceId: device, standing: "on" }]
  }

  /** Starts it; the simulation runs until it stands. */
  static start(simulation: Simulation, scenario: Scenario, scope: Scope.Scope, problem: (text: string) => void) {
    const process = simulation.process("gateway", { isSpared: true })
    const accounts = accountNames.slice(0, scenario.troubles.has("two-accounts") ? 2 : 1)
    const made = Sandbox.makeInProcess(
      {
        processingDelayMillis: processingDelay,
        accounts: accounts.map((name) => ({
          key: keyOf(name),
          name,
          secret: "s1",
          device,
          taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
          currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
        })),
        devices: [
          { deviceId: device, taxPayerDayMaxHrs: 99, allowCsvUpload: true, expireCsvUpload: "2099-12-31T00:00:00" },
          { deviceId: otherDevice, serialNo: "SBX-0002", taxPayerDayMaxHrs: 99 }
        ]
      },
      uuid(stream(scenario.seed, "request ids"))
    )
    let started!: GatewaySide
    simulation.spawn(process, Effect.provideService(made, Scope.Scope, scope), (exit) => {
      if (Exit.isSuccess(exit)) started = new GatewaySide(simulation, process, exit.value, problem)
      else problem(Cause.pretty(exit.cause))
    })
    while (simulation.step());
    return started
  }

  /** Lets the gateway do something in its own time. */
  on<A, E>(effect: (sandbox: Sandbox.InProcessSandbox) => Effect.Effect<A, E>, then: (value: A) => void = () => {}) {
    this.#simulation.spawn(this.process, effect(this.#sandbox), (exit) => {
      if (Exit.isSuccess(exit)) then(exit.value)
      else this.#problem(`the gateway: ${Cause.pretty(exit.cause).split("\n")[0]}`)
    })
  }

  /** Serves a request that has arrived, and works off what it accepted when that is due. */
  serve(request: HttpClientRequest.HttpClientRequest, answered: (exit: Exit.Exit<Answer, Cut>) => void): void {
    this.on(({ answer }) => Effect.exit(answer(request)), answered)
    this.#simulation.later(processingDelay + 1, this.process, () => this.on(({ control }) => control.receipts))
  }

  /** The device is another one, or stands otherwise, from now on. */
  change(to: Partial<Pick<DeviceHistory, "deviceId" | "standing">>): void {
    const before = this.history.at(-1)!
    const after = { ...before, ...to, at: this.#simulation.now }
    this.history.push(after)
    this.on(({ config, control }) =>
      Effect.gen(function* () {
        for (const [i] of config.accounts.entries()) {
          yield* control.changeAccount({ account: accountNames[i]!, device: after.deviceId })
        }
        yield* control.changeDevice({ deviceId: device, isSwitchedOn: after.standing === "on" })
      })
    )
  }

  closeDay(): void {
    this.on(
      ({ control }) => control.closeDay({ deviceId: device }),
      ({ closedAt, result }) => {
        if (result === "closed") this.closes.push(Date.parse(closedAt))
        this.#simulation.log(`somebody closes the fiscal day: ${result}`)
      }
    )
  }

  /** The requests of a document that the gateway has taken, oldest first. */
  requestsOf(account: string, kind: string, id: string): ReadonlyArray<Submission> {
    return this.#sandbox.world.documents.get(JSON.stringify([account, kind, id])) ?? []
  }

  get requests(): ReadonlyArray<Submission> {
    return [...this.#sandbox.world.submissions.values()]
  }

  /** In the order in which the devices issued them. */
  get receipts(): ReadonlyArray<IssuedReceipt> {
    return this.#sandbox.world.receipts.all()
  }
}
