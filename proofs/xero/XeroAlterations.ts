/**
 * Generates documents of Xero-shaped exports, each altered in one statement. The generator labels
 * the alteration with the contradicting statement of the export; our reader is not involved.
 */
import type { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import * as Random from "../Random.ts"
import { documents, isIssued } from "./XeroExport.ts"
import { contactJson, documentJson, type File } from "./XeroFiles.ts"

export const kinds = ["figure", "status", "date", "buyer", "row"] as const
export type Kind = (typeof kinds)[number]

interface LineJson {
  readonly [field: string]: unknown
  readonly TaxAmount: number
  readonly LineAmount: number
  readonly UnitAmount: number
  readonly TaxType: string
}

interface ContactJson {
  readonly [field: string]: unknown
  readonly ContactID: string
}

interface DocumentJson {
  readonly [field: string]: unknown
  readonly Contact: ContactJson
  readonly LineItems: ReadonlyArray<LineJson>
  readonly LineAmountTypes: string
  readonly Date: string
  readonly DateString?: string
  readonly SubTotal: number
  readonly TotalTax: number
  readonly Total: number
}

/** Record of an altered export. */
type Json = Readonly<Record<string, unknown>>

/**
 * Export of one document, original and altered. `witness` contradicts the alteration; without a
 * witness, the document must be sent exactly as stated.
 */
export interface Alteration {
  readonly kind: Kind
  readonly what: string
  readonly witness: string | undefined
  readonly id: string
  readonly options: XeroLikeOptions
  readonly original: ReadonlyArray<File>
  readonly altered: ReadonlyArray<File>
}

/** Usual options: the generated contacts state their TIN in Xero's only field for tax numbers. */
const usual: XeroLikeOptions = { tin: "TaxNumber" }

/** Change of the records. */
interface Change {
  readonly what: string
  readonly witness: string | undefined
  /** Totals of the document that the export states. */
  readonly totals?: "all" | "none"
  readonly rows?: "rows"
  /** Options instead of `usual`. */
  readonly options?: XeroLikeOptions
  /**
   * Returns the altered records, and changes the contacts; undefined if the change does not apply.
   */
  alter(document: DocumentJson, contacts: Array<ContactJson>): ReadonlyArray<Json> | undefined
}

const without = (document: Json, ...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, names.includes(name) ? undefined : value]))

const cents = (value: number) => Math.round(value * 100) / 100
const taxed = ({ LineAmountTypes, LineItems }: DocumentJson) =>
  LineAmountTypes === "NoTax" ? undefined : LineItems.find(({ TaxAmount }) => TaxAmount >= 1)

const withLine = (document: DocumentJson, at: LineJson, fields: Json): Json => ({
  ...document,
  LineItems: document.LineItems.map((line) => (line === at ? { ...line, ...fields } : line))
})

const onTaxedLine =
  (fields: (line: LineJson) => Json | undefined): Change["alter"] =>
  (document) => {
    const line = taxed(document)
    const changed = line && fields(line)
    return changed && [withLine(document, line, changed)]
  }

const lineTax = "the line's tax type and amount"
const both: ReadonlyArray<"all" | "none"> = ["all", "none"]

const figures: ReadonlyArray<Change> = [
  ...both.flatMap((totals): ReadonlyArray<Change> => [
    { what: "tax of zero", witness: lineTax, totals, alter: onTaxedLine(() => ({ TaxAmount: 0 })) },
    {
      what: "a third of the tax",
      witness: lineTax,
      totals,
      alter: onTaxedLine(({ TaxAmount }) => ({ TaxAmount: cents(TaxAmount / 3) }))
    },
    {
      what: "five cents more tax",
      witness: lineTax,
      totals,
      alter: onTaxedLine(({ TaxAmount }) => ({ TaxAmount: cents(TaxAmount + 0.05) }))
    },
    {
      what: "another tax type",
      witness: "the line's tax",
      totals,
      alter: onTaxedLine(({ TaxType }) =>
        TaxType === "TAX008" || TaxType === "TAX001" ? { TaxType: "NONE" } : { TaxType: "TAX001" }
      )
    },
    {
      what: "amounts on the other basis",
      witness: "the lines' taxes",
      totals,
      alter: (document) =>
        taxed(document) && [
          { ...document, LineAmountTypes: document.LineAmountTypes === "Exclusive" ? "Inclusive" : "Exclusive" }
        ]
    },
    {
      what: "a line amount ten times",
      witness: "quantity, unit price and tax",
      totals,
      alter: onTaxedLine(({ LineAmount }) => ({ LineAmount: cents(LineAmount * 10) }))
    },
    {
      what: "a unit price ten times",
      witness: "the line amount",
      totals,
      alter: onTaxedLine(({ UnitAmount }) => ({ UnitAmount: UnitAmount * 10 }))
    },
    {
      what: "a discount of 40 %",
      witness: "the line amount",
      totals,
      alter: onTaxedLine((line) =>
        line["DiscountRate"] === undefined && line["DiscountAmount"] === undefined ? { DiscountRate: 40 } : undefined
      )
    }
  ]),
  ...(["Total", "TotalTax", "SubTotal"] as const).map((field): Change => ({
    what: `another ${field}`,
    witness: "the lines",
    alter: (document) => [{ ...document, [field]: cents(document[field] + 1.11) }]
  })),
  {
    what: "a unit price alone",
    witness: undefined,
    totals: "none",
    alter: onTaxedLine((line) =>
      line["DiscountAmount"] === undefined
        ? { UnitAmount: line["UnitAmount"] + 1, TaxAmount: undefined, LineAmount: undefined }
        : undefined
    )
  }
]

