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
import type { FiscalDocument, UndatedDocument } from "../document/FiscalDocument.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, RequestId, TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { Exchanged } from "../gateway/contract/Exchanged.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import type { Decision, Resolution } from "./Decision.ts"
import type { Health } from "./Health.ts"
import type { Evidence } from "./Outcome.ts"
import type { ClaimableLane, LaneFeeder, LaneLease, LaneStop, LaneView, LaneWait } from "./Lane.ts"
import type { Environment, HoldCause, PlannedDocument, SubmissionKey } from "./PlannedDocument.ts"
import type { RevisitFacts, Word } from "./Revisit.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { ImportCounts, ImportMade, ImportQuery, KeptDocument, KeptImport, KeptPage } from "./KeptImport.ts"
import type { Cause, Hold, RequestIdBy, State, Submission } from "./Submission.ts"

/** What planning one document came to. */
export type PlanVerdict =
  /** New: Planned, or Held with the reason it came with. */
  | { readonly _tag: "Planned" }
  /** It was Planned or Held and is now what came; its receipt date stays, unless the source's date is another. */
  | { readonly _tag: "Replaced" }
  /** It was Declined or Rejected (correctable) and the source, or its translation, differs: a new revision. */
  | { readonly _tag: "Revised" }
  /** Nothing to do. */
  | { readonly _tag: "Unchanged" }
  /** It is on its way or done, and the export now states something else: for a person. */
  | { readonly _tag: "Conflict"; readonly because: string }
  /** Another document of the taxpayer has this number (RCPT013). Nothing is stored. */
  | { readonly _tag: "NumberTaken"; readonly by: SubmissionKey }
  /** The account is pinned to another device. Nothing is stored; see `pin`. */
  | { readonly _tag: "OtherLane"; readonly pinned: string }

/** What planning one document came to, and how it stands. */
export interface PlanResult {
  readonly key: SubmissionKey
  readonly verdict: PlanVerdict
  /** How the submission stands now; null when nothing is stored. */
  readonly state: State | null
  readonly hold: Hold | null
}

/** A submission as an export meets it again (submission/Revisit). */
export interface KnownDocument {
  readonly submission: Submission
  readonly facts: RevisitFacts
  readonly word: Word | null
  /** What was sent, as the store writes it, where that decides; else null. */
  readonly body: string | null
  /** The id of the invoice that a credit note credits, as it was last planned. */
  readonly original: string | null
  /**
   * Whose the time of its receipt date is. `assigned`: it was given, nothing of the document may have been processed, and so the lane gives it a later
   * one of its day where another goes first.
   */
  readonly timed: "stated" | "assigned"
}

/** One request for one submission: written and committed before it is sent. */
export interface Attempt {
  readonly id: number
  readonly key: SubmissionKey
  readonly revision: number
  readonly receiptDate: Instant
  /** IsRetry: `retry` when an earlier attempt is not certainly unprocessed. */
  readonly repeats: "first" | "retry"
  readonly begunAt: DateTime.Utc
  readonly finishedAt: DateTime.Utc | null
  readonly result: AttemptResult | null
  /** As answered, or joined later. */
  readonly requestId: RequestId | null
  /** Whose word the request id is. */
  readonly requestIdBy: RequestIdBy
  /** When a status last mentioned the request id as pending; null where none has. */
  readonly mentionedAt: DateTime.Utc | null
  /** What is known of the request; null where nobody was there to see it (a crash), or none was tried. */
  readonly exchanged: Exchanged | null
}

/** What a lane is given to send. */
export interface BegunAttempt {
  readonly _tag: "Begun"
  readonly attempt: number
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  /** With its receipt date and IsRetry, just as it must be sent. */
  readonly document: FiscalDocument
}

/** What asking for a lane's next attempt came to. */
export type NextAttempt =
  | BegunAttempt
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** Nothing Planned is left in the lane. */
  | { readonly _tag: "Drained" }
  /** The lease was taken over: the holder must not send anything more. */
  | { readonly _tag: "Lost" }
  /** An outcome names another fiscal day than the permission knew of: a day was closed, and the accounts have to be asked about again. */
  | { readonly _tag: "DayClosed" }

/** What became of an attempt, and what is known of its request; an accepted one is looked at after `firstLook`. */
export interface FinishedAttempt {
  readonly attempt: number
  readonly result: AttemptResult
  readonly exchanged?: Exchanged | undefined
  readonly firstLook: Duration.Duration
  /** The account's pace: nothing of it begins sooner after this one, whoever sends it. */
  readonly pace?: Duration.Duration | undefined
}

