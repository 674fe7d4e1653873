import { SqliteStaging } from "@fiscal-connector/core/node"
import type { OpenAccount } from "@fiscal-connector/core/session"
import type { Sync } from "@fiscal-connector/core/sync"
import { Clock, Console, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { Argument, Flag } from "effect/cli"
import { describedCommand } from "../../output/Flags.ts"
import { config } from "../../account/AccountFlags.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as SourceOfConfig from "../../account/SourceOfConfig.ts"
import { Call } from "../../output/Call.ts"
import { InterruptPolicy } from "../../output/InterruptPolicy.ts"
import * as Output from "../../output/Output.ts"
import { ExitError, notDone } from "../../output/ExitError.ts"
import * as ConfiguredSource from "../../account/ConfiguredSource.ts"
import * as SourceRun from "./SourceRun.ts"
import * as SyncText from "./SyncText.ts"

const shortest = Duration.minutes(1)

const everyOf = (given: string) => {
  const found = SyncText.duration(given)
  return found !== undefined && Duration.isGreaterThanOrEqualTo(found, shortest)
    ? Effect.succeed(found)
    : Effect.fail(notDone("--every takes a time of at least a minute, as 5m or 1 hour."))
}

const printReport = Effect.fnUntraced(function* (result: Sync.SyncReport) {
  yield* Output.answer("sync-report", SyncText.toJson(result), SyncText.text(result, yield* Call))
})

export const sync = describedCommand(
  "sync",
  "Read an accounting system live and send new documents; the first run is only a plan",
  {
    name: Argument.String("name").pipe(Argument.withDescription("the name of the source in the configuration")),
    config,
    every: Flag.String("every").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription(
        "repeat at this interval, for example 5m, until Ctrl-C; waits longer if the source asks for it"
      ),
      Flag.optional
    ),
    ...Opening.openingFlags
  },
  Effect.fnUntraced(function* ({ config: file, every, name, ...given }) {
    const pause = yield* Effect.transposeOption(Option.map(every, everyOf))
    const source = yield* ConfiguredSource.configured(file, name)
    const live = yield* SourceOfConfig.open(source)
    const store = yield* ConfigAccount.storeOf(file)
    const call = yield* Call
    const opening = (witness: OpenAccount.OpeningOptions["witness"]) => Opening.now(Opening.optionsOf(given, witness))
    const run = RunEffect.watched(SourceRun.once(file, source.config, live, opening))
    const single = Effect.gen(function* () {
      const result = yield* run
      if (Result.isFailure(result)) return yield* notDone(SyncText.failure(result.failure, call))
      yield* printReport(result.success)
      const code = SyncText.exitCode(result.success)
      if (code !== 0) return yield* new ExitError({ code, text: "" })
    })
    const repeated = (pause: Duration.Duration) =>
      Effect.gen(function* () {
        const ending = yield* InterruptPolicy
        ending.interrupted = "well"
        while (true) {
          const began = yield* Clock.currentTimeMillis
          const result = yield* run
          let next = began + Duration.toMillis(pause)
          if (Result.isSuccess(result)) yield* printReport(result.success)
          else {
            next = Math.max(next, SyncText.retryAt(result.failure) ?? next)
            yield* Console.error(SyncText.failure(result.failure, call))
          }
          const now = yield* Clock.currentTimeMillis
          yield* Console.error(`Next run at ${DateTime.formatIso(DateTime.makeUnsafe(Math.max(next, now)))}.`)
          yield* Effect.sleep(Math.max(0, next - now))
        }
      })
    const work = Option.match(pause, { onNone: () => single, onSome: repeated })
    yield* Effect.provide(work, Layer.merge(SqliteStaging.layer, Engine.layer(store)))
  }, Effect.scoped)
)
