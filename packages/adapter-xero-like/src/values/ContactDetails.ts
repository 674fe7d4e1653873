import type { Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import { Address, type ContactFields, Phone } from "./Fields.ts"
import type { JsonField, JsonPlace } from "../json/Place.ts"
import type { ContactNumber } from "../options/XeroLikeOptions.ts"

export interface ContactMatch<Value = string> {
  readonly value: Value
  readonly at: Provenance.Provenance
}

export type PostalAddress = NonNullable<SourceDocument.SourceBuyer["address"]>

export interface ContactDetails {
  readonly name?: ContactMatch | undefined
  readonly email?: ContactMatch | undefined
  readonly phone?: ContactMatch | undefined
  readonly address?: ContactMatch<PostalAddress> | undefined
  readonly numbers: { readonly [Name in ContactNumber]?: ContactMatch | undefined }
}

/** Addresses are typed into four free lines. */
const tidy = (text: string | undefined): string | undefined => text?.replace(/\s+/g, " ").trim() || undefined

const found = (place: JsonPlace, field: JsonField): ContactMatch | undefined => {
  const value = tidy(place.text(field))
  return value === undefined ? undefined : { value, at: place.at(field) }
}

export const detailsOf = (place: JsonPlace, fields: ContactFields): ContactDetails => ({
  name: found(place, fields.name),
  email: found(place, fields.email),
  phone: phoneIn(place.list(fields.phones)),
  address: addressIn(place.list(fields.addresses)),
  numbers: {
    TaxNumber: found(place, fields.TaxNumber),
    CompanyNumber: found(place, fields.CompanyNumber),
    AccountNumber: found(place, fields.AccountNumber),
    ContactNumber: found(place, fields.ContactNumber)
  }
})

const phoneOf = (place: JsonPlace): ContactMatch | undefined => {
  const number = found(place, Phone.number)
  if (number === undefined) return undefined
  const country = tidy(place.text(Phone.country))?.replace(/^(?=\d{1,3}$)/, "+")
  const value = [country, tidy(place.text(Phone.area)), number.value].filter((part) => part !== undefined).join(" ")
  return { value, at: number.at }
}

/** Returns the number most likely to reach the buyer, never the fax. */
const phoneIn = (phones: ReadonlyArray<JsonPlace>): ContactMatch | undefined =>
  firstOf(phones, Phone.type, ["DEFAULT", "MOBILE", "OFFICE", "DDI"], phoneOf)

const addressIn = (addresses: ReadonlyArray<JsonPlace>): ContactMatch<PostalAddress> | undefined =>
  firstOf(addresses, Address.type, ["STREET", "DELIVERY", "POBOX"], addressOf)

const firstOf = <Value>(
  places: ReadonlyArray<JsonPlace>,
  type: JsonField,
  preferred: ReadonlyArray<string>,
  read: (place: JsonPlace) => Value | undefined
): Value | undefined => {
  const ordered = preferred.flatMap((name) => places.filter((place) => place.upperCase(type) === name))
  const untyped = places.filter((place) => place.upperCase(type) === undefined)
  for (const place of [...ordered, ...untyped]) {
    const value = read(place)
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * House number at the start of the first line: `12 High Street`, `4-6 …`, `7B, …`. No other part is
 * split.
 */
const houseNumber = /^(\d{1,5}[A-Za-z]?(?:[-/]\d{1,5}[A-Za-z]?)?)(?:, ?| )(.+)$/

const addressOf = (place: JsonPlace): ContactMatch<PostalAddress> | undefined => {
  const [first, ...rest] = Address.lines.map((line) => tidy(place.text(line)))
  const isStreet = place.upperCase(Address.type) !== "POBOX"
  const [, houseNo, street] = (isStreet ? houseNumber.exec(first ?? "") : null) ?? [null, undefined, first]
  const lines = [street, ...rest].filter((line) => line !== undefined).join(", ")
  const city = tidy(place.text(Address.city))
  const province = tidy(place.text(Address.region))
  if (lines === "" && city === undefined && province === undefined) return undefined
  return {
    value: {
      ...(province !== undefined && { province }),
      ...(lines !== "" && { street: lines }),
      ...(houseNo !== undefined && { houseNo }),
      ...(city !== undefined && { city })
    },
    at: place.here
  }
}

export const joined = (own: ContactDetails, file: ContactDetails | undefined): ContactDetails =>
  file === undefined
    ? own
    : {
        name: own.name ?? file.name,
        email: own.email ?? file.email,
        phone: own.phone ?? file.phone,
        address: own.address ?? file.address,
        numbers: {
          TaxNumber: own.numbers.TaxNumber ?? file.numbers.TaxNumber,
          CompanyNumber: own.numbers.CompanyNumber ?? file.numbers.CompanyNumber,
          AccountNumber: own.numbers.AccountNumber ?? file.numbers.AccountNumber,
          ContactNumber: own.numbers.ContactNumber ?? file.numbers.ContactNumber
        }
      }
