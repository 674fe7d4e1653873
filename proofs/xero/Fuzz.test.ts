import { assert, describe, it } from "../../packages/core/test/It.ts"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import type { RefusedDocument } from "../../packages/core/src/source/Adapter.ts"
import { fingerprint } from "../../packages/core/src/source/Fingerprint.ts"
import { Effect, Exit, Stream } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { given } from "../Given.ts"
import { adapter } from "../../packages/adapter-xero-like/src/XeroLikeAdapter.ts"
import { inputOf, read } from "../../packages/adapter-xero-like/test/Fixture.ts"
import { mutate, randomOf } from "../../packages/adapter-xero-like/test/Mutation.ts"

const root = join(import.meta.dirname, "../../packages/adapter-xero-like/fixtures")
const exports_ = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /input\.jsonl?$/.test(file))
  .toSorted()
  .map((file) => readFileSync(join(root, file)))
  // Removes the indentation: most of a fixture, and nothing to break.
  .map((bytes) => new TextEncoder().encode(bytes.toString("utf8").replace(/\n +/g, "\n")))
  .filter((bytes) => bytes.length < 6000)

const { count: runs, extent, seeds: damaged } = given("xero-damaged")

describe("damaged exports", () => {
  it.effect(
    "never crash the adapter: mutated inputs lead to readings, findings or an error with the place",
    function* () {
      const counts = { read: 0, unreadable: 0 }
      for (const seed of damaged) {
        const random = randomOf(seed)
        // Neighboring seeds start with similar numbers.
        for (let n = 0; n < 3; n++) random()
        const bytes = mutate(exports_[Math.floor(random() * exports_.length)] ?? new Uint8Array(0), random)
        const input = inputOf({ "export.json": bytes }, 1 + Math.floor(random() * 4000))
        const exit = yield* Effect.exit(
          read(input, { tin: "TaxNumber", paymentMethod: "paying-account", productCode: "item-code" })
        )
        if (Exit.isFailure(exit)) {
          const said = exit.cause.reasons.map((reason) =>
            reason._tag === "Fail" ? reason.error.message : String(reason)
          )
          assert.match(said.join(), /^export\.json: line \d+: /, `seed ${seed}`)
          counts.unreadable++
          continue
        }
        counts.read++
        const refused = exit.value.flatMap((reading): ReadonlyArray<RefusedDocument> => {
          if (reading._tag === "Skipped") return []
          if (reading._tag === "Finding") return [{ reading, findings: [reading] }]
          assert.notStrictEqual(reading.id, "")
          assert.lengthOf(fingerprint(reading), 64)
          for (const { at, path } of reading.findings)
            assert.deepStrictEqual([at?.file, reading.where(path).file], ["export.json", "export.json"])
          return reading.findings.some(refuses) ? [{ reading, findings: reading.findings }] : []
        })
        const text = yield* Stream.mkString(Stream.decodeText(adapter.writeRefused(Stream.fromIterable(refused))))
        assert.isArray(JSON.parse(text))
      }
      if (extent === "part") return
      assert.isAbove(counts.read, runs / 10)
      assert.isAbove(counts.unreadable, runs / 100)
    }
  )
})
