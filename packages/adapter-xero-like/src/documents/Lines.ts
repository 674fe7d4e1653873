import { BigDecimal } from "effect"
import { type Finding, Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { decimalOf } from "@fiscal-connector/adapter-kit/unstable/json/DecimalText"
import type { XeroLineFields } from "../values/Fields.ts"
import type { Joins } from "../joins/Joins.ts"
import type { XeroNotes } from "../values/Notes.ts"
import type { JsonPlace } from "../json/Place.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

export interface LineContext {
  readonly fields: XeroLineFields
  readonly notes: XeroNotes
  readonly joins: Joins
  readonly options: XeroLikeOptions
}

type WritableXeroLine<A> = { -readonly [Key in keyof A]: A[Key] }

export const lineOf = (place: JsonPlace, path: Finding.Path, context: LineContext): SourceDocument.SourceLine => {
  const { fields, notes, options } = context
  const description = notes.text(place, fields.description, path, "description")
  const quantity = notes.amount(place, fields.quantity, path, "quantity")
  const unitPrice = notes.amount(place, fields.unitPrice, path, "unitPrice")
  const lineAmount = notes.amount(place, fields.lineAmount, path, "lineAmount")
  const discount = discountOf(place, path, context)
  const productCode = options.productCode === "item-code" ? productCodeOf(place, path, context) : undefined
  const account = place.text(fields.accountCode)
  const wholeTax = place.text(fields.taxType) === undefined ? decimalOf(place.text(fields.taxAmount)) : undefined
  const taxes = taxesOf(place, path, context)
  const line: Partial<WritableXeroLine<SourceDocument.SourceLine>> = {}
  if (description !== undefined) line.description = description
  if (quantity !== undefined) line.quantity = quantity
  if (unitPrice !== undefined) line.unitPrice = unitPrice
  if (lineAmount !== undefined) line.lineAmount = lineAmount
  if (discount !== undefined) line.discount = discount
  const stated = Object.assign(line, { taxes })
  if (productCode !== undefined) stated.productCode = productCode
  if (account !== undefined) stated.account = account
  // without a tax type, the tax amount belongs to no stated tax
  if (wholeTax !== undefined) stated.totals = { tax: wholeTax }
  return stated
}

const productCodeOf = (place: JsonPlace, path: Finding.Path, { fields, notes }: LineContext): string | undefined =>
  notes.text(place, fields.itemCode, path, "productCode") ?? place.inner(fields.item)?.text(fields.code)

/** A rate takes precedence over its amount, unless the line says that the amount was entered. */
const discountOf = (
  place: JsonPlace,
  path: Finding.Path,
  { fields, notes }: LineContext
): SourceDocument.SourceLine["discount"] => {
  const percent = notes.amount(place, fields.discountRate, path, "discount")
  const amount = notes.amount(place, fields.discountAmount, path, "discount")
  const hasPercent = percent !== undefined && !BigDecimal.isZero(percent)
  const hasAmount = amount !== undefined && !BigDecimal.isZero(amount)
  if (hasPercent && hasAmount) {
    const [quantity, unitPrice] = [decimalOf(place.text(fields.quantity)), decimalOf(place.text(fields.unitPrice))]
    const due = BigDecimal.multiply(BigDecimal.multiply(quantity ?? Money.zero, unitPrice ?? Money.zero), percent)
    const off = BigDecimal.subtract(BigDecimal.abs(amount), BigDecimal.abs(BigDecimal.multiply(due, Money.cent)))
    if (BigDecimal.isGreaterThan(BigDecimal.abs(off), Money.cent)) {
      const detail = `${Money.formatPlain(percent)} % and ${Money.formatPlain(amount)}`
      notes.add(XeroFinding.XERO_DISCOUNTS_DIFFER, [...path, "discount"], place.at(fields.discountAmount), { detail })
    }
  }
  const isAmount = place.value(fields.discountIsPercent) !== undefined && !place.is(fields.discountIsPercent)
  if (hasPercent && !(hasAmount && isAmount)) return { percent }
  return hasAmount ? { amount } : undefined
}

/**
 * The tax type is an opaque spelling for the mapping book; the percent comes from the export's tax
 * rates.
 */
const taxesOf = (
  place: JsonPlace,
  path: Finding.Path,
  { fields, joins, notes }: LineContext
): ReadonlyArray<SourceDocument.SourceTax> => {
  const code = notes.text(place, fields.taxType, path, "taxes")
  const amount = notes.amount(place, fields.taxAmount, path, "taxes", 0, "amount")
  if (code === undefined) return []
  const percent = joins.percents.get(code)
  if (percent === "differ") {
    notes.add(XeroFinding.XERO_TAX_RATES_DIFFER, [...path, "taxes"], place.at(fields.taxType), {
      message: `the tax rates of the export give the tax type "${code}" two percents`
    })
  }
  return [
    {
      code,
      ...(percent !== undefined && percent !== "differ" && { percent }),
      ...(amount !== undefined && { amount })
    }
  ]
}
