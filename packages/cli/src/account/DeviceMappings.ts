/** Before anything is sent: does the gateway map every tax and currency code the documents use, to what the book says? */
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as MappingPlan from "@fiscal-connector/core/mapping/MappingPlan"
import * as MappingStep from "@fiscal-connector/core/mapping/MappingStep"
import { DateTime, Effect, Stream } from "effect"
import { printable } from "../output/Terminal.ts"
import { Quit } from "../Quit.ts"
import type { ConnectedAccount } from "./ConnectedAccount.ts"

/** Fails with exit code 1, naming every missing or different mapping and the commands that mend it. */
export const check = Effect.fnUntraced(function* (
  { gateway, submitting }: ConnectedAccount,
  book: MappingBook,
  plan: ImportPlan
) {
  if (submitting.environment === "sandbox") return
  const usedTaxes = new Set<string>()
  const usedCurrencies = new Set<string>()
  yield* Stream.runForEach(plan.entries, (entry) =>
    Effect.sync(() => {
      if (entry._tag !== "Planned") return
      const { currencyCode, lineItems } = entry.planned.document.payload
      usedCurrencies.add(currencyCode)
      for (const { taxCode } of lineItems) usedTaxes.add(taxCode)
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
  if (problems.length === 0) return
  return yield* new Quit({
    code: 1,
    text: `Nothing was sent. The gateway does not map what these documents need:
  ${problems.map(printable).join("\n  ")}
connector mappings plan compares the whole book with the gateway and the device; connector mappings apply then does what it prints.`
  })
})
