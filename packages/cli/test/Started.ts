/** A command that runs in the background of a test. */
import { Effect, Fiber } from "effect"
import type { Ended, RunOptions, Signaled } from "./RunningConnector.ts"

type Start<Told> = (args: ReadonlyArray<string>, options: RunOptions<Told>) => Effect.Effect<Ended>

/**
 * Starts a command in the background; returns the output so far, waits for a text or the end, and
 * the signals.
 */
export const startedBy = <Told extends Signaled>(start: Start<Told>, folder: string, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let printed = ""
    let child: Told | undefined
    const fiber = yield* Effect.forkChild(
      start([...args, "--config", "account.json"], {
        cwd: folder,
        watch: (text, handle) => {
          printed = text
          child = handle
        }
      })
    )
    return {
      ended: Fiber.join(fiber),
      printed: () => printed,
      told: (tell: (child: Told) => void) => Effect.sync(() => (child === undefined ? undefined : tell(child))),
      until: (said: string) =>
        Effect.sync(() => printed.includes(said)).pipe(
          Effect.delay("20 millis"),
          Effect.repeat({ until: (found) => found })
        )
    }
  })
