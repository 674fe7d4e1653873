/** What the gateway maps, and what its device has to map to, read at one moment. */
import { Effect } from "effect"
import type { CurrencyMapping } from "../gateway/operation/CurrencyMapping.ts"
import type { ApplicableTax } from "../gateway/operation/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { TaxMapping } from "../gateway/operation/TaxMapping.ts"

export interface GatewayMappings {
  readonly taxes: ReadonlyArray<TaxMapping>
  readonly currencies: ReadonlyArray<CurrencyMapping>
  readonly supportedCurrencies: ReadonlyArray<string>
  /** Null where the gateway did not say which taxes apply. */
  readonly deviceTaxes: ReadonlyArray<ApplicableTax> | null
}

/** Reads everything a plan needs; changes nothing. */
export const read = (
  gateway: Pick<GatewayOperations, "taxMappings" | "currencyMappings" | "supportedCurrencies" | "fiscalDevice">
): Effect.Effect<GatewayMappings, GatewayError> =>
  Effect.gen(function* () {
    const { currentConfig } = yield* gateway.fiscalDevice
    const taxes = currentConfig?.applicableTaxes ?? []
    return {
      taxes: yield* gateway.taxMappings,
      currencies: yield* gateway.currencyMappings,
      supportedCurrencies: yield* gateway.supportedCurrencies,
      deviceTaxes: taxes.length === 0 ? null : taxes
    }
  })
