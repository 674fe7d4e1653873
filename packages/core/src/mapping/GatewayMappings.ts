import { Effect } from "effect"
import type { CurrencyMapping } from "../gateway/operation/CurrencyMapping.ts"
import type { ApplicableTax } from "../gateway/operation/FiscalDevice.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { TaxMapping } from "../gateway/operation/TaxMapping.ts"
import * as LostMappings from "./LostMappings.ts"

/** Rows of both lists, and rows that could not be read. */
export interface MappedCodes {
  readonly taxes: ReadonlyArray<TaxMapping>
  readonly currencies: ReadonlyArray<CurrencyMapping>
  readonly lost: LostMappings.LostMappings
}

export interface GatewayMappings extends MappedCodes {
  /** Null if the gateway does not have a list of currencies (404). */
  readonly supportedCurrencies: ReadonlyArray<string> | null
  /** Null if the gateway did not state the applicable taxes. */
  readonly deviceTaxes: ReadonlyArray<ApplicableTax> | null
}

type Lists = Pick<GatewayOperations, "taxMappings" | "currencyMappings" | "misfits">

export const readCodes = (gateway: Lists): Effect.Effect<MappedCodes, GatewayError> =>
  Effect.gen(function* () {
    const taxes = yield* gateway.taxMappings
    const currencies = yield* gateway.currencyMappings
    return { taxes, currencies, lost: yield* LostMappings.read(gateway) }
  })

/** Reads everything that a plan needs; changes nothing. */
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
