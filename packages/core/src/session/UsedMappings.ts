/**
 * Check, before sending, that the gateway maps every tax and currency code of the documents as the
 * book does.
 */
import { DateTime, Effect, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Finding from "../finding/Finding.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type { MappedCodes } from "../mapping/GatewayMappings.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as MappingPlan from "../mapping/MappingPlan.ts"
import * as MappingStep from "../mapping/MappingStep.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { ImportRefused } from "./ImportRefused.ts"

/** A code that the gateway does not map yet. */
export interface MissingCode {
  readonly step: Extract<MappingStep.MappingStep, { readonly _tag: "AddTax" | "AddCurrency" }>
  readonly documents: number
}

/** Codes of the planned documents that the gateway maps differently or not at all. */
export interface MissingCodes {
  readonly codes: ReadonlyArray<MissingCode>
  /** Differences that no addition can settle. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Result for documents whose codes are all mapped as in the book. */
export const none: MissingCodes = { codes: [], findings: [] }

export const isNone = ({ codes, findings }: MissingCodes): boolean => codes.length + findings.length === 0

const isAddition = (step: MappingStep.MappingStep): step is MissingCode["step"] =>
  step._tag === "AddTax" || step._tag === "AddCurrency"

/**
 * Compares the gateway's mappings with the book, for the codes of the planned documents only. Codes
 * that an unreadable mapping row may map have already refused their documents
 * (preflight/deviceRules), because such a code must not be added.
 */
export const missing = (
  mapped: MappedCodes,
  book: MappingBook,
  plan: Pick<ImportPlan, "entries">
): Effect.Effect<MissingCodes, StoreError> =>
  Effect.gen(function* () {
    const taxes = new Map<string, number>()
    const currencies = new Map<string, number>()
    const count = (counts: Map<string, number>, code: string) => counts.set(code, (counts.get(code) ?? 0) + 1)
    yield* Stream.runForEach(plan.entries, (entry) =>
      Effect.sync(() => {
        if (entry._tag !== "Planned") return
        const { currency, taxCodes } = entry.planned.document
        count(currencies, currency)
        for (const code of new Set(taxCodes)) count(taxes, code)
      })
    )
    const used = {
      ...book,
      taxes: book.taxes.filter(({ code }) => taxes.has(code)),
      currencies: book.currencies.filter(({ code }) => currencies.has(code))
    }
    const { findings, steps } = MappingPlan.make(
      used,
      {
        ...mapped,
        // Currencies and taxes of the device have already been checked for every document.
        supportedCurrencies: null,
        deviceTaxes: null
      },
      {
        extras: "keep",
        inUse: { taxCodes: "unknown", currencies: "unknown" },
        today: CivilDate.inZone(yield* DateTime.now, book.zone)
      }
    )
    return {
      codes: steps.filter(isAddition).map((step) => ({
        step,
        documents: (step._tag === "AddTax" ? taxes : currencies).get(step.code) ?? 0
      })),
      findings: findings.filter(Finding.refuses)
    }
  })

/**
 * Fails with MappingsDiffer if codes of the plan are missing. One command completes the mappings
 * for all documents.
 */
export const requireNone = ({ codes, findings }: MissingCodes): Effect.Effect<void, ImportRefused> => {
  const problems = [
    ...codes.map(({ step }) => `to be done: ${MappingStep.describe(step)}`),
    ...findings.map(({ detail, message }) => (detail ? `${message}: ${detail}` : message))
  ]
  return problems.length === 0
    ? Effect.void
    : Effect.fail(new ImportRefused({ reason: { _tag: "MappingsDiffer", problems } }))
}
