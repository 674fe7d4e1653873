/** Sends one document without an export and without checks, to try a test device. */
import { CivilDate, FiscalDocument, WireCodec } from "@fiscal-connector/core/adapter"
import { WrittenDocument } from "@fiscal-connector/core/host"
import { type OpenAccount, Session } from "@fiscal-connector/core/session"
import { DateTime, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { notDone } from "../output/ExitError.ts"

/**
 * Sends the document and returns its submission after one attempt. Earlier documents in the lane
 * are sent first. Fails with ExitError if the store does not accept the document.
 */
export const send = Effect.fnUntraced(function* (
  account: OpenAccount.OpenAccount,
  document: FiscalDocument.FiscalDocument,
  file: string
) {
  const { date } = document.payload
  const { submission, verdict } = yield* Session.sendOne(account, {
    document: WrittenDocument.of(undated(document)),
    fingerprint: createHash("sha256").update(WireCodec.encode(document)).digest("hex"),
    sourceDate: CivilDate.of(date),
    receiptDate: date,
    original: null,
    held: null,
    zone: DateTime.zoneToString(date.zone),
    source: { file }
  })
  if (verdict === "NumberTaken") {
    return yield* notDone(
      `Nothing was sent: the number ${FiscalDocument.numberOf(document)} was used before (RCPT013).`
    )
  }
  if (Option.isSome(submission)) return submission.value
  return yield* notDone("Nothing was sent: the store did not take the document.")
})

const undated = (document: FiscalDocument.FiscalDocument): FiscalDocument.UndatedDocument => {
  if (document.kind === "invoice") {
    const { date: _, isRetry: __, ...payload } = document.payload
    return { kind: "invoice", payload }
  }
  const { date: _, isRetry: __, ...payload } = document.payload
  return { kind: "credit-note", payload }
}
