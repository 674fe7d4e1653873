/** Opens a source of the configuration: its interface, its tokens and its settings. */
import * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import * as XeroLikeSource from "@fiscal-connector/adapter-xero-like/XeroLikeSource"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import type { SyncSettings } from "@fiscal-connector/core/pull/Sync"
import * as TokenFile from "@fiscal-connector/core/pull/TokenFile"
import type { SourceConfig } from "@fiscal-connector/core/unstable/configuration/ConfigSource"
import { Duration, Effect, Schema } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { problemList } from "../../output/ProblemList.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"

const optionsIn = Schema.decodeUnknownEffect(XeroLikeOptions, { errors: "all", onExcessProperty: "error" })

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
  whenLate: config.late ?? "stop",
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
export const tokensOf = (config: SourceConfig) =>
  TokenFile.make({
    source: config.name,
    file: config.tokenFile,
    refresh: OAuthGrants.refreshing(clientOf(config))
  })

/** Opens the source without a request. The connections close with the scope. */
export const open = Effect.fnUntraced(function* (config: SourceConfig) {
  const options = yield* Effect.mapError(
    optionsIn(config.options ?? {}),
    ({ message }) => new ExitError({ code: 1, text: printable(`The options of the source ${config.name}: ${message}`) })
  )
  const tokens = yield* tokensOf(config)
  const { name, pageSize, tenant, url } = config
  return yield* XeroLikeSource.make({ name, url, tenant, tokens, options, pageSize }).pipe(
    Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
  )
})
