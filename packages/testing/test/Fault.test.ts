/** Faults by name: the names are the sandbox's, and the sandbox accepts each fault. */
import { assert, describe, it } from "@effect/vitest"
import { FaultSpec, type Operation as SandboxOperation } from "@fiscal-connector/sandbox/fault/Fault"
import type { FaultArguments, FaultName, Operation } from "@fiscal-connector/testing"
import { Schema } from "effect"
import { specOf } from "../src/internal/faultSpec.ts"

type Same<A, B> = [A, B] extends [B, A] ? true : false

/** Does not compile if the names differ from the sandbox's; `drop` has two names. */
const isWhole: Same<FaultName, Exclude<FaultSpec["kind"], "drop"> | "lose-request" | "lose-answer"> = true
const hasOperations: Same<Operation, SandboxOperation> = true

/** All names, with their required fields. */
const all: { readonly [Name in FaultName]: FaultArguments<Name> } = {
  "lose-request": [],
  "lose-answer": [],
  reject: [{ error: "no such product" }],
  pend: [],
  working: [{ error: "still working", millis: 10 }],
  contradiction: [{ error: "no paper" }],
  "proof-missing": [{ millis: 10 }],
  "proof-repeated": [],
  latency: [{ millis: 10 }],
  error: [{ status: 503 }],
  html: [],
  empty: [],
  answer: [{ body: "{}" }],
  "content-type": [],
  "slow-body": [{ millis: 10 }],
  "truncated-body": [],
  "quoted-id": [],
  "numbers-as-strings": [],
  "unknown-fields": [],
  "items-out-of-order": [],
  "items-repeated": [],
  "items-missing": [],
  "items-unknown": [],
  "delivery-lost": [],
  "delivery-twice": [],
  "delivery-late": [],
  "delivery-out-of-order": [],
  "delivery-early": [],
  "delivery-corrupted": [],
  "delivery-badly-signed": [],
  "delivery-empty": []
}

// @ts-expect-error an error has a status
const withoutStatus: FaultArguments<"error"> = []
// @ts-expect-error no such fault
const unknownName: FaultName = "explode"

describe("the faults for a test", () => {
  it("are the faults of the sandbox, and by default affect the next submission once", () => {
    assert.isTrue(isWhole && hasOperations)
    assert.isEmpty(withoutStatus)
    assert.isString(unknownName)
    const decode = Schema.decodeUnknownSync(FaultSpec, { onExcessProperty: "error" })
    for (const [name, [options]] of Object.entries(all)) {
      const { kind, times } = decode(specOf(name as FaultName, options))
      assert.deepStrictEqual([kind, times], [name.startsWith("lose-") ? "drop" : kind, 1])
    }
    assert.deepStrictEqual(specOf("lose-answer"), {
      kind: "drop",
      stage: "after",
      operations: ["submitInvoice", "submitCreditNote"],
      times: 1
    })
    assert.notProperty(specOf("pend", { times: "all" }), "times")
  })
})
