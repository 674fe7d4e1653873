/** One import on the page: the files, what was said about them, and how far it has come. */
import type { AccountStopped } from "@fiscal-connector/core/account/StopReason"
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
import type { TaxShare } from "@fiscal-connector/core/unstable/import/TaxShares"
import type { Overtaken } from "@fiscal-connector/core/unstable/import/Dating"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { RememberedAnswers } from "@fiscal-connector/core/unstable/source/RememberedAnswers"
import type { OriginalsReport } from "@fiscal-connector/core/connector/Originals"
import type * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal, type Fiber, type Scope, type Stream } from "effect"
import type { Tally } from "../report/Tally.ts"
import type { Correction } from "./Corrections.ts"
import type { Opened } from "@fiscal-connector/core/unstable/question/Questions"
import type { ColumnsSeen, Format, Said } from "./Workplace.ts"

/** A file as it was handed over: what the person calls it, and where it is kept. */
export interface Upload {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** What a page shows of a document: no more, so that a hundred thousand of them can be kept. */
export interface Row {
  readonly kind: ImportedDocument["kind"]
  readonly id: string
  readonly number: string
  readonly date: string
  readonly buyer: string
  readonly currency: string | null
  /** Positive for credit notes, too; null where it is not known. */
  readonly total: Money.Money | null
  /** Without tax, and the tax; null where they are not known. */
  readonly net: Money.Money | null
  readonly tax: Money.Money | null
  /** The tax codes, one after the other. */
  readonly taxes: string
  readonly state: ImportedDocument["state"]
  /** Why it is held. */
  readonly cause: HoldCause | null
  readonly said: string | null
  readonly codes: ReadonlyArray<string>
  readonly place: string
  readonly proof: Proof | null
}

/** What would be sent, held and refused. */
export interface Checked {
  readonly rows: ReadonlyArray<Row>
  /** Every document in full, read again from the staging as long as the import is not read anew; null where it was planned to be sent. */
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument>, StoreError> | null
  /** What is not accepted, with its rows; null as `documents`. */
  readonly refused: Stream.Stream<RefusedDocument, AdapterError | StoreError> | null
  readonly summary: ImportSummary
  /** Descriptions of lines that state no product code, of documents that were not accepted, with the number of documents. */
  readonly uncoded: ReadonlyMap<string, number>
  readonly tally: Tally
  readonly destination: Destination
  readonly device: DeviceFacts
  readonly book: MappingBook
  readonly overtaken: Overtaken
  /** What a person is told before a historical batch is sent. */
  readonly warning: string | null
  readonly warnings: ReadonlyArray<Finding.Finding>
  /** How many would be sent, how many were sent before. */
  readonly planned: number
  readonly already: number
}

/** What became of it. */
export interface Result {
  readonly rows: ReadonlyArray<Row>
  readonly summary: ImportSummary
  readonly tally: Tally
  /** How many were fiscalised before. */
  readonly already: number
}

/** Why nothing can be sent as things are, and what to do. */
export interface Standstill {
  readonly title: string
  readonly text: string
  readonly findings: ReadonlyArray<Finding.Finding>
  /** `mappings`: the gateway's mappings are to be compared with the book. */
  readonly next: "mappings" | null
}

/** What was chosen for a question: the id of a choice, and what was typed into it. */
export interface Given {
  readonly choice: string
  readonly typed: string
}

/** Answers that were taken together, so that they can be taken back together. */
export interface TakenAnswers {
  /** In words, question by question. */
  readonly words: ReadonlyArray<string>
  /** The change of the settings; null where they did not change. */
  readonly change: number | null
  /** How the files were read before, and which questions were asked by then. */
  readonly said: Said
  readonly asked: ReadonlySet<string>
}

/** The first document by the columns that are chosen. */
export type Preview =
  /** `taken`: readings that are taken for now, as long as nobody has chosen. */
  | { readonly _tag: "Document"; readonly document: SourceDocument; readonly taken: ReadonlyArray<string> }
  | { readonly _tag: "None"; readonly because: string }

export type Phase =
  /** Being read and checked. */
  | { readonly _tag: "Reading"; documents: number }
  /** Everything that only the operator can say, at once. `text`: the settings that the answers are written into; `problem`: why nothing was taken. */
  | {
      readonly _tag: "Questions"
      readonly opened: Opened
      readonly text: string
      readonly given: ReadonlyMap<string, Given>
      readonly problem: string | null
    }
  /** Which column is what; `problem` is why it is asked. */
  | {
      readonly _tag: "Columns"
      readonly problem: string
      readonly seen: ColumnsSeen
      /** The first document by what is chosen. */
      readonly preview: Preview
      /** As the file proposed it; `seen` is as it was chosen last. */
      readonly proposed: ColumnsSeen["columns"]
    }
  /** No answer settles it. */
  | { readonly _tag: "Unreadable"; readonly problem: string; readonly fix: string }
  | { readonly _tag: "Standstill"; readonly why: Standstill }
  /** `stopped`: what stood in the way when it was to be sent. */
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
  /** It was handed to the store, which reports what becomes of it. */
  | { readonly _tag: "Done" }

/** What the operator decided about this import alone; each can be taken back until the import is sent. */
export interface Decided {
  /** `restamp`: documents older than what was sent are dated at the moment they are sent. */
  readonly late: "as-the-book-says" | "restamp"
  /** Documents that are left out, by `kind id`. */
  readonly leftOut: ReadonlySet<string>
  /** Cells that are read otherwise than the file has them. */
  readonly corrections: ReadonlyArray<Correction>
}

export const nothingDecided: Decided = { late: "as-the-book-says", leftOut: new Set(), corrections: [] }

/** The name of a document among those of an import. */
export const nameOf = ({ id, kind }: { readonly id: string; readonly kind: string | null }): string => `${kind} ${id}`

export interface PageImport {
  readonly id: string
  readonly account: string
  readonly format: Format
  readonly files: ReadonlyArray<Upload>
  /** `originals`: invoices that were fiscalised elsewhere, registered so that credit notes can name them; nothing of them is sent. */
  readonly purpose: "import" | "originals"
  said: Said
  /** What was remembered of files like these, and is among what was said; null where nothing was. */
  recalled: RememberedAnswers | null
  /** Whether what is said is to be remembered once the files can be read by it. */
  remembers: "yes" | "no"
  /** `historical`: behind the last close of a fiscal day. */
  passage: "ordinary" | "historical"
  decided: Decided
  /** Ids of the questions that were asked: one that was left open is not asked again by itself. */
  asked: ReadonlySet<string>
  /** `passed`: nothing new was open when it was last looked for. */
  questions: "open" | "passed"
  /** The answers, the last ones last. */
  answers: ReadonlyArray<TakenAnswers>
  phase: Phase
  /** Under what the store remembers it, from the moment it is handed over; null before. */
  record: number | null
  /** Who reads it, or has read it. */
  reading: Fiber.Fiber<unknown> | null
  /** What is closed when it is read anew, discarded or done. */
  scope: Scope.Closeable | null
}

/** The row of a document. */
export const rowOf = (
  document: ImportedDocument,
  shares: ReadonlyArray<TaxShare> | undefined,
  { date, place }: { readonly date: string; readonly place: string }
): Row => ({
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
