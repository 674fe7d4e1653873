/** Deliveries for a host's own tests: signed as the gateway signs them. */
import { Redacted } from "effect"
import * as Signature from "../gateway/Signature.ts"
import { type Headers, switchesOf, type WebhookAccount } from "../submission/WebhookDelivery.ts"

export interface SignedBody {
  readonly headers: Headers & { readonly "content-type": string }
  readonly body: Uint8Array
}

/**
 * The body as bytes, and the headers a delivery of it to the account would have. `body` is the JSON text of an array of results
 * (interface.md, StatusRequest) or its bytes; `[]` is a test delivery. An account without a secret gets no signature.
 */
export const signForTest = (body: string | Uint8Array, account: Omit<WebhookAccount, "account">): SignedBody => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const switches = switchesOf({ ...account, account: "" })
  const [secret] = account.secrets
  const signature = Signature.signing(secret ?? Redacted.make(""), switches["AUTH-2"])(bytes)
  return {
    headers: { "content-type": "application/json", ...(secret && { [switches["HOOK-3"].toLowerCase()]: signature }) },
    body: bytes
  }
}
