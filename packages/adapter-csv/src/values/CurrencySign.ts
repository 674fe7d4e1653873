/**
 * Money signs that mean one currency or a few; `$` and `kr` mean too many currencies to contradict
 * any.
 */
const currenciesOf: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries({
    "€": ["EUR"],
    "£": ["GBP", "GIP", "FKP", "SHP", "EGP", "LBP", "SYP", "SSP"],
    "₹": ["INR"],
    "¥": ["JPY", "CNY"],
    "₦": ["NGN"],
    "₩": ["KRW", "KPW"],
    "₽": ["RUB"],
    "₺": ["TRY"],
    US$: ["USD"],
    U$: ["USD"],
    USD$: ["USD"],
    A$: ["AUD"],
    C$: ["CAD", "NIO"],
    N$: ["NAD"],
    Z$: ["ZWL", "ZWD", "ZWG"],
    ZW$: ["ZWL", "ZWD", "ZWG"],
    R: ["ZAR", "BRL"],
    R$: ["BRL"],
    P: ["BWP", "PHP"],
    K: ["ZMW", "ZMK", "MWK", "PGK", "MMK"],
    ZK: ["ZMW", "ZMK"],
    MK: ["MWK"],
    MT: ["MZN"],
    ZIG: ["ZWG"],
    RS: ["INR", "PKR", "LKR", "NPR", "MUR", "SCR"],
    KSH: ["KES"],
    TSH: ["TZS"],
    USH: ["UGX"],
    SH: ["KES", "TZS", "UGX", "SOS"],
    KZ: ["AOA"],
    E: ["SZL"],
    L: ["LSL", "HNL", "RON", "MDL"],
    M: ["LSL"],
    N: ["NGN"],
    "₵": ["GHS"],
    "GH₵": ["GHS"],
    BR: ["ETB"],
    FCFA: ["XAF", "XOF"],
    FR: ["CHF", "XAF", "XOF", "RWF", "BIF", "DJF", "KMF", "GNF"],
    D: ["GMD"]
  })
)

const bare = (sign: string): string => sign.replace(/\.$/, "")

/**
 * True if a sign next to an amount contradicts the currency of its document. `codeOf`: code
 * of a spelling in the mapping book.
 */
export const contradicts = (
  sign: string,
  currency: string,
  codeOf: (spelling: string) => string | undefined = () => undefined
): boolean => {
  const [ofSign, ofCurrency] = [codeOf(sign), codeOf(currency)]
  if (ofSign !== undefined && ofCurrency !== undefined) return ofSign !== ofCurrency
  const code = currency.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) return !spelledAlike(sign, currency)
  const own = bare(sign)
  // the export's own spelling of its currency: `ZiG 115` with `ZiG`
  if (own.toUpperCase() === code) return false
  const meant = currenciesOf.get(own) ?? currenciesOf.get(own.toUpperCase())
  if (meant === undefined && /^[A-Z]{3}$/.test(own)) return true
  if (meant !== undefined) return !meant.includes(code)
  return (
    sign === "$" && ["EUR", "GBP", "INR", "JPY", "CNY", "ZAR", "CHF", "BWP", "ZMW", "MZN", "MWK", "KES"].includes(code)
  )
}

/**
 * True if the sign may mean the currency column's spelling. Two spellings with a common currency
 * count as equal.
 */
const spelledAlike = (sign: string, currency: string): boolean => {
  const [a, b] = [bare(sign), bare(currency.trim())].map((text) => text.toUpperCase())
  if (a === b || a === undefined || b === undefined) return true
  const [ofSign, ofCurrency] = [currenciesOf.get(a), currenciesOf.get(b)]
  return ofSign === undefined || ofCurrency === undefined || ofSign.some((code) => ofCurrency.includes(code))
}
