/** How many decimal places amounts of a currency have on the wire. */

/** The gateway takes no more, whatever the currency (DOC-8). */
const most = 2

const known = new Map<string, number>()

/** Returns 2 for most currencies and 0 for those without a smaller unit; a code that nobody knows has 2. */
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
    // an account may call its currencies as it likes
  }
  known.set(currency, places)
  return places
}
