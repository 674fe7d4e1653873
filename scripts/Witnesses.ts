/**
 * Statements of an export that are compared with others: the fields of each adapter, the values
 * they are compared with, and the tests.
 */

/** A test: its file, and its title or part of the title. */
export interface TestReference {
  readonly file: string
  readonly title: string
}

interface Law {
  readonly heldAgainst: string
  /** Codes of a contradiction. */
  readonly codes: ReadonlyArray<string>
  readonly test: TestReference
}

const test = (file: string, title: string): TestReference => ({ file, title })
const core = (name: string) => `packages/core/test/${name}.test.ts`
const csv = (name: string) => `packages/adapter-csv/test/${name}.test.ts`

/** Comparisons in core, the same for every adapter. */
const laws = {
  total: {
    heldAgainst: "lines, charges and the book's taxes",
    codes: ["TOTAL_MISMATCH"],
    test: test(core("translate/Laws"), "is accepted if the lines add up to it, and never changed")
  },
  "net and tax": {
    heldAgainst: "the tax that the device computes",
    codes: ["TAX_TOTAL_MISMATCH", "TAX_RESTATED"],
    test: test(core("translate/Laws"), "is accepted if the lines add up to it, and never changed")
  },
  "sum of the lines": {
    heldAgainst: "the total that would be sent, where the document states no total",
    codes: ["LINES_TOTAL_MISMATCH"],
    test: test(core("translate/Charged"), "is not sent with a sum that differs from its lines")
  },
  "line with and without tax": {
    heldAgainst: "its amount and the book's percent",
    codes: ["LINE_TOTAL_DIFFERS"],
    test: test(core("translate/Charged"), "is also checked if amounts include tax")
  },
  "tax amount": {
    heldAgainst: "its amount and the book's percent",
    codes: ["TAX_AMOUNT_DIFFERS"],
    test: test(core("translate/Laws"), "is never ignored: a changed tax is refused")
  },
  "tax percent": {
    heldAgainst: "the book's percent on the day",
    codes: ["TAX_PERCENT_DIFFERS"],
    test: test(core("translate/Laws"), "is never ignored: a changed tax is refused")
  },
  "unread amount": {
    heldAgainst: "the total that would be sent",
    codes: ["AMOUNT_CONTRADICTS", "TOTAL_UNWITNESSED"],
    test: test(
      core("import/UnreadAmounts"),
      "refuses documents with another total if it equals the total of half of the documents"
    )
  },
  "discount of the document": {
    heldAgainst: "the discounts of its lines and charges, and its stated total",
    codes: ["DISCOUNT_NOWHERE"],
    test: test(core("translate/StatedDiscounts"), "refuses it, with the way to settle the discount")
  },
  "number of the buyer, code of an item": {
    heldAgainst: "the defaults of the mapping book, if the column is not mapped",
    codes: ["DEFAULT_OVERRULES"],
    test: test(
      core("question/Questions"),
      "never replaces unmapped item codes, which are a question with the column of the file"
    )
  },
  "due date": {
    heldAgainst: "the date of the document",
    codes: ["DUE_BEFORE_ISSUED"],
    test: test(core("translate/Translate"), "is sent, with both days reported")
  },
  words: {
    heldAgainst: "kind, state, original, currency and taxes of the document",
    codes: ["WORD_CONTRADICTS", "STATEMENTS_NOT_READ"],
    test: test("proofs/words/Words.test.ts", "is never overruled in silence")
  },
  seller: {
    heldAgainst: "the seller of all other documents",
    codes: [],
    test: test(core("translate/WordCheck"), "must name one seller: the reading ends at a second seller")
  },
  "original's number, date, currency, total": {
    heldAgainst: "the invoice that is credited",
    codes: ["CREDIT_ORIGINAL_DIFFERS"],
    test: test(core("import/CreditNotes"), "of its original is refused")
  },
  "buyer of a credit note": {
    heldAgainst: "the buyer of its original: by TIN or VAT number, else by the source's own id, else by name",
    codes: ["CREDIT_BUYER_DIFFERS"],
    test: test(
      core("import/CreditNotes"),
      "is compared with the original's buyer by TIN, else by the source's id, else by name"
    )
  },
  "currency and total of a credit note": {
    heldAgainst: "its original, and the credits of other notes",
    codes: ["RCPT042", "RCPT035"],
    test: test(core("credit/CreditRules"), "RCPT035, the rest to credit")
  },
  allocations: {
    heldAgainst: "the total of the credit note",
    codes: ["NOTE_OVER_ALLOCATED", "NOTE_PARTLY_ALLOCATED"],
    test: test(core("import/CreditNotes"), "allocated for more than its total is refused")
  }
} as const satisfies Readonly<Record<string, Law>>

type LawName = keyof typeof laws

/**
 * Statements of one adapter: the fields that state a figure of core's comparisons, and the
 * adapter's own comparisons.
 */
interface Statements {
  readonly adapter: string
  readonly stated: Partial<Readonly<Record<LawName, string>>>
  readonly own: ReadonlyArray<Law & { readonly stated: string }>
}

