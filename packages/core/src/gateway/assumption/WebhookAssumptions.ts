/** Assumptions about webhooks (HOOK-1 to HOOK-7). */
import { type Assumption, discipline, nothing, on, tolerance } from "./Assumption.ts"

const receiver = "core/src/webhook/WebhookReceiver"
const delivery = "core/src/webhook/WebhookDelivery"

export const webhooks = {
  "HOOK-1": {
    takes: "A delivery's body is a JSON array of results of the same shape as those of /status.",
    strength: "C",
    switch: on("HOOK-1"),
    usedIn: ["core/src/gateway/operation/Status", delivery],
    wrongIf: "a signed delivery is not an array"
  },
  "HOOK-2": {
    takes:
      "QrData holds QrCodeUrl, VerificationCode, FiscalDay, DeviceId and InvoiceNumber, the last being the authority's and not the seller's.",
    strength: "C",
    switch: nothing("what has another name or type is kept among the unknown fields"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "a fiscalised result has no verification code"
  },
  "HOOK-3": {
    takes:
      "Deliveries carry X-Api-Signature, made as ours are. There is no time stamp and no event id: replays are met by de-duplication.",
    strength: "D",
    switch: on("HOOK-3"),
    usedIn: ["core/src/gateway/exchange/Signature", delivery],
    wrongIf: "every delivery fails verification although the secret is right"
  },
  "HOOK-4": {
    takes:
      "The receiver answers 2xx within 5 s, sets no cookies, and answers 401 to a bad signature. Otherwise deliveries are repeated for 24 h, then the webhook is switched off.",
    strength: "D",
    switch: on("HOOK-4"),
    usedIn: [receiver],
    wrongIf: "deliveries that were answered come again, or the webhook is switched off"
  },
  "HOOK-5": {
    takes:
      "Registration sends test POSTs, some badly signed, some empty. A signed body is always answered 2xx, and one bad result never fails a delivery.",
    strength: "D/I",
    switch: discipline,
    usedIn: [delivery, receiver, "core/src/gateway/operation/Status"],
    wrongIf: "the portal refuses to register the receiver"
  },
  "HOOK-6": {
    takes: "A webhook is registered per API key, by hand; the body names no account, so the receiver's address does.",
    strength: "D/I",
    switch: nothing("the receiver gets the account from the code that mounts it"),
    usedIn: [receiver],
    wrongIf: "results of one account arrive at another's address"
  },
  "HOOK-7": {
    takes: "Deliveries come at least once, in any order, and perhaps before the submission's own answer.",
    strength: "I",
    switch: tolerance,
    usedIn: [receiver, "core/src/store/evidence/Evidence"],
    wrongIf: "it cannot be wrong to our harm: exactly once and in order is a case of it"
  }
} as const satisfies { readonly [id: string]: Assumption }
