/**
 * Writes exports of known content in every known CSV format: the meaning of each column, and the
 * arrangement of documents in rows.
 */
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import type { Random } from "../Random.ts"

/** Meaning of a cell. A meaning may occur in more than one column of a format. */
export type Role =
  | "number"
  | "date"
  | "due"
  | "buyer"
  | "buyerId"
  | "tin"
  | "currency"
  | "status"
  | "kind"
  | "cancelled"
  | "modified"
  | "text"
  | "quantity"
  | "unitPrice"
  | "gross"
  | "discount"
  | "lineAmount"
  | "taxCode"
  | "taxPercent"
  | "taxAmount"
  | "lineTotal"
  | "lineId"
  | "net"
  | "tax"
  | "total"
  | "taxes"
  | "linesTotal"
  | "amounts"
  | "none"

export interface Format {
  /** Name of the layout. */
  readonly name: string
  readonly header: ReadonlyArray<readonly [column: string, role: Role]>
  readonly layout: "rows" | "continuation" | "report"
  readonly issued: ReadonlyArray<string>
  /** Words of this format for documents that are not issued, or no longer issued. */
  readonly unissued: ReadonlyArray<string>
  readonly invoice: string
  /** `days` if its documents have no time of day. */
  readonly dates: "days" | "times"
  /** `of documents` if every line of a document has the same tax. */
  readonly taxes: "of lines" | "of documents"
  /** Column map for reading an unknown header. */
  readonly map?: NonNullable<CsvOptions["columns"]>
}

const h = (text: string): Format["header"] =>
  text.split(",").map((cell) => {
    const [column = "", role = "none"] = cell.split("=")
    return [column, role as Role] as const
  })

