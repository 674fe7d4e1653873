/**
 * Loads the mapping book from JSON with comments, checks the whole book, and reports every problem
 * with text line and column.
 */
import { Data, DateTime, Effect, Option, Result, Schema } from "effect"
import * as Money from "../document/Money.ts"
import { withDefault } from "../document/WithDefault.ts"
import * as Finding from "../finding/Finding.ts"
import { type BookProblem, contradictions, type Indexed } from "./BookContradictions.ts"
import {
  AddressDefaults,
  choice,
  CurrencyEntry,
  Defaults,
  listOf,
  PaymentEntry,
  Policies,
  ProductCodeEntry,
  RelaxationEntry,
  TaxEntry
} from "./BookEntry.ts"
import { BookFinding } from "./BookFinding.ts"
import * as SchemaProblems from "../finding/SchemaProblems.ts"
import * as BookText from "./BookText.ts"
import type { BookTax, MappingBook } from "./MappingBook.ts"

/** The book could not be loaded; `findings` lists all problems. */
export class BookError extends Data.TaggedError("BookError")<{
  readonly file: string
  readonly findings: ReadonlyArray<Finding.Finding>
}> {
  override get message() {
    return `${this.file}: ${this.findings.length} problem${this.findings.length === 1 ? "" : "s"} in the mapping book`
  }
}

const Time = Schema.String.check(
  Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/u, { message: "expected a time as 08:00" })
)

/**
 * Schema of the file. Unknown fields are errors, because a misspelled field would silently have no
 * effect.
 */
export const BookFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  extends: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "a book that this one extends, relative to this file" })
  ),
  version: Schema.Literal(1),
  zone: Schema.NonEmptyString.annotate({
    description: "the business zone: an offset such as +02:00, or an IANA zone such as Africa/Harare"
  }),
  rounding: choice(["per-group", "per-line", "as-inclusive"], "how tax is rounded"),
  times: choice(["spread", "stated", "at-submission"], "how a day becomes a receipt date"),
  opens: withDefault(Time.annotate({ description: "when a day's first receipt is dated; default 08:00" }), "08:00"),
  late: choice(["hold", "restamp"], "documents dated before what has been sent"),
  replacements: choice(["hold", "send"], "documents that replace one which may have a receipt"),
  taxes: Schema.Array(TaxEntry),
  currencies: Schema.Array(CurrencyEntry),
  payments: listOf(PaymentEntry),
  productCodes: listOf(ProductCodeEntry),
  originals: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.NonEmptyString).annotate({
      description: "credit notes that name no invoice: the note's number, and the number of the invoice"
    })
  ),
  defaults: withDefault(Defaults, {}),
  address: withDefault(AddressDefaults, {}),
  policies: withDefault(Policies, {}),
  relaxed: listOf(RelaxationEntry)
}).annotate({ description: "what an export's spellings mean, and what the gateway must map the account's codes to" })
type BookFile = typeof BookFile.Type

const decodeFile = Schema.decodeUnknownResult(BookFile, { errors: "all", onExcessProperty: "error", reportInput: true })
const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeFields = Schema.decodeUnknownOption(Fields)
const decodeTax = Schema.decodeUnknownOption(TaxEntry)
const decodeCurrency = Schema.decodeUnknownOption(CurrencyEntry)
const decodePayment = Schema.decodeUnknownOption(PaymentEntry)
const decodeProductCode = Schema.decodeUnknownOption(ProductCodeEntry)

/** Fetches the text of the book named by `extends`; fails with a description of the problem. */
export type FetchBase = (name: string) => Effect.Effect<{ readonly file: string; readonly text: string }, string>

const noBase: FetchBase = () => Effect.fail("this book was loaded from text alone, without its base")

/**
 * Reads the text of a book and of its base. Fails with every problem at once, in the order of the
 * files.
 */
export const load = (
  file: string,
  text: string,
  fetchBase: FetchBase = noBase
): Effect.Effect<MappingBook, BookError> =>
  Effect.gen(function* () {
    const fail = (findings: ReadonlyArray<Finding.Finding>) => Effect.fail(new BookError({ file, findings }))
    const own = yield* Effect.catch(Effect.fromResult(BookText.read(file, text)), fail)
    const book = yield* Effect.catch(withBase(own, fetchBase), fail)
    const fields = Option.getOrElse(decodeFields(book.value), (): typeof Fields.Type => ({}))
    const decoded = decodeFile(book.value)
    const zone = parseZone(fields["zone"])
    const problems = [
      ...(Result.isFailure(decoded) ? misshapen(decoded.failure, book.value) : []),
      ...(Option.isNone(zone) ? noZone(fields["zone"]) : []),
      ...contradictions({
        taxes: wellFormed(fields["taxes"], decodeTax),
        currencies: wellFormed(fields["currencies"], decodeCurrency),
        payments: wellFormed(fields["payments"], decodePayment),
        productCodes: wellFormed(fields["productCodes"], decodeProductCode)
      })
    ].map(({ code, message, path }) => Finding.make(code, { message, path, at: book.locate(path) }))
    if (Result.isSuccess(decoded) && Option.isSome(zone) && problems.length + book.repeated.length === 0) {
      return toBook(decoded.success, zone.value)
    }
    return yield* fail([...book.repeated, ...problems].toSorted(byPlace(file)))
  })

