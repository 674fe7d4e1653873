import type { Finding, Provenance } from "@fiscal-connector/core/adapter"
import { buyerOf } from "./Buyer.ts"
import type { Context } from "../joins/Context.ts"
import { Document } from "../values/Fields.ts"
import { idFieldOf, numberFieldOf } from "../values/Identity.ts"
import { XeroNotes } from "../values/Notes.ts"
import { originalsOf } from "./Originals.ts"
import { payingAccountOf } from "./PayingAccount.ts"
import { wordsOf } from "./UnreadFields.ts"
import type { JsonField } from "../json/Place.ts"
import type { Shape } from "../values/Shape.ts"

export const whereIn = (shape: Shape, { joins, options }: Context, path: Finding.Path): Provenance.Provenance => {
  const [part, index] = path
  const [head] = shape.records
  const notes = new XeroNotes()
  switch (part) {
    case "lines":
      return whereInLine(shape, path)
    case "originals":
      return originalsOf(shape, joins, notes)[Number(index)]?.at ?? head.at(Document.allocations)
    case "buyer":
      return buyerOf(shape, joins, options, notes)?.at(index) ?? head.at(Document.contact)
    case "paymentMethod":
      return payingAccountOf(shape, joins, options, notes)?.at ?? head.at(Document.payments)
    case "words":
      return wordsOf(shape)[Number(index)]?.at() ?? head.here
    case "due":
      return head.at(head.text(Document.dueString) === undefined ? Document.due : Document.dueString)
    case "date":
      return head.at(head.text(Document.dateString) === undefined ? Document.date : Document.dateString)
    default: {
      const field = fieldOf(shape, part === "totals" ? index : part)
      return field === undefined ? head.here : head.at(field)
    }
  }
}

const fieldOf = ({ kind }: Shape, name: Finding.Path[number] | undefined): JsonField | undefined => {
  switch (name) {
    case "id":
      return idFieldOf(kind)
    case "number":
      return numberFieldOf(kind)
    case "currency":
    case "taxMode":
    case "reference":
    case "net":
    case "tax":
    case "total":
      return Document[name]
    case "reason":
      return Document.reference
    case "kind":
      return Document.type
    case "charges":
      return Document.rounding
    default:
      return undefined
  }
}

const whereInLine = (
  { lineFields, lines, records }: Shape,
  [, index, name, ...rest]: Finding.Path
): Provenance.Provenance => {
  const line = lines[Number(index)]
  if (line === undefined) return records[0].at(Document.lines)
  switch (name) {
    case "description":
    case "quantity":
    case "unitPrice":
    case "lineAmount":
      return line.at(lineFields[name])
    case "discount":
      return line.at(
        line.text(lineFields.discountRate) === undefined ? lineFields.discountAmount : lineFields.discountRate
      )
    case "taxes":
      return line.at(rest.at(-1) === "amount" ? lineFields.taxAmount : lineFields.taxType)
    case "productCode":
      return line.at(lineFields.itemCode)
    default:
      return line.here
  }
}
