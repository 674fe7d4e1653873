import { assert, describe, it } from "../It.ts"
import { BigDecimal, Effect, Exit } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import * as StoredDocument from "../../src/submission/ledger/StoredDocument.ts"

const decimal = BigDecimal.fromStringUnsafe

/** Fields of both documents; every field has a different value. */
const common = {
  reference: "a reason",
  isDiscounted: true,
  isTaxInclusive: false,
  buyerContact: {
    name: "Ada Example",
    tradeName: "Ada's",
    tin: "2000999999",
    vatNumber: "220099999",
    phone: "+263 77 000 0000",
    email: "ada@example.test",
    address: { province: "HRE", street: "Example Street", houseNo: "1", city: "Harare" }
  },
  lineItems: [
    {
      description: "a thing",
      unitAmount: decimal("33.333333"),
      taxCode: TaxCode.make("VAT15"),
      productCode: "12345678",
      lineAmount: decimal("99.5"),
      discountAmount: decimal("0.5"),
      quantity: decimal("3.00"),
      customFields: { shelf: "B7" }
    }
  ],
  paymentMethod: "Card" as const,
  subTotal: decimal("99.5"),
  totalTax: decimal("14.93"),
  total: decimal("114.43"),
  currencyCode: CurrencyCode.make("USD")
}
const documents: ReadonlyArray<UndatedDocument> = [
  {
    kind: "invoice",
    payload: { invoiceId: InvoiceId.make("i-1"), invoiceNumber: DocumentNumber.make("N-1"), ...common }
  },
  {
    kind: "credit-note",
    payload: {
      creditNoteId: CreditNoteId.make("c-1"),
      originalInvoiceId: InvoiceId.make("i-1"),
      creditNoteNumber: DocumentNumber.make("N-2"),
      ...common
    }
  }
]

/**
 * Text as current stores contain it: the list of fields, their order and the form of every value.
 */
const stored = `"reference":"a reason","isDiscounted":true,"isTaxInclusive":false,"buyerContact":{"name":"Ada Example","tradeName":"Ada's","tin":"2000999999","vatNumber":"220099999","phone":"+263 77 000 0000","email":"ada@example.test","address":{"province":"HRE","street":"Example Street","houseNo":"1","city":"Harare"}},"lineItems":[{"description":"a thing","unitAmount":"33.333333","taxCode":"VAT15","productCode":"12345678","lineAmount":"99.50","discountAmount":"0.50","quantity":"3","customFields":{"shelf":"B7"}}],"paymentMethod":"Card","subTotal":"99.50","totalTax":"14.93","total":"114.43","currencyCode":"USD"}`
const texts = [
  `{"invoiceId":"i-1","invoiceNumber":"N-1",${stored}`,
  `{"creditNoteId":"c-1","originalInvoiceId":"i-1","creditNoteNumber":"N-2",${stored}`
]

type Path = ReadonlyArray<string | number>

/**
 * Returns the paths of all our fields; the content of customFields belongs to the accounting
 * system.
 */
const fieldsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof value !== "object" || value === null || path.at(-1) === "customFields") return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(name) : name]
    return [...(Array.isArray(value) ? [] : [at]), ...fieldsOf(inner, at)]
  })
}

/** Returns the text with a changed or removed value at the place. */
const changed = (text: string, path: Path, change: (holder: Record<string, unknown>, name: string) => void): string => {
  const whole = JSON.parse(text) as Record<string, unknown>
  let holder = whole
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>
  change(holder, String(path.at(-1)))
  return JSON.stringify(whole)
}

for (const [n, document] of documents.entries()) {
  const text = texts[n]!
  describe(`the stored text of a document: ${document.kind}`, () => {
    it.effect("is the text in existing stores, and is decoded without loss", function* () {
      assert.strictEqual(WrittenDocument.of(document).text, text)
      const read = yield* StoredDocument.read(document.kind, text, "N")
      assert.deepStrictEqual(WrittenDocument.of(read).text, text)
      assert.deepStrictEqual(Object.keys(read.payload), Object.keys(document.payload))
    })

    for (const path of fieldsOf(JSON.parse(text))) {
      it.effect(`cannot be decoded without ${path.join(".")}, or with another type there`, function* () {
        const name = String(path.at(-1))
        const without = changed(text, path, (holder, name) => delete holder[name])
        const error = yield* Effect.flip(StoredDocument.read(document.kind, without, "N-1"))
        assert.strictEqual(error.reason, "corrupt")
        assert.include(error.message, `${document.kind} N-1`)
        if (name === "customFields") return
        for (const wrong of [7, "", ["x"], { x: 1 }]) {
          // Any text is valid as a text, and any written decimal as a decimal.
          const exit = yield* Effect.exit(
            StoredDocument.read(
              document.kind,
              changed(text, path, (holder, name) => (holder[name] = wrong)),
              "N-1"
            )
          )
          if (wrong === "" && Exit.isSuccess(exit)) continue
          assert.isTrue(Exit.isFailure(exit), `${name} ${JSON.stringify(wrong)}`)
        }
      })
    }
  })
}

describe("stored texts of earlier versions", () => {
  it.effect("are decoded, and encoded to the same text", function* () {
    const file = join(import.meta.dirname, "../../../../fixtures/upgrade/4ab5620/store.sqlite")
    const url = new URL(`file://${file}?immutable=1`)
    const db = new DatabaseSync(url, { readOnly: true })
    const rows = db
      .prepare("select s.kind, p.body from fiscal_payload p join fiscal_submission s on s.seq = p.submission")
      .all() as unknown as ReadonlyArray<{ kind: "invoice" | "credit-note"; body: string }>
    db.close()
    assert.isAbove(rows.length, 74)
    for (const { body, kind } of rows) {
      assert.strictEqual(WrittenDocument.of(yield* StoredDocument.read(kind, body, "N")).text, body)
    }
  })
})
