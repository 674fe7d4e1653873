/** `connector health`: whether someone must look, from the store alone; it works with every worker dead. */
import { retentionOf } from "@fiscal-connector/core/engine/StatusPoller"
import * as Health from "@fiscal-connector/core/submission/Health"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { onStore, storeFlags } from "../../account/StoreFlags.ts"
import { Quit } from "../../output/Quit.ts"
import * as Output from "../../output/Output.ts"
import { Call } from "../../output/Call.ts"
import * as NextStep from "../../output/NextStep.ts"
import { find } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import { watched, watchFlag } from "../../output/Watch.ts"

const show = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const state = yield* store.health(retentionOf([]))
  const concerns = Health.concerns(state)
  const counts = Object.entries(state.counts).map(([name, count]) => `${count} ${name}`)
  const call = yield* Call
  yield* Output.answer(
    "health",
    { ...state, concerns },
    [
      counts.length === 0 ? "The store is empty." : counts.join(", "),
      ...concerns.flatMap(({ code, lane, text }) => [
        `${code}${lane === null ? "" : ` ${lane}`}: ${text}`,
        ...NextStep.lines(
          find(coreCodes, code)?.steps?.filter((step) => !NextStep.isOfDocument(step)),
          call
        ).map((line) => `    ${line}`)
      ]),
      ...(concerns.length === 0 ? ["Nobody needs to look."] : [])
    ].join("\n")
  )
  if (concerns.length > 0) return yield* new Quit({ code: 3, text: "" })
})

export const health = Command.make("health", { ...storeFlags, watch: watchFlag }, ({ watch, ...which }) =>
  onStore(which, watched(watch, show))
).pipe(Command.withDescription("Say whether someone must look; the exit code says it to a script"))
