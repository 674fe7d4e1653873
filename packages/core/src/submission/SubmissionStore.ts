/**
 * The port to everything planned, sent and said: submissions, attempts, outcomes, lanes, events. Nothing in it is ever deleted, save outcomes
 * that belong to no attempt for so long that none can claim them any more.
 * Every operation is one committed transaction and may be called again; times come from the Clock.
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
import type { CivilDate } from "../document/CivilDate.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, RequestId, TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { AttemptFacts, AttemptOptions, FinishedAttempt, NextAttempt } from "./Attempt.ts"
import type { Although, Decision, Resolution } from "./Decision.ts"
import type { Explanation, InboxItem } from "./Explanation.ts"
import type { Health } from "./Health.ts"
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
import type { AcceptedUnknown, Fact } from "../ledger/AcceptedUnknown.ts"
import type { ClaimableLane, LaneFeeder, LaneLease, LaneStop, LaneView } from "./Lane.ts"
import type { DayAcknowledgement, Notice, NoticeSource } from "./Notice.ts"
import type { StoreMarks, StoreStanding, WitnessedMarks } from "../ledger/NewestAttempt.ts"
import type { OperatorDecision, RecordedDecision } from "./OperatorRecord.ts"
import type { Pin, Repinning } from "./Pin.ts"
import type { KnownDocument, PlanResult, SourceNotice } from "./PlanResult.ts"
import type { HoldCause, PlannedDocument, SubmissionKey } from "./PlannedDocument.ts"
import type { Change, Hold, SourceChange, State, Submission } from "./Submission.ts"
import type { Activity, ChangeQuery, ChangedSubmission, ListQuery } from "./SubmissionQuery.ts"

/** What one status call came to. `expired`: nobody answers for these any more. */
export interface PollResult {
  readonly answered: number
  readonly pending: number
  readonly expired: number
}

/** How often a pending request is looked at, and for how long. */
export interface PollPolicy {
  /** After acceptance (STAT-7); the pause doubles with every look. */
  readonly firstLook: Duration.Duration
  /** The longest pause between two looks. */
  readonly longestPause: Duration.Duration
  /** How long the gateway answers for a request (docs/gateway.md#limits). */
  readonly retention: Duration.Duration
}

/** Which store this is. Both are kept elsewhere too (StoreWitness), so that a lost store and an older copy are told from the one that was used. */
export interface StoreIdentity {
  /** Drawn at random when the store was made. */
  readonly id: string
  /** The number of the last attempt it has written. */
  readonly attempts: number
}

/** An invoice fiscalised elsewhere (`originals import`). */
export interface RegisteredOriginal {
  readonly account: string
  readonly taxpayer: string
  readonly invoiceId: InvoiceId
  readonly number: DocumentNumber
  readonly date: Instant
  readonly currency: CurrencyCode
  readonly total: Money
  readonly taxCodes: ReadonlyArray<TaxCode>
  /** Credited elsewhere so far. */
  readonly credited: Money
}

/** What the store does; each operation is one committed transaction. */
export interface SubmissionStoreOperations {
  readonly identity: Effect.Effect<StoreIdentity, StoreError>
  /**
   * Compares the store with the newest attempts and the last acceptance that this process knows of, and those that were witnessed outside. What is
   * missing makes it an older copy.
   */
  standing(witnessed: StoreMarks): Effect.Effect<StoreStanding, StoreError>
  /**
   * Stops the lanes of an older copy, so that every process sees it; only an operator clears the stop. It compares once more in the same transaction:
   * the newest copy may be in place again, and nothing would ever clear the stop there. `lane` is stopped where only a count is missing.
   */
  stopOlder(lane: string, witnessed: WitnessedMarks | undefined): Effect.Effect<void, StoreError>
  /** Notes that the store was found whole in this database (`StoreStanding.place`). */
  proven(place: string): Effect.Effect<void, StoreError>
  /** How often the store could not be reached since it was opened: whoever has a permission to send renews it after each. */
  readonly interruptions: Effect.Effect<number>
  /**
   * Pins the account to its device on first use. Another device, taxpayer or serial number than the pinned one stops the pinned lane with
   * cause `device-changed` and answers `Changed`; the pinned device again clears that stop.
   */
  pin(
    pin: Pin
  ): Effect.Effect<{ readonly _tag: "Pinned" } | { readonly _tag: "Changed"; readonly pinned: string }, StoreError>
  /** Notes that this store has permission to send to the device. */
  know(lane: string): Effect.Effect<void, StoreError>
  /** What the account was pinned to; none when it never was. */
  pinOf(account: string): Effect.Effect<Option.Option<Pin>, StoreError>
  /** Notes that an operator lets the account's key go to another gateway (scheme, host and port) than the one of its first use. */
  trustOrigin(account: string, origin: string, because: string): Effect.Effect<void, StoreError>
  /** Notes that an operator lets documents of the account be sent without the check that needs the fact. */
  acceptUnknown(account: string, fact: Fact, because: string): Effect.Effect<void, StoreError>
  /** What operators accepted as unknown and the gateway has not stated since, of one account or of all. */
  acceptedUnknowns(account?: string): Effect.Effect<ReadonlyArray<AcceptedUnknown>, StoreError>
  /** Notes that the gateway states these facts again: what was accepted about them ends. */
  factsBack(account: string, facts: ReadonlyArray<Fact>): Effect.Effect<void, StoreError>
  /**
   * Moves the account to the device that has replaced its own, with what it has not sent yet; a person's decision. Refused, and nothing changed,
   * while anything of it may still be, or become, a receipt of the old device, and where the taxpayer or the environment is another. Receipt
   * dates that were given to civil dates are given anew where the new device's mark asks for it; what was late for the old device alone is
   * released. What was declined or rejected goes to the new device once it is corrected.
   */
  repin(pin: Pin, because: string): Effect.Effect<Repinning, StoreError>

