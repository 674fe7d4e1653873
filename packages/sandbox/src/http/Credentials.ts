/**
 * Authenticates a caller: key, application, station, and the signature over the exact bytes of the
 * body (AUTH-1 to AUTH-8).
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { SandboxAccount } from "../gateway/World.ts"

type RequestHeaders = { readonly [name: string]: string | undefined }

// Hashing makes the lengths equal, as timingSafeEqual requires, without revealing the original
// lengths.
const same = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest())

export const accountOf = (
  accounts: ReadonlyArray<SandboxAccount>,
  headers: RequestHeaders
): SandboxAccount | undefined => {
  const key = headers["x-api-key"]
  return key === undefined ? undefined : accounts.find((account) => same(Redacted.value(account.config.key), key))
}

const secretsOf = ({ config: { secret } }: SandboxAccount): ReadonlyArray<Redacted.Redacted<string>> =>
  secret === undefined ? [] : Redacted.isRedacted(secret) ? [secret] : secret

/** Returns Base64(HMAC-SHA256(body, UTF-8 bytes of the secret)): the value of X-Api-Signature. */
export const sign = (secret: Redacted.Redacted<string>, body: Uint8Array): string =>
  createHmac("sha256", Buffer.from(Redacted.value(secret), "utf8"))
    .update(body)
    .digest("base64")

const isRight = (expected: string | undefined, given: string | undefined): boolean =>
  given !== undefined && given !== "" && (expected === undefined || same(expected, given))

/**
 * Checks a request. `body` is undefined for a request without a body, which is never signed. Fails
 * with the reason of the 401.
 */
export const check = (
  account: SandboxAccount | undefined,
  headers: RequestHeaders,
  body: Uint8Array | undefined
): Result.Result<SandboxAccount, string> => {
  if (account === undefined) return Result.fail("X-Api-Key is missing or unknown")
  if (!isRight(account.config.application, headers["x-application"])) {
    return Result.fail("X-Application is missing or wrong for this key")
  }
  if (!isRight(account.config.station, headers["x-app-station"])) {
    return Result.fail("X-App-Station is missing or wrong for this key")
  }
  const secrets = secretsOf(account)
  if (body === undefined || secrets.length === 0) return Result.succeed(account)
  const signature = headers["x-api-signature"]
  return signature !== undefined && secrets.some((secret) => same(sign(secret, body), signature))
    ? Result.succeed(account)
    : Result.fail("X-Api-Signature is missing or does not match the bytes of the body")
}
