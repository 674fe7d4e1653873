/** Before anything is sent: does the gateway map every tax and currency code the documents use, to what the book says? */
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { Effect, Stream } from "effect"
import { Quit } from "../Quit.ts"
import type { ConnectedAccount } from "./ConnectedAccount.ts"

/** Fails with exit code 1, naming every missing or different mapping and the command that adds it. */
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
  const taxes = new Map((yield* gateway.taxMappings).map((mapping) => [mapping.taxCode, mapping]))
  const currencies = new Map((yield* gateway.currencyMappings).map((mapping) => [mapping.sourceCurrency, mapping]))
  const problems = [
    ...book.taxes.flatMap(({ code, device, name }) => {
      if (!usedTaxes.delete(code)) return []
      const mapping = taxes.get(code)
      if (mapping === undefined) {
        return [
          `tax code ${code} is not mapped: connector gateway add-tax-mapping ${shell(code)} ${shell(name)} ${device}`
        ]
      }
      return mapping.destinationTaxId === device
        ? []
        : [
            `tax code ${code} is mapped to device tax ${mapping.destinationTaxId}, the book says ${device}: a new rate is a new code`
          ]
    }),
    ...book.currencies.flatMap(({ code, device }) => {
      if (!usedCurrencies.delete(code)) return []
      const mapping = currencies.get(code)
      if (mapping === undefined) {
        return [
          `currency ${code} is not mapped: connector gateway add-currency-mapping ${shell(code)} ${shell(device)}`
        ]
      }
      return mapping.destinationCurrency === device
        ? []
        : [`currency ${code} is mapped to ${mapping.destinationCurrency}, the book says ${device}`]
    })
  ]
  if (problems.length === 0) return
  return yield* new Quit({
    code: 1,
    text: `Nothing was sent. The gateway lacks what these documents need:
  ${problems.join("\n  ")}
connector mappings plan compares the whole book with the gateway and the device, and connector mappings apply does what it prints.`
  })
})

const shell = (text: string) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
