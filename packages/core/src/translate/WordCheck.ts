/** A contradiction refuses the document. */
import { BigDecimal } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import { currencyOf, type MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument, SourceWord } from "../source/SourceDocument.ts"
import * as StatedWords from "../source/StatedWords.ts"
import type { DraftLine } from "./DraftLine.ts"
import { type BlankFlagOf, statedAmountOf } from "./LineTax.ts"
import type { TranslationNotes } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"
import { AmountFinding } from "../source/StatedAmounts.ts"

/**
 * Reports every word that contradicts the document. Words with an unknown value contradict nothing;
 * the plan lists them.
 */
export const hold = (source: SourceDocument, book: MappingBook, report: TranslationNotes): void => {
  source.words?.forEach((word, i) => {
    const read = readAs(word, source, book)
    if (read !== undefined) contradicted(word, i, read, report)
  })
}

/**
 * Returns the taxable or exempt flag that the export states for a line. A statement about the line
 * takes precedence over a statement about the document, and both over the line's own tax.
 */
export const flagsOf =
  ({ lines, taxMode, words }: SourceDocument): BlankFlagOf =>
  (line) => {
    const flagOfTax = () => flagOfAmount(lines[line] && statedAmountOf(lines[line], taxMode))
    if (words === undefined) return flagOfTax()
    const stated = words.filter((word) => word.line === line || word.line === undefined).map(flagOf)
    const own = words.filter((word) => word.line === line).map(flagOf)
    return sameOf(own) ?? sameOf(stated) ?? flagOfTax()
  }

/** A line that states its tax as an amount only is exempt, or taxable. */
const flagOfAmount = (amount: BigDecimal.BigDecimal | undefined): "taxable" | "exempt" | undefined =>
  amount === undefined ? undefined : BigDecimal.isZero(amount) ? "exempt" : "taxable"

const flagOf = (word: SourceWord): "taxable" | "exempt" | undefined => {
  const meaning = StatedWords.meantBy(word)
  return meaning === "taxable" || meaning === "exempt" ? meaning : undefined
}

const sameOf = (flags: ReadonlyArray<"taxable" | "exempt" | undefined>) => {
  const stated = new Set(flags.filter((flag) => flag !== undefined))
  return stated.size === 1 ? [...stated][0] : undefined
}

/**
 * Reports a default of the book that would replace a value that the export states and the operator
 * has not mapped.
 */
export const holdDefaults = (
  source: SourceDocument,
  lines: ReadonlyArray<DraftLine>,
  { defaults }: Pick<MappingBook, "defaults">,
  report: TranslationNotes
): void => {
  const asked = new Set<string>()
  source.words?.forEach((word, i) => {
    const { line, name, subject, text } = word
    if (StatedWords.isEmpty(text) || asked.has(name)) return
    const isOver =
      subject === "item-code"
        ? defaults.productCode !== null && lines.some((draft) => isDefaulted(draft, line, source))
        : subject === "buyer-number"
          ? defaults.cashBuyer !== null && isCash(source)
          : subject === "buyer-name" && isWalkIn(source)
    if (!isOver) return
    asked.add(name)
    report.add(TranslateFinding.DEFAULT_OVERRULES, ["words", i], {
      message: `"${name}" states ${overruled[subject]} would be sent instead`,
      detail: quoted(text),
      ...(word.answers && { answers: word.answers })
    })
  })
}

/** `line`: index of the line that states a code; undefined if the document states it. */
const isDefaulted = (
  { origin: [part, index] }: DraftLine,
  line: number | undefined,
  { lines }: SourceDocument
): boolean =>
  part === "lines" && (line === undefined || index === line) && (lines[Number(index)]?.productCode?.trim() ?? "") === ""

const overruled: { readonly [subject: string]: string } = {
  "item-code": "item codes that nothing reads, and `defaults.productCode` of the mapping book",
  "buyer-number": "buyers' numbers that nothing reads, and `defaults.cashBuyer` of the mapping book",
  "buyer-name": "unread buyers, and a cash sale"
}

