/** A sample of `pnpm proof:xero`. */
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import * as Connector from "@fiscal-connector/core/connector/Connector"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as DaysEverywhere from "../proof/DaysEverywhere.ts"
import { brokenByPlan, brokenByReceipts } from "../proof/Laws.ts"
import * as RoundingShares from "../proof/RoundingShares.ts"
import { bookWith } from "../proof/TaxTypes.ts"
import { documents } from "../proof/XeroExport.ts"
import { inputOf, render } from "../proof/XeroFiles.ts"
import { run } from "../proof/XeroTrial.ts"

describe("generated Xero-shaped exports through adapter, plan and sandbox", () => {
  it.live.each([
    { rounding: "per-group", buyers: "with-tin", unitPlaces: 4, arrangement: 1001 },
    { rounding: "per-group", buyers: "by-name", unitPlaces: 2, arrangement: 1002 },
    { rounding: "as-inclusive", buyers: "with-tin", unitPlaces: 2, arrangement: 1003 },
    { rounding: "as-inclusive", buyers: "by-name", unitPlaces: 4, arrangement: 1004 }
  ] as const)("under $rounding, buyers $buyers: the device's sums, each document once, nothing again", (setting) =>
    Effect.gen(function* () {
      const report = yield* run(documents(setting.arrangement, { invoices: 60, oddities: "odd" }), setting)
      assert.deepStrictEqual(report.broken, [])
      assert.isAbove(report.fiscalised, 30)
      assert.isAtLeast(report.imports, 5)
    })
  )

  it.live("every exclusive document is taken as-inclusive, and per-line takes no more than per-group", () =>
    Effect.gen(function* () {
      const shares = yield* RoundingShares.measure(2001, { invoices: 300, oddities: "plain" })
      const [perLine, perGroup, asInclusive] = shares.map(({ accepted }) => accepted)
      assert.strictEqual(asInclusive, shares[2]?.documents)
      assert.strictEqual(perLine, perGroup)
      assert.isBelow(perGroup!, asInclusive!)
      assert.deepStrictEqual([...shares[1]!.refused.keys()], ["TOTAL_MISMATCH"])
    })
  )

  it.live.each(["Etc/GMT+12", "America/St_Johns", "Etc/GMT-14"])("no day slips on a machine in %s", (zone) =>
    Effect.gen(function* () {
      const { broken, documents } = yield* DaysEverywhere.check(zone, 3001, 60)
      assert.deepStrictEqual(broken, [])
      assert.isAbove(documents, 200)
    })
  )
})

describe("the laws", () => {
  it.live("notice a total, a tax, a day and a receipt that is not there", () =>
    Effect.gen(function* () {
      const made = documents(1001, { invoices: 20, oddities: "plain" })
      const book = yield* BookFile.load("proof.book.json", bookWith({ rounding: "per-group" }))
      const files = render(made, { unitPlaces: 4, life: "first", contacts: "left-out", arrangement: 1 })
      const streamed = yield* Connector.plan(adapter.read(inputOf(files), {}), {
        account: "proof",
        book,
        originals: new Map(),
        destination: { account: "proof", taxpayer: "proof", lane: "proof/1", environment: "sandbox" }
      })
      const plan = { unattached: streamed.unattached, entries: yield* Stream.runCollect(streamed.entries) }
      const one = plan.entries.find(({ _tag }) => _tag === "Planned")!.source
      const noticed = (change: object) =>
        brokenByPlan(
          plan,
          made.map((document) => (document.id === one.id ? { ...document, ...change } : document)),
          book
        )
      assert.deepStrictEqual(noticed({}), [])
      assert.match(noticed({ total: 1n })[0]!, new RegExp(`^${one.number}: Total .* is not the source's$`))
      assert.deepStrictEqual(noticed({ totalTax: -1n }), [`${one.number}: TotalTax is not the source's`])
      assert.match(noticed({ day: "2000-01-01" })[0]!, /2000-01-01 has become/)
      assert.include(brokenByReceipts(plan, []), `${one.number}: no receipt`)
    }).pipe(Effect.provide([SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory]))
  )
})
