/**
 * Answers that settle an open question about an export, independent of the host: a flag for the
 * command, a choice on the page.
 */
import { Schema } from "effect"

/**
 * A table column by name; `nth` (from 1) if several columns share the name; `decimalMark` if the
 * answer states it.
 */
const AnsweredColumn = Schema.Struct({
  column: Schema.String,
  nth: Schema.optionalKey(Schema.Int),
  decimalMark: Schema.optionalKey(Schema.Literals(["point", "comma"]))
})

/** An answer that settles a finding, for programs to offer. */
export const Answer = Schema.Union([
  /** Adapter settings, by their names in its options. */
  Schema.Struct({ settings: Schema.Record(Schema.String, Schema.Unknown) }),
  /** Name of the known layout for reading the file. */
  Schema.Struct({ layout: Schema.String }),
  /** Columns for the column map. */
  Schema.Struct({ columns: Schema.NonEmptyArray(AnsweredColumn) }),
  /** Parts of the column map, by their names in the map. */
  Schema.Struct({ map: Schema.Record(Schema.String, Schema.Unknown) }),
  /**
   * Value that only the operator can fill in: a setting's name (`currency`, `year`), or `columns`
   * for a column map.
   */
  Schema.Struct({ ask: Schema.String })
])
export type Answer = typeof Answer.Type
