/**
 * Settings that the operator can choose for a file, by a flag or in a column map; settings left out
 * are detected or asked.
 */
import { Schema } from "effect"
import type { Delimiter } from "../scan/Dialect.ts"
import type { ChargeField } from "./Field.ts"

const named = <const Names extends ReadonlyArray<string>>(names: Names) => Schema.optionalKey(Schema.Literals(names))

const spelling = Schema.optionalKey(Schema.NonEmptyString)
const eachCharge: { readonly [Field in ChargeField]: typeof spelling } = {
  shipping: spelling,
  fee: spelling,
  adjustment: spelling,
  rounding: spelling,
  documentDiscount: spelling
}

/** Kinds of files that are not lists of invoices with their lines. */
export const contentsKinds = [
  "ledger",
  "no-lines",
  "blocks",
  "packed-lines",
  "record-types",
  "no-rows",
  "no-kinds",
  "quotations",
  "orders",
  "payments"
] as const
/** A kind of file that is not a list of invoices with their lines. */
export type Contents = (typeof contentsKinds)[number]

const overruled = Schema.optionalKey(Schema.Literals(["invoices", "stop"]))

/** Settings for a file with missing or ambiguous information. */
export const Settings = Schema.Struct({
  /**
   * The operator's answer for a file that looks like something else than invoices, by what it looks
   * like: `invoices` if it is nevertheless a list of invoices, `stop` if it is not.
   */
  contents: Schema.optionalKey(
    Schema.Struct(
      Object.fromEntries(contentsKinds.map((kind) => [kind, overruled])) as {
        readonly [Kind in Contents]: typeof overruled
      }
    )
  ),
  encoding: named(["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "gbk"]),
  delimiter: named(["comma", "semicolon", "tab", "pipe"]),
  /** Form of a quote inside a quoted cell: `""` or `\"`. */
  quotes: named(["doubled", "backslash"]),
  /** Line of the header, from 1. 0: no header; the columns are called `#1`, `#2` and so on. */
  headerLine: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** Order of day, month and year in numeric dates. */
  dates: named(["dmy", "mdy", "ymd"]),
  /** Year of all dates without a year (`3101`, `0131`). */
  year: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1900, maximum: 2199 }))),
  /** First year of the day count, for dates that are numbers, as spreadsheets store days. */
  serialDates: named(["1900", "1904"]),
  decimalMark: named(["point", "comma"]),
  /** Currency of a file that does not name one; the export's spelling, as in the mapping book. */
  currency: Schema.optionalKey(Schema.NonEmptyString),
  /**
   * Tax treatment of amounts, for a file that does not state it; `per-document`: decided by the
   * totals of each document.
   */
  amounts: named(["inclusive", "exclusive", "untaxed", "per-document"]),
  /** Tax of shipping and other charges, as in the mapping book, if no column names it. */
  chargeTaxes: Schema.optionalKey(Schema.Struct(eachCharge)),
  /** Kind of the documents, if no column states it. */
  kind: named(["invoice", "credit-note"]),
  /**
   * Treatment of documents with a negative total that no column calls a credit note: refused, or
   * credit notes.
   */
  negativeTotals: named(["refuse", "credit-note"]),
  /** Number prefixes of credit notes. */
  creditNotePrefixes: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /**
   * Treatment of refunded sales: refused, or issued, if their credit notes are in the export
   * separately.
   */
  refundedSales: named(["refuse", "issued"]),
  /**
   * Treatment of debit notes, which raise an earlier invoice: refused, separate invoices, or left
   * out.
   */
  debitNotes: named(["refuse", "invoice", "skip"]),
  /**
   * Treatment of a refund with the number of its sale: refused, or numbered as the sale with `-R`
   * and the day of the refund, as `-R20260131`.
   */
  refundNumbers: named(["refuse", "suffix"]),
  /**
   * Treatment of rows with fewer cells than the header: refused, or read with blank cells at the
   * end.
   */
  shortRows: named(["refuse", "pad"]),
  /**
   * Treatment of equal rows in one document, if its totals do not show whether the rows are
   * intended.
   */
  repeatedRows: named(["refuse", "keep", "drop"]),
  /** Treatment of rows with the name of a total, if the sums do not confirm the total. */
  totalRows: named(["refuse", "skip", "lines"]),
  /** Treatment of control characters in texts: refused, or replaced by a blank. */
  controlCharacters: named(["refuse", "blank"]),
  /** Treatment of buyers with only an id: refused, or walk-ins. */
  unknownBuyers: named(["refuse", "walk-in"]),
  /**
   * Treatment of a time with an offset if documents have no time of day: refused, the day as
   * written, or the instant.
   */
  times: named(["refuse", "written-day", "instant"]),
  /**
   * Treatment of separated rows of one document: joined within 250 rows, or anywhere, by reading
   * the file twice.
   */
  grouping: named(["window", "two-pass"]),
  /** Name of the sheet to read, for a workbook. */
  sheet: Schema.optionalKey(Schema.NonEmptyString),
  /** Treatment of hidden rows of a workbook: read like other rows, or skipped. */
  hiddenRows: named(["read", "skip"]),
  /**
   * Treatment of numbers with a special format (`"INV-"0000`) in text columns of a workbook:
   * refused, or read as stored.
   */
  numberFormats: named(["refuse", "stored"])
})
export type Settings = typeof Settings.Type

const delimiterOf = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const

/** Returns the delimiter of the settings; undefined if it is to be detected. */
export const delimiter = (settings: Settings): Delimiter | undefined =>
  settings.delimiter === undefined ? undefined : delimiterOf[settings.delimiter]
