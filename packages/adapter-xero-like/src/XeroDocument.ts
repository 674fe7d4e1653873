/** An invoice or credit note of the export as a source document. */
import type { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import type { Finding, Path } from "@fiscal-connector/core/finding/Finding"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { SourceBuyer, SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { PlacedBuyer } from "./Buyer.ts"
import type { Found } from "./ContactDetails.ts"
import { Document } from "./Fields.ts"
import { idFieldOf, numberFieldOf } from "./Identity.ts"
import type { PlacedOriginal } from "./Originals.ts"
import type { Field } from "./Place.ts"
import type { Shape } from "./Shape.ts"

/** What the export states of a document, with the places that are not plain from its shape. */
export interface Stated extends Pick<
  SourceDocument,
  "order" | "amounts" | "lines" | "charges" | "totals" | "findings"
> {
  readonly id: string
  readonly date: CivilDate | Instant | undefined
  readonly currency: string | undefined
  readonly reference: string | undefined
  readonly buyer: PlacedBuyer | undefined
  readonly originals: ReadonlyArray<PlacedOriginal>
  readonly paymentMethod: Found | undefined
}

export class XeroDocument implements SourceDocument {
  readonly _tag = "SourceDocument"
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly order: number
  declare readonly date?: CivilDate | Instant
  declare readonly currency?: string
  readonly amounts: SourceDocument["amounts"]
  declare readonly buyer?: SourceBuyer
  readonly lines: SourceDocument["lines"]
  readonly charges: SourceDocument["charges"]
  readonly totals: SourceDocument["totals"]
  readonly originals: SourceDocument["originals"]
  declare readonly reference?: string
  declare readonly paymentMethod?: string
  readonly findings: ReadonlyArray<Finding>
  /** The export's own records, to be written back. */
  readonly shape: Shape
  private readonly stated: Stated

  constructor(shape: Shape, stated: Stated) {
    this.shape = shape
    this.stated = stated
    this.kind = shape.kind
    this.id = stated.id
    this.number = shape.number ?? ""
    this.order = stated.order
    this.amounts = stated.amounts
    this.lines = stated.lines
    this.charges = stated.charges
    this.totals = stated.totals
    this.originals = stated.originals.map(({ original }) => original)
    this.findings = stated.findings
    if (stated.date !== undefined) this.date = stated.date
    if (stated.currency !== undefined) this.currency = stated.currency
    if (stated.buyer !== undefined) this.buyer = stated.buyer.buyer
    if (stated.reference !== undefined) this.reference = stated.reference
    if (stated.paymentMethod !== undefined) this.paymentMethod = stated.paymentMethod.value
  }

  where([part, index, of, ...rest]: Path): Provenance {
    const { stated } = this
    const [head] = this.shape.records
    switch (part) {
      case "lines":
        return this.whereInLine(index, rest.at(-1) === "amount" ? "taxAmount" : of)
      case "originals":
        return stated.originals[Number(index)]?.at ?? head.at(Document.allocations)
      case "buyer":
        return stated.buyer?.at(index) ?? this.shape.contact?.here ?? head.at(Document.contact)
      case "paymentMethod":
        return stated.paymentMethod?.at ?? head.at(Document.payments)
      case "date":
        return head.at(head.text(Document.dateString) === undefined ? Document.date : Document.dateString)
      case "charges":
        return head.at(Document.rounding)
      case "totals":
        return index === "net" || index === "tax" || index === "total" ? head.at(Document[index]) : head.here
      default: {
        const field = this.fieldOf(part)
        return field === undefined ? head.here : head.at(field)
      }
    }
  }

  private fieldOf(part: Path[number] | undefined): Field | undefined {
    switch (part) {
      case "id":
        return idFieldOf(this.kind)
      case "number":
        return numberFieldOf(this.kind)
      case "currency":
      case "amounts":
      case "reference":
        return Document[part]
      case "reason":
        return Document.reference
      case "kind":
        return Document.type
      default:
        return undefined
    }
  }

  private whereInLine(index: Path[number] | undefined, of: Path[number] | undefined): Provenance {
    const { lineFields, lines, records } = this.shape
    const line = lines[Number(index)]
    if (line === undefined) return records[0].at(Document.lines)
    switch (of) {
      case "description":
      case "quantity":
      case "unitAmount":
      case "lineAmount":
      case "taxAmount":
        return line.at(lineFields[of])
      case "discount":
        return line.at(
          line.text(lineFields.discountRate) === undefined ? lineFields.discountAmount : lineFields.discountRate
        )
      case "taxes":
        return line.at(lineFields.taxType)
      case "productCode":
        return line.at(lineFields.itemCode)
      default:
        return line.here
    }
  }
}
