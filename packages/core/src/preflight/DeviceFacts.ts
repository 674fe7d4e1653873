/** What the rules need to know of the device, read once per import. */
import { Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Money } from "../document/Money.ts"
import type { FiscalDevice } from "../gateway/FiscalDevice.ts"
import { civilDate } from "../gateway/LocalDateTime.ts"

export interface DeviceFacts {
  /** Null where the gateway did not say which taxes apply; then nothing is concluded from it. */
  readonly taxes: ReadonlyArray<DeviceTax> | null
  /** Registered for VAT: `vatNumber` in the device's configuration (DOC-12). */
  readonly vat: "registered" | "not-registered" | "unknown"
  /** Null where the gateway was not asked. */
  readonly currencies: ReadonlySet<string> | null
  /** AllowCreditNoteWithNoInvoice, not past its expiry (RCPT015). */
  readonly creditWithoutOriginal: "allowed" | "refused"
}

export interface DeviceTax {
  readonly id: number
  /** Percent as 15; null is exempt. */
  readonly percent: Money | null
  readonly name: string | null
  /** First and last day, both included; null without a limit. */
  readonly since: CivilDate | null
  readonly until: CivilDate | null
}

/** `today` is the day in the business zone. */
export const make = (
  device: FiscalDevice,
  supportedCurrencies: ReadonlyArray<string> | null,
  today: CivilDate
): DeviceFacts => {
  const { allowCreditNoteWithNoInvoice, currentConfig: config, expireCreditNoteWithNoInvoice } = device
  return {
    creditWithoutOriginal:
      allowCreditNoteWithNoInvoice === true && !hasPassed(expireCreditNoteWithNoInvoice, today) ? "allowed" : "refused",
    taxes:
      config === null || config.applicableTaxes.length === 0
        ? null
        : config.applicableTaxes.map(({ taxId, taxName, taxPercent, taxValidFrom, taxValidTill }) => ({
            id: taxId,
            percent: taxPercent,
            name: taxName,
            since: taxValidFrom,
            until: taxValidTill
          })),
    vat: config === null ? "unknown" : config.vatNumber === null ? "not-registered" : "registered",
    currencies: supportedCurrencies === null ? null : new Set(supportedCurrencies)
  }
}

const hasPassed = (expiry: FiscalDevice["expireCreditNoteWithNoInvoice"], today: CivilDate): boolean => {
  const day = expiry === null ? null : Option.getOrNull(civilDate(expiry))
  return day !== null && day < today
}
