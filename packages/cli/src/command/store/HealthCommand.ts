/**
 * Works even if every worker is dead: reads the store, and the failed writes that a worker recorded
 * beside the configuration.
 */
import { StatusPoller } from "@fiscal-connector/core/worker"
import { Attention, AttentionJson } from "@fiscal-connector/core/attention"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { StoreWitnessFile } from "@fiscal-connector/core/session"
import { Effect, Option } from "effect"
import { describedCommand } from "../../output/Flags.ts"
import { configOf } from "../../account/AccountFlags.ts"
import { onStore, storeFlags, type WhichStore } from "../../account/StoreFlags.ts"
import { ExitError } from "../../output/ExitError.ts"
import * as Output from "../../output/Output.ts"
import * as StoreJson from "./StoreJson.ts"
import { Call } from "../../output/Call.ts"
import * as AttentionText from "../../output/AttentionText.ts"
import * as Times from "../../output/Times.ts"
import { watched, watchFlag } from "../../output/Watch.ts"

/** The store cannot show failed writes of other processes. */
const unwritten = Effect.fnUntraced(function* ({ config, store: named }: WhichStore) {
  const file = Option.isSome(named) ? Option.none<string>() : yield* configOf(config)
  if (Option.isNone(file)) return null
  const { id } = yield* SubmissionStore.SubmissionStore.use((store) => store.identity)
  return yield* StoreWitnessFile.writeFailure(file.value, id)
})

const show = Effect.fnUntraced(function* (which: WhichStore) {
  const store = yield* SubmissionStore.SubmissionStore
  const state = { ...(yield* store.health(StatusPoller.retentionOf([]))), unwritten: yield* unwritten(which) }
  const items = Attention.of(state)
  const { at, lanes, secondsToHorizon, unmatched } = state
  const counts = Object.entries(state.counts).map(([state, count]) => `${count} ${state}`)
  yield* Output.answer(
    "health",
    {
      at,
      counts: state.counts,
      lanes: lanes.map(StoreJson.ofLane),
      secondsToHorizon,
      unmatched,
      concerns: items.map(AttentionJson.of)
    },
    [
      counts.length === 0 ? "The store is empty." : counts.join(", "),
      ...AttentionText.lines(
        items,
        yield* Call,
        new Set(lanes.flatMap(({ accounts }) => accounts)).size,
        yield* Times.zoneOfStore
      ),
      ...AttentionText.pending(Attention.pending(state)),
      ...(items.length === 0 ? ["No action needed."] : [])
    ].join("\n")
  )
  if (items.length > 0) return yield* new ExitError({ code: 3, text: "" })
})

export const health = describedCommand(
  "health",
  "Check whether anything needs an operator; the exit code states the result",
  { ...storeFlags, watch: watchFlag },
  ({ watch, ...which }) => onStore(which, watched(watch, show(which)))
)
