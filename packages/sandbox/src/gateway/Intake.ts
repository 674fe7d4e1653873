/**
 * Taking a document: a new request, or the old one when IsRetry is honoured.
 */
import { randomUUID } from "node:crypto"
import type { Document } from "../wire/Document.ts"
import { pending, type Submission, type Verdict } from "./Submission.ts"
import { currentOutcome } from "./Processing.ts"
import { type Account, type Device, documentKey, type WorldState } from "./World.ts"

/** The document's earlier request that is pending or has a receipt. */
const taken = (world: WorldState, earlier: ReadonlyArray<Submission>): Submission | undefined =>
  earlier.find((submission) => currentOutcome(world, submission)._tag !== "Failed")

/** Takes a document at `now` (milliseconds since 1970) and answers its request id. */
export const accept = (
  world: WorldState,
  now: number,
  account: Account,
  device: Device,
  document: Document,
  verdict: Verdict
): string => {
  const key = documentKey(account.name, document)
  const known = world.documents.get(key)
  const earlier = document.sent === "again" && world.retryPolicy !== "ignored" ? taken(world, known ?? []) : undefined
  if (earlier !== undefined && world.retryPolicy === "same-id") return earlier.requestId
  const readyAt = Math.max(now + world.processingDelayMillis, device.lastReadyAt)
  const submission: Submission = {
    requestId: randomUUID(),
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
  world.submissions.set(submission.requestId, submission)
  if (known === undefined) world.documents.set(key, [submission])
  else known.push(submission)
  if (earlier === undefined) {
    device.lastReadyAt = readyAt
    device.queue.push(submission)
  }
  return submission.requestId
}
