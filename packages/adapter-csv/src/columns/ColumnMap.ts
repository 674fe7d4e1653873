/** Which column stands for what: as a preset of ours, or as a file that a person keeps and reviews. */
import type { Subject } from "@fiscal-connector/core/source/StatedWords"
import { Schema } from "effect"
import { documentFields, isNumberField, lineFields, type NumberField } from "./Field.ts"
import { Settings } from "./Settings.ts"

const position = { column: Schema.NonEmptyString, nth: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))) }

/** A column by its name; with `nth` (from 1) where several have that name. */
const Column = Schema.Union([Schema.NonEmptyString, Schema.Struct(position)])

/** A column of numbers; with `decimalMark` where it is not the one of the file's other columns. */
const NumberColumn = Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({ ...position, decimalMark: Schema.optionalKey(Schema.Literals(["point", "comma"])) })
])
/** The header of a column, or how it is taken apart. */
export type Column = typeof NumberColumn.Type

/** One column, or several of which the first that is filled counts: texts may differ, other values may not (CSV_COLUMNS_DISAGREE). */
const Columns = Schema.Union([Column, Schema.NonEmptyArray(Column)])
const NumberColumns = Schema.Union([NumberColumn, Schema.NonEmptyArray(NumberColumn)])
/** One column, or several of which the first that is filled counts: texts may differ, other values may not (CSV_COLUMNS_DISAGREE). */
export type Columns = typeof NumberColumns.Type

type ColumnsOf<Field> = Field extends NumberField ? typeof NumberColumns : typeof Columns

const each = <const Fields extends Record<string, string>>(fields: Fields) =>
  Object.fromEntries(
    Object.keys(fields).map((field) => [field, Schema.optionalKey(isNumberField(field) ? NumberColumns : Columns)])
  ) as unknown as { readonly [Field in keyof Fields]: Schema.optionalKey<ColumnsOf<Field>> }

const Tax = Schema.Struct({
  code: Schema.optionalKey(Columns),
  percent: Schema.optionalKey(NumberColumns),
  amount: Schema.optionalKey(NumberColumns),
  /** Whether the line is taxed at all: one that is not has the tax code `not taxable`. */
  taxable: Schema.optionalKey(Columns)
})

/** Which column of a file means what, and the settings it is read with. */
export const ColumnMap = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  version: Schema.Literal(1),
  /** The known layout that this map is laid over: it names only what differs. Default: the one whose header the file has, where no column is named for `number`. */
  base: Schema.optionalKey(Schema.NonEmptyString),
  /** `rows`: one row per line, the document's columns repeated. `continuation`: blank on the rows that go on. `report`: titles, groups and totals among the rows. */
  layout: Schema.optionalKey(Schema.Literals(["rows", "continuation", "report"])),
  columns: Schema.optionalKey(
    Schema.Struct({
      ...each(documentFields),
      ...each(lineFields),
      /** The taxes of a line; most exports have one. */
      taxes: Schema.optionalKey(Schema.Array(Tax)),
      /** Columns that name the taxes of all lines once per document, where lines do not name their own. */
      documentTaxes: Schema.optionalKey(Schema.Array(Column)),
      /** Columns that state what the document's taxes come to, one each or on rows of their own: together they are its tax. */
      documentTaxAmounts: Schema.optionalKey(Schema.Array(NumberColumn)),
      /** Columns that state the percent of the document's taxes, on the rows of those; of a document with one tax it is compared. */
      documentTaxPercents: Schema.optionalKey(Schema.Array(NumberColumn))
    })
  ),
  /** Columns that are passed over knowingly, although they state figures or a known layout reads them. */
  unread: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** For `report`: what a row with nothing but its first cell states for the rows below it. */
  groups: Schema.optionalKey(Schema.Literal("customerName")),
  /** The columns whose values together tell documents apart; default: the number's. */
  group: Schema.optionalKey(Schema.NonEmptyArray(Column)),
  /** What the kind column's values mean. */
  kinds: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["invoice", "credit-note", "skip"]))),
  /** What the status column's values mean. `refunded`: issued, and its money given back, which takes a credit note. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["issued", "skip", "refunded"]))),
  /** What the values of the column that says whether amounts include tax mean. */
  amountsAre: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["inclusive", "exclusive", "untaxed"]))),
  settings: Schema.optionalKey(Settings)
})
export type ColumnMap = typeof ColumnMap.Type

