import type { ChargeFields, Item, LineFields, UnmappedFields } from "@fiscal-connector/adapter-kit"
import { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import type { QuickBooksLikeOptions } from "./QuickBooksLikeOptions.ts"
import type { Taxes } from "./Taxes.ts"

export interface Lines {
  readonly lines: ReadonlyArray<LineFields>
  readonly charges: ReadonlyArray<ChargeFields>
  readonly sales: ReadonlyArray<Money.Money>
  readonly discounts: ReadonlyArray<Money.Money>
  readonly unmapped: ReadonlyArray<UnmappedFields>
}

const forms = {
  SalesItemLineDetail: "sale",
  GroupLineDetail: "bundle",
  DescriptionOnly: "text",
  SubTotalLineDetail: "subtotal",
  DiscountLineDetail: "discount"
} as const

const shippingItem = "SHIPPING_ITEM_ID"

const hundredth = BigDecimal.make(1n, 2)
const cent = hundredth

export const linesOf = (row: Item, taxes: Taxes, options: QuickBooksLikeOptions): Lines => {
  const sales: Array<Money.Money> = []
  const discounts: Array<Money.Money> = []
  const codes = new Set<string>()
  const items = new Map<LineFields, Item>()

  const sale = (line: Item): LineFields | ChargeFields => {
    const detail = line.item("SalesItemLineDetail")
    const amount = line.decimal("Amount")
    sales.push(amount)
    const gross = detail.optional.decimal("TaxInclusiveAmt")
    const code = detail.optional.text("/TaxCodeRef/value")
    codes.add(code ?? "")
    const lineTaxes = taxes.of(line, code, gross, amount)
    if (detail.has("DiscountAmt") || detail.has("DiscountRate")) {
      const given = [detail.optional.decimal("DiscountAmt"), detail.optional.decimal("DiscountRate")]
      if (given.some((figure) => figure !== undefined && !BigDecimal.isZero(figure)))
        line.refuse(
          "SalesItemLineDetail",
          "a discount on a line is not read",
          "State it as a discount of the document."
        )
    }
    if (detail.optional.text("/ItemRef/value") === shippingItem) return { kind: "shipping", amount, taxes: lineTaxes }
    const code_ = options.productCode === undefined ? undefined : productCodes[options.productCode]
    const fields: LineFields = {
      description: line.optional.text("Description") ?? detail.optional.text("/ItemRef/name"),
      quantity: detail.optional.decimal("Qty"),
      unitPrice: detail.optional.decimal("UnitPrice"),
      lineAmount: amount,
      taxes: lineTaxes,
      productCode: code_ && detail.optional.text(code_),
      account: detail.optional.text("/ItemAccountRef/value"),
      ...(gross !== undefined && { totals: { total: gross } })
    }
    items.set(fields, detail)
    return fields
  }

  const part = (line: Item): LineFields | ChargeFields | ReadonlyArray<LineFields | ChargeFields> | undefined => {
    switch (line.choice("DetailType", forms)) {
      case "sale":
        return sale(line)
      case "bundle": {
        const before = sales.length
        const parts = line.each("/GroupLineDetail/Line", part).flat()
        // the amount of a bundle is zero, or the sum of its parts
        if (line.optional.decimal("Amount")?.value !== 0n) line.hold("Amount", { sum: sales.slice(before) })
        return parts.filter((each) => each !== undefined)
      }
      case "text":
        return { description: line.optional.text("Description"), taxes: [] }
      case "subtotal":
        line.hold("Amount", { sum: sales, less: discounts })
        return undefined
      case "discount": {
        const amount = line.decimal("Amount")
        const percent = line.optional.decimal("/DiscountLineDetail/DiscountPercent")
        if (percent !== undefined && line.flag("/DiscountLineDetail/PercentBased")) {
          const base = BigDecimal.subtract(BigDecimal.sumAll(sales), BigDecimal.sumAll(discounts))
          line.hold("Amount", {
            sum: [BigDecimal.multiply(BigDecimal.multiply(base, percent), hundredth)],
            within: cent
          })
        }
        discounts.push(amount)
        return BigDecimal.equals(amount, Money.zero) ? undefined : { kind: "discount", amount }
      }
      case undefined:
        return undefined
    }
  }

  const parts = row
    .each("Line", part)
    .flat()
    .filter((each) => each !== undefined)
  if (codes.size > 1 && discounts.some((amount) => !BigDecimal.equals(amount, Money.zero)))
    row.refuse(
      "Line",
      `a discount over lines of several tax codes: ${[...codes].map((code) => code || "none").join(", ")}`,
      "It is not clear which tax the discount reduces: give it on a document with lines of one tax, or lower the prices of the lines."
    )
  const lines = parts.filter((each) => !("kind" in each))
  return {
    lines,
    unmapped:
      options.productCode === undefined
        ? lines.flatMap((line, i) => (items.has(line) ? [itemIn(items.get(line)!, i)] : []))
        : [],
    charges: parts.filter((each) => "kind" in each),
    sales,
    discounts
  }
}

const itemIn = (item: Item, line: number): UnmappedFields => ({
  subject: "item-code",
  item,
  key: "/ItemRef/name",
  line,
  answers: [{ settings: { productCode: "item-name" } }, { settings: { productCode: "item-id" } }]
})

const productCodes = { "item-id": "/ItemRef/value", "item-name": "/ItemRef/name" }
