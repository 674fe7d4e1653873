import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { optionalText } from "../output/Flags.ts"

export const as = optionalText("as", "the operator's name; default the system user")

export const decidedBy = <A, E, R>(
  name: Option.Option<string>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Option.isNone(name) ? effect : Effect.provideService(effect, OperatorRecord.Operator, { name: name.value })

/** Flag for a text that only the operator knows: its place in a printed command is refused. */
export const ownText = (name: string, what: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.filter(
      (text) => OperatorRecord.reasonProblem(text) === null,
      () => `${what}; a text in angle brackets only marks its place`
    ),
    Flag.withDescription(description)
  )

/** Flag `--because`. */
export const reason = (description: string): Flag.Flag<string> => ownText("because", "your own reason", description)

/** Flag `--because` for decisions that need no reason. */
export const optionalReason = Flag.optional(reason("the reason; recorded in the list of decisions"))