/** A map as it is applied: nothing is left to a known layout. */
export interface WholeMap extends Omit<ColumnMap, "columns" | "base"> {
  readonly columns: NonNullable<ColumnMap["columns"]>
  /** What tells credit notes of one group apart. */
  readonly notesBy?: readonly [Column, ...Array<Column>]
  /** What columns state that nothing reads, where their names say it in this layout alone. */
  readonly words?: { readonly [column: string]: Subject }
  /** Columns that are held only where the header has none of the others, which state the same and more. */
  readonly settled?: { readonly [column: string]: ReadonlyArray<string> }
  /** The columns of a table of taxes and charges beside the lines. */
  readonly table?: TableColumns
  /** Columns that are always with their tax, or always without it, in this layout. */
  readonly basis?: { readonly [column: string]: "inclusive" | "exclusive" }
  /** Columns that together are the buyer's name, where no other states it. */
  readonly nameParts?: ReadonlyArray<string>
  /** `either`: the amounts of lines may have the document's discount already; the stated sum of the lines shows it. */
  readonly discountOn?: "either"
  /** Columns that mark what is not an ordinary sale, where they are filled. */
  readonly marks?: ReadonlyArray<MarkColumn>
  /** Whether its statuses are all there are, or ours come after them. */
  readonly statusesAre?: "all"
}

/** Each field of a table of taxes and charges, by the names its column has had. */
export interface TableColumns {
  readonly basis: ReadonlyArray<string>
  readonly row: ReadonlyArray<string>
  readonly code: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
  readonly percent: ReadonlyArray<string>
  readonly amount: ReadonlyArray<string>
  /** The amount after a discount on the whole document. */
  readonly amountAfterDiscount: ReadonlyArray<string>
  readonly included: ReadonlyArray<string>
  /** Of a line: its own rates by the codes of rows, as JSON. */
  readonly lineRates: ReadonlyArray<string>
  /** Of a line: its amount without tax, after a discount on the whole document. */
  readonly lineNet: ReadonlyArray<string>
  /** Of the document: the discount on it as a whole. */
  readonly discount: ReadonlyArray<string>
}

/** A column that marks documents which are not ordinary sales. */
export interface MarkColumn {
  readonly column: string
  /** Column whose text it must have; without it and `is` any text that is not a no. */
  readonly sameAs?: string
  /** Text that it must have. */
  readonly is?: string
  /** `skip`: the document is not a sale. `debit-note`: it raises an earlier invoice. */
  readonly means: "skip" | "debit-note"
  readonly reason: string
}

/** Lays what differs over a known layout. */
export const over = (base: WholeMap, { columns, ...differing }: ColumnMap): WholeMap => ({
  ...base,
  ...differing,
  columns: { ...base.columns, ...columns },
  ...(base.unread && { unread: [...base.unread, ...(differing.unread ?? [])] }),
  ...(base.kinds && { kinds: { ...base.kinds, ...differing.kinds } }),
  ...(base.statuses && { statuses: { ...base.statuses, ...differing.statuses } }),
  ...(base.amountsAre && { amountsAre: { ...base.amountsAre, ...differing.amountsAre } }),
  ...(base.settings && { settings: { ...base.settings, ...differing.settings } })
})

/** The columns one by one. */
export const columnsOf = (columns: Columns | undefined): ReadonlyArray<Column> =>
  columns === undefined ? [] : isSeveral(columns) ? columns : [columns]

const isSeveral = (columns: Columns): columns is readonly [Column, ...Array<Column>] => Array.isArray(columns)
