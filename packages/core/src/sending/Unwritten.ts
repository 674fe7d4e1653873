import { Effect, Schedule } from "effect"
import { StoreError } from "../submission/ledger/StoreError.ts"
import type { FinishedAttempt } from "../submission/Attempt.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

export interface Unwritten {
  answer: FinishedAttempt | undefined
  /** Document of the answer, as `invoice INV-1`. */
  document: string
}

export const make = (): Unwritten => ({ answer: undefined, document: "" })

/**
 * Stores the answer in a separate commit, with 6 retries if the store is unavailable. If all
 * retries fail, the answer is kept for a later call, and the attempt is Unknown from the next claim
 * of the lane until then.
 */
export const write = (store: SubmissionStoreOperations, unwritten: Unwritten): Effect.Effect<void, StoreError> =>
  Effect.suspend(() => {
    const { answer } = unwritten
    if (answer === undefined) return Effect.void
    return store.finishAttempt(answer).pipe(
      Effect.retry({
        times: 6,
        schedule: Schedule.exponential("50 millis"),
        while: ({ reason }) => reason === "unavailable"
      }),
      Effect.andThen(
        Effect.sync(() => {
          unwritten.answer = undefined
        })
      )
    )
  })

const textOf = ({ answer, document }: Unwritten): string | undefined =>
  answer?.result._tag === "Accepted"
    ? `The gateway accepted ${document} with the request id ${answer.result.requestId}, and the store does not have this id yet: keep it, because it settles the document`
    : undefined

/** Once. If the process ends now, only this text has the request id. */
export const naming = (unwritten: Unwritten, error: StoreError): StoreError => {
  const { operation, text: problem, reason } = error
  const text = textOf(unwritten)
  return text === undefined || problem.includes(text)
    ? error
    : new StoreError({ operation, reason, text: `${problem}. ${text}` })
}

export const warn = (unwritten: Unwritten): Effect.Effect<void> =>
  Effect.suspend(() => {
    const text = textOf(unwritten)
    return text === undefined ? Effect.void : Effect.logWarning(text)
  })
