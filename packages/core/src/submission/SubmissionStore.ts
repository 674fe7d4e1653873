/**
 * Port to the submission store: submissions, attempts, outcomes, lanes, events.
 *
 * Each operation is one committed transaction and may be repeated. Times come from the Clock.
 * Evidence is never deleted, with two exceptions: unmatched outcomes too old for any attempt to
 * claim, and our own Expired conclusions about a withdrawn request id.
 */
import {
  Context,
  type DateTime,
  type Duration,
  type Effect,
  type Option,
  type Queue,
  type Scope,
  type Stream
} from "effect"
import type { RegisteredOriginal } from "./ledger/Original.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { RequestId } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { Control, StatusItem } from "../gateway/operation/Status.ts"
import type { DualClock } from "../gateway/contract/DualClock.ts"
import type { GatewaySeen } from "./ledger/GatewaySeen.ts"
import type { Ledger } from "./ledger/Ledger.ts"
import type { Ability, SettlesAfter } from "./ledger/Settled.ts"
import type { StoreError } from "./ledger/StoreError.ts"
import type { AttemptFacts, AttemptOptions, FinishedAttempt, NextAttempt } from "./Attempt.ts"
import type { Although, Decision, Resolution } from "./Decision.ts"
import type { Explanation, InboxItem } from "./Explanation.ts"
import type { Health, UnprovenDocument } from "./Health.ts"
import type {
  HandedOver,
  ImportCancelling,
  ImportCounts,
  ImportMade,
  ImportQuery,
  KeptDocument,
  KeptImport,
  KeptPage
} from "./KeptImport.ts"
import type { LiveSourceOperations, PulledRun } from "./LiveSourceState.ts"
import type { AcceptedUnknown, Fact } from "./ledger/AcceptedUnknown.ts"
import type { ClaimableLane, LaneFeeder, LaneLease, LaneView, OwnStop } from "./Lane.ts"
import type { DayAcknowledgement, Notice, NoticeSource } from "./Notice.ts"
import type { StoreMarks, MarkComparison, WitnessedMarks } from "./ledger/NewestAttempt.ts"
import type { OperatorDecision, RecordedDecision } from "./OperatorRecord.ts"
import type { Pin, Repinning } from "./Pin.ts"
import type { KnownDocument, PlanResult, SourceNotice } from "./PlanResult.ts"
import type { HoldCause, PlannedDocument, SubmissionKey } from "./PlannedDocument.ts"
import type { Change, Hold, SourceChange, State, Submission } from "./Submission.ts"
import type { Activity, ChangeQuery, ChangedSubmission, ListQuery } from "./SubmissionQuery.ts"

export type { RegisteredOriginal } from "./ledger/Original.ts"

/** Result of one status call. `expired`: requests past the time for which the gateway answers. */
export interface PollResult {
  readonly answered: number
  readonly pending: number
  readonly expired: number
}

/** How often, and for how long, a pending request is polled. */
export interface PollPolicy {
  /** Delay from acceptance to the first look (STAT-7). The delay doubles with every look. */
  readonly firstLook: Duration.Duration
  /** Longest delay between two looks. */
  readonly longestPause: Duration.Duration
  /** How long the gateway answers for a request (docs/gateway.md#limits). */
  readonly retention: Duration.Duration
  /** STAT-9. Default 20 hours. */
  readonly settlesAfter?: SettlesAfter
}

/** Answers of the gateway beside a look that found failures, from the same sweep. */
export interface SweepFacts {
  readonly control: Control
  readonly ability: Ability
}

/**
 * Identity of the store. Both values are also recorded outside the store (StoreWitness), so that a
 * lost store or an older copy is recognized.
 */
export interface StoreIdentity {
  /** Random text from the creation of the store. */
  readonly id: string
  /** Number of the last attempt in the store. */
  readonly attempts: number
}

/**
 * Result of registering an original. `held`: a document of the store is held because of it, or will
 * be. `differs`: registered before with other values. `fiscalised-here`: it has a receipt here, and
 * is a conflict. `number-taken`: its number belongs to another document.
 */
export type Registration = "registered" | "held" | "known" | "differs" | "fiscalised-here" | "number-taken"

