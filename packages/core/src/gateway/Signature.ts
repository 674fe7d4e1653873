/** The signature of a body: Base64(HMAC-SHA256(exact bytes, secret)), on our requests and on the gateway's deliveries (AUTH-1, HOOK-3). */
import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** The header that carries it (AUTH-1). */
export const header = "X-Api-Signature"

/** How a secret's text becomes the HMAC key (AUTH-2): its UTF-8 bytes, or the bytes that it is the Base64 of. */
export type KeyForm = "utf-8" | "base64"

const digest = (secret: Redacted.Redacted<string>, body: Uint8Array, keyForm: KeyForm): Buffer =>
  createHmac("sha256", Buffer.from(Redacted.value(secret), keyForm))
    .update(body)
    .digest()

/** Signs the very bytes that are sent (AUTH-3). */
export const sign = (secret: Redacted.Redacted<string>, body: Uint8Array, keyForm: KeyForm = "utf-8"): string =>
  digest(secret, body, keyForm).toString("base64")

/**
 * Whether one of the secrets made this signature: several are valid while one is rotated (AUTH-6).
 * Takes the same time whichever secret fits; without secrets nothing is ever verified.
 */
export const verify = (
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  body: Uint8Array,
  signature: string | undefined,
  keyForm: KeyForm = "utf-8"
): boolean => {
  const text = (signature ?? "").trim()
  const given = Buffer.from(text, "base64")
  // Only the canonical spelling of 32 bytes: Buffer skips what is no Base64.
  const wellFormed = given.length === 32 && given.toString("base64") === text
  const candidate = wellFormed ? given : Buffer.alloc(32)
  const fits = secrets.map((secret) => timingSafeEqual(digest(secret, body, keyForm), candidate))
  return wellFormed && fits.includes(true)
}
