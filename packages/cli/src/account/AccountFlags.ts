import { Config, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { configVariable } from "../output/Call.ts"
import { optionalText } from "../output/Flags.ts"

const flag = Flag.String("config").pipe(
  Flag.withAlias("c"),
  Flag.withDescription(`the configuration with accounts and store; default ${configVariable}`)
)

export const config = flag.pipe(Flag.withFallbackConfig(Config.String(configVariable)))

export const optionalConfig = Flag.optional(flag)

export const configOf = (named: Option.Option<string>): Effect.Effect<Option.Option<string>> =>
  Option.isSome(named)
    ? Effect.succeed(named)
    : Effect.orElseSucceed(Config.option(Config.String(configVariable)), Option.none<string>)

export const account = optionalText("account", "the account, if the configuration has several")

export const accountFlags = { config, account }
