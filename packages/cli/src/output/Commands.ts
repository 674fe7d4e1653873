/** The usual forms of a command. Every other command is built with Effect's own functions. */
import type { Effect } from "effect"
import { Command } from "effect/cli"

/** Makes a command with its description in the help. */
export const describedCommand = <Name extends string, const Config extends Command.Command.Config, E, R>(
  name: Name,
  description: string,
  flags: Config,
  run: (given: Command.Command.Config.Infer<Config>) => Effect.Effect<void, E, R>
) => Command.make(name, flags, run).pipe(Command.withDescription(description))

/** Makes a command that only holds other commands. */
export const commandGroup = <
  Name extends string,
  const Subcommands extends ReadonlyArray<Command.Command.SubcommandEntry>
>(
  name: Name,
  description: string,
  subcommands: Subcommands
) => Command.make(name).pipe(Command.withDescription(description), Command.withSubcommands(subcommands))
