/** Sends the planned documents of all lanes: one request in flight per lane, lanes in parallel. */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { Uuid } from "../document/Uuid.ts"
import * as HandingOver from "./HandingOver.ts"
import type { Holder } from "../submission/Holder.ts"
import type { LaneView } from "../submission/Lane.ts"
import { type LaneReport, run, type Terms } from "./LaneRun.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import * as QuietPeriod from "../submission/ledger/QuietPeriod.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Unwritten from "./Unwritten.ts"

export type { LaneEnd, LaneReport } from "./LaneRun.ts"

/** The options do not fit together. Nothing was started. */
export class SubmitterConfigError extends Schema.TaggedError<SubmitterConfigError>(
  "@fiscal-connector/core/unstable/sending/SubmitterConfigError"
)("SubmitterConfigError", { text: Schema.String }) {
  override get message() {
    return this.text
  }
}

/** Options for leases, time limits and parallel lanes. */
export interface SubmitterOptions {
  /**
   * Time for which a lane belongs to its holder without a sign of life. Must be longer than
   * `longestRequest`. Default 2 minutes.
   */
  readonly lease?: Duration.Input
  /**
   * Longest time of a submission. A request that was handed over and is not answered by then is
   * Unknown. The client's own timeout is shorter. Default 75 s.
   */
  readonly longestRequest?: Duration.Input
  /**
   * Longest time for which the network may hold a request beyond `longestRequest`. Lease, longest
   * request and margin add up to the shortest permitted quiet period. Default 1 minute.
   */
  readonly margin?: Duration.Input
  /**
   * Back-off of a stopped lane: doubles from `first` to `longest`, with jitter. Default 1 s and 10
   * minutes.
   */
  readonly backOff?: { readonly first: Duration.Input; readonly longest: Duration.Input }
  /** Longest time that a receipt date may be ahead of the clock (RCPT031). Default 0. */
  readonly skew?: Duration.Input
  /** Number of lanes that send at once. Default 16. */
  readonly lanes?: number
  /**
   * Name of this worker, and the check that another worker is dead: node/PgHolder,
   * node/SqliteHolder. Default: a random name, and no worker is ever presumed dead, so that a dead
   * worker's lanes continue only when its lease has expired.
   */
  readonly holder?: Holder
}

const termsOf = (options: SubmitterOptions, uuid: () => string): Effect.Effect<Terms, SubmitterConfigError> => {
  const lease = Duration.fromInputUnsafe(options.lease ?? Patience.lease.is)
  const longestRequest = Duration.fromInputUnsafe(options.longestRequest ?? Patience.longestRequest.is)
  const margin = Duration.fromInputUnsafe(options.margin ?? Patience.quietMargin.is)
  const problem = Duration.isGreaterThan(lease, longestRequest)
    ? null
    : `the lease (${Duration.format(lease)}) must be longer than the longest request (${Duration.format(longestRequest)}): a lane could be taken over under a request`
  if (problem !== null) return Effect.fail(new SubmitterConfigError({ text: problem }))
  return Effect.succeed({
    lease,
    longestRequest,
    shortestQuiet: QuietPeriod.least(lease, longestRequest, margin),
    firstBackOff: Duration.fromInputUnsafe(options.backOff?.first ?? Patience.firstBackOff.is),
    longestBackOff: Duration.fromInputUnsafe(options.backOff?.longest ?? Patience.longestBackOff.is),
    skew: Duration.fromInputUnsafe(options.skew ?? 0),
    holder: options.holder ?? { name: `worker/${uuid()}`, presumedDead: () => Effect.succeed(false) }
  })
}

/** Operations of the submitter. */
export interface SubmitterShape {
  /**
   * Sends everything that can be sent now in the lanes of these accounts, and reports how each lane
   * was left. Looks at Unknown outcomes first. Renews the accounts of a stopped lane whose back-off
   * is over (OpenAccount.renew). May be called at any time, by any number of workers. A request
   * that has begun is finished and its answer stored, even if the fiber is interrupted. An answer
   * that the store cannot take is stored by the next call; the error names its request id.
   */
  drain(
    accounts: ReadonlyArray<OpenAccount.OpenAccount>
  ): Effect.Effect<ReadonlyArray<LaneReport>, StoreError | SubmitterConfigError>
  /**
   * Does the same for one lane: the unit of work for an engine that distributes lanes. Calling
   * again, late, twice at once or from several machines is harmless. `Drained`: done until
   * something is planned. `Busy` and `Waiting`: call again later (LaneResumption says when).
   * `Stopped`: the reason, and the time of the next look. Pass all accounts of the device; accounts
   * that do not feed the lane are ignored.
   */
  drainLane(
    accounts: ReadonlyArray<OpenAccount.OpenAccount>,
    lane: string
  ): Effect.Effect<LaneReport, StoreError | SubmitterConfigError>
  /** Worker in whose name lanes are claimed. */
  readonly holder: Holder
}

/** Sends planned documents, one request per lane at a time. */
export class Submitter extends Context.Service<Submitter, SubmitterShape>()(
  "@fiscal-connector/core/engine/Submitter"
) {}

const checkPermissions = (accounts: ReadonlyArray<unknown>, storeId: string) =>
  accounts.every((account) => OpenAccount.isFor(account, storeId))
    ? Effect.void
    : Effect.fail(
        new SubmitterConfigError({
          text: "an account is not a permission to send from this store: OpenAccount.open creates one for it"
        })
      )

