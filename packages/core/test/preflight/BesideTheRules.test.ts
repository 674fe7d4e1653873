import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import { CurrencyCode, InvoiceId, DocumentNumber, TaxCode } from "../../src/document/Identifiers.ts"
import { type AssumptionSwitches, defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import type { FiscalDevice } from "../../src/gateway/operation/FiscalDevice.ts"
import type { Instant } from "../../src/document/Instant.ts"
import * as BatchDocument from "../../src/import/BatchDocument.ts"
import * as AuthorityCode from "../../src/preflight/AuthorityCode.ts"
import { check, checkCredit } from "../../src/preflight/check.ts"
import { ofLedger } from "../../src/credit/creditRules.ts"
import * as DeviceFacts from "../../src/preflight/DeviceFacts.ts"
import { lastDayOn } from "../../src/preflight/deviceRules.ts"
import * as ValidUntil from "../../src/dating/ValidUntil.ts"
import * as DeviceReadiness from "../../src/preflight/DeviceReadiness.ts"
import * as FromBook from "../../src/preflight/FromBook.ts"
import { deviceAnswered } from "../gateway/SampleAnswers.ts"
import { bookWith, invoice as source } from "../import/SampleSources.ts"
import { dated, instant } from "../dating/Datables.ts"
import { creditNote, day, invoice, line, money, original as originalOf } from "./SampleTranslated.ts"

const where = { where: () => ({ file: "x" }) }
const codes = (findings: ReadonlyArray<{ readonly code: string; readonly severity: string }>) =>
  findings.map(({ code, severity }) => `${code} ${severity}`)

const device = (fields: Readonly<Record<string, unknown>> = {}): FiscalDevice =>
  deviceAnswered({
    Id: 1,
    DeviceId: 1001,
    IsActive: true,
    IsLive: false,
    IsSwitchedOn: true,
    CurrentConfig: JSON.stringify({
      vatNumber: "220000001",
      applicableTaxes: [
        { taxId: 1, taxPercent: 15, taxValidTill: "2025-12-31" },
        { taxId: 515, taxPercent: 15.5, taxValidFrom: "2026-01-01" }
      ]
    }),
    ...fields
  })

describe("a device that accepts no documents", () => {
  it("is not active, is switched off, or has a subscription that is not called active", () => {
    const active = { status: "Active", isDeleted: null }
    assert.deepStrictEqual(DeviceReadiness.check(device(), active), [])
    assert.deepStrictEqual(DeviceReadiness.check(device(), undefined), [])
    assert.deepStrictEqual(codes(DeviceReadiness.check(device({ IsActive: false, IsSwitchedOn: false }), null)), [
      "DEV01 error",
      "DEV01 error",
      "SUBSCRIPTION_UNKNOWN warning"
    ])
    for (const subscription of [
      { status: "Cancelled", isDeleted: false },
      { status: "suspended", isDeleted: null },
      { status: "active", isDeleted: true }
    ]) {
      assert.deepStrictEqual(codes(DeviceReadiness.check(device(), subscription)), ["SUBSCRIPTION_INACTIVE error"])
    }
  })
})

describe("the subscription status", () => {
  const found = (status: string | null, switches: Partial<AssumptionSwitches> = {}) =>
    codes(
      DeviceReadiness.check(device(), status === null ? null : { status, isDeleted: false }, {
        ...defaults,
        ...switches
      })
    )

  it("stops sending for words that mean an end, and warns of unknown words (SUB-1)", () => {
    for (const status of ["expired", "CANCELED", "suspended"]) {
      assert.deepStrictEqual(found(status), ["SUBSCRIPTION_INACTIVE error"], status)
    }
    for (const status of ["in_trial", "non_renewing", "whatever"]) {
      assert.deepStrictEqual(found(status), ["SUBSCRIPTION_UNKNOWN warning"], status)
      assert.deepStrictEqual(found(status, { "SUB-1": "stop" }), ["SUBSCRIPTION_INACTIVE error"], status)
    }
    assert.deepStrictEqual(found("active", { "SUB-1": "stop" }), [])
  })

  it("warns of a missing subscription, unless SUB-1b is stop", () => {
    assert.deepStrictEqual(found(null), ["SUBSCRIPTION_UNKNOWN warning"])
    assert.deepStrictEqual(found(null, { "SUB-1b": "stop" }), ["SUBSCRIPTION_INACTIVE error"])
  })
})

describe("the permission to credit without an invoice", () => {
  const permission = (expiry: string | undefined, now: Instant) =>
    DeviceFacts.make(
      device({ AllowCreditNoteWithNoInvoice: true, ...(expiry && { ExpireCreditNoteWithNoInvoice: expiry }) }),
      null,
      now
    ).creditWithoutOriginal

  it("is valid to the second, in the zone of the business", () => {
    const now = instant("2026-03-02T12:00:00+02:00")
    assert.strictEqual(permission("2026-03-02T12:00:00", now), "allowed")
    assert.strictEqual(permission("2026-03-02T11:59:59", now), "refused")
    assert.strictEqual(permission("2026-03-02T10:00:01Z", now), "allowed")
    assert.strictEqual(permission("0001-01-01T00:00:00", now), "allowed")
    assert.strictEqual(permission(undefined, now), "allowed")
  })
})

describe("a rule relaxed in the book", () => {
  const book = { relaxed: [{ rule: "RCPT047", because: "no HS codes before July, letter of 2026-01-09" }] }
  const document = invoice({ lineItems: [line({}, { productCode: null })] })

  it("no longer refuses, and is shown with its reason and its former consequence", () => {
    const [finding, ...others] = check(where, document, { book })
    assert.deepStrictEqual(others, [])
    assert.strictEqual(finding?.severity, "warning")
    assert.include(finding?.message, "letter of 2026-01-09")
    assert.include(finding?.consequence, "cannot be closed")
    assert.deepStrictEqual(codes(check(where, document)), ["RCPT047 error"])
  })

  it("accepts a document in the examination for an import", () => {
    const bare = source("INV-1", "2025-06-30", {
      lines: source("x", "2025-06-30").lines.map(Struct.omit(["productCode"]))
    })
    const examined = (relaxed: ReadonlyArray<object>) =>
      BatchDocument.examine(bare, { account: "main", book: bookWith({ relaxed }), originals: new Map() })
    assert.isFalse(BatchDocument.isRefused(examined(book.relaxed)))
    assert.isTrue(BatchDocument.isRefused(examined([])))
  })

  it("does not relax any other rule", () => {
    const both = invoice({ lineItems: [line({ quantity: "0", lineAmount: "0" }, { productCode: null })] })
    assert.includeMembers(codes(check(where, both, { book })), ["RCPT023 error", "RCPT047 warning"])
  })
})

describe("a credit note compared with its original", () => {
  const buyer = (tin: string | null) => ({
    name: "Buyer",
    tradeName: null,
    tin,
    vatNumber: null,
    phone: null,
    email: null,
    address: null
  })
  const beside = (note: ReturnType<typeof creditNote>, original: ReturnType<typeof invoice>) =>
    checkCredit(
      where,
      note,
      { ...originalOf(original, "INV-1", day("2025-06-30")), credited: money("0") },
      day("2025-06-30")
    )

  it("is refused if both state a TIN and the TINs differ, and not otherwise", () => {
    const other = beside(
      creditNote({ buyerContact: buyer("1234567890") }),
      invoice({ buyerContact: buyer("1234567891") })
    )
    assert.deepStrictEqual(codes(other), ["CREDIT_BUYER_DIFFERS error"])
    for (const tin of ["1234567890", null]) {
      assert.deepStrictEqual(
        beside(creditNote({ buyerContact: buyer("1234567890") }), invoice({ buyerContact: buyer(tin) })),
        []
      )
    }
  })

  describe("by the buyer", () => {
    const named = (name: string, fields: { tin?: string; vatNumber?: string } = {}) => ({
      ...buyer(null),
      name,
      ...fields
    })
    const found = (note: ReturnType<typeof named>, original: ReturnType<typeof named> | null) =>
      beside(creditNote({ buyerContact: note }), invoice({ buyerContact: original })).map(({ code, path }) => [
        code,
        path.join(".")
      ])

    it("is refused if only names are known and they differ", () => {
      assert.deepStrictEqual(found(named("Babbage Ltd"), named("Ada Ltd")), [["CREDIT_BUYER_DIFFERS", "buyer.name"]])
      assert.deepStrictEqual(found(named("Cash sale Babbage"), named("Cash sale Ada")), [
        ["CREDIT_BUYER_DIFFERS", "buyer.name"]
      ])
    })

    it("is refused if the VAT numbers differ and no TIN decides", () => {
      const [note, original] = [named("Ada", { vatNumber: "220000001" }), named("Ada", { vatNumber: "220000002" })]
      assert.deepStrictEqual(found(note, original), [["CREDIT_BUYER_DIFFERS", "buyer.vatNumber"]])
    })

    it("accepts the same buyer in any spelling of the name", () => {
      assert.deepStrictEqual(found(named("Lovelace, Ada"), named("ada LOVELACE")), [])
      assert.deepStrictEqual(found(named("Ada Ltd"), named("Cash sale Ada Ltd")), [])
      assert.deepStrictEqual(
        found(named("Ada (new name)", { tin: "1234567890" }), named("Byron", { tin: "1234567890" })),
        []
      )
      assert.deepStrictEqual(found(named("Ada"), null), [])
    })
  })

  it("causes a warning if it returns more of an identical line than was sold", () => {
    const two = { quantity: "2", unitAmount: "10", lineAmount: "20" }
    const [finding, ...others] = beside(
      creditNote({
        lineItems: [line(two), line(two)],
        subTotal: money("40"),
        totalTax: money("6"),
        total: money("46")
      }),
      invoice({ lineItems: [line({ quantity: "3", unitAmount: "33", lineAmount: "99" })] })
    )
    assert.deepStrictEqual(others, [])
    assert.strictEqual(
      `${finding?.code} ${finding?.path.join("/")} ${finding?.detail}`,
      "CREDIT_QUANTITY_EXCEEDS lines/0/quantity 4 > 3 of INV-1"
    )
    const renamed = { ...line(two), description: "Widgets" }
    assert.deepStrictEqual(
      beside(
        creditNote({ lineItems: [renamed], subTotal: money("20"), totalTax: money("3"), total: money("23") }),
        invoice()
      ),
      []
    )
  })

  it("may use another code for the same device tax and currency, as long as the book has both codes", () => {
    const book = {
      taxes: bookWith({
        taxes: [
          { code: "VAT15", device: 1, percent: 15 },
          { code: "GOODS", device: 1, percent: 15 }
        ]
      }).taxes,
      currencies: bookWith({
        currencies: [
          { code: "USD", device: "USD" },
          { code: "USN", device: "USD" }
        ]
      }).currencies
    }
    const known = (code: string) => ({
      invoiceId: InvoiceId.make("inv-1"),
      number: DocumentNumber.make("INV-1"),
      standing: "fiscalised" as const,
      date: instant("2025-06-30T10:00:00+02:00"),
      currency: CurrencyCode.make("USN"),
      total: money("115"),
      taxCodes: [TaxCode.make(code)],
      credited: money("0"),
      credits: []
    })
    const note = creditNote()
    const found = (code: string) =>
      codes(
        checkCredit(
          where,
          note,
          { ...ofLedger(known(code), day("2025-06-30"), book), credited: money("0") },
          day("2025-06-30")
        )
      )
    assert.deepStrictEqual(found("GOODS"), [])
    assert.deepStrictEqual(found("FORGOTTEN"), ["RCPT036 error"])
  })
})

describe("the last possible date of a receipt", () => {
  const facts = DeviceFacts.make(device(), null, instant("2026-01-02T12:00:00+02:00"))

  it("is the first end of its taxes on the device: last year's invoice cannot be dated this year", () => {
    assert.strictEqual(ValidUntil.of(invoice(), lastDayOn(facts)), "2025-12-31")
  })

  it("is unknown if the device states no taxes or no end", () => {
    assert.isNull(ValidUntil.of(invoice(), lastDayOn(undefined)))
    const endless = facts.taxes!.map((tax) => ({ ...tax, until: null }))
    assert.isNull(ValidUntil.of(invoice(), lastDayOn({ taxes: endless })))
  })

  it("is one year after its original for a credit note, whose taxes are those of its original", () => {
    assert.strictEqual(ValidUntil.of({ ...creditNote(), taxDate: day("2025-06-30") }, lastDayOn(facts)), "2026-06-30")
    assert.strictEqual(ValidUntil.of({ ...creditNote(), taxDate: day("2024-02-29") }, lastDayOn(facts)), "2025-02-28")
  })

  it("depends on its own taxes for a credit note without an original", () => {
    const note = creditNote()
    if (note.document.kind !== "credit-note") return assert.fail("a credit note")
    const document = { ...note.document, payload: { ...note.document.payload, originalInvoiceId: null } }
    assert.strictEqual(ValidUntil.of({ ...note, document }, lastDayOn(facts)), "2025-12-31")
  })
})

describe("a future date", () => {
  it("would break RCPT031, and gives no receipt date", () => {
    assert.deepStrictEqual(
      dated([{ key: "a", number: "a", date: day("2027-01-01"), original: null }]).map((text) => text.split(":")[0]),
      ["a RCPT031"]
    )
  })
})

describe("the authority's codes in a text", () => {
  it("are each explained once, with unknown codes marked as unknown, and nothing else is read as a code", () => {
    const lines = AuthorityCode.explain(
      "RCPT025 on line 1; RCPT025 on line 2. DEV05! RCPT099; XRCPT0251, rcpt030, RCPT3"
    )
    assert.deepStrictEqual(
      lines.map((line) => line.split(":")[0]),
      ["RCPT025", "DEV05", "RCPT099"]
    )
    assert.include(lines[2], "this program does not know")
    assert.deepStrictEqual(AuthorityCode.explain("all is well"), [])
  })

  it("are not read in the number of a document", () => {
    assert.deepStrictEqual(AuthorityCode.explain("Invoice RCPT026-17 is queued behind A/DEV01"), [])
  })
})

describe("the values added by the book", () => {
  it("are the values of the document that the source did not state", () => {
    const stated = source("INV-1", "2025-06-30", { buyer: { name: "Tariro" } })
    const bare = { ...stated, lines: stated.lines.map(Struct.omit(["productCode"])) }
    const book = bookWith({ defaults: { productCode: "99990000", cashBuyer: "Cash sale {name}", payment: "Card" } })
    const { translated } = BatchDocument.examine(bare, { account: "main", book, originals: new Map() })
    assert.deepStrictEqual(FromBook.of(bare, translated!), [
      { what: "product code", value: "99990000", count: 1 },
      { what: "buyer's name", value: "Cash sale Tariro", count: 1 },
      { what: "payment method", value: "Card", count: 1 }
    ])
    const untouched = BatchDocument.examine(stated, { account: "main", book: bookWith(), originals: new Map() })
    assert.deepStrictEqual(FromBook.of(stated, untouched.translated!), [])
  })

  it("include HS codes by entry, and the parts that complete an address", () => {
    const stated = source("INV-1", "2025-06-30", {
      buyer: { name: "Buyer", tin: "2000000001", address: { street: "Main Road", city: "Harbour" } }
    })
    const [line] = stated.lines
    const bare = { ...stated, lines: [{ ...line!, productCode: "SKU-1" }, Struct.omit(line!, ["productCode"])] }
    const book = bookWith({
      productCodes: [
        { from: ["SKU-1"], productCode: "72142000" },
        { descriptions: ["Thing"], productCode: "49019900" }
      ],
      address: { province: "HA", houseNo: "-" }
    })
    const { translated } = BatchDocument.examine(bare, { account: "main", book, originals: new Map() })
    assert.deepStrictEqual(FromBook.of(bare, translated!), [
      { what: "product code", value: "72142000", count: 1 },
      { what: "product code", value: "49019900", count: 1 },
      { what: "address", value: "province HA", count: 1 },
      { what: "address", value: "houseNo -", count: 1 }
    ])
  })
})
