/** Values that come from the mapping book instead of the source, shown before sending. Pure. */
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Translated } from "../translate/Translated.ts"

export interface FromBook {
  readonly what: "product code" | "buyer's name" | "address" | "payment method" | "reason"
  readonly value: string
  /** Number of lines with the value, or 1. */
  readonly count: number
}

/**
 * Returns every field that the book filled in or replaced. Each product code appears once, with its
 * number of lines.
 */
export const of = (source: SourceDocument, { document, origins }: Translated): ReadonlyArray<FromBook> => {
  const { buyerContact, lineItems, paymentMethod, reference } = document.payload
  const stated = (text: string | undefined) => text?.trim() || null
  const codes: Array<string> = []
  for (let i = 0; i < lineItems.length; i++) {
    const { productCode } = lineItems[i]!
    if (productCode === null) continue
    const [list, index] = origins[i] ?? []
    const line = list === "lines" && typeof index === "number" ? source.lines[index] : undefined
    if (productCode !== stated(line?.productCode)) codes.push(productCode)
  }
  const address = buyerContact?.address ?? null
  const statedAddress = source.buyer?.address ?? {}
  const completed =
    address === null
      ? []
      : (["province", "street", "houseNo", "city"] as const).flatMap((part) =>
          address[part] === null || stated(statedAddress[part]) !== null ? [] : [`${part} ${address[part]}`]
        )
  const reason = document.kind === "credit-note" ? (stated(source.reason) ?? stated(source.reference)) : reference
  return [
    ...(codes.length === 0 ? [] : counted(codes)),
    ...one("buyer's name", buyerContact?.name ?? null, stated(source.buyer?.name)),
    ...completed.flatMap((value) => one("address", value, null)),
    ...one("payment method", stated(source.paymentMethod) === null ? paymentMethod : null, null),
    ...one("reason", reference, reason)
  ]
}

const counted = (codes: ReadonlyArray<string>): ReadonlyArray<FromBook> =>
  Array.from(
    Map.groupBy(codes, (code) => code),
    ([value, of]) => ({ what: "product code", value, count: of.length })
  )

const one = (what: FromBook["what"], value: string | null, stated: string | null): ReadonlyArray<FromBook> =>
  value === null || value === stated ? [] : [{ what, value, count: 1 }]
