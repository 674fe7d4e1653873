/** The flags that say where a command works. */
import { Config, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { configVariable } from "../output/Call.ts"

const flag = Flag.String("config").pipe(
  Flag.withAlias("c"),
  Flag.withDescription(`the configuration with accounts and store; default ${configVariable}`)
)

export const config = flag.pipe(Flag.withFallbackConfig(Config.String(configVariable)))

/** For commands that can do without. */
export const optionalConfig = Flag.optional(flag)

/** The configuration named by the flag, else by the environment. */
export const configOf = (named: Option.Option<string>): Effect.Effect<Option.Option<string>> =>
  Option.isSome(named)
    ? Effect.succeed(named)
    : Effect.orElseSucceed(Config.option(Config.String(configVariable)), Option.none<string>)

export const account = Flag.String("account").pipe(
  Flag.withDescription("the account, if the configuration has several"),
  Flag.optional
)

/** Of every command that asks the gateway something for one account. */
export const accountFlags = { config, account }
