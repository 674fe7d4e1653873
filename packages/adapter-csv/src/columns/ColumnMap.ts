import type { StatedWords } from "@fiscal-connector/core/adapter"
import { Schema } from "effect"
import { documentFields, isNumberField, lineFields, type NumberField } from "./Field.ts"
import { columnsNamed, type HeaderIndex } from "./Header.ts"
import { Settings } from "./Settings.ts"

const position = { column: Schema.NonEmptyString, nth: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))) }

const Column = Schema.Union([Schema.NonEmptyString, Schema.Struct(position)])

const NumberColumn = Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({ ...position, decimalMark: Schema.optionalKey(Schema.Literals(["point", "comma"])) })
])
/** Name of a column, with position and decimal mark if needed. */
export type Column = typeof NumberColumn.Type

/**
 * One column, or several with the first filled value counting: texts may differ, other values may
 * not (CSV_COLUMNS_DISAGREE).
 */
const Columns = Schema.Union([Column, Schema.NonEmptyArray(Column)])
const NumberColumns = Schema.Union([NumberColumn, Schema.NonEmptyArray(NumberColumn)])
/**
 * One column, or several with the first filled value counting: texts may differ, other values may
 * not (CSV_COLUMNS_DISAGREE).
 */
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
  /** An untaxed line has the tax code `not taxable`. */
  taxable: Schema.optionalKey(Columns)
})

/** Meaning of the columns of a file, and the settings for reading the file. */
export const ColumnMap = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  version: Schema.Literal(1),
  /**
   * Known layout that this map changes: the map names only the differences. Default: the layout of
   * the file's header, if the map names no column for `number`.
   */
  base: Schema.optionalKey(Schema.NonEmptyString),
  /**
   * `rows`: one row per line, the document's columns repeated. `continuation`: document columns
   * blank on further rows. `report`: titles, groups and totals among the rows.
   */
  layout: Schema.optionalKey(Schema.Literals(["rows", "continuation", "report"])),
  columns: Schema.optionalKey(
    Schema.Struct({
      ...each(documentFields),
      ...each(lineFields),
      taxes: Schema.optionalKey(Schema.Array(Tax)),
      /** Columns that name the taxes of all lines once per document, if lines do not name taxes. */
      documentTaxes: Schema.optionalKey(Schema.Array(Column)),
      /** One per tax or on separate rows: the sum is the document's tax. */
      documentTaxAmounts: Schema.optionalKey(Schema.Array(NumberColumn)),
      /** On the same rows as the amounts; compared if the document has one tax. */
      documentTaxPercents: Schema.optionalKey(Schema.Array(NumberColumn))
    })
  ),
  /** Columns ignored on purpose, although they state figures or a known layout reads them. */
  unread: Schema.optionalKey(Schema.Array(Column)),
  /** Columns whose equal values on several rows of one document are the amounts of these rows. */
  rowAmounts: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** For `report`: the field that a row with only a first cell states for the rows below. */
  groups: Schema.optionalKey(Schema.Literal("customerName")),
  /** Columns whose values together identify a document; default: the number. */
  group: Schema.optionalKey(Schema.NonEmptyArray(Column)),
  /** Meaning of each value of the kind column. */
  kinds: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["invoice", "credit-note", "skip"]))),
  /**
   * Meaning of each value of the status column. `refunded`: issued, and the money returned, which
   * needs a credit note.
   */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["issued", "skip", "refunded"]))),
  /** Meaning of each value of the column that states whether amounts include tax. */
  amountsAre: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["inclusive", "exclusive", "untaxed"]))),
  settings: Schema.optionalKey(Settings)
})
export type ColumnMap = typeof ColumnMap.Type

/** A complete map: nothing comes from a known layout. */
export interface WholeMap extends Omit<ColumnMap, "columns" | "base"> {
  readonly columns: NonNullable<ColumnMap["columns"]>
  /** Columns that distinguish credit notes of one group. */
  readonly notesBy?: readonly [Column, ...Array<Column>]
  /** Subjects of unread columns, for names that have the meaning only in this layout. */
  readonly words?: { readonly [column: string]: StatedWords.Subject }
  /**
   * Columns compared only if the header has none of the listed columns, which state the same and
   * more.
   */
  readonly settled?: { readonly [column: string]: ReadonlyArray<string> }
  /**
   * Columns that change nothing in a document, by the documentation of the product: names separated
   * by `|`, by their reason.
   */
  readonly harmless?: { readonly [reason: string]: string }
  readonly table?: TableColumns
  /** Columns that always include tax, or always exclude tax, in this layout. */
  readonly basis?: { readonly [column: string]: "inclusive" | "exclusive" }
  /** Columns that together form the buyer's name, if no other column states the name. */
  readonly nameParts?: ReadonlyArray<string>
  /**
   * `either`: line amounts may already include the document's discount; the stated sum of the lines
   * decides.
   */
  readonly discountOn?: "either"
  /** Columns that mark documents other than ordinary sales, if filled. */
  readonly marks?: ReadonlyArray<MarkColumn>
  /** `all`: the layout's statuses are complete. Left out: the general vocabulary is used too. */
  readonly statusesAre?: "all"
}

/** Fields of a table of taxes and charges, each with the known names of its column. */
export interface TableColumns {
  readonly basis: ReadonlyArray<string>
  readonly row: ReadonlyArray<string>
  readonly code: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
  readonly percent: ReadonlyArray<string>
  readonly amount: ReadonlyArray<string>
  /** Amount after a discount on the whole document. */
  readonly amountAfterDiscount: ReadonlyArray<string>
  readonly included: ReadonlyArray<string>
  /** For a line: rates by the codes of rows, as JSON. */
  readonly lineRates: ReadonlyArray<string>
  /** For a line: amount without tax, after a discount on the whole document. */
  readonly lineNet: ReadonlyArray<string>
  readonly discount: ReadonlyArray<string>
}

/** A column that marks documents other than ordinary sales. */
export interface MarkColumn {
  readonly column: string
  /** Without `sameAs` and `is`, any text other than a no marks the document. */
  readonly sameAs?: string
  readonly is?: string
  /** `skip`: the document is not a sale. `debit-note`: the document raises an earlier invoice. */
  readonly means: "skip" | "debit-note"
  readonly reason: string
}

/** Applies the differences of a map to a known layout. */
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

/** Returns the cells of the columns; all columns of a name without `nth`. */
export const cellsIn = (header: HeaderIndex, columns: ReadonlyArray<Column> = []): ReadonlySet<number> =>
  new Set(
    columns.flatMap((column) => {
      if (typeof column === "string") return columnsNamed(header, column)
      const found = columnsNamed(header, column.column)
      return column.nth === undefined ? found : found.slice(column.nth - 1, column.nth)
    })
  )

/** Returns the columns as a list. */
export const columnsOf = (columns: Columns | undefined): ReadonlyArray<Column> =>
  columns === undefined ? [] : isSeveral(columns) ? columns : [columns]

const isSeveral = (columns: Columns): columns is readonly [Column, ...Array<Column>] => Array.isArray(columns)
