/** One company of a Xero-shaped system, for a program without a configuration file. */
import * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { type NamedSource, TokenFile } from "@fiscal-connector/core/adapter"
import { Effect, Redacted } from "effect"
import type { XeroLikeOptions } from "./options/XeroLikeOptions.ts"
import * as XeroLikeSource from "./XeroLikeSource.ts"

/** Published addresses of the system. */
export const publishedAddresses = {
  url: "https://api.xero.com",
  tokenUrl: "https://identity.xero.com/connect/token",
  authorizeUrl: "https://login.xero.com/identity/connect/authorize"
} as const

/** The company, and the application that reads it. */
export interface XeroLikeCompanyOptions {
  readonly name: string
  /** Identifier of the company in the source. A login that gives another company's data stops. */
  readonly tenant: string
  readonly clientId: string
  /** Left out: an application without a secret. */
  readonly clientSecret?: string | Redacted.Redacted<string> | undefined
  /**
   * File of the tokens, mode 0600. At first `{"refreshToken": "…"}`; the connector keeps it from
   * then on.
   */
  readonly tokenFile: string
  readonly options: XeroLikeOptions
  /** Records of a page, 100 to 1 000. @default 500 */
  readonly pageSize?: number | undefined
  /** @default `publishedAddresses.url` */
  readonly url?: string | undefined
  /** @default `publishedAddresses.tokenUrl` */
  readonly tokenUrl?: string | undefined
}

/** Returns the tokens in the company's file. */
export const tokens = ({
  clientId,
  clientSecret,
  name,
  tokenFile,
  tokenUrl = publishedAddresses.tokenUrl
}: Pick<XeroLikeCompanyOptions, "clientId" | "clientSecret" | "name" | "tokenFile" | "tokenUrl">) =>
  TokenFile.make({
    source: name,
    file: tokenFile,
    refresh: OAuthGrants.refreshing({
      source: name,
      tokenUrl,
      clientId,
      clientSecret: typeof clientSecret === "string" ? Redacted.make(clientSecret) : clientSecret
    })
  })

/** Returns the company as a source. Nothing is requested yet. */
export const source = (given: XeroLikeCompanyOptions): NamedSource.NamedSource<XeroLikeOptions> => {
  const { name, options, pageSize, tenant, url = publishedAddresses.url } = given
  return {
    name,
    tenant,
    open: Effect.flatMap(tokens(given), (found) =>
      XeroLikeSource.make({ name, url, tenant, tokens: found, options, pageSize })
    )
  }
}
