/** Signed webhook deliveries for a host's own tests, as the gateway signs them. */
import { type SignedBody, signedBody, type WebhookAccount } from "@fiscal-connector/core/webhook/WebhookDelivery"

/**
 * Returns the body as bytes, with the headers of a delivery to the account. `body` is the JSON text
 * of an array of results (docs/gateway.md#statusrequest), or its bytes; `[]` is a test delivery. An
 * account without a secret gets no signature.
 */
export const signForTest = (
  body: string | Uint8Array,
  account: Pick<WebhookAccount, "secrets" | "assumptions">
): SignedBody => signedBody(typeof body === "string" ? new TextEncoder().encode(body) : body, account)
