/**
 * Gateway of a simulated day, with its devices and receipts: a separate process that never dies and
 * has the true time.
 */
import { Cause, Effect, Exit, Scope } from "effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { currentOutcome, type Submission } from "@fiscal-connector/sandbox/gateway/Submission"
import type { InProcessResponse, Cut } from "@fiscal-connector/sandbox/http/InProcess"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import type { Input } from "@fiscal-connector/sandbox/SandboxConfig"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import {
  accountOf,
  accountsOf,
  branchDevice,
  device,
  keyOf,
  otherDevice,
  otherTill,
  pinnedDevice,
  secretOf
} from "./Accounts.ts"
import * as Channel from "@fiscal-connector/sandbox/webhook/Channel"
import { addressOf } from "./Deliveries.ts"
import { stream, uuid } from "./Draw.ts"
import type { Scenario } from "./Scenario.ts"
import type { Simulation } from "./Simulation.ts"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import * as Words from "./Words.ts"

/** Default processing time of a document, in milliseconds. */
const processingDelay = 3000

/** Number of different words for documents in work on one day. */
const wordsOfDay = 8

/** Returns the words for documents in work, with the time of the work. */
export const wordsInWork = ({ seed }: Scenario): readonly [Words.Words, ...ReadonlyArray<Words.Words>] => {
  const draw = stream(seed, "working words")
  const words = () => Words.whileWorking(draw)
  return [words(), ...Array.from({ length: wordsOfDay - 1 }, words)]
}

/** Mappings of every account. */
export const mappings = {
  taxMappings: ["VAT155", "STD155"].map((taxCode) => ({ taxCode, destinationTaxId: 515 })),
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}

/** True state of the device from a moment on. */
export interface DeviceHistory {
  readonly at: number
  readonly deviceId: number
  readonly standing: "on" | "off"
}

/** Returns the gateway's configuration at the start of a scenario's day. */
export const configOf = (scenario: Scenario): Input => {
  const { troubles } = scenario
  const isLive = troubles.has("live")
  return {
    isRetry: troubles.has("deduplicates") ? stream(scenario.seed, "retry").pick(["same-id", "new-id"]) : "ignored",
    unknownIds: troubles.has("unknown-ids") || troubles.has("same-words") ? "error-item" : "omit",
    ...(troubles.has("same-words") && { unknownItem: wordsInWork(scenario)[0] }),
    ...(troubles.has("early-words") && { repeats: stream(scenario.seed, "repeats").pick(["fail", "decline"]) }),
    accounts: [
      ...accountsOf(scenario).map((name) => ({
        key: keyOf(name),
        name,
        secret: secretOf(name, "s1"),
        device: pinnedDevice(name),
        ...mappings,
        ...(troubles.has("webhooks") && { webhook: { url: addressOf(name) } })
      })),
      { key: keyOf(otherTill), name: otherTill, device, ...mappings }
    ],
    devices: [
      {
        deviceId: device,
        isLive,
        taxPayerDayMaxHrs: 999,
        allowCsvUpload: !troubles.has("no-upload"),
        expireCsvUpload: "2099-12-31T00:00:00"
      },
      { deviceId: otherDevice, isLive, serialNo: "SBX-0002", taxPayerDayMaxHrs: 999 },
      { deviceId: branchDevice, isLive, serialNo: "SBX-0003", taxPayerDayMaxHrs: 999 }
    ]
  }
}

export class GatewaySide {
  readonly process: SimulatedProcess
  readonly #simulation: Simulation
  readonly #sandbox: Sandbox.InProcessSandbox
  readonly #problem: (text: string) => void
  /** True states of the accounts' device, oldest first. */
  readonly history: Array<DeviceHistory>
  /** Calls of the accounts. */
  readonly calls: Array<{ readonly account: string; readonly at: number }> = []
  /** Times at which fiscal days were closed, in milliseconds. */
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

