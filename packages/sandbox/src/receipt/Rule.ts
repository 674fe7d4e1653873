import type * as BigDecimal from "effect/BigDecimal"
import type { ApplicableTax } from "../DeviceConfig.ts"
import type { Zone } from "../wire/Zone.ts"
import type { Receipt } from "./Receipt.ts"
import type { TaxGroup } from "./TaxGroup.ts"

/** Red stops the day's close; yellow is only recorded. */
export type Color = "red" | "yellow"

export interface ReceiptMark {
  readonly code: string
  readonly colour: Color
  readonly message: string
}

/**
 * Receipt that a credit note credits. `credited`: amount already taken from its total by earlier
 * credit notes.
 */
export interface Original {
  readonly epochSeconds: number
  readonly currency: string
  readonly total: BigDecimal.BigDecimal
  readonly credited: BigDecimal.BigDecimal
  readonly taxIds: ReadonlyArray<number>
}

/**
 * Knowledge of the device when a receipt arrives. Instants are seconds since 1970-01-01T00:00:00Z.
 * - `previousReceiptAt`: latest date of any earlier receipt. `dayOpenedAt`: opening of the running
 *   fiscal day.
 * - `numbers`: all numbers of invoices and credit notes that the taxpayer has used.
 * - `original`: the receipt of OriginalInvoiceId; undefined if the device has no such receipt.
 * - `taxTolerance`: permitted difference of stated taxes and sums of taxes (DOC-7), in the
 *   receipt's currency.
 */
export interface ColorContext {
  readonly taxes: ReadonlyArray<ApplicableTax>
  readonly taxpayer: "vat-registered" | "not-vat-registered"
  readonly zone: Zone
  readonly now: number
  readonly clockToleranceSeconds: number
  readonly dayOpenedAt: number | undefined
  readonly dayMaxHours: number
  readonly previousReceiptAt: number | undefined
  readonly numbers: { readonly has: (number: string) => boolean }
  readonly original: Original | undefined
  readonly creditWithoutInvoice: "permitted" | "forbidden"
  readonly taxTolerance: BigDecimal.BigDecimal
}

/**
 * Input of a check. `groups`: the device's own tax groups, at the percentages valid on `taxDate`
 * (DOC-15).
 */
export interface RuleSubject {
  readonly receipt: Receipt
  readonly context: ColorContext
  readonly groups: ReadonlyArray<TaxGroup>
  readonly taxDate: number
}

/** One rule of the device. `check` returns the problem as a sentence, or undefined. */
export interface Rule {
  readonly code: string
  readonly color: Color
  readonly check: (subject: RuleSubject) => string | undefined
}

/**
 * Returns a check of every line; the problem names the first line that breaks the rule, counted
 * from 1.
 */
export const everyLine =
  (check: (line: Receipt["lines"][number], subject: RuleSubject) => string | undefined): Rule["check"] =>
  (subject) => {
    for (const [index, line] of subject.receipt.lines.entries()) {
      const message = check(line, subject)
      if (message !== undefined) return `line ${index + 1}: ${message}`
    }
    return undefined
  }

export const creditNote =
  (check: Rule["check"]): Rule["check"] =>
  (subject) =>
    subject.receipt.kind === "credit-note" ? check(subject) : undefined
