/**
 * Records the effect of this run. After an effect, a failure text never claims that nothing was
 * sent: only the result can be lost.
 */
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Context, Effect, Layer } from "effect"

export interface RunEffectShape {
  /** `changed`: a change in the store or at the gateway without sending a document. */
  done: "nothing" | "changed" | "sent"
}

export class RunEffect extends Context.Reference<RunEffectShape>("fiscal-connector/account/RunEffect", {
  defaultValue: () => ({ done: "nothing" })
}) {}

/** Records that a document may have been sent to the gateway. */
export const sent = Effect.map(RunEffect, (deed) => {
  deed.done = "sent"
})

export const changed = Effect.map(RunEffect, (deed) => {
  if (deed.done === "nothing") deed.done = "changed"
})

/** Returns a store that records when an attempt begins. */
export const noting = <E, R>(store: Layer.Layer<SubmissionStore, E, R>): Layer.Layer<SubmissionStore, E, R> =>
  Layer.effect(
    SubmissionStore,
    Effect.map(SubmissionStore, (store) =>
      SubmissionStore.of({
        ...store,
        beginAttempt: (lease, options, finished) =>
          Effect.tap(store.beginAttempt(lease, options, finished), ({ _tag }) =>
            _tag === "Begun" ? sent : Effect.void
          )
      })
    )
  ).pipe(Layer.provide(store))
