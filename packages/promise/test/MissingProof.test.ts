import { assert, describe, it } from "@effect/vitest"
import type { Proof, Submission } from "../../core/src/submission/Submission.ts"
import * as Money from "../../core/src/document/Money.ts"
import { DateTime } from "effect"
import { ofSubmission } from "../src/internal/resultOf.ts"

const proof: Proof = {
  verificationCode: null,
  qrCodeUrl: null,
  fiscalDay: null,
  deviceId: null,
  invoiceNumber: null,
  fiscalInvoicePdf: null
}
const because = (more: Partial<Proof>, text: string | null = null) => {
  const since = DateTime.makeUnsafe(0)
  const stored = { state: "Fiscalised", since, total: Money.zero, receiptDate: null, hold: null, rejection: null }
  return ofSubmission({ ...stored, text, proof: { ...proof, ...more } } as unknown as Submission).because
}

describe("the result of a fiscalised document", () => {
  it("says that the gateway has given no proof of the receipt", () => {
    assert.strictEqual(because({}), "fiscalised, and the gateway has given no proof of the receipt")
    assert.strictEqual(because({ invoiceNumber: 0 }), "fiscalised, and the gateway has given no proof of the receipt")
    assert.isNull(because({ verificationCode: "A" }))
    assert.isNull(because({ invoiceNumber: 41 }))
    assert.strictEqual(because({}, "the gateway's remark"), "the gateway's remark")
  })
})