const later = (document: Json, hours: number): Json => ({
  ...document,
  UpdatedDateUTC: `/Date(${1_700_000_000_000 + hours * 3_600_000}+0000)/`
})

const statuses: ReadonlyArray<Change> = [
  ...["DRAFT", "SUBMITTED"].flatMap((Status): ReadonlyArray<Change> => [
    ...[{ AmountPaid: 12.5 }, { FullyPaidOnDate: "/Date(1736899200000+0000)/" }, { SentToContact: true }].map(
      (signal): Change => ({
        what: `${Status} of an issued document`,
        witness: Object.keys(signal)[0],
        alter: (document) => [{ ...document, ...signal, Status }]
      })
    ),
    {
      what: `${Status} beside the issued document`,
      witness: "the other statement, undated",
      alter: (document) => [document, { ...document, Status }]
    }
  ]),
  {
    what: "an error mark",
    witness: "its status",
    alter: (document) => [{ ...document, HasErrors: true }]
  },
  ...["VOIDED", "DELETED", "DRAFT"].map((Status): Change => ({
    what: `${Status} later`,
    witness: "the later statement",
    alter: (document) => [later(document, 0), later({ ...document, Status }, 1)]
  })),
  {
    what: "other figures at the same time",
    witness: "the other statement",
    alter: (document) => [later(document, 0), later({ ...document, Reference: "x", Total: document["Total"] + 1 }, 0)]
  }
]

