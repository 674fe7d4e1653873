/** Collects from the world the knowledge of a device when a document reaches the device. */
import * as BigDecimal from "effect/BigDecimal"
import * as FiscalDay from "../day/FiscalDay.ts"
import type * as Receipt from "../receipt/Receipt.ts"
import type { ColorContext, Original } from "../receipt/Rule.ts"
import type { Document } from "../wire/Document.ts"
import * as Zone from "../wire/Zone.ts"
import type { SandboxAccount, Device, WorldState } from "./World.ts"

/** Returns the mappings of the account's own codes to the device's. */
export const codesOf = (account: SandboxAccount, device: Device): Receipt.Codes => {
  const taxes = [...account.taxMappings.values()]
  const currencies = [...account.currencyMappings.values()]
  return {
    taxIdOf: (code) => taxes.find((mapping) => mapping.TaxCode === code)?.DestinationTaxId,
    currencyOf: (code) => currencies.find((mapping) => mapping.SourceCurrency === code)?.DestinationCurrency,
    supportedCurrencies: device.config.supportedCurrencies
  }
}

const originalOf = (world: WorldState, account: SandboxAccount, invoiceId: string | null): Original | undefined => {
  const original = invoiceId === null ? undefined : world.receipts.invoice(account.name, invoiceId)
  if (original === undefined) return undefined
  const credits = world.receipts.creditsOf(account.name, original.documentId)
  return {
    epochSeconds: original.epochSeconds,
    currency: original.currency,
    total: original.total,
    credited: BigDecimal.sumAll(credits.map((credit) => credit.total)),
    taxIds: original.groups.map((group) => group.taxId)
  }
}

/**
 * Returns the context in which the device checks a document's receipt at `now` (milliseconds since
 * 1970).
 */
export const contextOf = (
  world: WorldState,
  now: number,
  account: SandboxAccount,
  device: Device,
  document: Document
): ColorContext => {
  const { config } = device
  const permitted =
    config.allowCreditNoteWithNoInvoice &&
    now <= (Zone.instant(config.zone, config.expireCreditNoteWithNoInvoice) ?? -Infinity)
  return {
    taxes: config.taxes,
    taxpayer: config.vatNumber === null ? "not-vat-registered" : "vat-registered",
    zone: config.zone,
    now: Math.floor(now / 1000),
    clockToleranceSeconds: config.clockToleranceSeconds,
    dayOpenedAt: Math.floor(FiscalDay.openingFor(device.days, document.date.epochSeconds * 1000) / 1000),
    dayMaxHours: config.taxPayerDayMaxHrs,
    previousReceiptAt: device.lastReceiptAt,
    numbers: world.receipts.numbersOf(config.tin),
    original: originalOf(world, account, document.originalInvoiceId),
    creditWithoutInvoice: permitted ? "permitted" : "forbidden",
    taxTolerance: config.taxTolerance
  }
}