const tables: Statements["own"] = [
  {
    stated: "two columns of one field",
    heldAgainst: "each other",
    codes: ["CSV_COLUMNS_DISAGREE"],
    test: test(csv("UnboundWords"), "refuse the document if they disagree")
  },
  {
    stated: "sum of the lines, taxes of the document",
    heldAgainst: "the lines less the discount of the document; the tax of the document",
    codes: ["CSV_SUMS_DIFFER"],
    test: test(csv("Laws"), "must equal the sum of its parts, or the document is refused with the arithmetic")
  },
  {
    stated: "discount as an amount",
    heldAgainst: "its percent of the amount before the discount",
    codes: ["CSV_LINE_FIGURES_DIFFER"],
    test: test(csv("Discounts"), "as an amount is compared with its percent")
  },
  {
    stated: "amount before the discount",
    heldAgainst: "the amount after it, else quantity × unit price",
    codes: ["CSV_LINE_FIGURES_DIFFER"],
    test: test(csv("Discounts"), "is subtracted from an amount that is quantity × unit price")
  },
  {
    stated: "currency sign next to a figure",
    heldAgainst: "the currency of the document",
    codes: ["CSV_CURRENCY_CONFLICT"],
    test: test(csv("Currencies"), "must not contradict the currency sign of an amount")
  },
  {
    stated: "currency in the name of a column",
    heldAgainst: "the currency of the document",
    codes: ["WORD_CONTRADICTS"],
    test: test(csv("Discounts"), "applies to every document")
  },
  {
    stated: "every column of dates",
    heldAgainst: "the single order of day and month of the file, given or detected",
    codes: [],
    test: test(csv("Dates"), "with different orders are asked about")
  },
  {
    stated: "second column with the date of the document",
    heldAgainst: "its date",
    codes: ["CSV_DATES_DIFFER"],
    test: test(csv("Laws"), "two dates of one document that differ by a day refuse it")
  },
  {
    stated: "column with the name of a figure that the column map does not mention",
    heldAgainst: "the column map",
    codes: [],
    test: test(csv("Laws"), "is asked about, with both answers in the form of the column map")
  }
]

const ofTables = {
  total: "`total`",
  "net and tax": "`net`, `tax`, `documentTaxAmounts`",
  "sum of the lines": "`lineTotal`, else `lineAmount` and the taxes of the line",
  "line with and without tax": "`lineTotal`",
  "tax amount": "`taxes`: `amount`",
  "tax percent": "`taxes`: `percent`, `documentTaxPercents`",
  "unread amount": "every unread column of numbers",
  "discount of the document": "an unread column such as Total Discount",
  "number of the buyer, code of an item": "an unread column such as TIN or SKU",
  "due date": "a column such as Due Date",
  words: "every unread column with a name of the vocabulary",
  seller: "a column such as Seller TIN or Company ID",
  "original's number, date, currency, total": "`originalId` next to `original`",
  "buyer of a credit note": "`customerTin`, `customerVat`, `customerId`, `customerName`",
  "currency and total of a credit note": "`currency`, `total`"
} as const

