/**
 * Four documents of a victim: the second meets the gateway's fault, the third credits the first.
 */
import { DateTime } from "effect"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import type { PlannedDocument } from "../../packages/core/src/submission/PlannedDocument.ts"
import { creditNote, invoice } from "../../packages/core/test/submission/PlannedDocuments.ts"

export const ids = ["i1", "i2", "c3", "i4"] as const
export const faulted = "i2"

const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)

export const documents = (firstSecond: number): ReadonlyArray<PlannedDocument> =>
  ids.map((id, place) => {
    const receiptDate = Instant.format(Instant.fromSeconds(firstSecond + place, zone))
    return id.startsWith("c") ? creditNote(id, { receiptDate, credits: "i1" }) : invoice(id, { receiptDate })
  })
