/** What the gateway's answers had in another form than documented, as warnings: nothing that is sent depends on it. */
import * as Finding from "../finding/Finding.ts"
import { type OperationId, operations } from "../gateway/contract/Operation.ts"
import type { Misfit } from "../gateway/exchange/AnswerLaw.ts"
import { AccountFinding } from "./AccountFinding.ts"

/** Fields that are named in one warning. */
const named = 5

/** One warning for an operation; none where everything fitted, or where only documents that need a fact are refused for it. */
export const findings = (
  operation: OperationId,
  misfits: ReadonlyArray<Misfit> = []
): ReadonlyArray<Finding.Finding> => {
  const harmless = misfits.filter(({ follows }) => follows === "null" || follows === "row")
  if (harmless.length === 0) return []
  const told = harmless.slice(0, named).map(({ field, problem, follows }) => {
    return follows === "row" ? `row ${field} is left out: ${problem}` : `${field}: ${problem}`
  })
  const more = harmless.length > named ? `; ${harmless.length - named} more` : ""
  return [
    Finding.make(AccountFinding.ANSWER_MISFIT, {
      message: `the answer to ${operations[operation].name} has fields of another form than documented`,
      detail: `${told.join("; ")}${more}`
    })
  ]
}
