/**
 * Missing values become null, names and numbers are checked, and contact details that do not fit
 * are left out with a warning.
 */
import type { Address, BuyerContact } from "../document/BuyerContact.ts"
import type { Path } from "../finding/Finding.ts"
import { addressOf, type MappingBook } from "../mapping/MappingBook.ts"
import type { SourceBuyer } from "../source/SourceDocument.ts"
import type { TranslationNotes } from "./Report.ts"
import { isSendable, sendable } from "./Texts.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const text = (value: string | undefined): string | null => value?.trim() || null

const ofBuyer: Path = ["buyer"]
const ofAddress: Path = ["buyer", "address"]

const sendableText = (
  value: string | undefined,
  of: Path,
  field: string,
  book: MappingBook,
  report: TranslationNotes
): string | null => {
  const stated = text(value)
  return stated === null || isSendable(stated) ? stated : sendable(stated, [...of, field], book, report)
}

/** Maximum characters of names, phone and email (DOC-11). */
const nameLimit = 250
const contactLimits = { phone: 20, email: 100 } as const
const addressParts = ["province", "street", "houseNo", "city"] as const

/** Translates the buyer. Null for a walk-in, a buyer without any stated data (DOC-16). */
export const translateBuyer = (
  buyer: SourceBuyer | undefined,
  book: MappingBook,
  report: TranslationNotes
): BuyerContact | null => {
  if (buyer === undefined) return null
  const own = (field: "name" | "tradeName" | "phone" | "email") =>
    sendableText(buyer[field], ofBuyer, field, book, report)
  const tin = whole("tin", text(buyer.tin), book, report)
  const contact = {
    name: tin === null ? cashName(own("name"), book) : own("name"),
    tradeName: own("tradeName"),
    tin,
    vatNumber: whole("vatNumber", text(buyer.vatNumber), book, report),
    phone: own("phone"),
    email: own("email"),
    address: translateAddress(buyer.address, book, report)
  }
  if (isBlank(contact)) return null
  const isNameless = contact.name === null && contact.tin === null && contact.vatNumber === null
  if (isNameless && book.policies.namelessBuyers === "walk-in") {
    report.add(TranslateFinding.BUYER_LEFT_OUT, ["buyer"])
    return null
  }
  for (const field of ["name", "tradeName"] as const) {
    if ((contact[field]?.length ?? 0) > nameLimit) tooLong(report, ["buyer", field], field, nameLimit)
  }
  for (const field of ["phone", "email"] as const) {
    const limit = contactLimits[field]
    if ((contact[field]?.length ?? 0) <= limit) continue
    contact[field] = null
    leftOut(report, ["buyer", field], `the buyer's ${field} is left out: it is longer than ${limit} characters`)
  }
  if (isMalformed("tin", contact.tin)) {
    report.add(TranslateFinding.BUYER_FORM, ["buyer", "tin"], { message: "a buyer's TIN does not have 10 digits" })
  }
  if (isMalformed("vatNumber", contact.vatNumber)) {
    report.add(TranslateFinding.BUYER_FORM, ["buyer", "vatNumber"], {
      message: "a buyer's VAT number does not have 9 digits"
    })
  }
  return contact
}

const isBlank = (contact: object): boolean => {
  for (const field in contact) if (contact[field as keyof typeof contact] !== null) return false
  return true
}

const forms = { tin: /^\d{10}$/, vatNumber: /^\d{9}$/ } as const

export const hasForm = (field: keyof typeof forms, text: string): boolean => forms[field].test(withoutSpaces(text))

const withoutSpaces = (number: string) => number.replace(/[\t\p{Zs}]/gu, "")

const isSpaced = (field: keyof typeof forms, number: string): boolean =>
  withoutSpaces(number) !== number && forms[field].test(withoutSpaces(number))

const short = { tin: /^\d{9}$/, vatNumber: /^\d{8}$/ } as const

const isMalformed = (field: keyof typeof forms, number: string | null): boolean =>
  number !== null && !forms[field].test(number) && !isSpaced(field, number) && !short[field].test(number)

const names = { tin: "TIN", vatNumber: "VAT number" } as const

const whole = (
  field: keyof typeof forms,
  number: string | null,
  book: MappingBook,
  report: TranslationNotes
): string | null => {
  const own = number !== null && book.policies.numberSpaces === "remove" ? withoutSpaces(number) : number
  if (own === null || !short[field].test(own)) return unspaced(field, number, book, report)
  if (book.policies.numberZeros === "restore") return `0${own}`
  report.add(TranslateFinding.BUYER_NUMBER_SHORT, ["buyer", field], {
    message: `a buyer's ${names[field]} lacks one digit`
  })
  return own
}

const unspaced = (
  field: keyof typeof forms,
  number: string | null,
  { policies }: MappingBook,
  report: TranslationNotes
): string | null => {
  if (number === null || forms[field].test(number) || !isSpaced(field, number)) return number
  if (policies.numberSpaces === "remove") return withoutSpaces(number)
  report.add(TranslateFinding.BUYER_NUMBER_SPACED, ["buyer", field], {
    message: `a buyer's ${names[field]} is written with spaces`
  })
  return number
}

const cashName = (name: string | null, { defaults: { cashBuyer } }: MappingBook): string | null =>
  name === null || cashBuyer === null ? name : cashBuyer.replaceAll("{name}", () => name)

export const tooLong = (report: TranslationNotes, path: ReadonlyArray<string | number>, what: string, limit: number) =>
  report.add(TranslateFinding.LENGTH_EXCEEDED, path, { message: `${what} is longer than ${limit} characters` })

const leftOut = (report: TranslationNotes, path: ReadonlyArray<string>, message: string) =>
  report.add(TranslateFinding.CONTACT_LEFT_OUT, path, { message })

/** Maximum characters of each part of an address (DOC-11). */
const partLimit = 100

const isWhole = (address: Address): boolean =>
  addressParts.every((part) => address[part] !== null && address[part].length <= partLimit)

const translateAddress = (
  address: SourceBuyer["address"],
  book: MappingBook,
  report: TranslationNotes
): Address | null => {
  if (address === undefined) return null
  const own = (part: (typeof addressParts)[number]) => sendableText(address[part], ofAddress, part, book, report)
  const parts = addressOf(book, {
    province: own("province"),
    street: own("street"),
    houseNo: own("houseNo"),
    city: own("city")
  })
  if (isWhole(parts)) return parts
  const missing = addressParts.filter((part) => parts[part] === null)
  if (missing.length === addressParts.length) return null
  if (missing.length > 0 && book.policies.addresses === "as-stated") {
    return withoutOverlong(Object.assign({}, parts, Object.fromEntries(missing.map((part) => [part, ""]))), report)
  }
  if (missing.length > 0) {
    report.add(TranslateFinding.ADDRESS_INCOMPLETE, ["buyer", "address"], { detail: `missing: ${missing.join(", ")}` })
    return null
  }
  return withoutOverlong(parts, report)
}

const withoutOverlong = (parts: Address, report: TranslationNotes): Address | null => {
  const overlong = addressParts.filter((part) => (parts[part]?.length ?? 0) > partLimit)
  for (const part of overlong) {
    const message = `the buyer's address is left out: ${part} is longer than ${partLimit} characters`
    leftOut(report, ["buyer", "address", part], message)
  }
  return overlong.length > 0 ? null : parts
}
