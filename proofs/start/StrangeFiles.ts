/**
 * Exports of unknown systems, each different from the others, with the facts that only their owner
 * knows.
 */
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"

export interface StrangeFile {
  readonly name: string
  readonly bytes: () => Promise<string | Buffer>
  readonly documents: number
  /**
   * Answers of the owner, by the text of the question. Without a match, the proposal is accepted.
   */
  readonly facts: ReadonlyArray<readonly [question: RegExp, answer: string]>
}

const text =
  (...rows: ReadonlyArray<string>) =>
  async () =>
    `${rows.join("\n")}\n`

/** Facts that every owner knows. */
const usual: StrangeFile["facts"] = [
  [/nothing in the file says that it lists invoices/, "2"],
  [/In which time zone/, "+02:00"],
  [/HS code/, "12345678"],
  // The device offers no other way for a buyer without a number.
  [/Buyers have a name but no TIN/, "1"]
]

const t = (value: string): WorkbookParts.Cell => ({ text: value })
const n = (value: string): WorkbookParts.Cell => ({ number: value })
const d = (value: string): WorkbookParts.Cell => ({ date: value })

export const strangeFiles: ReadonlyArray<StrangeFile> = [
  {
    name: "till.csv",
    bytes: text(
      "Number;Date;Customer;Item;Qty;Price;Amount;Total",
      "1001;03/02/2026;Acme;Chair;2;10,00;20,00;23,10",
      "1002;04/02/2026;Bolt;Desk;1;100,00;100,00;115,50",
      "1003;05/02/2026;;Lamp;3;20,00;60,00;69,30"
    ),
    documents: 3,
    facts: [...usual, [/dates can be read in more than one order/, "1"], [/which currency its amounts are in/, "USD"]]
  },
  {
    // no name is known, and one name appears twice
    name: "kasse.csv",
    bytes: text(
      "Kasse Nord;;;;;;;",
      "Beleg;Tag;Name;Name;Stk;Wert;Wert;Art",
      "K-1;03.02.2026;Müller;Stuhl;2;10,00;20,00;A7",
      "K-1;03.02.2026;Müller;Tisch;1;100,00;100,00;A7",
      "K-2;14.02.2026;Schmidt;Brot;4;2,50;10,00;Z0"
    ),
    documents: 2,
    facts: [
      ...usual,
      [/invoice or a credit note/, "none"],
      [/number of the invoice/, "Beleg"],
      [/describes the item/, "Name (2)"],
      [/name of the buyer/, "Name (1)"],
      [/Which column states the tax/, "Art"],
      [/which currency its amounts are in/, "USD"],
      [/Which tax .* "A7"/, "15.5"],
      [/Which tax .* "Z0"/, "0.0"],
      [/amounts include tax/, "2"]
    ]
  },
  {
    name: "rechnungen.txt",
    bytes: text(
      "Rechnungsnummer\tRechnungsdatum\tKunde\tBezeichnung\tMenge\tEinzelpreis\tGesamtpreis\tMwSt\tWährung",
      "R-1\t03.02.2026\tMüller\tStuhl\t2\t10,00\t20,00\t15,5\tUSD",
      "R-1\t03.02.2026\tMüller\tTisch\t1\t100,00\t100,00\t15,5\tUSD",
      "R-2\t14.02.2026\tSchmidt\tBrot\t4\t2,50\t10,00\t0\tUSD"
    ),
    documents: 2,
    facts: [...usual, [/amounts include tax/, "2"]]
  },
  {
    name: "sales.xlsx",
    bytes: () =>
      WorkbookParts.workbook([
        {
          name: "Sales",
          rows: [
            ["Invoice", "Date", "Sold to", "Item name", "Pieces", "Price each", "Line total", "VAT rate"].map(t),
            [t("S-1"), d("2026-02-03"), t("Acme"), t("Chair"), n("2"), n("10"), n("20"), n("15.5")],
            [t("S-2"), d("2026-02-14"), t("Bolt"), t("Bread"), n("4"), n("2.5"), n("10"), n("0")]
          ]
        }
      ]),
    documents: 2,
    facts: [...usual, [/which currency its amounts are in/, "USD"], [/amounts include tax/, "2"]]
  },
  {
    name: "orders.csv",
    bytes: text(
      "Name,Email,Financial Status,Paid at,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem taxable,Billing Name,Refunded Amount,Cancelled at,Tax 1 Name,Tax 1 Value",
      "#1001,eva@mail.example,paid,2026-02-03 09:55:17 +0200,USD,52.00,0.00,6.98,52.00,,0.00,2026-02-03 09:55:16 +0200,2,Mug,16.00,M1,true,Eva Moss,0.00,,VAT 15.5%,6.98",
      "#1001,eva@mail.example,,,,,,,,,,2026-02-03 09:55:16 +0200,1,Tray,20.00,T1,true,,,,,",
      "#1002,kim@mail.example,paid,2026-02-04 09:00:00 +0200,USD,16.00,0.00,2.15,16.00,,0.00,2026-02-04 09:00:00 +0200,1,Mug,16.00,M1,true,Kim Lo,0.00,,VAT 15.5%,2.15"
    ),
    documents: 2,
    facts: [...usual, [/amounts include tax/, "1"]]
  },
  {
    name: "ledger.csv",
    bytes: text(
      "Invoice No,Date,Due date,Client,Description,Qty,Price,Amount,Tax code,Currency",
      "L-1,2026-02-03,2026-03-05,Acme,Chair,2,10.00,20.00,A7,USD",
      "L-1,2026-02-03,2026-03-05,Acme,Bread,4,2.50,10.00,Z0,USD",
      "L-2,2026-02-14,2026-03-16,Bolt,Desk,1,100.00,100.00,A7,USD",
      "L-3,2026-02-15,2026-03-17,Bolt,School fee,1,50.00,50.00,Q3,USD"
    ),
    documents: 3,
    facts: [
      ...usual,
      [/Which tax .* "A7"/, "15.5"],
      [/Which tax .* "Z0"/, "0.0"],
      [/Which tax .* "Q3"/, "0.0"],
      [/amounts include tax/, "2"]
    ]
  },
  {
    // the file has no names at all
    name: "till-rows.csv",
    bytes: text(
      "N-1,2026-02-03,Acme,Chair,2,10.00,20.00,A7",
      "N-1,2026-02-03,Acme,Desk,1,100.00,100.00,A7",
      "N-2,2026-02-14,Bolt,Bread,4,2.50,10.00,Z0"
    ),
    documents: 2,
    facts: [
      ...usual,
      [/Which line has them/, "4"],
      [/number of the invoice/, "#1"],
      [/describes the item/, "#4"],
      [/name of the buyer/, "#3"],
      [/Which column states the tax/, "#8"],
      [/which currency its amounts are in/, "USD"],
      [/Which tax .* "A7"/, "15.5"],
      [/Which tax .* "Z0"/, "0.0"],
      [/amounts include tax/, "2"]
    ]
  }
]
