import { assert, describe, it } from "@effect/vitest"
import { inOrder } from "../../src/dating/ReceiptDates.ts"
import { document, zone } from "./Datables.ts"

describe("the order of documents", () => {
  const order = (...documents: ReadonlyArray<ReturnType<typeof document>>) =>
    inOrder(documents, zone("+02:00")).map(({ key }) => key)

  it("is by day in the book's zone, then stated time, then number in natural order", () => {
    assert.deepStrictEqual(
      order(
        document("e", "2026-06-02", null, "INV-1"),
        document("d", "2026-06-01T23:30:00Z", null, "INV-0"),
        document("c", "2026-06-01T09:00:00+02:00", null, "INV-1"),
        document("b", "2026-06-01", null, "INV-10"),
        document("a", "2026-06-01", null, "INV-9")
      ),
      ["a", "b", "c", "e", "d"]
    )
  })

  it("is by number in natural order: digits compare by value, whatever surrounds them", () => {
    const numbers = ["INV-2026-10", "INV-2026-9", "INV-100", "INV-20", "A1", "0012", "7"]
    assert.deepStrictEqual(order(...numbers.map((number) => document(number, "2026-06-01"))), [
      "7",
      "0012",
      "A1",
      "INV-20",
      "INV-100",
      "INV-2026-9",
      "INV-2026-10"
    ])
  })

  it("is by key if two documents have the same number", () => {
    assert.deepStrictEqual(
      order(
        document("b", "2026-06-01", null, "01"),
        document("c", "2026-06-01", null, "1"),
        document("a", "2026-06-01", null, "1")
      ),
      ["a", "b", "c"]
    )
  })
})