/** Operations of the store. Each operation is one committed transaction. */
export interface SubmissionStoreOperations {
  readonly identity: Effect.Effect<StoreIdentity, StoreError>
  /**
   * Compares the store with the newest attempts and the last acceptance known to this process, and
   * with the marks witnessed outside the store. A missing attempt or acceptance makes the store an
   * older copy.
   */
  compareMarks(witnessed: StoreMarks): Effect.Effect<MarkComparison, StoreError>
  /**
   * Stops an older copy as a whole, for every process and for lanes that the copy does not have.
   * From then on the store refuses to plan, to register originals and to begin an attempt. Only an
   * operator clears the stop.
   *
   * Compares again in the same transaction: the newest copy may be in place again, where nothing
   * would ever clear a stop.
   */
  stopOlder(witnessed: WitnessedMarks | undefined): Effect.Effect<void, StoreError>
  /**
   * Stops a store in another database than `provenAs`, as `stopOlder`. A process that proves the
   * store complete clears the stop.
   */
  stopUnproven(because: string, provenAs: string | null): Effect.Effect<void, StoreError>
  /**
   * Records that the store was found complete in this database (`MarkComparison.place`; null if the
   * database cannot be read), and clears the stop of an unproven store.
   */
  proven(place: string | null): Effect.Effect<void, StoreError>
  /**
   * Records the gateway's time for this process, null if it is not known, and returns the
   * milliseconds by which the database's clock is ahead of this machine's. Null if the store uses
   * this machine's clock.
   *
   * A time that permits something ends by the earliest of the known clocks.
   */
  compareClocks(account: string, gateway: DualClock | null): Effect.Effect<number | null, StoreError>
  /**
   * Number of times the store was unreachable, or its server restarted, since it was opened. A
   * holder of a permission to send renews the permission after each interruption.
   */
  readonly interruptions: Effect.Effect<number>
  /**
   * Pins the account to its device on first use.
   *
   * Another device, taxpayer or serial number than the pinned values stops the pinned lane with
   * cause `device-changed` and returns `Changed`. The pinned device clears that stop again.
   */
  pin(
    pin: Pin
  ): Effect.Effect<{ readonly _tag: "Pinned" } | { readonly _tag: "Changed"; readonly pinned: string }, StoreError>
  /** Records that this store has permission to send to the device. */
  know(lane: string): Effect.Effect<void, StoreError>
  /** Returns the pin of the account, or none if the account was never pinned. */
  pinOf(account: string): Effect.Effect<Option.Option<Pin>, StoreError>
  /**
   * Records an operator's permission to use the account's key at another gateway (scheme, host and
   * port) than at first use.
   */
  trustOrigin(account: string, origin: string, because: string): Effect.Effect<void, StoreError>
  /**
   * Records an operator's permission to send documents of the account without the check that needs
   * the fact.
   */
  acceptUnknown(account: string, fact: Fact, because: string): Effect.Effect<void, StoreError>
  /**
   * Returns the facts of one account, or of all, that operators accepted as unknown and the gateway
   * has not stated since.
   */
  acceptedUnknowns(account?: string): Effect.Effect<ReadonlyArray<AcceptedUnknown>, StoreError>
  /** Records that the gateway states these facts again, which ends their acceptances. */
  factsBack(account: string, facts: ReadonlyArray<Fact>): Effect.Effect<void, StoreError>
  /**
   * Moves the account, with its unsent documents, from its replaced device to the new device. An
   * operator's decision.
   *
   * Refused without any change while a document of the account may be, or become, a receipt of the
   * old device, or if the taxpayer or the environment differs.
   *
   * Assigned receipt dates move if the mark of the new device requires a later date. Documents held
   * as late are released; the new lane holds them again if they are late there, too. Declined and
   * rejected documents go to the new device once they are corrected.
   */
  repin(pin: Pin, because: string): Effect.Effect<Repinning, StoreError>

