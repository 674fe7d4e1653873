/** An import on the page: the files, the answers about them, and the phase. */
import type { AccountStopped, StopReason } from "@fiscal-connector/core/account/StopReason"
import type { Destination } from "@fiscal-connector/core/account/Destination"
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { ImportSummary } from "@fiscal-connector/core/import/ImportSummary"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { Proof } from "@fiscal-connector/core/submission/Submission"
import type { DeviceFacts } from "@fiscal-connector/core/unstable/preflight/DeviceFacts"
import type { AdapterError, RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { HoldCause } from "@fiscal-connector/core/submission/PlannedDocument"
import type { SummedTaxShare } from "@fiscal-connector/core/unstable/import/TaxShares"
import type { SavedPlan } from "@fiscal-connector/core/unstable/mapping/SavedPlan"
import type { LateBy } from "@fiscal-connector/core/unstable/session/LateBy"
import type { MissingCodes } from "@fiscal-connector/core/session/Session"
import type { Overtaken } from "@fiscal-connector/core/unstable/import/StagedDates"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { RememberedAnswers } from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import type { OriginalsReport } from "@fiscal-connector/core/connector/Originals"
import type * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal, type Fiber, type Scope, type Stream } from "effect"
import type { Tally } from "../report/Tally.ts"
import type { Correction } from "./Corrections.ts"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import type * as Conversation from "@fiscal-connector/core/unstable/question/Conversation"
import type { Choice } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import type { Opened } from "@fiscal-connector/core/unstable/question/Questions"
import type { ColumnsSeen, Format, ReadingAnswers } from "./Workplace.ts"

