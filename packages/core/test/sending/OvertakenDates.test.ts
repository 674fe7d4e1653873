/**
 * Times that the book assigned to civil dates, after another import was sent first: two concurrent
 * imports assigned times without knowing of each other.
 */
import { assert, describe } from "@effect/vitest"
import { Option } from "effect"
import { TestClock } from "effect/testing"
import * as Instant from "../../src/document/Instant.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, plan, states, sweep } from "./Engine.ts"
import { answers, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const sent = ({ submitted }: ScriptedGateway) => submitted.map(({ date, id }) => `${id} ${date.slice(11, 19)}`)

const given = (time: string) =>
  ({ dated: "assigned", receiptDate: `2026-01-10T${time}+02:00`, sourceDate: "2026-01-10" }) as const
const stated = (time: string) => ({ ...given(time), dated: "stated" }) as const

describe("a document with an assigned time that another sent document has overtaken", () => {
  story("gets the next free second of its day after the other document", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1", given("12:00:05")))
    yield* drain(account)
    yield* plan(invoice("i2", given("12:00:03")), invoice("i3", stated("12:00:06")))
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i1 12:00:05", "i3 12:00:06", "i2 12:00:07"])
    const { timeline } = yield* explain("i2")
    assert.include(
      timeline.map(({ text }) => text),
      "another document was sent, or will be sent, with its receipt date 2026-01-10T12:00:03+02:00; it becomes 2026-01-10T12:00:07+02:00"
    )
  })

  story("stays before its credit note and before other documents of a later date", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1", given("12:00:05")))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(
      invoice("i2", given("12:00:05")),
      creditNote("c3", { credits: "i2", ...given("12:00:06") }),
      invoice("i4", given("12:00:07")),
      invoice("i5", given("12:00:20"))
    )
    for (let turn = 0; turn < 3; turn++) {
      yield* drain(account)
      yield* sweep(account)
    }
    assert.deepStrictEqual(sent(gateway), ["i1 12:00:05", "i2 12:00:06", "c3 12:00:07", "i4 12:00:08", "i5 12:00:20"])
  })

  story("is sent after a close of the fiscal day on its day, too", function* (gateway) {
    gateway.state.device = { allowCsvUpload: true }
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1", given("12:00:05")), invoice("i2", { ...given("12:00:04"), timing: "historical" }))
    const store = yield* SubmissionStore
    yield* store.closeDay("test/1001", Option.getOrThrow(Instant.parse("2026-01-10T12:30:00+02:00")))
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i2 12:00:04", "i1 12:30:01"])
  })

  story("is late if its time is stated, or if its day has no free second left", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1", { ...stated("12:00:05"), receiptDate: "2026-01-09T23:59:59+02:00" }))
    yield* drain(account)
    yield* plan(
      invoice("i2", { ...given("12:00:00"), receiptDate: "2026-01-09T12:00:00+02:00" }),
      invoice("i3", { ...stated("12:00:00"), receiptDate: "2026-01-09T12:00:01+02:00" })
    )
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Held", "i3 Held"])
    assert.deepStrictEqual([(yield* get("i2")).hold?.cause, (yield* get("i3")).hold?.cause], ["late", "late"])
  })

  story(
    "keeps the date that may have been processed, even if another document now gets that second",
    function* (gateway) {
      const account = gateway.account({ firstLook: 0 })
      gateway.answer("i2", answers.unknown)
      yield* plan(invoice("i2", given("12:00:03")))
      yield* drain(account)
      const store = yield* SubmissionStore
      yield* TestClock.adjust("5 minutes")
      yield* store.resendUnknown("shop")
      yield* plan(invoice("i1", given("12:00:02")), invoice("i3", given("12:00:03")))
      yield* drain(account)
      assert.deepStrictEqual(sent(gateway), ["i2 12:00:03", "i2 12:00:03", "i1 12:00:04", "i3 12:00:05"])
    }
  )
})
