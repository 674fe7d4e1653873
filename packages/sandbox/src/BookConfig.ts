/**
 * Maps the codes of a mapping book, and puts its taxes and currencies on the device. The book is
 * passed as plain values, so that the sandbox imports nothing of the connector.
 */
import type { AccountConfig } from "./AccountConfig.ts"
import type { DeviceConfig } from "./DeviceConfig.ts"

/**
 * Entries of a mapping book that a gateway needs. Percents are texts, `"15.5"`; an exempt tax has
 * none.
 */
export interface BookEntries {
  /** UTC offset or IANA zone. */
  readonly zone: string
  readonly taxes: ReadonlyArray<{
    readonly code: string
    readonly device: number
    readonly name: string
    readonly percent: string | null
    readonly since?: string | undefined
    readonly until?: string | undefined
  }>
  readonly currencies: ReadonlyArray<{ readonly code: string; readonly device: string }>
}

const uniqueBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [key(item), item])).values()
]

/** Returns the mappings of an account that feeds a device of the book. */
export const mappings = ({
  currencies,
  taxes
}: BookEntries): Pick<typeof AccountConfig.Encoded, "taxMappings" | "currencyMappings"> => ({
  taxMappings: uniqueBy(taxes, ({ code }) => code).map(({ code, device, name }) => ({
    taxCode: code,
    taxName: name,
    destinationTaxId: device
  })),
  currencyMappings: currencies.map(({ code, device }) => ({ sourceCurrency: code, destinationCurrency: device }))
})

/**
 * Returns zone, taxes and currencies of a device for the book. A tax is valid as long as any entry
 * that names the tax.
 */
export const device = ({
  currencies,
  taxes,
  zone
}: BookEntries): Pick<typeof DeviceConfig.Encoded, "zone" | "taxes" | "supportedCurrencies"> => ({
  zone,
  taxes: Array.from(
    Map.groupBy(taxes, ({ device }) => device),
    ([taxId, entries]) => {
      const { name, percent } = entries[0]!
      const since = entries.map((entry) => entry.since ?? "").toSorted()[0]
      const until = entries
        .map((entry) => entry.until ?? "9999")
        .toSorted()
        .at(-1)
      return {
        taxId,
        taxName: name,
        ...(percent !== null && { taxPercent: percent }),
        ...(since && { taxValidFrom: since }),
        ...(until !== "9999" && until && { taxValidTill: until })
      }
    }
  ),
  supportedCurrencies: [...new Set(currencies.map(({ device }) => device))]
})
