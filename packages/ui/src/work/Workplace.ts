/**
 * Surroundings of the page, provided by its caller: formats, accounts, the store, the mapping book.
 * The page builds none of them.
 */
import type * as Doctor from "@fiscal-connector/core/unstable/attention/Doctor"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import type { Adapter, AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { StatusPoller } from "@fiscal-connector/core/engine/StatusPoller"
import type { Submitter } from "@fiscal-connector/core/engine/Submitter"
import type { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { Correction } from "./Corrections.ts"
import type { LiveSourceSetting } from "./LiveSourceSetting.ts"
import { Data, type DateTime, type Effect, type Layer, type Scope, type Stream } from "effect"

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

/** A column of an export, for the operator to choose its meaning. */
export interface SeenColumn {
  /** Column reference as in a column map. */
  readonly reference: string | { readonly column: string; readonly nth?: number }
  readonly name: string
  /** Cells of the first rows, as in the file. */
  readonly cells: ReadonlyArray<string>
  /** Probable field. Null if unknown. */
  readonly field: string | null
  /** Evidence for the probable field, or a fact about the column's other rows. */
  readonly because: string | null
}

/** Columns of a table, and the fields that a document needs. */
export interface ColumnsSeen {
  readonly columns: ReadonlyArray<SeenColumn>
  /** All fields that a column can have. */
  readonly fields: ReadonlyArray<string>
  /** Required fields: without them no document can be read. */
  readonly needed: ReadonlyArray<string>
  /** Other fields that many exports state. */
  readonly frequent: ReadonlyArray<string>
  /** Further entries of the column map: the header's line, the layout. */
  readonly rest: Readonly<Record<string, unknown>>
}

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
  /** Name for the operator. */
  readonly title: string
  /** Content type of the files, judged by their first bytes. */
  readonly content: "text" | "workbook" | "json"
  /** Endings of possible files. */
  readonly endings: RegExp
  /** Ending of written files. */
  readonly ending: string
  readonly adapter: Adapter<unknown>
  /** Returns the adapter's options from the answers. */
  options(answers: ReadingAnswers): Effect.Effect<unknown, WorkplaceRefused>
  /**
   * Returns the options with cells that the adapter reads as corrected. Absent for a text, whose
   * bytes are corrected, and for a format whose cells cannot be corrected.
   */
  withCells?(options: unknown, cells: ReadonlyArray<Correction>): unknown
  /** Lists the columns. Absent if columns have no names. */
  columns?(file: InputFile, answers: ReadingAnswers): Effect.Effect<ColumnsSeen, AdapterError>
  /**
   * Returns the column names, which identify similar files. Empty if the format alone identifies
   * them.
   */
  header(file: InputFile, settings: ReadingAnswers["settings"]): Effect.Effect<ReadonlyArray<string>, AdapterError>
  /**
   * Returns a column map with the deciding cells, as evidence of how the file is read. Absent in
   * the same case as `columns`.
   */
  evidence?(file: InputFile, answers: ReadingAnswers): Effect.Effect<string, AdapterError>
  /**
   * Writes a file again, with the receipts of its documents in added columns. Absent if the format
   * has no rows.
   */
  receipts?<E, R>(
    file: InputFile,
    options: unknown,
    documents: Stream.Stream<ReadonlyArray<ImportedDocument>, E, R>
  ): Stream.Stream<Uint8Array, AdapterError | E, R>
  /** Returns the rows of a document just read by the adapter, as in the file. */
  rows(document: SourceDocument): Effect.Effect<SourceRows>
}

/** An account before any request to its gateway. */
export interface Account {
  readonly settings: AccountSettings
  readonly witness: StoreWitness | undefined
  /** Other accounts of the configuration. Accounts that share the device share its lane. */
  readonly others: ReadonlyArray<AccountSettings>
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
  account(name: string, zone: DateTime.TimeZone | undefined): Effect.Effect<Account, WorkplaceRefused, Scope.Scope>
  /** All accounts, for continuing interrupted sending. */
  readonly all: Effect.Effect<ReadonlyArray<Account>, WorkplaceRefused, Scope.Scope>
  /** Called before sending with a book. A sandbox takes its mappings from the book. */
  prepare(account: Account, book: MappingBook): Effect.Effect<void, WorkplaceRefused>
  /** True if a store exists. */
  readonly isThere: Effect.Effect<boolean, StoreError>
  /** Read-only store: creates and changes nothing. */
  readonly looking: Layer.Layer<SubmissionStore, StoreError>
  /** Empty store, for a plan before a store exists. */
  readonly nowhere: Layer.Layer<SubmissionStore, StoreError>
  /** Store for deciding and sending. */
  readonly engine: Layer.Layer<SubmissionStore | Submitter | StatusPoller, StoreError>
  /** Checks everything the account needs before sending. Changes nothing. */
  doctor(account: string): Effect.Effect<ReadonlyArray<Doctor.Check>, WorkplaceRefused>
}
