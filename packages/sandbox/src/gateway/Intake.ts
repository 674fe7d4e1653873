/**
 * Taking a document: a new request, or the old one when IsRetry is honoured.
 */
import type { Document } from "../wire/Document.ts"
import { currentOutcome, pending, type Submission, type Verdict } from "./Submission.ts"
import { type Account, type Device, enter, submissionsOf, type WorldState } from "./World.ts"

/** The document's earlier request that is pending or has a receipt. */
const taken = (world: WorldState, account: Account, document: Document): Submission | undefined =>
  submissionsOf(world, account.name, document).find((submission) => currentOutcome(world, submission)._tag !== "Failed")

/** Takes a document at `now` (milliseconds since 1970) and answers its request id. */
export const accept = (
  world: WorldState,
  now: number,
  account: Account,
  device: Device,
  document: Document,
  verdict: Verdict
): string => {
  const earlier =
    document.sent === "again" && world.retryPolicy !== "ignored" ? taken(world, account, document) : undefined
  if (earlier !== undefined && world.retryPolicy === "same-id") return earlier.requestId
  // Nothing accepted later may be processed earlier (ORD-1).
  const readyAt = Math.max(now + world.processingDelayMillis, device.queue.at(-1)?.readyAt ?? 0)
  const submission: Submission = {
    requestId: world.newRequestId(),
    account: account.name,
    deviceId: device.id,
    document,
    acceptedAt: now,
    readyAt,
    verdict,
    sharesReceiptOf: earlier?.requestId ?? null,
    outcome: pending
  }
  world.revision++
  enter(world, submission)
  if (earlier === undefined) device.queue.push(submission)
  else world.outbox?.push(submission)
  return submission.requestId
}
