/** Determines the outcomes of altered documents for the kit's adapters. */
import { adapter as erpnextLike } from "@fiscal-connector/adapter-erpnext-like"
import { adapter as odooLike } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooksLike } from "@fiscal-connector/adapter-quickbooks-like"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import { Effect } from "effect"
import type { JoinedAlteration, System } from "./JoinedAlterations.ts"
import { keepsLaw, outcomeBy } from "../xero/StatedTrial.ts"
import { count } from "../xero/XeroTrial.ts"

export const adapters = { "quickbooks-like": quickBooksLike, "odoo-like": odooLike, "erpnext-like": erpnextLike }

/** Mapping book for the codes of both systems; each line rounds its tax. */
export const book = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [
    { from: ["7", "15%"], code: "STANDARD", device: 515, percent: "15" },
    { from: ["8", "Zero"], code: "ZERO", device: 2, percent: "0" }
  ],
  currencies: [{ code: "USD", device: "USD" }],
  rounding: "as-inclusive",
  defaults: { payment: "Credit", productCode: "85131000", creditReason: "Returned", cashBuyer: "Cash sale {name}" }
})

/**
 * Returns the numbers of outcomes. `unsent`: the original is not sent, so that the alteration
 * cannot be judged.
 */
export const run = (system: System, made: ReadonlyArray<JoinedAlteration>, mappings: MappingBook) =>
  Effect.gen(function* () {
    const adapter = adapters[system] as typeof odooLike
    const trials = yield* Effect.forEach(made, (alteration) =>
      Effect.map(outcomeBy(adapter, { ...alteration, options: { unmapped: "unread" } }, mappings), (outcome) => ({
        alteration,
        outcome
      }))
    )
    const judged = trials.flatMap(({ alteration, outcome }) => (outcome === undefined ? [] : [{ alteration, outcome }]))
    const of = (some: typeof judged) => count(some.map(({ outcome }) => outcome))
    return {
      contradicted: of(judged.filter(({ alteration }) => alteration.witness !== undefined)),
      free: of(judged.filter(({ alteration }) => alteration.witness === undefined)),
      unsent: trials.length - judged.length,
      against: count(
        judged
          .filter(({ alteration, outcome }) => !keepsLaw(alteration, outcome))
          .map(({ alteration: { what }, outcome }) => `${what}: ${outcome}`)
      )
    }
  })
