/**
 * Interface that every adapter implements: an export as a stream of readings. An adapter states;
 * `translate` decides.
 */
import { type Effect, Option, Schema, type Stream } from "effect"
import type { Money } from "../document/Money.ts"
import { Answer } from "../finding/Answer.ts"
import type { Finding } from "../finding/Finding.ts"
import type { Skipped, SourceDocument } from "./SourceDocument.ts"

/**
 * Result of reading one piece of an export. A Finding here belongs to no document: rows that could
 * not be assigned to a document.
 */
export type Reading = SourceDocument | Skipped | Finding

/** Files of one export, in the order given. `bytes` may be read more than once. */
export interface Input {
  readonly files: ReadonlyArray<InputFile>
}

/** A file of an export: a name, and bytes that can be read repeatedly. */
export interface InputFile {
  /** Name as the user gave it; part of every provenance. */
  readonly name: string
  readonly bytes: Stream.Stream<Uint8Array, AdapterError>
}

/** A document that was not sent, or rows without a document, with every reason. */
export interface RefusedDocument {
  readonly reading: SourceDocument | Finding
  readonly findings: ReadonlyArray<Finding>
}

/** The export cannot be read at all; `findings` state where and why. */
export class ExportUnreadable extends Schema.TaggedError<ExportUnreadable>(
  "@fiscal-connector/core/unstable/ExportUnreadable"
)("ExportUnreadable", {
  file: Schema.String,
  problem: Schema.String,
  fix: Schema.String,
  /** Answers that settle the problem without a change to the export. Any answer is enough. */
  answers: Schema.optionalKey(Schema.Array(Answer))
}) {}

/** Reading the file or stream failed. */
export class InputFailed extends Schema.TaggedError<InputFailed>("@fiscal-connector/core/unstable/InputFailed")(
  "InputFailed",
  {
    file: Schema.String,
    problem: Schema.String
  }
) {}

/**
 * The adapter's own code threw: a mistake in the adapter, not in the export. `document` is the
 * current document, or the last one before. The exception's text may quote the export and is not
 * kept; the exception's name and the source line of the throw are kept.
 */
export class AdapterBroke extends Schema.TaggedError<AdapterBroke>("@fiscal-connector/core/unstable/AdapterBroke")(
  "AdapterBroke",
  { file: Schema.String, document: Schema.String, problem: Schema.String }
) {}

/**
 * A question about a file, for the operator: the competing readings, up to three example cells for
 * each, and the answer that selects each reading. `id` is the same for the same question in every
 * run, for any file.
 */
export const Question = Schema.Struct({
  id: Schema.String,
  /** `contents`: the question is what the file is. It is asked before any other. */
  subject: Schema.optionalKey(Schema.Literal("contents")),
  file: Schema.String,
  question: Schema.String,
  readings: Schema.Array(
    Schema.Struct({
      /** Id in a file of answers. Left out: made from the answer. */
      id: Schema.optionalKey(Schema.String),
      reading: Schema.String,
      examples: Schema.Array(Schema.String),
      answer: Answer
    })
  ),
  /** Id of the reading that the evidence supports. Left out: only the operator can decide. */
  proposal: Schema.optionalKey(Schema.String)
})
export type Question = typeof Question.Type

/**
 * The export has more than one consistent reading, and only the operator can choose: all open
 * questions. Nothing was sent.
 */
export class ReadingAmbiguous extends Schema.TaggedError<ReadingAmbiguous>(
  "@fiscal-connector/core/unstable/ReadingAmbiguous"
)("ReadingAmbiguous", { questions: Schema.NonEmptyArray(Question) }) {}

/**
 * Reason why an adapter could not go on with an export. Single bad rows and documents are findings
 * instead.
 */
export class AdapterError extends Schema.TaggedError<AdapterError>("@fiscal-connector/core/unstable/AdapterError")(
  "AdapterError",
  {
    adapter: Schema.String,
    reason: Schema.Union([ExportUnreadable, InputFailed, ReadingAmbiguous, AdapterBroke])
  }
) {
  override get message() {
    const { reason } = this
    switch (reason._tag) {
      case "ExportUnreadable":
        return `${reason.file}: ${reason.problem}. ${reason.fix}`
      case "InputFailed":
        return `${reason.file}: ${reason.problem}`
      case "AdapterBroke":
        return `${reason.file}: the adapter ${this.adapter} broke off ${reason.document}: ${reason.problem}. This is a mistake in the adapter, not in the export`
      case "ReadingAmbiguous":
        return reason.questions.map(({ file, question }) => `${file}: ${question}`).join("; ")
    }
  }
}

const decoded = Schema.decodeUnknownOption(AdapterError)

/**
 * Returns the value as an AdapterError if it has the tag and the fields. Another copy of core has
 * another class, so the class cannot decide; an error of this copy is returned as it is.
 */
export const adapterErrorOf = (value: unknown): Option.Option<AdapterError> =>
  value instanceof AdapterError ? Option.some(value) : decoded(value)

/**
 * An adapter setting that names the export's field for a value, such as the contact field with the
 * buyer's TIN. Core tries each field on the export and asks which one is right.
 */
