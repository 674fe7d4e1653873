/**
 * Network between a process and the gateway: refuses, loses and delays requests, and kills
 * processes before, during and after a request.
 */
import { Effect, Exit, Option } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Transmission from "../../packages/core/src/gateway/exchange/Transmission.ts"
import { UndiciResponse } from "../../packages/core/src/node/UndiciResponse.ts"
import type { InProcessResponse } from "@fiscal-connector/sandbox/http/InProcess"
import { type Draw, stream } from "./Draw.ts"
import type { GatewaySide } from "./GatewaySide.ts"
import { accountOf } from "./Accounts.ts"
import type { Scenario } from "./Scenario.ts"
import type { RequestPhase, SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

/** Document on its way to the gateway. */
export interface Sending {
  readonly account: string
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  /** Seconds since 1970. */
  readonly receiptDate: number
}

export interface NetworkWatch {
  /** Called when a document is handed over. */
  readonly sending: (process: SimulatedProcess, sending: Sending) => void
  /** Called when an answer arrives after its process stopped waiting. */
  readonly late: () => void
  /** Called when the gateway answers 429. */
  readonly limited: () => void
  /** Called when a document or its answer is lost. */
  readonly lost: () => void
  /** Called when a document arrives after its client's time limit. */
  readonly held: () => void
  /** Called when a process reads that a document failed because of its device. */
  /** `failure`: the item of one request, as it was read. */
  readonly deviceFailed: (process: SimulatedProcess, account: string, failure: string) => void
  /** Called when a request is not handed over because its deadline has passed. */
  readonly keptBack: () => void
  /** Called when a process has looked at an account's device, with the number of looks so far. */
  readonly looked: (times: number) => void
}

type Fate = "fine" | "refused" | "lost-before" | "lost-after" | "slow-before" | "slow-after" | "held"
const fates = ["refused", "lost-before", "lost-after", "slow-before", "slow-after"] as const

/**
 * Statuses that prove that a document was not processed (docs/gateway.md#certainly-not-processed),
 * deliberately written a second time.
 */
const notProcessed: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422, 429])

/**
 * Document that a process handed over. `refused`: an answer informed the process that the document
 * was not processed.
 */
interface HandOver {
  readonly process: SimulatedProcess
  readonly at: number
  end: "unknown" | "refused"
}

/** Share of the requests that a fault strikes. */
const badShare = 0.12
/**
 * Share of the documents held on their way for longer than their client waits, and the time in
 * milliseconds: within the quiet period.
 */
const heldShare = 0.03
const held = [80_000, 280_000] as const

/** Share of the documents whose answer is lost where operators speak early. */
const lossShare = 0.08

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

/** Returns the name of a read of closed days: the list of an account, or the report of a day. */
const closesOf = (path: string, account: string): string | null => {
  if (!path.startsWith("/reports/z-report")) return null
  return path === "/reports/z-report" ? account : `${account}: a day`
}

/** Time within which a sweep reads the device after its last answer of /status, in milliseconds. */
const sweepReads = 11_000

/** Time within which an opening reads the device after its answer of /profile, in milliseconds. */
const openingReads = 60_000

export class Network {
  /** Number of requests per document that may still arrive. */
  readonly underWay = new Map<string, number>()
  /** Requests handed over, by document. */
  readonly #handOvers = new Map<string, Array<HandOver>>()
  /** True if every request arrives from now on. */
  isCalm = false
  /** State of the gateway; `down`: every request is refused. */
  gateway: "up" | "down" = "up"
  readonly #draw: Draw
  readonly #holds: Draw
  readonly #losses: Draw
  readonly #simulation: Simulation
  readonly #scenario: Scenario
  readonly #gateway: GatewaySide
  readonly #watch: NetworkWatch

  constructor(simulation: Simulation, scenario: Scenario, gateway: GatewaySide, watch: NetworkWatch) {
    this.#draw = stream(scenario.seed, "network")
    this.#holds = stream(scenario.seed, "held requests")
    this.#losses = stream(scenario.seed, "lost answers")
    this.#simulation = simulation
    this.#scenario = scenario
    this.#gateway = gateway
    this.#watch = watch
  }

