/** What the gateway says of a submission: an item of /status and of a webhook delivery (interface.md, StatusRequest; HOOK-1, HOOK-2). */
import type { RequestId } from "../document/Identifiers.ts"

/** Proof of fiscalisation. `invoiceNumber` is the authority's, not the seller's (HOOK-2). Fields the device left out are null. */
export interface QrData {
  readonly qrCodeUrl: string | null
  readonly verificationCode: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  readonly invoiceNumber: number | null
}

/**
 * One result, in three values (STAT-1): "no error" is never success.
 * `pending` also stands for an item that says neither success nor error.
 */
export type StatusItem =
  | { readonly _tag: "Pending"; readonly requestId: RequestId }
  | {
      readonly _tag: "Fiscalised"
      readonly requestId: RequestId
      readonly qrData: QrData | null
      /** A file name for the download operation (STAT-4); untrusted text, never a local path. */
      readonly fiscalInvoicePdf: string | null
    }
  | {
      readonly _tag: "Rejected"
      readonly requestId: RequestId
      /** The gateway's own text; authority codes may occur in it (STAT-3). */
      readonly error: string
      /** `correctable`: correct and resubmit; `final`: not. Correctable when the gateway does not say (STAT-2). */
      readonly nature: "correctable" | "final"
    }
