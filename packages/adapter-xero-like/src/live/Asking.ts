import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import type { TokenFile } from "@fiscal-connector/core/adapter"
import { Effect, Redacted } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

export interface AskOptions {
  readonly name: string
  readonly url: string
  readonly tenant: string
  readonly tokens: TokenFile.Tokens
}

export const make =
  (client: HttpClient.HttpClient, { name, tenant, tokens, url }: AskOptions) =>
  (operation: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const requestWith = (access: Redacted.Redacted<string>) =>
      HttpClientRequest.get(`${url}${path}`).pipe(
        HttpClientRequest.setHeaders({
          ...headers,
          accept: "application/json",
          "xero-tenant-id": tenant,
          authorization: `Bearer ${Redacted.value(access)}`
        })
      )
    const attempt = (): SourceRequest.RequestAttempt => {
      let access: Redacted.Redacted<string> | undefined
      let issued: TokenFile.RenewedToken["issued"] = "before"
      return {
        request: Effect.gen(function* () {
          return requestWith((access ??= yield* tokens.current))
        }),
        login: Effect.fnUntraced(function* (status) {
          if (status !== 401 || access === undefined) return undefined
          if (issued === "now") return { _tag: "LoginEnded", text: "the source refuses a new token" } as const
          ;({ access, issued } = yield* tokens.renewed(access))
          return "again"
        })
      }
    }
    return SourceRequest.answered(client, { source: name, operation, attempt })
  }
