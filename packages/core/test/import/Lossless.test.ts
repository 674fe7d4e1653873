import { assert, describe, it } from "../It.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Lossless from "../../src/import/Lossless.ts"
import * as StagingArea from "../../src/import/StagingArea.ts"
import { type BigDecimal, Effect, Option } from "effect"
import { money } from "../document/Numbers.ts"
import { seeded } from "../Property.ts"

describe("a staged document", () => {
  it.prop(
    "keeps every digit and the scale of its numbers",
    { money },
    ({ money }) => {
      const { figures } = Lossless.decode<{ figures: Array<{ amount: BigDecimal.BigDecimal }> }>(
        Lossless.encode({ figures: [{ amount: money }] })
      )
      assert.deepStrictEqual([figures[0]?.amount.value, figures[0]?.amount.scale], [money.value, money.scale])
    },
    seeded()
  )

  it("keeps instants with their offset, and texts unchanged", () => {
    const date = Option.getOrThrow(Instant.parse("2026-01-31T08:00:01+02:00"))
    const text = 'a "quoted" 1050e2\n$money'
    const restored = Lossless.decode<{ date: Instant.Instant; text: string; none: null }>(
      Lossless.encode({ date, text, none: null })
    )
    assert.strictEqual(Instant.format(restored.date), "2026-01-31T08:00:01+02:00")
    assert.deepStrictEqual([restored.text, restored.none], [text, null])
  })

  it.effect("that is unreadable is a store error that says so, not a defect", function* () {
    const reading = Effect.sync(() => Lossless.decode('{"date":{"$instant":"2026-13-41"}}'))
    const { message, reason } = yield* Effect.flip(StagingArea.orStoreError(reading))
    assert.strictEqual(reason, "corrupt")
    assert.include(message, "a date of a staged document cannot be read")
    assert.notInclude(message, "2026-13-41")
  })
})
