/** Number of decimal places of a currency's amounts on the wire. */

/** Maximum that the gateway accepts, for every currency (DOC-8). */
const most = 2

const known = new Map<string, number>()

/**
 * Returns 2 for most currencies, 0 for currencies without a smaller unit, and 2 for an unknown
 * code.
 */
export const of = (currency: string): number => {
  const found = known.get(currency)
  if (found !== undefined) return found
  let places = most
  try {
    const { maximumFractionDigits = most } = new Intl.NumberFormat("en", {
      style: "currency",
      currency
    }).resolvedOptions()
    places = Math.min(maximumFractionDigits, most)
  } catch {
    // unknown code: an account may name its currencies freely
  }
  known.set(currency, places)
  return places
}
