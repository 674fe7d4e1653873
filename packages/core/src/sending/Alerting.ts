import { DateTime, Duration, Effect } from "effect"
import * as Alert from "../attention/Alert.ts"
import * as Attention from "../attention/Attention.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { retentionOf } from "./StatusPoller.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

// A delivery ends within half a minute (node/AlertDelivery).
const lease = Duration.minutes(1)
// Failed looks before an alert, one minute in total: a short outage of the database is not
// reported.
const patience = 6

const failed = (problem: string) => Effect.logWarning(`the notification of a change failed: ${problem}`)

/** Looks at the store once and reports the changes since the last report. */
export const look = (
  deliver: Alert.Deliver,
  limits?: Attention.AttentionLimits
): Effect.Effect<void, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const health = yield* store.health(retentionOf([]))
    const concerns = Alert.concernsOf(Attention.of(health, limits))
    const names = concerns.map(Alert.nameOf)
    const turn = yield* store.takeAlert(names, lease)
    if (turn._tag !== "Tell") return
    yield* deliver(Alert.event(health.at, concerns, turn.before)).pipe(
      Effect.matchEffect({
        onSuccess: () => store.endAlert(names, "told"),
        onFailure: (problem) => Effect.andThen(failed(problem), store.endAlert(names, "failed"))
      })
    )
  })

const unreachable = ({ message }: StoreError): Alert.AlertConcern => ({
  code: "STORE_UNAVAILABLE",
  cause: null,
  account: null,
  lane: null,
  text: message
})

/**
 * Looks every ten seconds, as long as the effect runs. If the store has not answered for a minute,
 * each process that notices reports the outage, and reports once when the store answers again.
 */
export const run = (
  deliver: Alert.Deliver,
  limits?: Attention.AttentionLimits
): Effect.Effect<never, never, SubmissionStore> =>
  Effect.gen(function* () {
    let away = 0
    const say = (concerns: ReadonlyArray<Alert.AlertConcern>, before: ReadonlyArray<string>) =>
      Effect.flatMap(DateTime.now, (at) => Effect.catch(deliver(Alert.event(at, concerns, before)), failed))
    const once = Effect.matchEffect(look(deliver, limits), {
      onSuccess: () =>
        Effect.suspend(() => {
          const isBack = away >= patience
          away = 0
          return isBack ? say([], ["STORE_UNAVAILABLE"]) : Effect.void
        }),
      onFailure: (error) => Effect.suspend(() => (++away === patience ? say([unreachable(error)], []) : Effect.void))
    })
    return yield* Effect.forever(Effect.andThen(once, Effect.sleep(Patience.alertPause.is)))
  })
