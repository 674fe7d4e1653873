/** Laws of Xero-shaped exports, and the share of documents that each rounding policy accepts. */
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console, Effect, Stream } from "effect"
import { given } from "../Given.ts"
import * as ZoneDays from "./ZoneDays.ts"
import { brokenByPlan, brokenByReceipts } from "./Laws.ts"
import * as RoundingShares from "./RoundingShares.ts"
import { bookWith } from "./TaxTypes.ts"
import { documents } from "./XeroExport.ts"
import { inputOf, render } from "./XeroFiles.ts"
import { run } from "./XeroTrial.ts"

const { count, extent, seed } = given("xero-laws")

/** Number of invoices in one export. */
const invoices = extent === "full" ? 400 : 60

const settings = (["per-group", "as-inclusive"] as const).flatMap((rounding) =>
  Array.from({ length: count }, (_, n) => ({
    rounding,
    buyers: n % 2 === 0 ? ("with-tin" as const) : ("by-name" as const),
    unitPlaces: n % 3 === 1 ? (2 as const) : (4 as const),
    oddities: n % 4 === 3 ? ("plain" as const) : ("odd" as const),
    arrangement: seed + n
  }))
)

describe("generated Xero-shaped exports through adapter, plan and sandbox", () => {
  it.live.each(settings)(
    "with $rounding, buyers $buyers, seed $arrangement: have the device's sums, each document once, and nothing twice",
    ({ oddities, ...setting }) =>
      Effect.gen(function* () {
        const report = yield* run(documents(setting.arrangement, { invoices, oddities }), setting)
        yield* Console.log(
          `${report.documents} documents, ${report.imports} imports: ${report.fiscalised} fiscalised, ${report.held} held`,
          Object.fromEntries(report.refused),
          Object.fromEntries(report.marks)
        )
        assert.deepStrictEqual(report.broken, [])
        assert.isAbove(report.fiscalised, invoices / 2)
        assert.isAtLeast(report.imports, 5)
      })
  )

  it.live("are all accepted as-inclusive if exclusive, and per-line accepts no more than per-group", function* () {
    const shares = yield* RoundingShares.measure(seed, { invoices: 5 * invoices, oddities: "plain" })
    for (const { accepted, byLines, documents: all, rounding } of shares)
      yield* Console.log(
        `${rounding}: ${accepted} of ${all}; ${byLines.map((of) => `${of.lines} lines ${of.accepted} of ${of.documents}`).join(", ")}`
      )
    const [perLine, perGroup, asInclusive] = shares.map(({ accepted }) => accepted)
    assert.strictEqual(asInclusive, shares[2]?.documents)
    assert.strictEqual(perLine, perGroup)
    assert.isBelow(perGroup!, asInclusive!)
    assert.deepStrictEqual([...shares[1]!.refused.keys()], ["TOTAL_MISMATCH"])
  })

  const zones = extent === "full" ? ZoneDays.wholeHours : ["Etc/GMT+12", "Etc/GMT-14"]
  it.live.each([...zones, "America/St_Johns"])("keep every day on a machine in %s", (zone) =>
    Effect.gen(function* () {
      const { broken, documents } = yield* ZoneDays.check(zone, seed, invoices)
      assert.deepStrictEqual(broken, [])
      assert.isAbove(documents, 200)
    })
  )
})

describe("the checks of these proofs", () => {
  it.live("detect a wrong total, a wrong tax, a wrong day and a missing receipt", () =>
    Effect.gen(function* () {
      const made = documents(1001, { invoices: 20, oddities: "plain" })
      const book = yield* BookFile.load("proof.book.json", bookWith({ rounding: "per-group" }))
      const files = render(made, { unitPlaces: 4, life: "first", contacts: "left-out", arrangement: 1 })
      const streamed = yield* planBatch(adapter.read(inputOf(files), {}), {
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
