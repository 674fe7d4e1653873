/** Money signs that mean one currency, or one of a few; `$` and `kr` mean too many to contradict anything. */
const currenciesOf: { readonly [sign: string]: ReadonlyArray<string> } = {
  "€": ["EUR"],
  "£": ["GBP", "GIP", "FKP", "SHP", "EGP", "LBP", "SYP", "SSP"],
  "₹": ["INR"],
  "¥": ["JPY", "CNY"],
  "₦": ["NGN"],
  "₩": ["KRW", "KPW"],
  "₽": ["RUB"],
  "₺": ["TRY"],
  US$: ["USD"],
  R: ["ZAR"]
}

/** Whether a sign beside an amount contradicts the currency code of its document. */
export const contradicts = (sign: string, currency: string): boolean => {
  const code = currency.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) return false
  if (/^[A-Z]{3}$/.test(sign)) return sign !== code
  const meant = currenciesOf[sign]
  if (meant !== undefined) return !meant.includes(code)
  return sign === "$" && ["EUR", "GBP", "INR", "JPY", "CNY", "ZAR", "CHF"].includes(code)
}
