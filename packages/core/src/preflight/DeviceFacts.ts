/** What the rules need to know of the device, read once per import. */
import { DateTime, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import { format, type Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { FiscalDevice } from "../gateway/FiscalDevice.ts"
import { type AnswerDateTime, civilDate, toInstant } from "../gateway/LocalDateTime.ts"

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

/** `now` is in the business zone. Of a day alone, a permission that ends on it is taken to have ended. */
export const make = (
  device: FiscalDevice,
  supportedCurrencies: ReadonlyArray<string> | null,
  now: CivilDate | Instant
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

/** Whether a permission that ends at `expiry` has ended; one without an end has not. */
export const hasPassed = (expiry: AnswerDateTime | null, now: CivilDate | Instant): boolean => {
  const day = expiry === null ? null : Option.getOrNull(civilDate(expiry))
  if (expiry === null || day === null) return false
  if (typeof now === "string") return day < now || (day === now && !endsTheDay(expiry))
  return Option.exists(toInstant(expiry, now.zone), (end) => DateTime.isLessThan(end, now))
}

/** 23:59:59 on its own wall clock. */
const endsTheDay = (expiry: AnswerDateTime): boolean =>
  (typeof expiry === "string" ? expiry : format(expiry)).slice(11, 19) === "23:59:59"
