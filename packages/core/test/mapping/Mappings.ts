/** Short forms of a gateway's mappings and its device's taxes. */
import { Option, Schema } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { CurrencyCode, TaxCode } from "../../src/document/Identifiers.ts"
import * as Money from "../../src/document/Money.ts"
import type { CurrencyMapping } from "../../src/gateway/operation/CurrencyMapping.ts"
import type { ApplicableTax } from "../../src/gateway/operation/FiscalDevice.ts"
import type { TaxMapping } from "../../src/gateway/operation/TaxMapping.ts"
import type { GatewayMappings } from "../../src/mapping/GatewayMappings.ts"

export const day = Schema.decodeSync(CivilDate.CivilDate)

export const mapping = (id: number, code: string, device: number, name: string | null = code): TaxMapping => ({
  id,
  userId: 7,
  taxCode: TaxCode.make(code),
  taxName: name,
  destinationTaxId: device,
  unknownFields: {}
})

export const currency = (id: number, code: string, device: string): CurrencyMapping => ({
  id,
  userId: 7,
  regulatorDeviceId: null,
  sourceCurrency: CurrencyCode.make(code),
  destinationCurrency: device,
  unknownFields: {}
})

/** Returns a device tax; `percent` null is exempt. */
export const deviceTax = (
  taxId: number,
  percent: string | null,
  since: string | null = null,
  until: string | null = null
): ApplicableTax => ({
  taxId,
  taxName: `Tax ${taxId}`,
  taxPercent: percent === null ? null : Option.getOrThrow(Money.parse(percent)),
  taxValidFrom: since === null ? null : day(since),
  taxValidTill: until === null ? null : day(until),
  unknownFields: {}
})

export const gateway = (given: Partial<GatewayMappings> = {}): GatewayMappings => ({
  taxes: [],
  currencies: [],
  lost: { taxes: [], currencies: [] },
  supportedCurrencies: ["USD", "ZAR"],
  deviceTaxes: [
    deviceTax(1, "15", null, "2025-12-31"),
    deviceTax(515, "15.5", "2026-01-01"),
    deviceTax(2, "0"),
    deviceTax(3, null)
  ],
  ...given
})
