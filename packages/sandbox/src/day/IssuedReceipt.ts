/**
 * A receipt the device has issued: what it fiscalised, where it stands, and how it is coloured.
 */
import type { DocumentKind } from "../wire/Document.ts"
import type { QrData } from "../wire/StatusItem.ts"

export interface IssuedReceipt {
  readonly requestId: string
  readonly account: string
  readonly deviceId: number
  readonly kind: DocumentKind
  readonly documentId: string
  readonly documentNumber: string
  readonly qrData: QrData
  readonly pdf: string
}
