/** Headers of a delivery in whichever form a host has them. */
import type { DeliveryHeaders } from "../FiscalConnector.ts"

export type PlainHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** By lower-case name, as `node:http` has them. */
export const headersOf = (headers: DeliveryHeaders): PlainHeaders => {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}
