/** Before anything is sent: does the gateway map every tax and currency code the documents use, to what the book says? */
import { DateTime, Effect, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Finding from "../finding/Finding.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { operations } from "../gateway/contract/Operation.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as MappingPlan from "../mapping/MappingPlan.ts"
import * as MappingStep from "../mapping/MappingStep.ts"
import type { StoreError } from "../ledger/StoreError.ts"

/** What the gateway's mappings lack for the planned documents, or say otherwise than the book, in words; empty where nothing. */
export const problems = (
  gateway: Pick<GatewayOperations, "taxMappings" | "currencyMappings" | "misfits">,
  book: MappingBook,
  plan: Pick<ImportPlan, "entries">
): Effect.Effect<ReadonlyArray<string>, GatewayError | StoreError> =>
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
        taxes: yield* gateway.taxMappings,
        currencies: yield* gateway.currencyMappings,
        // what the device has was held against every document
        supportedCurrencies: used.currencies.map(({ device }) => device),
        deviceTaxes: null
      },
      {
        extras: "keep",
        inUse: { taxCodes: "unknown", currencies: "unknown" },
        today: CivilDate.of(DateTime.setZone(yield* DateTime.now, book.zone))
      }
    )
    const problems = [
      ...steps.flatMap((step) => (step._tag === "RenameTax" ? [] : [`to be done: ${MappingStep.describe(step)}`])),
      ...findings.filter(Finding.refuses).map(({ detail, message }) => (detail ? `${message}: ${detail}` : message))
    ]
    return problems.length === 0 ? [] : [...problems, ...lostRows(yield* gateway.misfits)]
  })

/** Rows of the mappings that could not be read: one of them may be what seems to be missing, and must not be added once more. */
const lostRows = (answers: Effect.Success<GatewayOperations["misfits"]>): ReadonlyArray<string> =>
  answers
    .filter(({ operation }) => operation === "taxMappings" || operation === "currencyMappings")
    .flatMap(({ misfits, operation }) =>
      misfits
        .filter(({ follows }) => follows === "row")
        .map(
          ({ field, problem }) =>
            `row ${field} of ${operations[operation].name} could not be read (${problem}); it may be the one that is missing. Have it corrected in the gateway's portal before you add another`
        )
    )