const day = ({ Date: date, DateString: string }: Pick<DocumentJson, "Date" | "DateString">): string | undefined => {
  const ms = /^\/Date\((\d+)/.exec(date)?.[1]
  const text = string ?? (ms === undefined ? date : new Date(Number(ms)).toISOString())
  return text?.slice(0, 10)
}
const dayAfter = (text: string, days: number) =>
  new Date(Date.parse(`${text}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const dates: ReadonlyArray<Change> = [
  ...[1, -1, 2].flatMap((days): ReadonlyArray<Change> => [
    {
      what: `Date ${days} days from DateString`,
      witness: "DateString",
      alter: (document) => [
        {
          ...document,
          DateString: `${day(document)}T00:00:00`,
          Date: `/Date(${Date.parse(`${dayAfter(day(document)!, days)}T00:00:00Z`)}+0000)/`
        }
      ]
    }
  ]),
  ...["+02:00", "-11:00", "Z", ""].map((offset): Change => ({
    what: `a time of day, offset ${offset || "none"}`,
    witness: "the format: documents have no time of day",
    alter: (document) => [{ ...without(document, "DateString"), Date: `${day(document)}T22:00:00${offset}` }]
  })),
  {
    what: "another day in the only date",
    witness: undefined,
    alter: (document) => [{ ...without(document, "DateString"), Date: dayAfter(day(document)!, 1) }]
  }
]

const known = (document: DocumentJson, contacts: ReadonlyArray<ContactJson>) =>
  contacts.find(({ ContactID }) => ContactID === document["Contact"].ContactID)!

const buyers: ReadonlyArray<Change> = [
  {
    what: "a contact id that is none",
    witness: "the contacts",
    alter: (document) => [{ ...document, Contact: { ...document["Contact"], ContactID: "none" } }]
  },
  {
    what: "a contact without a name that is none",
    witness: "the contacts",
    alter: (document) => [{ ...document, Contact: { ContactID: "none" } }]
  },
  {
    what: "no contact",
    witness: "the format: every document has one",
    alter: (document) => [without(document, "Contact")]
  },
  {
    what: "a contact stated twice",
    witness: "the other contact of its id",
    options: { unmapped: "unread" },
    alter: (document, contacts) => {
      contacts.push({ ...known(document, contacts), TaxNumber: "2999999999" })
      return [document]
    }
  },
  {
    what: "a contact left out",
    witness: "the document's contact id",
    alter: (document, contacts) => {
      contacts.splice(contacts.indexOf(known(document, contacts)), 1)
      return [document]
    }
  },
  {
    what: "another number in the document",
    witness: "its contact",
    alter: (document, contacts) =>
      known(document, contacts)["TaxNumber"] === undefined
        ? undefined
        : [{ ...document, Contact: { ...document["Contact"], TaxNumber: "2888888888" } }]
  },
  {
    what: "another name in contact and document",
    witness: undefined,
    alter: (document, contacts) => {
      const index = contacts.indexOf(known(document, contacts))
      contacts[index] = { ...contacts[index]!, Name: "Somebody else" }
      return [{ ...document, Contact: { ...document["Contact"], Name: "Somebody else" } }]
    }
  }
]

type Row = Json & LineJson

/** Returns a row per line, as warehouses join them. */
const rowsOf = ({ Contact, LineItems, ...document }: DocumentJson): readonly [Row, ...ReadonlyArray<Row>] =>
  LineItems.map((line, i) => ({
    ...document,
    ContactID: Contact.ContactID,
    ContactName: Contact["Name"],
    LineItemID: `line-${i}`,
    ...Object.fromEntries(Object.entries(line).filter(([name]) => name !== "Tracking"))
  })) as unknown as readonly [Row, ...ReadonlyArray<Row>]

const onRows =
  (change: (rows: readonly [Row, ...ReadonlyArray<Row>]) => ReadonlyArray<Json> | undefined): Change["alter"] =>
  (document) =>
    change(rowsOf(document))

const asRow = "rows" as const
const rows: ReadonlyArray<Change> = [
  ...["Total", "TotalTax", "CurrencyCode", "ContactName", "Status"].map((field): Change => ({
    what: `another ${field} in one row`,
    witness: "the other rows",
    rows: asRow,
    alter: onRows((rows) =>
      rows.length < 2
        ? undefined
        : rows.map((row, i) => (i === 1 ? { ...row, [field]: field === "Status" ? "VOIDED" : 7 } : row))
    )
  })),
  ...both.map((totals): Change => ({
    what: "a second row of one line with other content",
    witness: "the row of the same line id",
    rows: asRow,
    totals,
    alter: onRows((rows) => {
      const [first, ...others] = rows
      return [first!, { ...first, Description: "Another", LineAmount: first!["LineAmount"] + 10 }, ...others]
    })
  })),
  {
    what: "rows torn apart",
    witness: "the rows of the same document elsewhere",
    rows: asRow,
    alter: onRows((rows) =>
      rows.length < 2
        ? undefined
        : [rows[0]!, { ...rows[0], InvoiceID: "between", InvoiceNumber: "BETWEEN" }, ...rows.slice(1)]
    )
  },
  {
    what: "a row left out",
    witness: "the totals",
    rows: asRow,
    alter: onRows((rows) => (rows.length < 2 ? undefined : rows.slice(1)))
  },
  {
    what: "another description",
    witness: undefined,
    rows: asRow,
    alter: onRows(([first, ...others]) => [{ ...first, Description: "Something else" }, ...others])
  }
]

const changes: Readonly<Record<Kind, ReadonlyArray<Change>>> = {
  figure: figures,
  status: statuses,
  date: dates,
  buyer: buyers,
  row: rows
}

const withTotals = (document: DocumentJson, totals: Change["totals"]): DocumentJson =>
  totals === "none" ? { ...document, ...without(document, "SubTotal", "TotalTax", "Total") } : document

const file = (name: string, value: unknown): File => ({ name, text: JSON.stringify(value) })

/** Returns altered documents of one kind; the same seed makes the same documents. */
export const alterations = (kind: Kind, seed: number, count: number): ReadonlyArray<Alteration> => {
  const random = Random.make(seed)
  const made: Array<Alteration> = []
  for (let round = 0; made.length < count; round++) {
    const issued = documents(seed * 1000 + round, {
      invoices: 60,
      oddities: "plain",
      lines: { from: 1, to: 3 }
    }).filter((document) => isIssued(document) && document.kind === "invoice")
    for (const [i, document] of issued.entries()) {
      if (made.length === count) break
      const change = random.pick(changes[kind])
      const rendering = { unitPlaces: 4, life: "first", contacts: "given", arrangement: seed } as const
      const json: DocumentJson = JSON.parse(JSON.stringify(documentJson(document, rendering, i)))
      const original = withTotals(json, change.totals)
      const contacts = (): Array<ContactJson> => Array.from({ length: 12 }, (_, n) => ({ ...contactJson(n) }))
      const others = contacts()
      const altered = change.alter(original, others)
      if (altered === undefined) continue
      made.push({
        kind,
        what: `${change.what}${change.totals === "none" ? ", no totals" : ""}`,
        witness: change.witness,
        id: document.id,
        options: change.options ?? usual,
        original: [
          file("documents.json", change.rows === undefined ? [original] : rowsOf(original)),
          file("contacts.json", { Contacts: contacts() })
        ],
        altered: [file("documents.json", altered), file("contacts.json", { Contacts: others })]
      })
    }
  }
  return made
}
