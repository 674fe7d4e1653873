/** Signed webhook deliveries for a host's own tests, as the gateway signs them. */
import { WebhookDelivery } from "@fiscal-connector/core/worker"

/**
 * Returns the body as bytes, with the headers of a delivery to the account. `body` is the JSON text
 * of an array of results (docs/gateway.md#statusrequest), or its bytes; `[]` is a test delivery. An
 * account without a secret gets no signature.
 */
export const signForTest = (
  body: string | Uint8Array,
  account: Pick<WebhookDelivery.WebhookAccount, "secrets" | "assumptions">
): WebhookDelivery.SignedBody =>
  WebhookDelivery.signedBody(typeof body === "string" ? new TextEncoder().encode(body) : body, account)