export interface FieldSetting {
  readonly states: "buyer-tin" | "buyer-vat-number" | "product-code" | "payment-method"
  readonly setting: string
  readonly fields: ReadonlyArray<string>
  /** Answer that no field states the value. Left out: the setting is left out. */
  readonly none?: Answer
}

/** Reads the exports of one accounting system. */
export interface Adapter<Options> {
  readonly name: string
  /**
   * Settings that name a field of the export. Left out: the export states each value in one field,
   * or a column map names the columns.
   */
  readonly fields?: ReadonlyArray<FieldSetting>
  read(input: Input, options: Options): Stream.Stream<Reading, AdapterError>
  /**
   * Writes refused documents with the source's own columns plus the reason, for correction and a
   * second import.
   */
  writeRefused?(refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array>
  draftBook?(input: Input, options: Options): Effect.Effect<BookDraft, AdapterError>
  /**
   * Converts an answer of this adapter to options, which are laid over the given options; undefined
   * if the operator has to write the option. Left out: the settings of an answer are options by
   * their names.
   */
  optionsOf?(answer: Answer): Partial<Options> | undefined
  /** Version of core that the adapter was built with. Left out: versions are not compared. */
  readonly core?: string
  under?(options: Options, book: BookSpellings): Options
}

/** Parts of a mapping book that help to read an export. */
export interface BookSpellings {
  readonly currencies: ReadonlyArray<{ readonly from: ReadonlyArray<string>; readonly code: string }>
}

/** Spellings of an export, for the operator to complete into a mapping book. */
export interface BookDraft {
  readonly taxes: ReadonlyArray<Occurrence>
  readonly currencies: ReadonlyArray<Occurrence>
  readonly payments: ReadonlyArray<Occurrence>
}

/** A spelling, its count and up to three document numbers. */
export interface Occurrence {
  readonly spelling: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
  /**
   * For a tax: each percent that the export states, as 15; absent if the export states no percent.
   */
  readonly percents?: ReadonlyArray<Money>
}

/** A meaning that the values of a column allow. */
export interface ColumnMeaning {
  readonly id: string
  readonly words: string
  readonly evidence: ReadonlyArray<string>
  readonly map: Readonly<Record<string, unknown>>
}

/** One column, with every meaning that its values allow. */
export interface AskedColumn {
  /** Name of the column, with its place if several columns have the name. */
  readonly id: string
  readonly words: string
  readonly examples: ReadonlyArray<string>
  readonly meanings: ReadonlyArray<ColumnMeaning>
  /** Meanings that another column states by its name: not offered, but kept if answered before. */
  readonly elsewhere?: ReadonlyArray<ColumnMeaning>
  readonly unused: Readonly<Record<string, unknown>>
  /**
   * Id of the meaning that the name or the values show, `unused` if nothing shows one; null if only
   * the operator can decide.
   */
  readonly proposal: string | null
}

/** A field that no column shows, with the columns that may state it. */
export interface AskedField {
  readonly field: string
  readonly question: string
  /** Ids of the columns, the likeliest first. */
  readonly columns: ReadonlyArray<string>
  /** Meaning of the answer that no column states the field; null if a document needs the field. */
  readonly none: string | null
}

/** Lines that may have the names of the columns. */
export interface AskedHeader {
  readonly lines: ReadonlyArray<{ readonly line: number; readonly cells: ReadonlyArray<string> }>
  /** Probable line, 0 for a file without names; null if nothing shows it. */
  readonly proposal: number | null
}

/** Columns of a file with an unknown header, as an adapter of tables asks for them. */
export interface AskedColumns {
  /** Undefined if the line of the names is known. */
  readonly header: AskedHeader | undefined
  /** Empty while the header is asked. */
  readonly columns: ReadonlyArray<AskedColumn>
  /** Fields that a document needs, or that an unknown column may state. */
  readonly fields: ReadonlyArray<AskedField>
}

/** A column of a table, for the operator to assign. */
export interface ProposedColumn {
  /** Column reference as in a column map. */
  readonly reference: string | { readonly column: string; readonly nth?: number }
  readonly name: string
  /** Cells of the first eight rows, as in the file; empty if the cell is blank. */
  readonly cells: ReadonlyArray<string>
  /** Probable field, one of `fields`; `unused` if the column is not asked about; else null. */
  readonly field: string | null
  /** Evidence for the field, or a fact about the other rows; null if there is none. */
  readonly because: string | null
}

/** Columns of a table, with a known header or not, as data. */
export interface ProposedColumns {
  readonly columns: ReadonlyArray<ProposedColumn>
  /** All fields that a column can state; fields of a line's tax begin with `tax.`. */
  readonly fields: ReadonlyArray<string>
  /** Words of the fields, as the questions about columns have them. */
  readonly words: Readonly<Record<string, string>>
  /** Required fields: without them no document can be read. */
  readonly needed: ReadonlyArray<string>
  /** Other fields that many exports state. */
  readonly frequent: ReadonlyArray<string>
  /** Other parts of a map for these columns: the line of the header, the layout. */
  readonly rest: Readonly<Record<string, unknown>>
}