export const formats: ReadonlyArray<Format> = [
  {
    name: "plain",
    header: h(
      "Kind=kind,Status=status,InvoiceNumber=number,InvoiceDate=date,Currency=currency,AmountsAre=amounts,CustomerName=buyer,CustomerTIN=tin,Description=text,Quantity=quantity,UnitPrice=unitPrice,LineAmount=lineAmount,TaxCode=taxCode,TaxPercent=taxPercent,TaxAmount=taxAmount,SubTotal=net,TotalTax=tax,Total=total"
    ),
    layout: "rows",
    issued: ["Issued", "Paid"],
    unissued: ["Draft", "Void", "Cancelled", "Pending"],
    invoice: "Invoice",
    dates: "times",
    taxes: "of lines"
  },
  {
    name: "xero-template",
    header: h(
      "*ContactName=buyer,EmailAddress,*InvoiceNumber=number,Reference,*InvoiceDate=date,*DueDate=due,Total=total,InventoryItemCode,*Description=text,*Quantity=quantity,*UnitAmount=unitPrice,Discount,*AccountCode,*TaxType=taxCode,TaxAmount=taxAmount,Currency=currency"
    ),
    layout: "rows",
    issued: [""],
    unissued: [],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "xero-export",
    header: h(
      "ContactName=buyer,EmailAddress,InvoiceNumber=number,Reference,InvoiceDate=date,DueDate=due,Total=total,TaxTotal=tax,InvoiceAmountPaid,InventoryItemCode,Description=text,Quantity=quantity,UnitAmount=unitPrice,Discount,LineAmount=lineAmount,AccountCode,TaxType=taxCode,TaxAmount=taxAmount,Currency=currency,Type=kind,Sent,Status=status"
    ),
    layout: "rows",
    issued: ["Awaiting Payment", "Paid"],
    unissued: ["Draft", "Voided", "Awaiting Approval", "Deleted"],
    invoice: "Sales invoice",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "quickbooks-invoices",
    header: h(
      "*InvoiceNo=number,*Customer=buyer,*InvoiceDate=date,*DueDate=due,Terms,Location,Memo,Item(Product/Service)=text,ItemDescription=text,ItemQuantity=quantity,ItemRate=unitPrice,*ItemAmount=lineAmount,Item Tax Amount=taxAmount,*Item Tax Code=taxCode,Currency=currency"
    ),
    layout: "rows",
    issued: [""],
    unissued: [],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "quickbooks-sales-detail",
    header: h(
      "=none,Date=date,Transaction Type=kind,Num=number,Product/Service=text,Memo/Description=text,Qty=quantity,Sales Price=unitPrice,Amount=lineAmount,Balance,TaxCode=taxCode"
    ),
    layout: "report",
    issued: [""],
    unissued: [],
    invoice: "Invoice",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "zoho-invoices",
    header: h(
      "Invoice Date=date,Invoice ID=number,Invoice Number=number,Invoice Status=status,Customer ID=buyerId,Customer Name=buyer,Due Date=due,Currency Code=currency,Item Name=text,Item Desc=text,Quantity=quantity,Item Price=unitPrice,Item Tax=taxCode,Item Tax %=taxPercent,Item Tax Amount=taxAmount,Item Total=lineAmount,SubTotal=net,Total=total"
    ),
    layout: "rows",
    issued: ["Sent", "Paid", "Overdue", "Closed"],
    unissued: ["Draft", "Void"],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "freshbooks",
    header: h(
      "Client Name=buyer,Invoice #=number,Date Issued=date,Invoice Status=status,Date Paid,Item Name=text,Item Description=text,Rate=unitPrice,Quantity=quantity,Discount Percentage,Line Subtotal=lineAmount,Tax 1 Type=taxCode,Tax 1 Amount=taxAmount,Tax 2 Type,Tax 2 Amount,Line Total=lineTotal,Currency=currency"
    ),
    layout: "rows",
    issued: ["sent", "paid", "viewed"],
    unissued: ["draft"],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "invoice-ninja",
    header: h(
      "Client=buyer,Email,Invoice Number=number,Amount=total,Paid,PO Number,Status=status,Invoice Date=date,Due Date=due,Discount,Item Product=text,Item Notes=text,Item Cost=unitPrice,Item Quantity=quantity,Item Tax Name=taxCode,Item Tax Rate=taxPercent,Item Tax Name,Item Tax Rate"
    ),
    layout: "rows",
    issued: ["Sent", "Paid", "Partial"],
    unissued: ["Draft", "Cancelled"],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "erpnext",
    header: h(
      "ID=number,Date=date,Currency=currency,Customer Name=buyer,Is Return (Credit Note)=kind,Return Against,Status=status,Net Total=net,Total Taxes and Charges=tax,Grand Total=total,Item Name (Items)=text,Description (Items)=text,Quantity (Items)=quantity,Rate (Items)=unitPrice,Amount (Items)=lineAmount,Item Tax Template (Items)=taxCode,Amount (Sales Taxes and Charges)=taxes"
    ),
    layout: "continuation",
    issued: ["Unpaid", "Paid", "Overdue"],
    unissued: ["Draft", "Cancelled"],
    invoice: "0",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "shopify",
    header: h(
      "Name=number,Email,Financial Status=status,Paid at,Currency=currency,Subtotal=linesTotal,Shipping,Taxes=tax,Total=total,Discount Code,Discount Amount,Created at=date,Lineitem quantity=quantity,Lineitem name=text,Lineitem price=unitPrice,Lineitem sku,Billing Name=buyer,Cancelled at=cancelled,Refunded Amount,Lineitem discount,Tax 1 Name=taxCode,Tax 1 Value=taxes"
    ),
    layout: "continuation",
    issued: ["paid", "partially_paid"],
    unissued: ["authorized", "pending", "voided", "refunded", "partially_refunded", "expired"],
    invoice: "",
    dates: "times",
    taxes: "of documents"
  },
  {
    name: "busy",
    header: h(
      "Vch Series,Voucher/Bill Date=date,Voucher/Bill Number=number,Sale Type=taxCode,Party Name=buyer,Material Centre,Item Name=text,Quantity=quantity,Unit Name,Price=unitPrice,Amount=lineAmount,Narration"
    ),
    layout: "continuation",
    issued: [""],
    unissued: [],
    invoice: "",
    dates: "days",
    taxes: "of documents"
  },
  {
    name: "square-items",
    header: h(
      "Date=date,Time,Category,Item=text,Qty=quantity,Gross Sales=gross,Discounts,Net Sales=lineAmount,Tax=taxAmount,Transaction ID=number,Event Type=kind,Customer ID=buyerId,Customer Name=buyer,TaxCode=taxCode"
    ),
    layout: "rows",
    issued: [""],
    unissued: [],
    invoice: "Payment",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "odoo",
    header: h(
      "Number=number,Invoice Partner Display Name=buyer,Invoice/Bill Date=date,Due Date=due,Currency=currency,Type=kind,Status=status,Invoice lines/Label=text,Invoice lines/Account,Invoice lines/Quantity=quantity,Invoice lines/Unit Price=unitPrice,Invoice lines/Taxes=taxCode,Invoice lines/Subtotal=lineAmount,Untaxed Amount=net,Tax=tax,Total=total"
    ),
    layout: "continuation",
    issued: ["Posted"],
    unissued: ["Draft", "Cancelled"],
    invoice: "Customer Invoice",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "odoo-fields",
    header: h(
      "name=number,move_type=kind,partner_id/name=buyer,invoice_date=date,currency_id=currency,state=status,invoice_line_ids/name=text,invoice_line_ids/quantity=quantity,invoice_line_ids/price_unit=unitPrice,invoice_line_ids/tax_ids=taxCode,invoice_line_ids/price_subtotal=lineAmount,invoice_line_ids/price_total=lineTotal,amount_untaxed=net,amount_tax=tax,amount_total=total"
    ),
    layout: "continuation",
    issued: ["posted"],
    unissued: ["draft", "cancel"],
    invoice: "out_invoice",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "woocommerce",
    header: h(
      "Order Number=number,Order Status=status,Order Date=date,Company (Billing)=buyer,Email (Billing),Currency=currency,Order Subtotal Amount=linesTotal,Order Shipping Amount,Order Refund Amount,Order Total Amount=total,Order Total Tax Amount=tax,SKU,Item Name=text,Quantity=quantity,Item Cost=unitPrice,Order Line (w/o tax)=lineAmount,Order Line Tax=taxAmount,TaxCode=taxCode"
    ),
    layout: "rows",
    issued: ["Completed"],
    unissued: ["Pending payment", "Failed", "Cancelled"],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    // A known header with more figures than usual.
    name: "quickbooks-invoices with totals",
    header: h(
      "*InvoiceNo=number,*Customer=buyer,*InvoiceDate=date,*DueDate=due,Item(Product/Service)=text,ItemQuantity=quantity,ItemRate=unitPrice,*ItemAmount=lineAmount,*Item Tax Code=taxCode,Tax %=taxPercent,Tax Amount=taxAmount,Currency=currency,SubTotal=net,Total Tax=tax,Grand Total=total"
    ),
    layout: "rows",
    issued: [""],
    unissued: [],
    invoice: "",
    dates: "days",
    taxes: "of lines"
  },
  {
    name: "a till by a column map",
    header: h(
      "Slip=number,Day=date,Client No=buyerId,Client=buyer,State=status,Money=currency,What=text,Pieces=quantity,Each=unitPrice,Worth=lineAmount,Class=taxCode,Rate=taxPercent,Tax=taxAmount,With tax=lineTotal,Slip net=net,Slip tax=tax,Slip total=total"
    ),
    layout: "rows",
    issued: ["Closed"],
    unissued: ["Parked", "Void"],
    invoice: "",
    dates: "times",
    taxes: "of lines",
    map: {
      version: 1,
      columns: {
        number: "Slip",
        date: "Day",
        customerId: "Client No",
        customerName: "Client",
        status: "State",
        currency: "Money",
        description: "What",
        quantity: "Pieces",
        unitPrice: "Each",
        lineAmount: "Worth",
        lineTotal: "With tax",
        taxes: [{ code: "Class", percent: "Rate", amount: "Tax" }],
        net: "Slip net",
        tax: "Slip tax",
        total: "Slip total"
      },
      statuses: { Closed: "issued", Parked: "skip", Void: "skip" }
    }
  }
]

