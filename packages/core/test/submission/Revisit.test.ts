import { assert, describe, it } from "@effect/vitest"
import type { HoldCause } from "../../src/submission/PlannedDocument.ts"
import {
  type RevisitChange,
  formatOverride,
  holdAfter,
  parseOverride,
  type Revisit,
  revisit,
  sendsDespite,
  sentDespite,
  type RevisitFacts,
  type Override
} from "../../src/submission/Revisit.ts"
import { type State, states } from "../../src/submission/Submission.ts"

const changes: ReadonlyArray<RevisitChange> = ["nothing", "translation", "source"]

/** Results if nothing, only the translation, or the source's statement has changed. */
type Becomes = readonly [Revisit["_tag"], Revisit["_tag"], Revisit["_tag"]]

const replaced: Becomes = ["Replace", "Replace", "Replace"]
const revised: Becomes = ["Keep", "Revise", "Revise"]
const stays: Becomes = ["Keep", "Keep", "Conflict"]

/** All situations with the expected results, deliberately written a second time by hand. */
const expected: Record<State, ReadonlyArray<readonly [Partial<RevisitFacts>, settled: Becomes, open: Becomes]>> = {
  Held: [
    [{ hold: "late" }, replaced, stays],
    [{ hold: "historical" }, replaced, stays],
    [{ hold: "outdated" }, replaced, stays],
    [{ hold: "original" }, replaced, stays],
    [{ hold: "operator" }, replaced, stays],
    [{ hold: "contradicted" }, stays, stays]
  ],
  Planned: [[{}, replaced, stays]],
  Sending: [[{}, stays, stays]],
  Accepted: [[{}, stays, stays]],
  Fiscalised: [[{}, stays, stays]],
  Rejected: [
    [{ nature: "correctable" }, revised, stays],
    [{ nature: "final" }, stays, stays]
  ],
  Expired: [[{}, stays, stays]],
  Declined: [[{}, revised, stays]],
  Unknown: [[{}, stays, stays]],
  Withdrawn: [[{}, stays, stays]]
}

describe("a known document that is imported again", () => {
  for (const state of states) {
    for (const [particulars, settled, open] of expected[state]) {
      for (const [attempts, becomes] of [
        ["settled", settled],
        ["open", open]
      ] as const) {
        const standing: RevisitFacts = { state, hold: null, nature: null, attempts, ...particulars }
        const name = [state, particulars.hold, particulars.nature, `attempts ${attempts}`].filter(Boolean).join(", ")
        it(`${name}: ${becomes.join(", ")}`, () => {
          assert.deepStrictEqual(
            changes.map((change) => revisit(standing, change)._tag),
            [...becomes]
          )
        })
      }
    }
  }

  it("keeps its state with the reason if a change is impossible", () => {
    const standing: RevisitFacts = { state: "Rejected", hold: null, nature: "final", attempts: "settled" }
    assert.deepStrictEqual(revisit(standing, "source"), {
      _tag: "Conflict",
      text: "it is Rejected, and the export now states something else"
    })
    assert.deepStrictEqual(revisit({ ...standing, state: "Declined", attempts: "open" }, "source"), {
      _tag: "Conflict",
      text: "an earlier attempt may have been processed, and the export now states something else"
    })
  })
})

const causes: ReadonlyArray<HoldCause> = ["late", "historical", "outdated", "original", "contradicted", "operator"]
const holdFor = (cause: HoldCause) => ({ cause, text: `because of ${cause}` })

describe("the hold of a document that is imported again", () => {
  it("is the new hold if no operator has decided", () => {
    for (const hold of [null, ...causes.map(holdFor)]) {
      for (const came of [null, ...causes.map(holdFor)]) {
        assert.deepStrictEqual(holdAfter({ hold, override: null }, came), came)
      }
    }
  })

  it("remains an operator's hold, whatever the import states", () => {
    const hold = { cause: "operator", text: "the buyer objects" } as const
    for (const came of [null, ...causes.map(holdFor)]) {
      assert.deepStrictEqual(holdAfter({ hold, override: { _tag: "Hold" } }, came), hold)
    }
  })

  for (const despite of causes) {
    const also = despite === "late" || despite === "historical" ? ["late", "historical"] : [despite]
    it(`is not renewed as ${also.join(" or ")} after an operator sends the document although it is ${despite}`, () => {
      for (const came of causes) {
        const hold = holdAfter({ hold: null, override: sentDespite(null, despite) }, holdFor(came))
        assert.deepStrictEqual(hold, also.includes(came) ? null : holdFor(came))
      }
    })
  }
})

describe("a stored decision of an operator", () => {
  const words: ReadonlyArray<Override> = [
    { _tag: "Hold" },
    sentDespite(null, "late"),
    sentDespite(sentDespite(null, "late"), "operator")
  ]

  it("is read back as it was written", () => {
    assert.isNull(parseOverride(null))
    for (const override of words) assert.deepStrictEqual(parseOverride(formatOverride(override)), override)
  })

  it("adds to earlier decisions, and ends a hold", () => {
    const override = sentDespite(sentDespite({ _tag: "Hold" }, "late"), "operator")
    assert.deepStrictEqual(
      causes.filter((cause) => sendsDespite(override, cause)),
      ["late", "historical", "operator"]
    )
    assert.isFalse(sendsDespite({ _tag: "Hold" }, "operator"))
  })
})
