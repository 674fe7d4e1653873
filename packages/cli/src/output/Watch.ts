/** Repeats an output every two seconds for `--watch`, in place on a terminal, until Ctrl-C. */
import { Console, Effect, Schedule } from "effect"
import { InterruptPolicy } from "./InterruptPolicy.ts"
import { ExitError } from "./ExitError.ts"
import { StandardStreams } from "./StandardStreams.ts"
import { isSet } from "./Flags.ts"

export const watchFlag = isSet("watch", "show it again every two seconds, until Ctrl-C")

const clear = Effect.map(StandardStreams, ({ output }) => {
  if (output.isTerminal) output.write("\u001b[2J\u001b[H")
})

/** Repeating a wrong call cannot succeed. Other failures may pass. */
const isLasting = (error: object): boolean => error instanceof ExitError && error.code === 1

const again = <E extends { readonly message: string }, R>(show: Effect.Effect<void, E, R>) =>
  Effect.catchIf(
    show,
    (error) => !isLasting(error),
    ({ message }) => (message === "" ? Effect.void : Console.log(message))
  )

/**
 * Shows the output once, or repeatedly if watched. Shown once, a failure of `show` ends the
 * command. A repetition ends on Ctrl-C, or when the reader closes the output.
 */
export const watched = <E extends { readonly message: string }, R>(
  isWatched: boolean,
  show: Effect.Effect<void, E, R>
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    if (!isWatched) return yield* show
    const [ending, { closed }] = [yield* InterruptPolicy, yield* StandardStreams]
    ending.interrupted = "well"
    const shown = Effect.repeat(Effect.andThen(clear, again(show)), Schedule.spaced("2 seconds"))
    yield* Effect.raceFirst(shown, closed)
  })
