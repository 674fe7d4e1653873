/** Device facts that the rules need, read once per import, and the facts that are unreliable. */
import { DateTime, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { ApplicableTax, FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { AcceptedUnknown, Fact } from "../submission/ledger/AcceptedUnknown.ts"
import type { MappedCodes } from "../mapping/GatewayMappings.ts"
import { type AnswerDateTime, civilDate, toInstant } from "../gateway/operation/LocalDateTime.ts"

/**
 * An unreliable fact. `unreadable`: the gateway's form differs from the documented form. `missing`:
 * the gateway does not state the fact. `accepted`: missing or unreadable, but an operator decided
 * to send without the check; `text` is then the operator's reason.
 */
export interface Doubt {
  readonly fact: Fact
  readonly state: "unreadable" | "missing" | "accepted"
  readonly text: string
}

export interface DeviceFacts {
  /** Null if the gateway did not state the applicable taxes; `doubts` then has the reason. */
  readonly taxes: ReadonlyArray<DeviceTax> | null
  /**
   * Reason why a row of the taxes could not be read; the row is not in `taxes`. Null if all rows
   * were read.
   */
  readonly lostTax: string | null
  /** VAT registration: `vatNumber` in the device's configuration (DOC-12). */
  readonly vat: "registered" | "not-registered" | "unknown"
  /** Null if the gateway was not asked, or does not have a list of currencies. */
  readonly currencies: ReadonlySet<string> | null
  /** AllowCreditNoteWithNoInvoice, until its expiry (RCPT015). */
  readonly creditWithoutOriginal: "allowed" | "refused"
  /** Unreliable facts that documents may need. */
  readonly doubts: ReadonlyArray<Doubt>
  readonly notStated: ReadonlyArray<string>
  readonly today: CivilDate.CivilDate
  /** Longest fiscal day in hours (RCPT041); null if not stated. */
  readonly dayHours: number | null
  /** The gateway's mappings; null if the gateway was not asked. */
  readonly mappings: MappedCodes | null
}

export interface DeviceTax {
  readonly id: number
  /** Percent as 15; null is exempt. */
  readonly percent: Money | null
  readonly name: string | null
  readonly since: CivilDate.CivilDate | null
  readonly until: CivilDate.CivilDate | null
  /**
   * Unreadable field of the tax; documents that need the tax are refused. Absent if all fields were
   * read.
   */
  readonly unreadable?: string
}

/**
 * Currencies listed by the gateway. Null: the gateway does not have a list (404). `unreadable`: the
 * list's form differs from the documented form.
 */
export type CurrencyAnswer = ReadonlyArray<string> | null | { readonly unreadable: string }

export interface FactsAround {
  readonly accepted?: ReadonlyArray<Pick<AcceptedUnknown, "fact" | "because">>
  readonly lastClose?: Pick<Doubt, "state" | "text"> | null
  readonly mappings?: MappedCodes | null
}

type Uncertain = Pick<Doubt, "state" | "text">

const unreadable = (text: string): Uncertain => ({ state: "unreadable", text })

const misfitIn = ({ misfits = [] }: Pick<FiscalDevice, "misfits">, name: string): string | undefined => {
  const misfit = misfits.find(({ field, follows }) => field === name && follows === "documents")
  return misfit && `${misfit.field}: ${misfit.text}`
}

/**
 * Reads the facts from the device's answer. `now` is in the zone of date-times without an offset
 * (TIME-1), because a permission may end within the day.
 */
export const make = (
  device: FiscalDevice,
  listed: CurrencyAnswer,
  now: Instant,
  { accepted = [], lastClose = null, mappings = null }: FactsAround = {}
): DeviceFacts => {
  const { allowCreditNoteWithNoInvoice, currentConfig: config, expireCreditNoteWithNoInvoice } = device
  const taxes = (config?.applicableTaxes ?? []).map(taxOf)
  const currencies = listed !== null && "unreadable" in listed ? null : listed
  const uncertain: ReadonlyArray<readonly [Fact, Uncertain | null]> = [
    ["taxes", taxesDoubt(device)],
    ["vat", vatDoubt(device)],
    ["currencies", currencyDoubt(listed)],
    ["last-close", lastClose]
  ]
  const endUnreadable = misfitIn(device, "ExpireCreditNoteWithNoInvoice") !== undefined
  return {
    creditWithoutOriginal:
      allowCreditNoteWithNoInvoice === true && !endUnreadable && !hasPassed(expireCreditNoteWithNoInvoice, now)
        ? "allowed"
        : "refused",
    taxes: taxes.length === 0 ? null : taxes,
    lostTax: lostTax(config),
    vat: config === null ? "unknown" : vatOf(config),
    currencies: currencies === null || currencies.length === 0 ? null : new Set(currencies),
    doubts: uncertain.flatMap(([fact, doubt]): ReadonlyArray<Doubt> => {
      if (doubt === null) return []
      const decision = accepted.find((one) => one.fact === fact)
      return [decision === undefined ? { fact, ...doubt } : { fact, state: "accepted", text: decision.because }]
    }),
    notStated: notStated(device, listed),
    today: CivilDate.of(now),
    dayHours: config?.taxPayerDayMaxHrs ?? null,
    mappings
  }
}

const taxOf = ({ misfits = [], taxId, taxName, taxPercent, taxValidFrom, taxValidTill }: ApplicableTax): DeviceTax => {
  const misfit = misfits.find(({ follows }) => follows === "documents")
  return {
    id: taxId,
    percent: taxPercent,
    name: taxName,
    since: taxValidFrom,
    until: taxValidTill,
    ...(misfit !== undefined && { unreadable: `${misfit.field} of tax ${taxId}: ${misfit.text}` })
  }
}

const lostTax = (config: FiscalDevice["currentConfig"]): string | null => {
  const row = config?.misfits?.find(({ field, follows }) => follows === "row" && /^applicableTaxes\.\d+$/.test(field))
  return row === undefined ? null : `${row.field}: ${row.text}`
}

const vatOf = (config: NonNullable<FiscalDevice["currentConfig"]>): DeviceFacts["vat"] => {
  if (config.vatNumber !== null) return "registered"
  return misfitIn(config, "vatNumber") === undefined ? "not-registered" : "unknown"
}

const noConfiguration: Uncertain = { state: "missing", text: "the device has no configuration (CurrentConfig)" }

const taxesDoubt = (device: FiscalDevice): Uncertain | null => {
  const { currentConfig: config } = device
  if (config === null) return configDoubt(device)
  if ((config.applicableTaxes ?? []).length > 0) return null
  const misfit = (config.misfits ?? []).find(({ field }) => field.startsWith("applicableTaxes"))
  return misfit === undefined
    ? { state: "missing", text: "the device's configuration has no taxes (applicableTaxes)" }
    : unreadable(`${misfit.field}: ${misfit.text}`)
}

const configDoubt = (device: FiscalDevice): Uncertain => {
  const misfit = misfitIn(device, "CurrentConfig")
  return misfit === undefined ? noConfiguration : unreadable(misfit)
}

const vatDoubt = (device: FiscalDevice): Uncertain | null => {
  const { currentConfig: config } = device
  if (config === null) return configDoubt(device)
  const misfit = misfitIn(config, "vatNumber")
  return misfit === undefined ? null : unreadable(misfit)
}

const currencyDoubt = (listed: CurrencyAnswer): Uncertain | null => {
  if (listed === null) return null
  if ("unreadable" in listed) return unreadable(listed.unreadable)
  return listed.length > 0 ? null : { state: "missing", text: "the gateway's list of currencies is empty" }
}

const notStated = ({ currentConfig: config }: FiscalDevice, listed: CurrencyAnswer): ReadonlyArray<string> => {
  const taxes = config?.applicableTaxes ?? []
  const noDays = taxes
    .filter(({ misfits, taxValidFrom, taxValidTill }) => {
      return taxValidFrom === null && taxValidTill === null && misfits === undefined
    })
    .map(({ taxId }) => taxId)
  return [
    ...(listed === null ? ["the currencies that the device knows (RCPT010)"] : []),
    ...(noDays.length > 0
      ? [`how long ${noDays.length === 1 ? "tax" : "taxes"} ${noDays.join(", ")} may be used (RCPT025)`]
      : []),
    ...(config !== null && vatOf(config) === "not-registered"
      ? ["a VAT number: the taxpayer is taken for not registered, and taxes above 0 % are refused (RCPT021)"]
      : [])
  ]
}

/**
 * True if a permission that ends at `expiry` has ended. False without an end, and for the
 * placeholder dates that gateways write for "not set".
 */
export const hasPassed = (expiry: AnswerDateTime | null, now: Instant): boolean =>
  expiry !== null &&
  Option.isSome(civilDate(expiry)) &&
  Option.exists(toInstant(expiry, now.zone), (end) => DateTime.isLessThan(end, now))
