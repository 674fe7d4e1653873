import type {
  Destination,
  ImportSummary,
  ImportedDocument,
  Originals,
  Session,
  StopReason
} from "@fiscal-connector/core/session"
import type { Adapter, Finding, Money, SourceDocument } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import type { PlannedDocument, StoreError, Submission } from "@fiscal-connector/core/store"
import {
  AnsweredReading,
  type Conversation,
  type DeviceFacts,
  type OpenQuestion,
  type Questions,
  type RememberedAnswers,
  type SavedPlan,
  type StagedDates,
  TaxShares
} from "@fiscal-connector/core/host/import"
import type { LateBy } from "@fiscal-connector/core/host/account"
import type { Fiber, Scope, Stream } from "effect"
import * as Parts from "../report/Parts.ts"
import type { Tally } from "../report/Tally.ts"
import type { Correction } from "./Corrections.ts"
import type { ColumnsSeen, Format, ReadingAnswers } from "./Workplace.ts"

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
  readonly kind: ImportedDocument.ImportedDocument["kind"]
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
  readonly taxes: string
  readonly state: ImportedDocument.ImportedDocument["state"]
  readonly cause: PlannedDocument.HoldCause | null
  readonly text: string | null
  readonly codes: ReadonlyArray<string>
  readonly proof: Submission.Proof | null
}

export interface ImportResult {
  readonly rows: ReadonlyArray<ImportRow>
  readonly summary: ImportSummary.ImportSummary
  readonly tally: Tally
  readonly already: number
}

export interface Checked extends ImportResult {
  /** Number of the check. A form of another check sends nothing. */
  readonly check: number
  /**
   * All documents in full, read from the staging until the import is read again. Null if the plan
   * was made for sending.
   */
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, StoreError.StoreError> | null
  readonly refused: Stream.Stream<Adapter.RefusedDocument, Adapter.AdapterError | StoreError.StoreError> | null
  readonly made: {
    readonly plan: Session.PlannedImport
    readonly book: string
    /** `none`: planned before a store existed. */
    readonly store: "there" | "none"
  } | null
  readonly uncoded: ReadonlyMap<string, number>
  readonly destination: Destination.Destination
  readonly device: DeviceFacts.DeviceFacts
  readonly book: MappingBook.MappingBook
  readonly overtaken: StagedDates.Overtaken
  readonly warning: string | null
  readonly warnings: ReadonlyArray<Finding.Finding>
  /** Codes that the gateway must map before anything is sent. */
  readonly missing: Session.MissingCodes
  /** Exactly these additions are done by the button of the missing codes. Null without any. */
  readonly additions: SavedPlan.SavedPlan | null
  /** Words that the operator must type before a live device is used. */
  readonly asks: ReadonlyArray<StopReason.StopReason>
  /** Documents that become late if late documents are dated today. Null if none do. */
  readonly lateBy: LateBy.LateBy | null
  readonly planned: number
}

export interface Standstill {
  readonly title: string
  readonly text: string
  readonly findings: ReadonlyArray<Pick<Finding.Finding, "at" | "fix" | "message">>
}

export interface GivenFile {
  readonly choice: string
  readonly typed: string
  /** Words of a choice that is marked beside a typed text: one of them is asked back. */
  readonly other?: string
}

export interface TakenAnswer {
  readonly text: string
  readonly answer: string
  readonly choice: Pick<OpenQuestion.Choice, "reading" | "book">
  readonly about?: NonNullable<RememberedAnswers.KeptAnswer["about"]>
}

export type ImportPreview =
  /** `taken`: readings assumed until the operator chooses. */
  | {
      readonly _tag: "Document"
      readonly document: SourceDocument.SourceDocument
      readonly taken: ReadonlyArray<string>
    }
  | { readonly _tag: "None"; readonly text: string }

export type Phase =
  | { readonly _tag: "Reading"; documents: number }
  /**
   * All open questions at once. `text`: settings to write the answers into. `problem`: reason why
   * the answers were not applied.
   */
  | {
      readonly _tag: "Questions"
      readonly opened: Questions.OpenedQuestions
      readonly state: Conversation.ConversationState
      readonly text: string
      readonly problem: string | null
    }
  /** Meaning of the columns. `problem`: reason for asking. */
  | {
      readonly _tag: "Columns"
      readonly problem: string
      readonly seen: ColumnsSeen
      readonly preview: ImportPreview
      readonly proposed: ColumnsSeen["columns"]
    }
  | { readonly _tag: "Standstill"; readonly why: Standstill }
  /** `stopped`: blocker when the import was to be sent. */
  | {
      readonly _tag: "Checked"
      readonly checked: Checked
      readonly stopped: StopReason.AccountStopped | null
      readonly note: string | null
    }
  /** `documents`: the number that has been checked again. */
  | {
      readonly _tag: "Sending"
      readonly destination: Destination.Destination
      step: "asking" | "checking-again" | "storing"
      documents: number
    }
  | { readonly _tag: "Registered"; readonly report: Originals.OriginalsReport }
  /** The store has accepted the import and reports its progress. */
  | { readonly _tag: "Done" }

