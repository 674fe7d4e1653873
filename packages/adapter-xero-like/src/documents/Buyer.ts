import type { Finding, Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import { type ContactDetails, detailsOf, joined } from "../values/ContactDetails.ts"
import { idIn } from "../values/Identity.ts"
import { Document } from "../values/Fields.ts"
import type { Joins, KeptContact } from "../joins/Joins.ts"
import type { XeroNotes } from "../values/Notes.ts"
import type { Shape } from "../values/Shape.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

export interface PlacedBuyer {
  readonly buyer: SourceDocument.SourceBuyer
  at(field: Finding.Path[number] | undefined): Provenance.Provenance
}

export const buyerOf = (
  shape: Shape,
  joins: Joins,
  options: XeroLikeOptions,
  notes: XeroNotes
): PlacedBuyer | undefined => {
  const { contact, contactFields, records } = shape
  const id = contact && idIn(contact, contactFields.id)
  const known = id === undefined ? undefined : joins.contact(id)
  const details = contact && joined(detailsOf(contact, contactFields), known?.details)
  const at = contact?.at(contactFields.id) ?? records[0].at(Document.contact)
  const problem = problemOf(shape, details, known, joins, options)
  const isMalformed = notes.findings.some(({ path }) => path.length === 1 && path[0] === "buyer")
  if (problem !== undefined && !isMalformed) notes.add(problem, ["buyer"], at)
  if (contact === undefined || details === undefined) return undefined
  const { address, email, name, phone } = details
  const tin = numberOf(details, options.tin)
  const vatNumber = numberOf(details, options.vatNumber)
  const buyer = {
    ...(name !== undefined && { name: name.value }),
    ...(tin !== undefined && { tin: tin.value }),
    ...(vatNumber !== undefined && { vatNumber: vatNumber.value }),
    ...(phone !== undefined && { phone: phone.value }),
    ...(email !== undefined && { email: email.value }),
    ...(address !== undefined && { address: address.value })
  }
  if (Object.keys(buyer).length === 0) return undefined
  const found: { readonly [Field in string]?: { readonly at: Provenance.Provenance } | undefined } = {
    name,
    tin,
    vatNumber,
    phone,
    email,
    address
  }
  return { buyer: id === undefined ? buyer : { id, ...buyer }, at: (field) => found[field ?? ""]?.at ?? contact.here }
}

export const detailsIn = ({ contact, contactFields }: Shape, joins: Joins): ContactDetails | undefined => {
  const id = contact && idIn(contact, contactFields.id)
  const known = id === undefined ? undefined : joins.contact(id)
  return contact && joined(detailsOf(contact, contactFields), known?.details)
}

const problemOf = (
  { contact, contactFields }: Shape,
  details: ContactDetails | undefined,
  known: KeptContact | undefined,
  joins: Joins,
  options: XeroLikeOptions
) => {
  if (known?.differs === true || (contact && known && isOther(detailsOf(contact, contactFields), known, options)))
    return XeroFinding.XERO_CONTACTS_DIFFER
  if (options.missingContacts === "as-stated") return undefined
  if (contact === undefined || details === undefined || isEmpty(details, options)) return XeroFinding.XERO_BUYER_MISSING
  if (known !== undefined) return undefined
  const id = contact && idIn(contact, contactFields.id)
  if (id !== undefined && joins.hasSeveralNames(id)) return XeroFinding.XERO_BUYERS_DIFFER
  if (joins.hasContacts && contact.has(contactFields.id)) return XeroFinding.XERO_CONTACT_UNRESOLVED
  return options.tin !== undefined && !contact.has(contactFields[options.tin])
    ? XeroFinding.XERO_CONTACT_STUB
    : undefined
}

const isOther = (own: ContactDetails, { details, source }: KeptContact, { tin, vatNumber }: XeroLikeOptions): boolean =>
  source === "contacts" &&
  [tin, vatNumber].some((name) => {
    const [one, two] = [numberOf(own, name)?.value, numberOf(details, name)?.value]
    return one !== undefined && two !== undefined && one !== two
  })

const isEmpty = (details: ContactDetails, { tin, vatNumber }: XeroLikeOptions): boolean =>
  [
    details.name,
    details.email,
    details.phone,
    details.address,
    numberOf(details, tin),
    numberOf(details, vatNumber)
  ].every((found) => found === undefined)

const numberOf = ({ numbers }: ContactDetails, name: XeroLikeOptions["tin"]) =>
  name === undefined ? undefined : numbers[name]