const checkPolicies = (
  accounts: ReadonlyArray<OpenAccount.OpenAccount>,
  { shortestQuiet }: Terms
): Effect.Effect<void, SubmitterConfigError> => {
  const hasty = accounts.find(
    ({ quietPeriod }) =>
      quietPeriod !== undefined && Duration.isLessThan(Duration.fromInputUnsafe(quietPeriod), shortestQuiet)
  )
  if (hasty !== undefined) {
    const problem = `account ${hasty.account}: the quiet period (${Duration.format(Duration.fromInputUnsafe(hasty.quietPeriod!))}) must not be shorter than lease, longest request and a margin together (${Duration.format(shortestQuiet)}): a request could still be under way`
    return Effect.fail(new SubmitterConfigError({ text: problem }))
  }
  const careless = accounts.find(
    ({ assumptions, unknown }) => unknown === "resend-flagged" && assumptions["DOC-10"] !== "deduplicates"
  )
  if (careless === undefined) return Effect.void
  const problem = `account ${careless.account}: resend-flagged needs the assumption DOC-10 set to deduplicates; otherwise a document may be fiscalised twice`
  return Effect.fail(new SubmitterConfigError({ text: problem }))
}

/** Documents that share a lane are handed over together, whichever account they belong to. */
const everyAccount = (
  accounts: ReadonlyArray<OpenAccount.OpenAccount>,
  lanes: ReadonlyArray<LaneView>
): ReadonlyArray<string> => [
  ...new Set([...accounts.map(({ account }) => account), ...lanes.flatMap(({ accounts }) => accounts)])
]

/**
 * Makes a submitter. Fails if the lease is not longer than the longest request. Draining fails for
 * an account whose quiet period is too short for these options.
 */
export const make = (
  options: SubmitterOptions = {}
): Effect.Effect<SubmitterShape, SubmitterConfigError | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const terms = yield* termsOf(options, yield* Uuid)
    const store = yield* SubmissionStore
    const { id: storeId } = yield* store.identity
    let runs = 0
    const explainUnknowns = Effect.fnUntraced(function* ({ account, credentials, unknown }: OpenAccount.OpenAccount) {
      if (credentials === "exclusive") yield* store.joinByElimination(account)
      if (unknown === "resend-flagged") yield* store.resendUnknown(account)
    })
    /** Answers that the store could not take, from runs that have ended. */
    const left = new Set<Unwritten.Unwritten>()
    /**
     * Stores the answers that are left. An answer that the store will never take is reported once.
     */
    const catchUp = Effect.suspend(() =>
      Effect.forEach(
        left,
        (unwritten) =>
          Unwritten.write(store, unwritten).pipe(
            Effect.mapError((error) => Unwritten.naming(unwritten, error)),
            Effect.tapError(({ reason }) =>
              Effect.sync(() => void (reason === "unavailable" || left.delete(unwritten)))
            ),
            Effect.andThen(Effect.sync(() => left.delete(unwritten)))
          ),
        { discard: true }
      )
    )
    const drainOne = (accounts: ReadonlyArray<OpenAccount.OpenAccount>, view: LaneView) => {
      const unwritten = Unwritten.make()
      return run({
        store,
        terms,
        // Every run is a separate holder, so that two runs in one process do not work the same
        // lane.
        holder: `${terms.holder.name}#${++runs}`,
        lane: view.lane,
        accounts: accounts.filter(({ account }) => view.accounts.includes(account)),
        unwritten
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (unwritten.answer !== undefined) left.add(unwritten)
          })
        )
      )
    }
    /** Hands over, except in a stopped store: the report of each lane has the stop. */
    const handOver = (accounts: ReadonlyArray<string>) =>
      Effect.catchIf(
        HandingOver.all(store, accounts),
        ({ reason }) => reason === "stopped",
        () => Effect.void
      )
    const witness = (accounts: ReadonlyArray<OpenAccount.OpenAccount>) =>
      Effect.forEach(accounts, OpenAccount.witness, { discard: true })
    const check = (accounts: ReadonlyArray<OpenAccount.OpenAccount>) =>
      Effect.andThen(checkPermissions(accounts, storeId), checkPolicies(accounts, terms))
    /** A run that fails still notes its progress beside the store. */
    const permitted = <A, E>(accounts: ReadonlyArray<OpenAccount.OpenAccount>, sending: Effect.Effect<A, E>) =>
      Effect.andThen(
        check(accounts),
        Effect.tapError(sending, () => Effect.ignore(witness(accounts)))
      )
    return {
      holder: terms.holder,
      drain: (accounts) =>
        permitted(
          accounts,
          Effect.gen(function* () {
            yield* catchUp
            yield* Effect.forEach(accounts, explainUnknowns, { discard: true })
            const lanes = yield* store.lanes(accounts.map(({ account }) => account))
            yield* handOver(everyAccount(accounts, lanes))
            const reports = yield* Effect.forEach(lanes, (view) => drainOne(accounts, view), {
              concurrency: options.lanes ?? 16
            })
            yield* witness(accounts)
            return reports
          })
        ),
      drainLane: (accounts, lane) =>
        permitted(
          accounts,
          Effect.gen(function* () {
            const lanes = yield* store.lanes(accounts.map(({ account }) => account))
            const view = lanes.find((view) => view.lane === lane)
            // Nothing was ever planned for the lane.
            if (view === undefined) return { lane, attempts: 0, end: { _tag: "Drained" } } satisfies LaneReport
            const own = accounts.filter(({ account }) => view.accounts.includes(account))
            yield* catchUp
            yield* handOver(everyAccount(own, [view]))
            yield* Effect.forEach(own, explainUnknowns, { discard: true })
            const report = yield* drainOne(own, view)
            yield* witness(own)
            return report
          })
        )
    }
  })

/** Provides the submitter over the store in the context. */
export const layer = (
  options: SubmitterOptions = {}
): Layer.Layer<Submitter, SubmitterConfigError | StoreError, SubmissionStore> => Layer.effect(Submitter, make(options))
