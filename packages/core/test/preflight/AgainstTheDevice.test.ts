import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { noCounts, world } from "./AgainstTheDevice.ts"

it.live("passes nothing that the device colours, and refuses nothing under a code the device does not know it by", () =>
  Effect.gen(function* () {
    const counts = noCounts()
    // a sample; node scripts/preflight-against-device.ts runs 10 000 documents
    for (let seed = 1; seed <= 8; seed++) yield* world(seed, 40, counts)
    assert.deepStrictEqual(counts.problems, [])
    assert.strictEqual(counts.documents, 640)
    assert.isAbove(counts.clean, 250)
    for (const code of ["RCPT025", "RCPT032", "RCPT035", "RCPT043", "RCPT047", "RCPT048"]) {
      assert.isAbove(counts.confirmed.get(code) ?? 0, 0, code)
    }
  })
)
