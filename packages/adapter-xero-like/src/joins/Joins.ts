/**
 * Data that documents are joined with: contacts, tax rates, payments, credits stated by invoices.
 */
import type { Money, Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { type ContactDetails, detailsOf, type ContactMatch } from "../values/ContactDetails.ts"
import { decimalOf } from "@fiscal-connector/adapter-kit/unstable/json/DecimalText"
import { Allocation, Contact, Document, Payment, TaxRate } from "../values/Fields.ts"
import { identityOf, idIn, rowKeyOf } from "../values/Identity.ts"
import { kindOf } from "./Issued.ts"
import type { JsonPlace } from "../json/Place.ts"
import { timeOf } from "../values/XeroDate.ts"
import type { Record } from "../records/Records.ts"

const inFull = [Contact.TaxNumber, Contact.CompanyNumber, Contact.AccountNumber, Contact.ContactNumber, Contact.email]

const several = Symbol("several")

export interface KeptContact {
  readonly details: ContactDetails
  /** Time when the contact was last changed, as the export states it. Null if not known. */
  readonly modified: number | null
  readonly source: "contacts" | "document"
  /**
   * True if the export states the contact twice with different names or numbers, and neither is
   * known to be later.
   */
  readonly differs: boolean
}

/** A contact file takes precedence over documents; otherwise the statement changed last wins. */
const laterOf = (known: KeptContact, other: KeptContact): KeptContact => {
  if (known.source !== other.source) return known.source === "contacts" ? known : other
  if (known.modified !== null && other.modified !== null && known.modified !== other.modified)
    return known.modified > other.modified ? known : other
  return { ...other, differs: known.differs || identityOfContact(known) !== identityOfContact(other) }
}

const identityOfContact = ({ details: { name, numbers } }: KeptContact): string =>
  JSON.stringify(
    [name, numbers.TaxNumber, numbers.CompanyNumber, numbers.AccountNumber, numbers.ContactNumber].map(
      (found) => found?.value
    )
  )

export interface PlacedOriginal {
  readonly original: SourceDocument.SourceOriginal
  readonly at: Provenance.Provenance
}

/** Memory grows with contacts, payments and credits, not with lines. */
export class Joins {
  private readonly contacts = new Map<string, string>()
  private readonly names = new Map<string, string | typeof several>()
  hasContacts = false
  /** Percent as 15, by TaxType; `differ` if the export states two. */
  readonly percents = new Map<string, Money.Money | "differ">()
  readonly accounts = new Map<string, Array<ContactMatch>>()
  /**
   * Credits by CreditNoteID and InvoiceID. A repetition of an invoice on another page states the
   * same credit.
   */
  private readonly credits = new Map<string, Map<string, PlacedOriginal>>()
  readonly scattered = new Set<string>()
  private readonly rowKeys = new Set<string>()
  private lastRowKey: string | undefined

  add(record: Record): void {
    if (record._tag !== "row") this.endRows()
    switch (record._tag) {
      case "contact":
        this.hasContacts = true
        return this.addContact(record.place, "contacts")
      case "tax-rate":
        return this.addTaxRate(record.place)
      case "payment":
        return this.addPayment(record.place)
      case "row":
        return this.addRow(record.place, record.collection)
      case "document":
        this.addBuyer(record.place)
        if (kindOf(record.place, record.collection) === "invoice") this.addCredits(record.place)
    }
  }

  contact(id: string): KeptContact | undefined {
    const text = this.contacts.get(id)
    return text === undefined ? undefined : (JSON.parse(text) as KeptContact)
  }

  hasSeveralNames(id: string): boolean {
    return this.names.get(id) === several
  }

  creditsOf(creditNoteId: string): ReadonlyArray<PlacedOriginal> {
    return [...(this.credits.get(creditNoteId)?.values() ?? [])]
  }

  /** Ends the current document's rows; a later row with the same key is scattered. */
  endRows(): void {
    this.lastRowKey = undefined
  }

  private addContact(place: JsonPlace, source: KeptContact["source"]): void {
    const id = idIn(place, Contact.id)
    if (id === undefined) return
    const modified = timeOf(place.text(Contact.modified) ?? "") ?? null
    const contact: KeptContact = { details: detailsOf(place, Contact), modified, source, differs: false }
    const text = this.contacts.get(id)
    const known = text === undefined ? undefined : (JSON.parse(text) as KeptContact)
    this.contacts.set(kept(id), JSON.stringify(known === undefined ? contact : laterOf(known, contact)))
  }

  /**
   * A document fetched by id contains the full contact; lists of documents contain a stub. A
   * contact file takes precedence.
   */
  private addBuyer(place: JsonPlace): void {
    const contact = place.inner(Document.contact)
    const id = contact && idIn(contact, Contact.id)
    const name = contact?.text(Contact.name)?.trim()
    if (id !== undefined && name !== undefined && name !== "") {
      const known = this.names.get(id)
      if (known === undefined) this.names.set(kept(id), kept(name))
      else if (known !== name) this.names.set(id, several)
    }
    if (contact !== undefined && inFull.some((field) => contact.has(field))) this.addContact(contact, "document")
  }

  private addTaxRate(place: JsonPlace): void {
    const taxType = place.text(TaxRate.taxType)
    const percent = decimalOf(place.text(TaxRate.percent))
    if (taxType === undefined || percent === undefined) return
    const known = this.percents.get(taxType)
    const isSame = known === undefined || (known !== "differ" && BigDecimal.equals(known, percent))
    this.percents.set(kept(taxType), isSame ? percent : "differ")
  }

  private addPayment(place: JsonPlace): void {
    if (place.upperCase(Payment.status) === "DELETED") return
    const account = accountOf(place)
    if (account === undefined) return
    for (const [owner, id] of [
      [Payment.invoice, Payment.invoiceId],
      [Payment.creditNote, Payment.creditNoteId]
    ] as const) {
      const paid = idIn(place.inner(owner) ?? place, id)
      if (paid !== undefined) append(this.accounts, paid, kept(account))
    }
  }

  private addRow(place: JsonPlace, collection: string | undefined): void {
    const key = rowKeyOf(place, kindOf(place, collection))
    if (key === undefined || key === this.lastRowKey) return
    if (this.rowKeys.has(key)) this.scattered.add(key)
    this.lastRowKey = kept(key)
    this.rowKeys.add(this.lastRowKey)
  }

  private addCredits(place: JsonPlace): void {
    const credits = place.list(Document.creditNotes)
    if (credits.length === 0) return
    const { id: invoiceId } = identityOf(place, "invoice", "document")
    if (invoiceId === undefined) return
    for (const credit of credits) {
      const { id } = identityOf(credit, "credit-note", "document")
      const amount = decimalOf(credit.text(Allocation.amount))
      if (id === undefined || (amount !== undefined && BigDecimal.isZero(amount))) continue
      const original = { by: "id", value: kept(invoiceId), ...(amount !== undefined && { amount }) } as const
      const known = this.credits.get(id) ?? new Map<string, PlacedOriginal>()
      this.credits.set(kept(id), known.set(original.value, { original, at: kept(credit.here) }))
    }
  }
}

export const accountOf = (payment: JsonPlace): ContactMatch | undefined => {
  const account = payment.inner(Payment.account)
  const [place, field] = account === undefined ? [payment, Payment.accountCode] : [account, Payment.code]
  const value = place.text(field)
  return value === undefined ? undefined : { value, at: place.at(field) }
}

/** Copies the value, because a substring keeps the whole text in memory. */
const kept = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const append = <Value>(lists: Map<string, Array<Value>>, key: string, value: Value) => {
  const list = lists.get(key)
  if (list === undefined) lists.set(kept(key), [value])
  else list.push(value)
}
