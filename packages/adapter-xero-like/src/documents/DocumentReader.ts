import { type CivilDate, Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal, Result } from "effect"
import { buyerOf } from "./Buyer.ts"
import type { Context } from "../joins/Context.ts"
import { Document, RowContact } from "../values/Fields.ts"
import { numberFieldOf } from "../values/Identity.ts"
import type { IssueStatus } from "../joins/Issued.ts"
import { lineOf } from "./Lines.ts"
import { XeroNotes } from "../values/Notes.ts"
import { originalsOf } from "./Originals.ts"
import { payingAccountOf } from "./PayingAccount.ts"
import { reportRefusedBefore } from "./RefusedBefore.ts"
import type { JsonField, JsonPlace } from "../json/Place.ts"
import type { Shape } from "../values/Shape.ts"
import * as XeroDate from "../values/XeroDate.ts"
import { unmappedOf } from "./Unmapped.ts"
import { wordsOf } from "./UnreadFields.ts"
import { XeroDocument } from "./XeroDocument.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

/**
 * Reads the document of `shape`, which has an id or a number. `issueStatus`: the status, issued or
 * unclear. `rows`: `scattered` if other rows of the document are elsewhere.
 */
export const read = (
  shape: Shape,
  issueStatus: IssueStatus,
  rows: "whole" | "scattered",
  order: number,
  context: Context
): XeroDocument => {
  const { joins, options } = context
  const notes = new XeroNotes()
  const [head] = shape.records
  if (issueStatus._tag === "Unclear") {
    const { answers, code, field, message } = issueStatus
    const particulars = { ...(message !== undefined && { message }), ...(answers && { answers }) }
    notes.add(code, ["kind"], head.at(Document[field]), particulars)
  }
  if (rows === "scattered") notes.add(XeroFinding.XERO_ROWS_SCATTERED, [], head.here)
  reportDisagreement(shape, notes)
  reportDifferingLines(shape, notes)
  reportMissingLines(shape, notes)
  notes.object(head, Document.contact, ["buyer"])
  notes.objects(head, Document.allocations, ["originals"])
  const lineContext = { fields: shape.lineFields, notes, joins, options }
  const lines = shape.lines.map((line, i) => lineOf(line, ["lines", i], lineContext))
  if (shape.form === "document") reportDiscountNowhere(head, lines, notes)
  const stated: SourceDocument.StatedFields = {
    kind: shape.kind,
    id: shape.id ?? shape.number ?? "",
    number: shape.number ?? "",
    order,
    date: dateOf(head, notes),
    due: dueOf(head),
    currency: notes.text(head, Document.currency, ["currency"]) ?? options.currency,
    taxMode: taxModeOf(head, options),
    buyer: buyerOf(shape, joins, options, notes)?.buyer,
    modified: modifiedIn(head),
    lines,
    charges: chargesOf(head, notes),
    totals: totalsOf(head, notes),
    originals: originalsOf(shape, joins, notes).map(({ original }) => original),
    reference: notes.text(head, Document.reference, ["reference"]),
    paymentMethod: payingAccountOf(shape, joins, options, notes)?.value,
    words: filled([...wordsOf(shape).map(({ word }) => word), ...unmappedOf(shape, joins, options)]),
    findings: notes.findings
  }
  reportRefusedBefore(shape, context, notes)
  return new XeroDocument(shape, stated, context)
}

const filled = <Part>(parts: ReadonlyArray<Part>): ReadonlyArray<Part> | undefined =>
  parts.length === 0 ? undefined : parts

export const modifiedIn = (place: JsonPlace): number | undefined => XeroDate.timeOf(place.text(Document.modified) ?? "")

const taxModeOf = (head: JsonPlace, options: XeroLikeOptions): SourceDocument.SourceDocument["taxMode"] => {
  switch (head.upperCase(Document.taxMode)) {
    case "EXCLUSIVE":
      return "exclusive"
    case "INCLUSIVE":
      return "inclusive"
    case "NOTAX":
    case "NO_TAX":
    case "NONE":
      return "untaxed"
    case undefined:
      return options.amounts ?? "unstated"
    default:
      return "unstated"
  }
}

/** DateString is the day itself and takes precedence; Date must agree. */
const dateOf = (head: JsonPlace, notes: XeroNotes): CivilDate.CivilDate | undefined => {
  const text = notes.text(head, Document.date, ["date"])
  const string = notes.text(head, Document.dateString, ["date"])
  const stated = string ?? text
  if (stated === undefined) return undefined
  const date = XeroDate.parse(stated)
  if (Result.isFailure(date)) {
    const code = date.failure === "form" ? XeroFinding.XERO_DATE_FORM : XeroFinding.XERO_DATE_TIME_OF_DAY
    notes.add(code, ["date"], head.at(string === undefined ? Document.date : Document.dateString))
    return undefined
  }
  if (string !== undefined && text !== undefined && !XeroDate.isOfDay(text, date.success)) {
    const detail = `DateString ${string.slice(0, 60)}, Date ${text.slice(0, 60)}`
    notes.add(XeroFinding.XERO_DATES_DIFFER, ["date"], head.at(Document.date), { detail })
  }
  return date.success
}

