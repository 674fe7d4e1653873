/** Exchanges a refresh token at an OAuth 2 token endpoint; what the answer states is checked by oauth4webapi. */
import { LiveSourceError, type LiveSourceReason } from "@fiscal-connector/core/source/LiveSourceError"
import type { FreshToken } from "@fiscal-connector/core/pull/TokenFile"
import { Clock, Effect, Redacted } from "effect"
import * as oauth from "oauth4webapi"

/** Where tokens come from, and for whom. */
export interface RefreshGrantOptions {
  readonly source: string
  /** https; http on this machine alone. */
  readonly tokenUrl: string
  readonly clientId: string
  /** Left out: a client without a secret, as a program on a desk is. */
  readonly clientSecret?: Redacted.Redacted<string> | undefined
}

// a token endpoint that takes longer does not answer
const timeout = 30_000

const asks = 60_000

const isLoopback = ({ hostname, protocol }: URL) =>
  protocol === "http:" && (hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname))

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (typeof code === "string" && /^\w{1,60}$/.test(code)) return code
  return error instanceof Error ? error.name : "unknown"
}

const tls = /^(ERR_TLS|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH)/

/** Nothing of an answer is quoted but the error's code of the specification. */
const reasonOf = (error: unknown, now: number): LiveSourceReason => {
  if (error instanceof oauth.ResponseBodyError)
    return error.error === "invalid_grant" || error.error === "invalid_client" || error.error === "unauthorized_client"
      ? { _tag: "LoginEnded", because: error.error }
      : { _tag: "Refused", status: error.status }
  const response = error instanceof Error && error.cause instanceof Response ? error.cause : undefined
  if (response?.status === 429) return { _tag: "Limited", limit: "tokens", retryAt: now + asks }
  if (response !== undefined && response.status >= 500)
    return { _tag: "Unreached", because: `the token endpoint answered ${response.status}` }
  if (error instanceof oauth.OperationProcessingError || error instanceof SyntaxError)
    return { _tag: "AnswerUnreadable", problem: "the token endpoint answered something else than its interface states" }
  const code = codeOf(error)
  return tls.test(code) ? { _tag: "Certificate", because: code } : { _tag: "Unreached", because: code }
}

/** Makes the exchange. `LoginEnded`: the token is not good any more, and no refresh helps. */
export const make = ({ clientId, clientSecret, source, tokenUrl }: RefreshGrantOptions) => {
  const url = new URL(tokenUrl)
  const server: oauth.AuthorizationServer = { issuer: url.origin, token_endpoint: tokenUrl }
  const client: oauth.Client = { client_id: clientId }
  const authentication =
    clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(Redacted.value(clientSecret))
  const exchange = async (refreshToken: string) => {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
      [oauth.allowInsecureRequests]: isLoopback(url),
      signal: () => AbortSignal.timeout(timeout)
    })
    return oauth.processRefreshTokenResponse(server, client, response)
  }
  return (refreshToken: Redacted.Redacted<string>): Effect.Effect<FreshToken, LiveSourceError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const answer = yield* Effect.tryPromise({
        try: () => exchange(Redacted.value(refreshToken)),
        catch: (error) => new LiveSourceError({ source, operation: "refresh", reason: reasonOf(error, now) })
      })
      return {
        access: Redacted.make(answer.access_token),
        // RFC 6749, 5.1: where it is left out the endpoint documents it elsewhere
        expiresIn: answer.expires_in ?? 1800,
        refresh: answer.refresh_token === undefined ? undefined : Redacted.make(answer.refresh_token)
      }
    })
}
