/**
 * Renders generated documents as the files of one export: in pages with or without overlap, in any
 * order, early in their life or later.
 */
import type { Input } from "../../packages/core/src/source/Adapter.ts"
import { Stream } from "effect"
import * as Random from "../Random.ts"
import type { Allocation, Document, Line } from "./XeroExport.ts"

export interface File {
  readonly name: string
  readonly text: string
}

/** Returns the files as the adapter's input. */
export const inputOf = (files: ReadonlyArray<File>): Input => ({
  files: files.map(({ name, text }) => ({ name, bytes: Stream.sync(() => new TextEncoder().encode(text)) }))
})

export interface Rendering {
  /** Places of unit prices: 2 by default in the API, 4 with `unitdp=4`. */
  readonly unitPlaces: 2 | 4
  /**
   * Stage of life. `later`: paid, allocated further, references edited. `renamed`: customers with a
   * tax number have other names as well.
   */
  readonly life: "first" | "later" | "renamed"
  readonly contacts: "given" | "left-out"
  /** Seed of the pages, overlaps and orders. */
  readonly arrangement: number
}

/** Returns a figure with its zeros, as the API writes it. */
const figure = (value: bigint, places: number) => {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0")
  return JSON.rawJSON(`${value < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`)
}

/** Rounds ten-thousandths half-up to two places, as the API does. */
const toTwoPlaces = (value: bigint) => {
  const size = value < 0n ? -value : value
  const cents = (size + 50n) / 100n
  return value < 0n ? -cents : cents
}

const lineJson = (
  { description, discount, lineAmount, quantity, taxAmount, type, unitAmount }: Line,
  places: 2 | 4
) => ({
  Description: description,
  UnitAmount: places === 4 ? figure(unitAmount, 4) : figure(toTwoPlaces(unitAmount), 2),
  TaxType: type,
  TaxAmount: figure(taxAmount, 2),
  LineAmount: figure(lineAmount, 2),
  AccountCode: "200",
  Tracking: [],
  Quantity: figure(quantity, 4),
  ...(discount !== undefined &&
    ("rate" in discount ? { DiscountRate: figure(discount.rate, 2) } : { DiscountAmount: figure(discount.amount, 2) }))
})

/** Forms of dates; all mean the same day. */
const dateForms: ReadonlyArray<(day: string, millis: number) => object> = [
  (day, millis) => ({ DateString: `${day}T00:00:00`, Date: `/Date(${millis}+0000)/` }),
  (_, millis) => ({ Date: `/Date(${millis}+0000)/` }),
  (_, millis) => ({ Date: `/Date(${millis})/` }),
  (_, millis) => ({ Date: `/Date(${millis}+1300)/` }),
  (day) => ({ Date: day }),
  (day) => ({ Date: `${day}T00:00:00` }),
  (day) => ({ Date: `${day}T00:00:00.000Z` }),
  (day) => ({ Date: `${day}T00:00:00+00:00`, DateString: `${day}T00:00:00` })
]

const contactId = (n: number) => `30000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const hasTaxNumber = (n: number) => n % 3 > 0

const allocationJson = ({ amount, invoice, isDeleted }: Allocation) => ({
  Amount: figure(amount, 2),
  Invoice: { InvoiceID: invoice, LineItems: [] },
  ...(isDeleted && { IsDeleted: true })
})

export const documentJson = (document: Document, { life, unitPlaces }: Rendering, dateForm: number) => {
  const { contact, currency, day, id, kind, mode, number, status, subTotal, texts, total, totalTax, type } = document
  const isLater = life !== "first"
  const isNote = kind === "credit-note"
  const name = life === "renamed" && hasTaxNumber(contact) ? `Buyer & Sons ${contact} Ltd` : `Buyer ${contact}`
  return {
    Type: type,
    ...(isNote ? { CreditNoteID: id, CreditNoteNumber: number } : { InvoiceID: id, InvoiceNumber: number }),
    Reference: isNote ? "Goods returned" : isLater ? `PO ${contact}` : "",
    ...(isNote && {
      Allocations: (isLater ? document.allocationsLater : document.allocations).map(allocationJson)
    }),
    ...(isLater && { Payments: [{ PaymentID: id, Account: { Code: "090" }, Amount: figure(total, 2) }] }),
    Contact: { ContactID: contactId(contact), Name: name, Addresses: [], Phones: [] },
    ...dateForms[dateForm % dateForms.length]!(day, Date.parse(`${day}T00:00:00Z`)),
    Status: isLater && status === "AUTHORISED" ? "PAID" : status,
    LineAmountTypes: mode,
    LineItems: [
      ...document.lines.map((line) => lineJson(line, unitPlaces)),
      ...Array.from({ length: texts }, () => ({ Description: "Thank you" }))
    ],
    SubTotal: figure(subTotal, 2),
    TotalTax: figure(totalTax, 2),
    Total: figure(total, 2),
    ...(document.rounding !== 0n && { RoundingAmount: figure(document.rounding, 2) }),
    CurrencyCode: currency
  }
}

export const contactJson = (n: number) => ({
  ContactID: contactId(n),
  Name: `Buyer ${n}`,
  EmailAddress: `buyer${n}@example.com`,
  ...(hasTaxNumber(n) && { TaxNumber: `20000000${String(n).padStart(2, "0")}` }),
  Addresses: [{ AddressType: "STREET", AddressLine1: `${n + 1} Main Road`, City: "Harare", Region: "HRE" }],
  Phones: [{ PhoneType: "DEFAULT", PhoneNumber: `12345${n}`, PhoneAreaCode: "4", PhoneCountryCode: "263" }]
})

/** Returns pages of the documents; the last documents of a page are repeated on the next. */
const pagesOf = <A>(items: ReadonlyArray<A>, size: number, overlap: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(Math.max(0, i * size - overlap), (i + 1) * size)
  )

export const render = (documents: ReadonlyArray<Document>, rendering: Rendering): ReadonlyArray<File> => {
  const random = Random.make(rendering.arrangement)
  const rendered = documents.map((document, i) => ({ kind: document.kind, json: documentJson(document, rendering, i) }))
  const order = random.chance(0.5) ? rendered : random.shuffled(rendered)
  const pages = pagesOf(order, random.between(10, 60), random.between(0, 5)).map((page, i): File => {
    const of = (kind: Document["kind"]) => page.flatMap((one) => (one.kind === kind ? [one.json] : []))
    const all = page.map(({ json }) => json)
    const text = random.pick([
      () =>
        JSON.stringify({
          Status: "OK",
          pagination: { page: i },
          Invoices: of("invoice"),
          CreditNotes: of("credit-note")
        }),
      () => JSON.stringify(all),
      () => all.map((json) => JSON.stringify(json)).join("\n")
    ])()
    return { name: `page-${i}.json`, text }
  })
  const contacts = {
    name: "contacts.json",
    text: JSON.stringify({ Contacts: Array.from({ length: 12 }, (_, n) => contactJson(n)) })
  }
  return random.shuffled(rendering.contacts === "given" ? [...pages, contacts] : pages)
}