export interface Line {
  readonly text: string
  readonly quantity: number
  /** Price in cents. */
  readonly price: number
  readonly tax: TaxName
}

export interface Document {
  readonly number: string
  /** Day, such as 2026-01-31. */
  readonly date: string
  readonly buyer: string
  readonly status: string
  readonly lines: ReadonlyArray<Line>
}

export const taxPercents = { "VAT 15%": 15, "Zero rated": 0 } as const
export type TaxName = keyof typeof taxPercents

const texts = ["Pen", "Cable 5 m", "Total Care plan", "Tax advice", "Paper, A4", "Tray", "Page holder", "Summer hat"]
const buyers = ["Ada Ltd", "Moyo & Sons", "Baobab Traders", "Nyika Foods"]

/** Draws documents with amounts whose tax is exact to the cent, however rounded. */
export const documentsOf = (format: Format, random: Random): ReadonlyArray<Document> =>
  random.times(2, 3, (i) => {
    const tax = random.pick(["VAT 15%", "VAT 15%", "Zero rated"] as const)
    const lines = random.times(2, 4, (line) => ({
      text: `${random.pick(texts)} ${line + 1}`,
      quantity: random.between(1, 9),
      price: random.between(1, 900) * 100,
      tax: format.taxes === "of documents" ? tax : random.pick(["VAT 15%", "VAT 15%", "Zero rated"] as const)
    }))
    return {
      number: `INV-${random.between(1, 9)}00${i + 1}`,
      date: `2026-0${random.between(1, 9)}-${String(random.between(2, 27)).padStart(2, "0")}`,
      buyer: random.pick(buyers),
      status: random.pick(format.issued),
      lines
    }
  })