const isWalkIn = ({ buyer }: SourceDocument): boolean =>
  [buyer?.name, buyer?.tin, buyer?.vatNumber].every((stated) => (stated?.trim() ?? "") === "")

const isCash = ({ buyer }: SourceDocument): boolean =>
  (buyer?.tin?.trim() ?? "") === "" && (buyer?.name?.trim() ?? "") !== ""

export const holdTaxes = (source: SourceDocument, lines: ReadonlyArray<DraftLine>, report: TranslationNotes): void => {
  source.words?.forEach((word, i) => {
    if (StatedWords.meantBy(word) !== "exempt") return
    const taxed = lines.find(
      ({ origin: [part, index], tax }) =>
        (word.line === undefined || (part === "lines" && index === word.line)) &&
        tax?.percent != null &&
        BigDecimal.isPositive(tax.percent)
    )
    if (taxed !== undefined) contradicted(word, i, `taxed (${taxed.taxSpelling || taxed.tax?.code})`, report)
  })
}

const contradicted = ({ answers, name, text }: SourceWord, i: number, read: string, report: TranslationNotes): void =>
  report.add(AmountFinding.WORD_CONTRADICTS, ["words", i], {
    message: `"${name}" says ${quoted(text)}, and the document is read as ${read}`,
    ...(answers && { answers })
  })

const longest = 60

const quoted = (text: string): string => `"${text.length > longest ? `${text.slice(0, longest)}…` : text}"`

const readAs = (word: SourceWord, source: SourceDocument, book: MappingBook): string | undefined => {
  const meaning = StatedWords.meantBy(word)
  switch (word.subject) {
    case "kind":
    case "credited":
      return meaning === undefined || meaning === source.kind ? undefined : kindName[source.kind]
    case "status":
    case "docstatus":
    case "unissued":
      return meaning === undefined || meaning === "issued" ? undefined : "an issued sale"
    case "original":
      return meaning === undefined ? undefined : originalRead(word.text.trim(), source)
    case "currency":
      return currencyRead(word.text.trim(), source, book)
    case "basis":
      return meaning === "inclusive" || meaning === "exclusive" ? basisRead(meaning, source) : undefined
    case "period":
      return dayRead(word.text, source, book)
    case "seller":
    case "taxable":
    case "exempt":
    case "buyer-number":
    case "buyer-name":
    case "item-code":
      return undefined
  }
}

const kindName = { invoice: "an invoice", "credit-note": "a credit note" } as const

const basisRead = (stated: "inclusive" | "exclusive", { taxMode }: SourceDocument): string | undefined =>
  taxMode !== stated && (taxMode === "inclusive" || taxMode === "exclusive")
    ? `one whose amounts ${taxMode === "inclusive" ? "include" : "exclude"} tax`
    : undefined

const dayRead = (period: string, { date }: SourceDocument, { zone }: MappingBook): string | undefined => {
  if (date === undefined) return undefined
  const day = typeof date === "string" ? date : CivilDate.inZone(date, zone)
  const [first = day, last = day] = period.split("/")
  return day < first || day > last ? `one of ${day}` : undefined
}

const originalRead = (text: string, { id, kind, number, originals }: SourceDocument): string | undefined => {
  if (kind === "invoice") return text === number || text === id ? undefined : "an invoice"
  if (originals.some((original) => original.value === text || original.number === text)) return undefined
  const [first] = originals
  return first === undefined
    ? "a credit note without an original"
    : `a credit note of ${quoted(first.number ?? first.value)}`
}

const currencyRead = (text: string, source: SourceDocument, book: MappingBook): string | undefined => {
  const own = source.currency?.trim() ?? ""
  const stated = currencyOf(book, text)?.code ?? (StatedWords.isCurrencyCode(text) ? text : undefined)
  if (own === "" || stated === undefined || text === own) return undefined
  const read = currencyOf(book, own)?.code ?? own
  return stated === read ? undefined : `in ${quoted(own)}`
}
