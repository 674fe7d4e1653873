/** Serves a request without a socket: bytes in, bytes out, on the caller's fiber and clock. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { bytesOf, Connection } from "./Connection.ts"

/** Answer given without a socket. */
export interface InProcessResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Error: a fault cut the connection, before the answer or half-way through its body. */
export class Cut extends Data.TaggedError("Cut")<{ readonly where: "before-the-answer" | "in-the-body" }> {}

const gather = (response: HttpServerResponse) =>
  response.body._tag === "Stream" ? Stream.mkUint8Array(response.body.stream) : Effect.succeed(bytesOf(response))

/**
 * Returns a function that answers requests with an application; an unexpected error is a defect.
 */
export const answering =
  <E>(app: Effect.Effect<HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>) =>
  (request: HttpClientRequest.HttpClientRequest): Effect.Effect<InProcessResponse, Cut> =>
    Effect.gen(function* () {
      const cut = yield* Deferred.make<never, Cut>()
      const served = Effect.gen(function* () {
        const response = yield* app
        const body = yield* gather(response)
        return { status: response.status, headers: response.headers, body }
      }).pipe(
        Effect.scoped,
        Effect.orDie,
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request)),
        Effect.provideService(Connection, {
          cut: () => Deferred.doneUnsafe(cut, Effect.fail(new Cut({ where: "before-the-answer" }))),
          cutHalfWay: () => Deferred.doneUnsafe(cut, Effect.fail(new Cut({ where: "in-the-body" })))
        })
      )
      return yield* Effect.raceFirst(served, Deferred.await(cut))
    })
