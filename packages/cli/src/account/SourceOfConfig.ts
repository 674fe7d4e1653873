/** A source of the configuration with the settings of its kind: ready to be opened. */
import type { SettledSource } from "@fiscal-connector/adapter-kit"
import { ConfigFile } from "@fiscal-connector/core/session"
import { UndiciHttpClient } from "@fiscal-connector/core/node"
import { ConfigFinding, type ConfigSource } from "@fiscal-connector/core/host/account"
import { Effect, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as AdapterModule from "../adapter/AdapterModule.ts"
import * as SourceKinds from "../adapter/SourceKinds.ts"

export interface SourceOfConfig {
  readonly config: ConfigSource.SourceConfig
  readonly live: SettledSource
}

const settled = Effect.fnUntraced(function* (
  configuration: ConfigFile.Configuration,
  config: ConfigSource.SourceConfig
) {
  const { file, locate } = configuration
  const { folder, kind, name, options = {}, secret, settings, tenant } = config
  const failed = (problems: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly message: string }>) =>
    new ConfigFile.ConfigFileError({
      file,
      findings: problems.map(({ message, path }) => {
        const found = ConfigFinding.misshapen(["sources", name, ...path], message)
        return { ...found, at: locate(found.path) }
      })
    })
  const found = yield* SourceKinds.load(kind, folder).pipe(
    Effect.mapError(({ text }) => failed([{ path: ["kind"], message: text }]))
  )
  const live = yield* Effect.try({
    try: () => found.settle({ folder, name, options, secret, settings, tenant }),
    catch: (error) => failed([{ path: ["kind"], message: `its code fails: ${AdapterModule.thrown(error)}` }])
  })
  return Result.isSuccess(live) ? { config, live: live.success } : yield* failed(live.failure)
})

/** Returns the source with this name. Fails with every error of the file and of the source. */
export const of = (configuration: ConfigFile.Configuration, name: string) =>
  Effect.flatMap(ConfigFile.source(configuration, name), (config) => settled(configuration, config))

export const problems = (configuration: ConfigFile.Configuration) =>
  Effect.map(
    Effect.forEach(configuration.sources, ({ config }) =>
      config === null
        ? Effect.succeed([])
        : Effect.match(settled(configuration, config), { onSuccess: () => [], onFailure: ({ findings }) => findings })
    ),
    (found) => found.flat()
  )

/** The source itself. Nothing is requested yet; its connections are closed with the scope. */
export const open = ({ live }: SourceOfConfig) =>
  Effect.provideServiceEffect(live.open, HttpClient.HttpClient, UndiciHttpClient.make())
