/** What became of one attempt, and what its failure means for the lane. */
import type { Duration } from "effect"
import type { RequestId } from "../document/Identifiers.ts"
import { isCertainlyNotProcessed } from "../gateway/contract/CertainlyNotProcessed.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { StopCause } from "./Lane.ts"

export type AttemptResult =
  | { readonly _tag: "Accepted"; readonly requestId: RequestId }
  /** 400, 413, 415, 422: the document's own fault. Certainly not processed. */
  | { readonly _tag: "Declined"; readonly because: string }
  /** Certainly not processed, and not the document's fault. */
  | { readonly _tag: "NotProcessed"; readonly because: string }
  /** It may have been processed and nobody can tell. */
  | { readonly _tag: "Unknown"; readonly because: string }

/** How a failed submission leaves its attempt, and whether its lane must stop. */
export interface Classification {
  readonly result: AttemptResult
  /** Null: the lane is not concerned. */
  readonly stop: StopCause | null
  /** The gateway's own hint (429). */
  readonly retryAfter: Duration.Duration | null
}

/** Unknown unless the failure is on the list of what is certainly not processed (gateway/contract/CertainlyNotProcessed). */
export const classify = (error: GatewayError): Classification => {
  const { reason } = error
  const notProcessed = (stop: StopCause, retryAfter: Duration.Duration | null = null): Classification => ({
    result: { _tag: "NotProcessed", because: error.message },
    stop,
    retryAfter
  })
  const unknown: Classification = { result: { _tag: "Unknown", because: error.message }, stop: null, retryAfter: null }
  if (!isCertainlyNotProcessed(reason)) return unknown
  switch (reason._tag) {
    case "Declined":
      return { result: { _tag: "Declined", because: error.message }, stop: null, retryAfter: null }
    case "CredentialsRefused":
      return notProcessed("credentials")
    case "NotFound":
      return notProcessed("not-found")
    case "Misdirected":
      return notProcessed("misdirected")
    case "Limited":
      return notProcessed("limited", reason.retryAfter ?? null)
    case "NotSent":
      return notProcessed("not-sent")
    default:
      return unknown
  }
}