export const money = (cents: number): string =>
  `${cents < 0 ? "-" : ""}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0)
export const amountOf = ({ price, quantity }: Line): number => price * quantity
export const taxOf = (line: Line): number => (amountOf(line) * taxPercents[line.tax]) / 100
export const netOf = ({ lines }: Document): number => sum(lines.map(amountOf))
const taxOfAll = ({ lines }: Document): number => sum(lines.map(taxOf))

/** Values that are stated once per document. */
export const ofDocument: ReadonlySet<Role> = new Set([
  "number",
  "date",
  "due",
  "buyer",
  "buyerId",
  "tin",
  "currency",
  "status",
  "kind",
  "cancelled",
  "modified",
  "net",
  "tax",
  "total",
  "taxes",
  "linesTotal",
  "amounts"
])

/** Values of a line, in cents. */
export interface StatedLine {
  readonly text: string
  readonly quantity: number
  readonly price: number
  /** Percent, such as 12.5; 0 without a discount. */
  readonly discount: number
  readonly tax: TaxName
  readonly amount: number
  readonly taxAmount: number
}

/** Values of a document, in cents. */
export interface StatedDocument extends Pick<Document, "number" | "date" | "buyer" | "status"> {
  readonly due: string
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly lines: ReadonlyArray<StatedLine>
}

const statedOf = (document: Document): StatedDocument => ({
  ...document,
  due: `2026-12-${document.date.slice(8)}`,
  net: netOf(document),
  tax: taxOfAll(document),
  total: netOf(document) + taxOfAll(document),
  lines: document.lines.map((line) => ({ ...line, discount: 0, amount: amountOf(line), taxAmount: taxOf(line) }))
})

const said = (role: Role, format: Format, document: StatedDocument, line: StatedLine): string => {
  switch (role) {
    case "number":
      return document.number
    case "date":
      return format.name === "shopify" ? `${document.date} 10:15:00 +0200` : document.date
    case "due":
      return document.due
    case "buyer":
      return document.buyer
    case "buyerId":
      return `C-${sum(Array.from(document.buyer, (letter) => letter.charCodeAt(0)))}`
    case "tin":
      return String(2_000_000_000 + document.buyer.length)
    case "currency":
      return "USD"
    case "status":
      return document.status
    case "kind":
      return format.invoice
    case "amounts":
      return "exclusive"
    case "text":
      return line.text
    case "quantity":
      return String(line.quantity)
    case "unitPrice":
      return money(line.price)
    case "discount":
      return line.discount === 0 ? "" : String(line.discount)
    case "gross":
    case "lineAmount":
      return money(line.amount)
    case "taxCode":
      return line.tax
    case "taxPercent":
      return String(taxPercents[line.tax])
    case "taxAmount":
      return money(line.taxAmount)
    case "lineTotal":
      return money(line.amount + line.taxAmount)
    case "net":
    case "linesTotal":
      return money(document.net)
    case "taxes":
    case "tax":
      return money(document.tax)
    case "total":
      return money(document.total)
    default:
      return ""
  }
}

/** Returns the cells of one line of a document. `roleOf`: overrides the meaning of a column. */
export const cellsOfLine = (
  format: Format,
  document: StatedDocument,
  nth: number,
  roleOf: (column: string, role: Role) => Role = (_, role) => role
): ReadonlyArray<string> =>
  format.header.map(([column, role]) => {
    const once = format.layout === "continuation" && nth > 0
    const ofAll = ofDocument.has(role) || (format.taxes === "of documents" && role === "taxCode")
    // The number of an order is in all of its rows.
    return once && ofAll && !(format.name === "shopify" && role === "number")
      ? ""
      : said(roleOf(column, role), format, document, document.lines[nth]!)
  })

export type Row = Array<string>

/** File as a grid: the header, and the rows of each document. */
export interface Grid {
  readonly format: Format
  readonly header: Row
  readonly documents: Array<{ readonly of: Document; readonly rows: Array<Row> }>
}

/** Returns the grid of the documents. */
export const gridOf = (format: Format, documents: ReadonlyArray<Document>): Grid => ({
  format,
  header: format.header.map(([column]) => column),
  documents: documents.map((document) => {
    const stated = statedOf(document)
    return { of: document, rows: document.lines.map((_, nth) => [...cellsOfLine(format, stated, nth)]) }
  })
})

export const cellsOf = ({ header }: Format, role: Role): ReadonlyArray<number> =>
  header.flatMap(([, of], cell) => (of === role ? [cell] : []))

export const has = (format: Format, role: Role): boolean => cellsOf(format, role).length > 0

const quoted = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export const textOf = ({ documents, format, header }: Grid): string => {
  const width = header.length
  const wide = (row: Row): Row => [...row, ...Array.from({ length: Math.max(0, width - row.length) }, () => "")]
  const rows =
    format.layout === "report"
      ? documents.flatMap(({ of, rows }) => {
          const total = wide([`Total for ${of.buyer}`])
          for (const cell of cellsOf(format, "lineAmount")) total[cell] = money(netOf(of))
          return [wide([of.buyer]), ...rows, total]
        })
      : documents.flatMap(({ rows }) => rows)
  const titles = format.layout === "report" ? [["Sales by Customer Detail"], ["January - September 2026"]] : []
  return written([...titles, header, ...rows])
}

/** Returns the rows as a CSV file. */
export const written = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")
