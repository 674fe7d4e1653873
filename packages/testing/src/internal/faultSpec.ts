import type * as SandboxFault from "@fiscal-connector/sandbox/fault/Fault"
import type { FaultName, FaultOptions, Operation } from "../Fault.ts"

const submissions: ReadonlyArray<Operation> = ["submitInvoice", "submitCreditNote"]

/**
 * Faults that apply to any operation of the gateway. Without `operations`, a test means the next
 * submission.
 */
const ofAnything: ReadonlySet<FaultName> = new Set<FaultName>([
  "lose-request",
  "lose-answer",
  "latency",
  "error",
  "html",
  "empty",
  "answer",
  "content-type",
  "slow-body",
  "truncated-body",
  "numbers-as-strings",
  "unknown-fields"
])

const kindOf = (name: FaultName) => {
  switch (name) {
    case "lose-request":
      return { kind: "drop", stage: "before" } as const
    case "lose-answer":
      return { kind: "drop", stage: "after" } as const
    default:
      return { kind: name }
  }
}

export const specOf = (
  name: FaultName,
  { times = 1, ...options }: FaultOptions = {}
): typeof SandboxFault.FaultSpec.Encoded =>
  ({
    ...(ofAnything.has(name) && { operations: submissions }),
    ...options,
    ...(times !== "all" && { times }),
    ...kindOf(name)
  }) as typeof SandboxFault.FaultSpec.Encoded
