import type { DateTime, Duration, Option, Stream } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind, UndatedDocument } from "../document/FiscalDocument.ts"
import type { Money } from "../document/Money.ts"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { State, Submission } from "./Submission.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { GatewaySeen } from "./ledger/GatewaySeen.ts"
import type { StoreEffect, StoreError } from "./ledger/StoreError.ts"
import type { Explanation, InboxItem, StoredConflict } from "./Explanation.ts"
import type { KnownDocument } from "./PlanResult.ts"
import type { NoneBy } from "./ledger/Settled.ts"
import type { Success } from "./Outcome.ts"
import type { HoldCause, SubmissionKey } from "./PlannedDocument.ts"
import type { CodeMeaning } from "./ledger/Original.ts"
import type { Family, ReceiptNotes } from "./ledger/CreditFamily.ts"

/** Filter for submissions. */
export interface ListQuery {
  readonly accounts?: ReadonlyArray<string>
  readonly lane?: string
  readonly states?: ReadonlyArray<State>
  readonly kind?: DocumentKind
  /** First and last day of the document's own date, both inclusive. */
  readonly datedFrom?: CivilDate
  readonly datedTo?: CivilDate
  readonly changedFrom?: DateTime.DateTime
  readonly after?: number
  readonly before?: number
  /** Order of planning, or the reverse. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /**
   * Further filter: text in the number, the identifier or the buyer's name, ignoring the case of
   * ASCII letters.
   */
  readonly matching?: string
  /** Default 200. */
  readonly limit?: number
}

/** Filter for changes. */
export interface ChangeQuery {
  readonly accounts?: ReadonlyArray<string>
  /** Position to start after. Default: the first change. */
  readonly after?: number
  readonly since?: DateTime.Utc
  /**
   * `newest-first`: for callers that start now, or check for any change. Default `oldest-first`.
   */
  readonly order?: "oldest-first" | "newest-first"
  /** Default 200. */
  readonly limit?: number
}

/** A submission with its current state, at its position in the order of last changes. */
export interface ChangedSubmission {
  readonly submission: Submission
  readonly position: number
  readonly at: DateTime.Utc
  /**
   * `recent`: a concurrent commit may still get an earlier position. A reader that stores a
   * position must store an earlier, `final` one.
   */
  readonly order: "final" | "recent"
}

/** Number of documents by outcome in one interval. */
export interface Activity {
  readonly from: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
}

/** One request of a document, and what is known of it (submission/ledger/Settled). */
export interface DocumentRequest {
  readonly attempt: number
  readonly lane: string
  readonly revision: number
  readonly begunAt: DateTime.Utc
  readonly known: "receipt" | "open" | NoneBy
  /** Id under which the gateway may answer. Null if none is known or nothing was processed. */
  readonly requestId: string | null
}

/** A statement that a document has a receipt. */
export interface StatedReceipt extends Success {
  readonly by: "gateway" | "operator"
  /** `failure`: the answer also states a failure, so it proves nothing yet. */
  readonly beside: "failure" | "nothing"
  /** Null for an operator's statement about a document that was never sent. */
  readonly attempt: number | null
}

/** A document of a device with all its requests, also of earlier revisions and other devices. */
export interface DocumentRequests extends SubmissionKey {
  readonly seq: number
  readonly number: DocumentNumber
  readonly state: State
  readonly lane: string
  readonly revision: number
  readonly dated: CivilDate
  /** `here`: a credit note prepared by this program. */
  readonly made: "source" | "here"
  /** A prepared note is the same credit, by an operator's answer. */
  readonly isRepresented: boolean
  readonly conflicts: ReadonlyArray<Pick<StoredConflict, "code" | "detail"> & { readonly standing: "open" | "settled" }>
  readonly receiptDate: DateTime.DateTime | null
  readonly requests: ReadonlyArray<DocumentRequest>
  readonly stated: ReadonlyArray<StatedReceipt>
}

/** Revision of a document, by the `seq` of its submission. */
export type RevisionKey = readonly [seq: number, revision: number]

/** A document with the meaning of its codes when it was planned; null if it was not kept. */
export interface MeantDocument {
  readonly document: UndatedDocument
  readonly meaning: CodeMeaning | null
  readonly source: Provenance
}

/** Statement of an operator if other programs make receipts on a device. */
export interface OtherPrograms {
  readonly stated: "others" | "alone"
  readonly since: DateTime.Utc
}

