/** A fault by name as the sandbox has it. */
import type * as SandboxFault from "@fiscal-connector/sandbox/fault/Fault"
import type { FaultName, FaultOptions, Operation } from "../Fault.ts"

const submissions: ReadonlyArray<Operation> = ["submitInvoice", "submitCreditNote"]

/** Faults that concern any operation of the gateway, so that a test means the next submission where it names none. */
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

/** Returns the sandbox's own form. */
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