/** An uploaded file: the user's name for the file, and its path. */
export interface Upload {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/**
 * Fields of a document for the page. Limited to the visible fields, because a hundred thousand rows
 * are kept.
 */
export interface ImportRow {
  readonly kind: ImportedDocument["kind"]
  readonly id: string
  readonly number: string
  readonly date: string
  readonly buyer: string
  readonly currency: string | null
  /** Positive for credit notes too. Null if unknown. */
  readonly total: Money.Money | null
  /** Amount without tax, and tax. Null if unknown. */
  readonly net: Money.Money | null
  readonly tax: Money.Money | null
  /** Tax codes, joined by commas. */
  readonly taxes: string
  readonly state: ImportedDocument["state"]
  /** Cause of the hold. */
  readonly cause: HoldCause | null
  readonly said: string | null
  readonly codes: ReadonlyArray<string>
  readonly place: string
  readonly proof: Proof | null
}

/** Result of the check: documents to send, held and refused. */
export interface Checked {
  readonly rows: ReadonlyArray<ImportRow>
  /**
   * All documents in full, read from the staging until the import is read again. Null if the plan
   * was made for sending.
   */
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument>, StoreError> | null
  /** Refused documents with their rows. Null in the same case as `documents`. */
  readonly refused: Stream.Stream<RefusedDocument, AdapterError | StoreError> | null
  readonly summary: ImportSummary
  /**
   * Descriptions of lines without a product code in refused documents, with the number of
   * documents.
   */
  readonly uncoded: ReadonlyMap<string, number>
  readonly tally: Tally
  readonly destination: Destination
  readonly device: DeviceFacts
  readonly book: MappingBook
  readonly overtaken: Overtaken
  /** Warning shown before a historical batch is sent. */
  readonly warning: string | null
  readonly warnings: ReadonlyArray<Finding.Finding>
  /** Codes that the gateway must map before anything is sent. */
  readonly missing: MissingCodes
  /** Exactly these additions are done by the button of the missing codes. Null without any. */
  readonly additions: SavedPlan | null
  /** Words that the operator must type before a live device is used. */
  readonly asks: ReadonlyArray<StopReason>
  /** Documents that become late if late documents are dated today. Null if none do. */
  readonly lateBy: LateBy | null
  /** Numbers of documents to send, and of documents sent before. */
  readonly planned: number
  readonly already: number
}

/** Result of an import. */
export interface ImportResult {
  readonly rows: ReadonlyArray<ImportRow>
  readonly summary: ImportSummary
  readonly tally: Tally
  /** Number of documents fiscalized before this import. */
  readonly already: number
}

/** Reason why nothing can be sent now, with the next step. */
export interface Standstill {
  readonly title: string
  readonly text: string
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Answer to a question: id of the choice, and the typed text. */
export interface GivenFile {
  readonly choice: string
  readonly typed: string
}

/** An answer of the operator, kept by its subject until it is changed. */
export interface TakenAnswer {
  /** Question and answer as text. */
  readonly text: string
  /** Id of the choice, or the typed text. */
  readonly answer: string
  readonly choice: Pick<Choice, "reading" | "book">
}

/** First document with the chosen columns. */
export type ImportPreview =
  /** `taken`: readings assumed until the operator chooses. */
  | { readonly _tag: "Document"; readonly document: SourceDocument; readonly taken: ReadonlyArray<string> }
  | { readonly _tag: "None"; readonly because: string }

export type Phase =
  /** The files are being read and checked. */
  | { readonly _tag: "Reading"; documents: number }
  /**
   * All open questions at once. `text`: settings to write the answers into. `problem`: reason why
   * the answers were not applied.
   */
  | {
      readonly _tag: "Questions"
      readonly opened: Opened
      readonly state: Conversation.ConversationState
      readonly text: string
      readonly given: ReadonlyMap<string, GivenFile>
      readonly problem: string | null
    }
  /** Meaning of the columns. `problem`: reason for asking. */
  | {
      readonly _tag: "Columns"
      readonly problem: string
      readonly seen: ColumnsSeen
      /** First document with the chosen columns. */
      readonly preview: ImportPreview
      /** Columns as proposed by the file. `seen` has the last choice. */
      readonly proposed: ColumnsSeen["columns"]
    }
  /** No answer can make the files readable. */
  | { readonly _tag: "Unreadable"; readonly problem: string; readonly fix: string }
  | { readonly _tag: "Standstill"; readonly why: Standstill }
  /** `stopped`: blocker when the import was to be sent. */
  | {
      readonly _tag: "Checked"
      readonly checked: Checked
      readonly stopped: AccountStopped | null
      readonly note: string | null
    }
  | {
      readonly _tag: "Sending"
      readonly destination: Destination
    }
  /** Originals: nothing is sent. */
  | { readonly _tag: "Registered"; readonly report: OriginalsReport }
  /** The store has accepted the import and reports its progress. */
  | { readonly _tag: "Done" }

/** Operator decisions for this import only. Each can be taken back until the import is sent. */
export interface DecidedImport {
  /** `restamp`: documents older than documents already sent are dated at the moment of sending. */
  readonly late: "as-the-book-says" | "restamp"
  /** Documents left out, by `kind id`. */
  readonly leftOut: ReadonlySet<string>
  /** Cells read differently from the file. */
  readonly corrections: ReadonlyArray<Correction>
}

export const nothingDecided: DecidedImport = { late: "as-the-book-says", leftOut: new Set(), corrections: [] }

/** Returns the name of a document within an import. */
export const nameOf = ({ id, kind }: { readonly id: string; readonly kind: string | null }): string => `${kind} ${id}`

export interface PageImport {
  readonly id: string
  readonly account: string
  readonly format: Format
  readonly files: ReadonlyArray<Upload>
  /**
   * `originals`: invoices fiscalized elsewhere, registered for credit notes to refer to; nothing is
   * sent.
   */
  readonly purpose: "import" | "originals"
  /** Answers about the files before any answer here: remembered, or of an earlier import. */
  base: ReadingAnswers
  /** Remembered answers for similar files. Null if nothing was remembered. */
  recalled: RememberedAnswers | null
  /** `yes`: remember the answers once the files can be read with them. */
  remembers: "yes" | "no"
  /** `historical`: documents from before the last close of a fiscal day. */
  timing: "ordinary" | "historical"
  decided: DecidedImport
  /** `passed`: the last check found no new question. */
  questions: "open" | "passed"
  /** Text to show once the files are checked. */
  notice: string | null
  /** Answers by subject, oldest first: of questions and of columns. */
  answers: ReadonlyMap<string, TakenAnswer>
  /** `zone`: the operator changes the zone, which a book states always. */
  reasked: "zone" | "nothing"
  phase: Phase
  /** Id of the import in the store, from its acceptance on. Null before. */
  record: number | null
  /** Fiber that reads or has read the files. */
  reading: Fiber.Fiber<unknown> | null
  /** Scope of the reading, closed when the import is read again, discarded or done. */
  scope: Scope.Closeable | null
}

/** Returns the row of a document. */
export const rowOf = (
  document: ImportedDocument,
  shares: ReadonlyArray<SummedTaxShare> | undefined,
  { date, place }: { readonly date: string; readonly place: string }
): ImportRow => ({
  kind: document.kind,
  id: document.id ?? document.number,
  number: document.number,
  date,
  buyer: document.buyer ?? "",
  currency: document.currency,
  total: document.total,
  net: shares === undefined ? null : BigDecimal.sumAll(shares.map(({ net }) => net)),
  tax: shares === undefined ? null : BigDecimal.sumAll(shares.map(({ tax }) => tax)),
  taxes: [...new Set(shares?.map(({ taxCode }) => taxCode))].join(", "),
  state: document.state,
  cause: document.cause,
  said: document.said,
  codes: document.findings.map(({ code }) => code),
  place,
  proof: document.proof
})

const withAnswer = (answers: ReadingAnswers, answer: Choice["reading"]): ReadingAnswers => {
  if (answer === null) return answers
  if ("settings" in answer) return { ...answers, settings: { ...answers.settings, ...answer.settings } }
  if ("layout" in answer) return { ...answers, layout: answer.layout }
  const map =
    answers.columns === undefined ? { version: 1 } : (JSON.parse(answers.columns) as Readonly<Record<string, unknown>>)
  return "map" in answer ? { ...answers, columns: JSON.stringify(AnsweredReading.over(map, answer.map)) } : answers
}

/** Returns how the files are read: the remembered answers, then the answers of this page. */
export const readingAnswersOf = ({ answers, base }: Pick<PageImport, "answers" | "base">): ReadingAnswers =>
  [...answers.values()].reduce((all, { choice }) => withAnswer(all, choice.reading), base)

/** Returns remembered answers without an answer that is taken back. */
export const withoutAnswer = (base: ReadingAnswers, answer: Choice["reading"]): ReadingAnswers => {
  if (answer === null) return base
  if ("settings" in answer)
    return { ...base, settings: AnsweredReading.without(base.settings, answer.settings) as ReadingAnswers["settings"] }
  if (!("map" in answer) || base.columns === undefined) return base
  return { ...base, columns: JSON.stringify(AnsweredReading.without(JSON.parse(base.columns), answer.map)) }
}
