/** What lies between a process and the gateway: requests are refused, lost and late, and a process dies before, during and on the answer of any. */
import { Effect, Exit, Option } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Transmission from "@fiscal-connector/core/unstable/gateway/exchange/Transmission"
import { UndiciResponse } from "@fiscal-connector/core/unstable/node/UndiciResponse"
import type { Answer } from "@fiscal-connector/sandbox/http/InProcess"
import { type Draw, stream } from "./Draw.ts"
import type { GatewaySide } from "./GatewaySide.ts"
import { accountOf } from "./Accounts.ts"
import type { Scenario } from "./Scenario.ts"
import type { RequestPhase, SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

/** A document on its way to the gateway. */
export interface Sending {
  readonly account: string
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  /** Seconds since 1970. */
  readonly receiptDate: number
}

export interface NetworkWatch {
  /** A document is handed over. */
  readonly sending: (process: SimulatedProcess, sending: Sending) => void
  /** An answer came that nobody waits for any more. */
  readonly late: () => void
  /** The gateway wants fewer requests. */
  readonly limited: () => void
  /** A document was lost on its way, or its answer was. */
  readonly lost: () => void
  /** A document arrives after its client's time limit. */
  readonly held: () => void
  /** A request was not handed over: its time was over. */
  readonly keptBack: () => void
  /** A process has looked at an account's device for that time. */
  readonly looked: (times: number) => void
}

type Fate = "fine" | "refused" | "lost-before" | "lost-after" | "slow-before" | "slow-after" | "held"
const fates = ["refused", "lost-before", "lost-after", "slow-before", "slow-after"] as const

/** What proves that a document was not processed (docs/gateway.md#certainly-not-processed), written down once more. */
const notProcessed: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422, 429])

/** A document that a process handed over. `refused`: the process was told that it was not processed. */
interface HandOver {
  readonly process: SimulatedProcess
  readonly at: number
  end: "unknown" | "refused"
}

/** Share of the requests that something happens to. */
const badShare = 0.12
/** Share of the documents that are held on their way for longer than their client waits, and how long, in milliseconds: within the quiet period. */
const heldShare = 0.03
const held = [80_000, 280_000] as const

class ConnectionLost extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const field = (json: Readonly<Record<string, unknown>>, ...names: ReadonlyArray<string>): string =>
  String(names.map((name) => json[name]).find((value) => value !== undefined) ?? "")

const sendingOf = (request: HttpClientRequest.HttpClientRequest, path: string): Sending | undefined => {
  if ((path !== "/invoice" && path !== "/creditnote") || request.body._tag !== "Uint8Array") return undefined
  const json = JSON.parse(new TextDecoder().decode(request.body.body)) as Readonly<Record<string, unknown>>
  return {
    account: accountOf(request.headers["x-api-key"]),
    kind: path === "/invoice" ? "invoice" : "credit-note",
    id: field(json, "InvoiceId", "CreditNoteId"),
    receiptDate: Date.parse(field(json, "Date")) / 1000
  }
}

export class Network {
  /** So many requests about a document may still arrive. */
  readonly underWay = new Map<string, number>()
  /** What was handed over of each document. */
  readonly #handOvers = new Map<string, Array<HandOver>>()
  /** Everything arrives from now on. */
  isCalm = false
  /** Nothing answers while it is down. */
  gateway: "up" | "down" = "up"
  readonly #draw: Draw
  readonly #holds: Draw
  readonly #simulation: Simulation
  readonly #scenario: Scenario
  readonly #gateway: GatewaySide
  readonly #watch: NetworkWatch

  constructor(simulation: Simulation, scenario: Scenario, gateway: GatewaySide, watch: NetworkWatch) {
    this.#draw = stream(scenario.seed, "network")
    this.#holds = stream(scenario.seed, "held requests")
    this.#simulation = simulation
    this.#scenario = scenario
    this.#gateway = gateway
    this.#watch = watch
  }

  /** Whether the document was handed over, after that moment, so that who did it cannot know that it was not processed. */
  mayHaveArrived(id: string, after = 0): boolean {
    // who died may have had the answer in hand
    return (this.#handOvers.get(id) ?? []).some(
      ({ at, end, process }) => at > after && (end === "unknown" || process.life === "dead")
    )
  }

  #fate(what: "a document" | "a question"): Fate {
    if (this.gateway === "down") return "refused"
    const holds = what === "a document" && !this.isCalm && this.#scenario.troubles.has("held-requests")
    if (holds && this.#holds.chance(heldShare)) return "held"
    const isBad = this.#draw.chance(badShare)
    const fate = this.#draw.pick(fates)
    return isBad && !this.isCalm && this.#scenario.troubles.has(fate) ? fate : "fine"
  }

