/** What documents take from elsewhere in the export: contacts, tax rates, payments, and the credits that invoices name. */
import * as Money from "@fiscal-connector/core/document/Money"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { BigDecimal, Option } from "effect"
import { type ContactDetails, detailsOf, type Found } from "./ContactDetails.ts"
import { Allocation, Contact, Document, Payment, TaxRate } from "./Fields.ts"
import { identityOf, idIn, rowKeyOf } from "./Identity.ts"
import { kindOf } from "./Issued.ts"
import type { Place } from "./Place.ts"
import type { Record } from "./Records.ts"

/** A credit as an invoice names it (formats.md A5, the reverse view). */
export interface Credit {
  readonly invoiceId: string
  readonly amount: Money.Money | undefined
  readonly at: Provenance
}

/** Gathered in one pass over all files before the documents are read: memory grows with contacts, payments and credits, not with lines. */
export class Joins {
  /** By ContactID. */
  readonly contacts = new Map<string, ContactDetails>()
  /** Percent as 15, by TaxType; `differ` where the export gives two. */
  readonly percents = new Map<string, Money.Money | "differ">()
  /** The codes of the accounts that a document was paid into, by its id. */
  readonly accounts = new Map<string, Array<Found>>()
  /** By CreditNoteID. */
  readonly credits = new Map<string, Array<Credit>>()
  /** The keys of documents whose rows do not stand together. */
  readonly scattered = new Set<string>()
  private readonly rowKeys = new Set<string>()
  private lastRowKey: string | undefined

  add(record: Record): void {
    if (record._tag !== "row") this.endRows()
    switch (record._tag) {
      case "contact":
        return this.addContact(record.place)
      case "tax-rate":
        return this.addTaxRate(record.place)
      case "payment":
        return this.addPayment(record.place)
      case "row":
        return this.addRow(record.place, record.collection)
      case "document":
        if (kindOf(record.place, record.collection) === "invoice") this.addCredits(record.place)
    }
  }

  /** What comes next are no more rows of the same document. */
  endRows(): void {
    this.lastRowKey = undefined
  }

  private addContact(place: Place): void {
    const id = idIn(place, Contact.id)
    if (id !== undefined) this.contacts.set(kept(id), kept(detailsOf(place, Contact)))
  }

  private addTaxRate(place: Place): void {
    const taxType = place.text(TaxRate.taxType)
    const percent = Option.getOrUndefined(Money.parse(place.text(TaxRate.percent) ?? ""))
    if (taxType === undefined || percent === undefined) return
    const known = this.percents.get(taxType)
    const isSame = known === undefined || (known !== "differ" && BigDecimal.equals(known, percent))
    this.percents.set(kept(taxType), isSame ? percent : "differ")
  }

  private addPayment(place: Place): void {
    if (place.word(Payment.status) === "DELETED") return
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

  private addRow(place: Place, collection: string | undefined): void {
    const key = rowKeyOf(place, kindOf(place, collection))
    if (key === undefined || key === this.lastRowKey) return
    if (this.rowKeys.has(key)) this.scattered.add(key)
    this.lastRowKey = kept(key)
    this.rowKeys.add(this.lastRowKey)
  }

  private addCredits(place: Place): void {
    const { id: invoiceId } = identityOf(place, "invoice", "document")
    if (invoiceId === undefined) return
    for (const credit of place.list(Document.creditNotes)) {
      const { id } = identityOf(credit, "credit-note", "document")
      if (id === undefined) continue
      const amount = Option.getOrUndefined(Money.parse(credit.text(Allocation.amount) ?? ""))
      append(this.credits, id, { invoiceId: kept(invoiceId), amount, at: kept(credit.here) })
    }
  }
}

/** The code of the account that a payment went to. */
export const accountOf = (payment: Place): Found | undefined => {
  const account = payment.inner(Payment.account)
  const [place, field] = account === undefined ? [payment, Payment.accountCode] : [account, Payment.code]
  const value = place.text(field)
  return value === undefined ? undefined : { value, at: place.at(field) }
}

/** A copy: a part of a text, kept as it is, keeps the whole text in memory. */
const kept = <Value>(value: Value): Value => structuredClone(value)

const append = <Value>(lists: Map<string, Array<Value>>, key: string, value: Value) => {
  const list = lists.get(key)
  if (list === undefined) lists.set(kept(key), [value])
  else list.push(value)
}
