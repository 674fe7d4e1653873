/** What the gateway maps, and what its device has to map to, read at one moment. */
import { Effect } from "effect"
import type { CurrencyMapping } from "../gateway/operation/CurrencyMapping.ts"
import type { ApplicableTax } from "../gateway/operation/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { TaxMapping } from "../gateway/operation/TaxMapping.ts"
import * as LostMappings from "./LostMappings.ts"

/** The rows of both lists, and those that could not be read. */
export interface MappedCodes {
  readonly taxes: ReadonlyArray<TaxMapping>
  readonly currencies: ReadonlyArray<CurrencyMapping>
  readonly lost: LostMappings.LostMappings
}

export interface GatewayMappings extends MappedCodes {
  /** Null where the gateway has no such list (404). */
  readonly supportedCurrencies: ReadonlyArray<string> | null
  /** Null where the gateway did not say which taxes apply. */
  readonly deviceTaxes: ReadonlyArray<ApplicableTax> | null
}

type Lists = Pick<GatewayOperations, "taxMappings" | "currencyMappings" | "misfits">

/** Reads both lists of mappings. */
export const readCodes = (gateway: Lists): Effect.Effect<MappedCodes, GatewayError> =>
  Effect.gen(function* () {
    const taxes = yield* gateway.taxMappings
    const currencies = yield* gateway.currencyMappings
    return { taxes, currencies, lost: yield* LostMappings.read(gateway) }
  })

/** Reads everything a plan needs; changes nothing. */
export const read = (
  gateway: Lists & Pick<GatewayOperations, "supportedCurrencies" | "fiscalDevice">
): Effect.Effect<GatewayMappings, GatewayError> =>
  Effect.gen(function* () {
    const { currentConfig } = yield* gateway.fiscalDevice
    const taxes = currentConfig?.applicableTaxes ?? []
    return {
      ...(yield* readCodes(gateway)),
      supportedCurrencies: yield* Effect.catchReason(gateway.supportedCurrencies, "GatewayError", "NotFound", () =>
        Effect.succeed(null)
      ),
      deviceTaxes: taxes.length === 0 ? null : taxes
    }
  })
