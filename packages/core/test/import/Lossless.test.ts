import { assert, describe, it } from "@effect/vitest"
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Lossless from "@fiscal-connector/core/unstable/import/Lossless"
import { type BigDecimal, Option } from "effect"
import { money } from "../document/Numbers.ts"

describe("a staged document", () => {
  it.prop("keeps every digit and the scale of its figures", { money }, ({ money }) => {
    const { figures } = Lossless.decode<{ figures: Array<{ amount: BigDecimal.BigDecimal }> }>(
      Lossless.encode({ figures: [{ amount: money }] })
    )
    assert.deepStrictEqual([figures[0]?.amount.value, figures[0]?.amount.scale], [money.value, money.scale])
  })

  it("keeps instants with their offset, and leaves text as it is", () => {
    const date = Option.getOrThrow(Instant.parse("2026-01-31T08:00:01+02:00"))
    const text = 'a "quoted" 1050e2\n$money'
    const restored = Lossless.decode<{ date: Instant.Instant; text: string; none: null }>(
      Lossless.encode({ date, text, none: null })
    )
    assert.strictEqual(Instant.format(restored.date), "2026-01-31T08:00:01+02:00")
    assert.deepStrictEqual([restored.text, restored.none], [text, null])
  })
})
