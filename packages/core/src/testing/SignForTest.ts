/** Deliveries for a host's own tests: signed as the gateway signs them. */
import { type SignedBody, signedBody, type WebhookAccount } from "../webhook/WebhookDelivery.ts"

/**
 * The body as bytes, and the headers a delivery of it to the account would have. `body` is the JSON text of an array of results
 * (docs/gateway.md#statusrequest) or its bytes; `[]` is a test delivery. An account without a secret gets no signature.
 */
export const signForTest = (
  body: string | Uint8Array,
  account: Pick<WebhookAccount, "secrets" | "assumptions">
): SignedBody => signedBody(typeof body === "string" ? new TextEncoder().encode(body) : body, account)
