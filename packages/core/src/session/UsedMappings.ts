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

/**
 * Returns the differences between the gateway's mappings and the book, for the codes of the planned
 * documents, as texts for the user. Empty if gateway and book agree. One command completes the
 * mappings for all documents. Codes that an unreadable mapping row may map have already refused
 * their documents (preflight/deviceRules), because no command may add such a code.
 */
export const problems = (
  mapped: MappedCodes,
  book: MappingBook,
  plan: Pick<ImportPlan, "entries">
): Effect.Effect<ReadonlyArray<string>, StoreError> =>
  Effect.gen(function* () {
    const usedTaxes = new Set<string>()
    const usedCurrencies = new Set<string>()
    yield* Stream.runForEach(plan.entries, (entry) =>
      Effect.sync(() => {
        if (entry._tag !== "Planned") return
        const { currency, taxCodes } = entry.planned.document
        usedCurrencies.add(currency)
        for (const code of taxCodes) usedTaxes.add(code)
      })
    )
    const used = {
      ...book,
      taxes: book.taxes.filter(({ code }) => usedTaxes.has(code)),
      currencies: book.currencies.filter(({ code }) => usedCurrencies.has(code))
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
    return [
      ...steps.flatMap((step) => (step._tag === "RenameTax" ? [] : [`to be done: ${MappingStep.describe(step)}`])),
      ...findings.filter(Finding.refuses).map(({ detail, message }) => (detail ? `${message}: ${detail}` : message))
    ]
  })
