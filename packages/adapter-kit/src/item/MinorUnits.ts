/**
 * Currencies without two digits. The platform's own table describes how people write amounts, and
 * differs for some currencies.
 */
const exceptions: ReadonlyMap<string, number> = new Map([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0] as const),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3] as const),
  ..."CLF UYW".split(" ").map((code) => [code, 4] as const)
])

let known: ReadonlySet<string> | undefined

/** Returns the number of digits; undefined for a code that is not in ISO 4217. Never guesses. */
export const digitsOf = (currency: string): number | undefined => {
  const code = currency.toUpperCase()
  const exception = exceptions.get(code)
  if (exception !== undefined) return exception
  known ??= new Set(Intl.supportedValuesOf("currency"))
  return known.has(code) ? 2 : undefined
}
