/** The mapping book as a file: JSON with comments, checked as a whole, every problem with its line and column. */
import { BigDecimal, Data, DateTime, Effect, Option, Schema, SchemaIssue } from "effect"
import * as Jsonc from "jsonc-parser"
import { CivilDate } from "../document/CivilDate.ts"
import { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import { PaymentMethod } from "../document/PaymentMethod.ts"
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { Provenance } from "../finding/Provenance.ts"
import { BookFinding } from "./BookFinding.ts"
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

const Percent = Schema.Union([Schema.String, Schema.Finite]).check(
  Schema.makeFilter((percent) => {
    const number = Money.parse(String(percent))
    return (
      (Option.isSome(number) && BigDecimal.sign(number.value) >= 0) || 'expected a percent as "15", or null for exempt'
    )
  })
)
const Time = Schema.String.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "expected a time as 08:00" }))
const Spellings = Schema.Array(Schema.NonEmptyString)
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
  taxes: Schema.Array(
    Schema.Struct({
      from: Schema.optionalKey(Spellings),
      since: Schema.optionalKey(CivilDate),
      until: Schema.optionalKey(CivilDate),
      code: TaxCode,
      name: Schema.optionalKey(Schema.NonEmptyString),
      device: Schema.Int,
      percent: Schema.NullOr(Percent)
    })
  ),
  currencies: Schema.Array(
    Schema.Struct({ from: Schema.optionalKey(Spellings), code: CurrencyCode, device: Schema.NonEmptyString })
  ),
  payments: Schema.optionalKey(Schema.Array(Schema.Struct({ from: Spellings, method: PaymentMethod }))),
  defaults: Schema.optionalKey(
    Schema.Struct({
      payment: orNull(PaymentMethod),
      productCode: orNull(Schema.NonEmptyString),
      creditReason: orNull(Schema.NonEmptyString),
      cashBuyer: orNull(Schema.NonEmptyString)
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

const decodeFile = Schema.decodeUnknownEffect(BookFile, { errors: "all", onExcessProperty: "error", reportInput: true })
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads the text of a book. Fails with every problem at once. */
export const load = (file: string, text: string): Effect.Effect<MappingBook, BookError> =>
  Effect.gen(function* () {
    const locate = locator(file, text)
    const errors: Array<Jsonc.ParseError> = []
    const tree = Jsonc.parseTree(text, errors, { allowTrailingComma: true })
    const problem = (code: FindingCode, path: Finding.Path, message: string) =>
      Finding.make(code, { message, path, at: locate(tree, path) })
    if (tree === undefined || errors.length > 0) {
      const findings = (
        errors.length > 0 ? errors : [{ error: Jsonc.ParseErrorCode.ValueExpected, offset: 0, length: 0 }]
      ).map(({ error, offset }) =>
        Finding.make(BookFinding.BOOK_SYNTAX, {
          message: `not JSON: ${Jsonc.printParseErrorCode(error)}`,
          at: locate.offset(offset)
        })
      )
      return yield* new BookError({ file, findings })
    }
    const decoded = yield* Effect.mapError(decodeFile(Jsonc.getNodeValue(tree)), (error) => {
      const findings = formatIssue(error.issue).issues.map((issue) => {
        const path = (issue.path ?? []).map((key) => (typeof key === "number" ? key : String(key)))
        return problem(BookFinding.BOOK_SHAPE, path, `${path.join(".") || "the book"}: ${issue.message}`)
      })
      return new BookError({ file, findings })
    })
    const zone = DateTime.zoneFromString(decoded.zone)
    const findings = [
      ...(Option.isNone(zone) ? [problem(BookFinding.BOOK_ZONE, ["zone"], `"${decoded.zone}" is no zone`)] : []),
      ...contradictions(decoded, problem)
    ]
    if (Option.isNone(zone) || findings.length > 0) return yield* new BookError({ file, findings })
    return toBook(decoded, zone.value)
  })

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

const toTax = ({ code, device, from, name, percent, since, until }: FileTax): BookTax => ({
  from: from ?? [],
  since,
  until,
  code,
  name: name ?? code,
  device,
  percent: percent === null ? null : Option.getOrNull(Money.parse(String(percent)))
})

const secondsOf = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60

type Problem = (code: FindingCode, path: Finding.Path, message: string) => Finding.Finding

function* contradictions(file: BookFile, problem: Problem): Generator<Finding.Finding> {
  for (const [i, { code, since, until }] of file.taxes.entries()) {
    if (since === undefined || until === undefined || since <= until) continue
    yield problem(BookFinding.BOOK_PERIOD_REVERSED, ["taxes", i, "until"], `${code} ends on ${until}, before ${since}`)
  }
  for (const [earlier, later, i] of pairs(file.taxes)) {
    if (later.code !== earlier.code) continue
    if (later.device === earlier.device && samePercent(later.percent, earlier.percent)) continue
    const stands = (tax: FileTax) =>
      `device tax ${tax.device} at ${tax.percent === null ? "exempt" : `${tax.percent} %`}`
    const message = `${later.code} is ${stands(earlier)} and ${stands(later)}`
    yield problem(BookFinding.BOOK_CODE_REUSED, ["taxes", i, "code"], message)
  }
  const entries = { taxes: file.taxes, currencies: file.currencies, payments: file.payments ?? [] }
  for (const [list, inList] of Object.entries<ReadonlyArray<Entry>>(entries)) {
    for (const [earlier, later, i] of pairs(inList)) {
      if (!overlap(earlier, later)) continue
      for (const spelling of spellings(later).intersection(spellings(earlier))) {
        const message = `"${spelling}" is both ${targetOf(earlier)} and ${targetOf(later)} at the same time`
        yield problem(BookFinding.BOOK_SPELLING_AMBIGUOUS, [list, i], message)
      }
    }
  }
}

function* pairs<A>(entries: ReadonlyArray<A>): Generator<readonly [earlier: A, later: A, index: number]> {
  for (const [i, later] of entries.entries()) {
    for (const earlier of entries.slice(0, i)) yield [earlier, later, i]
  }
}

type FileTax = BookFile["taxes"][number]

/** What taxes, currencies and payments have in common: spellings that mean one thing, perhaps for a time. */
interface Entry {
  readonly from?: ReadonlyArray<string>
  readonly code?: string
  readonly method?: string
  readonly since?: CivilDate
  readonly until?: CivilDate
}

const targetOf = (entry: Entry): string => entry.code ?? entry.method ?? ""

const spellings = (entry: Entry): Set<string> => new Set([targetOf(entry), ...(entry.from ?? [])])

const overlap = (a: Entry, b: Entry): boolean =>
  (a.since ?? "") <= (b.until ?? "9999") && (b.since ?? "") <= (a.until ?? "9999")

const samePercent = (a: FileTax["percent"], b: FileTax["percent"]): boolean =>
  a === null || b === null
    ? a === b
    : Option.makeEquivalence(BigDecimal.Equivalence)(Money.parse(String(a)), Money.parse(String(b)))

const locator = (file: string, text: string) => {
  const offset = (offset: number): Provenance => {
    const before = text.slice(0, offset).split("\n")
    return { file, line: before.length, column: before.at(-1)!.length + 1 }
  }
  const path = (tree: Jsonc.Node | undefined, path: Finding.Path): Provenance => {
    if (tree === undefined) return { file }
    for (let length = path.length; length >= 0; length--) {
      const node = Jsonc.findNodeAtLocation(tree, path.slice(0, length))
      if (node !== undefined) return offset(node.offset)
    }
    return { file }
  }
  return Object.assign(path, { offset })
}
