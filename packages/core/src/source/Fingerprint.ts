/** What the export states, as one short text: equal fingerprints mean that nothing has changed that its receipt would keep. */
import { BigDecimal, DateTime } from "effect"
import { hash } from "node:crypto"
import * as Instant from "../document/Instant.ts"
import { formatPlain } from "../document/Money.ts"
import type { SourceBuyer, SourceDocument, SourceTax } from "./SourceDocument.ts"

/** JSON text with the fields of every object in the order of their names; fields without a value are left out. */
const canonical = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (BigDecimal.isBigDecimal(value)) return `"${formatPlain(value)}"`
  if (DateTime.isDateTime(value))
    return `"${DateTime.isZoned(value) ? Instant.format(value) : DateTime.formatIso(value)}"`
  const fields = value as Readonly<Record<string, unknown>>
  let text = ""
  for (const name of Object.keys(fields).toSorted()) {
    const field = fields[name]
    if (field !== undefined) text += `${text === "" ? "" : ","}"${name}":${canonical(field)}`
  }
  return `{${text}}`
}

/**
 * `lasting`: on the receipt for good. `passing`: what accounting systems go on changing after issue (docs/decisions/004). A new field of
 * SourceDocument does not compile until it stands here or among the exceptions.
 */
const statements: Record<
  Exclude<keyof SourceDocument, "_tag" | "order" | "findings" | "where">,
  "lasting" | "passing"
> = {
  kind: "lasting",
  id: "lasting",
  number: "lasting",
  date: "lasting",
  currency: "lasting",
  amounts: "lasting",
  buyer: "lasting",
  lines: "lasting",
  charges: "lasting",
  totals: "lasting",
  reason: "lasting",
  reference: "passing",
  originals: "passing",
  paymentMethod: "passing"
}
const stated = Object.keys(statements) as Array<keyof typeof statements>
const lasting = stated.filter((field) => statements[field] === "lasting")

const pick = (source: SourceDocument, fields: typeof stated) =>
  Object.fromEntries(fields.map((field) => [field, source[field]]))

const filled = (text: string | undefined) => text?.trim() || undefined

/** A taxpayer is who the TIN says; of a buyer without one the name is all there is. */
const identityOf = ({ name, tin, vatNumber }: SourceBuyer) => ({
  tin: filled(tin),
  vatNumber: filled(vatNumber),
  name: filled(tin) === undefined ? filled(name) : undefined
})

/** Percents are compared with the book's and never used, and may come from another file than the document. */
const withoutPercents = <Taxed extends { readonly taxes: ReadonlyArray<SourceTax> }>(taxed: Taxed) => ({
  ...taxed,
  taxes: taxed.taxes.map(({ amount, code }) => ({ code, amount }))
})

/**
 * SHA-256 over what a receipt keeps of the source's statement: kind, number, date, currency, lines, charges, totals, who the buyer is, a credit
 * note's reason. Payment, allocations, contact details and an invoice's reference are no part of it, and neither are the document's place in
 * the export, the assigned time and the book's output (DESIGN, Submission: states; docs/decisions/004).
 */
export const fingerprint = (source: SourceDocument): string => {
  const { buyer, charges, kind, lines, reason, reference } = source
  const facts = {
    ...pick(source, lasting),
    buyer: buyer && identityOf(buyer),
    lines: lines.map(withoutPercents),
    charges: charges.map(withoutPercents),
    reason: kind === "credit-note" ? (filled(reason) ?? filled(reference)) : undefined
  }
  return hash("sha256", canonical(facts))
}

/** Everything the export states of a document, wherever it stands: of two documents of one wording, one is enough. */
export const wording = (source: SourceDocument): string => canonical(pick(source, stated))
