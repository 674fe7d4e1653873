/** The buyer as the wire takes it: missing values null, lengths and number forms checked, an incomplete address left out and said. */
import type { Address, BuyerContact } from "../document/BuyerContact.ts"
import { addressOf, type MappingBook } from "../mapping/MappingBook.ts"
import type { SourceBuyer } from "../source/SourceDocument.ts"
import type { Report } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const text = (value: string | undefined): string | null => value?.trim() || null

const limits = { name: 250, tradeName: 250, phone: 20, email: 100 } as const
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
  for (const field of Object.keys(limits) as Array<keyof typeof limits>) {
    if ((contact[field]?.length ?? 0) > limits[field]) tooLong(report, ["buyer", field], field, limits[field])
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
  for (const part of addressParts) {
    if ((parts[part]?.length ?? 0) > 100) tooLong(report, ["buyer", "address", part], `address ${part}`, 100)
  }
  return parts
}
