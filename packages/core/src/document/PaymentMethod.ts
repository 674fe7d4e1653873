/**
 * Payment method of a document. Written from the known list, read as an open enumeration (DOC-1).
 */
import { Schema } from "effect"

/** Methods named by the contract. */
export const known = ["Cash", "Card", "MobileWallet", "Coupon", "Credit", "BankTransfer", "Other"] as const

/** A payment method that we write. */
export const PaymentMethod = Schema.Literals(known)
export type PaymentMethod = typeof PaymentMethod.Type
