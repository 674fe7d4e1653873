import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as LiveSourceItems from "../../src/attention/LiveSourceItems.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import type { LiveSourceHealth } from "../../src/submission/LiveSourceState.ts"

const at = (text: string) => DateTime.makeUnsafe(`2026-03-${text}:00Z`)
const now = at("20T12:00")
const day = 86_400_000

const healthy: LiveSourceHealth = {
  source: "books",
  tenant: "company",
  account: "main",
  goLive: Option.getOrThrow(CivilDate.parse("2026-01-01")),
  quietAfter: 7 * day,
  plannedAt: at("01T08:00"),
  ranAt: at("20T11:55"),
  foundAt: at("19T16:00"),
  sweptAt: at("20T01:00"),
  stop: null,
  loginEnds: DateTime.makeUnsafe("2026-05-19T11:55:00Z"),
  counts: null,
  marks: [{ endpoint: "Invoices", modified: now.epochMilliseconds - day }],
  taken: 20,
  refused: 0
}

const items = (more: Partial<LiveSourceHealth>) =>
  LiveSourceItems.of({ ...healthy, ...more }, now).map(({ cause, code, since, text }) => ({ code, cause, since, text }))

const codes = (more: Partial<LiveSourceHealth>) => items(more).map(({ code }) => code)

describe("the open items of a live source", () => {
  it("are empty while it is read and has new documents from time to time", () => {
    assert.deepStrictEqual(items({}), [])
  })

  it("contain a failed reading from the first failure on, with the time of the next allowed request", () => {
    const stop = { code: "SOURCE_LIMITED", text: "limit: day", since: at("20T09:00"), retryAt: at("21T03:00") }
    const [item, ...others] = LiveSourceItems.of({ ...healthy, ranAt: at("01T08:00"), stop }, now)
    assert.deepStrictEqual(
      [item?.code, item?.cause, item?.since, others.length],
      ["SOURCE_STOPPED", "SOURCE_LIMITED", stop.since, 0]
    )
    assert.include(item?.until, "2026-03-21 03:00 UTC")
    const ended = LiveSourceItems.of({ ...healthy, stop: { ...stop, code: "SOURCE_LOGIN_ENDED", retryAt: null } }, now)
    assert.deepStrictEqual(
      ended[0]?.actions.map(({ step }) => step.do),
      ["why", "source-login", "sync"]
    )
  })

  it("contain a source without a run for more than a day", () => {
    assert.deepStrictEqual(codes({ ranAt: at("19T10:00") }), ["SOURCE_NOT_READ"])
    assert.deepStrictEqual(codes({ ranAt: at("19T12:00") }), [])
  })

  it("offer to forget a source that is stopped or was not read for more than a day: it may have been removed", () => {
    const stop = { code: "SOURCE_ACCOUNT_CHANGED", text: "another account", since: at("19T10:00"), retryAt: null }
    const actionsOf = (more: Partial<LiveSourceHealth>) =>
      LiveSourceItems.of({ ...healthy, ...more }, now).flatMap(({ actions }) => actions.map(({ step }) => step.do))
    assert.deepStrictEqual(actionsOf({ stop }), ["why", "sync", "forget-source"])
    assert.deepStrictEqual(actionsOf({ stop: { ...stop, since: at("20T10:00") } }), ["why", "sync"])
    assert.deepStrictEqual(actionsOf({ ranAt: at("19T10:00") }), ["sync", "forget-source"])
  })

  it("contain a source without new documents for longer than usual", () => {
    assert.deepStrictEqual(codes({ foundAt: at("13T11:00") }), ["SOURCE_SILENT"])
    assert.deepStrictEqual(codes({ foundAt: at("13T13:00") }), [])
    assert.deepStrictEqual(codes({ foundAt: at("13T11:00"), taken: 4 }), [])
  })

  it("contain a login that ends within a week", () => {
    assert.deepStrictEqual(codes({ loginEnds: at("26T12:00") }), ["SOURCE_LOGIN_ENDS"])
    assert.deepStrictEqual(codes({ loginEnds: at("28T12:00") }), [])
    assert.deepStrictEqual(codes({ loginEnds: null }), [])
  })
})
