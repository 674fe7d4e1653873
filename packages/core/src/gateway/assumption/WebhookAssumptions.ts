import { type Assumption, discipline, nothing, on, tolerance } from "./Assumption.ts"

const receiver = "core/src/sending/WebhookReceiver"
const delivery = "core/src/sending/WebhookDelivery"

export const webhooks = {
  "HOOK-1": {
    takes: "The body of a delivery is a JSON array of results with the same shape as those of /status.",
    strength: "C",
    switch: on("HOOK-1"),
    usedIn: ["core/src/gateway/operation/Status", delivery],
    wrongIf: "a signed delivery is not an array"
  },
  "HOOK-2": {
    takes:
      "QrData contains QrCodeUrl, VerificationCode, FiscalDay, DeviceId and InvoiceNumber; InvoiceNumber is the number of the authority, not of the seller.",
    strength: "C",
    switch: nothing("a field with another name or type is kept as an unknown field"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "a fiscalised result has no verification code"
  },
  "HOOK-3": {
    takes:
      "Deliveries have the header X-Api-Signature, made in the same way as for our requests. Deliveries have no time stamp and no event id; de-duplication protects against replays.",
    strength: "D",
    switch: on("HOOK-3"),
    usedIn: ["core/src/gateway/exchange/Signature", delivery],
    wrongIf: "every delivery fails verification although the secret is right"
  },
  "HOOK-4": {
    takes:
      "The receiver answers 2xx within 5 s, sets no cookies, and answers 401 to a wrong signature. Otherwise the gateway repeats deliveries for 24 h, then switches the webhook off.",
    strength: "D",
    switch: on("HOOK-4"),
    usedIn: [receiver],
    wrongIf: "deliveries that were answered arrive again, or the webhook is switched off"
  },
  "HOOK-5": {
    takes:
      "At registration the gateway sends test POSTs, some with a wrong signature, some empty. A signed body is always answered 2xx, and one invalid result never fails a delivery.",
    strength: "D/I",
    switch: discipline,
    usedIn: [delivery, receiver, "core/src/gateway/operation/Status"],
    wrongIf: "the portal refuses to register the receiver"
  },
  "HOOK-6": {
    takes:
      "A webhook is registered manually for each API key. The body names no account, so the address of the receiver identifies the account.",
    strength: "D/I",
    switch: nothing("the receiver gets the account from the code that mounts it"),
    usedIn: [receiver],
    wrongIf: "results of one account arrive at the address of another account"
  },
  "HOOK-7": {
    takes: "Deliveries arrive at least once, in any order, and sometimes before the answer to the submission.",
    strength: "I",
    switch: tolerance,
    usedIn: [receiver, "core/src/store/evidence/Evidence"],
    wrongIf: "deliveries arrive exactly once and in order, which is accepted, too"
  }
} as const satisfies { readonly [id: string]: Assumption }
