/**
 * Child process of the proof: prints the day of every document of a generated export, and the day
 * of its receipt, in this machine's zone (TZ).
 */
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { Effect, Stream } from "effect"
import { bookWith } from "./TaxTypes.ts"
import { documents } from "./XeroExport.ts"
import { inputOf, render } from "./XeroFiles.ts"

const [seed = 1, invoices = 100] = process.argv.slice(2).map(Number)

/** Business zones, which differ from the machine's. */
const zones = ["+02:00", "-11:00", "+14:00", "America/New_York"]

const days = Effect.forEach(zones, (zone) =>
  Effect.gen(function* () {
    const book = yield* BookFile.load("proof.book.json", bookWith({ zone, rounding: "as-inclusive" }))
    const files = render(documents(seed, { invoices, oddities: "plain" }), {
      unitPlaces: 4,
      life: "first",
      contacts: "left-out",
      arrangement: seed
    })
    const readings = yield* Stream.runCollect(adapter.read(inputOf(files), {}))
    const dates = new Map(
      readings.flatMap((reading) => (reading._tag === "SourceDocument" ? [[reading.id, reading.date] as const] : []))
    )
    const plan = yield* planBatch(Stream.fromIterable(readings), {
      account: "proof",
      book,
      originals: new Map(),
      destination: { account: "proof", taxpayer: "proof", lane: "proof/1", environment: "sandbox" }
    })
    const entries = yield* Stream.runCollect(plan.entries)
    return entries.map(({ source, ...entry }) => {
      const receipt = entry._tag === "Planned" ? entry.planned.receiptDate : "at-submission"
      const date = dates.get(source.id)
      const stated = date === undefined || typeof date === "string" ? date : "an instant"
      return [source.id, stated, receipt === "at-submission" ? null : Instant.format(receipt)]
    })
  }).pipe(Effect.provide([SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory]), Effect.scoped)
)

const offset = -new Date(2025, 0, 15).getTimezoneOffset()
process.stdout.write(JSON.stringify({ offset, days: await Effect.runPromise(days) }))
