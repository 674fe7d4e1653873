/**
 * Translates by the mapping book. An adapter only states; decisions are made here, by named
 * policies.
 */
import { BigDecimal, DateTime } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import { CreditNoteId, DocumentNumber, InvoiceId, TaxCode } from "../document/Identifiers.ts"
import { format, type Instant } from "../document/Instant.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import { withoutPlainBlanks } from "../document/TextEdges.ts"
import { type Finding, type Path, refuses } from "../finding/Finding.ts"
import { type BookCurrency, type BookTax, currencyOf, type MappingBook, paymentOf } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { tooLong, translateBuyer } from "./Buyer.ts"
import { Charged } from "./Charged.ts"
import * as Charges from "./Charges.ts"
import type { DraftLine } from "./DraftLine.ts"
import { draftLines } from "./Lines.ts"
import type { Basis } from "./Rounding.ts"
import * as Report from "./Report.ts"
import * as StatedDiscounts from "./StatedDiscounts.ts"
import * as StatedOnLines from "./StatedOnLines.ts"
import * as Signs from "./Signs.ts"
import { proveLater, type TaxedLine, totals } from "./Totals.ts"
import * as Texts from "./Texts.ts"
import type { Translated } from "./Translated.ts"
import * as WordCheck from "./WordCheck.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

/** The invoice that a credit note credits, as found by `import/`. */
export interface ResolvedOriginal {
  readonly invoiceId: InvoiceId
  /** Date on which taxes are looked up (DOC-15). */
  readonly date: CivilDate.CivilDate
}

/**
 * Result of a translation. `translated` is present whenever the document could be shaped, even with
 * errors, so that the device's rules can be checked as well.
 */
export interface Translation {
  readonly findings: ReadonlyArray<Finding>
  readonly translated: Translated | undefined
}

/**
 * Translates one source document. Amounts stay in the document's currency; percents come from the
 * book. All errors and warnings are in `findings`; the function never throws and never drops data
 * silently.
 */
export const translate = (source: SourceDocument, book: MappingBook, original?: ResolvedOriginal): Translation => {
  const report = Report.make(source)
  const number = withoutPlainBlanks(source.number)
  Texts.checkKeys(source, report)
  if (number === "") report.add(TranslateFinding.NUMBER_MISSING, ["number"])
  if (number.length > 50) tooLong(report, ["number"], "the number", 50)
  const currency = translateCurrency(source, book, report)
  const payment = translatePayment(source, book, report)
  const buyerContact = translateBuyer(source.buyer, book, report)
  const basis = translateBasis(source, report)
  if (source.date === undefined) report.add(TranslateFinding.DATE_MISSING, ["date"])
  else {
    reportDue(source, civilDateOf(source.date, book.zone), report)
    reportZone(source.date, book.zone, report)
  }
  WordCheck.hold(source, book, report)
  const taxDate = original?.date ?? (source.date && civilDateOf(source.date, book.zone))
  if (taxDate === undefined) return { findings: report.findings, translated: undefined }
  const figures = Signs.normalized(source)
  const errorsBefore = report.errors()
  const isTotalStated = figures.totals.total !== undefined || figures.totals.tax !== undefined
  const charged = isTotalStated ? undefined : new Charged()
  const flags = WordCheck.flagsOf(source)
  const drafting = { book, taxDate, report, basis, charged, claims: [], flags, lastTax: undefined }
  const drafted = Charges.withCharges(draftLines(figures.lines, drafting), figures.charges, drafting)
  if (basis !== undefined) StatedOnLines.hold(drafting.claims, drafted, basis, report)
  const completeness = report.errors() === errorsBefore && !hasLineError(source) ? "complete" : "partial"
  if (completeness === "partial") proveLater(figures.totals, basis, report)
  if (source.taxMode === "untaxed") reportTaxed(drafted, report)
  WordCheck.holdTaxes(source, drafted, report)
  WordCheck.holdDefaults(source, drafted, book, report)
  StatedDiscounts.hold(source, report)
  const described = withSendableTexts(drafted, book, report)
  if (source.date === undefined || currency === undefined || basis === undefined || number === "") {
    return { findings: report.findings, translated: undefined }
  }
  const taxed = areTaxed(described) ? described : described.filter(isTaxed)
  const settled =
    completeness === "complete"
      ? totals(
          { totals: figures.totals, charges: Charges.sumOf(figures.charges), charged },
          taxed,
          basis,
          book.rounding,
          report
        )
      : { basis, lines: described, subTotal: Money.zero, totalTax: Money.zero, total: Money.zero }
  const common = {
    reference: Texts.sendable(reasonOf(source, book), ["reference"], book, report),
    isDiscounted: settled.lines.some(({ discountAmount }) => discountAmount !== null),
    isTaxInclusive: settled.basis === "inclusive",
    buyerContact,
    lineItems: settled.lines.map(toLineItem),
    paymentMethod: payment ?? book.defaults.payment,
    subTotal: settled.subTotal,
    totalTax: settled.totalTax,
    total: settled.total,
    currencyCode: currency.code
  }
  const document: UndatedDocument =
    source.kind === "invoice"
      ? {
          kind: "invoice",
          payload: {
            invoiceId: InvoiceId.make(source.id || number),
            invoiceNumber: DocumentNumber.make(number),
            ...common
          }
        }
      : {
          kind: "credit-note",
          payload: {
            creditNoteId: CreditNoteId.make(source.id || number),
            originalInvoiceId: original?.invoiceId ?? null,
            creditNoteNumber: DocumentNumber.make(number),
            ...common
          }
        }
  return {
    findings: report.findings,
    translated: {
      completeness,
      document,
      date: source.date,
      taxDate,
      taxes: taxesOf(taxed),
      deviceCurrency: currency.device,
      origins: settled.lines.map(({ origin }) => origin)
    }
  }
}

