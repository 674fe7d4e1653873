/**
 * A mapping book with an IANA zone: with `--sandbox`, `sandbox --book`, and the adapter kit's round
 * trip.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RoundTrip from "../../adapter-kit/src/conformance/RoundTrip.ts"
import { bookWith } from "../../core/test/import/SampleSources.ts"
import { connector, folderWith } from "./RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

/** Folder with the example's book, whose zone is replaced by an IANA name. */
const zoned = Effect.map(folderWith(...files), (cwd) => {
  const book = join(cwd, files[1]!)
  const text = readFileSync(book, "utf8")
  assert.include(text, '"+02:00"')
  writeFileSync(book, text.replace('"+02:00"', '"Africa/Harare"'))
  return cwd
})

describe("a mapping book with an IANA zone", () => {
  it.live("is imported into the sandbox of an import run", function* () {
    const cwd = yield* zoned
    const ended = yield* connector(["import", "csv", files[0]!, "--sandbox"], { cwd })
    assert.strictEqual(ended.code, 0, ended.err)
    assert.include(ended.out, "46 documents")
  })

  it.live("starts a sandbox", function* () {
    const cwd = yield* zoned
    const ended = yield* connector(["sandbox", "--port", "0", "--book", files[1]!], {
      cwd,
      watch: (printed, child) => {
        if (printed.includes("_control/faults")) child.interrupt()
      }
    })
    assert.include(ended.out + ended.err, "_control/faults")
  })

  it("sets the zone of the sandbox in the adapter kit's round trip", () => {
    assert.strictEqual(RoundTrip.sandboxOf(bookWith({ zone: "Europe/Berlin" })).devices?.[0]?.zone, "Europe/Berlin")
  })
})
