import { CivilDate, Money } from "@fiscal-connector/core/adapter"
import { BookExplanation } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { commandGroup, describedCommand } from "../output/Flags.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import { printable } from "../output/Terminal.ts"
import { notDone } from "../output/ExitError.ts"
import type { bookDraft } from "./BookDraftCommand.ts"
import * as Output from "../output/Output.ts"

const check = describedCommand(
  "check",
  "Check mapping books; every problem with line and column",
  { files: Argument.String("file").pipe(Argument.withDescription("mapping books"), Argument.atLeast(1)) },
  Effect.fnUntraced(function* ({ files }) {
    const problems: Array<string> = []
    for (const file of files) {
      yield* BookOfExport.load(file).pipe(
        Effect.flatMap((book) =>
          Output.answer(
            "book",
            { file, book: bookJson(book) },
            `${printable(file)}: in order; ${printable(contents(book))}`
          )
        ),
        Effect.catchTag("ExitError", ({ text }) => Effect.sync(() => problems.push(text)))
      )
    }
    if (problems.length > 0) return yield* notDone(problems.join("\n\n"))
  })
)

const bookJson = ({ currencies, payments, productCodes, relaxed, taxes }: MappingBook.MappingBook) => ({
  taxes,
  currencies,
  payments,
  productCodes: productCodes.length,
  relaxed: relaxed.map(({ rule }) => rule)
})

const contents = ({ currencies, payments, productCodes, relaxed, taxes }: MappingBook.MappingBook): string =>
  [
    `tax codes ${[...new Set(taxes.map(({ code }) => code))].join(", ") || "none"}`,
    `currencies ${currencies.map(({ code }) => code).join(", ") || "none"}`,
    ...(payments.length > 0 ? [`payments ${[...new Set(payments.map(({ method }) => method))].join(", ")}`] : []),
    ...(productCodes.length > 0 ? [`${productCodes.length} product codes`] : []),
    ...(relaxed.length > 0 ? [`relaxed ${relaxed.map(({ rule }) => rule).join(", ")}`] : [])
  ].join("; ")

const explain = describedCommand(
  "explain",
  "Show the meaning of a spelling of the export, on a day or at any time",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription(
        "a tax code, currency, payment method, product code or line description, as spelled in the export"
      )
    ),
    day: Argument.String("date").pipe(
      Argument.withDescription("the document's day, as 2026-01-31; for a credit note its original's"),
      Argument.withSchema(CivilDate.CivilDate),
      Argument.optional
    ),
    book: Flag.String("book").pipe(Flag.withDescription("the mapping book"))
  },
  Effect.fnUntraced(function* ({ book: file, code, day }) {
    const book = yield* BookOfExport.load(file)
    const explanation = BookExplanation.explain(book, code, Option.getOrUndefined(day))
    const lines = linesOf(explanation, Option.getOrUndefined(day))
    const text = lines.map(printable).join("\n")
    if (BookExplanation.isKnown(explanation)) yield* Output.answer("spelling", explanation, text)
    else return yield* notDone(text)
  })
)

const linesOf = (
  { currency, near, payment, productCodes, spelling, taxes }: BookExplanation.BookExplanation,
  day: string | undefined
): ReadonlyArray<string> => {
  const on = day === undefined ? "" : ` on ${day}`
  const known = [
    ...taxes.filter(({ applies }) => applies === "yes").map((tax) => `"${spelling}"${on} is ${taxText(tax)}`),
    ...taxes.filter(({ applies }) => applies === "no").map((tax) => `at another time it is ${taxText(tax)}`),
    ...(currency === undefined
      ? []
      : [`"${spelling}" is the currency ${currency.code}, on the device ${currency.device}`]),
    ...(payment === undefined ? [] : [`"${spelling}" is the payment method ${payment}`]),
    ...productCodes.map((productCode) => `"${spelling}" has the product code ${productCode}`)
  ]
  if (known.length > 0) {
    const isOut = taxes.length > 0 && taxes.every(({ applies }) => applies === "no")
    return isOut ? [`"${spelling}" is not a tax${on}`, ...known] : known
  }
  const hint =
    near.length === 0 ? [] : [`It has ${near.map((text) => `"${text}"`).join(", ")}: spellings count letter by letter.`]
  return [`The book does not know "${spelling}".`, ...hint]
}

const taxText = ({ code, device, name, percent, since, until }: MappingBook.BookTax): string => {
  const rate = percent === null ? "exempt" : `${Money.formatPlain(percent)} %`
  const period =
    since === undefined && until === undefined
      ? ""
      : `, from ${since ?? "the beginning"} to ${until ?? "further notice"}`
  return `tax code ${code}${name === code ? "" : ` (${name})`}: device tax ${device}, ${rate}${period}`
}

export const bookWith = (draft: Awaited<ReturnType<typeof bookDraft>>) =>
  commandGroup("book", "Check, query or draft a mapping book", [check, explain, draft])
