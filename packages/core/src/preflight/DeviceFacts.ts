/** What the rules need to know of the device, read once per import. */
import { DateTime, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import { type AnswerDateTime, civilDate, toInstant } from "../gateway/operation/LocalDateTime.ts"

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

/** `now` is in the zone of date-times without an offset (TIME-1): a permission may end within the day. */
export const make = (
  device: FiscalDevice,
  supportedCurrencies: ReadonlyArray<string> | null,
  now: Instant
): DeviceFacts => {
  const { allowCreditNoteWithNoInvoice, currentConfig: config, expireCreditNoteWithNoInvoice } = device
  return {
    creditWithoutOriginal:
      allowCreditNoteWithNoInvoice === true && !hasPassed(expireCreditNoteWithNoInvoice, now) ? "allowed" : "refused",
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

/** Whether a permission that ends at `expiry` has ended; one without an end, or with what gateways write for "not set", has not. */
export const hasPassed = (expiry: AnswerDateTime | null, now: Instant): boolean =>
  expiry !== null &&
  Option.isSome(civilDate(expiry)) &&
  Option.exists(toInstant(expiry, now.zone), (end) => DateTime.isLessThan(end, now))
