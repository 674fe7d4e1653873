/**
 * Calls a sandbox without a socket: requests and answers take none of the test's time, and no real
 * time is waited for.
 */
import type * as InProcess from "@fiscal-connector/sandbox/http/InProcess"
import { Effect, Option } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Transmission } from "../../src/gateway/exchange/Transmission.ts"
import { UndiciResponse } from "../../src/node/UndiciResponse.ts"

type Answering = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<InProcess.InProcessResponse, InProcess.Cut>

/** Error of a socket that was closed during a request. */
const reset = Object.assign(new Error("closed"), { code: "ECONNRESET" })

/**
 * Returns the client of such a sandbox. If the sandbox cuts the connection, the whole request may
 * have arrived.
 */
export const client = (answer: Answering): HttpClient.HttpClient =>
  HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
    Effect.flatMap((request) =>
      Effect.gen(function* () {
        const transmission = yield* Transmission
        if (transmission !== undefined) transmission.stage = "handed-over"
        const url = Option.getOrThrow(HttpClientRequest.toUrl(request))
        const { body, headers, status } = yield* Effect.mapError(
          answer(request),
          () =>
            new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause: reset })
            })
        )
        return new UndiciResponse(request, url, status, headers, [body])
      })
    ),
    Effect.succeed
  )

/** Advances the test's clock by seconds while everything ready continues. */
export const ticking = <A, E, R>(work: Effect.Effect<A, E, R>, second: Effect.Effect<void>): Effect.Effect<A, E, R> =>
  Effect.raceFirst(
    work,
    Effect.forever(
      Effect.andThen(
        Effect.callback<void>((resume) => {
          setImmediate(() => resume(Effect.void))
        }),
        second
      )
    )
  )
