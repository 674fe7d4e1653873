/**
 * OAuth 2 tokens of a source: login with PKCE, and refresh. oauth4webapi validates the responses.
 */
import { LiveSourceError, type TokenFile } from "@fiscal-connector/core/adapter"
import { Clock, Effect, type Option, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import { isLoopback } from "./Loopback.ts"

/** Token endpoint and client of a source. */
export interface OAuthClient {
  readonly source: string
  /** https address; http only for this machine. */
  readonly tokenUrl: string
  readonly clientId: string
  /** Secret of the client. Omit for a public client, such as a desktop program. */
  readonly clientSecret?: Redacted.Redacted<string> | undefined
}

/** Settings of a user's login. */
export interface LoginOptions extends OAuthClient {
  /** Address that asks the user for consent. */
  readonly authorizeUrl: string
  readonly redirectUrl: string
  readonly scopes: ReadonlyArray<string>
}

/** A login in progress. */
export interface Login {
  /** Address that the user opens in a browser. */
  readonly url: string
  /**
   * Exchanges the address to which the browser was redirected for a token; none if the address
   * belongs to another login.
   */
  finish(callback: URL): Effect.Effect<Option.Option<TokenFile.FreshToken>, LiveSourceError.LiveSourceError>
}

// a slower token endpoint counts as unreachable
const timeout = 30_000

const asks = 60_000

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (typeof code === "string" && /^\w{1,60}$/.test(code)) return code
  return error instanceof Error ? error.name : "unknown"
}

const tls = /^(ERR_TLS|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH)/

const final = new Set(["invalid_grant", "invalid_client", "unauthorized_client"])

/** Quotes only the specification's error code from a response, never its text. */
const reasonOf = (error: unknown, now: number): LiveSourceError.LiveSourceReason => {
  if (error instanceof oauth.ResponseBodyError)
    return final.has(error.error)
      ? { _tag: "LoginEnded", text: error.error }
      : { _tag: "Refused", status: error.status }
  if (error instanceof oauth.AuthorizationResponseError)
    return { _tag: "LoginEnded", text: /^\w{1,60}$/.test(error.error) ? error.error : "refused" }
  const response = error instanceof Error && error.cause instanceof Response ? error.cause : undefined
  if (response?.status === 429) return { _tag: "Limited", limit: "tokens", retryAt: now + asks }
  if (response !== undefined && response.status >= 500)
    return { _tag: "Unreached", text: `the token endpoint answered ${response.status}` }
  if (error instanceof oauth.OperationProcessingError || error instanceof SyntaxError)
    return { _tag: "AnswerUnreadable", text: "the token endpoint answered something else than its interface states" }
  const code = codeOf(error)
  return tls.test(code) ? { _tag: "Certificate", cause: code } : { _tag: "Unreached", text: code }
}

const partsOf = ({ clientId, clientSecret, tokenUrl }: OAuthClient) => {
  const url = new URL(tokenUrl)
  return {
    server: { issuer: url.origin, token_endpoint: tokenUrl } satisfies oauth.AuthorizationServer,
    client: { client_id: clientId } satisfies oauth.Client,
    authentication: clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(Redacted.value(clientSecret)),
    options: { [oauth.allowInsecureRequests]: isLoopback(url), signal: () => AbortSignal.timeout(timeout) }
  }
}

const exchanged = (source: string, operation: string, exchange: () => Promise<oauth.TokenEndpointResponse>) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answer = yield* Effect.tryPromise({
      try: exchange,
      catch: (error) => new LiveSourceError.LiveSourceError({ source, operation, reason: reasonOf(error, now) })
    })
    return {
      access: Redacted.make(answer.access_token),
      // RFC 6749, 5.1: if the response omits the lifetime, the endpoint documents a lifetime
      // elsewhere
      expiresIn: answer.expires_in ?? 1800,
      refresh: answer.refresh_token === undefined ? undefined : Redacted.make(answer.refresh_token)
    }
  })

/**
 * Exchanges a refresh token. `LoginEnded`: the token is no longer valid, and further refreshes
 * cannot help.
 */
export const refreshing = (given: OAuthClient) => {
  const { authentication, client, options, server } = partsOf(given)
  return (
    refreshToken: Redacted.Redacted<string>
  ): Effect.Effect<TokenFile.FreshToken, LiveSourceError.LiveSourceError> =>
    exchanged(given.source, "refresh", async () => {
      const token = Redacted.value(refreshToken)
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, options)
      return oauth.processRefreshTokenResponse(server, client, response)
    })
}

/** Begins a login with a code that only this process can exchange (PKCE). */
export const login = (given: LoginOptions): Effect.Effect<Login> =>
  Effect.gen(function* () {
    const { authentication, client, options, server } = partsOf(given)
    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier))
    const state = oauth.generateRandomState()
    const url = new URL(given.authorizeUrl)
    const asked = {
      response_type: "code",
      client_id: given.clientId,
      redirect_uri: given.redirectUrl,
      scope: given.scopes.join(" "),
      state,
      code_challenge: challenge,
      code_challenge_method: "S256"
    }
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    return {
      url: url.href,
      finish: (callback) =>
        callback.searchParams.get("state") === state
          ? Effect.asSome(
              exchanged(given.source, "login", async () => {
                const answer = oauth.validateAuthResponse(server, client, callback, state)
                const response = await oauth.authorizationCodeGrantRequest(
                  server,
                  client,
                  authentication,
                  answer,
                  given.redirectUrl,
                  verifier,
                  options
                )
                return oauth.processAuthorizationCodeResponse(server, client, response)
              })
            )
          : Effect.succeedNone
    }
  })
