/** Runs `connector serve` during a test. */
import { Deferred, Effect, Fiber } from "effect"
import { connector } from "./RunningConnector.ts"

export interface Serving {
  /** Address of the account's webhook. */
  readonly hook: string
  readonly status: string
  readonly text: string
}

/** Runs `connector serve` until the scope closes. */
export const serving = (folder: string, args: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<Serving>()
    let stop = () => {}
    const ended = yield* Effect.forkChild(
      connector(["serve", "--config", "account.json", "--port", "0", "--status-port", "0", ...args], {
        cwd: folder,
        watch: (text, child) => {
          stop = child.interrupt
          const status = /(http:\/\/\S+)\/health/.exec(text)?.[1]
          const hook = /POST (http:\/\/\S+)/.exec(text)?.[1]
          if (status && hook) Deferred.doneUnsafe(printed, Effect.succeed({ hook, status, text }))
        }
      })
    )
    const failed = Effect.flatMap(Fiber.join(ended), ({ err, out }) => Effect.die(new Error(out + err)))
    const serving = yield* Effect.raceFirst(Deferred.await(printed), failed)
    yield* Effect.addFinalizer(() => Effect.andThen(Effect.sync(stop), Fiber.await(ended)))
    return serving
  })
