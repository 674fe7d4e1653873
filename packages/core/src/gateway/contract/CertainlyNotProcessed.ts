/**
 * Complete list of the failures that prove that a submission was not processed
 * (docs/gateway.md#certainly-not-processed). Every other failure leaves the outcome unknown: other
 * 4xx, 3xx, 5xx, a 2xx without a request id, and everything cut or timed out after the hand-over.
 * Switch LIM-1 removes every answered status from the list, for a gateway or a load balancer that
 * may answer so after processing.
 */
import type { GatewayErrorReason } from "./GatewayError.ts"

/**
 * A request that never reached a socket, by its cause, or a complete answer, by its status and the
 * error reason.
 */
export const certainlyNotProcessed = [
  { when: "not-sent", cause: "name-not-resolved" },
  { when: "not-sent", cause: "not-connected" },
  { when: "not-sent", cause: "tls-failure" },
  { when: "not-sent", cause: "aborted-before-sending" },
  { when: "answered", status: 400, reason: "Declined" },
  { when: "answered", status: 401, reason: "CredentialsRefused" },
  { when: "answered", status: 403, reason: "CredentialsRefused" },
  { when: "answered", status: 404, reason: "NotFound" },
  { when: "answered", status: 405, reason: "Misdirected" },
  { when: "answered", status: 411, reason: "Misdirected" },
  { when: "answered", status: 413, reason: "Declined" },
  { when: "answered", status: 415, reason: "Declined" },
  { when: "answered", status: 422, reason: "Declined" },
  { when: "answered", status: 429, reason: "Limited" }
] as const

const reasons: ReadonlySet<GatewayErrorReason["_tag"]> = new Set(
  certainlyNotProcessed.map((entry) => (entry.when === "answered" ? entry.reason : "NotSent"))
)

export const isCertainlyNotProcessed = (reason: GatewayErrorReason): boolean => reasons.has(reason._tag)
