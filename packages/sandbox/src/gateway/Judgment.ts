import * as Result from "effect/Result"
import { marksOf } from "../receipt/color.ts"
import * as FieldRules from "../receipt/FieldRules.ts"
import * as Receipt from "../receipt/Receipt.ts"
import type { ColorContext, ReceiptMark } from "../receipt/Rule.ts"
import type { Document } from "../wire/Document.ts"

export type Judgment =
  | { readonly _tag: "Issued"; readonly receipt: Receipt.Receipt; readonly marks: ReadonlyArray<ReceiptMark> }
  | { readonly _tag: "Failed"; readonly error: string }

/**
 * Judges a document under an account's codes and a device's knowledge. RCPT010, RCPT017 and the
 * field rules (lengths, places) make the document fail. Every other rule of the device
 * (docs/gateway.md#rules) only marks the receipt.
 */
export const judge = (document: Document, codes: Receipt.Codes, context: ColorContext): Judgment => {
  const receipt = Receipt.fromDocument(document, codes)
  if (Result.isFailure(receipt)) return { _tag: "Failed", error: receipt.failure }
  const problems = FieldRules.problems(document, receipt.success.currency)
  if (problems.length > 0) return { _tag: "Failed", error: problems.join("; ") }
  return { _tag: "Issued", receipt: receipt.success, marks: marksOf(receipt.success, context) }
}
