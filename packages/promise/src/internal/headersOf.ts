/** Conversion of a delivery's headers from any host's form. */
import type { DeliveryHeaders } from "../FiscalConnector.ts"

export type PlainHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Returns headers by lower-case name, as `node:http` does. */
export const headersOf = (headers: DeliveryHeaders): PlainHeaders => {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}
