/**
 * Answering for request ids: the 7-day window and the 100-id rule (docs/gateway.md#limits).
 */
import type { StatusItem } from "../wire/StatusItem.ts"
import { currentOutcome, type Outcome, type Submission } from "./Submission.ts"
import type { Account, WorldState } from "./World.ts"

/** Ids one call may ask for. */
export const idsPerCall = 100
/** How long after its processing a request is answered for, in milliseconds. */
export const window = 7 * 24 * 60 * 60 * 1000

const item = (submission: Submission, outcome: Outcome): StatusItem => {
  const base = { RequestId: submission.requestId, Success: false, IsActionable: false, Error: null, QrData: null }
  switch (outcome._tag) {
    case "Pending":
      return { ...base, FiscalInvoicePdf: null }
    case "Failed":
      return { ...base, IsActionable: outcome.actionable, Error: outcome.error, FiscalInvoicePdf: null }
    case "Fiscalised":
      return { ...base, Success: true, QrData: outcome.receipt.qrData, FiscalInvoicePdf: outcome.receipt.pdf }
  }
}

/**
 * One item per id, in the order asked, leaving out ids that are unknown to the account or were processed more than 7 days before
 * `now`. Of more than 100 ids every second one is left out: the inconsistent result the interface warns of, made repeatable.
 */
export const answer = (
  world: WorldState,
  now: number,
  account: Account,
  ids: ReadonlyArray<string>
): ReadonlyArray<StatusItem> => {
  const asked = ids.length > idsPerCall ? ids.filter((_, index) => index % 2 === 0) : ids
  return asked.flatMap((id) => {
    const submission = world.submissions.get(id)
    if (submission === undefined || submission.account !== account.name) return []
    const outcome = currentOutcome(world, submission)
    return outcome._tag !== "Pending" && now - outcome.at > window ? [] : [item(submission, outcome)]
  })
}
