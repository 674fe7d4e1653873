/**
 * Compares a run with a changed answer with the unchanged run, and describes every disagreement
 * with the table.
 */
import type { Mutation } from "./Mutations.ts"
import { guarded, type Run } from "./AnswersWorld.ts"

const isSent = (state: string | undefined): boolean => state !== undefined && !/^(Refused|Held)/.test(state)

/** Codes with which a document may be refused because a fact is unreliable or missing. */
const ofFacts = new Set(["FACT_UNREADABLE", "FACT_MISSING", "RCPT010", "RCPT021", "RCPT025"])

const isOfFact = (state: string): boolean =>
  state.startsWith("Refused ") &&
  state
    .slice(8)
    .split(" ")
    .every((code) => ofFacts.has(code))

/** Documents without the tax or currency of each mapping, in the order of the mappings. */
const withoutTax = [
  ["zero", "expired", "euro", "alone"],
  ["standard", "zero", "today", "euro", "alone"],
  ["standard", "today", "expired"]
]
const withoutCurrency = [
  ["zero", "euro"],
  ["standard", "today", "expired", "alone", "euro"],
  ["standard", "zero", "today", "expired", "alone"]
]

/**
 * Returns the documents that do not depend on the changed place: a tax concerns only the documents
 * with that tax.
 */
const unconcerned = ({ operation, place }: Mutation): ReadonlyArray<string> => {
  const tax = /applicableTaxes\.(\d)/.exec(place)?.[1]
  if (tax === "0") return ["zero"]
  if (tax === "1") return ["standard", "zero", "today"]
  if (tax === "2") return ["standard", "today"]
  if (place.endsWith("vatNumber")) return ["zero"]
  const row = /^(\d)\./.exec(place)?.[1]
  if (operation === "taxMappings") return withoutTax[Number(row)] ?? []
  if (operation === "currencyMappings") return withoutCurrency[Number(row)] ?? []
  return /^Items|^the body/.test(place) ? ["today"] : []
}

/** Returns the problems of the run; empty if the run follows the table. */
export const verdict = (mutation: Mutation, base: Run, run: Run): ReadonlyArray<string> => {
  const { expected, operation, place, told } = mutation
  const wrong: Array<string> = []
  const numbers = Object.keys(base.states)
  const mayApplyNothing = expected === "not-applied"
  if (run.colored.length > 0 && !mayApplyNothing) wrong.push(`colored: ${run.colored.join(", ")}`)
  for (const number of guarded) {
    if (isSent(run.states[number]) && !mayApplyNothing)
      wrong.push(`passed in silence: ${number} is ${run.states[number]}`)
  }
  if (mayApplyNothing && run.colored.length > 0 && !run.warnings.includes("FACT_NOT_STATED")) {
    wrong.push("a guard that does not apply was not told")
  }
  if (told === "must-be-told" && operation !== "status") {
    const isRefused = numbers.some((number) => /FACT_/.test(run.states[number] ?? ""))
    if (run.stopped === null && !isRefused && !run.warnings.includes("ANSWER_MISFIT")) wrong.push("not told")
  }
  const changed = numbers.filter((number) => run.states[number] !== base.states[number])
  switch (operation === "status" ? "same" : expected) {
    case "same":
      if (run.stopped !== null) wrong.push(`stopped by what does not decide: ${run.stopped}`)
      for (const number of changed) wrong.push(`${number} is ${run.states[number]}, not ${base.states[number]}`)
      break
    case "documents": {
      if (run.stopped !== null) wrong.push(`stopped, and not only the documents that need it: ${run.stopped}`)
      const spared = unconcerned(mutation)
      for (const number of changed) {
        const state = run.states[number] ?? "nowhere"
        if (!isOfFact(state) && !/FACT_|RCPT0(10|21|25)/.test(state)) wrong.push(`${number} is ${state}`)
        if (spared.includes(number) && (operation === "fiscalDevice" || operation.endsWith("Mappings")))
          wrong.push(`${number} does not need ${place}, and is ${state}`)
      }
      break
    }
    case "answer":
      if (run.stopped === null) wrong.push("was to be refused as malformed, and was not")
      for (const number of numbers) if (isSent(run.states[number])) wrong.push(`${number} was sent`)
      break
    case "row":
    case "not-applied":
    case "safe":
      break
  }
  return wrong
}
