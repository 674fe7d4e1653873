/** Why a lane did not continue: the blocking document and the event to wait for. */
import { DateTime } from "effect"
import type { LaneStop, LaneWait } from "../submission/Lane.ts"
import type { LaneReport } from "./LaneRun.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"

const kinds = { invoice: "invoice", "credit-note": "credit note" } as const

const named = ({ account, id, kind }: SubmissionKey, number?: string): string =>
  `the ${kinds[kind]} ${number ?? id} of account ${account}`

const time = (at: DateTime.Utc): string => DateTime.formatIso(at).replace(/\.\d+Z$/, "Z")

const waiting = (wait: LaneWait): string => {
  switch (wait.for) {
    case "sending":
      return `waits for ${named(wait.key)}, which is being sent, or was when its process ended`
    case "outcome":
      return `waits for the outcome of ${named(wait.key)}`
    case "unknown":
      return `waits for ${named(wait.key)}: it is not known whether it was processed, and an operator must decide`
    case "original":
      return `waits for the outcome of ${named(wait.original)}, which ${named(wait.key)} credits`
    case "account":
      return `waits for ${named(wait.key, wait.number)} (${wait.environment}), which is before the others and is not sent for here: send for all accounts of the device together`
    case "quiet":
      return `waits until ${time(wait.until)} for ${named(wait.key)}: its last request may still reach the gateway until then`
    case "clock":
      return `waits until ${time(wait.until)} for ${named(wait.key)}`
  }
}

const stopped = ({ cause, retryAt, text }: LaneStop): string =>
  `is stopped (${cause}): ${text}${retryAt === null ? "" : `; it looks again at ${time(retryAt)}`}`

/**
 * Returns one sentence with the reason why the lane ended: busy, stopped or waiting. Null if
 * nothing is left to send.
 */
export const inWords = ({ end, lane }: LaneReport): string | null => {
  switch (end._tag) {
    case "Drained":
      return null
    case "Busy":
      return `lane ${lane} is being worked by ${end.holder}`
    case "Stopped":
      return `lane ${lane} ${stopped(end.stop)}`
    case "Waiting":
      return `lane ${lane} ${waiting(end.wait)}`
  }
}
