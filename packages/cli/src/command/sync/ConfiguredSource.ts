/** A source of the configuration, ready to be read: its interface, its tokens, and what was settled about it. */
import type * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import * as XeroLikeCompany from "@fiscal-connector/adapter-xero-like/XeroLikeCompany"
import { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import type { SyncSettings } from "@fiscal-connector/core/pull/Sync"
import type { SourceConfig } from "@fiscal-connector/core/unstable/configuration/ConfigSource"
import { Duration, Effect, Schema } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { problemList } from "../../output/ProblemList.ts"
import { Quit } from "../../output/Quit.ts"
import { printable } from "../../output/Terminal.ts"

const optionsIn = Schema.decodeUnknownEffect(XeroLikeOptions, { errors: "all", onExcessProperty: "error" })

/** The source as the file has it. Fails with Quit and everything that is wrong with it. */
export const configured = (file: string, name: string) =>
  Effect.flatMap(ConfigAccount.read(file), (configuration) =>
    Effect.mapError(
      ConfigFile.source(configuration, name),
      ({ findings }) =>
        new Quit({ code: 1, text: `The source ${printable(name)} cannot be used:\n\n${problemList(findings)}` })
    )
  )

/** Settings of a run. */
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

/** The application that asks for tokens, and where it asks. */
export const clientOf = ({ clientId, clientSecret, name, tokenUrl }: SourceConfig): OAuthGrants.OAuthClient => ({
  source: name,
  tokenUrl,
  clientId,
  clientSecret
})

/** The tokens of the source, in its file. */
export const tokensOf = (config: SourceConfig) => XeroLikeCompany.tokens(config)

/** The source itself; nothing is asked yet, and its connections are closed with the scope. */
export const open = Effect.fnUntraced(function* (config: SourceConfig) {
  const options = yield* Effect.mapError(
    optionsIn(config.options ?? {}),
    ({ message }) => new Quit({ code: 1, text: printable(`The options of the source ${config.name}: ${message}`) })
  )
  return yield* XeroLikeCompany.source({ ...config, options }).open.pipe(
    Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
  )
})
