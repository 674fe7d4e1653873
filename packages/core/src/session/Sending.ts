/** Accepts a consented plan as a durable job, sends its documents, and reports progress. */
import { Effect, Fiber, Option, Queue, Stream } from "effect"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as Runner from "../sending/Runner.ts"
import type { StatusPoller } from "../sending/StatusPoller.ts"
import { type Submitter, SubmitterConfigError } from "../sending/Submitter.ts"
import type * as ImportRecord from "../import/ImportRecord.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { PulledRun } from "../submission/LiveSourceState.ts"
import type { Change } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Consent from "./Consent.ts"

/** Options of sending a plan. */
export interface SendOptions<E = never, R = never> extends Runner.RunOptions {
  /** Record of the import's content. With `made`, the store remembers the import. */
  readonly made?: ImportRecord.ImportRecord | undefined
  /**
   * Result of reading a live source for the plan. The commit that accepts the plan also moves the
   * position in the source.
   */
  readonly pulled?: PulledRun | undefined
  readonly beside?: Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, E, R>
}

/** Result of sending a plan. */
export interface SendingReport {
  readonly accepted: Acceptance.Accepted
  readonly settlement: Runner.Settlement
}

/** Progress of sending a plan. */
export type Progress =
  /** Everything is in the store. From here on everything is sent, now or after a crash. */
  | { readonly _tag: "Accepted"; readonly accepted: Acceptance.Accepted }
  /** A document changed its state, for any reason, in this process. */
  | { readonly _tag: "Changed"; readonly change: Change }
  | { readonly _tag: "Report"; readonly report: SendingReport }

type SendingServices = SubmissionStore | Submitter | StatusPoller

/**
 * Stores the consented plan as a durable job (acceptance), sends until nothing more can change
 * without an operator or patience ends, and finishes with the report. Interruption takes effect
 * after the request under way.
 */
export const send = <E = never, R = never>(
  consent: Consent.Consent,
  { beside, made, pulled, ...options }: SendOptions<E, R> = {}
): Stream.Stream<Progress, E | StoreError | SubmitterConfigError, SendingServices | R> =>
  Stream.callback<Progress, E | StoreError | SubmitterConfigError, SendingServices | R>((queue) =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const { account } = Consent.insideOf(consent)
      const { id } = yield* store.identity
      if (!OpenAccount.isFor(account, id))
        return yield* new SubmitterConfigError({ text: "the consent was given for another store than this" })
      const telling = yield* Effect.forkChild(
        Stream.runForEach(store.changes, (change) => Queue.offer(queue, { _tag: "Changed", change }))
      )
      const accepted = yield* Acceptance.accept(consent, made, pulled)
      yield* Queue.offer(queue, { _tag: "Accepted", accepted })
      const others = beside === undefined ? [] : yield* beside
      const settlement = yield* Runner.run([account, ...others], options)
      yield* Fiber.interrupt(telling)
      yield* Queue.offer(queue, { _tag: "Report", report: { accepted, settlement } })
      yield* Queue.end(queue)
    })
  )

const lastPosition = SubmissionStore.use((store) =>
  Effect.map(store.changed({ order: "newest-first", limit: 1 }), ([last]) => last?.position ?? 0)
)

/** Runs a session. Tells at its end, also of a failed one, what it changed in reported periods. */
export const watched = <A, E, R>(
  session: Effect.Effect<A, E, R>,
  tell: (text: string) => Effect.Effect<void>
): Effect.Effect<A, E | StoreError, R | SubmissionStore> =>
  Effect.gen(function* () {
    const { reports } = yield* SubmissionStore
    const reported = yield* reports
    if (reported.length === 0) return yield* session
    const position = yield* lastPosition
    const changed = Effect.gen(function* () {
      if ((yield* lastPosition) === position) return []
      // loaded only if a reported period may have changed
      const { changedAfter } = yield* Effect.promise(() => import("../day/AccountRecord.ts"))
      return yield* changedAfter(reported, position)
    })
    const end = Effect.matchEffect(changed, {
      onFailure: ({ message }) => tell(`It is not known if a reported period changed: ${message}`),
      onSuccess: (texts) => Effect.forEach(texts, tell, { discard: true })
    })
    return yield* Effect.ensuring(session, end)
  })

/** Runs the stream to its end and returns the report, the last element. */
export const report = <E, R>(sending: Stream.Stream<Progress, E, R>): Effect.Effect<SendingReport, E, R> =>
  Effect.flatMap(Stream.runLast(sending), (last) =>
    Option.isSome(last) && last.value._tag === "Report"
      ? Effect.succeed(last.value.report)
      : Effect.die(new Error("a session ended without a report"))
  )

/**
 * Continues without an export: hands over what waits, sends what is planned, and polls for
 * outcomes.
 */
export const resume: typeof Runner.run = Runner.run