  /**
   * Returns true if the document was handed over after the given time, and its sender cannot know
   * that the document was not processed.
   */
  mayHaveArrived(id: string, after = 0): boolean {
    // A dead process may have received the answer.
    return (this.#handOvers.get(id) ?? []).some(
      ({ at, end, process }) => at > after && (end === "unknown" || process.life === "dead")
    )
  }

  #fate(what: "a document" | "a question"): Fate {
    if (this.gateway === "down") return "refused"
    const holds = what === "a document" && !this.isCalm && this.#scenario.troubles.has("held-requests")
    if (holds && this.#holds.chance(heldShare)) return "held"
    // Answers that an operator then speaks for.
    const loses = what === "a document" && !this.isCalm && this.#scenario.troubles.has("early-words")
    if (loses && this.#losses.chance(lossShare)) return "lost-after"
    const isBad = this.#draw.chance(badShare)
    const fate = this.#draw.pick(fates)
    return isBad && !this.isCalm && this.#scenario.troubles.has(fate) ? fate : "fine"
  }

  #count(id: string | undefined, by: 1 | -1): void {
    if (id !== undefined) this.underWay.set(id, (this.underWay.get(id) ?? 0) + by)
  }

  /** Returns the HTTP client of one process. */
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
          const closes = closesOf(url.pathname, accountOf(request.headers["x-api-key"]))
          if (closes !== null) process.closesUnread.add(closes)
        }
        const fail = (code: string) => {
          if (isAwaited) unread()
          this.#simulation.enqueue(process, () => {
            const reason = new HttpClientError.TransportError({ request, cause: new ConnectionLost(code) })
            resume(Effect.fail(new HttpClientError.HttpClientError({ reason })))
          })
        }
        const answer = ({ body, headers, status }: InProcessResponse, handOver: HandOver | null, at: number) => {
          if (process.life !== "running" || !isAwaited) this.#watch.late()
          else if (handOver !== null && notProcessed.has(status)) handOver.end = "refused"
          if (dies("answered")) return
          this.#simulation.enqueue(process, () => {
            // An answer that arrives after the client stopped waiting is not read.
            if (!isAwaited) return
            this.#noteDevice(process, request, url.pathname, { body, headers, status }, at)
            resume(Effect.succeed(new UndiciResponse(request, url, status, headers, [body])))
          })
        }
        transmission.stage = "waiting"
        // The last check of core's own client before the socket.
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
      readonly answer: (answer: InProcessResponse, handOver: HandOver | null, at: number) => void
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

  /**
   * Records what a process has learned about the device, as of the time of the gateway's answer.
   */
  #noteDevice(
    process: SimulatedProcess,
    request: HttpClientRequest.HttpClientRequest,
    path: string,
    { body, status }: InProcessResponse,
    at: number
  ): void {
    const account = accountOf(request.headers["x-api-key"])
    const text = new TextDecoder().decode(body)
    if (path === "/status") process.swept.set(account, this.#simulation.now)
    if (path === "/profile") process.opened.set(account, this.#simulation.now)
    if (path === "/status")
      for (const item of text.split("{").filter((part) => part.includes("DEV0")))
        this.#watch.deviceFailed(process, account, item)
    const closes = closesOf(path, account)
    if (closes !== null) {
      if (status === 200 && text.startsWith("{")) process.closesUnread.delete(closes)
      else process.closesUnread.add(closes)
    }
    if (path !== "/fiscaldevice" || status !== 200) return
    const id = /"DeviceId":\s*"?(\d+)/i.exec(text)?.[1]
    // A page instead of the device contains no information about it.
    if (id === undefined) return
    const times = (process.seen.get(account)?.times ?? 0) + 1
    this.#watch.looked(times)
    const since = (moments: ReadonlyMap<string, number>) => this.#simulation.now - (moments.get(account) ?? 0)
    const isBeside = since(process.swept) <= sweepReads || since(process.opened) > openingReads
    process.seen.set(account, {
      at,
      times,
      deviceId: Number(id),
      standing: /"IsSwitchedOn":\s*true/i.test(text) ? "on" : "off",
      by: isBeside ? "beside" : "opening"
    })
  }
}
