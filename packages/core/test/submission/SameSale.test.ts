/** Documents with an equal fold that may be one sale; for series: proofs/business/Identity. */
import { assert, describe, it } from "@effect/vitest"
import * as SameSale from "../../src/submission/ledger/SameSale.ts"
import type { CivilDate } from "../../src/document/CivilDate.ts"

const sale = (fields: Partial<SameSale.Sale> = {}): SameSale.Sale => ({
  kind: "invoice",
  number: "5",
  day: "2026-02-03" as CivilDate,
  currency: "USD",
  total: "10.00",
  buyer: { _tag: "Named", name: "Ada Example" },
  ...fields
})

const walkIn = { _tag: "WalkIn" } as const
const other = { number: "00005" } as const

describe("two documents with an equal fold", () => {
  const cases: ReadonlyArray<
    readonly [string, Partial<SameSale.Sale>, Partial<SameSale.Sale>, SameSale.Differs | null]
  > = [
    ["that agree in all", other, {}, "nothing"],
    ["that agree in all, without buyers", { ...other, buyer: walkIn }, { buyer: walkIn }, "nothing"],
    ["of a forgotten buyer", { ...other, buyer: { _tag: "Unknown" } }, {}, "nothing"],
    ["of a buyer in another spelling", { ...other, buyer: { _tag: "Named", name: "ADA  EXAMPLE" } }, {}, "nothing"],
    ["with another total", { ...other, total: "11.00" }, {}, "total"],
    ["of another day", { ...other, day: "2026-02-04" as CivilDate }, {}, "day"],
    ["of another buyer", { ...other, buyer: { _tag: "Named", name: "Bo Example" } }, {}, "buyer"],
    ["with two differences", { ...other, total: "11.00", day: "2026-02-04" as CivilDate }, {}, null],
    ["with another total, without buyers", { ...other, total: "11.00", buyer: walkIn }, { buyer: walkIn }, null],
    ["in another currency", { ...other, currency: "ZAR" }, {}, null],
    ["of another kind", { ...other, kind: "credit-note" }, {}, null],
    ["with one number", {}, {}, null]
  ]
  it.each(cases)("%s", (_, one, two, expected) => {
    assert.strictEqual(SameSale.differs(sale(one), sale(two)), expected)
    assert.strictEqual(SameSale.differs(sale(two), sale(one)), expected)
  })
})
