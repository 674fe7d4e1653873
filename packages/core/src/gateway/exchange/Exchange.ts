/** One request and its complete answer: built, signed, sent once, timed to the last byte. */
import { withoutTrailing } from "../../document/TextEdges.ts"
import { Clock, Context, Duration, Effect, Option, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import type { GatewayAnswer } from "./Answer.ts"
import * as Redaction from "./Redaction.ts"
import type * as ExchangeFacts from "../contract/ExchangeFacts.ts"
import type { SettledConfig } from "../contract/GatewayConfig.ts"
import { NotSent, Unavailable, UnknownOutcome } from "../contract/GatewayError.ts"
import { SendDeadline } from "../contract/SendDeadline.ts"
import * as Transmission from "./Transmission.ts"
import { type OperationId, operations } from "../contract/Operation.ts"
import * as Signature from "./Signature.ts"

export interface Request {
  readonly operation: OperationId
  readonly segments?: { readonly [name: string]: string | number }
  readonly query?: { readonly [name: string]: string | number | undefined }
  /** JSON text. The bytes that are signed are the bytes that are sent. */
  readonly body?: string
}

export type Exchange = (
  request: Request,
  kept: ExchangeFacts.StoredFacts
) => Effect.Effect<GatewayAnswer, NotSent | Unavailable | UnknownOutcome>

const encoder = new TextEncoder()

const target = (path: string, { query = {}, segments = {} }: Request): string => {
  const filled = path.replace(/\{([^{}]*)\}/g, (_, name: string) => encodeURIComponent(String(segments[name])))
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? filled : `${filled}?${parameters}`
}

const timeoutOf = (id: OperationId, { timeouts }: SettledConfig): Duration.Duration =>
  id === "downloadPdf" || id === "zReportPdf" ? timeouts.download : timeouts[operations[id].effect]

/** No tracing headers to the gateway, no redirect followed. */
const requestContext = Context.empty().pipe(
  Context.add(HttpClient.TracerDisabledWhen, () => true),
  Context.add(FetchHttpClient.RequestInit, { redirect: "manual" })
)

/**
 * Makes the exchange of one account. The configuration's secrets are used in headers and signatures
 * only.
 */
export const make = (config: SettledConfig, client: HttpClient.HttpClient): Exchange => {
  const base = withoutTrailing(config.baseUrl, "/")
  const host = new URL(config.baseUrl).host
  const common = Headers.fromRecordUnsafe({
    "x-api-key": Redacted.value(config.apiKey),
    "x-application": config.application,
    "x-app-station": config.station,
    "x-app-version": config.version
  })
  const ofAccount = Redaction.ofAccount(config)
  const keyForm = config.assumptions["AUTH-2"]
  const signsAll = config.assumptions["AUTH-1"] === "every-request"
  const sign = config.secret === undefined ? undefined : Signature.signing(config.secret, keyForm)
  const signatureOf = (body: Uint8Array | undefined) =>
    body === undefined && !signsAll ? undefined : sign?.(body ?? new Uint8Array())

  return (request, kept) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const begun = clock.currentTimeNanosUnsafe()
      const operation = operations[request.operation]
      const body = request.body === undefined ? undefined : encoder.encode(request.body)
      const signature = signatureOf(body)
      const headers = {
        ...common,
        ...(body === undefined ? undefined : { "content-type": "application/json" }),
        ...(signature === undefined ? undefined : { [Signature.header.toLowerCase()]: signature })
      }
      const redaction =
        signature === undefined ? ofAccount : Redaction.both(ofAccount, Redaction.redacting([signature]))
      const transmission = Transmission.make(fiber.getRef(SendDeadline))
      let code: string | null = null
      const conclude = () => {
        kept.facts = {
          stage: Transmission.stageOf(transmission),
          status: transmission.status,
          code,
          millis: Number((clock.currentTimeNanosUnsafe() - begun) / 1_000_000n)
        }
      }
      const failure = (cause: NotSent["cause"], detail: string, problem: string) => {
        if (transmission.stage === "waiting") {
          const end = transmission.certificateEnd
          const expired = end === null ? "" : `, the certificate of the gateway expired on ${end}`
          return new NotSent({ cause, text: `${unsent[cause]} (${host}, ${detail}${expired})` })
        }
        return operation.effect === "write" ? new UnknownOutcome({ text: problem }) : new Unavailable({ text: problem })
      }
      const timeout = timeoutOf(request.operation, config)
      return client
        .execute(
          HttpClientRequest.makeWith(
            operation.method,
            base + target(config.paths[request.operation], request),
            UrlParams.empty,
            Option.none(),
            Headers.fromRecordUnsafe(headers),
            body === undefined ? HttpBody.empty : HttpBody.uint8Array(body, "application/json")
          )
        )
        .pipe(
          Effect.flatMap((response) => {
            const { headers, status } = response
            transmission.stage = "answering"
            transmission.status = status
            return Effect.map(response.arrayBuffer, (bytes): GatewayAnswer => {
              transmission.stage = "answered"
              return {
                status,
                headers,
                body: new Uint8Array(bytes),
                receivedAt: clock.currentTimeMillisUnsafe(),
                redaction
              }
            })
          }),
          Effect.mapError((error: HttpClientError) => {
            const { cause } = error.reason
            code = redaction.text(Transmission.codeOf(cause))
            return failure(Transmission.whyNotSent(cause), code, `no complete answer: the connection failed (${code})`)
          }),
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => {
              const after = Duration.format(timeout)
              code = "TIMEOUT"
              return Effect.fail(
                failure("aborted-before-sending", `after ${after}`, `no complete answer within ${after}`)
              )
            }
          }),
          Effect.provideContext(Context.add(requestContext, Transmission.Transmission, transmission)),
          Effect.onExit(() => Effect.sync(conclude))
        )
    })
}

const unsent = {
  "name-not-resolved": "the name was not resolved",
  "not-connected": "no connection",
  "tls-failure": "no trusted TLS connection",
  "aborted-before-sending": "given up before anything was sent"
} satisfies { readonly [Cause in NotSent["cause"]]: string }
