/**
 * A callback around undici's pools, lean enough for a submission loop. Sends each request once,
 * follows no redirect, adds no header, pipelines nothing, and records the hand-over to the socket,
 * which distinguishes "not sent" from "unknown".
 */
import { Clock, Effect, Layer, Option, type Scope } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { Dispatcher } from "undici"
import { HostProcess } from "../file/HostProcess.ts"
import * as Transmission from "../gateway/exchange/Transmission.ts"
import type { HttpDispatchers, DispatcherOptions } from "./HttpDispatchers.ts"
import { UndiciResponse } from "./UndiciResponse.ts"

export type { ClientIdentity, HttpDispatcher, DispatcherOptions } from "./HttpDispatchers.ts"

class Interrupted extends Error {
  readonly code = "UND_ERR_ABORTED"
}

class Unannounced extends Error {
  readonly code = "UND_ERR_INVALID_ARG"
  override readonly message = "the dispatcher does not say when a request begins: give it one of undici 7 or later"
}

/** A server may have echoed the request, and a log of the cause would contain its key. */
const withoutBytes = (cause: unknown): unknown => {
  if (cause instanceof Error && "data" in cause) delete cause.data
  return cause
}

const failed = (request: HttpClientRequest.HttpClientRequest, cause: unknown) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, cause: withoutBytes(cause) })
    })
  )

/** Undici bundled into an ES module has no `require`, and the original message names no remedy. */
const explained = (cause: unknown): never => {
  if (!(cause instanceof Error) || !cause.message.startsWith("Dynamic require of")) throw cause
  const remedy = "give the bundler the banner of docs/embed.md#bundles"
  throw new Error(`undici was bundled into an ES module, where it has no \`require\`: ${remedy}`, { cause })
}

const ofHost = ({ dispatcher }: DispatcherOptions): HttpDispatchers | undefined =>
  dispatcher && { of: () => dispatcher, destroy: () => Promise.resolve() }

// loaded late: loading takes a fifth of a command's start time, and many commands send nothing
const loaded = Effect.promise(() => import("./HttpDispatchers.ts").catch(explained))

/**
 * Creates the client with one pool per origin, or as the options state. Pools are created with the
 * first request and closed with the scope.
 */
export const make = (options: DispatcherOptions = {}): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { env } = yield* HostProcess
    // a host's own dispatcher needs nothing of undici
    let made: HttpDispatchers | undefined = ofHost(options)
    yield* Effect.addFinalizer(() => Effect.promise(async () => made?.destroy()))
    const making = Effect.map(loaded, ({ make }) => (made ??= make(options, env)))
    return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
      Effect.flatMap((request) =>
        made === undefined
          ? Effect.flatMap(making, (dispatchers) => dispatch(request, dispatchers))
          : dispatch(request, made)
      ),
      Effect.succeed
    )
  })

/** The HttpClient service of `make`. */
export const layer = (options?: DispatcherOptions): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, make(options))

/** Sends nothing, and trusts nothing that the server shows. */
const endOfCertificate = ({ hostname, port }: URL, error: unknown): Promise<string | null> | undefined =>
  Transmission.codeOf(error) === "CERT_HAS_EXPIRED"
    ? certificateEnd(hostname, port === "" ? 443 : Number(port))
    : undefined

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
  dispatchers: HttpDispatchers
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  Effect.withFiber((fiber) => {
    const transmission = fiber.getRef(Transmission.Transmission) ?? Transmission.make()
    const clock = fiber.getRef(Clock.Clock)
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
      const { method } = request
      const handler: Dispatcher.DispatchHandler = {
        // Called just before the first byte of the request is written to a connected socket.
        onRequestStart(controller) {
          // A second start would be a retry by undici or a wrapper: a request is handed over only
          // once.
          const isLate = Transmission.isTooLate(transmission, clock)
          const refused =
            interrupted ??
            (transmission.stage !== "waiting"
              ? new Interrupted("sent before")
              : isLate
                ? new Interrupted("too late to be sent")
                : undefined)
          if (refused !== undefined) return controller.abort(refused)
          transmission.stage = "handed-over"
          abort = (reason) => controller.abort(reason)
        },
        onResponseStart(controller, statusCode, received) {
          status = statusCode
          headers = received
          // a status below 200 is informational
          if (statusCode < 200) return
          if (transmission.stage === "waiting") {
            // without a start event, failures before and after the first byte look the same; reads
            // precede every submission and fail here
            transmission.stage = "handed-over"
            resume(failed(request, new Unannounced()))
            return controller.abort(new Unannounced())
          }
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
          const wait = transmission.stage === "waiting" ? endOfCertificate(url, error) : undefined
          if (wait === undefined) return resume(failed(request, error))
          void wait.then((end) => {
            transmission.certificateEnd = end
            resume(failed(request, error))
          })
        }
      }
      try {
        dispatchers
          .of(url.origin)
          .dispatch(
            { origin: url.origin, path: url.pathname + url.search, method, headers: request.headers, body },
            handler
          )
      } catch (error) {
        // a proxy that is not a URL, a dispatcher of another version: nothing was sent
        resume(failed(request, error))
      }
      return Effect.sync(() => {
        interrupted = new Interrupted("interrupted")
        abort?.(interrupted)
      })
    })
  })

/** In milliseconds. The request has already failed, and only its explanation waits. */
const longestLook = 3000

/**
 * Without trusting the server, and closed before a byte is sent. Returns `2026-11-01`, or null on
 * any failure.
 */
const certificateEnd = async (host: string, port: number): Promise<string | null> => {
  const { connect } = await import("node:tls")
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: longestLook }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to)
      done(Number.isNaN(end) ? null : new Date(end).toISOString().slice(0, 10))
    })
    const done = (end: string | null) => {
      socket.destroy()
      resolve(end)
    }
    socket.on("error", () => done(null))
    socket.on("timeout", () => done(null))
  })
}
