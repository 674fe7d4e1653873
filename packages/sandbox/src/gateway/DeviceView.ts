import * as FiscalDay from "../day/FiscalDay.ts"
import type * as Receipt from "../receipt/Receipt.ts"
import type { ColorContext, Original } from "../receipt/Rule.ts"
import type { Document } from "../wire/Document.ts"
import * as Zone from "../wire/Zone.ts"
import type { SandboxAccount, Device, WorldState } from "./World.ts"

export const codesOf = (account: SandboxAccount, device: Device): Receipt.Codes => {
  const taxes = [...account.taxMappings.values()]
  const currencies = [...account.currencyMappings.values()]
  return {
    taxIdOf: (code) => taxes.find((mapping) => mapping.TaxCode === code)?.DestinationTaxId,
    currencyOf: (code) => currencies.find((mapping) => mapping.SourceCurrency === code)?.DestinationCurrency,
    supportedCurrencies: device.config.supportedCurrencies
  }
}

const originalOf = (
  world: WorldState,
  account: SandboxAccount,
  { originalInvoiceId: id, total }: Document
): Original | undefined => {
  const original = id === null ? undefined : world.receipts.original(account.name, id, total)
  if (original === undefined) return undefined
  const { credited, receipt } = original
  return {
    epochSeconds: receipt.epochSeconds,
    currency: receipt.currency,
    total: receipt.total,
    credited,
    taxIds: receipt.groups.map((group) => group.taxId)
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
    original: originalOf(world, account, document),
    creditWithoutInvoice: permitted ? "permitted" : "forbidden",
    taxTolerance: config.taxTolerance
  }
}
