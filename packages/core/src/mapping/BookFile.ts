/** The mapping book as a file: JSON with comments, checked as a whole, every problem with its line and column. */
import { Data, DateTime, Effect, Option, Result, Schema, SchemaIssue } from "effect"
import * as Money from "../document/Money.ts"
import { PaymentMethod } from "../document/PaymentMethod.ts"
import * as Finding from "../finding/Finding.ts"
import { type BookProblem, contradictions, type Indexed } from "./BookContradictions.ts"
import { CurrencyEntry, PaymentEntry, TaxEntry } from "./BookEntry.ts"
import { BookFinding } from "./BookFinding.ts"
import * as BookText from "./BookText.ts"
import { type BookTax, type MappingBook, strictPolicies } from "./MappingBook.ts"

/** The book could not be loaded; `findings` are all of its problems. */
export class BookError extends Data.TaggedError("BookError")<{
  readonly file: string
  readonly findings: ReadonlyArray<Finding.Finding>
}> {
  override get message() {
    return `${this.file}: ${this.findings.length} problem(s) in the mapping book`
  }
}

const Time = Schema.String.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "expected a time as 08:00" }))
const CashBuyer = Schema.String.check(
  Schema.isPattern(/^Cash/, { message: 'expected a name pattern that begins with "Cash", as "Cash sale {name}"' })
)
const orNull = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The file's own shape; fields nobody knows are errors, because a misspelt field would be silently without effect. */
export const BookFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  version: Schema.Literal(1),
  zone: Schema.NonEmptyString,
  rounding: Schema.optionalKey(Schema.Literals(["per-line", "per-group", "as-inclusive"])),
  times: Schema.optionalKey(Schema.Literals(["spread", "stated", "at-submission"])),
  opens: Schema.optionalKey(Time),
  late: Schema.optionalKey(Schema.Literals(["hold", "restamp"])),
  taxes: Schema.Array(TaxEntry),
  currencies: Schema.Array(CurrencyEntry),
  payments: Schema.optionalKey(Schema.Array(PaymentEntry)),
  defaults: Schema.optionalKey(
    Schema.Struct({
      payment: orNull(PaymentMethod),
      productCode: orNull(Schema.NonEmptyString),
      creditReason: orNull(Schema.NonEmptyString),
      cashBuyer: orNull(CashBuyer)
    })
  ),
  policies: Schema.optionalKey(
    Schema.Struct({
      charges: Schema.optionalKey(Schema.Literals(["refuse", "as-line", "as-line-taxed-like-lines"])),
      negativeLines: Schema.optionalKey(Schema.Literals(["refuse", "as-discount"])),
      textLines: Schema.optionalKey(Schema.Literals(["refuse", "drop", "append"])),
      quantities: Schema.optionalKey(Schema.Literals(["stated", "one-if-missing"])),
      unitPrices: Schema.optionalKey(Schema.Literals(["stated", "from-line-amount"])),
      allocations: Schema.optionalKey(Schema.Literals(["refuse", "largest"]))
    })
  )
})
type BookFile = typeof BookFile.Type

const decodeFile = Schema.decodeUnknownResult(BookFile, { errors: "all", onExcessProperty: "error", reportInput: true })
const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeFields = Schema.decodeUnknownOption(Fields)
const decodeTax = Schema.decodeUnknownOption(TaxEntry)
const decodeCurrency = Schema.decodeUnknownOption(CurrencyEntry)
const decodePayment = Schema.decodeUnknownOption(PaymentEntry)
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads the text of a book. Fails with every problem at once, in the order of the file. */
export const load = (file: string, text: string): Effect.Effect<MappingBook, BookError> =>
  Effect.gen(function* () {
    const book = yield* Effect.mapError(
      Effect.fromResult(BookText.read(file, text)),
      (findings) => new BookError({ file, findings })
    )
    const fields = Option.getOrElse(decodeFields(book.value), (): typeof Fields.Type => ({}))
    const decoded = decodeFile(book.value)
    const zone = parseZone(fields["zone"])
    const problems = [
      ...(Result.isFailure(decoded) ? misshapen(decoded.failure) : []),
      ...(Option.isNone(zone) ? noZone(fields["zone"]) : []),
      ...contradictions({
        taxes: wellFormed(fields["taxes"], decodeTax),
        currencies: wellFormed(fields["currencies"], decodeCurrency),
        payments: wellFormed(fields["payments"], decodePayment)
      })
    ].map(({ code, message, path }) => Finding.make(code, { message, path, at: book.locate(path) }))
    if (Result.isSuccess(decoded) && Option.isSome(zone) && problems.length + book.repeated.length === 0) {
      return toBook(decoded.success, zone.value)
    }
    return yield* new BookError({ file, findings: [...book.repeated, ...problems].toSorted(byPlace) })
  })

const misshapen = (error: Schema.SchemaError): ReadonlyArray<BookProblem> =>
  formatIssue(error.issue).issues.map((issue) => {
    const path = (issue.path ?? []).map((key) => (typeof key === "number" ? key : String(key)))
    return { code: BookFinding.BOOK_SHAPE, path, message: `${path.join(".") || "the book"}: ${issue.message}` }
  })

/** An offset up to 14 hours or an IANA zone. */
const parseZone = (text: unknown): Option.Option<DateTime.TimeZone> =>
  typeof text === "string"
    ? Option.filter(DateTime.zoneFromString(text), ({ _tag }) => _tag === "Named" || isOffset(text))
    : Option.none()

const isOffset = (text: string) => /^[+-](0\d|1[0-4]):[0-5]\d$/.test(text)

/** What is no text, or none at all, the file's shape has refused already. */
const noZone = (stated: unknown): ReadonlyArray<BookProblem> =>
  typeof stated === "string" && stated !== ""
    ? [{ code: BookFinding.BOOK_ZONE, path: ["zone"], message: `"${stated}" is no zone` }]
    : []

/** The entries that can be held against each other although others are misshapen. */
const wellFormed = <Entry extends object>(
  list: unknown,
  decode: (entry: unknown) => Option.Option<Entry>
): ReadonlyArray<Indexed<Entry>> =>
  Array.isArray(list)
    ? list.flatMap((entry: unknown, index) => Option.toArray(decode(entry)).map((entry) => ({ ...entry, index })))
    : []

const byPlace = ({ at: a }: Finding.Finding, { at: b }: Finding.Finding): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)

const toBook = (file: BookFile, zone: DateTime.TimeZone): MappingBook => ({
  zone,
  rounding: file.rounding ?? "per-group",
  times: file.times ?? "spread",
  opens: secondsOf(file.opens ?? "08:00"),
  late: file.late ?? "hold",
  taxes: file.taxes.map(toTax),
  currencies: file.currencies.map(({ code, device, from }) => ({ from: from ?? [], code, device })),
  payments: file.payments ?? [],
  defaults: {
    payment: file.defaults?.payment ?? null,
    productCode: file.defaults?.productCode ?? null,
    creditReason: file.defaults?.creditReason ?? null,
    cashBuyer: file.defaults?.cashBuyer ?? null
  },
  policies: { ...strictPolicies, ...file.policies }
})

const toTax = ({ code, device, from, name, percent, since, until }: TaxEntry): BookTax => ({
  from: from ?? [],
  since,
  until,
  code,
  name: name ?? code,
  device,
  percent: percent === null ? null : Option.getOrNull(Money.parse(String(percent)))
})

const secondsOf = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60
