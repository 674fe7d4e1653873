import type { Duration } from "effect"
import type { RequestId } from "../document/Identifiers.ts"
import { isCertainlyNotProcessed } from "../gateway/contract/CertainlyNotProcessed.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import type { OwnStop } from "./Lane.ts"

export type AttemptResult =
  | { readonly _tag: "Accepted"; readonly requestId: RequestId }
  /** 400, 413, 415, 422: the fault is in the document. Certainly not processed. */
  | { readonly _tag: "Declined"; readonly text: string }
  /** Certainly not processed, and not the document's fault. */
  | { readonly _tag: "NotProcessed"; readonly text: string }
  /** May have been processed; the result is not known. */
  | { readonly _tag: "Unknown"; readonly text: string }

export interface Classification {
  readonly result: AttemptResult
  readonly stop: OwnStop["cause"] | null
  /** The gateway's own hint (429). */
  readonly retryAfter: Duration.Duration | null
}

/**
 * Classifies a failure. Unknown, unless the failure is on the list of certainly unprocessed
 * requests (gateway/contract/CertainlyNotProcessed).
 */
export const classify = (error: GatewayError): Classification => {
  const { reason } = error
  const notProcessed = (stop: OwnStop["cause"], retryAfter: Duration.Duration | null = null): Classification => ({
    result: { _tag: "NotProcessed", text: error.message },
    stop,
    retryAfter
  })
  const unknown: Classification = { result: { _tag: "Unknown", text: error.message }, stop: null, retryAfter: null }
  if (!isCertainlyNotProcessed(reason)) return unknown
  switch (reason._tag) {
    case "Declined":
      return { result: { _tag: "Declined", text: error.message }, stop: null, retryAfter: null }
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
