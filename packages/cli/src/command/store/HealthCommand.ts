/** `connector health`: whether someone must look, from the store alone; it works with every worker dead. */
import * as Health from "@fiscal-connector/core/submission/Health"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, DateTime, Duration, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { onStore, storeFlags } from "../../account/StoreFlags.ts"
import { Quit } from "../../output/Quit.ts"

export const health = Command.make(
  "health",
  { ...storeFlags, json: Flag.Boolean("json").pipe(Flag.withDescription("print JSON"), Flag.withDefault(false)) },
  ({ json, ...which }) =>
    onStore(
      which,
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const state = yield* store.health(Duration.days(7))
        const concerns = Health.concerns(state)
        if (json) yield* Console.log(JSON.stringify({ ...state, at: DateTime.formatIso(state.at), concerns }))
        else {
          const counts = Object.entries(state.counts).map(([name, count]) => `${count} ${name}`)
          yield* Console.log(counts.length === 0 ? "The store is empty." : counts.join(", "))
          for (const { code, lane, text } of concerns)
            yield* Console.log(`${code}${lane === null ? "" : ` ${lane}`}: ${text}`)
          if (concerns.length === 0) yield* Console.log("Nobody needs to look.")
        }
        if (concerns.length > 0) return yield* new Quit({ code: 3, text: "" })
      })
    )
).pipe(Command.withDescription("Say whether someone must look; the exit code says it to a script"))
