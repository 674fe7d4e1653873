/**
 * The text of a document in the store: its fields in a fixed order, decimals as strings. Read and written by hand, because every attempt
 * reads it, and through the schema that costs ten times as much.
 */
import { Effect, Option } from "effect"
import type { BuyerContact } from "../../document/BuyerContact.ts"
import type { DocumentKind, UndatedDocument } from "../../document/FiscalDocument.ts"
import type { Invoice } from "../../document/Invoice.ts"
import type { LineItem } from "../../document/LineItem.ts"
import * as Money from "../../document/Money.ts"
import { StoreError } from "../StoreError.ts"

const storedBuyer = ({ address, email, name, phone, tin, tradeName, vatNumber }: BuyerContact) => ({
  name,
  tradeName,
  tin,
  vatNumber,
  phone,
  email,
  address:
    address === null
      ? null
      : { province: address.province, street: address.street, houseNo: address.houseNo, city: address.city }
})

const storedLine = (line: LineItem) => ({
  description: line.description,
  unitAmount: Money.formatPlain(line.unitAmount),
  taxCode: line.taxCode,
  productCode: line.productCode,
  lineAmount: Money.formatAmount(line.lineAmount),
  discountAmount: line.discountAmount === null ? null : Money.formatAmount(line.discountAmount),
  quantity: Money.formatPlain(line.quantity),
  customFields: line.customFields
})

const storedCommon = (payload: Omit<Invoice, "invoiceId" | "invoiceNumber" | "date" | "isRetry">) => ({
  reference: payload.reference,
  isDiscounted: payload.isDiscounted,
  isTaxInclusive: payload.isTaxInclusive,
  buyerContact: payload.buyerContact === null ? null : storedBuyer(payload.buyerContact),
  lineItems: payload.lineItems.map(storedLine),
  paymentMethod: payload.paymentMethod,
  subTotal: Money.formatAmount(payload.subTotal),
  totalTax: Money.formatAmount(payload.totalTax),
  total: Money.formatAmount(payload.total),
  currencyCode: payload.currencyCode
})

/** Equal documents have equal texts. */
export const encode = ({ kind, payload }: UndatedDocument): string =>
  JSON.stringify(
    kind === "invoice"
      ? { invoiceId: payload.invoiceId, invoiceNumber: payload.invoiceNumber, ...storedCommon(payload) }
      : {
          creditNoteId: payload.creditNoteId,
          originalInvoiceId: payload.originalInvoiceId,
          creditNoteNumber: payload.creditNoteNumber,
          ...storedCommon(payload)
        }
  )

interface StoredFigures {
  readonly lineItems: ReadonlyArray<ReturnType<typeof storedLine>>
  readonly subTotal: string
  readonly totalTax: string
  readonly total: string
}

type Payload<Kind extends DocumentKind> = Extract<UndatedDocument, { readonly kind: Kind }>["payload"]
type Stored<Kind extends DocumentKind> = Omit<Payload<Kind>, keyof StoredFigures> & StoredFigures

const money = (text: string): Money.Money => Option.getOrThrow(Money.parse(text))

const figures = ({ lineItems, subTotal, total, totalTax }: StoredFigures) => ({
  lineItems: lineItems.map((line) => ({
    ...line,
    unitAmount: money(line.unitAmount),
    lineAmount: money(line.lineAmount),
    discountAmount: line.discountAmount === null ? null : money(line.discountAmount),
    quantity: money(line.quantity)
  })),
  subTotal: money(subTotal),
  totalTax: money(totalTax),
  total: money(total)
})

const read = (kind: DocumentKind, text: string): UndatedDocument => {
  if (kind === "invoice") {
    const stored = JSON.parse(text) as Stored<"invoice">
    return { kind, payload: { ...stored, ...figures(stored) } }
  }
  const stored = JSON.parse(text) as Stored<"credit-note">
  return { kind, payload: { ...stored, ...figures(stored) } }
}

/** Reads a text of ours back. Fails where it is none: the file has been tampered with. */
export const decode = (kind: DocumentKind, text: string): Effect.Effect<UndatedDocument, StoreError> =>
  Effect.try({
    try: () => read(kind, text),
    catch: () =>
      new StoreError({ operation: "read a document", reason: "corrupt", problem: "a stored document cannot be read" })
  })