/** Operator decisions for this import only. Each can be taken back until the import is sent. */
export interface DecidedImport {
  /** `restamp`: documents older than documents already sent are dated at the moment of sending. */
  readonly late: "as-the-book-says" | "restamp"
  readonly leftOut: ReadonlySet<string>
  readonly corrections: ReadonlyArray<Correction>
}

export const nothingDecided: DecidedImport = { late: "as-the-book-says", leftOut: new Set(), corrections: [] }

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
  base: ReadingAnswers
  recalled: RememberedAnswers.RememberedAnswers | null
  /** `yes`: remember the answers once the files can be read with them. */
  remembers: "yes" | "no"
  /** `historical`: documents from before the last close of a fiscal day. */
  timing: "ordinary" | "historical"
  decided: DecidedImport
  questions: "open" | "passed"
  notice: string | null
  answers: ReadonlyMap<string, TakenAnswer>
  /** Choices and texts that were sent and not taken yet, by question. */
  given: ReadonlyMap<string, GivenFile>
  /** `zone`: the operator changes the zone, which a book states always. */
  reasked: "zone" | "nothing"
  phase: Phase
  record: number | null
  reading: Fiber.Fiber<unknown> | null
  /** Scope of the reading, closed when the import is read again, discarded or done. */
  scope: Scope.Closeable | null
}

export type PhaseOf<Tag extends Phase["_tag"]> = Extract<Phase, { readonly _tag: Tag }>
export type SendingPhase = PhaseOf<"Sending">

/** Gathers the rows of an import with their totals, page by page. */
export const gathering = (tally: Tally, percents: TaxShares.Percents | null) => {
  const rows: Array<ImportRow> = []
  let already = 0
  return {
    add: (document: ImportedDocument.ImportedDocument): void => {
      tally.add(document)
      if (document.state === "Fiscalised" && document.news === "known") already += 1
      const { cause, currency, document: written, kind, number, proof, state, text, total } = document
      const shares = document.shares ?? (percents && written && TaxShares.of(written, percents)) ?? undefined
      const unchanged = { kind, number, currency, total, state, cause, text, proof }
      rows.push({
        ...unchanged,
        ...TaxShares.sumsOf(shares),
        id: document.id ?? number,
        date: Parts.dated(document),
        buyer: document.buyer ?? "",
        taxes: [...new Set(shares?.map(({ taxCode }) => taxCode))].join(", "),
        codes: document.findings.map(({ code }) => code)
      })
    },
    result: (): ImportResult => ({ rows, tally, summary: tally.summary, already })
  }
}

const withAnswer = (answers: ReadingAnswers, answer: OpenQuestion.Choice["reading"]): ReadingAnswers => {
  if (answer === null) return answers
  if ("settings" in answer) return { ...answers, settings: { ...answers.settings, ...answer.settings } }
  if ("layout" in answer) return { ...answers, layout: answer.layout }
  const map =
    answers.columns === undefined ? { version: 1 } : (JSON.parse(answers.columns) as Readonly<Record<string, unknown>>)
  return "map" in answer ? { ...answers, columns: JSON.stringify(AnsweredReading.over(map, answer.map)) } : answers
}

export const readingAnswersOf = ({ answers, base }: Pick<PageImport, "answers" | "base">): ReadingAnswers =>
  [...answers.values()].reduce((all, { choice }) => withAnswer(all, choice.reading), base)

export const withoutAnswer = (base: ReadingAnswers, answer: OpenQuestion.Choice["reading"]): ReadingAnswers => {
  if (answer !== null && "settings" in answer)
    return { ...base, settings: AnsweredReading.without(base.settings, answer.settings) as ReadingAnswers["settings"] }
  if (answer === null || !("map" in answer) || base.columns === undefined) return base
  return { ...base, columns: JSON.stringify(AnsweredReading.without(JSON.parse(base.columns), answer.map)) }
}
