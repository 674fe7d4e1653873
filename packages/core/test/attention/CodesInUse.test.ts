import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodesInUse from "../../src/attention/CodesInUse.ts"
import type { MeaningInUse } from "../../src/submission/SubmissionQuery.ts"

const meaning = (...codes: ReadonlyArray<string>): MeaningInUse["meaning"] => ({
  currency: "USD",
  taxes: codes.map((code, n) => [code, n, "15"])
})

const counted = (...found: ReadonlyArray<MeaningInUse>) =>
  Effect.runSync(CodesInUse.inReceipts({ meanings: () => Effect.succeed(found) }, ["main"]))

describe("codes in receipts", () => {
  it("are counted by tax and currency, with 0 for a code that no receipt has", () => {
    const { currencies, receipts, taxes } = counted(
      { currency: "USD", documents: 3, meaning: meaning("A", "B") },
      { currency: "ZAR", documents: 2, meaning: meaning("A") }
    )
    assert.strictEqual(receipts, 5)
    assert.deepStrictEqual(["A", "B", "C"].map(taxes), [5, 3, 0])
    assert.deepStrictEqual(["USD", "ZAR", "EUR"].map(currencies), [3, 2, 0])
  })

  it("are not known to be unused if not every receipt was counted, or a meaning was not kept", () => {
    const many = counted({ currency: "USD", documents: 20_000, meaning: meaning("A") })
    assert.deepStrictEqual(["A", "B"].map(many.taxes), [20_000, null])
    assert.isNull(counted({ currency: "USD", documents: 1, meaning: null }).taxes("A"))
  })
})
