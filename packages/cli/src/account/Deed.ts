/** Whether this run of the command has had an effect: from then on "nothing was sent" is never said, and what is lost is its result only. */
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Context, Effect, Layer } from "effect"

export interface DeedShape {
  /** `changed`: in the store or at the gateway, without sending a document. */
  done: "nothing" | "changed" | "sent"
}

export class Deed extends Context.Reference<DeedShape>("fiscal-connector/account/Deed", {
  defaultValue: () => ({ done: "nothing" })
}) {}

/** A document may have left for the gateway. */
export const sent = Effect.map(Deed, (deed) => {
  deed.done = "sent"
})

export const changed = Effect.map(Deed, (deed) => {
  if (deed.done === "nothing") deed.done = "changed"
})

/** A store that notes when an attempt begins. */
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
