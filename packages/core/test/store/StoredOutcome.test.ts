import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import * as StoredOutcome from "../../src/store/evidence/StoredOutcome.ts"

const requestId = RequestId.make("11111111-1111-4111-8111-111111111111")

const fiscalised: Extract<StatusItem, { readonly _tag: "Fiscalised" }> = {
  _tag: "Fiscalised",
  requestId,
  qrData: {
    invoiceNumber: 4,
    deviceId: 3,
    fiscalDay: 2,
    verificationCode: "ABCD",
    qrCodeUrl: "https://example.org/q",
    unknownFields: { Note: "x" }
  },
  fiscalInvoicePdf: "a.pdf",
  unknownFields: { More: 1 }
}

const rowOf = (item: StatusItem) => {
  const stated = StoredOutcome.ofItem(item)!
  const columns = StoredOutcome.columnsOf(stated.outcome)
  return {
    id: 1,
    attempt: null,
    request_id: requestId,
    source: "poll",
    unknown_fields: null,
    arrived_at: 0,
    ...columns,
    ...StoredOutcome.proofColumns(stated)
  } as const
}

describe("a stored outcome", () => {
  it("has the text by which every release recognizes it", () => {
    const proof = `{"verificationCode":"ABCD","qrCodeUrl":"https://example.org/q","fiscalDay":2,"deviceId":3,"invoiceNumber":4,"fiscalInvoicePdf":"a.pdf"`
    assert.deepInclude(rowOf(fiscalised), { outcome: "Fiscalised", detail: `${proof}}` })
    assert.deepInclude(rowOf({ ...fiscalised, said: "late" }), { detail: `${proof},"said":"late"}` })
    assert.deepInclude(rowOf({ _tag: "Rejected", requestId, nature: "final", error: "no" }), {
      outcome: "Rejected",
      detail: `{"error":"no","nature":"final"}`
    })
    assert.deepStrictEqual(StoredOutcome.columnsOf({ _tag: "Expired" }), { outcome: "Expired", detail: "null" })
  })

  it("keeps both sides of a contradictory answer", () => {
    const { said: _said, ...success } = fiscalised
    const failure = { error: "printing failed", nature: "correctable" } as const
    const item = { ...success, qrData: fiscalised.qrData!, ...failure, _tag: "Contradictory" } as const
    const stated = StoredOutcome.ofItem(item)!
    assert.deepStrictEqual(stated.unknownFields, { More: 1, Note: "x" })
    const row = rowOf(item)
    assert.deepStrictEqual(StoredOutcome.evidenceOf(row), { source: "poll", requestId, outcome: stated.outcome })
    const { unknownFields: _, ...qrData } = item.qrData
    const { unknownFields: __, ...read } = { ...item, qrData }
    assert.deepStrictEqual(StoredOutcome.itemOf(row), read)
  })

  it("keeps the name of a PDF beside a failure", () => {
    const failed = { _tag: "Rejected", requestId, error: "no", nature: "final", fiscalInvoicePdf: "a.pdf" } as const
    assert.deepStrictEqual(StoredOutcome.ofItem(failed)?.unknownFields, { FiscalInvoicePdf: "a.pdf" })
  })

  it("is read as it was stated, separate from the other fields of the answer", () => {
    assert.isNull(StoredOutcome.ofItem({ _tag: "Pending", requestId }))
    const stated = StoredOutcome.ofItem({ ...fiscalised, said: "late" })!
    assert.deepStrictEqual(stated.unknownFields, { More: 1, Note: "x" })
    const row = rowOf({ ...fiscalised, said: "late" })
    assert.deepStrictEqual(StoredOutcome.evidenceOf(row), { source: "poll", requestId, outcome: stated.outcome })
    const { unknownFields: _, ...qrData } = fiscalised.qrData!
    assert.deepStrictEqual(StoredOutcome.itemOf(row), {
      _tag: "Fiscalised",
      requestId,
      qrData,
      fiscalInvoicePdf: "a.pdf",
      said: "late"
    })
  })
})
