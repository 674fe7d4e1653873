/** The buyer as the wire takes it: missing values null, names and number forms checked, contact details it has no room for left out and said. */
import type { Address, BuyerContact } from "../document/BuyerContact.ts"
import { addressOf, type MappingBook } from "../mapping/MappingBook.ts"
import type { SourceBuyer } from "../source/SourceDocument.ts"
import type { Report } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const text = (value: string | undefined): string | null => value?.trim() || null

const nameLimit = 250
const contactLimits = { phone: 20, email: 100 } as const
const addressParts = ["province", "street", "houseNo", "city"] as const

/** Null for a walk-in: a buyer of whom the source states nothing (DOC-16). */
export const translateBuyer = (
  buyer: SourceBuyer | undefined,
  book: MappingBook,
  report: Report
): BuyerContact | null => {
  if (buyer === undefined) return null
  const tin = text(buyer.tin)
  const contact = {
    name: tin === null ? cashName(text(buyer.name), book) : text(buyer.name),
    tradeName: text(buyer.tradeName),
    tin,
    vatNumber: text(buyer.vatNumber),
    phone: text(buyer.phone),
    email: text(buyer.email),
    address: translateAddress(buyer.address, book, report)
  }
  if (Object.values(contact).every((value) => value === null)) return null
  for (const field of ["name", "tradeName"] as const) {
    if ((contact[field]?.length ?? 0) > nameLimit) tooLong(report, ["buyer", field], field, nameLimit)
  }
  for (const field of ["phone", "email"] as const) {
    const limit = contactLimits[field]
    if ((contact[field]?.length ?? 0) <= limit) continue
    contact[field] = null
    leftOut(report, ["buyer", field], `the buyer's ${field} is left out: it is longer than ${limit} characters`)
  }
  if (contact.tin !== null && !/^\d{10}$/.test(contact.tin)) {
    report.add(TranslateFinding.BUYER_FORM, ["buyer", "tin"], { message: "a buyer's TIN does not have 10 digits" })
  }
  if (contact.vatNumber !== null && !/^\d{9}$/.test(contact.vatNumber)) {
    report.add(TranslateFinding.BUYER_FORM, ["buyer", "vatNumber"], {
      message: "a buyer's VAT number does not have 9 digits"
    })
  }
  return contact
}

const cashName = (name: string | null, { defaults: { cashBuyer } }: MappingBook): string | null =>
  name === null || cashBuyer === null ? name : cashBuyer.replaceAll("{name}", () => name)

export const tooLong = (report: Report, path: ReadonlyArray<string | number>, what: string, limit: number) =>
  report.add(TranslateFinding.LENGTH_EXCEEDED, path, { message: `${what} is longer than ${limit} characters` })

const leftOut = (report: Report, path: ReadonlyArray<string>, message: string) =>
  report.add(TranslateFinding.CONTACT_LEFT_OUT, path, { message })

const translateAddress = (address: SourceBuyer["address"], book: MappingBook, report: Report): Address | null => {
  if (address === undefined) return null
  const parts = addressOf(book, {
    province: text(address.province),
    street: text(address.street),
    houseNo: text(address.houseNo),
    city: text(address.city)
  })
  const missing = addressParts.filter((part) => parts[part] === null)
  if (missing.length === addressParts.length) return null
  if (missing.length > 0) {
    report.add(TranslateFinding.ADDRESS_INCOMPLETE, ["buyer", "address"], { detail: `missing: ${missing.join(", ")}` })
    return null
  }
  const overlong = addressParts.filter((part) => (parts[part]?.length ?? 0) > 100)
  for (const part of overlong) {
    const message = `the buyer's address is left out: ${part} is longer than 100 characters`
    leftOut(report, ["buyer", "address", part], message)
  }
  return overlong.length > 0 ? null : parts
}
