/** Webhooks (HOOK-1 to HOOK-7). */
import { type Assumption, discipline, inGateway, nothing, on, tolerance } from "./Assumption.ts"

const receiver = "core/src/webhook/WebhookReceiver"
const delivery = "core/src/webhook/WebhookDelivery"
const ofReceiver = (...titles: ReadonlyArray<string>) =>
  titles.map((title) => `core/test/webhook/WebhookReceiver.test.ts: ${title}`)

export const webhooks = {
  "HOOK-1": {
    takes: "A delivery's body is a JSON array of results of the same shape as those of /status.",
    strength: "C",
    switch: on("HOOK-1"),
    usedIn: ["core/src/gateway/operation/Status", delivery],
    wrongIf: "a signed delivery is no array",
    tests: [
      ...inGateway(
        "Status.test.ts: loses no good result to a bad one beside it, but an answer of nothing but bad ones is malformed"
      ),
      ...ofReceiver("is read under the header and in the form that the account's switches name (HOOK-1, HOOK-3)")
    ]
  },
  "HOOK-2": {
    takes:
      "QrData holds QrCodeUrl, VerificationCode, FiscalDay, DeviceId and InvoiceNumber, the last being the authority's and not the seller's.",
    strength: "C",
    switch: nothing("what has another name or type is kept among the unknown fields"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "a fiscalised result has no verification code",
    tests: inGateway(
      "Status.test.ts: is fiscalised with its proof when Success is true",
      "Status.test.ts: keeps what it does not know, and what does not fit its field"
    )
  },
  "HOOK-3": {
    takes:
      "Deliveries carry X-Api-Signature, made as ours are. There is no time stamp and no event id: replays are met by de-duplication.",
    strength: "D",
    switch: on("HOOK-3"),
    usedIn: ["core/src/gateway/exchange/Signature", delivery],
    wrongIf: "every delivery fails verification although the secret is right",
    tests: [
      ...inGateway(
        "Signature.test.ts: never verifies without a secret, without a signature, or by a signature that is not canonical Base64 of 32 bytes"
      ),
      ...ofReceiver(
        "is read under the header and in the form that the account's switches name (HOOK-1, HOOK-3)",
        "is taken again and again, and changes nothing the second time (HOOK-3)"
      )
    ]
  },
  "HOOK-4": {
    takes:
      "The receiver answers 2xx within 5 s, sets no cookies, and answers 401 to a bad signature. Otherwise deliveries are repeated for 24 h, then the webhook is switched off.",
    strength: "D",
    switch: on("HOOK-4"),
    usedIn: [receiver],
    wrongIf: "deliveries that were answered come again, or the webhook is switched off",
    tests: ofReceiver(
      "leads to 503 in time, whatever it does, and is no reason to lose what was delivered",
      "is answered 401 and changes nothing: no signature"
    )
  },
  "HOOK-5": {
    takes:
      "Registration sends test POSTs, some badly signed, some empty. A signed body is always answered 2xx, and one bad result never fails a delivery.",
    strength: "D/I",
    switch: discipline,
    usedIn: [delivery, receiver, "core/src/gateway/operation/Status"],
    wrongIf: "the portal refuses to register the receiver",
    tests: ofReceiver(
      "of an empty array is answered 2xx, as registration sends such (HOOK-5)",
      "loses no good result to a bad one beside it"
    )
  },
  "HOOK-6": {
    takes: "A webhook is registered per API key, by hand; the body names no account, so the receiver's address does.",
    strength: "D/I",
    switch: nothing("the receiver is told the account by whoever mounts it"),
    usedIn: [receiver],
    wrongIf: "results of one account arrive at another's address",
    tests: ofReceiver("changes only documents of the account whose secret signed it")
  },
  "HOOK-7": {
    takes: "Deliveries come at least once, in any order, and perhaps before the submission's own answer.",
    strength: "I",
    switch: tolerance,
    usedIn: [receiver, "core/src/store/evidence/Evidence"],
    wrongIf: "it cannot be wrong to our harm: exactly once and in order is a case of it",
    tests: [
      "core/test/submission/Outcome.test.ts",
      "core/test/webhook/WebhookOrders.test.ts",
      ...ofReceiver("may come before the submission's own answer: its outcome is kept until then (HOOK-7)")
    ]
  }
} as const satisfies { readonly [id: string]: Assumption }
