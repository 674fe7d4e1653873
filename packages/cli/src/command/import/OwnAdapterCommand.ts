/**
 * Commands `import --adapter` and `plan --adapter`: run a custom adapter through the same path as
 * our own.
 */
import { Effect, type Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AdapterFlags from "../../adapter/AdapterFlags.ts"
import type { Loaded, OwnAdapter } from "../../adapter/AdapterModule.ts"
import { namesOf } from "./Given.ts"
import * as Remembered from "../../import/Remembered.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"

export const adapterFlag = Flag.String("adapter").pipe(
  Flag.withDescription(
    "an adapter: its file, or a package of this folder's node_modules. It is code that runs with your rights"
  )
)

export const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("the name of the adapter: lowercase letters, digits and dashes")
)

type Flags = Readonly<Record<string, Flag.Flag<Option.Option<string | boolean>>>>

/** A loaded adapter with its flags. */
export interface Ready extends Loaded {
  /** Flags by their names on the command line. */
  readonly flags: Flags
  source(
    given: object
  ): Effect.Effect<
    ImportCommand.Source<{ readonly [option: string]: unknown }>,
    Effect.Error<ReturnType<typeof AdapterFlags.optionsOf>>
  >
}

/** Returns a pattern for the names of files that the adapter reads. */
export const endings = ({ extensions }: Pick<OwnAdapter, "extensions">): RegExp =>
  extensions.length === 0
    ? /./
    : new RegExp(
        `(${extensions.map((extension) => extension.replaceAll(/[^a-z0-9]/gi, String.raw`\$&`)).join("|")})(\\.gz)?$`,
        "i"
      )

/** Adds flags to a loaded adapter. `naming`: the flags with which a call names the adapter. */
export const withFlags = (
  loaded: Loaded,
  flags: ReadonlyArray<AdapterFlags.OptionFlag>,
  naming: ReadonlyArray<string>
): Ready => {
  const { adapter } = loaded
  return {
    ...loaded,
    flags: Object.fromEntries(flags.map(({ flag, name }) => [name, flag])),
    source: (given) =>
      Effect.map(AdapterFlags.optionsOf(adapter, flags, given as Readonly<Record<string, never>>), (options) => ({
        adapter,
        extensions: endings(adapter),
        ending: adapter.extensions[0] ?? ".json",
        code: loaded.file,
        options,
        remembering: Remembered.ofFormat(adapter.options),
        reading: [...naming, ...flags.map(({ name }) => name)]
      }))
  }
}

/** Prepares a loaded adapter. `others`: flags of further commands that take the adapter. */
export const ready = (loaded: Loaded, others: object) =>
  Effect.gen(function* () {
    const { adapter } = loaded
    const taken = [
      ...namesOf(importFlags),
      ...namesOf(others),
      "adapter",
      "help",
      "version",
      "log-level",
      "completions",
      "wizard",
      "json",
      "quiet",
      "verbose"
    ]
    return withFlags(loaded, yield* AdapterFlags.of(adapter, taken), ["adapter"])
  })

export const command = (mode: "plan" | "import", { flags, source }: Ready) =>
  Command.make(
    mode,
    { ...importFlags, adapter: adapterFlag, ...flags },
    Effect.fnUntraced(function* (given) {
      yield* ImportCommand.run(mode, yield* source(given), given)
    })
  ).pipe(
    Command.withDescription(
      mode === "plan"
        ? "Read, translate and check what an adapter of your own reads; send nothing"
        : "Fiscalise what an adapter of your own reads"
    )
  )
