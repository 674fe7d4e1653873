/** What a person can settle about a file, by a flag or in a column map; what is left out is found out, or asked. */
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

/** What a person settles for a file that does not say. */
export const Settings = Schema.Struct({
  encoding: named(["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "gbk"]),
  delimiter: named(["comma", "semicolon", "tab", "pipe"]),
  /** How a quote inside a quoted cell is written: `""` or `\"`. */
  quotes: named(["doubled", "backslash"]),
  /** The line of the header, counted from 1. 0: the file has none, and its columns are called `#1`, `#2` and so on. */
  headerLine: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** The order of day, month and year in dates written in figures. */
  dates: named(["dmy", "mdy", "ymd"]),
  /** For dates without a year (`3101`, `0131`): the year of all of them. */
  year: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1900, maximum: 2199 }))),
  /** Dates that are numbers, as spreadsheets store days: the year from which the days are counted. */
  serialDates: named(["1900", "1904"]),
  decimalMark: named(["point", "comma"]),
  /** For a file that does not name its currency; the export's spelling, as the mapping book knows it. */
  currency: Schema.optionalKey(Schema.NonEmptyString),
  /** What amounts include, for a file that does not say; `per-document`: each document's own totals say it. */
  amounts: named(["inclusive", "exclusive", "untaxed", "per-document"]),
  /** The tax of shipping and other charges, as the mapping book knows it, where no column names it. */
  chargeTaxes: Schema.optionalKey(Schema.Struct(eachCharge)),
  /** What the file's documents are, where no column says so. */
  kind: named(["invoice", "credit-note"]),
  /** Documents whose total is negative and that no column calls a credit note: refused, or credit notes. */
  negativeTotals: named(["refuse", "credit-note"]),
  /** Numbers that begin like this are credit notes. */
  creditNotePrefixes: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Sales that were refunded: refused, or issued, where their credit notes come for themselves. */
  refundedSales: named(["refuse", "issued"]),
  /** Debit notes, which raise an earlier invoice: refused, invoices of their own, or left out. */
  debitNotes: named(["refuse", "invoice", "skip"]),
  /** A refund that has the number of its sale: refused, or numbered as the sale with `-R` and the refund's day behind it, as `-R20260131`. */
  refundNumbers: named(["refuse", "suffix"]),
  /** Rows with fewer cells than the header: refused, or read as if the missing ones were blank. */
  shortRows: named(["refuse", "pad"]),
  /** Equal rows in one document, where its totals do not say whether they are meant. */
  repeatedRows: named(["refuse", "keep", "drop"]),
  /** Rows that are called a total, where the arithmetic does not say that they are one. */
  totalRows: named(["refuse", "skip", "lines"]),
  /** Control characters in texts: refused, or each a blank. */
  controlCharacters: named(["refuse", "blank"]),
  /** Buyers of whom the file has nothing but an id: refused, or walk-ins. */
  unknownBuyers: named(["refuse", "walk-in"]),
  /** A time with an offset where documents have no time of day: refused, the day as it is written, or the instant. */
  times: named(["refuse", "written-day", "instant"]),
  /** Rows of one document that do not stand together: joined within 250 rows, or wherever they are, by reading the file twice. */
  grouping: named(["window", "two-pass"]),
  /** Of a workbook: the sheet to read, by its name. */
  sheet: Schema.optionalKey(Schema.NonEmptyString),
  /** Of a workbook: hidden rows count like the others, or are left out. */
  hiddenRows: named(["read", "skip"]),
  /** Of a workbook: numbers in a format of their own (`"INV-"0000`) where text belongs: refused, or taken as they are stored. */
  numberFormats: named(["refuse", "stored"])
})
export type Settings = typeof Settings.Type

const delimiterOf = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const

/** The delimiter that is settled; undefined where the file is to tell. */
export const delimiter = (settings: Settings): Delimiter | undefined =>
  settings.delimiter === undefined ? undefined : delimiterOf[settings.delimiter]
