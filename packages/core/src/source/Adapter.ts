/** The seam every adapter builds against: an export as a stream of readings. An adapter states; `translate` decides. */
import { type Effect, Schema, type Stream } from "effect"
import type { Money } from "../document/Money.ts"
import { Answer } from "../finding/Answer.ts"
import type { Finding } from "../finding/Finding.ts"
import type { Skipped, SourceDocument } from "./SourceDocument.ts"

/** What an adapter makes of one piece of an export. A Finding here belongs to no document: rows nobody could place. */
export type Reading = SourceDocument | Skipped | Finding

/** The files of one export, in the order given. `bytes` may be asked for more than once. */
export interface Input {
  readonly files: ReadonlyArray<InputFile>
}

/** A file of an export: its name, and its bytes as often as they are asked for. */
export interface InputFile {
  /** As the person named it; it stands in every provenance. */
  readonly name: string
  readonly bytes: Stream.Stream<Uint8Array, AdapterError>
}

/** What was not sent, with every reason: a document, or rows that never became one. */
export interface RefusedDocument {
  readonly reading: SourceDocument | Finding
  readonly findings: ReadonlyArray<Finding>
}

/** The export cannot be read at all; `findings` say where and why. */
export class ExportUnreadable extends Schema.TaggedError<ExportUnreadable>(
  "@fiscal-connector/core/unstable/ExportUnreadable"
)("ExportUnreadable", {
  file: Schema.String,
  problem: Schema.String,
  fix: Schema.String,
  /** Any of these settles it without a change to the export. */
  answers: Schema.optionalKey(Schema.Array(Answer))
}) {}

/** The file or stream failed under us. */
export class InputFailed extends Schema.TaggedError<InputFailed>("@fiscal-connector/core/unstable/InputFailed")(
  "InputFailed",
  {
    file: Schema.String,
    problem: Schema.String
  }
) {}

/**
 * The adapter's own code broke off: a mistake in it, not in the export. `document` is the one it was at, or the last one before. The
 * exception's text may quote the export and is not kept; its name and the line it was thrown at are.
 */
export class AdapterBroke extends Schema.TaggedError<AdapterBroke>("@fiscal-connector/core/unstable/AdapterBroke")(
  "AdapterBroke",
  { file: Schema.String, document: Schema.String, problem: Schema.String }
) {}

/**
 * One thing about a file that only the person can say: the readings that compete, up to three cells under each, and the answer that means it.
 * `id` is the same for the same question in every run, whatever the file.
 */
export const Question = Schema.Struct({
  id: Schema.String,
  file: Schema.String,
  question: Schema.String,
  readings: Schema.Array(
    Schema.Struct({ reading: Schema.String, examples: Schema.Array(Schema.String), answer: Answer })
  )
})
export type Question = typeof Question.Type

/** More than one reading of the export is consistent, and only the person can say which: everything that is open. Nothing has been sent. */
export class ReadingAmbiguous extends Schema.TaggedError<ReadingAmbiguous>(
  "@fiscal-connector/core/unstable/ReadingAmbiguous"
)("ReadingAmbiguous", { questions: Schema.NonEmptyArray(Question) }) {}

/** Why an adapter could not go on with an export. Single bad rows and documents are findings instead. */
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

/**
 * A setting of the adapter that names the field of the export which states a value, as the field of a contact that is the buyer's TIN. Core tries each
 * field on the export and asks which one it is.
 */
export interface FieldSetting {
  readonly states: "buyer-tin" | "buyer-vat-number" | "product-code" | "payment-method"
  /** Name of the setting. */
  readonly setting: string
  /** Values of the setting: the fields to choose from. */
  readonly fields: ReadonlyArray<string>
  /** Answer that no field states it. Left out: the setting is left out. */
  readonly none?: Answer
}

/** What reads the exports of one accounting system. */
export interface Adapter<Options> {
  readonly name: string
  /** Settings that name a field of the export. Left out: the export states each value in one field, or its columns are named by a map. */
  readonly fields?: ReadonlyArray<FieldSetting>
  read(input: Input, options: Options): Stream.Stream<Reading, AdapterError>
  /** The source's own columns plus the reason: what a person corrects and imports again. */
  writeRefused?(refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array>
  draftBook?(input: Input, options: Options): Effect.Effect<BookDraft, AdapterError>
  /**
   * The options that say an answer of this adapter, to be laid over those that were given; undefined where a person has to write it. Left out: the
   * settings of an answer are options by their names.
   */
  optionsOf?(answer: Answer): Partial<Options> | undefined
  /** The version of core that it was made with. Left out: nothing is compared. */
  readonly core?: string
  /** The options as they are where the mapping book is known: an export may spell its currencies as the book does. */
  under?(options: Options, book: BookSpellings): Options
}

/** What of a mapping book helps to read an export. */
export interface BookSpellings {
  readonly currencies: ReadonlyArray<{ readonly from: ReadonlyArray<string>; readonly code: string }>
}

/** What occurs in an export, for you to complete into a mapping book. */
export interface BookDraft {
  readonly taxes: ReadonlyArray<Occurrence>
  readonly currencies: ReadonlyArray<Occurrence>
  readonly payments: ReadonlyArray<Occurrence>
}

/** A spelling with how often it occurs and up to three document numbers. */
export interface Occurrence {
  readonly spelling: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
  /** Of a tax: each percent the export states for it, as 15; absent where it states none. */
  readonly percents?: ReadonlyArray<Money>
}
