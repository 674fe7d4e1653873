/** Conversion of an operator's decision to core's decision. */
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import type { Decision as CoreDecision } from "@fiscal-connector/core/submission/Decision"
import type { Decision } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

const words = {
  "not-processed": { _tag: "NotProcessed" },
  resend: { _tag: "Resend" },
  same: { _tag: "Same" },
  acknowledged: { _tag: "Acknowledged" }
} as const satisfies Record<Extract<Decision, string>, CoreDecision>

export const decisionOf = (decision: Decision): CoreDecision => {
  if (typeof decision === "string") return words[decision]
  if ("fiscalised" in decision) return { _tag: "Fiscalised", proof: decision.fiscalised }
  if ("accepted" in decision) return { _tag: "Accepted", requestId: RequestId.make(decision.accepted.requestId) }
  if ("rejected" in decision) {
    return { _tag: "Rejected", rejection: { error: decision.rejected, nature: decision.nature ?? "correctable" } }
  }
  throw new FiscalConnectorError("config_invalid", "this is not a decision")
}
