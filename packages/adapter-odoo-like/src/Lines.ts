import type { Item, LineFields, UnmappedFields } from "@fiscal-connector/adapter-kit"
import type { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { found } from "./Found.ts"
import type { Joined } from "./Joined.ts"
import { idIn, idsIn, labelIn } from "./Model.ts"
import type { OdooLikeOptions } from "./OdooLikeOptions.ts"
import { type OdooBasis, taxesOf } from "./Taxes.ts"

export interface OdooLines {
  readonly basis: OdooBasis
  readonly lines: ReadonlyArray<LineFields>
  readonly nets: ReadonlyArray<Money.Money>
  readonly grosses: ReadonlyArray<Money.Money>
  readonly items: ReadonlyArray<Item>
  readonly unmapped: ReadonlyArray<UnmappedFields>
}

interface LineAmounts {
  readonly fields: LineFields
  readonly row?: Item
  readonly net?: Money.Money
  readonly gross?: Money.Money
}

/** Types of a journal entry's rows. The list is closed: any other type refuses the document. */
const forms = {
  product: "sale",
  line_section: "text",
  line_subsection: "text",
  line_note: "text",
  tax: "posting",
  payment_term: "posting",
  cogs: "posting",
  rounding: "rounding"
} as const

export const linesOf = (row: Item, id: string, joined: Joined, options: OdooLikeOptions): OdooLines => {
  const listed = row.keys.includes("invoice_line_ids") ? idsIn(row, "invoice_line_ids") : undefined
  const all = [...(joined.linesOf.get(id) ?? [])]
  const own = listed ?? all
  const bases = new Set<OdooBasis>()
  const items: Array<Item> = []
  const nets: Array<Money.Money> = []
  const grosses: Array<Money.Money> = []

  const sale = (line: Item): LineAmounts => {
    const [net, gross] = [line.decimal("price_subtotal"), line.decimal("price_total")]
    nets.push(net)
    grosses.push(gross)
    const taxed = taxesOf(line, BigDecimal.subtract(gross, net), joined, options)
    for (const basis of taxed.bases) bases.add(basis)
    items.push(...taxed.items)
    const percent = line.optional.decimal("discount")
    const code = options.productCode === undefined ? undefined : productCodes[options.productCode](line)
    const fields = {
      description: line.optional.text("name") ?? labelIn(line, "product_id"),
      quantity: line.decimal("quantity"),
      unitPrice: line.decimal("price_unit"),
      discount: percent === undefined || BigDecimal.isZero(percent) ? undefined : { percent },
      taxes: taxed.taxes,
      productCode: code,
      account: idIn(line, "account_id"),
      totals: { net, total: gross }
    }
    return { fields, row: line, net, gross }
  }

  const made = own.flatMap((lineId): ReadonlyArray<LineAmounts> => {
    const line = found(row, listed === undefined ? "id" : "invoice_line_ids", joined.lines, {
      model: "account.move.line",
      id: lineId,
      missing: "refuse"
    })
    if (line === undefined) return []
    items.push(line)
    if (idIn(line, "move_id") !== id)
      line.refuse("move_id", `the line ${lineId} is listed by the document ${id} and belongs to another one`)
    const form = line.has("display_type") ? line.choice("display_type", forms) : plainForm(line, listed)
    if (form === "rounding") line.refuse("display_type", "cash rounding is not read", "Take it off in the source.")
    if (form === "text") return [{ fields: { description: line.optional.text("name"), taxes: [] } }]
    return form === "sale" ? [sale(line)] : []
  })
  for (const other of all.filter((one) => !own.includes(one))) {
    const line = joined.lines.latest(other, () => undefined)
    if (line === undefined || line === "differ") continue
    const form = line.quietly().optional.text("display_type")
    if (form === "rounding") row.refuse("invoice_line_ids", "cash rounding is not read", "Take it off in the source.")
    if (form === "product")
      row.refuse(
        "invoice_line_ids",
        `the line ${other} belongs to the document, and its list of lines omits it`,
        "Export documents and lines again, at one time."
      )
  }
  if (own.length === 0)
    row.refuse("invoice_line_ids", "the export has no lines of the document", "Give account.move.line as well.")
  if (bases.size > 1)
    row.refuse("id", "some prices include their tax and others do not", "Use taxes of one kind on one document.")
  const basis = bases.has("inclusive") ? "inclusive" : "exclusive"
  const lines = made.map((one): LineFields => {
    const { fields, gross, net } = one
    return net === undefined ? fields : { ...fields, lineAmount: basis === "inclusive" ? gross : net }
  })
  const unmapped = options.productCode === undefined ? made.flatMap(({ row }, i) => codeIn(row, i)) : []
  return { basis, lines, nets, grosses, items, unmapped }
}

/** A row in the invoice's list is a line; an older version marks all other rows. */
const plainForm = (line: Item, listed: ReadonlyArray<string> | undefined): "sale" | "posting" | undefined => {
  if (listed !== undefined) return "sale"
  if (line.keys.includes("exclude_from_invoice_tab")) return line.flag("exclude_from_invoice_tab") ? "posting" : "sale"
  line.refuse(
    "display_type",
    "it is not clear whether this row is a line of the invoice",
    "Export display_type with the lines, or invoice_line_ids with the documents."
  )
  return undefined
}

const codeIn = (item: Item | undefined, line: number): ReadonlyArray<UnmappedFields> => {
  const text = item && productCodes["default-code"](item.quietly())
  const answers = [{ settings: { productCode: "default-code" } }, { settings: { productCode: "product-id" } }]
  return item === undefined || text === undefined
    ? []
    : [{ subject: "item-code", item, key: "/product_id/1", text, line, answers }]
}

const productCodes = {
  "product-id": (line: Item) => idIn(line, "product_id"),
  // a product's label is `[FURN-7] Desk`
  "default-code": (line: Item) => /^\[([^\]]+)\]/.exec(labelIn(line, "product_id") ?? "")?.[1]
}
