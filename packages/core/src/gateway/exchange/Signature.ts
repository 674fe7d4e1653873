/**
 * Signature of a body, Base64(HMAC-SHA256(exact bytes, secret)), for our requests and for the
 * gateway's deliveries (AUTH-1, HOOK-3).
 */
import { Redacted } from "effect"
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"

/** Header with the signature (AUTH-1). */
export const header = "X-Api-Signature"

/**
 * Conversion of a secret's text to the HMAC key (AUTH-2): its UTF-8 bytes, or the bytes that the
 * text encodes in Base64.
 */
export type KeyForm = "utf-8" | "base64"

// Making the key costs five times as much as the digest, so the key is made once.
const digesting = (secret: Redacted.Redacted<string>, keyForm: KeyForm): ((body: Uint8Array) => Buffer) => {
  const key = createSecretKey(Buffer.from(Redacted.value(secret), keyForm))
  return (body) => createHmac("sha256", key).update(body).digest()
}

/** Signs exactly the bytes that are sent (AUTH-3). */
export const signing = (
  secret: Redacted.Redacted<string>,
  keyForm: KeyForm = "utf-8"
): ((body: Uint8Array) => string) => {
  const digest = digesting(secret, keyForm)
  return (body) => digest(body).toString("base64")
}

/**
 * True if one of the secrets made this signature. Two or more secrets are valid during a
 * rotation (AUTH-6). Takes the same time whichever secret fits. Without secrets, no signature is
 * valid.
 */
export const verify = (
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  body: Uint8Array,
  signature: string | undefined,
  keyForm: KeyForm = "utf-8"
): boolean => {
  const text = (signature ?? "").trim()
  const given = Buffer.from(text, "base64")
  // Only the canonical spelling of 32 bytes: Buffer skips characters that are not Base64.
  const wellFormed = given.length === 32 && given.toString("base64") === text
  const candidate = wellFormed ? given : Buffer.alloc(32)
  const fits = secrets.map((secret) => timingSafeEqual(digesting(secret, keyForm)(body), candidate))
  return wellFormed && fits.includes(true)
}
