import * as Finding from "../finding/Finding.ts"
import { type OperationId, operations } from "../gateway/contract/Operation.ts"
import type { Misfit } from "../gateway/exchange/AnswerLaw.ts"
import { AccountFinding } from "./AccountFinding.ts"

const named = 5

export const findings = (
  operation: OperationId,
  misfits: ReadonlyArray<Misfit> = []
): ReadonlyArray<Finding.Finding> => {
  if (misfits.length === 0) return []
  const texts = misfits.slice(0, named).map(({ field, follows, text }) => {
    if (follows === "documents") return `${field}, documents that need it are refused: ${text}`
    return follows === "row" ? `row ${field} is left out: ${text}` : `${field}: ${text}`
  })
  const more = misfits.length > named ? `; ${misfits.length - named} more` : ""
  return [
    Finding.make(AccountFinding.ANSWER_MISFIT, {
      message: `the answer to ${operations[operation].name} has fields of another form than documented`,
      detail: `${texts.join("; ")}${more}`
    })
  ]
}

export const unreadResults = (misfits: ReadonlyArray<Misfit>): string => {
  const count = misfits.length === 1 ? "a result" : `${misfits.length} results`
  return `${operations.status.name}: ${count} could not be read: ${misfits[0]?.text ?? ""}`
}
