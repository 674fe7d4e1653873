/**
 * What a row of the receipt rules is, and what it may look at.
 */
import type * as BigDecimal from "effect/BigDecimal"
import type { ApplicableTax } from "../DeviceConfig.ts"
import type { Zone } from "../wire/Zone.ts"
import type { Receipt } from "./Receipt.ts"
import type { TaxGroup } from "./TaxGroup.ts"

/** Red stops the day's close; yellow is only noted. */
export type Color = "red" | "yellow"

/** A rule the device found broken. */
export interface Mark {
  readonly code: string
  readonly colour: Color
  readonly message: string
}

/** The receipt a credit note credits. `credited`: what earlier credit notes have taken from its total already. */
export interface Original {
  readonly epochSeconds: number
  readonly currency: string
  readonly total: BigDecimal.BigDecimal
  readonly credited: BigDecimal.BigDecimal
  readonly taxIds: ReadonlyArray<number>
}

/**
 * What the device knows when a receipt arrives. Instants are seconds since 1970-01-01T00:00:00Z.
 * - `previousReceiptAt`: latest date of any receipt before; `dayOpenedAt`: opening of the running fiscal day.
 * - `numbers`: numbers of invoices and credit notes the taxpayer has ever used.
 * - `original`: the receipt of OriginalInvoiceId; undefined when there is none.
 * - `taxTolerance`: how far stated taxes and sums of taxes may be off (DOC-7), in the receipt's currency.
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

/** What a check sees. `groups`: the device's own tax groups, at the percentages of `taxDate` (DOC-15). */
export interface Subject {
  readonly receipt: Receipt
  readonly context: ColorContext
  readonly groups: ReadonlyArray<TaxGroup>
  readonly taxDate: number
}

/** One code of the device. `check` answers what is wrong, in a sentence, or undefined. */
export interface Rule {
  readonly code: string
  readonly colour: Color
  readonly check: (subject: Subject) => string | undefined
}

/** A rule over lines: the first line that breaks it is named by its position, counted from 1. */
export const everyLine =
  (check: (line: Receipt["lines"][number], subject: Subject) => string | undefined): Rule["check"] =>
  (subject) => {
    for (const [index, line] of subject.receipt.lines.entries()) {
      const message = check(line, subject)
      if (message !== undefined) return `line ${index + 1}: ${message}`
    }
    return undefined
  }

/** A rule that concerns credit notes only. */
export const creditNote =
  (check: Rule["check"]): Rule["check"] =>
  (subject) =>
    subject.receipt.kind === "credit-note" ? check(subject) : undefined
