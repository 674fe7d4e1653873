/**
 * Answering for request ids: the 7-day window and the 100-id rule (docs/gateway.md#limits).
 */
import type { UnknownIds } from "../SandboxConfig.ts"
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

const unknown = (id: string): StatusItem => ({
  RequestId: id,
  Success: false,
  IsActionable: true,
  Error: "Request not found",
  QrData: null,
  FiscalInvoicePdf: null
})

/** Taken, and not yet where `/status` looks: the first half of its processing, under `error-item`. */
const isTooNew = ({ acceptedAt, readyAt }: Submission, now: number): boolean => now < (acceptedAt + readyAt) / 2

/**
 * One item per id, in the order asked. An id that is unknown to the account, or was processed more than 7 days before `now`, is left out, or
 * answered for by an item of its own (STAT-9). Of more than 100 ids every second one is left out: the inconsistent result the interface warns of, made repeatable.
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