/** How the accounts of a lane want it run. */
export interface AttemptOptions {
  /** Accounts the caller can send for; the lane waits at another account's document. */
  readonly accounts: ReadonlyArray<{
    readonly account: string
    readonly environment: Environment
    /** DOC-10b: `retry` sets IsRetry after an actionable rejection. */
    readonly afterRejection: "retry" | "first"
    /** ORD-1: go on after `accepted`, or wait for the `outcome`. A lane shared by several accounts always waits. */
    readonly goOnAfter: "accepted" | "outcome"
    /** The lane's fiscal day when the account was asked about (LaneView); left out, it is not compared. */
    readonly fiscalDay?: number | null
    /** Documents of an earlier date are held, not sent. */
    readonly notBefore?: CivilDate
  }>
  readonly lease: Duration.Duration
  /** How far a receipt date may lie ahead of the clock (RCPT031). */
  readonly skew: Duration.Duration
  /** How far our clock may be ahead of the gateway's: receipts are dated by the gateway's time. Default none. */
  readonly ahead?: Duration.Duration
}

/** A state change that has been committed. `from` is null when the document is new. */
export interface Change {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly from: State | null
  readonly to: State
  readonly cause: Cause | "planned"
  readonly at: DateTime.Utc
}

/** One entry of a submission's timeline. */
export interface TimelineEntry {
  readonly at: DateTime.Utc
  readonly from: State | null
  readonly to: State
  /** `replaced`, `conflict` and `noted` leave the state as it is. */
  readonly cause: Cause | "planned" | "replaced" | "conflict" | "noted"
  /** What happened, in words: the gateway's answer, a person's reason, the receipt date that was moved. */
  readonly text: string | null
  readonly attempt: number | null
}

/** What a person must look at; settled by `decide`. */
export interface StoredConflict {
  readonly code: "OUTCOME_CONFLICT" | "DOUBLE_FISCALISED" | "SOURCE_CONFLICT" | "OTHER_DEVICE"
  readonly detail: string
  readonly at: DateTime.Utc
  readonly settledAt: DateTime.Utc | null
}

/** One attempt without its document: how the request went, for whoever must not know whose it was. */
export interface AttemptFacts extends Pick<Attempt, "repeats" | "begunAt" | "exchanged"> {
  readonly lane: string
  /** Null while it is under way, or where its process died. */
  readonly result: AttemptResult["_tag"] | null
}

/** An outcome whose request id belongs to no attempt we know: a candidate for an Unknown one. */
export interface InboxItem {
  readonly account: string
  readonly item: StatusItem
  readonly arrivedAt: DateTime.Utc
}

/** One thing said about a submission, as it was kept. */
export interface KeptEvidence extends Evidence {
  readonly at: DateTime.Utc
  /** Fields of the gateway's answer that have no field here, under the wire's names; null when there were none. */
  readonly unknownFields: Readonly<Record<string, unknown>> | null
}

/** Everything that is known of one submission. */
export interface Explanation {
  readonly submission: Submission
  readonly document: UndatedDocument
  readonly attempts: ReadonlyArray<Attempt>
  readonly timeline: ReadonlyArray<TimelineEntry>
  readonly evidence: ReadonlyArray<KeptEvidence>
  readonly conflicts: ReadonlyArray<StoredConflict>
  /** While it is Unknown: outcomes that may be its own. */
  readonly candidates: ReadonlyArray<InboxItem>
}

/** Which submissions are asked for. */
export interface ListQuery {
  readonly accounts?: ReadonlyArray<string>
  readonly lane?: string
  readonly states?: ReadonlyArray<State>
  /** Submissions after this `seq`. */
  readonly after?: number
  /** Submissions before this `seq`. */
  readonly before?: number
  /** The order of planning, or the other way round. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /** Of these, those whose number begins with it, or whose buyer has it in the name, whatever the case of ASCII letters. */
  readonly matching?: string
  /** Default 200. */
  readonly limit?: number
}

/** How many documents came to something in one stretch of time. */
export interface Activity {
  /** Where the stretch begins. */
  readonly from: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
}

/** A submission as it stands, at its place in the order in which submissions last changed. */
export interface ChangedSubmission {
  readonly submission: Submission
  /** Grows; what `after` of the next page is. */
  readonly position: number
  /** `recent`: what was committed at the same time may still come before it, so that a reader who keeps a place keeps an earlier one. */
  readonly order: "final" | "recent"
}

/** Which changes are asked for. */
export interface ChangeQuery {
  readonly accounts?: ReadonlyArray<string>
  /** A position. Default: from the first. */
  readonly after?: number
  /** Changes of this time and later. */
  readonly since?: DateTime.Utc
  /** `newest-first`: for whoever follows from now on, or asks whether anything has changed. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /** Default 200. */
  readonly limit?: number
}

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

