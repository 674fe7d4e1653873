import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import type { PlannedDocument } from "../../submission/PlannedDocument.ts"
import * as Stored from "../../submission/ledger/Stored.ts"

type WrittenRest = Omit<PlannedDocument, "document" | "receiptDate"> & {
  readonly document: Omit<PlannedDocument["document"], "total"> & { readonly total: string }
  readonly receiptDate: string
}

export const write = (documents: ReadonlyArray<PlannedDocument>): string =>
  JSON.stringify(
    documents.map(({ document, receiptDate, ...planned }): WrittenRest => ({
      ...planned,
      receiptDate: receiptDate === "at-submission" ? receiptDate : Instant.format(receiptDate),
      document: { ...document, total: Money.formatAmount(document.total) }
    }))
  )

export const read = (body: string, place: Stored.StoreLocation): ReadonlyArray<PlannedDocument> =>
  (Stored.list(body, place) as ReadonlyArray<WrittenRest>).map(({ document, receiptDate, ...planned }) => ({
    ...planned,
    receiptDate: receiptDate === "at-submission" ? receiptDate : Stored.instant(receiptDate, place),
    document: { ...document, total: Stored.money(document.total, place) }
  }))

export const oldestOf = (documents: ReadonlyArray<PlannedDocument>): string =>
  documents.reduce((oldest, { sourceDate }) => (sourceDate < oldest ? sourceDate : oldest), "9999-12-31")
