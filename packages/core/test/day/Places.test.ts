import { assert, describe, it } from "../It.ts"
import { BigDecimal } from "effect"
import * as Account from "../../src/day/Account.ts"
import { placesOf } from "../../src/day/Reconciliation.ts"
import { CivilDate } from "../../src/document/CivilDate.ts"
import * as Money from "../../src/document/Money.ts"

const money = (amount: string): Money.Money => BigDecimal.fromStringUnsafe(amount)
const figures = (kind: "invoice" | "credit-note", total: string): Account.AccountFigures => ({
  kind,
  currency: "USD",
  total: money(total),
  tax: Money.zero,
  shares: []
})
const day = (date: string) => CivilDate.make(date)

describe("the four places of a month", () => {
  it("are books, sent, gateway and day reports, each with its difference to the place on its left", () => {
    const account = Account.make({ from: day("2026-10-01"), to: day("2026-10-31") })
    const add = (number: string, stated: Account.AccountFigures, ...by: ReadonlyArray<"proof" | "operator">) =>
      account.add({
        kind: stated.kind,
        number,
        account: "main",
        dated: day("2026-10-05"),
        made: "source",
        state: by.length > 0 ? "Fiscalised" : "Held",
        stated,
        ended: null,
        receipts: by.map((one) => ({
          by: one,
          day: 3,
          closed: day("2026-10-06"),
          number: null,
          code: null,
          link: null,
          figures: stated
        }))
      })
    add("A-1", figures("invoice", "100"), "proof")
    add("A-2", figures("invoice", "37.50"))
    add("A-3", figures("invoice", "20"), "operator")
    add("C-1", figures("credit-note", "30"), "proof")
    const device = { reports: money("61"), notCompared: Money.zero, others: money("1"), left: Money.zero }
    const places = placesOf(account.chains().get("USD")!, device)
    const shown = places.map(({ documents, more, place, total }) => [
      place,
      documents,
      Money.formatAmount(total),
      more && [more.documents, Money.formatAmount(more.total)]
    ])
    assert.deepStrictEqual(shown, [
      ["books", 4, "127.50", null],
      // A-2 is held
      ["sent", 3, "90.00", [-1, "-37.50"]],
      // only an operator states the receipt of A-3
      ["gateway", 2, "70.00", [-1, "-20.00"]],
      ["reports", null, "60.00", [null, "-10.00"]]
    ])
    assert.strictEqual(places[0]!["credit-note"]?.documents, 1)
    assert.isNull(places[3]!.invoice)
  })
})