const withSendableTexts = (lines: ReadonlyArray<DraftLine>, book: MappingBook, report: Report.TranslationNotes) => {
  let changed: Array<DraftLine> | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (line.description === null) continue
    const description = Texts.sendableDescription(line.description, line.origin, book, report)
    if (description !== line.description) (changed ??= [...lines])[i] = { ...line, description }
  }
  return changed ?? lines
}

const isTaxed = (line: DraftLine): line is TaxedLine => line.tax !== undefined

const areTaxed = (lines: ReadonlyArray<DraftLine>): lines is ReadonlyArray<TaxedLine> => lines.every(isTaxed)

const taxesOf = (lines: ReadonlyArray<TaxedLine>): Translated["taxes"] => {
  const taxes = new Map<TaxCode, BookTax>()
  for (const { tax } of lines) taxes.set(tax.code, tax)
  return taxes
}

const toLineItem = (line: DraftLine): LineItem => ({
  description: line.description,
  unitAmount: line.unitAmount,
  taxCode: line.tax?.code ?? TaxCode.make(line.taxSpelling),
  productCode: line.productCode,
  lineAmount: line.lineAmount,
  discountAmount: line.discountAmount,
  quantity: line.quantity,
  customFields: null
})

const hasLineError = (source: SourceDocument): boolean =>
  source.findings.some((finding) => refuses(finding) && (finding.path[0] === "lines" || finding.path[0] === "charges"))

/** Returns the day of a source date in the book's zone. Ignores an instant's own offset. */
export const civilDateOf = (date: CivilDate.CivilDate | Instant, zone: DateTime.TimeZone): CivilDate.CivilDate =>
  typeof date === "string" ? date : CivilDate.inZone(date, zone)

const reasonOf = (source: SourceDocument, book: MappingBook): string | null =>
  (source.kind === "credit-note"
    ? source.reason?.trim() || source.reference?.trim() || book.defaults.creditReason
    : source.reference?.trim()) || null

const translateCurrency = (
  source: SourceDocument,
  book: MappingBook,
  report: Report.TranslationNotes
): BookCurrency | undefined => {
  const spelling = source.currency?.trim() ?? ""
  if (spelling === "") {
    report.add(TranslateFinding.CURRENCY_MISSING, ["currency"])
    return undefined
  }
  const currency = currencyOf(book, spelling)
  if (currency === undefined) {
    report.add(TranslateFinding.CURRENCY_UNMAPPED, ["currency"], {
      message: `currency "${spelling}" is not in the mapping book`,
      unmapped: { what: "currency", spelling }
    })
  }
  return currency
}

const translatePayment = (source: SourceDocument, book: MappingBook, report: Report.TranslationNotes) => {
  const spelling = source.paymentMethod?.trim() ?? ""
  if (spelling === "") return undefined
  const method = paymentOf(book, spelling)
  if (method === undefined) {
    const message = `payment method "${spelling}" is not in the mapping book`
    const unmapped = { what: "payment method" as const, spelling }
    report.add(TranslateFinding.PAYMENT_UNMAPPED, ["paymentMethod"], { message, unmapped })
  }
  return method
}

/**
 * Ignores instants in UTC: systems write all their times in UTC, so the offset does not state the
 * zone of a business.
 */
const reportZone = (date: CivilDate.CivilDate | Instant, zone: DateTime.TimeZone, report: Report.TranslationNotes) => {
  if (typeof date === "string" || DateTime.zonedOffset(date) === 0) return
  const day = civilDateOf(date, zone)
  if (CivilDate.of(date) === day) return
  const detail = `${format(date)} is ${day} in ${DateTime.zoneToString(zone)}`
  report.add(TranslateFinding.DATE_ZONE, ["date"], { detail })
}

const reportDue = ({ due }: SourceDocument, day: CivilDate.CivilDate, report: Report.TranslationNotes) => {
  if (due !== undefined && due < day)
    report.add(TranslateFinding.DUE_BEFORE_ISSUED, ["due"], { detail: `dated ${day}, due ${due}` })
}

const translateBasis = (source: SourceDocument, report: Report.TranslationNotes): Basis | undefined => {
  if (source.taxMode === "inclusive") return "inclusive"
  if (source.taxMode !== "unstated") return "exclusive"
  report.add(TranslateFinding.AMOUNTS_UNSTATED, ["taxMode"])
  return undefined
}

const reportTaxed = (
  lines: ReadonlyArray<{ readonly origin: Path; readonly tax: BookTax | undefined }>,
  report: Report.TranslationNotes
) => {
  for (const { origin, tax } of lines) {
    if (tax?.percent && BigDecimal.isPositive(tax.percent))
      report.add(TranslateFinding.TAX_ON_UNTAXED, [...origin, "taxes"])
  }
}
