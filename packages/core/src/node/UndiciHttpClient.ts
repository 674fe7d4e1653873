/**
 * The HttpClient for Node: a callback around undici's pools, lean enough for a submission loop. It sends each request once, follows no
 * redirect, adds no header, pipelines nothing, and keeps the record of the hand-over that tells "not sent" from "unknown".
 */
import { Effect, Layer, Option, type Scope } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Pool } from "undici"
import * as Transmission from "../gateway/exchange/Transmission.ts"
import { UndiciResponse } from "./UndiciResponse.ts"

/** How the client connects. */
export interface Options {
  /** Connections at once to one origin; further requests wait their turn. */
  readonly connections?: number | undefined
  /** How long a connection may take to be established, TLS included, in milliseconds. */
  readonly connectTimeout?: number | undefined
  /** The longest answer that is taken, in bytes. */
  readonly longestAnswer?: number | undefined
  /** Certificates (PEM) to trust instead of the platform's, for a gateway behind a private authority. */
  readonly ca?: string | undefined
}

const makePool = (origin: string, options: Options): Pool =>
  new Pool(origin, {
    connections: options.connections ?? 32,
    connectTimeout: options.connectTimeout ?? 10_000,
    maxResponseSize: options.longestAnswer ?? 32 * 1024 * 1024,
    // One request at a time on a connection, so that a broken one leaves one submission unknown and not several.
    pipelining: 1,
    allowH2: false,
    // The gateway room's timeouts cover the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(options.ca === undefined ? undefined : { connect: { ca: options.ca } })
  })

class Interrupted extends Error {
  readonly code = "UND_ERR_ABORTED"
}

const failed = (request: HttpClientRequest.HttpClientRequest, cause: unknown) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }))

/** Sends over one pool per origin; the pools are closed with the scope. */
export const make = (options: Options = {}): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Map<string, Pool>()),
      (pools) => Effect.promise(() => Promise.all(Array.from(pools.values(), (pool) => pool.destroy())))
    ),
    (pools) => {
      const poolOf = (origin: string): Pool => {
        const pool = pools.get(origin) ?? makePool(origin, options)
        pools.set(origin, pool)
        return pool
      }
      return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
        Effect.flatMap((request) => dispatch(request, poolOf)),
        Effect.succeed
      )
    }
  )

/** The HttpClient service of `make`. */
export const layer = (options?: Options): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, make(options))

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | null | undefined => {
  switch (body._tag) {
    case "Empty":
      return null
    case "Uint8Array":
      return body.body
    default:
      return undefined
  }
}

const dispatch = (
  request: HttpClientRequest.HttpClientRequest,
  poolOf: (origin: string) => Pool
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  Effect.withFiber((fiber) => {
    const transmission = fiber.getRef(Transmission.Transmission) ?? Transmission.make()
    const url = Option.getOrUndefined(HttpClientRequest.toUrl(request))
    if (url === undefined) return failed(request, new TypeError("no URL"))
    const body = bodyOf(request)
    if (body === undefined) return failed(request, new TypeError("only bodies of bytes are sent"))
    return Effect.callback((resume) => {
      if (transmission.stage === "untracked") transmission.stage = "waiting"
      let abort: ((reason: Error) => void) | undefined
      let interrupted: Interrupted | undefined
      let status = 0
      let headers: Record<string, string | Array<string> | undefined> = {}
      const chunks: Array<Buffer> = []
      poolOf(url.origin).dispatch(
        { method: request.method, path: url.pathname + url.search, headers: request.headers, body },
        {
          // Called when the request is about to be written to a connected socket, and before a byte of it is.
          onRequestStart(controller) {
            // A second start would be somebody's retry, undici's own or a wrapper's: what was handed over is never handed over again.
            const refused =
              interrupted ?? (transmission.stage === "waiting" ? undefined : new Interrupted("sent before"))
            if (refused !== undefined) return controller.abort(refused)
            transmission.stage = "handed-over"
            abort = (reason) => controller.abort(reason)
          },
          onResponseStart(_, statusCode, received) {
            status = statusCode
            headers = received
            // a status below 200 is no answer yet
            if (statusCode < 200) return
            transmission.stage = "answering"
            transmission.status = statusCode
          },
          onResponseData(_, chunk) {
            chunks.push(chunk)
          },
          onResponseEnd() {
            resume(Effect.succeed(new UndiciResponse(request, url, status, headers, chunks)))
          },
          onResponseError(_, error) {
            resume(failed(request, error))
          }
        }
      )
      return Effect.sync(() => {
        interrupted = new Interrupted("interrupted")
        abort?.(interrupted)
      })
    })
  })