/** What several processes and a host agree on about an account: which device it feeds, and whose numbers it uses. */
export interface Pin {
  readonly account: string
  readonly lane: string
  readonly taxpayer: string
  readonly environment: Environment
  /** The device's serial number; null or left out where the gateway does not name it. */
  readonly serial?: string | null
  /** The zone in which date-times without an offset are read (TIME-1): the mapping book's, as an offset or an IANA name. */
  readonly zone?: string | null
}

/** Which store this is. Both are kept elsewhere too (StoreWitness), so that a lost store and an older copy are told from the one that was used. */
export interface StoreIdentity {
  /** Drawn at random when the store was made. */
  readonly id: string
  /** The number of the last attempt it has written. */
  readonly attempts: number
}

/** What moving an account to another device came to. */
export type Repinning =
  /** How many documents were moved, and how many of these have another receipt date now. */
  | { readonly _tag: "Repinned"; readonly moved: number; readonly redated: number }
  /**
   * `in-flight`: something of it is Sending, Accepted or Unknown, or was tried and waits to be tried again. `other-taxpayer`: the new device's
   * TIN is another. `other-environment`: a sandbox's documents do not go to a live device. `because` says it in words.
   */
  | {
      readonly _tag: "Refused"
      readonly reason: "in-flight" | "other-taxpayer" | "other-environment"
      readonly because: string
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
  /**
   * Moves the account to the device that has replaced its own, with what it has not sent yet; a person's decision. Refused, and nothing changed,
   * while anything of it may still be, or become, a receipt of the old device, and where the taxpayer or the environment is another. Receipt
   * dates that were given to civil dates are given anew where the new device's mark asks for it; what was late for the old device alone is
   * released. What was declined or rejected goes to the new device once it is corrected.
   */
  repin(pin: Pin, because: string): Effect.Effect<Repinning, StoreError>

  /** Plans documents in one transaction; one result each, in their order. Give it batches of a few hundred, what is to go first in the first. */
  plan(documents: ReadonlyArray<PlannedDocument>): Effect.Effect<ReadonlyArray<PlanResult>, StoreError>
  /** Begins to remember an import, before anything of it is planned. The import's id. */
  beginImport(made: ImportMade): Effect.Effect<number, StoreError>
  /** Remembers the next page of it. */
  keepPage(page: KeptPage): Effect.Effect<void, StoreError>
  /** Everything of it was handed over. */
  endImport(id: number, counts: ImportCounts): Effect.Effect<void, StoreError>
  /** Imports that are remembered, the newest first. */
  imports(query: ImportQuery): Effect.Effect<ReadonlyArray<KeptImport>, StoreError>
  importOf(id: number): Effect.Effect<Option.Option<KeptImport>, StoreError>
  /** The documents of an import, a page at a time, in their order. */
  importDocuments(id: number): Stream.Stream<ReadonlyArray<KeptDocument>, StoreError>
  /** In every lane, documents dated up to that day are held for a person before they go: this store may not know that they have gone. */
  doubt(until: CivilDate): Effect.Effect<void, StoreError>
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
  /** When the account's next look is due; none when nothing is awaited. */
  nextPoll(account: string): Effect.Effect<Option.Option<DateTime.Utc>, StoreError>
  /** Takes the answer to one status call: outcomes, next looks, and Expired for what nobody answers for any more. */
  recordPoll(
    account: string,
    asked: ReadonlyArray<RequestId>,
    items: ReadonlyArray<StatusItem>,
    policy: PollPolicy
  ): Effect.Effect<PollResult, StoreError>

  /** Unknown again Planned under `resend-flagged`, for attempts begun before `quietSince`. Returns how many. */
  resendUnknown(account: string, quietPeriod: Duration.Duration): Effect.Effect<number, StoreError>
  /** Joins an inbox outcome to the one attempt of an `exclusive` account that lacks an id. Returns how many were joined (0 or 1). */
  joinByElimination(account: string): Effect.Effect<number, StoreError>
  /** A person's decision, with the reason. */
  decide(key: SubmissionKey, decision: Decision, because: string): Effect.Effect<Resolution, StoreError>

  get(key: SubmissionKey): Effect.Effect<Option.Option<Submission>, StoreError>
  /** Submissions with this id or number, whatever their account: what a person types. */
  find(idOrNumber: string): Effect.Effect<ReadonlyArray<Submission>, StoreError>
  /** Those of the keys that are stored, in no order. */
  getMany(keys: ReadonlyArray<SubmissionKey>): Effect.Effect<ReadonlyArray<Submission>, StoreError>
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
  /** `retention` as in PollPolicy. */
  health(retention: Duration.Duration): Effect.Effect<Health, StoreError>

  /** Asks whether this process is to tell that these are the concerns now, named as by submission/Alert; it has `lease` for it. */
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
