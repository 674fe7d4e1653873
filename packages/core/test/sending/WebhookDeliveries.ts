/**
 * Deliveries as the gateway makes them, written from the wire (docs/gateway.md#statusrequest), and
 * accounts that receive them.
 */
import { Redacted } from "effect"
import { signForTest } from "../../../testing/src/SignForTest.ts"
import type { Delivery, WebhookAccount } from "../../src/sending/WebhookDelivery.ts"

export const shop: WebhookAccount = { account: "shop", secrets: [Redacted.make("the shop's secret")] }
export const bakery: WebhookAccount = { account: "bakery", secrets: [Redacted.make("the bakery's secret")] }

export const fiscalizedWire = (requestId: string, code = `V-${requestId}`) => ({
  RequestId: requestId,
  Success: true,
  IsActionable: false,
  Error: null,
  QrData: { QrCodeUrl: null, VerificationCode: code, FiscalDay: 7, DeviceId: 1001, InvoiceNumber: 1 },
  FiscalInvoicePdf: `${requestId}.pdf`
})

export const rejectedWire = (requestId: string, isActionable = true) => ({
  RequestId: requestId,
  Success: false,
  IsActionable: isActionable,
  Error: "RCPT017: TaxCode X is not mapped",
  QrData: null,
  FiscalInvoicePdf: null
})

export const pendingWire = (requestId: string) => ({ ...rejectedWire(requestId), Error: null })

/** Returns a delivery of the items, signed by the account. */
export const delivery = (account: WebhookAccount, ...items: ReadonlyArray<unknown>): Delivery => ({
  account,
  ...signForTest(JSON.stringify(items), account)
})

/** Returns a delivery of the text. */
export const deliveryOf = (account: WebhookAccount, body: string | Uint8Array): Delivery => ({
  account,
  ...signForTest(body, account)
})
