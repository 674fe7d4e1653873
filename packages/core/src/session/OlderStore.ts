/** The history after a restored backup is lost, so no planned document is sent automatically. */
import { Clock, DateTime, Effect, Stream } from "effect"
import { reasonProblem } from "../submission/OperatorRecord.ts"
import * as CivilDate from "../document/CivilDate.ts"
import { unmarked } from "../submission/ledger/NewestAttempt.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import type { StoreWitness, WitnessedStore } from "../account/StoreWitness.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

const perTransaction = 200

/**
 * Counted from the acceptance, because the record of another machine may be later than this one's.
 * One day is added, because documents may be dated in any zone.
 */
const doubtfulUntil = (now: number, known: WitnessedStore | undefined) => {
  const latest = Math.max(now, known === undefined ? 0 : Date.parse(known.at))
  return CivilDate.of(DateTime.add(DateTime.makeZonedUnsafe(latest, { timeZone: 0 }), { days: 1 }))
}

/**
 * Holds every planned document for an operator, who checks the gateway and releases, settles or
 * withdraws each document. Documents that are planned later and dated up to the day after the
 * acceptance are held as well. The store then counts as the live store. Returns the number of
 * documents held by this call.
 */
export const accept = (witness: StoreWitness, because: string): Effect.Effect<number, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const problem = reasonProblem(because)
    if (problem !== null)
      return yield* new StoreError({ operation: "accept an older copy", reason: "conflict", text: problem })
    const store = yield* SubmissionStore
    const planned = yield* Stream.runCollect(store.stream({ states: ["Planned"] }))
    const hold = {
      cause: "older-copy",
      text: `the store is an older copy; the document may have been sent already (${because})`
    } as const
    for (let from = 0; from < planned.length; from += perTransaction) {
      yield* store.hold(planned.slice(from, from + perTransaction), hold)
    }
    const { attempts, id } = yield* store.identity
    const known = (yield* witness.read).find((one) => one.id === id)
    const now = yield* Clock.currentTimeMillis
    yield* store.acceptOlder(doubtfulUntil(now, known), known ?? unmarked)
    yield* store.recordDecision(
      {
        act: "accept-older",
        account: null,
        subject: `store ${id}`,
        what: `accepted as it is; ${planned.length} documents are held`,
        because
      },
      "each"
    )
    const { accepted, newest } = yield* store.compareMarks(unmarked)
    const at = new Date(now).toISOString()
    // With the acceptance, attempts that were witnessed before are no longer required.
    const witnessed: WitnessedStore = { id, attempts, lanes: known?.lanes ?? [], at, accepted, newest }
    yield* witness.write(witnessed)
    return planned.length
  })
