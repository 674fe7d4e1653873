/**
 * Plain objects of a program (DocumentInput) become readings. Invalid input neither throws nor
 * leads to a guess.
 */
import { BigDecimal, DateTime, Effect, Stream } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import { AdapterBroke, AdapterError, type Reading } from "./Adapter.ts"
import type { Documents } from "./DocumentInput.ts"
import { isObject } from "./Expectation.ts"
import { InputFinding } from "./InputFinding.ts"
import { PlainFields } from "./PlainFields.ts"
import type { SourceBuyer, SourceCharge, SourceDocument, SourceLine, SourceTax } from "./SourceDocument.ts"

/** Name in places instead of a file name: `documents /3/lines/0/quantity`. */
const file = "documents"

/**
 * Returns the readings. Documents that can be read only once (a cursor, a generator) give no
 * readings the second time. `onThrown` gets an exception of the documents' iterator, which the
 * AdapterError does not quote.
 */
export const readings = (
  documents: Documents,
  onThrown: (thrown: unknown) => void = () => {}
): Stream.Stream<Reading, AdapterError> => {
  let isSpent = false
  const failed = (thrown: unknown): AdapterError => {
    onThrown(thrown)
    return broke(thrown)
  }
  const opened = Effect.try({
    try: () => (Symbol.asyncIterator in documents ? documents[Symbol.asyncIterator]() : documents[Symbol.iterator]()),
    catch: failed
  })
  const read = Effect.map(opened, (iterator) => {
    // an object with itself as iterator is read once
    isSpent = (iterator as unknown) === documents
    const from: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => iterator.next(),
        return: async () => {
          await iterator.return?.()
          return { done: true, value: undefined }
        }
      })
    }
    return Stream.map(Stream.zipWithIndex(Stream.fromAsyncIterable(from, failed)), ([given, index]) =>
      reading(given, index)
    )
  })
  return Stream.suspend(() => (isSpent ? Stream.empty : Stream.unwrap(read)))
}

/** The id and the number are required, because the voided document must be identified. */
const cancelled = (
  fields: PlainFields,
  findings: ReadonlyArray<Finding.Finding>,
  where: (path: Finding.Path) => Provenance
): Reading => {
  fields.oneOf("kind", ["cancelled"])
  const kind = fields.oneOf("of", ["invoice", "credit-note"])
  const id = fields.identity("id")
  const number = fields.identity("number")
  const [replaces] = namedBy(fields.object("replaces"))
  const [wrong] = findings
  if (wrong !== undefined || kind === undefined) {
    return { ...Finding.make(InputFinding.INPUT_VALUE), ...wrong, at: where(wrong?.path ?? []) }
  }
  return {
    _tag: "Skipped",
    key: number,
    reason: "cancelled in the source",
    at: where([]),
    cancelled: { kind, id, number, ...(replaces !== undefined && { replaces }) }
  }
}

/** The exception's text is dropped: it belongs to the calling program and may name a buyer. */
const broke = (thrown: unknown): AdapterError =>
  new AdapterError({
    adapter: file,
    reason: new AdapterBroke({
      file,
      document: "while the documents were handed over",
      problem: thrown instanceof Error ? thrown.name : "it threw a value that is not an Error"
    })
  })

const reading = (given: unknown, order: number): Reading => {
  const where = (path: Finding.Path): Provenance => ({ file, pointer: `/${[order, ...path].join("/")}` })
  if (!isObject(given)) {
    return Finding.make(InputFinding.INPUT_VALUE, { message: "a document is not an object", at: where([]) })
  }
  const findings: Array<Finding.Finding> = []
  const fields = new PlainFields(given, [], findings)
  if ((given as { readonly kind?: unknown }).kind === "cancelled") return cancelled(fields, findings, where)
  const kind = fields.oneOf("kind", ["invoice", "credit-note"]) ?? "invoice"
  const date = fields.date("date", "required")
  const modified = fields.date("modified", "optional")
  const currency = fields.text("currency", "required")
  const buyer = buyerOf(fields.object("buyer"))
  const original = kind === "credit-note" ? namedBy(fields.object("original")) : []
  const reason = kind === "credit-note" ? fields.text("reason", "optional") : undefined
  const [replaces] = namedBy(fields.object("replaces"))
  const reference = fields.text("reference", "optional")
  const paymentMethod = fields.text("paymentMethod", "optional")
  const document: SourceDocument = {
    _tag: "SourceDocument",
    kind,
    id: fields.identity("id"),
    number: fields.identity("number"),
    order,
    taxMode: fields.oneOf("taxMode", ["inclusive", "exclusive", "untaxed"]) ?? "unstated",
    lines: fields.list("lines", "required").map(lineOf),
    charges: fields.list("charges", "optional").map(chargeOf),
    totals: totalsOf(fields.object("totals")),
    originals: original,
    ...(date !== undefined && { date }),
    ...(currency !== undefined && { currency }),
    ...(buyer !== undefined && { buyer }),
    ...(reason !== undefined && { reason }),
    ...(replaces !== undefined && { replaces }),
    ...(reference !== undefined && { reference }),
    ...(paymentMethod !== undefined && { paymentMethod }),
    ...(modified !== undefined && typeof modified !== "string" && { modified: DateTime.toEpochMillis(modified) }),
    findings,
    where
  }
  if (typeof modified === "string") {
    findings.push(Finding.make(InputFinding.INPUT_DATE, { path: ["modified"], detail: "a time with its offset" }))
  }
  fields.close()
  return { ...document, findings: findings.map((finding) => ({ ...finding, at: where(finding.path) })) }
}