  /**
   * Plans documents in one transaction and returns one result each, in their order. Pass batches of
   * a few hundred. The documents to send first belong in the first batch.
   */
  plan(documents: ReadonlyArray<PlannedDocument>): Effect.Effect<ReadonlyArray<PlanResult>, StoreError>
  /**
   * Begins an import and returns its id. No document of the import is accepted yet.
   *
   * `memory`: an import that is `kept` stays visible, `until-handed-over` only until all its
   * documents were handed over.
   */
  beginImport(made: ImportMade, memory: "kept" | "until-handed-over"): Effect.Effect<number, StoreError>
  /** Stores the next page of an import. */
  keepPage(page: KeptPage): Effect.Effect<void, StoreError>
  /** Stores the next documents to hand over, in sending order. */
  keepRest(id: number, documents: ReadonlyArray<PlannedDocument>): Effect.Effect<void, StoreError>
  /**
   * Accepts an import: from this commit on, all its stored documents will be handed over, by this
   * process or another.
   *
   * `pulled`: the run of a live source that read the documents. The run's marks move in the same
   * commit.
   */
  acceptImport(id: number, counts: ImportCounts, pulled?: PulledRun): Effect.Effect<void, StoreError>
  /** Operations for live sources. */
  readonly liveSources: LiveSourceOperations
  /**
   * Plans the next waiting documents of accepted imports of these accounts, as translated at
   * acceptance. Returns none if no document waits.
   */
  handOver(accounts: ReadonlyArray<string>): Effect.Effect<Option.Option<HandedOver>, StoreError>
  /**
   * Records the current statements of the source about stored documents. A difference from the sent
   * document stays open until the source states the sent values again, or an operator settles the
   * difference.
   */
  noteSource(notices: ReadonlyArray<SourceNotice>): Effect.Effect<void, StoreError>
  /**
   * Ends an import for good. Documents already handed over stay as they are, the rest is dropped.
   * An operator's decision.
   */
  cancelImport(id: number, because?: string): Effect.Effect<ImportCancelling, StoreError>
  /** Returns the imports in the store, newest first. */
  imports(query: ImportQuery): Effect.Effect<ReadonlyArray<KeptImport>, StoreError>
  importOf(id: number): Effect.Effect<Option.Option<KeptImport>, StoreError>
  /** Streams the documents of an import in pages, in their order. */
  importDocuments(id: number): Stream.Stream<ReadonlyArray<KeptDocument>, StoreError>
  /**
   * Accepts an older copy as the live store. An operator's decision.
   *
   * Attempts known elsewhere but missing here no longer make the store an older copy, and lanes
   * stopped because of these attempts resume. The acceptance has its own number and token, so that
   * a copy from before the acceptance is recognized.
   *
   * In every lane, also in one that the copy does not have, documents dated up to `until` are held
   * for an operator, because a lost attempt may have sent them. During one quiet period no decision
   * permits a resend. `witnessed`: the known marks of the lost store.
   */
  acceptOlder(until: CivilDate, witnessed: StoreMarks): Effect.Effect<void, StoreError>
  /**
   * Holds Planned documents, and replaces the reason of Held documents, except `contradicted`.
   * Documents in other states stay unchanged. After the causes `operator` and `older-copy`, only an
   * operator sends the document; no import releases it.
   */
  hold(keys: ReadonlyArray<SubmissionKey>, hold: Hold): Effect.Effect<void, StoreError>

