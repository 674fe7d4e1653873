/**
 * Answers that settle an open question about an export: a flag for the command, a choice on the
 * page.
 */
import { Schema } from "effect"

/** An answer for programs to offer. */
export const Answer = Schema.Union([
  Schema.Struct({ settings: Schema.Record(Schema.String, Schema.Unknown) }),
  /** Name of the known layout for reading the file. */
  Schema.Struct({ layout: Schema.String }),
  Schema.Struct({ map: Schema.Record(Schema.String, Schema.Unknown) }),
  /**
   * Value that only the operator can fill in: a setting's name (`currency`, `year`), or `columns`
   * for a column map.
   */
  Schema.Struct({ ask: Schema.String })
])
export type Answer = typeof Answer.Type