const dueOf = (head: JsonPlace): CivilDate.CivilDate | undefined => {
  const text = head.text(Document.dueString) ?? head.text(Document.due)
  return text === undefined ? undefined : Result.getOrUndefined(XeroDate.parse(text))
}

const totalsOf = (head: JsonPlace, notes: XeroNotes): SourceDocument.SourceDocument["totals"] => {
  const net = notes.amount(head, Document.net, ["totals", "net"])
  const tax = notes.amount(head, Document.tax, ["totals", "tax"])
  const total = notes.amount(head, Document.total, ["totals", "total"])
  return {
    ...(net !== undefined && { net }),
    ...(tax !== undefined && { tax }),
    ...(total !== undefined && { total })
  }
}

const reportDiscountNowhere = (
  head: JsonPlace,
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  notes: XeroNotes
): void => {
  const total = notes.amount(head, Document.discount, ["totals"])
  if (total === undefined || BigDecimal.isZero(total) || lines.some(({ discount }) => discount !== undefined)) return
  const detail = `TotalDiscount ${Money.formatAmount(total)}, and no line has a discount`
  notes.add(XeroFinding.XERO_DISCOUNTS_DIFFER, ["totals"], head.at(Document.discount), { detail })
}

/**
 * The rounding is the only amount that is not a line. It explains a Total that differs from
 * SubTotal plus TotalTax.
 */
const chargesOf = (head: JsonPlace, notes: XeroNotes): ReadonlyArray<SourceDocument.SourceCharge> => {
  const amount = notes.amount(head, Document.rounding, ["charges", 0, "amount"])
  return amount === undefined || BigDecimal.isZero(amount) ? [] : [{ kind: "rounding", amount, taxes: [] }]
}

const reportMissingLines = ({ lines, records: [head] }: Shape, notes: XeroNotes): void => {
  if (notes.objects(head, Document.lines, ["lines"]) === "malformed" || lines.length > 0) return
  const total = head.text(Document.total) ?? head.text(Document.net) ?? ""
  if (head.has(Document.lines) && /^[-+]?0*(?:\.0*)?$/.test(total)) return
  notes.add(XeroFinding.XERO_LINES_MISSING, ["lines"], head.at(Document.lines))
}

/** Values that all rows of a document must agree on, in addition to the number. */
const shared: ReadonlyArray<readonly [path: string, field: JsonField]> = [
  ["date", Document.date],
  ["date", Document.dateString],
  ["kind", Document.type],
  ["kind", Document.status],
  ["currency", Document.currency],
  ["taxMode", Document.taxMode],
  ["totals/total", Document.total],
  ["totals/tax", Document.tax],
  ["totals/net", Document.net],
  ["buyer", RowContact.id],
  ["buyer/name", RowContact.name]
]

const reportDisagreement = ({ kind, records: [first, ...rest] }: Shape, notes: XeroNotes): void => {
  if (rest.length === 0) return
  for (const [path, field] of [["number", numberFieldOf(kind)] as const, ...shared]) {
    const stated = first.text(field)
    const other = rest.find((row) => row.text(field) !== stated)
    if (other === undefined) continue
    const [one, two] = [stated, other.text(field)].map((text) => text?.slice(0, 60) ?? "nothing")
    notes.add(XeroFinding.XERO_ROWS_DISAGREE, path.split("/"), other.at(field), {
      message: `rows of one document disagree about ${field.key}`,
      detail: `${one} and ${two}`
    })
  }
}

/**
 * Joined tables repeat a line with its id; repetitions with different content are not the same
 * line.
 */
const reportDifferingLines = ({ form, lineFields, lines, records }: Shape, notes: XeroNotes): void => {
  if (form === "document") return
  const first = new Map(
    lines.flatMap((line) => (line.text(lineFields.id) === undefined ? [] : [[line.text(lineFields.id), line]]))
  )
  for (const row of records) {
    const line = first.get(row.text(lineFields.id))
    const field = line && Object.values(lineFields).find((field) => line.text(field) !== row.text(field))
    if (line === undefined || field === undefined) continue
    const detail = `${field.key} ${[line, row].map((place) => place.text(field)?.slice(0, 60) ?? "nothing").join(" and ")}`
    notes.add(XeroFinding.XERO_LINES_DIFFER, ["lines"], row.at(field), { detail })
  }
}
