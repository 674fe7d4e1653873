/** One element of the status answer (STAT-1, STAT-2, HOOK-1, HOOK-2). */
import * as Schema from "effect/Schema"

export const QrData = Schema.Struct({
  QrCodeUrl: Schema.String,
  VerificationCode: Schema.String,
  FiscalDay: Schema.Int,
  DeviceId: Schema.Int,
  InvoiceNumber: Schema.Int
}).annotate({ identifier: "QrData" })
export type QrData = typeof QrData.Type

/**
 * Status of a request. Pending: Success false, Error null, QrData null. Fiscalised: Success true.
 * Failed: Success false and an Error. Faults of the sandbox report anything: an Error that is an
 * object, QrData as JSON in a text, Success false beside QrData.
 */
export const StatusItem = Schema.Struct({
  RequestId: Schema.String,
  Success: Schema.Boolean,
  IsActionable: Schema.NullOr(Schema.Boolean),
  Error: Schema.Json,
  QrData: Schema.NullOr(Schema.Union([QrData, Schema.String])),
  FiscalInvoicePdf: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StatusRequest" })
export type StatusItem = typeof StatusItem.Type
