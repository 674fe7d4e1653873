import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodesInUse from "../../src/attention/CodesInUse.ts"

/** Counts documents, given as currency and tax codes. */
const counted = (count: number, ...found: ReadonlyArray<string>) => {
  const sent = found.map((one, n) => {
    const [currency, ...taxCodes] = one.split(" ")
    return [`invoice ${n}`, { currency, taxCodes }] as const
  })
  const store = { list: () => Effect.succeed(Array.from({ length: count })), sent: () => Effect.succeed(new Map(sent)) }
  return Effect.runSync(CodesInUse.inReceipts(store as never, ["main"]))
}

describe("codes in receipts", () => {
  it("are counted by tax and currency, with 0 for a code that no receipt has", () => {
    const { currencies, taxes } = counted(3, "USD A B", "USD A", "ZAR A")
    assert.deepStrictEqual(["A", "B", "C"].map(taxes), [3, 1, 0])
    assert.deepStrictEqual(["USD", "ZAR", "EUR"].map(currencies), [2, 1, 0])
  })

  it("are not known to be unused if not every receipt was counted", () => {
    assert.deepStrictEqual(["A", "B"].map(counted(2000, "USD A").taxes), [1, null])
  })
})