  /** Starts the gateway; runs the simulation until the gateway is ready. */
  static start(
    simulation: Simulation,
    config: Input,
    scope: Scope.Scope,
    post: Channel.Post,
    problem: (text: string) => void
  ) {
    const process = simulation.process("gateway", { isSpared: true })
    const made = Sandbox.makeInProcess(
      { processingDelayMillis: processingDelay, ...config },
      uuid(stream(simulation.seed, "request ids"))
    )
    let started!: GatewaySide
    simulation.spawn(
      process,
      made.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideService(Channel.Channel, post)),
      (exit) => {
        if (Exit.isSuccess(exit)) started = new GatewaySide(simulation, process, exit.value, problem)
        else problem(Cause.pretty(exit.cause))
      }
    )
    while (simulation.step());
    return started
  }

  /** Runs an operation as part of the gateway's simulated process. */
  on<A, E>(effect: (sandbox: Sandbox.InProcessSandbox) => Effect.Effect<A, E>, then: (value: A) => void = () => {}) {
    this.#simulation.spawn(this.process, effect(this.#sandbox), (exit) => {
      if (Exit.isSuccess(exit)) then(exit.value)
      else this.#problem(`the gateway: ${Cause.pretty(exit.cause).split("\n")[0]}`)
    })
  }

  /** Serves a request that has arrived, and processes the accepted document when due. */
  serve(
    request: HttpClientRequest.HttpClientRequest,
    answered: (exit: Exit.Exit<InProcessResponse, Cut>) => void
  ): void {
    this.calls.push({ account: accountOf(request.headers["x-api-key"]), at: this.#simulation.now })
    this.on(({ answer }) => Effect.exit(answer(request)), answered)
    this.#simulation.later(processingDelay + 1, this.process, () => this.on(({ control }) => control.receipts))
  }

  /** Replaces the device or switches it on or off, from now on. */
  change(to: Partial<Pick<DeviceHistory, "deviceId" | "standing">>): void {
    const before = this.history.at(-1)!
    const after = { ...before, ...to, at: this.#simulation.now }
    this.history.push(after)
    this.on(({ config, control }) =>
      Effect.gen(function* () {
        for (const { name = "" } of config.accounts) {
          if (name === otherTill || pinnedDevice(name) !== device) continue
          yield* control.changeAccount({ account: name, device: after.deviceId })
        }
        yield* control.changeDevice({ deviceId: device, isSwitchedOn: after.standing === "on" })
      })
    )
  }

  /** Issues a receipt from another company's till, with its own key. */
  otherTillIssues(id: string): void {
    const at = new Date(Math.floor(this.#simulation.now / 1000) * 1000 + 2 * 3_600_000)
    const line = {
      Description: "Thing",
      TaxCode: "VAT155",
      ProductCode: "12345678",
      Quantity: 1,
      UnitAmount: 100,
      LineAmount: 100,
      DiscountAmount: null,
      CustomFields: null
    }
    const request = HttpClientRequest.post("http://127.0.0.1:1/invoice").pipe(
      HttpClientRequest.setHeaders({
        "x-api-key": keyOf(otherTill),
        "x-application": "till",
        "x-app-station": "till",
        "x-app-version": "1"
      }),
      HttpClientRequest.bodyJsonUnsafe({
        InvoiceId: id,
        InvoiceNumber: id,
        Reference: "",
        Date: `${at.toISOString().slice(0, 19)}+02:00`,
        BuyerContact: null,
        LineItems: [line],
        IsTaxInclusive: true,
        IsDiscounted: false,
        SubTotal: 86.58,
        TotalTax: 13.42,
        Total: 100,
        PaymentMethod: "Cash",
        CurrencyCode: "USD",
        IsRetry: false
      })
    )
    this.serve(request, (exit) =>
      this.#simulation.log(`another till sends ${id}: ${Exit.isSuccess(exit) ? exit.value.status : "cut"}`)
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

  /** Returns the requests of a document that the gateway has taken, oldest first. */
  requestsOf(account: string, kind: string, id: string): ReadonlyArray<Submission> {
    const { world } = this.#sandbox
    const requests = world.documents.get(JSON.stringify([account, kind, id])) ?? []
    // Under de-duplication, a repeated request has the outcome of the first.
    return requests.map((request) => ({ ...request, outcome: currentOutcome(world, request) }))
  }

  get requests(): ReadonlyArray<Submission> {
    return [...this.#sandbox.world.submissions.values()]
  }

  /** Returns the time at which the document of a receipt was first accepted, in milliseconds. */
  takenAt({ account, documentId, issuedAt, kind }: IssuedReceipt): number {
    return Math.min(issuedAt, ...this.requestsOf(account, kind, documentId).map(({ acceptedAt }) => acceptedAt))
  }

  /** Returns true if the receipt was issued for the other company's till. */
  isOfOtherTill({ documentId }: Pick<IssuedReceipt, "documentId">): boolean {
    return documentId.startsWith(otherTill)
  }

  /** Receipts in the order in which the devices issued them. */
  get receipts(): ReadonlyArray<IssuedReceipt> {
    return this.#sandbox.world.receipts.all()
  }
}
