/** Tests the README's statements about the kit's adapters in the command. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const examples = join(import.meta.dirname, "../../../examples")

const systems = [
  {
    format: "quickbooks-like",
    flags: ["--tin", "BusinessNumber", "--vat-number", "ResaleNum", "--product-code", "item-name"],
    ended: "7 documents: 4 fiscalised, 3 skipped",
    drafted: "2 taxes, 1 currency, 1 payment method"
  },
  {
    format: "odoo-like",
    flags: ["--tin", "company_registry", "--vat-number", "vat", "--product-code", "default-code"],
    ended: "6 documents: 3 fiscalised, 3 skipped",
    drafted: "3 taxes, 1 currency"
  },
  {
    format: "erpnext-like",
    flags: ["--tin", "tax_id", "--product-code", "item-code", "--debit-notes", "skip"],
    ended: "16 documents: 9 fiscalised, 7 skipped",
    drafted: "3 taxes, 2 currencies, 1 payment method"
  }
] as const

describe.each(systems)("$format", ({ drafted, ended, flags, format }) => {
  const file = join(examples, `${format}.json`)

  it.live("is imported from its example to receipts, and a plan gives the same documents", function* () {
    const { code, err, out } = yield* connector(["import", format, file, ...flags, "--sandbox"])
    assert.strictEqual(code, 0, err)
    assert.include(out, ended)
    const plan = yield* connector(["plan", format, file, ...flags])
    assert.strictEqual(plan.code, 0, plan.err)
    assert.notInclude(plan.out, "Refused")
  })

  it.live("drafts a book, and prints the draft command if there is no book", function* () {
    const folder = mkdtempSync(join(tmpdir(), "kit-adapters-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const book = join(folder, "x.book.json")
    const draft = yield* connector(["book", "draft", format, file, ...flags, "--book", book])
    assert.include(draft.out, drafted, draft.err)
    assert.isTrue(existsSync(book) && readFileSync(book, "utf8").includes('"USD"'))
    const missing = yield* connector(["import", format, file, ...flags, "--book", join(folder, "y.json"), "--sandbox"])
    assert.match(missing.err, new RegExp(`connector book draft ${format} .* --tin `))
  })

  it.live("names the flag of an option with an invalid value", function* () {
    const { code, err } = yield* connector(["plan", format, file, "--tin", "shoe-size"])
    assert.strictEqual(code, 1)
    assert.match(err, /^Invalid value for flag --tin: "shoe-size"/)
  })
})

/** Returns a sale of one lamp in the form of QuickBooks-shaped exports. */
const sale = (id: string, number: string, date: string) => ({
  Id: id,
  DocNumber: number,
  TxnDate: date,
  CurrencyRef: { value: "USD" },
  CustomerRef: { value: "24", name: "Mwamba" },
  Line: [
    {
      Id: "1",
      Description: "Lamp",
      Amount: 10,
      DetailType: "SalesItemLineDetail",
      SalesItemLineDetail: { Qty: 1, UnitPrice: 10, ItemRef: { value: "5", name: "Lamp" }, TaxCodeRef: { value: "7" } }
    }
  ],
  TxnTaxDetail: { TotalTax: 1.55 },
  TotalAmt: 11.55
})

const refunded = (folder: string, sales: ReadonlyArray<object>) => {
  const write = (name: string, records: object) => {
    writeFileSync(join(folder, name), JSON.stringify({ QueryResponse: records }))
    return join(folder, name)
  }
  copyFileSync(join(examples, "quickbooks-like.book.json"), join(folder, "x.book.json"))
  const book = ["--book", join(folder, "x.book.json")]
  const refunds = { RefundReceipt: [sale("9", "RF-9", "2026-03-05")] }
  return { book, sold: write("sold.json", { SalesReceipt: sales }), refunds: write("refunds.json", refunds) }
}

describe("a QuickBooks-like refund without a link to its sale", () => {
  it.live("is refused with the flag that settles it, and is sent with this flag", function* () {
    const { book, refunds, sold } = refunded(yield* folderWith(), [sale("1", "R-1", "2026-03-02")])
    const files = ["import", "quickbooks-like", sold, refunds, ...book, "--product-code", "item-name", "--sandbox"]
    const refused = yield* connector(files)
    assert.strictEqual(refused.code, 2, refused.err)
    assert.match(refused.out, /RCPT015[^]* RF-9 [^]*--original CN=INV/)
    const { code, err, out } = yield* connector([...files, "--original", "RF-9=R-1"])
    assert.strictEqual(code, 0, err)
    assert.include(out, "2 documents: 2 fiscalised")
  })

  it.live("credits a sale that was fiscalised elsewhere after the sale is registered", function* () {
    const folder = yield* folderWith()
    const { control } = yield* gatewayFor(folder)
    const { book, refunds, sold } = refunded(folder, [sale("1", "R-1", "2026-03-02")])
    const config = ["--config", join(folder, "account.json")]
    const registered = yield* connector([
      "originals",
      "import",
      sold,
      "--format",
      "quickbooks-like",
      ...book,
      ...config
    ])
    assert.include(registered.out, "1 registered, 0 known before", registered.err)
    const again = yield* connector(["originals", "import", sold, "--format", "quickbooks-like", ...book, ...config])
    assert.include(again.out, "0 registered, 1 known before", again.err)
    const { code, err, out } = yield* connector([
      "import",
      "quickbooks-like",
      refunds,
      ...book,
      ...config,
      "--product-code",
      "item-name",
      "--original",
      "RF-9=R-1"
    ])
    assert.strictEqual(code, 0, err)
    assert.include(out, "1 fiscalised")
    const [receipt, ...more] = yield* control.receipts
    assert.deepStrictEqual([receipt?.documentNumber, more.length], ["RF-9", 0])
  })

  it.live("is registered with a flag of its format: the currency that the export omits", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    const { book, sold } = refunded(folder, [{ ...sale("2", "R-2", "2026-03-02"), CurrencyRef: undefined }])
    const files = ["originals", "import", sold, "--format", "quickbooks-like", ...book]
    const registering = [...files, "--config", join(folder, "account.json")]
    assert.include((yield* connector(registering)).out, "0 registered")
    const { err, out } = yield* connector([...registering, "--currency", "USD"])
    assert.include(out, "1 registered", err)
  })
})
