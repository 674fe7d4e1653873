/** `--watch`: the same again every two seconds, over itself on a terminal, until Ctrl-C. */
import { Effect, Schedule } from "effect"
import { Flag } from "effect/cli"

export const watchFlag = Flag.Boolean("watch").pipe(
  Flag.withDescription("show it again every two seconds, until Ctrl-C"),
  Flag.withDefault(false)
)

const clear = Effect.sync(() => {
  if (process.stdout.isTTY === true) process.stdout.write("\u001b[2J\u001b[H")
})

/** What `show` fails with ends it, too, where it is shown once. */
export const watched = <E, R>(isWatched: boolean, show: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  isWatched
    ? Effect.asVoid(Effect.repeat(Effect.andThen(clear, Effect.ignore(show)), Schedule.spaced("2 seconds")))
    : show
