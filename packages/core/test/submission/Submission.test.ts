import { assert, describe, it } from "@effect/vitest"
import { type Cause, permits, type State, states, transitions } from "../../src/submission/Submission.ts"

/** Table of docs/architecture.md#states, deliberately written a second time by hand. */
const expected: Record<State, Partial<Record<State, ReadonlyArray<Cause>>>> = {
  Held: {
    Planned: ["released", "operator"],
    Accepted: ["older-attempt"],
    Fiscalised: ["older-attempt", "operator"],
    Rejected: ["older-attempt"],
    Declined: ["operator"],
    Withdrawn: ["withdrawn"]
  },
  Planned: {
    Held: ["held", "contradicted"],
    Sending: ["attempt-begun"],
    Accepted: ["older-attempt"],
    Fiscalised: ["older-attempt"],
    Rejected: ["older-attempt"],
    Withdrawn: ["withdrawn"]
  },
  Sending: {
    Accepted: ["accepted"],
    Planned: ["not-processed"],
    Declined: ["declined"],
    Held: ["contradicted"],
    Unknown: ["unknown-outcome"]
  },
  Accepted: {
    Fiscalised: ["evidence", "operator"],
    Rejected: ["evidence", "operator"],
    Expired: ["horizon"],
    Held: ["contradicted"],
    Unknown: ["operator", "contradicted"]
  },
  Fiscalised: {},
  Rejected: {
    Planned: ["revised", "operator"],
    Accepted: ["contradicted"],
    Fiscalised: ["contradicted"],
    Withdrawn: ["withdrawn"]
  },
  Expired: {
    Fiscalised: ["evidence", "operator"],
    Rejected: ["evidence", "operator"],
    Held: ["contradicted"],
    Unknown: ["operator", "contradicted"],
    Withdrawn: ["withdrawn"]
  },
  Declined: {
    Planned: ["revised", "operator"],
    Accepted: ["older-attempt"],
    Fiscalised: ["older-attempt"],
    Rejected: ["older-attempt"],
    Withdrawn: ["withdrawn"]
  },
  Unknown: {
    Accepted: ["evidence"],
    Fiscalised: ["evidence", "operator"],
    Rejected: ["evidence", "operator"],
    Planned: ["not-processed", "operator", "resend-policy"],
    Held: ["contradicted"],
    Withdrawn: ["withdrawn"]
  },
  Withdrawn: { Accepted: ["contradicted"], Fiscalised: ["contradicted"], Rejected: ["contradicted"] }
}

const causesOf = (from: State, to: State) =>
  transitions
    .filter((edge) => edge.from === from && edge.to === to)
    .map(({ cause }) => cause)
    .toSorted()

describe("the table of transitions", () => {
  for (const from of states) {
    for (const to of states) {
      const causes = expected[from][to] ?? []
      const name =
        causes.length === 0 ? `has no way from ${from} to ${to}` : `leads from ${from} to ${to}: ${causes.join(", ")}`
      it(name, () => assert.deepStrictEqual(causesOf(from, to), [...causes].toSorted()))
    }
  }

  it("lists every edge once", () => {
    const named = transitions.map(({ cause, from, to }) => `${from} ${to} ${cause}`)
    assert.strictEqual(new Set(named).size, named.length)
  })

  it("allows an edge only with its own cause", () => {
    assert.isTrue(permits("Sending", "Declined", "declined"))
    assert.isFalse(permits("Sending", "Declined", "evidence"))
  })
})
