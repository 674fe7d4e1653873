/** Answers status calls: the 7-day window and the limit of 100 ids (docs/gateway.md#limits). */
import type { UnknownIds } from "../SandboxConfig.ts"
import type { StatusItem } from "../wire/StatusItem.ts"
import { currentOutcome, type Outcome, type Submission } from "./Submission.ts"
import type { Account, WorldState } from "./World.ts"

/** Maximum number of ids in one call. */
export const idsPerCall = 100
/** Time after processing during which a request is answered for, in milliseconds. */
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

const unknown = (id: string): StatusItem => ({
  RequestId: id,
  Success: false,
  IsActionable: true,
  Error: "Request not found",
  QrData: null,
  FiscalInvoicePdf: null
})

/**
 * Returns true during the first half of a request's processing. Under `error-item`, `/status` does
 * not know the request yet.
 */
const isTooNew = ({ acceptedAt, readyAt }: Submission, now: number): boolean => now < (acceptedAt + readyAt) / 2

/**
 * Returns one item per id, in the order asked. An id that the account does not have, or that was
 * processed more than 7 days before `now`, is left out or gets an error item (STAT-9). If more than
 * 100 ids are asked, every second one is left out: a repeatable form of the inconsistent result
 * that the interface warns of.
 */
export const answer = (
  world: WorldState,
  now: number,
  account: Account,
  ids: ReadonlyArray<string>,
  unknownIds: UnknownIds
): ReadonlyArray<StatusItem> => {
  const asked = ids.length > idsPerCall ? ids.filter((_, index) => index % 2 === 0) : ids
  return asked.flatMap((id) => {
    const submission = world.submissions.get(id)
    const isItem = unknownIds === "error-item"
    const none = isItem ? [unknown(id)] : []
    if (submission === undefined || submission.account !== account.name) return none
    const outcome = currentOutcome(world, submission)
    if (outcome._tag === "Pending") return isItem && isTooNew(submission, now) ? none : [item(submission, outcome)]
    return now - outcome.at > window ? none : [item(submission, outcome)]
  })
}
