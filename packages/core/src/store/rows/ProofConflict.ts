/** Texts of conflicts about proofs of receipts, the same in a running store and in its upgrade. */

import type { MissingProof } from "../../gateway/contract/MissingProof.ts"

export const missing: Readonly<Record<MissingProof, string>> = {
  proof: "the success has no verification code and no receipt number",
  "readable-proof": "the proof of the success cannot be read"
}

export const causeOf = (text: string): "missing" | "unreadable" =>
  text === missing["readable-proof"] ? "unreadable" : "missing"

export const sharedBegins = "the verification code "
export const sharedGoesOn = " is also stated for "

export const shared = (code: string, kind: string, number: string): string =>
  `${sharedBegins}${code}${sharedGoesOn}${kind} ${number}`

export const codeNotUnique = "three documents of the device or more have the verification code "

export const receiptNotUnique = "receipts of one day have the same number and different verification codes"
