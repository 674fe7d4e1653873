/** Client of a Xero-shaped interface: authenticated reads, with a new token where one has ended. */
import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import type { RenewedToken, Tokens } from "@fiscal-connector/core/pull/TokenFile"
import { Effect, Redacted } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Address, tenant and tokens of the source. */
export interface AskOptions {
  readonly name: string
  readonly url: string
  readonly tenant: string
  readonly tokens: Tokens
}

/** Makes the function that sends requests. */
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
    const attempt = (): SourceRequest.Attempt => {
      let access: Redacted.Redacted<string> | undefined
      let issued: RenewedToken["issued"] = "before"
      return {
        request: Effect.gen(function* () {
          return requestWith((access ??= yield* tokens.current))
        }),
        login: Effect.fnUntraced(function* (status) {
          if (status !== 401 || access === undefined) return undefined
          if (issued === "now") return { _tag: "LoginEnded", because: "the source refuses a new token" } as const
          ;({ access, issued } = yield* tokens.renewed(access))
          return "again"
        })
      }
    }
    return SourceRequest.answered(client, { source: name, operation, attempt })
  }
