import { assert, describe, it } from "@effect/vitest"
import { rules } from "../../src/receipt/color.ts"
import type { ColorContext } from "../../src/receipt/Rule.ts"
import { buyer, invoice, line } from "../documents.ts"
import { at, marksOf } from "./device.ts"

const date = at("2025-06-02T10:00:00+02:00")

const order: ReadonlyArray<readonly [title: string, context: Partial<ColorContext>, marks: ReadonlyArray<string>]> = [
  ["RCPT013: a number used before", { numbers: new Set(["INV-1"]) }, ["RCPT013"]],
  ["a number that differs in case", { numbers: new Set(["inv-1", "INV-10"]) }, []],
  ["RCPT014: a date at the day's opening", { dayOpenedAt: date }, ["RCPT014"]],
  ["a date one second after the day's opening", { dayOpenedAt: date - 1 }, []],
  ["RCPT030: the previous receipt's second", { previousReceiptAt: date }, ["RCPT030"]],
  ["RCPT030: a second before the previous receipt", { previousReceiptAt: date + 1 }, ["RCPT030"]],
  ["a second after the previous receipt", { previousReceiptAt: date - 1 }, []],
  ["RCPT031: a second in the future", { now: date - 1 }, ["RCPT031"]],
  ["this very second", { now: date }, []],
  ["a second in the future, within the device's tolerance", { now: date - 60, clockToleranceSeconds: 60 }, []],
  ["RCPT041: a second after the longest day", { dayOpenedAt: date - 24 * 3600 - 1 }, ["RCPT041"]],
  ["the last second of the longest day", { dayOpenedAt: date - 24 * 3600 }, []]
]

describe("the order of a receipt", () => {
  for (const [title, context, marks] of order) {
    it(`(${title}) is ${marks.length === 0 ? "not marked" : `marked ${marks.join(", ")}`}`, () => {
      assert.deepStrictEqual(marksOf(invoice(), context), marks)
    })
  }
})

const nothing = { Name: null, TradeName: null, Tin: null, VatNumber: null, Phone: null, Email: null, Address: null }
const buyers: ReadonlyArray<
  readonly [title: string, BuyerContact: object | null | undefined, marks: ReadonlyArray<string>]
> = [
  ["null", null, []],
  ["absent", undefined, []],
  ["{}", {}, []],
  ["all fields empty", { Name: "", Tin: "", Address: { Province: "", Street: null } }, []],
  ["complete", buyer, []],
  ["RCPT043: without TIN", { ...buyer, Tin: null }, ["RCPT043"]],
  ["RCPT043: without name", { ...buyer, Name: "" }, ["RCPT043"]],
  ["RCPT043: with a telephone number only", { ...nothing, Phone: "123" }, ["RCPT043"]],
  ["without TIN, a cash sale", { ...nothing, Name: "Cash sale A. Person" }, []],
  ["RCPT043: with a TIN of nine digits", { ...buyer, Tin: "123456789" }, ["RCPT043"]],
  ["RCPT043: with a VAT number of ten digits", { ...buyer, VatNumber: "1234567890" }, ["RCPT043"]]
]

describe("a buyer", () => {
  for (const [title, BuyerContact, marks] of buyers) {
    it(`(${title}) is ${marks.length === 0 ? "not marked" : `marked ${marks.join(", ")}`}`, () => {
      const { BuyerContact: _, ...rest } = invoice()
      assert.deepStrictEqual(marksOf(BuyerContact === undefined ? rest : { ...rest, BuyerContact }), marks)
    })
  }
})

describe("a document beyond the limits of the device", () => {
  const cases: ReadonlyArray<readonly [body: ReturnType<typeof invoice>, error: string]> = [
    [invoice({ InvoiceNumber: "N".repeat(51) }), "InvoiceNumber is longer than 50 characters"],
    [invoice({ BuyerContact: { ...buyer, Phone: "1".repeat(21) } }), "BuyerContact.Phone is longer than 20 characters"],
    [
      invoice({ LineItems: [{ ...line, Description: "d".repeat(201) }] }),
      "LineItems[0].Description is longer than 200 characters"
    ],
    [invoice({ LineItems: [{ ...line, Quantity: 1.0000001 }] }), "LineItems[0].Quantity has more than 6 places"],
    [invoice({ Total: 115.001 }), "Total has more than 2 places"],
    [
      invoice({ PaymentMethod: "Barter" }),
      "PaymentMethod is not one of Cash, Card, MobileWallet, Coupon, Credit, BankTransfer, Other"
    ],
    [
      invoice({ BuyerContact: { ...buyer, Address: { Province: "HA", City: "X" } } }),
      "BuyerContact.Address lacks one of Province, Street, HouseNo, City"
    ],
    [invoice({ Total: 1.001, SubTotal: 1.001 }), "SubTotal has more than 2 places; Total has more than 2 places"]
  ]
  for (const [body, error] of cases) {
    it(`fails: ${error}`, () => {
      assert.strictEqual(marksOf(body), error)
    })
  }

  it("passes exactly at the limits", () => {
    const body = invoice({
      InvoiceNumber: "N".repeat(50),
      PaymentMethod: null,
      LineItems: [{ ...line, Description: "d".repeat(200), Quantity: 1.0, UnitAmount: 115.000001 }]
    })
    assert.deepStrictEqual(marksOf(body), [])
  })
})

describe("the table of rules", () => {
  it("has one row for each code of a mark, with the documented colors", () => {
    const yellow = rules.filter((rule) => rule.color === "yellow").map((rule) => rule.code)
    assert.deepStrictEqual(yellow, ["RCPT014", "RCPT031", "RCPT041"])
    assert.deepStrictEqual(
      rules.map((rule) => rule.code.slice(4)),
      "013 014 015 016 019 021 022 023 024 025 026 027 030 031 032 033 034 035 036 037 038 040 041 042 043 047 048".split(
        " "
      )
    )
  })
})
