/**
 * Decides by the figures of a sent document if its codes meant on the device what the gateway maps
 * them to now, for documents whose meaning was not kept. Pure.
 */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import type { MappedCodes } from "../mapping/GatewayMappings.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import * as Rounding from "../translate/Rounding.ts"

/** `Other`: today's mapping gives the document other figures, or a code has no mapping. */
export type ShownMeaning =
  | { readonly _tag: "Shown"; readonly meaning: CodeMeaning }
  | { readonly _tag: "Other"; readonly code: string }
  | { readonly _tag: "NotKnown" }

interface ShownTax {
  readonly id: number
  /** Percent as 15; null is exempt. */
  readonly percent: Money.Money | null
  readonly since: CivilDate | null
  readonly until: CivilDate | null
  readonly unreadable?: string
}

type Payload = UndatedDocument["payload"]

const most = 20_000

const meant = (code: string, { id, percent }: ShownTax) =>
  [code, id, percent === null ? null : Money.formatPlain(percent)] as const

const agrees = ({ isTaxInclusive, lineItems, total, totalTax }: Payload, taxes: CodeMeaning["taxes"]): boolean => {
  const shares = Rounding.deviceShares({ isTaxInclusive, lineItems }, taxes)
  if (shares === undefined) return false
  const [tax, whole] = (["tax", "total"] as const).map((of) =>
    BigDecimal.sumAll([...shares.values()].map((share) => share[of]))
  )
  return BigDecimal.equals(tax!, totalTax) && BigDecimal.equals(whole!, total)
}

const ways = (codes: ReadonlyArray<string>, taxes: ReadonlyArray<ShownTax>): ReadonlyArray<CodeMeaning["taxes"]> =>
  codes.reduce<ReadonlyArray<CodeMeaning["taxes"]>>(
    (found, code) => found.flatMap((way) => taxes.map((tax) => [...way, meant(code, tax)])),
    [[]]
  )

/**
 * Decides for a document of the day. Today's mapping is shown only if no other taxes of the device
 * give the same figures: taxes of one percent, or of 0 % and exempt, are not distinguished.
 */
export const of = (
  { payload }: UndatedDocument,
  mapped: MappedCodes | null,
  deviceTaxes: ReadonlyArray<ShownTax> | null,
  day: CivilDate
): ShownMeaning => {
  if (mapped === null || deviceTaxes === null) return { _tag: "NotKnown" }
  const currency = mapped.currencies.find(({ sourceCurrency }) => sourceCurrency === payload.currencyCode)
  if (currency === undefined) return { _tag: "Other", code: payload.currencyCode }
  // the figures do not show the currency of a renamed code
  if (currency.destinationCurrency !== payload.currencyCode) return { _tag: "NotKnown" }
  const taxes = deviceTaxes.filter(
    ({ since, unreadable, until }) =>
      unreadable === undefined && (since === null || since <= day) && (until === null || until >= day)
  )
  const codes = [...new Set(payload.lineItems.map(({ taxCode }) => String(taxCode)))]
  const now: Array<readonly [string, number, string | null]> = []
  for (const code of codes) {
    const id = mapped.taxes.find(({ taxCode }) => taxCode === code)?.destinationTaxId
    const tax = taxes.find((one) => one.id === id)
    if (tax === undefined) return { _tag: "Other", code }
    now.push(meant(code, tax))
  }
  if (!agrees(payload, now)) return { _tag: "Other", code: codes.join(", ") }
  if (taxes.length ** codes.length > most) return { _tag: "NotKnown" }
  const others = ways(codes, taxes).filter((way) => way.some(([, id], n) => id !== now[n]![1]))
  return others.some((way) => agrees(payload, way))
    ? { _tag: "NotKnown" }
    : { _tag: "Shown", meaning: { currency: currency.destinationCurrency, taxes: now } }
}
