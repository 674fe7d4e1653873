/**
 * Laws of every plan and every receipt, checked in integers and with the figures of the wire; each
 * check returns the broken laws.
 */
import * as CivilDate from "../../packages/core/src/document/CivilDate.ts"
import { formatAmount, type Money } from "../../packages/core/src/document/Money.ts"
import type { ImportEntry } from "../../packages/core/src/import/ImportEntry.ts"
import type { ImportPlan } from "../../packages/core/src/import/ImportPlan.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import type { PlannedDocument } from "../../packages/core/src/submission/PlannedDocument.ts"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { BigDecimal, DateTime } from "effect"
import { taxes } from "./TaxTypes.ts"
import { type Document, isIssued, taxOf } from "./XeroExport.ts"
import * as WrittenDocument from "../../packages/core/src/document/WrittenDocument.ts"

const cents = (amount: Money): bigint => {
  const { scale, value } = BigDecimal.normalize(amount)
  return value * 10n ** BigInt(2 - scale)
}

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((a, b) => a + b, 0n)

/** Returns the device's tax (DOC-7): lines summed per device tax, rounded once. */
const deviceTax = ({ document }: PlannedDocument): bigint => {
  const { payload } = WrittenDocument.read(document)
  const groups = Map.groupBy(payload.lineItems, ({ taxCode }) => taxes.find(({ code }) => code === taxCode)!.device)
  const mode = payload.isTaxInclusive ? "Inclusive" : "Exclusive"
  return sum(
    Array.from(groups, ([device, lines]) =>
      taxOf(
        sum(lines.map(({ lineAmount }) => cents(lineAmount))),
        taxes.find((tax) => tax.device === device)!,
        mode
      )
    )
  )
}

/** Plan with its documents in memory. */
export interface Plan extends Pick<ImportPlan, "unattached"> {
  readonly entries: ReadonlyArray<ImportEntry>
}

type PlannedEntry = Extract<ImportEntry, { _tag: "Planned" }>

const plannedIn = ({ entries }: Plan): ReadonlyArray<PlannedEntry> =>
  entries.filter((entry) => entry._tag === "Planned")

/**
 * Returns the laws that a plan breaks. Every issued document is in the plan. TotalTax is the
 * device's and SubTotal is Total − TotalTax. Total is the source's, and so is TotalTax unless the
 * book restates it. The day of the source is the day of the receipt.
 */
export const brokenByPlan = (
  plan: Plan,
  documents: ReadonlyArray<Document>,
  { rounding, zone }: Pick<MappingBook, "rounding" | "zone">
): Array<string> => {
  const issued = documents.filter(isIssued)
  const statedBy = new Map(issued.map((document) => [document.id, document]))
  const entries = plannedIn(plan).flatMap(({ planned, source }) => {
    const { receiptDate, sourceDate } = planned
    const { subTotal, total, totalTax } = WrittenDocument.read(planned.document).payload
    const stated = statedBy.get(source.id)
    if (stated === undefined) return [`${source.number}: not issued, and planned`]
    const day = receiptDate === "at-submission" ? "no day" : CivilDate.of(DateTime.setZone(receiptDate, zone))
    const laws: ReadonlyArray<readonly [holds: boolean, otherwise: string]> = [
      [cents(totalTax) === deviceTax(planned), `TotalTax ${formatAmount(totalTax)} is not the device's`],
      [cents(subTotal) === cents(total) - cents(totalTax), "SubTotal is not Total − TotalTax"],
      [cents(total) === stated.total, `Total ${formatAmount(total)} is not the source's`],
      [rounding === "as-inclusive" || cents(totalTax) === stated.totalTax, "TotalTax is not the source's"],
      [sourceDate === stated.day && day === stated.day, `${stated.day} has become ${sourceDate}, ${day}`],
      [planned.held === null || planned.heldCause === "original", `held: ${planned.held}`]
    ]
    return laws.flatMap(([holds, otherwise]) => (holds ? [] : [`${source.number}: ${otherwise}`]))
  })
  return [
    ...(plan.entries.length === issued.length ? [] : [`${issued.length} documents, ${plan.entries.length} read`]),
    ...plan.unattached.map(({ message }) => `outside any document: ${message}`),
    ...entries
  ]
}

/**
 * Codes of sums: a receipt with such a mark would show a difference between our arithmetic and the
 * device's.
 */
const sums: ReadonlySet<string> = new Set(["RCPT019", "RCPT026", "RCPT027", "RCPT037", "RCPT038"])

/**
 * Returns the laws that receipts break. Every planned document that is not held has one receipt,
 * with its own tax; no receipt is red, or marked for its sums.
 */
export const brokenByReceipts = (plan: Plan, receipts: ReadonlyArray<IssuedReceipt>): Array<string> => {
  const receiptOf = new Map(receipts.map((receipt) => [receipt.documentId, receipt]))
  const due = plannedIn(plan).filter(({ planned }) => planned.held === null)
  return [
    ...(receipts.length === due.length ? [] : [`${due.length} documents to send, ${receipts.length} receipts`]),
    ...due.flatMap(({ planned: { document }, source }) => {
      const receipt = receiptOf.get(source.id)
      if (receipt === undefined) return [`${source.number}: no receipt`]
      const tax = sum(receipt.groups.map(({ tax }) => cents(tax)))
      return tax === cents(WrittenDocument.read(document).payload.totalTax)
        ? []
        : [`${source.number}: the device has another tax`]
    }),
    ...receipts.flatMap(({ documentNumber, marks }) =>
      marks.flatMap(({ code, colour, message }) =>
        colour === "red" || sums.has(code) ? [`${documentNumber}: ${code} ${message}`] : []
      )
    )
  ]
}