  /** Plans documents in one transaction; one result each, in their order. Give it batches of a few hundred, what is to go first in the first. */
  plan(documents: ReadonlyArray<PlannedDocument>): Effect.Effect<ReadonlyArray<PlanResult>, StoreError>
  /**
   * Begins an import; nothing of it is accepted yet. Answers with its id. `memory`: whether the store still shows the import after everything
   * was handed over.
   */
  beginImport(made: ImportMade, memory: "kept" | "until-handed-over"): Effect.Effect<number, StoreError>
  /** Remembers the next page of it. */
  keepPage(page: KeptPage): Effect.Effect<void, StoreError>
  /** Keeps the next documents of it that will be handed over, in the order in which they are sent. */
  keepRest(id: number, documents: ReadonlyArray<PlannedDocument>): Effect.Effect<void, StoreError>
  /**
   * From this commit on everything that was kept will be handed over, by this process or another. `pulled`: what a run of a source has read for it;
   * its marks move in the same commit.
   */
  acceptImport(id: number, counts: ImportCounts, pulled?: PulledRun): Effect.Effect<void, StoreError>
  /** Sources that are read live. */
  readonly liveSources: LiveSourceOperations
  /**
   * Plans the next documents that wait in accepted imports of these accounts, as they were translated when they were accepted. Answers with
   * none when nothing waits.
   */
  handOver(accounts: ReadonlyArray<string>): Effect.Effect<Option.Option<HandedOver>, StoreError>
  /**
   * Notes what the source states now of documents of the store. Each difference from what was sent is open until the source states again what was
   * sent, or a decision settles it.
   */
  noteSource(notices: ReadonlyArray<SourceNotice>): Effect.Effect<void, StoreError>
  /** Ends an import for good: what was handed over stays as it is, the rest is dropped. An operator's decision. */
  cancelImport(id: number, because?: string): Effect.Effect<ImportCancelling, StoreError>
  /** Imports that are remembered, the newest first. */
  imports(query: ImportQuery): Effect.Effect<ReadonlyArray<KeptImport>, StoreError>
  importOf(id: number): Effect.Effect<Option.Option<KeptImport>, StoreError>
  /** The documents of an import, a page at a time, in their order. */
  importDocuments(id: number): Stream.Stream<ReadonlyArray<KeptDocument>, StoreError>
  /**
   * An operator accepts this store as it is: attempts that were begun before and are not in it are no longer asked for, and lanes that were stopped
   * for them go on. The acceptance has a number and a token of its own, so that a copy that was made before it is recognized. In every lane, documents dated up to `until` are held for a person before they are sent: this store may not know that they
   * were; null where no day is known. `witnessed` is what is known of the lost store. For a quiet period no decision lets anything be sent again.
   */
  acceptOlder(until: CivilDate | null, witnessed: StoreMarks): Effect.Effect<void, StoreError>
  /**
   * Holds what is Planned, and replaces the reason of what is Held; others are left as they are. With the cause `person` only a person sends it
   * after all; no import releases it.
   */
  hold(keys: ReadonlyArray<SubmissionKey>, hold: Hold): Effect.Effect<void, StoreError>

