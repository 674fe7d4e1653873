import type { RequestId } from "../../document/Identifiers.ts"
import type { QrData, StatusItem } from "../../gateway/operation/Status.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { Evidence, Outcome } from "../../submission/Outcome.ts"
import type { Proof } from "../../submission/Submission.ts"
import { type OutcomeRow, proofOf, rejectionOf } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"

export interface OutcomeStatement {
  readonly outcome: Exclude<Outcome, { readonly _tag: "Pending" }>
  readonly missing?: NonNullable<OutcomeRow["missing"]>
  readonly unknownFields?: Readonly<Record<string, unknown>>
}

/**
 * Returns the columns of an outcome. The order of fields in `detail` never changes, because an
 * outcome is recognized by the digest of its text.
 */
export const columnsOf = (outcome: OutcomeStatement["outcome"]): Pick<OutcomeRow, "outcome" | "detail"> => {
  switch (outcome._tag) {
    case "Fiscalised":
      return { outcome: outcome._tag, detail: JSON.stringify(outcome.proof) }
    case "Contradictory":
      return { outcome: outcome._tag, detail: JSON.stringify({ ...outcome.proof, ...outcome.rejection }) }
    case "Rejected":
      return { outcome: outcome._tag, detail: JSON.stringify(outcome.rejection) }
    case "Expired":
      return { outcome: outcome._tag, detail: "null" }
  }
}

export const proofColumns = ({
  missing,
  outcome
}: OutcomeStatement): Pick<OutcomeRow, "code" | "receipt" | "missing"> => {
  if (!("proof" in outcome)) return { code: null, receipt: null, missing: null }
  const { fiscalDay, invoiceNumber, verificationCode } = outcome.proof
  const isNumbered = fiscalDay !== null && invoiceNumber !== null && invoiceNumber > 0
  const receipt = isNumbered ? `${fiscalDay}/${invoiceNumber}` : null
  return { code: verificationCode, receipt, missing: missing ?? null }
}

const unknownFields = (
  ...of: ReadonlyArray<{ readonly unknownFields?: Readonly<Record<string, unknown>> } | null>
): Pick<OutcomeStatement, "unknownFields"> => {
  const fields: Readonly<Record<string, unknown>> = Object.assign({}, ...of.map((one) => one?.unknownFields))
  return Object.keys(fields).length === 0 ? {} : { unknownFields: fields }
}

const proofIn = (qrData: QrData | null, fiscalInvoicePdf: string | null): Proof => ({
  verificationCode: qrData?.verificationCode ?? null,
  qrCodeUrl: qrData?.qrCodeUrl ?? null,
  fiscalDay: qrData?.fiscalDay ?? null,
  deviceId: qrData?.deviceId ?? null,
  invoiceNumber: qrData?.invoiceNumber ?? null,
  fiscalInvoicePdf
})

export const ofItem = (item: StatusItem): OutcomeStatement | null => {
  switch (item._tag) {
    case "Pending":
      return null
    case "Rejected":
      return {
        outcome: { _tag: "Rejected", rejection: { error: item.error, nature: item.nature } },
        // the stored rejection has no field for the name
        ...unknownFields(
          item.fiscalInvoicePdf === undefined ? null : { unknownFields: { FiscalInvoicePdf: item.fiscalInvoicePdf } },
          item
        )
      }
    case "Contradictory":
      return {
        outcome: {
          _tag: "Contradictory",
          rejection: { error: item.error, nature: item.nature },
          proof: proofIn(item.qrData, item.fiscalInvoicePdf)
        },
        ...unknownFields(item, item.qrData)
      }
    case "Fiscalised":
      return {
        outcome: {
          _tag: "Fiscalised",
          proof: {
            ...proofIn(item.qrData, item.fiscalInvoicePdf),
            ...(item.said !== undefined && { said: item.said })
          }
        },
        ...(item.missing !== undefined && { missing: item.missing }),
        ...unknownFields(item, item.qrData)
      }
  }
}

const outcomeOf = (row: OutcomeRow): Outcome => {
  const place = () => `detail of outcome ${row.id}`
  switch (Stored.oneOf(StoredValues.outcomes, row.outcome, () => `outcome ${row.id}`)) {
    case "Fiscalised":
      return { _tag: "Fiscalised", proof: proofOf(row.detail, place) }
    case "Contradictory":
      return {
        _tag: "Contradictory",
        rejection: rejectionOf(row.detail, place),
        proof: proofOf(row.detail, place)
      }
    case "Rejected":
      return { _tag: "Rejected", rejection: rejectionOf(row.detail, place) }
    case "Expired":
      return { _tag: "Expired" }
  }
}

export const evidenceOf = (row: OutcomeRow): Evidence => ({
  source: Stored.oneOf(StoredValues.sources, row.source, () => `source of outcome ${row.id}`),
  requestId: row.request_id.startsWith("operator ")
    ? null
    : Stored.name<RequestId>(row.request_id, () => `request_id of outcome ${row.id}`),
  outcome: outcomeOf(row)
})

export const itemOf = (row: OutcomeRow): StatusItem => {
  const place = () => `outcome ${row.id}, which has no document`
  const requestId = Stored.name<RequestId>(row.request_id, place)
  if (row.outcome === "Rejected") return { _tag: "Rejected", requestId, ...rejectionOf(row.detail, place) }
  const { fiscalInvoicePdf, said, ...qrData } = proofOf(row.detail, place)
  if (row.outcome === "Contradictory")
    return { _tag: "Contradictory", requestId, ...rejectionOf(row.detail, place), qrData, fiscalInvoicePdf }
  return {
    _tag: "Fiscalised",
    requestId,
    qrData,
    fiscalInvoicePdf,
    ...(said !== undefined && { said }),
    ...(row.missing !== null && { missing: row.missing })
  }
}
