/**
 * Faults at work on one call.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { FaultSpec } from "../fault/Fault.ts"
import * as Submission from "../gateway/Submission.ts"

/** What the faults of a call decide about the document in it: the first `reject` or `pend` counts. */
export const verdict = (faults: ReadonlyArray<FaultSpec>): Submission.Verdict => {
  for (const fault of faults) {
    if (fault.kind === "reject") return { _tag: "Reject", error: fault.error, actionable: fault.actionable }
    if (fault.kind === "pend") return { _tag: "Pend" }
  }
  return Submission.process
}

/** Cuts the connection. The server interrupts this request's fiber when the socket is gone, so nothing comes after it. */
const drop = (request: HttpServerRequest): Effect.Effect<never> =>
  Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).socket.destroy()).pipe(
    Effect.andThen(Effect.never)
  )

const drops = (faults: ReadonlyArray<FaultSpec>, stage: "before" | "after"): boolean =>
  faults.some((fault) => fault.kind === "drop" && fault.stage === stage)

/** Answers a call as its faults will have it; `record` learns how it ended. */
export const inject = <E, R>(
  faults: ReadonlyArray<FaultSpec>,
  request: HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse, E, R>,
  record: (status: number | "dropped") => void
): Effect.Effect<HttpServerResponse, E, R> =>
  Effect.gen(function* () {
    if (drops(faults, "before")) {
      record("dropped")
      return yield* drop(request)
    }
    const response = yield* answer
    if (drops(faults, "after")) {
      record("dropped")
      return yield* drop(request)
    }
    record(response.status)
    return response
  })
