/** The usual forms of a flag. Every other flag is built with Effect's own functions. */
import type { Option } from "effect"
import { Flag } from "effect/cli"

/** Makes a flag without a value. */
export const isSet = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** Makes a flag optional, with its description. */
export const optional = <A>(flag: Flag.Flag<A>, description: string): Flag.Flag<Option.Option<A>> =>
  Flag.optional(Flag.withDescription(flag, description))

/** Makes an optional flag with any text as its value. */
export const optionalText = (name: string, description: string): Flag.Flag<Option.Option<string>> =>
  optional(Flag.String(name), description)
