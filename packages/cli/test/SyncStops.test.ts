/** Proves that a stopped run leaves the account and the first day for the next run unchanged. */
import { assert, describe, it } from "../../core/test/It.ts"
import { lines } from "./RunningConnector.ts"
import { syncing } from "./SyncedSource.ts"

// slow: the command runs a dozen times

const concernsIn = (out: string) =>
  lines(out).flatMap(({ concerns }) => concerns as ReadonlyArray<{ code: string; cause: string; account: string }>)

describe("a stopped run of a source", () => {
  it.live("needs attention if another account stopped it, until the former account is back", function* () {
    const { configure, receipts, run, sync } = yield* syncing()
    yield* sync
    yield* sync
    const sent = yield* receipts
    configure({ account: "other" })
    for (const time of ["first", "second"] as const) {
      const { code, err } = yield* sync
      assert.strictEqual(code, 1, time)
      assert.include(err, "SOURCE_ACCOUNT_CHANGED", time)
    }
    const [stopped] = concernsIn((yield* run("health", "--json")).out)
    assert.deepStrictEqual(
      [stopped?.code, stopped?.cause, stopped?.account],
      ["SOURCE_STOPPED", "SOURCE_ACCOUNT_CHANGED", "main"]
    )
    configure({})
    assert.strictEqual((yield* sync).code, 0)
    assert.deepStrictEqual(concernsIn((yield* run("health", "--json")).out), [])
    assert.deepStrictEqual(yield* receipts, sent)
  })

  it.live("leaves the plan of an earlier first day to the next run", function* () {
    const { configure, report, sync, world } = yield* syncing({
      settings: { goLive: "2026-02-01", late: "send-rest" }
    })
    yield* sync
    yield* sync
    configure({ goLive: "2025-01-01", late: "send-rest" })
    world.addFault({ kind: "html", times: 1 })
    assert.strictEqual((yield* sync).code, 1)
    assert.strictEqual((yield* report).data["mode"], "first-plan")
  })
})
