/**
 * Missing part of a success: there is neither a verification code nor a receipt number, or the
 * proof cannot be read.
 */
export type MissingProof = "proof" | "readable-proof"
