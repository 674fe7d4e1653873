/** Settings of a file, by flag or column map; the others are detected or asked. */
import { Schema } from "effect"
import type { Delimiter } from "../scan/Dialect.ts"
import { encodings } from "../scan/Encoding.ts"
import type { ChargeField } from "./Field.ts"

const named = <const Names extends ReadonlyArray<string>>(names: Names, description: string) =>
  Schema.optionalKey(Schema.Literals(names).annotate({ description }))

const text = (description: string) => Schema.optionalKey(Schema.NonEmptyString.annotate({ description }))

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
  "payments",
  "credit-notes",
  "purchases",
  "debit-notes",
  "pro-formas",
  "delivery-notes"
] as const
/** A kind of file that is not a list of invoices with their lines. */
export type Contents = (typeof contentsKinds)[number]

const meant = Schema.Literals(["invoices", "stop", "credit-notes"])
/** Answer about what a file is; `stop`: not sales. */
export type Meant = typeof meant.Type
const overruled = Schema.optionalKey(meant)

const ofEachKind = Object.fromEntries(contentsKinds.map((kind) => [kind, overruled])) as {
  readonly [Kind in Contents]: typeof overruled
}

/**
 * Settings of every table. A setting without a description belongs in a column map, not in a flag.
 */
const tableSettings = {
  contents: Schema.optionalKey(
    Schema.Struct(ofEachKind).annotate({
      description: `KIND=invoices for a file that looks like another kind of file, and is a list of invoices; KIND is one of ${contentsKinds.join(", ")}`
    })
  ),
  /** By the place of a statement, its word and the file, as `title credit note in notes #`. */
  titles: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Literals([...meant.literals, "unused"])).annotate({
      description:
        '"PLACE WORD in FILE"=MEANING for a title, a sheet or a file whose name states a kind, a currency, a tax or a period, as "title credit note in notes #"=credit-notes; # replaces numbers and months, and without " in FILE" the answer is for every file; unused: it is not about the documents'
    })
  ),
  /** 0: no header; the columns are called `#1`, `#2` and so on. */
  headerLine: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "the row of the header, counted from 1; 0 for a file without header"
    })
  ),
  dates: named(["dmy", "mdy", "ymd"], "the order of day, month and year"),
  /** As in `3101` or `0131`. */
  year: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1900, maximum: 2199 })).annotate({
      description: "the year of dates without a year"
    })
  ),
  serialDates: named(
    ["1900", "1904"],
    "dates are numbers of days, as spreadsheets store them: the year they count from"
  ),
  decimalMark: named(["point", "comma"], "what separates whole units from cents"),
  currency: text("the currency of a file that does not state it"),
  /** `per-document`: decided by the totals of each document. */
  amounts: named(
    ["inclusive", "exclusive", "untaxed", "per-document"],
    "whether amounts include tax, for a file that does not state it"
  ),
  /** Tax of shipping and other charges, as in the mapping book, if no column names it. */
  chargeTaxes: Schema.optionalKey(Schema.Struct(eachCharge)),
  kind: named(["invoice", "credit-note"], "the kind of all documents, if no column states it"),
  negativeTotals: named(
    ["refuse", "credit-note"],
    "documents with a negative total: refuse them, or read them as credit notes"
  ),
  creditNotePrefixes: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description: "document numbers with this prefix are credit notes"
    })
  ),
  refundedSales: named(
    ["refuse", "issued"],
    "refunded sales: refuse them, or read them as issued because their credit notes are separate documents"
  ),
  debitNotes: named(
    ["refuse", "invoice", "skip"],
    "debit notes, which increase an earlier invoice: refuse, read as invoices, or skip"
  ),
  /** `suffix`: numbered as the sale with `-R` and the day of the refund, as `-R20260131`. */
  refundNumbers: named(
    ["refuse", "suffix"],
    "a refund with the number of its sale: refuse it, or add -R and its day to the number"
  ),
  /** Applies if the totals do not show whether the rows are intended. */
  repeatedRows: named(["refuse", "keep", "drop"], "equal rows in one document: refuse, keep or drop the repetition"),
  totalRows: named(
    ["refuse", "skip", "lines"],
    "rows named total whose figures are not a total: refuse, skip, or read as lines"
  ),
  unnumberedRows: named(
    ["refuse", "skip"],
    "rows without the number of a document, such as an opening balance: refuse, or skip because they belong to no document"
  ),
  controlCharacters: named(["refuse", "blank"], "control characters in texts: refuse, or replace each by a blank"),
  unknownBuyers: named(["refuse", "walk-in"], "buyers with only an id: refuse, or read as cash customers"),
  times: named(
    ["refuse", "written-day", "instant"],
    "dates with a time and an offset, beside dates without time: refuse, use the day as written, or use the instant"
  ),
  /** `window`: 250 rows. */
  grouping: named(
    ["window", "two-pass"],
    "rows of one document that are not adjacent: search within a window, or read the file twice"
  )
}

const textSettings = {
  encoding: named(encodings, "the file's encoding"),
  delimiter: named(["comma", "semicolon", "tab", "pipe"], "the separator of cells"),
  /** `""` or `\"`. */
  quotes: named(["doubled", "backslash"], "how a quote inside a quoted cell is written"),
  shortRows: named(["refuse", "pad"], "rows with fewer cells than the header: refuse, or fill with empty cells")
}

const workbookSettings = {
  sheet: text("the sheet to read, by its name; several sheets with a slash between them"),
  hiddenRows: named(["read", "skip"], "hidden rows: read or skip"),
  /** Example of a format: `"INV-"0000`. */
  numberFormats: named(
    ["refuse", "stored"],
    "numbers with a custom format in text columns, and figures shown struck or with words: refuse, or use the stored number"
  )
}

/** Settings for a text file with missing or ambiguous information. */
export const TextSettings = Schema.Struct({ ...tableSettings, ...textSettings })

/** Settings for a workbook with missing or ambiguous information. */
export const WorkbookSettings = Schema.Struct({ ...tableSettings, ...workbookSettings })

/** Settings for a file of either kind. */
export const Settings = Schema.Struct({ ...tableSettings, ...textSettings, ...workbookSettings })
export type Settings = typeof Settings.Type

const delimiterOf = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const

/** Returns the delimiter of the settings; undefined if it is to be detected. */
export const delimiter = (settings: Settings): Delimiter | undefined =>
  settings.delimiter === undefined ? undefined : delimiterOf[settings.delimiter]