const statements: ReadonlyArray<Statements> = [
  { adapter: "csv", stated: ofTables, own: tables },
  {
    adapter: "xlsx",
    stated: ofTables,
    own: [
      ...tables,
      {
        stated: "currency sign or code in a number format, quoted or not",
        heldAgainst: "the currency of the document",
        codes: ["CSV_CURRENCY_CONFLICT"],
        test: test(
          "packages/adapter-xlsx/test/Traps.test.ts",
          "with a currency sign in their format contradict another currency"
        )
      }
    ]
  },
  {
    adapter: "xero-like",
    stated: {
      total: "`Total`",
      "net and tax": "`SubTotal`, `TotalTax`",
      "sum of the lines": "`LineAmount` and `TaxAmount`",
      "tax amount": "`TaxAmount`",
      "tax percent": "`TaxRates`",
      "number of the buyer, code of an item": "`TaxNumber`, `ItemCode`",
      "due date": "`DueDateString`, `DueDate`",
      words: "every unread field with a name of the vocabulary",
      seller: "a field such as `TenantID`",
      "original's number, date, currency, total": "`Allocations`: `Invoice`",
      "buyer of a credit note": "`TaxNumber`, `ContactID`, `Name`",
      "currency and total of a credit note": "`CurrencyCode`, `Total`",
      allocations: "`Allocations`: `Amount`"
    },
    own: [
      {
        stated: "`DateString`",
        heldAgainst: "`Date`",
        codes: ["XERO_DATES_DIFFER"],
        test: test(
          "packages/adapter-xero-like/test/WhatIsStated.test.ts",
          "two dates of one record must be the same day"
        )
      },
      {
        stated: "`DiscountAmount`, `TotalDiscount`",
        heldAgainst: "`DiscountRate`; the discounts of the lines",
        codes: ["XERO_DISCOUNTS_DIFFER"],
        test: test(
          "packages/adapter-xero-like/test/WhatIsStated.test.ts",
          "without the stated discount of the document refuses the document"
        )
      },
      {
        stated: "fields of the document, repeated in its rows",
        heldAgainst: "each other",
        codes: ["XERO_ROWS_DISAGREE", "XERO_LINES_DIFFER"],
        test: test(
          "packages/adapter-xero-like/test/WhatIsStated.test.ts",
          "of two rows with one line id is read once if the rows agree"
        )
      }
    ]
  },
  {
    adapter: "quickbooks-like",
    stated: {
      total: "`TotalAmt`",
      "net and tax": "`TxnTaxDetail`: `TotalTax`",
      "tax percent": "`TxnTaxDetail`, `TaxRate`",
      "discount of the document": "an unread field such as `DiscountAmt`",
      "number of the buyer, code of an item": "`BusinessNumber` and other numbers of `Customer`; `ItemRef`",
      "due date": "`DueDate`",
      words: "every unread field with a name of the vocabulary",
      seller: "a field such as `RealmID`",
      "buyer of a credit note": "numbers of `Customer`, `CustomerRef`",
      "currency and total of a credit note": "`CurrencyRef`, `TotalAmt`"
    },
    own: [
      {
        stated: "`TotalAmt`, taxes and discounts",
        heldAgainst: "the lines, the taxable amounts and their percents",
        codes: ["EXPORT_FIGURES_DIFFER"],
        test: test("proofs/joined/Stated.test.ts", "is never overruled in silence")
      }
    ]
  },
  {
    adapter: "odoo-like",
    stated: {
      total: "`amount_total`",
      "net and tax": "`amount_untaxed`, `amount_tax`",
      "line with and without tax": "`price_subtotal`, `price_total`",
      "tax percent": "`account.tax`: `amount`",
      "discount of the document": "an unread field such as `amount_discount`",
      "number of the buyer, code of an item": "`vat`, `company_registry`; the code before the name of `product_id`",
      "due date": "`invoice_date_due`",
      words: "every unread field with a name of the vocabulary",
      seller: "`company_id`",
      "buyer of a credit note": "numbers of `res.partner`, `commercial_partner_id`, `partner_id`",
      "currency and total of a credit note": "`currency_id`, `amount_total`"
    },
    own: [
      {
        stated: "`invoice_line_ids`",
        heldAgainst: "the lines that name the document",
        codes: ["EXPORT_VALUE_REFUSED"],
        test: test("packages/adapter-odoo-like/test/Traps.test.ts", "is refused if its own list omits one of its lines")
      },
      {
        stated: "`amount_untaxed`, `amount_total`",
        heldAgainst: "the sums of the lines",
        codes: ["EXPORT_FIGURES_DIFFER"],
        test: test("packages/adapter-odoo-like/test/Traps.test.ts", "is refused if amounts differ from its totals")
      }
    ]
  },
  {
    adapter: "erpnext-like",
    stated: {
      total: "`grand_total`",
      "net and tax": "`net_total`, `taxes`",
      "tax amount": "`tax_amount_after_discount_amount`, else `tax_amount`",
      "tax percent": "`rate`, `item_tax_rate`",
      "discount of the document": "an unread field such as `total_discount`; `discount_amount` is read",
      "number of the buyer, code of an item": "`tax_id`, `item_code`",
      "due date": "`due_date`",
      words: "every unread field with a name of the vocabulary",
      seller: "`company_tax_id`",
      "buyer of a credit note": "`tax_id`, `customer`, `customer_name`",
      "currency and total of a credit note": "`currency`, `grand_total`"
    },
    own: [
      {
        stated: "`rounded_total`; `base_total`, `base_net_total`, `base_total_taxes_and_charges`, `base_grand_total`",
        heldAgainst: "the total and its rounding; the totals at `conversion_rate`",
        codes: ["EXPORT_FIGURES_DIFFER"],
        test: test("packages/adapter-erpnext-like/test/Restated.test.ts", "that differ refuse the document")
      },
      {
        stated: "`total`, `net_total`, `total_taxes_and_charges`, `grand_total`",
        heldAgainst: "the items and the rows of taxes and charges",
        codes: ["EXPORT_FIGURES_DIFFER", "EXPORT_VALUE_REFUSED"],
        test: test("proofs/joined/Stated.test.ts", "is never overruled in silence")
      },
      {
        stated: "`status`",
        heldAgainst: "`docstatus`",
        codes: ["EXPORT_VALUE_REFUSED"],
        test: test("proofs/joined/Stated.test.ts", "is never overruled in silence")
      }
    ]
  }
]

/** One row of a table. */
export interface Witness extends Law {
  readonly stated: string
}

/** Statements of each adapter's exports, with the values they are compared with. */
export const witnesses: ReadonlyArray<{ readonly adapter: string; readonly rows: ReadonlyArray<Witness> }> =
  statements.map(({ adapter, own, stated }) => ({
    adapter,
    rows: [
      ...(Object.keys(stated) as Array<LawName>).map((name) => ({
        ...laws[name],
        stated: `${name}: ${stated[name]}`
      })),
      ...own
    ]
  }))
