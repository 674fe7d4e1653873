/** What the page works on, as whoever starts it hands it over: formats, accounts, the store, the mapping book. The page composes none of it. */
import type * as Doctor from "@fiscal-connector/core/unstable/doctor/Doctor"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import type { Adapter, AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { StatusPoller } from "@fiscal-connector/core/engine/StatusPoller"
import type { Submitter } from "@fiscal-connector/core/engine/Submitter"
import type { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { LiveSourceSetting } from "./LiveSourceSetting.ts"
import { Data, type DateTime, type Effect, type Layer, type Scope } from "effect"

/** Something stands in the way that the page cannot settle; `text` says what and what to do. */
export class WorkplaceRefused extends Data.TaggedError("WorkplaceRefused")<{ readonly text: string }> {
  override get message() {
    return this.text
  }
}

/** What a person has said about an export, by the names of core's `Answer`. */
export interface Said {
  readonly settings: Readonly<Record<string, unknown>>
  readonly layout: string | undefined
  /** The text of a column map, where one was made. */
  readonly columns: string | undefined
}

/** One column of an export, for a person to say what it stands for. */
export interface SeenColumn {
  /** As a column map names it. */
  readonly reference: string | { readonly column: string; readonly nth?: number }
  readonly name: string
  readonly examples: ReadonlyArray<string>
  /** The field it seems to be; null where nobody knows. */
  readonly field: string | null
}

/** What can be seen of a table's columns, and what a document needs. */
export interface ColumnsSeen {
  readonly columns: ReadonlyArray<SeenColumn>
  /** Everything that a column can stand for. */
  readonly fields: ReadonlyArray<string>
  /** Fields without which no document can be read. */
  readonly needed: ReadonlyArray<string>
  /** What else a map of these columns says: the line of the header, the layout. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** What a document's part of an export says: the cells of its rows under the names of their columns, or its record as text. */
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
  /** In words, for a person to choose by. */
  readonly title: string
  /** What files of this format are by their first bytes. */
  readonly content: "text" | "workbook" | "json"
  /** Of files that may be of this format. */
  readonly endings: RegExp
  /** Of files it writes. */
  readonly ending: string
  readonly adapter: Adapter<unknown>
  /** The adapter's options from what was said. */
  options(said: Said): Effect.Effect<unknown, WorkplaceRefused>
  /** Absent where columns have no names. */
  columns?(file: InputFile, said: Said): Effect.Effect<ColumnsSeen, AdapterError>
  /** The names of the columns, by which files of one kind know each other; none where the format alone says it. */
  header(file: InputFile, settings: Said["settings"]): Effect.Effect<ReadonlyArray<string>, AdapterError>
  /** How a file is read, as a column map with the cells that decided it beside each line; absent as `columns`. */
  evidence?(file: InputFile, said: Said): Effect.Effect<string, AdapterError>
  /** The rows of a document that its adapter has just read, as the file has them. */
  rows(document: SourceDocument): Effect.Effect<SourceRows>
}

/** An account to work for; nothing has been asked of its gateway yet. */
export interface Account {
  readonly settings: AccountSettings
  readonly witness: StoreWitness | undefined
  /** The configuration's others: those that share the device stand in the same line. */
  readonly others: ReadonlyArray<AccountSettings>
}

/** Everything that the page is given. */
export interface Workplace {
  /** `sandbox`: nothing reaches an authority, and nothing is kept when the page ends. */
  readonly place: "sandbox" | "configured"
  /** The names of the accounts; at least one. */
  readonly accounts: ReadonlyArray<string>
  readonly formats: ReadonlyArray<Format>
  /** Sources of the configuration that are read live; left out: it has none. */
  readonly sources?: ReadonlyArray<LiveSourceSetting>
  /** Where the mapping book is, or will be; undefined for one that is gone when the page ends. */
  readonly bookFile: string | undefined
  /** `zone`: the mapping book's, where there is one. */
  account(name: string, zone: DateTime.TimeZone | undefined): Effect.Effect<Account, WorkplaceRefused, Scope.Scope>
  /** Every account, to go on with what was left. */
  readonly all: Effect.Effect<ReadonlyArray<Account>, WorkplaceRefused, Scope.Scope>
  /** Called before anything is sent by a book: a sandbox takes its mappings from it. */
  prepare(account: Account, book: MappingBook): Effect.Effect<void, WorkplaceRefused>
  /** Whether there is a store yet. */
  readonly isThere: Effect.Effect<boolean, StoreError>
  /** For looking: creates and changes nothing. */
  readonly looking: Layer.Layer<SubmissionStore, StoreError>
  /** An empty one, for a plan where there is none yet. */
  readonly nowhere: Layer.Layer<SubmissionStore, StoreError>
  /** For deciding and sending. */
  readonly engine: Layer.Layer<SubmissionStore | Submitter | StatusPoller, StoreError>
  /** Looks at everything an account needs before it can send, and changes nothing. */
  doctor(account: string): Effect.Effect<ReadonlyArray<Doctor.Check>, WorkplaceRefused>
}
