/**
 * After an effect, a failure text never claims that nothing was sent: only the result can be lost.
 */
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Session } from "@fiscal-connector/core/session"
import { Context, Effect, Layer } from "effect"
import * as Output from "../output/Output.ts"
import { printable } from "../output/Terminal.ts"

export interface RunEffectShape {
  /** `changed`: a change in the store or at the gateway without sending a document. */
  done: "nothing" | "changed" | "sent"
}

export class RunEffect extends Context.Reference<RunEffectShape>("fiscal-connector/account/RunEffect", {
  defaultValue: () => ({ done: "nothing" })
}) {}

export const sent = Effect.map(RunEffect, (deed) => {
  deed.done = "sent"
})

export const changed = Effect.map(RunEffect, (deed) => {
  if (deed.done === "nothing") deed.done = "changed"
})

export const watched = <A, E, R>(session: Effect.Effect<A, E, R>) =>
  Session.watched(session, (text) => Output.note(printable(text)))

export const noting = <E, R>(
  store: Layer.Layer<SubmissionStore.SubmissionStore, E, R>
): Layer.Layer<SubmissionStore.SubmissionStore, E, R> =>
  Layer.effect(
    SubmissionStore.SubmissionStore,
    Effect.map(SubmissionStore.SubmissionStore, (store) =>
      SubmissionStore.SubmissionStore.of({
        ...store,
        beginAttempt: (lease, options, finished) =>
          Effect.tap(store.beginAttempt(lease, options, finished), ({ _tag }) =>
            _tag === "Begun" ? sent : Effect.void
          )
      })
    )
  ).pipe(Layer.provide(store))
