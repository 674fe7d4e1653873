/** Compares the device's taxes with the book's. Percents are compared as decimals. Pure. */
import { BigDecimal, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { ApplicableTax } from "../gateway/operation/FiscalDevice.ts"
import type { BookTax, MappingBook } from "./MappingBook.ts"
import { MappingFinding } from "./MappingFinding.ts"

const samePercent = Option.makeEquivalence(BigDecimal.Equivalence)

const percentText = (percent: Money.Money | null) => (percent === null ? "exempt" : `${Money.formatPlain(percent)} %`)

export const ofCode = (
  code: string,
  book: MappingBook,
  deviceTaxes: ReadonlyArray<ApplicableTax>,
  today: CivilDate
): ReadonlyArray<Finding.Finding> =>
  book.taxes.filter((tax) => tax.code === code).flatMap((tax) => ofEntry(tax, deviceTaxes, today))

const ofEntry = (
  tax: BookTax,
  deviceTaxes: ReadonlyArray<ApplicableTax>,
  today: CivilDate
): ReadonlyArray<Finding.Finding> => {
  const ofId = deviceTaxes.filter(({ taxId }) => taxId === tax.device)
  if (ofId.length === 0) {
    const isOver = tax.until !== undefined && tax.until < today
    const yet = tax.since !== undefined && tax.since > today ? " yet" : ""
    const message = `${tax.code} is device tax ${tax.device}, which the device does not have${yet}`
    const detail = `it has ${deviceTaxes.map(({ taxId }) => taxId).join(", ")}`
    return [
      Finding.make(isOver ? MappingFinding.DEVICE_TAX_ENDED : MappingFinding.DEVICE_TAX_GONE, { message, detail })
    ]
  }
  const same = ofId.filter(({ taxPercent }) =>
    samePercent(Option.fromNullOr(taxPercent), Option.fromNullOr(tax.percent))
  )
  if (same.length > 0) return periodDrift(tax, same)
  const has = ofId.map(({ taxPercent }) => percentText(taxPercent)).join(", ")
  const message = `${tax.code} is ${percentText(tax.percent)} in the book, device tax ${tax.device} is ${has}`
  return [Finding.make(MappingFinding.DEVICE_TAX_PERCENT, { message })]
}

const periodDrift = (tax: BookTax, same: ReadonlyArray<ApplicableTax>): ReadonlyArray<Finding.Finding> => {
  const from = least(same.map(({ taxValidFrom }) => taxValidFrom ?? ""))
  const till = greatest(same.map(({ taxValidTill }) => taxValidTill ?? "9999"))
  const outside = [
    ...((tax.since ?? "") < from ? [`before ${from}`] : []),
    ...((tax.until ?? "9999") > till ? [`after ${till}`] : [])
  ]
  if (outside.length === 0) return []
  const book = `${tax.since ?? "…"} to ${tax.until ?? "…"}`
  return [
    Finding.make(MappingFinding.DEVICE_TAX_PERIOD, {
      message: `${tax.code} is used ${outside.join(" and ")}, when the device does not apply tax ${tax.device}`,
      detail: `book ${book}, device ${from || "…"} to ${till === "9999" ? "…" : till}`
    })
  ]
}

const least = (texts: ReadonlyArray<string>) => texts.reduce((a, b) => (b < a ? b : a))
const greatest = (texts: ReadonlyArray<string>) => texts.reduce((a, b) => (b > a ? b : a))

/**
 * Returns findings for device taxes that the book does not name and that documents from today on
 * could need.
 */
export const unnamed = (
  book: MappingBook,
  deviceTaxes: ReadonlyArray<ApplicableTax>,
  today: CivilDate
): ReadonlyArray<Finding.Finding> =>
  deviceTaxes
    .filter(
      ({ taxId, taxValidTill }) =>
        (taxValidTill ?? "9999") >= today && !book.taxes.some(({ device }) => device === taxId)
    )
    .map(({ taxId, taxName, taxPercent, taxValidFrom }) => {
      const from = taxValidFrom === null ? "" : ` from ${taxValidFrom}`
      const message = `the device has tax ${taxId} ${taxName ?? ""} (${percentText(taxPercent)})${from}, and no entry names it`
      return Finding.make(MappingFinding.DEVICE_TAX_UNNAMED, { message })
    })
