/** From a consent to the report: accepted as a durable job, sent, and told of while it goes on. */
import { Effect, Fiber, Option, Queue, Stream } from "effect"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as Runner from "../engine/Runner.ts"
import type { StatusPoller } from "../engine/StatusPoller.ts"
import { type Submitter, SubmitterConfigError } from "../engine/Submitter.ts"
import type * as ImportRecord from "../import/ImportRecord.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { PulledRun } from "../submission/LiveSourceState.ts"
import type { Change } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Consent from "./Consent.ts"

/** How a plan is sent. */
export interface SendOptions<E = never, R = never> extends Runner.RunOptions {
  /** What the import is made of; with it, the store remembers the import. */
  readonly made?: ImportRecord.ImportRecord | undefined
  /** What a run of a source has read for the plan; how far the source was read moves in the commit that accepts the plan. */
  readonly pulled?: PulledRun | undefined
  /** Opens other accounts of the same device, whose documents stand in the same line; asked for once the plan was accepted. */
  readonly beside?: Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, E, R>
}

/** What sending a plan resulted in. */
export interface Report {
  readonly accepted: Acceptance.Accepted
  readonly settlement: Runner.Settlement
}

/** What happens while a plan is sent. */
export type Progress =
  /** Everything is in the store: from here on it is sent, now or after a crash. */
  | { readonly _tag: "Accepted"; readonly accepted: Acceptance.Accepted }
  /** A document changed its state, by whatever this process does. */
  | { readonly _tag: "Changed"; readonly change: Change }
  /** The last of it. */
  | { readonly _tag: "Report"; readonly report: Report }

type Services = SubmissionStore | Submitter | StatusPoller

/** Accepts the plan and sends it until nothing more happens by itself; ends with the report. Interrupted, it ends after the request under way. */
export const send = <E = never, R = never>(
  consent: Consent.Consent,
  { beside, made, pulled, ...options }: SendOptions<E, R> = {}
): Stream.Stream<Progress, E | StoreError | SubmitterConfigError, Services | R> =>
  Stream.callback<Progress, E | StoreError | SubmitterConfigError, Services | R>((queue) =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const { account } = Consent.insideOf(consent)
      const { id } = yield* store.identity
      if (!OpenAccount.isFor(account, id))
        return yield* new SubmitterConfigError({ problem: "the consent was given for another store than this" })
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

/** Runs the stream to its end; the report, which is its last element. */
export const report = <E, R>(sending: Stream.Stream<Progress, E, R>): Effect.Effect<Report, E, R> =>
  Effect.flatMap(Stream.runLast(sending), (last) =>
    Option.isSome(last) && last.value._tag === "Report"
      ? Effect.succeed(last.value.report)
      : Effect.die(new Error("a session ended without a report"))
  )

/** Goes on without an export: hands over what waits, sends what is planned, and looks for the outcomes that are awaited. */
export const resume: typeof Runner.run = Runner.run