  /**
   * Takes the lane unless a live lease exists. Documents left in Sending by an earlier holder
   * become Unknown (a crash in Sending).
   *
   * `presumedDead` may report that a holder's process is gone, so that its lease need not expire. A
   * mistake is harmless because of fencing.
   */
  claim(
    lane: string,
    holder: string,
    lease: Duration.Duration,
    presumedDead: (holder: string) => boolean
  ): Effect.Effect<
    | { readonly _tag: "Claimed"; readonly lease: LaneLease }
    | { readonly _tag: "Busy"; readonly holder: string; readonly until: DateTime.Utc },
    StoreError
  >
  release(lease: LaneLease): Effect.Effect<void, StoreError>
  /**
   * Commits the lane's next attempt, or returns the reason for none. Renews the lease.
   *
   * `finished` is written in the same commit, which halves the cost of a document.
   */
  beginAttempt(
    lease: LaneLease,
    options: AttemptOptions,
    finished?: FinishedAttempt
  ): Effect.Effect<NextAttempt, StoreError>
  /**
   * Writes the result of an attempt. Accepted even from a holder that lost its lease, because a
   * result is evidence.
   */
  finishAttempt(finished: FinishedAttempt): Effect.Effect<State, StoreError>
  /** Reads what the account has seen of its gateway. */
  gatewaySeen(account: string): Effect.Effect<GatewaySeen, StoreError>
  /** Stops the lane and logs the stop. `retryAt`: when a probe may clear the stop. */
  stop(lane: string, stop: OwnStop): Effect.Effect<void, StoreError>
  /**
   * Clears the stop. The back-off starts over only after the gateway has accepted or declined a
   * submission.
   */
  restart(lane: string): Effect.Effect<void, StoreError>
  /** Returns the lanes of these accounts, or all lanes. */
  lanes(accounts?: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<LaneView>, StoreError>
  /**
   * Returns the lanes of these accounts with work to do, without claiming them.
   *
   * Work is a document that nothing in its lane blocks, an Unknown that may be explained, a Sending
   * document whose sender may be gone, or an accepted import with waiting documents.
   */
  claimable(accounts: ReadonlyArray<LaneFeeder>): Effect.Effect<ReadonlyArray<ClaimableLane>, StoreError>
  /** Returns the accounts with a due look at /status. */
  pollable(accounts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, StoreError>
  /**
   * Records ClosedAt of the last successful Z-report: the day before ClosedAt is closed. Never
   * moves back.
   */
  closeDay(lane: string, closedAt: Instant): Effect.Effect<void, StoreError>

  /**
   * Records outcomes from a webhook or a poll and returns the changed states. Outcomes of unknown
   * request ids are kept for 8 days, the last 10 000 of each account. A failure is evidence only if
   * it is settled (submission/ledger/Settled). `after`: STAT-9, default 20 hours.
   */
  recordOutcomes(
    account: string,
    items: ReadonlyArray<StatusItem>,
    source: "poll" | "webhook",
    after?: SettlesAfter
  ): Effect.Effect<ReadonlyArray<Change>, StoreError>
  /** Records if the account can send, as device and subscription state. */
  recordAbility(account: string, ability: Ability): Effect.Effect<void, StoreError>
  /**
   * Returns the account's requests whose next look is due, oldest-expiring first, at most `limit`
   * (100). Postpones the next look of each by `lease`.
   */
  duePolls(
    account: string,
    limit: number,
    lease: Duration.Duration
  ): Effect.Effect<ReadonlyArray<RequestId>, StoreError>
  /**
   * Makes the next look at these awaited requests of the account due now. Other requests stay
   * unchanged.
   */
  hastenPolls(account: string, requestIds: ReadonlyArray<RequestId>): Effect.Effect<void, StoreError>
  /**
   * Returns the time of the next look at a document of the account that is Planned, Sending,
   * Accepted or Unknown; none if there is none. Looks at other documents only collect evidence that
   * no caller waits for.
   */
  nextPoll(account: string): Effect.Effect<Option.Option<DateTime.Utc>, StoreError>
  /**
   * Records the answer to one status call: outcomes, next looks, and Expired for requests past the
   * retention time. Without `facts`, only the code of a receipt rule settles a failure.
   */
  recordPoll(
    account: string,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    policy: PollPolicy,
    facts?: SweepFacts
  ): Effect.Effect<PollResult, StoreError>

  /**
   * Records the gateway's answer to the second query for requests of a rejected document. Requests
   * that still have the same failure need no further query before this revision. If another
   * answer comes for a request, the document is held for an operator.
   */
  confirmRejections(
    key: SubmissionKey,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    control?: Control
  ): Effect.Effect<void, StoreError>

  /**
   * Plans Unknown documents again under `resend-flagged` once their quiet period is over. Returns
   * their number.
   */
  resendUnknown(account: string): Effect.Effect<number, StoreError>
  /**
   * Assigns an unmatched outcome to the only attempt of an `exclusive` account without a request
   * id, if it arrived within 15 minutes. Never while the store is recognized as an older copy, nor
   * within 8 days after an operator accepted one. Returns the number of assignments (0 or 1).
   */
  joinByElimination(account: string): Effect.Effect<number, StoreError>
  /**
   * Applies an operator's decision, with the reason. A decision that permits a resend is refused
   * while the last request may still arrive, unless `although` overrides the refusal. `shown`: the
   * latest `since` that the operator has seen; a decision about a document that has changed its
   * state after it is refused.
   */
  decide(
    key: SubmissionKey,
    decision: Decision,
    because: string,
    although?: Although,
    shown?: DateTime.Utc
  ): Effect.Effect<Resolution, StoreError>

  /**
   * Adds a decision to the record (submission/OperatorRecord). `once`: only if the same operator
   * has not recorded the same decision before.
   */
  recordDecision(decision: OperatorDecision, how: "each" | "once"): Effect.Effect<void, StoreError>
  /** Returns the entries of the record after the id, oldest first. */
  decisions(after: number, limit: number): Effect.Effect<ReadonlyArray<RecordedDecision>, StoreError>
  get(key: SubmissionKey): Effect.Effect<Option.Option<Submission>, StoreError>
  /** Returns submissions with this id or number, in any account. For input typed by a user. */
  find(idOrNumber: string): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** Returns the stored submissions among the keys, in no particular order. */
  getMany(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /**
   * Returns the current revision's document of each submission that is neither Planned nor Held, by
   * `kind id`.
   */
  sent(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyMap<string, WrittenDocument>, StoreError>
  /**
   * Returns the stored documents among the keys, in no particular order, with the facts that decide
   * how a repeated import treats them.
   */
  known(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyArray<KnownDocument>, StoreError>
  list(query: ListQuery): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** Streams all results of `list`, page by page. */
  stream(query: ListQuery): Stream.Stream<Submission, StoreError>
  /**
   * Returns each submission once, in the order of its last change. For callers that write outcomes
   * back and resume after a crash.
   */
  changed(query: ChangeQuery): Effect.Effect<ReadonlyArray<ChangedSubmission>, StoreError>
  explain(key: SubmissionKey): Effect.Effect<Option.Option<Explanation>, StoreError>
  inbox(account: string): Effect.Effect<ReadonlyArray<InboxItem>, StoreError>
  /** Returns the last attempts of all lanes together, newest first. */
  lastAttempts(limit: number): Effect.Effect<ReadonlyArray<AttemptFacts>, StoreError>
  /** Number of Held documents by cause. */
  readonly holdCauses: Effect.Effect<Readonly<Partial<Record<HoldCause, number>>>, StoreError>
  /**
   * Counts the documents that reached their current state in each interval since `since`, oldest
   * first. Empty intervals are omitted. Planned, Held and Sending are not outcomes and are not
   * counted.
   */
  activity(since: DateTime.Utc, stretch: Duration.Duration): Effect.Effect<ReadonlyArray<Activity>, StoreError>
  /**
   * Replaces the last observations of the source about the subject (an account or a lane). Writes
   * nothing if nothing changed. A known observation keeps the time of its first sighting.
   */
  notice(source: NoticeSource, subject: string, notices: ReadonlyArray<Notice>): Effect.Effect<void, StoreError>
  /**
   * Records that an operator has checked the listed problems of the fiscal day, so that they need
   * no more attention. A new problem of the day needs attention again.
   */
  acknowledgeDay(lane: string, day: number, because: string): Effect.Effect<DayAcknowledgement, StoreError>
  /**
   * Returns the Accepted documents of these accounts for which the gateway states a failure that
   * proves nothing yet.
   */
  unproven(accounts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UnprovenDocument>, StoreError>
  /** Reads the state of everything in the store. `retention` as in PollPolicy. */
  health(retention: Duration.Duration): Effect.Effect<Health, StoreError>

  /**
   * Asks for the turn to send an alert about these concerns (named as in attention/Alert). This
   * process has the turn for `lease`.
   */
  takeAlert(names: ReadonlyArray<string>, lease: Duration.Duration): Effect.Effect<AlertTurn, StoreError>
  /**
   * Ends the turn with its result. The pause after a failure grows to one hour, after a success it
   * is ten seconds.
   */
  endAlert(names: ReadonlyArray<string>, how: "told" | "failed"): Effect.Effect<void, StoreError>

  /**
   * Registers invoices fiscalised elsewhere, and holds the store's own documents of the same sale.
   */
  registerOriginals(
    originals: ReadonlyArray<RegisteredOriginal>
  ): Effect.Effect<ReadonlyArray<Registration>, StoreError>
  /** Registered originals, by account and number. */
  readonly registeredOriginals: Effect.Effect<ReadonlyArray<RegisteredOriginal>, StoreError>
  readonly ledger: Ledger
  /** Reports if commits survive a power failure, with the current settings of the database. */
  readonly durability: Effect.Effect<Durability, StoreError>
  /**
   * Wakes subscribers that wait for work: a document was planned, released or settled, so that
   * something may be sent now.
   *
   * This process notifies at once, and on PostgreSQL so does every process. On SQLite, poll now and
   * then for changes of other processes. A wake-up may be spurious, and several may arrive as one.
   */
  readonly planned: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** State changes made by this process, after their commit. */
  readonly changes: Stream.Stream<Change>
  /**
   * Documents with a changed statement of the source, as recorded by this process, after the
   * commit.
   */
  readonly sourceChanges: Stream.Stream<SourceChange>
}

/**
 * `Told`: nothing has changed since the last alert. `NotYet`: another process has the turn, or the
 * last alert was sent or failed a moment ago. `before`: concerns of the last alert.
 */
export type AlertTurn =
  | { readonly _tag: "Told" }
  | { readonly _tag: "NotYet" }
  | { readonly _tag: "Tell"; readonly before: ReadonlyArray<string> }

/** Survival of commits in a crash of the machine. */
export type Durability =
  | { readonly _tag: "Durable" }
  | { readonly _tag: "MayLose"; /** Setting at fault, as the database names it. */ readonly because: string }

/** The store as a service. */
export class SubmissionStore extends Context.Service<SubmissionStore, SubmissionStoreOperations>()(
  "@fiscal-connector/core/submission/SubmissionStore"
) {}
