/** The book's tax for the spelling, or for a blank, compared with the stated percent. */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import {
  type BlankLine,
  blankTaxesOf,
  type BookTax,
  isOn,
  type MappingBook,
  taxesOf,
  taxOn
} from "../mapping/MappingBook.ts"
import type { SourceDocument, SourceLine, SourceTax } from "../source/SourceDocument.ts"
import type { Charged } from "./Charged.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { TranslationNotes } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import type { Claim } from "./StatedOnLines.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export interface Drafting {
  readonly book: MappingBook
  readonly taxDate: CivilDate
  readonly report: TranslationNotes
  readonly basis: Rounding.Basis | undefined
  readonly charged: Charged | undefined
  readonly claims: Array<Claim>
  readonly flags: BlankFlagOf
  /** Last stated taxes without a finding: consecutive lines may share their taxes. */
  lastTax: { readonly taxes: ReadonlyArray<SourceTax>; readonly found: LineTax } | undefined
}

export type BlankFlagOf = (line: number) => BlankLine["flag"]

type LineTax = Pick<DraftLine, "tax" | "taxSpelling" | "statedTax">

/**
 * Returns the amount of tax that a line states: itself, or the difference between its amounts with
 * and without tax.
 */
export const statedAmountOf = (
  { lineAmount, taxes, totals }: Pick<SourceLine, "lineAmount" | "taxes" | "totals">,
  taxMode: SourceDocument["taxMode"]
): Money.Money | undefined => {
  const stated = taxes[0]?.amount ?? totals?.tax
  if (stated !== undefined || lineAmount === undefined) return stated
  if (taxMode === "exclusive") return totals?.total && BigDecimal.subtract(totals.total, lineAmount)
  return taxMode === "inclusive" && totals?.net ? BigDecimal.subtract(lineAmount, totals.net) : undefined
}

const nothingStated: NonNullable<SourceLine["totals"]> = {}

export const claim = (
  { claims }: Drafting,
  origin: Path,
  amount: Money.Money,
  { statedTax, tax }: LineTax,
  { net, tax: wholeTax, total }: NonNullable<SourceLine["totals"]> = nothingStated
): void => {
  if (tax === undefined) return
  if (statedTax !== undefined) claims.push({ origin, amount, figure: "tax", stated: statedTax, tax })
  if (wholeTax !== undefined) claims.push({ origin, amount, figure: "tax", stated: wholeTax, tax })
  if (net !== undefined) claims.push({ origin, amount, figure: "net", stated: net, tax })
  if (total !== undefined) claims.push({ origin, amount, figure: "total", stated: total, tax })
}

/**
 * Returns the tax of a line or charge, which must state at most one. An unknown tax keeps its
 * spelling, so that all other checks still run.
 */
export const taxOf = (
  taxes: ReadonlyArray<SourceTax>,
  origin: Path,
  drafting: Drafting,
  line?: SourceLine
): LineTax | undefined => {
  const { lastTax, report } = drafting
  if (lastTax?.taxes === taxes) return lastTax.found
  const path = line === undefined ? origin : [...origin, "taxes"]
  const before = report.findings.length
  const found = made(taxes, path, drafting, line)
  // do not cache taxes with findings, reported or suppressed, or blank taxes, which depend on
  // account and product
  const isFound = report.findings.length > before || report.isUnreadable(path)
  const isOfAll = found !== undefined && found.taxSpelling !== "" && !isFound
  if (isOfAll) drafting.lastTax = { taxes, found }
  return found
}

const made = (
  taxes: ReadonlyArray<SourceTax>,
  path: Path,
  { basis, book, flags, report, taxDate }: Pick<Drafting, "basis" | "book" | "flags" | "report" | "taxDate">,
  line?: SourceLine
): LineTax | undefined => {
  const stated = taxes[0]
  if (taxes.length > 1) {
    const message = `a line states ${taxes.length} taxes: ${taxes.map(({ code }) => `"${code}"`).join(", ")}`
    report.add(TranslateFinding.TAX_SEVERAL, path, { message })
    return undefined
  }
  const spelling = stated?.code.trim() ?? ""
  const blank = (): BlankLine | undefined =>
    line && { ...line, flag: flags(Number(path[1])), isAt: isAtIn(line, basis) }
  const tax =
    spelling === "" ? blankTax(blank(), path, { book, report, taxDate }, stated) : taxOn(book, spelling, taxDate)
  if (spelling === "" && tax === undefined) return undefined
  if (stated === undefined) return { tax, taxSpelling: spelling, statedTax: undefined }
  if (tax === undefined) reportUnknown({ ...stated, code: spelling }, taxesOf(book, spelling), taxDate, path, report)
  else if (stated.percent !== undefined && !isPercent(stated.percent, tax.percent ?? Money.zero)) {
    const percent = tax.percent === null ? "exempt" : `${Money.formatPlain(tax.percent)} %`
    const message = `tax code "${spelling}" is ${Money.formatPlain(stated.percent)} % in the source and ${percent} in the book`
    report.doubt("taxes", TranslateFinding.TAX_PERCENT_DIFFERS, path, { message })
  }
  return { tax, taxSpelling: spelling, statedTax: stated.amount }
}

