/** States the gateway's late proof of a request in a store of the command. */
import { Duration, Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { RequestId } from "../../core/src/document/Identifiers.ts"
import * as SqliteStore from "../../core/src/node/SqliteStore.ts"
import { SubmissionStore } from "../../core/src/submission/SubmissionStore.ts"
import type { IssuedReceipt } from "../../sandbox/src/day/IssuedReceipt.ts"

/** States the receipt of the first request of an invoice, whose answer was lost. */
export const proveFirst = (folder: string, id: string, { pdf, qrData: issued, requestId: given }: IssuedReceipt) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const key = { account: "main", kind: "invoice", id } as const
    const { attempts } = Option.getOrThrow(yield* store.explain(key))
    const requestId = RequestId.make(given)
    yield* store.finishAttempt({
      attempt: attempts[0]!.id,
      result: { _tag: "Accepted", requestId },
      firstLook: Duration.zero
    })
    const qrData = {
      qrCodeUrl: null,
      verificationCode: issued.VerificationCode,
      fiscalDay: issued.FiscalDay,
      deviceId: issued.DeviceId,
      invoiceNumber: issued.InvoiceNumber
    }
    const item = { _tag: "Fiscalised", requestId, qrData, fiscalInvoicePdf: pdf } as const
    yield* store.recordOutcomes("main", [item], "webhook")
  }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: join(folder, "fiscal-connector.db") }))))
