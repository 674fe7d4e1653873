/** The buyer as document and contact files state it; what neither states is left out, never made up. */
import type { Path } from "@fiscal-connector/core/finding/Finding"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { SourceBuyer } from "@fiscal-connector/core/source/SourceDocument"
import { type ContactDetails, detailsOf, joined } from "./ContactDetails.ts"
import { idIn } from "./Identity.ts"
import type { Joins } from "./Joins.ts"
import type { Notes } from "./Notes.ts"
import type { Shape } from "./Shape.ts"
import { XeroFinding } from "./XeroFinding.ts"
import type { XeroLikeOptions } from "./XeroLikeOptions.ts"

export interface PlacedBuyer {
  readonly buyer: SourceBuyer
  /** Where a field of it was found, by its name; the contact itself for what was not. */
  at(field: Path[number] | undefined): Provenance
}

export const buyerOf = (
  shape: Shape,
  joins: Joins,
  options: XeroLikeOptions,
  notes: Notes
): PlacedBuyer | undefined => {
  const { contact, contactFields } = shape
  if (contact === undefined) return undefined
  const id = idIn(contact, contactFields.id)
  const file = id === undefined ? undefined : joins.contact(id)
  const details = joined(detailsOf(contact, contactFields), file)
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
  if (
    options.tin !== undefined &&
    tin === undefined &&
    file === undefined &&
    !contact.has(contactFields[options.tin])
  ) {
    notes.add(XeroFinding.XERO_CONTACT_STUB, ["buyer", "tin"], contact.here)
  }
  const found: { readonly [Field in string]?: { readonly at: Provenance } | undefined } = {
    name,
    tin,
    vatNumber,
    phone,
    email,
    address
  }
  return { buyer, at: (field) => found[field ?? ""]?.at ?? contact.here }
}

const numberOf = ({ numbers }: ContactDetails, name: XeroLikeOptions["tin"]) =>
  name === undefined ? undefined : numbers[name]
