/** Opens a source of the configuration: its interface, its tokens and its settings. */
import type * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { options as odooLikeOptions } from "@fiscal-connector/adapter-odoo-like/OdooLikeOptions"
import * as OdooLikeSource from "@fiscal-connector/adapter-odoo-like/OdooLikeSource"
import * as XeroLikeCompany from "@fiscal-connector/adapter-xero-like/XeroLikeCompany"
import { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import type { SyncSettings } from "@fiscal-connector/core/pull/Sync"
import type { SourceConfig } from "@fiscal-connector/core/unstable/configuration/ConfigSource"
import type { LiveSource } from "@fiscal-connector/core/source/LiveSource"
import type { LiveSourceError } from "@fiscal-connector/core/source/LiveSourceError"
import { Duration, Effect, type FileSystem, Redacted, Schema, type Scope } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { problemList } from "../../output/ProblemList.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"

/** Reads the source from the file. Fails with ExitError and all problems of the source. */
export const configured = (file: string, name: string) =>
  Effect.flatMap(ConfigAccount.read(file), (configuration) =>
    Effect.mapError(
      ConfigFile.source(configuration, name),
      ({ findings }) =>
        new ExitError({ code: 1, text: `The source ${printable(name)} cannot be used:\n\n${problemList(findings)}` })
    )
  )

/** Returns the settings of a run. */
export const settingsOf = (config: SourceConfig): SyncSettings => ({
  source: config.name,
  tenant: config.tenant,
  account: config.account,
  goLive: config.goLive,
  quietAfter: Duration.toMillis(config.quietAfter),
  consent: config.consent,
  whenLate: config.late,
  overlap: config.overlap,
  clockSkew: config.clockSkew,
  sweep: config.sweep
})

/** Returns the OAuth client that requests tokens, with the address of the token endpoint. */
export const clientOf = ({ clientId, clientSecret, name, tokenUrl }: SourceConfig): OAuthGrants.OAuthClient => ({
  source: name,
  tokenUrl,
  clientId,
  clientSecret
})

/** Opens the source's token file. */
export const tokensOf = (config: SourceConfig) => XeroLikeCompany.tokens(config)

/** A source whose adapter has the options that belong to it. */
export type AnySource = LiveSource<unknown>

// The options of a source belong to the adapter of its kind.
const anySource = (live: unknown) => live as AnySource

/** Options of the adapter. Fails with ExitError where the configuration has others. */
const optionsOf = <A, I>(schema: Schema.Codec<A, I>, { name, options = {} }: SourceConfig) => {
  const given: unknown = options
  return Effect.mapError(
    Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })(given),
    ({ message }) => new ExitError({ code: 1, text: printable(`The options of the source ${name}: ${message}`) })
  )
}

/** The last millisecond of the day, in UTC. */
const endOf = (day: SourceConfig["keyEnds"]): number | undefined =>
  day === undefined ? undefined : Date.parse(`${day}T23:59:59Z`)

/** A Xero-shaped source with the tokens of its file. */
const xeroLike = Effect.fnUntraced(function* (config: SourceConfig) {
  const options = yield* optionsOf(XeroLikeOptions, config)
  return yield* XeroLikeCompany.source({ ...config, options }).open
})

/** An Odoo-shaped source with its API key. */
const odooLike = Effect.fnUntraced(function* (config: SourceConfig) {
  const { clientSecret = Redacted.make(""), database, keyEnds, name, pageSize, tenant, url } = config
  const options = yield* optionsOf(Schema.Struct(odooLikeOptions), config)
  const given = { name, tenant, url, database, pageSize, options, apiKey: clientSecret, keyEnds: endOf(keyEnds) }
  return yield* OdooLikeSource.make(given)
})

/**
 * The source itself, whatever its kind. Nothing is requested yet; its connections are closed with
 * the scope.
 */
export const open = (
  config: SourceConfig
): Effect.Effect<AnySource, ExitError | LiveSourceError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.provideServiceEffect(
    Effect.map(config.kind === "odoo-like" ? odooLike(config) : xeroLike(config), anySource),
    HttpClient.HttpClient,
    UndiciHttpClient.make()
  )
