/** What the export states, as one short text: equal fingerprints mean that nothing has changed that its receipt would keep. */
import { BigDecimal, DateTime } from "effect"
import { hash } from "node:crypto"
import * as Instant from "../document/Instant.ts"
import { quoted } from "../document/JsonText.ts"
import { formatPlain } from "../document/Money.ts"
import type { SourceBuyer, SourceDocument, SourceLine, SourceTax } from "./SourceDocument.ts"

/** JSON text with the fields of every object in the order of their names; fields without a value are left out. */
const canonical = (value: unknown): string => {
  if (typeof value === "string") return quoted(value)
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (BigDecimal.isBigDecimal(value)) return `"${formatPlain(value)}"`
  if (DateTime.isDateTime(value))
    return `"${DateTime.isZoned(value) ? Instant.format(value) : DateTime.formatIso(value)}"`
  const fields = value as Readonly<Record<string, unknown>>
  let text = ""
  for (const name of inOrder(Object.keys(fields))) {
    const field = fields[name]
    if (field !== undefined) text += `${text === "" ? "" : ","}"${name}":${canonical(field)}`
  }
  return `{${text}}`
}

/** Most objects are written down in that order here, and looking is cheaper than sorting. */
const inOrder = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.every((name, i) => i === 0 || names[i - 1]! < name) ? names : names.toSorted()

/**
 * `lasting`: on the receipt for good. `passing`: what accounting systems go on changing after issue (docs/decisions/004). A new field of
 * SourceDocument does not compile until it stands here or among the exceptions.
 */
const statements: Record<
  Exclude<keyof SourceDocument, "_tag" | "order" | "modified" | "findings" | "where">,
  "lasting" | "passing"
> = {
  buyer: "lasting",
  charges: "lasting",
  currency: "lasting",
  date: "lasting",
  id: "lasting",
  kind: "lasting",
  lines: "lasting",
  number: "lasting",
  originals: "passing",
  paymentMethod: "passing",
  reason: "lasting",
  reference: "passing",
  taxMode: "lasting",
  totals: "lasting"
}
const stated = Object.keys(statements) as Array<keyof typeof statements>
const lasting = stated.filter((field) => statements[field] === "lasting")
const passing = stated.filter((field) => statements[field] === "passing")

/** Stored fingerprints were made when the tax mode was called so, and a line's price `unitAmount`; another name would make every document another. */
const taxModeAsHashed = "amounts"

const pick = (source: SourceDocument, fields: typeof stated) => {
  const picked: Record<string, unknown> = {}
  for (const field of fields) picked[field === "taxMode" ? taxModeAsHashed : field] = source[field]
  return picked
}

const filled = (text: string | undefined) => text?.trim() || undefined

/** A taxpayer is who the TIN says; of a buyer without one the name is all there is. */
const identityOf = ({ name, tin, vatNumber }: SourceBuyer) => ({
  tin: filled(tin),
  vatNumber: filled(vatNumber),
  name: filled(tin) === undefined ? filled(name) : undefined
})

/** Percents are compared with the book's and never used, and may come from another file than the document. */
const withoutPercents = (taxes: ReadonlyArray<SourceTax>) => taxes.map(({ amount, code }) => ({ amount, code }))

const factsOfLine = (line: SourceLine): Record<Exclude<keyof SourceLine, "unitPrice"> | "unitAmount", unknown> => ({
  // decides a tax as the book does, and is on no receipt
  account: undefined,
  description: line.description,
  discount: line.discount,
  lineAmount: line.lineAmount,
  productCode: line.productCode,
  quantity: line.quantity,
  taxes: withoutPercents(line.taxes),
  // compared with what is sent, and no part of it
  totals: undefined,
  unitAmount: line.unitPrice
})

/**
 * SHA-256 over what a receipt keeps of the source's statement: kind, number, date, currency, lines, charges, totals, who the buyer is, a credit
 * note's reason. Payment, allocations, contact details and an invoice's reference are no part of it, and neither are the document's place in
 * the export, the assigned time and the book's output (docs/architecture.md#key; docs/decisions/004).
 */
export const fingerprint = (source: SourceDocument): string => {
  const { buyer, charges, kind, lines, reason, reference } = source
  const facts = {
    ...pick(source, lasting),
    buyer: buyer && identityOf(buyer),
    lines: lines.map(factsOfLine),
    charges: charges.map((charge) => ({ ...charge, taxes: withoutPercents(charge.taxes) })),
    reason: kind === "credit-note" ? (filled(reason) ?? filled(reference)) : undefined
  }
  return hash("sha256", canonical(facts))
}

/**
 * Everything the export states of a document, wherever it stands: of two documents of one wording, one is enough. `print` is its fingerprint,
 * and what that leaves out follows.
 */
export const wording = (source: SourceDocument, print = fingerprint(source)): string => {
  const { buyer, charges, lines, reason } = source
  const percents = [...lines, ...charges].map(({ taxes }) => taxes.map(({ percent }) => percent))
  const accounts = lines.map(({ account }) => account)
  const figures = lines.some(({ totals }) => totals !== undefined) ? lines.map(({ totals }) => totals) : undefined
  return `${print} ${canonical({ ...pick(source, passing), accounts, buyer, figures, percents, reason })}`
}