/** Returns a test if the tax that the line states is a percent of its amount. */
const isAtIn = (line: SourceLine, basis: Rounding.Basis | undefined): BlankLine["isAt"] => {
  const { lineAmount } = line
  const stated = basis && statedAmountOf(line, basis)
  if (basis === undefined || lineAmount === undefined || stated === undefined || BigDecimal.isZero(stated))
    return undefined
  return (percent) =>
    Rounding.isPart(BigDecimal.abs(stated), BigDecimal.abs(lineAmount), Rounding.partOf("tax", percent, basis))
}

/**
 * A stated percent with decimals may be rounded to its last place; a whole percent must match
 * exactly: 15 is not 15.5.
 */
const isPercent = (stated: Money.Money, percent: Money.Money): boolean => {
  const { scale } = BigDecimal.normalize(stated)
  return Money.within(stated, percent, scale <= 0 ? Money.zero : BigDecimal.make(5n, scale + 1))
}

/**
 * By account or product, by the export's taxable or exempt flag, or for all lines. Undefined for a
 * charge.
 */
const blankTax = (
  line: BlankLine | undefined,
  path: Path,
  { book, report, taxDate }: Pick<Drafting, "book" | "report" | "taxDate">,
  stated: SourceTax | undefined
): BookTax | undefined => {
  const [account, product] = [filled(line?.account), filled(line?.productCode)]
  const periods = line === undefined ? [] : blankTaxesOf(book, line)
  const meant = periods.filter(isOn(taxDate))
  const [tax, ...others] = meant
  if (tax !== undefined && others.every(({ code }) => code === tax.code)) return tax
  const limit = limitOf(line ?? {})
  const place = [
    ...(account === null ? [] : [`account ${account}`]),
    ...(product === null ? [] : [`product ${product}`])
  ].join(", ")
  const message = `a line states no tax code${place === "" ? "" : ` (${place})`}`
  if (others.length > 0) {
    const isByAmount = meant.every(({ lines }) => lines === "amounts")
    const detail = `by its ${isByAmount ? "amount of tax" : "account and its product"} it is ${meant.map(({ code }) => code).join(" and ")}`
    const fix = isByAmount
      ? "State the tax code in the source: the amount of tax is too small to show the percent."
      : "Define in one entry of the mapping book which tax a blank tax code means for the line."
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message, detail, fix })
    return undefined
  }
  const percent = stated?.percent === undefined ? {} : { percent: Money.formatPlain(stated.percent) }
  const unmapped = { what: "tax" as const, spelling: "", ...limit, day: taxDate, ...percent }
  report.add(periods.length === 0 ? TranslateFinding.TAX_UNMAPPED : TranslateFinding.TAX_OUT_OF_PERIOD, path, {
    message,
    ...(limit && { unmapped }),
    ...(periods.length === 0 && {
      fix:
        limit === undefined
          ? 'State the tax code in the source; or say in `taxes` of the mapping book what a blank means on all lines, or on those that the export states to be taxable or exempt: "from": [""], "lines": "all".'
          : `Say in \`taxes\` of the mapping book what a blank means there: { "from": [""], ${inBook(limit)}, "code": …, "device": …, "percent": … }; or state the tax code in the source. "lines": "all" in place of the limit means all lines without a tax code.`
    })
  })
  return undefined
}

/** The line's account, otherwise its product. Undefined if it has neither. */
const limitOf = ({ account, productCode }: Pick<BlankLine, "account" | "productCode">) => {
  const [of, product] = [filled(account), filled(productCode)]
  return of !== null ? { account: of } : product !== null ? { product } : undefined
}

const inBook = (limit: NonNullable<ReturnType<typeof limitOf>>): string =>
  limit.account === undefined
    ? `"products": [${JSON.stringify(limit.product)}]`
    : `"accounts": [${JSON.stringify(limit.account)}]`

const filled = (text: string | undefined): string | null => text?.trim() || null

const reportUnknown = (
  { code: spelling, percent }: SourceTax,
  periods: ReadonlyArray<BookTax>,
  day: CivilDate,
  path: Path,
  report: TranslationNotes
) => {
  const unmapped = {
    what: "tax" as const,
    spelling,
    day,
    ...(percent !== undefined && { percent: Money.formatPlain(percent) })
  }
  if (periods.length === 0) {
    const message = `tax code "${spelling}" is not in the mapping book`
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message, unmapped })
    return
  }
  const known = periods.map(({ code, since, until }) => `${code} ${since ?? "…"} to ${until ?? "…"}`).join(", ")
  const message = `tax code "${spelling}" has no entry in the mapping book for ${day}`
  report.add(TranslateFinding.TAX_OUT_OF_PERIOD, path, { message, detail: known, unmapped })
}
