/**
 * Surroundings of the page, provided by its caller: formats, accounts, the store, the mapping book.
 * The page builds none of them.
 */
import type { Doctor } from "@fiscal-connector/core/host/account"
import type { AccountSettings, ImportedDocument, StoreWitness } from "@fiscal-connector/core/session"
import type { Adapter, SourceDocument } from "@fiscal-connector/core/adapter"
import type { StoreError, SubmissionStore } from "@fiscal-connector/core/store"
import type { MappingBook } from "@fiscal-connector/core/book"
import type { StatusPoller, Submitter } from "@fiscal-connector/core/worker"
import type { Correction } from "./Corrections.ts"
import { Data, type DateTime, type Duration, type Effect, type Layer, type Scope, type Stream } from "effect"

/** A blocker that the page cannot settle. `text` states the problem and the next step. */
export class WorkplaceRefused extends Data.TaggedError("WorkplaceRefused")<{ readonly text: string }> {
  override get message() {
    return this.text
  }
}

/** Answers about an export, with the field names of core's `Answer`. */
export interface ReadingAnswers {
  readonly settings: Readonly<Record<string, unknown>>
  readonly layout: string | undefined
  /** Text of a column map, if one was made. */
  readonly columns: string | undefined
}

export type ShownColumn = Adapter.ProposedColumn

/** Columns of a file, each with its probable field. */
export type ColumnsSeen = Adapter.ProposedColumns

/** A document's part of an export: the cells of its rows by column, or its record as text. */
export type SourceRows =
  | {
      readonly _tag: "Table"
      readonly columns: ReadonlyArray<string>
      /** `line`: counted from 1. */
      readonly rows: ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>
    }
  | { readonly _tag: "Text"; readonly text: string }

/** A format of exports. */
export interface Format {
  readonly name: string
  readonly title: string
  /** Content type of the files, judged by their first bytes. */
  readonly content: "text" | "workbook" | "json"
  readonly endings: RegExp
  readonly ending: string
  readonly adapter: Adapter.Adapter<unknown>
  options(answers: ReadingAnswers): Effect.Effect<unknown, WorkplaceRefused>
  /**
   * Returns the options with cells that the adapter reads as corrected. Absent for a text, whose
   * bytes are corrected, and for a format whose cells cannot be corrected.
   */
  withCells?(options: unknown, cells: ReadonlyArray<Correction>): unknown
  /** Lists the columns. Absent if columns have no names. */
  columns?(file: Adapter.InputFile, answers: ReadingAnswers): Effect.Effect<ColumnsSeen, Adapter.AdapterError>
  /**
   * Returns the column names, which identify similar files. Empty if the format alone identifies
   * them.
   */
  header(
    file: Adapter.InputFile,
    settings: ReadingAnswers["settings"]
  ): Effect.Effect<ReadonlyArray<string>, Adapter.AdapterError>
  /**
   * Writes a file again, with the receipts of its documents in added columns. Absent if the format
   * has no rows.
   */
  receipts?<E, R>(
    file: Adapter.InputFile,
    options: unknown,
    documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>
  ): Stream.Stream<Uint8Array, Adapter.AdapterError | E, R>
  /** Returns the rows of a document just read by the adapter, as in the file. */
  rows(document: SourceDocument.SourceDocument): Effect.Effect<SourceRows>
}

/** An account before any request to its gateway. */
export interface PageAccount {
  readonly settings: AccountSettings.AccountSettings
  readonly witness: StoreWitness.StoreWitness | undefined
  /** Other accounts of the configuration. Accounts that share the device share its lane. */
  readonly others: ReadonlyArray<AccountSettings.AccountSettings>
}

/** A live source of the configuration. `every`: pause between two runs; null for runs by hand. */
export interface LiveSourceSetting {
  readonly name: string
  readonly tenant: string
  readonly every: Duration.Duration | null
  readonly consent: "plan" | "send"
}

/** Surroundings given to the page. */
export interface Workplace {
  /** `sandbox`: nothing reaches an authority, and nothing is kept when the page ends. */
  readonly place: "sandbox" | "configured"
  /** Names of the accounts, at least one. */
  readonly accounts: ReadonlyArray<string>
  readonly formats: ReadonlyArray<Format>
  /** Sources of the configuration that are read live; left out: it has none. */
  readonly sources?: ReadonlyArray<LiveSourceSetting>
  /** File of the mapping book, which may not exist yet. Undefined for a temporary book. */
  readonly bookFile: string | undefined
  /** Opens an account. `zone`: zone of the mapping book, if any. */
  account(name: string, zone: DateTime.TimeZone | undefined): Effect.Effect<PageAccount, WorkplaceRefused, Scope.Scope>
  readonly all: Effect.Effect<ReadonlyArray<PageAccount>, WorkplaceRefused, Scope.Scope>
  /** Called before sending with a book. A sandbox takes its mappings from the book. */
  prepare(account: PageAccount, book: MappingBook.MappingBook): Effect.Effect<void, WorkplaceRefused>
  /** True if a store exists. */
  readonly isThere: Effect.Effect<boolean, StoreError.StoreError>
  /** Read-only store: creates and changes nothing. */
  readonly looking: Layer.Layer<SubmissionStore.SubmissionStore, StoreError.StoreError>
  /** Empty store, for a plan before a store exists. */
  readonly nowhere: Layer.Layer<SubmissionStore.SubmissionStore, StoreError.StoreError>
  /** Store for deciding and sending. */
  readonly engine: Layer.Layer<
    SubmissionStore.SubmissionStore | Submitter.Submitter | StatusPoller.StatusPoller,
    StoreError.StoreError
  >
  /** Checks everything the account needs before sending. Changes nothing. */
  doctor(account: string): Effect.Effect<ReadonlyArray<Doctor.Check>, WorkplaceRefused>
}