const withBase = (
  own: BookText.BookText,
  fetchBase: FetchBase
): Effect.Effect<BookText.BookText, ReadonlyArray<Finding.Finding>> =>
  Effect.gen(function* () {
    const name = Option.getOrUndefined(decodeFields(own.value))?.["extends"]
    if (typeof name !== "string" || name === "") return own
    const at = own.locate(["extends"])
    const problem = (detail: string) => [Finding.make(BookFinding.BOOK_BASE, { path: ["extends"], at, detail })]
    const { file, text } = yield* Effect.mapError(fetchBase(name), problem)
    const base = yield* Effect.fromResult(BookText.read(file, text))
    const fields = decodeFields(base.value)
    if (Option.isNone(fields)) return yield* Effect.fail(problem(`${file} is not a mapping book`))
    if ("extends" in fields.value) return yield* Effect.fail(problem(`${file} extends another book itself`))
    return BookText.over(own, base)
  })

const misshapen = (error: Schema.SchemaError, book: unknown): ReadonlyArray<BookProblem> =>
  SchemaProblems.of(error).map(({ message, path }) => {
    // a drafted book has "" for values that only the operator knows
    const problem = valueAt(book, path) === "" ? 'not filled in yet: ""' : inBookWords(message)
    return { code: BookFinding.BOOK_SHAPE, path, message: `${path.join(".") || "the book"}: ${problem}` }
  })

const inBookWords = (message: string): string => {
  if (message === "Missing key") return "is not set"
  return message.startsWith("Unexpected key") ? "there is no such field" : message
}

const valueAt = (value: unknown, [key, ...rest]: Finding.Path): unknown =>
  key === undefined
    ? value
    : typeof value === "object" && value !== null
      ? valueAt(Reflect.get(value, key), rest)
      : undefined

/**
 * Reads the business zone of a book: an offset up to 14 hours (+02:00) or an IANA zone
 * (Africa/Harare).
 */
export const parseZone = (text: unknown): Option.Option<DateTime.TimeZone> =>
  typeof text === "string"
    ? Option.filter(DateTime.zoneFromString(text), ({ _tag }) => _tag === "Named" || isOffset(text))
    : Option.none()

const isOffset = (text: string) => /^[+-](0\d|1[0-4]):[0-5]\d$/.test(text)

/** The schema already reports a missing zone, or a zone that is not text. */
const noZone = (stated: unknown): ReadonlyArray<BookProblem> =>
  typeof stated === "string" && stated !== ""
    ? [{ code: BookFinding.BOOK_ZONE, path: ["zone"], message: `"${stated}" is not a zone` }]
    : []

/** Well-formed entries are compared even if others are malformed. */
const wellFormed = <Entry extends object>(
  list: unknown,
  decode: (entry: unknown) => Option.Option<Entry>
): ReadonlyArray<Indexed<Entry>> =>
  Array.isArray(list)
    ? list.flatMap((entry: unknown, index) => Option.toArray(decode(entry)).map((entry) => ({ ...entry, index })))
    : []

const byPlace =
  (file: string) =>
  ({ at: a }: Finding.Finding, { at: b }: Finding.Finding): number =>
    Number(a?.file !== file) - Number(b?.file !== file) ||
    (a?.line ?? 0) - (b?.line ?? 0) ||
    (a?.column ?? 0) - (b?.column ?? 0)

const toBook = (file: BookFile, zone: DateTime.TimeZone): MappingBook => {
  const { $schema: _, extends: __, version: ___, ...book } = file
  return { ...book, zone, opens: secondsOf(file.opens), taxes: file.taxes.map(toTax) }
}

const toTax = ({ accounts, code, device, from, lines, name, percent, products, since, until }: TaxEntry): BookTax => ({
  from,
  ...(accounts && { accounts }),
  ...(products && { products }),
  ...(lines && { lines }),
  since,
  until,
  code,
  name: name ?? code,
  device,
  percent: percent === null ? null : Option.getOrNull(Money.parse(String(percent)))
})

const secondsOf = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60
