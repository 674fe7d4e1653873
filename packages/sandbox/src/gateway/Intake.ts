import * as BigDecimal from "effect/BigDecimal"
import type { Document } from "../wire/Document.ts"
import type { ReportFields } from "./Report.ts"
import { currentOutcome, pending, type Submission, type Verdict } from "./Submission.ts"
import { type SandboxAccount, type Device, enter, submissionsOf, type WorldState } from "./World.ts"

const taken = (world: WorldState, account: SandboxAccount, document: Document): Submission | undefined =>
  submissionsOf(world, account.name, document).find((submission) => currentOutcome(world, submission)._tag !== "Failed")

/**
 * True if an earlier request of the document, with the same total, is pending or has a receipt.
 */
export const isRepeated = (world: WorldState, account: SandboxAccount, document: Document): boolean => {
  const earlier = taken(world, account, document)
  return earlier !== undefined && BigDecimal.equals(earlier.document.total, document.total)
}

/** Decisions of faults about a document. `work`: additional milliseconds of its processing. */
export interface Decided {
  readonly verdict: Verdict
  readonly reports: ReadonlyArray<ReportFields>
  readonly work: number
}

/** Accepts a document at `now` (milliseconds since 1970) and returns its request id. */
export const accept = (
  world: WorldState,
  now: number,
  account: SandboxAccount,
  device: Device,
  document: Document,
  { reports, verdict, work }: Decided
): string => {
  const earlier =
    document.sent === "again" && world.retryPolicy !== "ignored" ? taken(world, account, document) : undefined
  if (earlier !== undefined && world.retryPolicy === "same-id") return earlier.requestId
  // A request accepted later must not be processed earlier (ORD-1).
  const readyAt = Math.max(now + world.processingDelayMillis + work, device.queue.at(-1)?.readyAt ?? 0)
  const repeated: Verdict | undefined =
    isRepeated(world, account, document) && world.config.repeats === "fail"
      ? { _tag: "Reject", error: "Duplicate invoice number", actionable: true }
      : undefined
  const submission: Submission = {
    requestId: world.newRequestId(),
    account: account.name,
    deviceId: device.id,
    document,
    acceptedAt: now,
    readyAt,
    verdict: repeated ?? verdict,
    ...(reports.length > 0 && { reports }),
    sharesReceiptOf: earlier?.requestId ?? null,
    outcome: pending
  }
  world.revision++
  enter(world, submission)
  if (earlier === undefined) device.queue.push(submission)
  else world.outbox?.push(submission)
  return submission.requestId
}