/** A sent invoice with everything that a prepared credit note depends on. */
export interface InvoiceFamily extends Family {
  readonly requests: DocumentRequests
  readonly ofReceipts: ReceiptNotes
  readonly texts: "kept" | "forgotten"
  readonly conflicts: ReadonlyArray<StoredConflict["code"]>
}

/** A document that changed during a session. */
export interface ChangedDocument {
  readonly requests: DocumentRequests
  readonly before: State | null
  readonly found: ReadonlyArray<StoredConflict["code"]>
  readonly currency: string
  readonly total: Money
}

/** Queries for the receipts of a device. */
export interface ReceiptQueries {
  /**
   * Streams the documents of the device, page by page. `sent`: documents that were sent to the
   * device or stated as its receipts. `all`: waiting documents, too. `since`: only documents with a
   * request since then and with the requests shortly before, or that changed since then; null for
   * every document.
   */
  readonly documentsOf: (
    lane: string,
    which: "sent" | "all",
    since: DateTime.DateTime | null
  ) => Stream.Stream<DocumentRequests, StoreError>
  /** Returns the codes that prove nothing, because three documents or more have each. */
  readonly repeatedCodes: (lane: string) => StoreEffect<ReadonlySet<string>>
  /** Returns the latest statement about other programs on the device. Null if there is none. */
  readonly otherPrograms: (lane: string) => StoreEffect<OtherPrograms | null>
  readonly changedAfter: (lane: string, to: CivilDate, position: number) => StoreEffect<ReadonlyArray<ChangedDocument>>
  readonly revisions: (keys: ReadonlyArray<RevisionKey>) => StoreEffect<ReadonlyArray<MeantDocument>>
}

/** Queries of submissions. Each operation is one transaction. */
export interface SubmissionQueries extends ReceiptQueries {
  readonly get: (key: SubmissionKey) => StoreEffect<Option.Option<Submission>>
  /** Returns submissions with this id or number, in any account. For input typed by a user. */
  readonly find: (idOrNumber: string) => StoreEffect<ReadonlyArray<Submission>>
  readonly getMany: (keys: ReadonlyArray<SubmissionKey>) => StoreEffect<ReadonlyArray<Submission>>
  /**
   * Returns the current revision's document of each submission, by `kind id`. `sent` leaves out
   * Planned and Held ones. Default: `sent`.
   */
  readonly sent: (
    keys: ReadonlyArray<SubmissionKey>,
    which?: "sent" | "every"
  ) => StoreEffect<ReadonlyMap<string, WrittenDocument>>
  /**
   * Returns the stored documents among the keys, in no particular order, with the facts that decide
   * how a repeated import treats them.
   */
  readonly known: (keys: ReadonlyArray<SubmissionKey>) => StoreEffect<ReadonlyArray<KnownDocument>>
  readonly list: (query: ListQuery) => StoreEffect<ReadonlyArray<Submission>>
  /** Streams all results of `list`, page by page. */
  readonly stream: (query: ListQuery) => Stream.Stream<Submission, StoreError>
  /**
   * Returns each submission once, in the order of its last change. For callers that write outcomes
   * back and resume after a crash.
   */
  readonly changed: (query: ChangeQuery) => StoreEffect<ReadonlyArray<ChangedSubmission>>
  /**
   * Returns the time of the change at a position, so that a reader can check a position that it
   * stored. None: the position is beyond the end. Another time: an older copy of the store was put
   * back, and its history went on differently.
   */
  readonly changedAt: (position: number) => StoreEffect<Option.Option<DateTime.Utc>>
  readonly family: (key: SubmissionKey) => StoreEffect<Option.Option<InvoiceFamily>>
  readonly noticed: (accounts: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<SubmissionKey>>
  /**
   * Returns a number of the source that the rule for prepared notes can make for an invoice of the
   * account. Null without one.
   */
  readonly ruled: (
    account: string,
    rule: string
  ) => StoreEffect<{ readonly number: string; readonly invoice: string } | null>
  readonly explain: (key: SubmissionKey) => StoreEffect<Option.Option<Explanation>>
  readonly inbox: (account: string) => StoreEffect<ReadonlyArray<InboxItem>>
  readonly holdCauses: StoreEffect<Readonly<Partial<Record<HoldCause, number>>>>
  /**
   * Counts the documents that reached their current state in each interval since `since`, oldest
   * first. Empty intervals are omitted. Planned, Held and Sending are not outcomes and are not
   * counted.
   */
  readonly activity: (since: DateTime.Utc, stretch: Duration.Duration) => StoreEffect<ReadonlyArray<Activity>>
  readonly gatewaySeen: (account: string) => StoreEffect<GatewaySeen>
}