const filled = <A extends object>(fields: { readonly [Name in keyof A]: A[Name] | undefined }): A =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as A

const lineOf = (fields: PlainFields): SourceLine => {
  const discount = fields.object("discount")
  const line = filled<SourceLine>({
    description: fields.text("description", "required"),
    quantity: fields.decimal("quantity", "required"),
    unitPrice: fields.decimal("unitPrice", "required"),
    lineAmount: fields.decimal("amount", "optional"),
    productCode: fields.text("productCode", "optional"),
    account: fields.text("account", "optional"),
    discount: discount && discountOf(discount),
    taxes: [taxOf(fields.text("taxCode", "required") ?? "", fields.object("tax"))]
  })
  fields.close()
  return line
}

const discountOf = (fields: PlainFields): NonNullable<SourceLine["discount"]> | undefined => {
  const percent = fields.decimal("percent", "optional")
  const amount = percent === undefined ? fields.decimal("amount", "required") : undefined
  fields.close()
  return percent !== undefined ? { percent } : amount !== undefined ? { amount } : undefined
}

const taxOf = (code: string, fields: PlainFields | undefined): SourceTax => {
  const tax = filled<SourceTax>({
    code,
    percent: fields?.decimal("percent", "optional"),
    amount: fields?.decimal("amount", "optional")
  })
  fields?.close()
  return tax
}

const chargeOf = (fields: PlainFields): SourceCharge => {
  const code = fields.text("taxCode", "optional")
  const charge = {
    kind: fields.oneOf("kind", ["shipping", "fee", "adjustment", "rounding", "discount"]) ?? "adjustment",
    amount: fields.decimal("amount", "required") ?? BigDecimal.make(0n, 0),
    taxes: code === undefined ? [] : [{ code }]
  } as const
  fields.close()
  return charge
}

const buyerOf = (fields: PlainFields | undefined): SourceBuyer | undefined => {
  if (fields === undefined) return undefined
  const address = fields.object("address")
  const place = address && filled<NonNullable<SourceBuyer["address"]>>(textsOf(address, addressFields))
  address?.close()
  const buyer = filled<SourceBuyer>({ ...textsOf(fields, buyerFields), address: place })
  fields.close()
  return buyer
}

const buyerFields = ["name", "tradeName", "tin", "vatNumber", "phone", "email"] as const
const addressFields = ["province", "street", "houseNo", "city"] as const

const textsOf = <Name extends string>(fields: PlainFields, names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, fields.text(name, "optional")])) as Record<Name, string | undefined>

const totalsOf = (fields: PlainFields | undefined): SourceDocument["totals"] => {
  if (fields === undefined) return {}
  const totals = filled<SourceDocument["totals"]>({
    net: fields.decimal("net", "optional"),
    tax: fields.decimal("tax", "optional"),
    total: fields.decimal("total", "optional")
  })
  fields.close()
  return totals
}

const namedBy = (
  fields: PlainFields | undefined
): ReadonlyArray<{ readonly by: "id" | "number"; readonly value: string }> => {
  if (fields === undefined) return []
  const id = fields.text("id", "optional")
  const number = id === undefined ? fields.text("number", "required") : undefined
  fields.close()
  if (id !== undefined) return [{ by: "id", value: id }]
  return number === undefined ? [] : [{ by: "number", value: number }]
}
