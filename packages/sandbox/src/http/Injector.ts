/** Before the call is served, to its answer, and to the connection. */
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { FaultSpec } from "../fault/Fault.ts"
import type { GatewayCall } from "../gateway/Call.ts"
import type { Decided } from "../gateway/Intake.ts"
import type { ReportFields } from "../gateway/Report.ts"
import * as Submission from "../gateway/Submission.ts"
import type { WorldState } from "../gateway/World.ts"
import * as Answer from "./Answer.ts"
import * as Connection from "./Connection.ts"
import { mangle } from "./Mangler.ts"

type Response = HttpServerResponse.HttpServerResponse
type Faults = ReadonlyArray<FaultSpec>
type FaultStage = "before" | "after"

const verdict = (faults: Faults): Submission.Verdict => {
  for (const fault of faults) {
    if (fault.kind === "reject") return { _tag: "Reject", error: fault.error, actionable: fault.actionable }
    if (fault.kind === "pend") return { _tag: "Pend" }
  }
  return Submission.process
}

const report = (fault: FaultSpec): ReadonlyArray<ReportFields> => {
  switch (fault.kind) {
    case "working": {
      const { actionable, error, pdf } = fault
      return [{ _tag: "Working", error, actionable, ...(pdf !== undefined && { pdf }) }]
    }
    case "contradiction":
      return [{ _tag: "Contradiction", error: fault.error, actionable: fault.actionable, qrData: fault.qrData }]
    case "proof-missing":
      return [{ _tag: "ProofMissing", millis: fault.millis }]
    case "proof-repeated":
      return [{ _tag: "ProofRepeated" }]
    default:
      return []
  }
}

/**
 * Returns the decisions of a call's faults about its document. The first `working` fault counts: a
 * document is worked on once.
 */
export const decided = (faults: Faults): Decided => {
  const working = faults.find((fault) => fault.kind === "working")
  return {
    verdict: verdict(faults),
    reports: faults.filter((fault) => fault.kind !== "working" || fault === working).flatMap(report),
    work: working?.millis ?? 0
  }
}

/**
 * Time of the delivery; `early`: the outcome is delivered before the submission's own answer
 * (HOOK-7).
 */
export type Promptness = "usual" | "early"

export const promptness = (faults: Faults): Promptness =>
  faults.some(({ kind }) => kind === "delivery-early") ? "early" : "usual"

const wait = (faults: Faults, stage: FaultStage): Effect.Effect<void> => {
  const millis = faults.reduce(
    (sum, fault) => (fault.kind === "latency" && fault.stage === stage ? sum + fault.millis : sum),
    0
  )
  return millis === 0 ? Effect.void : Effect.sleep(millis)
}

const isDropped = (faults: Faults, stage: FaultStage): boolean =>
  faults.some((fault) => fault.kind === "drop" && fault.stage === stage)

const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>"

const instead = (fault: FaultSpec): Response | undefined => {
  switch (fault.kind) {
    case "error": {
      const answer = Answer.json({ Message: "the sandbox answers so on request" }, fault.status)
      return fault.retryAfter === undefined
        ? answer
        : HttpServerResponse.setHeader(answer, "Retry-After", fault.retryAfter)
    }
    case "html":
      return HttpServerResponse.text(page, { status: fault.status, contentType: "text/html; charset=utf-8" })
    case "empty":
      return HttpServerResponse.empty({ status: fault.status })
    case "answer":
      return HttpServerResponse.text(fault.body, {
        status: fault.status,
        contentType: fault.contentType,
        headers: fault.headers ?? {}
      })
    default:
      return undefined
  }
}

const replacement = (faults: Faults, stage: FaultStage): Response | undefined => {
  for (const fault of faults) {
    if ("stage" in fault && fault.stage === stage) {
      const answer = instead(fault)
      if (answer !== undefined) return answer
    }
  }
  return undefined
}

// Faults of the body apply to successful text answers, not to refusals.
const isText = (answer: Response): boolean =>
  answer.status === 200 && answer.headers["content-type"] !== "application/pdf"

const withBody = (world: WorldState, faults: Faults, response: Response): Response => {
  let answer = response
  for (const fault of faults) {
    if (fault.kind === "content-type") {
      answer = HttpServerResponse.setHeader(answer, "Content-Type", fault.contentType)
    } else if (isText(answer)) {
      const text = new TextDecoder().decode(Connection.bytesOf(answer))
      const mangled = mangle(world, fault, text)
      if (mangled !== text) {
        answer = HttpServerResponse.text(mangled, { contentType: answer.headers["content-type"] ?? "text/plain" })
      }
    }
  }
  return answer
}

const pieces = 10

const slow = (response: Response, millis: number): Response => {
  const bytes = Connection.bytesOf(response)
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size)
  )
  return HttpServerResponse.stream(
    Stream.mapEffect(Stream.fromIterable(chunks), (chunk) => Effect.as(Effect.sleep(millis / chunks.length), chunk)),
    { status: response.status, headers: response.headers, contentLength: bytes.length }
  )
}

export const inject = <E, R>(
  world: WorldState,
  faults: Faults,
  request: HttpServerRequest,
  answer: Effect.Effect<Response, E, R>,
  record: (status: GatewayCall["status"]) => void
): Effect.Effect<Response, E, R> =>
  Effect.gen(function* () {
    const cut = (how: (connection: Connection.Connection) => void) => {
      record("dropped")
      return Connection.cut(how)
    }
    const drop = Effect.suspend(() => cut((connection) => connection.cut(request)))
    yield* wait(faults, "before")
    if (isDropped(faults, "before")) return yield* drop
    const served = replacement(faults, "before") ?? withBody(world, faults, yield* answer)
    yield* wait(faults, "after")
    if (isDropped(faults, "after")) return yield* drop
    const final = replacement(faults, "after") ?? served
    if (faults.some((fault) => fault.kind === "truncated-body")) {
      return yield* cut((connection) => connection.cutHalfWay(request, final))
    }
    record(final.status)
    const slowest = faults.find((fault) => fault.kind === "slow-body")
    return slowest === undefined ? final : slow(final, slowest.millis)
  })