  /**
   * Takes the lane, unless a live lease has it. What an earlier holder left in Sending becomes Unknown (a crash in Sending).
   * `presumedDead` may tell that a holder's process is gone, so that its lease need not run out; fencing makes a mistake harmless.
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
   * Writes and commits the lane's next attempt, or says why there is none. Renews the lease. `finished` is written in the same commit,
   * which halves what a document costs.
   */
  beginAttempt(
    lease: LaneLease,
    options: AttemptOptions,
    finished?: FinishedAttempt
  ): Effect.Effect<NextAttempt, StoreError>
  /** Writes what became of an attempt. Taken from a holder that lost its lease, too: it is evidence. */
  finishAttempt(finished: FinishedAttempt): Effect.Effect<State, StoreError>
  /** Stops the lane and says so; `retryAt` is when a probe may clear it. */
  stop(lane: string, stop: LaneStop): Effect.Effect<void, StoreError>
  /** Clears the stop; its back-off begins anew only after a submission got through. */
  restart(lane: string): Effect.Effect<void, StoreError>
  /** The lanes of these accounts, or all. */
  lanes(accounts?: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<LaneView>, StoreError>
  /**
   * Lanes of these accounts that have something to do: a document that nothing in its lane keeps back, an Unknown that may be explained, or a
   * document that is Sending and whose sender may be gone. Nothing is claimed by it.
   */
  claimable(accounts: ReadonlyArray<LaneFeeder>): Effect.Effect<ReadonlyArray<ClaimableLane>, StoreError>
  /** Those of the accounts that have a look at /status due. */
  pollable(accounts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, StoreError>
  /** ClosedAt of the last successful Z-report: the day before it is closed. Never moves back. */
  closeDay(lane: string, closedAt: Instant): Effect.Effect<void, StoreError>

  /**
   * Takes what a webhook or a poll said. Outcomes of unknown request ids are kept for 8 days, the last 10 000 of an account. Returns the states
   * that changed.
   */
  recordOutcomes(
    account: string,
    items: ReadonlyArray<StatusItem>,
    source: "poll" | "webhook"
  ): Effect.Effect<ReadonlyArray<Change>, StoreError>
  /** The account's requests whose next look is due, oldest-expiring first, at most `limit` (100); each is put off by `lease`. */
  duePolls(
    account: string,
    limit: number,
    lease: Duration.Duration
  ): Effect.Effect<ReadonlyArray<RequestId>, StoreError>
  /** Makes the next look at these of the account's awaited requests due now; others are left as they are. */
  hastenPolls(account: string, requestIds: ReadonlyArray<RequestId>): Effect.Effect<void, StoreError>
  /**
   * When the next look is due at a document of the account that is Planned, Sending, Accepted or Unknown; none when there is none. Looks at
   * other documents only collect evidence: nobody waits for them.
   */
  nextPoll(account: string): Effect.Effect<Option.Option<DateTime.Utc>, StoreError>
  /** Takes the answer to one status call: outcomes, next looks, and Expired for what nobody answers for any more. */
  recordPoll(
    account: string,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    policy: PollPolicy
  ): Effect.Effect<PollResult, StoreError>

  /**
   * What the gateway answered when it was asked once more for requests of a rejected document. Those that are still rejected need not be asked for
   * again before this revision; where one is not, the document is held for a person.
   */
  confirmRejections(
    key: SubmissionKey,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>
  ): Effect.Effect<void, StoreError>

  /** Unknown again Planned under `resend-flagged`, once its quiet period is over. Returns how many. */
  resendUnknown(account: string): Effect.Effect<number, StoreError>
  /** Joins an inbox outcome to the one attempt of an `exclusive` account that lacks an id. Returns how many were joined (0 or 1). */
  joinByElimination(account: string): Effect.Effect<number, StoreError>
  /**
   * A person's decision, with the reason. One that lets the document be sent again is refused while its last request may still arrive, unless
   * `although` overrides that.
   */
  decide(
    key: SubmissionKey,
    decision: Decision,
    because: string,
    although?: Although
  ): Effect.Effect<Resolution, StoreError>

  /** Adds a decision to the record (submission/OperatorRecord). `once`: unless the same operator has decided the same before. */
  recordDecision(decision: OperatorDecision, how: "each" | "once"): Effect.Effect<void, StoreError>
  /** Entries of the record after the id, the oldest first. */
  decisions(after: number, limit: number): Effect.Effect<ReadonlyArray<RecordedDecision>, StoreError>
  get(key: SubmissionKey): Effect.Effect<Option.Option<Submission>, StoreError>
  /** Submissions with this id or number, whatever their account: what a person types. */
  find(idOrNumber: string): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** Those of the keys that are stored, in no order. */
  getMany(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** What was sent of those of the keys of which anything was: the current revision's document, by `kind id`. */
  sent(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyMap<string, WrittenDocument>, StoreError>
  /** Those of the keys that are stored, in no order, with what decides what becomes of them when they come again. */
  known(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyArray<KnownDocument>, StoreError>
  list(query: ListQuery): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** `list` to its end, page by page. */
  stream(query: ListQuery): Stream.Stream<Submission, StoreError>
  /** In the order of their last change, each submission once: for whoever writes back what became of them, and goes on after a crash. */
  changed(query: ChangeQuery): Effect.Effect<ReadonlyArray<ChangedSubmission>, StoreError>
  explain(key: SubmissionKey): Effect.Effect<Option.Option<Explanation>, StoreError>
  inbox(account: string): Effect.Effect<ReadonlyArray<InboxItem>, StoreError>
  /** The last attempts of every lane together, the newest first. */
  lastAttempts(limit: number): Effect.Effect<ReadonlyArray<AttemptFacts>, StoreError>
  /** How many documents are Held, by their cause. */
  readonly holdCauses: Effect.Effect<Readonly<Partial<Record<HoldCause, number>>>, StoreError>
  /**
   * How many documents came to what they are now, in each stretch of time from `since` on, the oldest first; stretches in which nothing happened are
   * left out. What is Planned, Held or Sending is no outcome and not counted.
   */
  activity(since: DateTime.Utc, stretch: Duration.Duration): Effect.Effect<ReadonlyArray<Activity>, StoreError>
  /**
   * Replaces what the source last saw of the subject (an account, or a lane); nothing is written while it is the same. What was known before keeps
   * the time when it was seen first.
   */
  notice(source: NoticeSource, subject: string, notices: ReadonlyArray<Notice>): Effect.Effect<void, StoreError>
  /**
   * Records that an operator has looked at what is wrong with the fiscal day, as it is listed now: it needs no attention any more. Something else about
   * the day does.
   */
  acknowledgeDay(lane: string, day: number, because: string): Effect.Effect<DayAcknowledgement, StoreError>
  /** `retention` as in PollPolicy. */
  health(retention: Duration.Duration): Effect.Effect<Health, StoreError>

  /** Asks whether this process is to tell that these are the concerns now, named as by attention/Alert; it has `lease` for it. */
  takeAlert(names: ReadonlyArray<string>, lease: Duration.Duration): Effect.Effect<AlertTurn, StoreError>
  /** Says what became of telling; a failure is followed by a pause that grows to an hour, a success by ten seconds. */
  endAlert(names: ReadonlyArray<string>, how: "told" | "failed"): Effect.Effect<void, StoreError>

  registerOriginals(
    originals: ReadonlyArray<RegisteredOriginal>
  ): Effect.Effect<ReadonlyArray<"registered" | "known" | "number-taken">, StoreError>
  /** Those that were registered, by account and number. */
  readonly registeredOriginals: Effect.Effect<ReadonlyArray<RegisteredOriginal>, StoreError>
  readonly ledger: Ledger
  /** Whether what is committed survives a power cut, as its database is set now. */
  readonly durability: Effect.Effect<Durability, StoreError>
  /**
   * Wakes whoever waits for work: something was planned, released or settled, so that something may be sent that could not before. Told at once
   * by this process, on PostgreSQL by every one; on SQLite look once in a while for what another did. A wake-up may be for nothing, and many
   * come as one.
   */
  readonly planned: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** State changes of this process, after their commit. */
  readonly changes: Stream.Stream<Change>
  /** Documents of which the source states something else than before, as this process noted it, after the commit. */
  readonly sourceChanges: Stream.Stream<SourceChange>
}

/** `Told`: nothing has changed since. `NotYet`: another process is at it, or it failed a moment ago. `before`: what was told last. */
export type AlertTurn =
  | { readonly _tag: "Told" }
  | { readonly _tag: "NotYet" }
  | { readonly _tag: "Tell"; readonly before: ReadonlyArray<string> }

/** Whether what is committed survives a crash of the machine. */
export type Durability =
  | { readonly _tag: "Durable" }
  | { readonly _tag: "MayLose"; /** Which setting, as the database names it. */ readonly because: string }

/** The store as a service. */
export class SubmissionStore extends Context.Service<SubmissionStore, SubmissionStoreOperations>()(
  "@fiscal-connector/core/submission/SubmissionStore"
) {}
