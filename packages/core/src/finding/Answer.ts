/** What settles something that is open about an export, in no program's words: the command writes it as a flag, a page as a choice. */
import { Schema } from "effect"

/** A column of a table by its name; with `nth` (from 1) where several have it, and with what is said of it. */
const AnsweredColumn = Schema.Struct({
  column: Schema.String,
  nth: Schema.optionalKey(Schema.Int),
  decimalMark: Schema.optionalKey(Schema.Literals(["point", "comma"]))
})

/** What a person may say to settle a finding, for programs to offer. */
export const Answer = Schema.Union([
  /** Settings of the adapter, by the names they have in its options. */
  Schema.Struct({ settings: Schema.Record(Schema.String, Schema.Unknown) }),
  /** The one known layout to read the file by, by its name. */
  Schema.Struct({ layout: Schema.String }),
  /** What the column map says of these columns. */
  Schema.Struct({ columns: Schema.NonEmptyArray(AnsweredColumn) }),
  /** Parts of the column map, by the names they have in it. */
  Schema.Struct({ map: Schema.Record(Schema.String, Schema.Unknown) }),
  /** What only the person can fill in: the name of a setting (`currency`, `year`), or `columns` for a column map. */
  Schema.Struct({ ask: Schema.String })
])
export type Answer = typeof Answer.Type
