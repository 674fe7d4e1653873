/**
 * The buyer on an invoice or credit note. Missing values are null, never "" (DOC-3); a null buyer
 * is a walk-in customer (DOC-16).
 */
import { Schema } from "effect"
import * as WireNames from "./WireNames.ts"

/**
 * Buyer's address: all four parts are required, 100 characters each, when an address is sent
 * (DOC-11).
 */
export const Address = WireNames.struct({
  province: Schema.NullOr(Schema.String),
  street: Schema.NullOr(Schema.String),
  houseNo: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String)
})
export interface Address extends Schema.Schema.Type<typeof Address> {}

/** Buyer details: `tin` has 10 digits, `vatNumber` has 9 (DOC-3). */
export const BuyerContact = WireNames.struct({
  name: Schema.NullOr(Schema.String),
  tradeName: Schema.NullOr(Schema.String),
  tin: Schema.NullOr(Schema.String),
  vatNumber: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Address)
})
export interface BuyerContact extends Schema.Schema.Type<typeof BuyerContact> {}
