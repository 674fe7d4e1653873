/** Reads the bytes once, applies faults, checks credentials, and records the call. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as ByteSize from "effect/ByteSize"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { Operation } from "../fault/Fault.ts"
import type { GatewayCall } from "../gateway/Call.ts"
import type { Decided } from "../gateway/Intake.ts"
import { type SandboxAccount, World } from "../gateway/World.ts"
import * as Answer from "./Answer.ts"
import * as CallSubject from "./CallSubject.ts"
import * as Credentials from "./Credentials.ts"
import * as Injector from "./Injector.ts"

export class Caller extends Context.Service<
  Caller,
  {
    readonly account: SandboxAccount
    readonly body: Uint8Array
    readonly contentType: string | undefined
    readonly decided: Decided
    readonly promptness: Injector.Promptness
  }
>()("@fiscal-connector/sandbox/Caller") {}

export class Gate extends HttpApiMiddleware.Service<Gate, { provides: Caller }>()("@fiscal-connector/sandbox/Gate", {
  security: { ApiKey: HttpApiSecurity.apiKey({ key: "X-Api-Key", in: "header" }) }
}) {}

/** Largest accepted request body; a larger body is answered 413. */
const maxBodySize = ByteSize.mebibytes(4)

const isOperation = Schema.is(Operation)
/** Calls kept for the control paths; the oldest is dropped first. */
const callsKept = 10_000

const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.method === "POST" || request.method === "PUT"
    ? Effect.map(request.arrayBuffer, (buffer) => Option.some(new Uint8Array(buffer)))
    : Effect.succeed(Option.none<Uint8Array>())

const tooLarge = Answer.declined(new Answer.Declined({ status: 413, message: "the body is larger than 4 MiB" }))

export const layer = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const world = yield* World

    const pass = Effect.fnUntraced(function* <E>(
      handler: Effect.Effect<HttpServerResponse, E, Caller>,
      operation: Operation,
      request: HttpServerRequest.HttpServerRequest,
      body: Option.Option<Uint8Array>
    ) {
      const bytes = Option.getOrElse(body, () => new Uint8Array())
      const known = Credentials.accountOf(world.accounts, request.headers)
      const subject = CallSubject.of(world, operation, known, request.url, bytes)
      const faults = world.faults.strike(subject)
      const credentials = Credentials.check(known, request.headers, Option.getOrUndefined(body))
      const answer = Result.match(credentials, {
        onFailure: (message) => Effect.succeed(Answer.declined(new Answer.Declined({ status: 401, message }))),
        onSuccess: (account) =>
          Effect.provideService(handler, Caller, {
            account,
            body: bytes,
            contentType: request.headers["content-type"],
            decided: Injector.decided(faults),
            promptness: Injector.promptness(faults)
          })
      })
      const call: GatewayCall = {
        at: yield* world.clock.now,
        operation,
        method: request.method,
        path: request.url,
        status: "unanswered",
        account: known?.name ?? null,
        station: request.headers["x-app-station"] ?? null,
        version: request.headers["x-app-version"] ?? null,
        documents: subject.documents,
        ids: subject.ids
      }
      world.calls.push(call)
      if (world.calls.length > callsKept) world.calls.shift()
      const record = (status: GatewayCall["status"]) => {
        call.status = status
        for (const observe of world.observers) observe({ _tag: "Asked", call })
        world.bell.openUnsafe()
      }
      return yield* Injector.inject(world, faults, request, answer, record)
    })

    return {
      ApiKey: Effect.fnUntraced(function* (httpEffect, { endpoint }) {
        const operation = endpoint.identifier
        if (!isOperation(operation))
          return yield* Effect.die(new Error(`${operation} is not an operation of the gateway`))
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.result(
          Effect.provideService(bodyOf(request), HttpIncomingMessage.MaxBodySize, maxBodySize)
        )
        if (Result.isFailure(body)) return tooLarge
        return yield* pass(httpEffect, operation, request, body.success)
      })
    }
  })
)
