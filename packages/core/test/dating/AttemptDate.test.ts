import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import * as AttemptDate from "../../src/dating/AttemptDate.ts"

/** 1 March 2026, 12:00:00 in the zone of the document. */
const noon = Date.UTC(2026, 2, 1, 10) / 1000

const clocks: AttemptDate.Clocks = { gateway: noon, own: noon, skew: 5 }

const head = (fields: Partial<AttemptDate.AttemptHead> = {}): AttemptDate.AttemptHead => ({
  receipt: null,
  sourceDate: "2026-03-01",
  lastDay: null,
  zone: DateTime.zoneMakeOffset(2 * 3_600_000),
  late: "hold",
  timing: "ordinary",
  mark: Number.NEGATIVE_INFINITY,
  close: null,
  earlier: [],
  sendsDespite: () => false,
  notBehindClose: null,
  ...fields
})

const at = (second: number) => ({ second, text: new Date(second * 1000).toISOString().replace(".000Z", "+00:00") })

const close = (second: number): AttemptDate.AttemptHead["close"] => at(second)

describe("a document that its attempt dates", () => {
  it("is dated now, or after the mark and the close as soon as that second comes", () => {
    assert.deepStrictEqual(AttemptDate.of(head(), clocks), { _tag: "Dated", second: noon })
    assert.deepStrictEqual(AttemptDate.of(head({ mark: noon - 1 }), clocks), { _tag: "Dated", second: noon })
    assert.deepStrictEqual(AttemptDate.of(head({ mark: noon }), clocks), { _tag: "Early", second: noon + 1 })
    assert.deepStrictEqual(AttemptDate.of(head({ mark: noon, close: close(noon + 2) }), clocks), {
      _tag: "Early",
      second: noon + 3
    })
  })

  it("is held on another day, unless the book or an operator permits the date of today", () => {
    const yesterday = { sourceDate: "2026-02-28" }
    assert.deepInclude(AttemptDate.of(head(yesterday), clocks), { _tag: "Hold", cause: "late" })
    assert.deepInclude(AttemptDate.of(head({ ...yesterday, late: "restamp" }), clocks), { _tag: "Dated" })
    const sendsDespite = (cause: AttemptDate.DateHoldCause) => cause === "late"
    assert.deepInclude(AttemptDate.of(head({ ...yesterday, sendsDespite }), clocks), { _tag: "Dated" })
  })

  it("is held as outdated after its last permitted day", () => {
    assert.deepInclude(AttemptDate.of(head({ lastDay: "2026-03-01" }), clocks), { _tag: "Dated" })
    assert.deepInclude(AttemptDate.of(head({ lastDay: "2026-02-28" }), clocks), { _tag: "Hold", cause: "outdated" })
  })
})

describe("a settled receipt date", () => {
  it("is used, and waits until it is at most the tolerated difference ahead", () => {
    assert.deepStrictEqual(AttemptDate.of(head({ receipt: at(noon - 60) }), clocks), {
      _tag: "Dated",
      second: noon - 60
    })
    assert.deepStrictEqual(AttemptDate.of(head({ receipt: at(noon + 5) }), clocks), { _tag: "Dated", second: noon + 5 })
    assert.deepStrictEqual(AttemptDate.of(head({ receipt: at(noon + 6) }), clocks), { _tag: "Early", second: noon + 1 })
  })

  it("is overtaken at the mark, and for an ordinary document at the close", () => {
    const receipt = at(noon - 60)
    assert.deepInclude(AttemptDate.of(head({ receipt, mark: noon - 61 }), clocks), { _tag: "Dated" })
    assert.deepInclude(AttemptDate.of(head({ receipt, mark: noon - 60 }), clocks), { _tag: "Overtaken" })
    assert.deepInclude(AttemptDate.of(head({ receipt, close: close(noon - 60) }), clocks), { _tag: "Overtaken" })
    assert.deepInclude(AttemptDate.of(head({ receipt, close: close(noon - 60), timing: "historical" }), clocks), {
      _tag: "Dated"
    })
  })

  it("of a historical document is held behind the close once the device no longer permits it", () => {
    const behind = head({ receipt: at(noon - 60), close: close(noon - 60), timing: "historical", notBehindClose: "x" })
    assert.deepInclude(AttemptDate.of(behind, clocks), { _tag: "Hold", cause: "historical" })
    assert.deepInclude(AttemptDate.of({ ...behind, mark: noon - 60 }, clocks), { _tag: "Overtaken" })
  })

  it("stops the lane while the mark is later than our own clock", () => {
    assert.deepInclude(AttemptDate.of(head({ mark: noon + 5 }), clocks), { _tag: "Early" })
    assert.deepInclude(AttemptDate.of(head({ mark: noon + 6 }), clocks), { _tag: "MarkInFuture" })
  })
})

describe("an overtaken date without room on its day", () => {
  const late = { receipt: at(noon - 60), mark: noon }
  const sends = (...causes: ReadonlyArray<AttemptDate.DateHoldCause>) => ({
    sendsDespite: (cause: AttemptDate.DateHoldCause) => causes.includes(cause)
  })
  const decided = (fields: Partial<AttemptDate.AttemptHead>) => {
    const decision = AttemptDate.withoutRoom(head(fields))
    return decision._tag === "Hold" ? decision.cause : decision._tag
  }

  it("holds the document as late or historical, and is removed if restamping is permitted", () => {
    assert.strictEqual(decided(late), "late")
    assert.strictEqual(decided({ receipt: at(noon - 60), close: close(noon) }), "historical")
    assert.strictEqual(decided({ ...late, late: "restamp" }), "Undate")
    assert.strictEqual(decided({ ...late, ...sends("late") }), "Undate")
  })

  it("is never removed while a request with this date may have been processed", () => {
    for (const result of ["open", "pending"] as const) {
      assert.strictEqual(decided({ ...late, late: "restamp", earlier: ["rejected", result] }), "operator")
      assert.strictEqual(decided({ ...late, ...sends("late"), earlier: [result] }), "operator")
    }
    assert.strictEqual(decided({ ...late, late: "restamp", earlier: ["rejected"] }), "Undate")
  })

  it("needs an operator after an operator's statement, whatever the book permits", () => {
    assert.strictEqual(decided({ ...late, late: "restamp", earlier: ["ruled-out"] }), "operator")
    assert.strictEqual(decided({ ...late, ...sends("late"), earlier: ["ruled-out"] }), "Undate")
  })

  it("of an open attempt behind the close is an operator's decision at once", () => {
    const behind = { receipt: at(noon - 60), close: close(noon) }
    assert.strictEqual(decided({ ...behind, earlier: ["open"] }), "operator")
    assert.strictEqual(decided({ ...behind, earlier: ["pending"] }), "historical")
  })
})
