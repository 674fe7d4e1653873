/**
 * Tax types of the generated exports: the mapping book, the sandbox's device and the laws use this
 * table.
 */

/** Tax type with its device tax. Percents are in hundredths; null is exempt. Days are inclusive. */
export interface Tax {
  readonly type: string
  readonly code: string
  readonly device: number
  readonly percent: number | null
  readonly since?: string
  readonly until?: string
}

/** Taxes. OUTPUT and OUTPUT2 are the same tax on the device, whose rate changes with the year. */
export const taxes: ReadonlyArray<Tax> = [
  { type: "OUTPUT", code: "VAT15", device: 1, percent: 1500, until: "2024-12-31" },
  { type: "OUTPUT", code: "VAT155", device: 515, percent: 1550, since: "2025-01-01" },
  { type: "OUTPUT2", code: "SERVICE15", device: 1, percent: 1500, until: "2024-12-31" },
  { type: "OUTPUT2", code: "SERVICE155", device: 515, percent: 1550, since: "2025-01-01" },
  { type: "TAX001", code: "REDUCED", device: 5, percent: 500 },
  { type: "TAX008", code: "COUNTY", device: 8, percent: 825 },
  { type: "ZERORATEDOUTPUT", code: "ZERO", device: 2, percent: 0 },
  { type: "EXEMPTOUTPUT", code: "EXEMPT", device: 3, percent: null },
  { type: "NONE", code: "NONE", device: 3, percent: null }
]

export const taxOn = (type: string, day: string): Tax =>
  taxes.find((tax) => tax.type === type && (tax.since ?? "") <= day && day <= (tax.until ?? "9999"))!

const percentOf = ({ percent }: Pick<Tax, "percent">) => (percent === null ? null : String(percent / 100))

/** Returns a mapping book for every tax type, with a policy for each fact that the exports omit. */
export const bookWith = (fields: object): string =>
  JSON.stringify({
    version: 1,
    zone: "+02:00",
    taxes: taxes.map(({ type, ...tax }) => ({ ...tax, from: [type], percent: percentOf(tax) })),
    currencies: [
      { code: "USD", device: "USD" },
      { code: "ZAR", device: "ZAR" }
    ],
    payments: [{ from: ["090"], method: "BankTransfer" }],
    defaults: { productCode: "10063000", creditReason: "Returned", cashBuyer: "Cash sale {name}" },
    policies: {
      charges: "as-line-taxed-like-lines",
      negativeLines: "as-discount",
      textLines: "append",
      unitPrices: "from-line-amount"
    },
    ...fields
  })

/** Taxes in the sandbox's form. */
export const deviceTaxes = taxes
  .filter(({ device }, i) => taxes.findIndex((tax) => tax.device === device) === i)
  .map((tax) => {
    const percent = percentOf(tax)
    return {
      taxId: tax.device,
      taxName: tax.code,
      ...(percent !== null && { taxPercent: percent }),
      ...(tax.since !== undefined && { taxValidFrom: tax.since }),
      ...(tax.until !== undefined && { taxValidTill: tax.until })
    }
  })

export const taxMappings = taxes.map(({ code, device }) => ({ taxCode: code, destinationTaxId: device }))
