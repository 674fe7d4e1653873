import type { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"

export const isSet = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const optional = <A>(flag: Flag.Flag<A>, description: string): Flag.Flag<Option.Option<A>> =>
  Flag.optional(Flag.withDescription(flag, description))

export const optionalText = (name: string, description: string): Flag.Flag<Option.Option<string>> =>
  optional(Flag.String(name), description)

export const describedCommand = <Name extends string, const Config extends Command.Command.Config, E, R>(
  name: Name,
  description: string,
  flags: Config,
  run: (given: Command.Command.Config.Infer<Config>) => Effect.Effect<void, E, R>
) => Command.make(name, flags, run).pipe(Command.withDescription(description))

export const commandGroup = <
  Name extends string,
  const Subcommands extends ReadonlyArray<Command.Command.SubcommandEntry>
>(
  name: Name,
  description: string,
  subcommands: Subcommands
) => Command.make(name).pipe(Command.withDescription(description), Command.withSubcommands(subcommands))
