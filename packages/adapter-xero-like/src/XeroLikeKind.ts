/** Xero-shaped sources in a configuration: their settings, and their login in a browser. */
import {
  defineSourceKind,
  EndpointAddress,
  PageSize,
  RedirectAddress,
  SourceAddress
} from "@fiscal-connector/adapter-kit"
import { Effect, Schema } from "effect"
import { resolve } from "node:path"
import { XeroLikeOptions } from "./options/XeroLikeOptions.ts"
import * as XeroLikeCompany from "./XeroLikeCompany.ts"

const { authorizeUrl, tokenUrl, url } = XeroLikeCompany.publishedAddresses

const address = (schema: typeof SourceAddress | typeof EndpointAddress, standard: string, description: string) =>
  schema
    .annotate({ description: `${description}; default ${standard}` })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(standard)))

const settings = {
  url: address(SourceAddress, url, "the address of the interface"),
  tokenUrl: address(EndpointAddress, tokenUrl, "where tokens are issued"),
  authorizeUrl: address(EndpointAddress, authorizeUrl, "where a user logs in"),
  redirectUrl: RedirectAddress.annotate({
    description:
      "where the browser is sent after a login, on this machine, as the application at the source has it; default http://localhost:8765/callback"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("http://localhost:8765/callback"))),
  scopes: Schema.Array(Schema.NonEmptyString)
    .annotate({
      description: "what a login may read; default offline_access, accounting.invoices.read, accounting.contacts.read"
    })
    .pipe(
      Schema.withDecodingDefaultKey(
        Effect.succeed(["offline_access", "accounting.invoices.read", "accounting.contacts.read"])
      )
    ),
  clientId: Schema.NonEmptyString.annotate({ description: "the identifier of the application at the source" }),
  tokenFile: Schema.NonEmptyString.annotate({
    description:
      'a file for the tokens, kept by this program for you alone; at first {"refreshToken": "…"}; relative to this file'
  }),
  pageSize: Schema.optionalKey(PageSize)
}

/** The kind, for a host with a configuration. */
export const kind = defineSourceKind({
  settings,
  options: XeroLikeOptions,
  testServer: () => import("@fiscal-connector/sandbox/source/XeroSystem"),
  open: ({ folder, name, options, secret, settings: own, tenant }) =>
    XeroLikeCompany.source({
      ...own,
      name,
      tenant,
      options,
      clientSecret: secret,
      tokenFile: resolve(folder, own.tokenFile)
    }).open,
  login: ({ folder, name, secret, settings: own }) => {
    const company = { ...own, name, clientSecret: secret, tokenFile: resolve(folder, own.tokenFile) }
    return {
      options: { ...company, source: name },
      tokens: XeroLikeCompany.tokens(company),
      tokenFile: company.tokenFile
    }
  }
})
