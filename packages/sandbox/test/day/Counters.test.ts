import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Counters from "../../src/day/Counters.ts"
import type { IssuedReceipt } from "../../src/day/IssuedReceipt.ts"
import { seeded } from "../../../core/test/Property.ts"

const Cents = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
const amount = (cents: number) => BigDecimal.make(BigInt(cents), 2)

const Drawn = Schema.Struct({
  kind: Schema.Literals(["invoice", "credit-note"]),
  currency: Schema.Literals(["USD", "EUR"]),
  paymentMethod: Schema.Literals(["Cash", "Card", "Credit"]),
  groups: Schema.Array(Schema.Struct({ taxId: Schema.Literals([1, 2, 3]), net: Cents, tax: Cents }))
})

const receiptOf = (drawn: typeof Drawn.Type): IssuedReceipt => ({
  requestId: "",
  account: "",
  deviceId: 1,
  documentId: "",
  documentNumber: "",
  originalInvoiceId: null,
  epochSeconds: 0,
  issuedAt: 0,
  total: amount(0),
  marks: [],
  pdf: "",
  qrData: { QrCodeUrl: "", VerificationCode: "", FiscalDay: 1, DeviceId: 1, InvoiceNumber: 1 },
  kind: drawn.kind,
  currency: drawn.currency,
  paymentMethod: drawn.paymentMethod,
  groups: drawn.groups.map(({ net, tax, taxId }) => ({
    taxId,
    taxPercent: taxId === 3 ? null : amount(1500),
    net: amount(net),
    tax: amount(tax),
    gross: amount(net + tax)
  }))
})

const sumOf = (counters: ReadonlyArray<Counters.Counter>, currency: string, types: ReadonlyArray<string>) =>
  BigDecimal.sumAll(
    counters.flatMap((counter) =>
      counter.currency === currency && types.includes(counter.counterType) ? [counter.amount] : []
    )
  )

describe("a day's counters", () => {
  it.prop(
    "add up: for each currency the balances are sales plus credit notes, and credits are never positive",
    { receipts: Arbitrary.schema(Schema.Array(Drawn)) },
    ({ receipts }) => {
      const counters = Counters.of(receipts.map(receiptOf))
      for (const currency of ["USD", "EUR"]) {
        assert.isTrue(
          BigDecimal.equals(sumOf(counters, currency, ["Balance"]), sumOf(counters, currency, ["Sale", "CreditNote"]))
        )
      }
      for (const counter of counters) {
        if (counter.counterType.startsWith("CreditNote")) assert.isFalse(BigDecimal.isPositive(counter.amount))
      }
    },
    seeded()
  )

  it("have one row per currency, type and tax, or payment method", () => {
    const one = receiptOf({
      kind: "invoice",
      currency: "USD",
      paymentMethod: "Cash",
      groups: [{ taxId: 1, net: 100, tax: 15 }]
    })
    assert.deepStrictEqual(
      Counters.of([one, one]).map(({ amount: total, counterType }) => [counterType, BigDecimal.format(total)]),
      [
        ["Sale", "2.3"],
        ["SaleTax", "0.3"],
        ["Balance", "2.3"]
      ]
    )
  })
})