  #count(id: string | undefined, by: 1 | -1): void {
    if (id !== undefined) this.underWay.set(id, (this.underWay.get(id) ?? 0) + by)
  }

  /** The way of one process. */
  client(process: SimulatedProcess): HttpClient.HttpClient {
    return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
      Effect.flatMap((request) => this.#exchange(process, request)),
      Effect.succeed
    )
  }

  #exchange(process: SimulatedProcess, request: HttpClientRequest.HttpClientRequest) {
    const url = Option.getOrThrow(HttpClientRequest.toUrl(request))
    const sending = sendingOf(request, url.pathname)
    return Effect.withFiber<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>((fiber) => {
      const transmission = fiber.getRef(Transmission.Transmission) ?? Transmission.make()
      return Effect.callback((resume) => {
        let isAwaited = true
        const n = ++process.requests
        const what = sending === undefined ? url.pathname : `${sending.kind} ${sending.id}`
        const dies = (phase: RequestPhase): boolean => {
          const { crash, life } = process
          if (life !== "running" || crash?.at !== "request" || crash.n !== n || crash.phase !== phase) return false
          this.#simulation.kill(process, `with ${what} ${phase === "before" ? "about to be sent" : phase}`)
          return true
        }
        const unread = () => {
          if (url.pathname === "/reports/z-report") process.closesUnread.add(accountOf(request.headers["x-api-key"]))
        }
        const fail = (code: string) => {
          if (isAwaited) unread()
          this.#simulation.enqueue(process, () => {
            const reason = new HttpClientError.TransportError({ request, cause: new ConnectionLost(code) })
            resume(Effect.fail(new HttpClientError.HttpClientError({ reason })))
          })
        }
        const answer = ({ body, headers, status }: Answer, handOver: HandOver | null, at: number) => {
          if (process.life !== "running" || !isAwaited) this.#watch.late()
          else if (handOver !== null && notProcessed.has(status)) handOver.end = "refused"
          if (dies("answered")) return
          this.#simulation.enqueue(process, () => {
            // what came after nobody waited any more was read by nobody
            if (!isAwaited) return
            this.#noteDevice(process, request, url.pathname, { body, headers, status }, at)
            resume(Effect.succeed(new UndiciResponse(request, url, status, headers, [body])))
          })
        }
        transmission.stage = "waiting"
        // the last look of core's own client before the socket
        const isLate = Transmission.isTooLate(transmission, this.#simulation.clockOf(process))
        if (isLate) {
          this.#watch.keptBack()
          fail("UND_ERR_ABORTED")
        } else if (!dies("before")) this.#travel(process, request, sending, { answer, dies, fail, transmission })
        return Effect.sync(() => {
          isAwaited = false
          unread()
        })
      })
    })
  }

  #travel(
    process: SimulatedProcess,
    request: HttpClientRequest.HttpClientRequest,
    sending: Sending | undefined,
    ends: {
      readonly answer: (answer: Answer, handOver: HandOver | null, at: number) => void
      readonly dies: (phase: RequestPhase) => boolean
      readonly fail: (code: string) => void
      readonly transmission: Transmission.Transmission
    }
  ): void {
    const fate = this.#fate(sending === undefined ? "a question" : "a document")
    const owner = this.#gateway.process
    const soon = () => this.#draw.between(1, 120)
    if (fate === "refused") {
      this.#simulation.later(soon(), process, () => ends.fail("ECONNREFUSED"))
      return
    }
    ends.transmission.stage = "handed-over"
    const handOver: HandOver | null =
      sending === undefined ? null : { process, at: this.#simulation.now, end: "unknown" }
    if (sending !== undefined) {
      const before = this.#handOvers.get(sending.id) ?? []
      this.#handOvers.set(sending.id, [...before, handOver!])
      this.#watch.sending(process, sending)
    }
    this.#count(sending?.id, 1)
    if (sending !== undefined && (fate === "lost-before" || fate === "lost-after")) this.#watch.lost()
    if (fate === "held") this.#watch.held()
    const slow = fate === "slow-before" ? this.#draw.between(5000, 70_000) : null
    const there = fate === "held" ? this.#holds.between(...held) : (slow ?? soon())
    this.#simulation.later(there / 2, owner, () => ends.dies("in-flight"))
    this.#simulation.later(there, owner, () => {
      if (fate === "lost-before") {
        this.#count(sending?.id, -1)
        return ends.fail("ECONNRESET")
      }
      this.#gateway.serve(request, (exit) => {
        this.#count(sending?.id, -1)
        if (Exit.isSuccess(exit) && exit.value.status === 429) this.#watch.limited()
        if (sending !== undefined) {
          const status = Exit.isSuccess(exit) ? exit.value.status : "a cut connection"
          const way = fate === "fine" ? "" : ` (${fate})`
          this.#simulation.log(`${process.name}: the gateway answers ${status} to ${sending.kind} ${sending.id}${way}`)
        }
        const at = this.#simulation.now
        const back = fate === "slow-after" ? this.#draw.between(5000, 200_000) : soon()
        this.#simulation.later(back, owner, () => {
          if (fate === "lost-after" || Exit.isFailure(exit)) return ends.fail("ECONNRESET")
          ends.answer(exit.value, handOver, at)
        })
      })
    })
  }

  /** What a process has learnt about the device, as it was when the gateway answered. */
  #noteDevice(
    process: SimulatedProcess,
    request: HttpClientRequest.HttpClientRequest,
    path: string,
    { body, status }: Answer,
    at: number
  ): void {
    const account = accountOf(request.headers["x-api-key"])
    const text = new TextDecoder().decode(body)
    if (path === "/reports/z-report") {
      if (status === 200 && text.startsWith("{")) process.closesUnread.delete(account)
      else process.closesUnread.add(account)
    }
    if (path !== "/fiscaldevice" || status !== 200) return
    const id = /"DeviceId":\s*"?(\d+)/i.exec(text)?.[1]
    // a page in place of the device tells nothing of it
    if (id === undefined) return
    const times = (process.seen.get(account)?.times ?? 0) + 1
    this.#watch.looked(times)
    process.seen.set(account, {
      at,
      times,
      deviceId: Number(id),
      standing: /"IsSwitchedOn":\s*true/i.test(text) ? "on" : "off"
    })
  }
}
