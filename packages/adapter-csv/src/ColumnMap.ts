/** Which column stands for what: as a preset of ours, or as a file that a person keeps and reviews (`--columns FILE`). */
import { Schema } from "effect"
import { documentFields, lineFields } from "./Field.ts"
import { Settings } from "./Settings.ts"

/** A column by its name; with `nth` (from 1) where several have that name. */
const Column = Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({ column: Schema.NonEmptyString, nth: Schema.Int.check(Schema.isGreaterThan(0)) })
])
export type Column = typeof Column.Type

/** One column, or several of which the first that is filled counts. */
const Columns = Schema.Union([Column, Schema.NonEmptyArray(Column)])
export type Columns = typeof Columns.Type

const each = <const Fields extends Record<string, string>>(fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, Schema.optionalKey(Columns)])) as {
    readonly [Field in keyof Fields]: Schema.optionalKey<typeof Columns>
  }

const Tax = Schema.Struct({
  code: Columns,
  percent: Schema.optionalKey(Columns),
  amount: Schema.optionalKey(Columns)
})

export const ColumnMap = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  version: Schema.Literal(1),
  /** `rows`: one row per line, the document's columns repeated. `continuation`: blank on the rows that go on. `report`: titles, groups and totals among the rows. */
  layout: Schema.optionalKey(Schema.Literals(["rows", "continuation", "report"])),
  columns: Schema.Struct({
    ...each(documentFields),
    ...each(lineFields),
    /** The taxes of a line; most exports have one. */
    taxes: Schema.optionalKey(Schema.Array(Tax)),
    /** Columns that name the taxes of all lines once per document, where lines do not name their own. */
    documentTaxes: Schema.optionalKey(Schema.Array(Column))
  }),
  /** For `report`: what a row with nothing but its first cell states for the rows below it. */
  groups: Schema.optionalKey(Schema.Literal("customerName")),
  /** The columns whose values together tell documents apart; default: the number's. */
  group: Schema.optionalKey(Schema.NonEmptyArray(Column)),
  /** What the kind column's values mean. */
  kinds: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["invoice", "credit-note", "skip"]))),
  /** What the status column's values mean. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["issued", "skip"]))),
  /** What the values of the column that says whether amounts include tax mean. */
  amountsAre: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["inclusive", "exclusive", "untaxed"]))),
  settings: Schema.optionalKey(Settings)
})
export type ColumnMap = typeof ColumnMap.Type

export const columnsOf = (columns: Columns | undefined): ReadonlyArray<Column> =>
  columns === undefined ? [] : Array.isArray(columns) ? columns : [columns as Column]
