/** Shop with the hostile text in every name and cell: export, book, configuration and gateway. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { examples, gatewayFor, taxMappings, taxes } from "../../packages/cli/test/RunningConnector.ts"

const exampleOf = {
  "xero-like": "historical-invoices",
  "quickbooks-like": "quickbooks-like",
  "odoo-like": "odoo-like",
  "erpnext-like": "erpnext-like"
} as const

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const withText = (json: Json, hostile: string, name = ""): Json => {
  if (typeof json === "string")
    return /desc|name|number|memo|note|ref|email|city|head|item_code/i.test(name) ? `${json} ${hostile}` : json
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.map((each: Json) => withText(each, hostile, name))
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withText(value as Json, hostile, key)]))
}

/** Returns an example with the text in its names and descriptions. */
const marked = (example: string, hostile: string): Json =>
  withText(JSON.parse(readFileSync(join(examples, `${example}.json`), "utf8")) as Json, hostile)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const header = [
  "InvoiceNumber",
  "InvoiceDate",
  "Description",
  "Quantity",
  "UnitPrice",
  "TaxCode",
  "ProductCode",
  "CustomerName",
  "Currency",
  "PaymentMethod"
]

export const exportName = (hostile: string): string => `sales ${hostile}.csv`

/** Writes the files of the shop into the folder and returns their names. `hostile` has no slash. */
export const make = (hostile: string, folder: string): ReadonlyArray<string> => {
  const rowOf = (number: string, price: string, taxCode: string) => [
    number,
    "2026-02-03",
    `Pen ${hostile}`,
    "2",
    price,
    taxCode,
    "11022000",
    `Ada ${hostile}`,
    "USD",
    hostile
  ]
  // These characters in a text cause a refusal; a clean document reaches the gateway and the store.
  const clean = (number: string) => [number, "2026-02-03", "Pen", "2", "9.50", "VAT155", "11022000", "Ada", "USD", ""]
  const rows = [
    [...header, `Column ${hostile}`],
    [...rowOf("INV-1", "9.50", "VAT155"), hostile],
    [...rowOf(`INV-2 ${hostile}`, "9.50", "VAT155"), hostile],
    [...rowOf("INV-3", "1.50", `VAT ${hostile}`), hostile],
    [...rowOf("INV-4", `9 ${hostile}`, "VAT155"), hostile],
    [...clean("INV-5"), hostile],
    [...clean("INV-7"), hostile],
    [...rowOf("INV-6", "4.00", "unmapped"), hostile]
  ]
  const file = exportName(hostile)
  const tax = { device: 515, percent: "15.5", name: `VAT ${hostile}` }
  const book = {
    version: 1,
    zone: "+02:00",
    rounding: "per-group",
    times: "spread",
    opens: "08:00",
    late: "hold",
    taxes: [
      { from: ["VAT155"], code: "VAT155", ...tax },
      { from: [`VAT ${hostile}`], code: `VAT ${hostile}`, ...tax }
    ],
    currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
    payments: [{ from: [hostile], method: "Cash" }],
    defaults: { payment: null, productCode: null, creditReason: null, cashBuyer: `Cash ${hostile} {name}` }
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write(file, rows.map((row) => `${row.map(quoted).join(",")}\n`).join(""))
  write(
    "plain.csv",
    rows
      .slice(0, 2)
      .map((row) => `${row.map(quoted).join(",")}\n`)
      .join("")
  )
  // Two spellings of one method; the second is added to the book's entry of the first.
  const till = [header, [...clean("INV-8").slice(0, -1), "Till"], [...clean("INV-9").slice(0, -1), hostile]]
  write("till.csv", till.map((row) => `${row.map(quoted).join(",")}\n`).join(""))
  write("book.json", JSON.stringify(book))
  write("xlsx.json", "{}")
  for (const [kind, example] of Object.entries(exampleOf))
    write(`${kind}.json`, JSON.stringify(marked(example, hostile)))
  write("body.json", JSON.stringify({ Number: hostile, [hostile]: hostile }))
  write("originals.json", JSON.stringify([{ number: hostile, [hostile]: hostile }]))
  const answers = (answers: Readonly<Record<string, string>>) => JSON.stringify({ version: 1, answers })
  write(
    "answers.json",
    answers({
      zone: "+02:00",
      "currency USD": "USD",
      "tax VAT155": "15.5",
      amounts: "exclusive",
      "buyers-without-number": "cash-sale",
      CSV_CONTROL_CHARACTER: "blank",
      "control-characters": "remove",
      "payment Till": "Cash",
      // Spelling with blanks instead of its control characters.
      [`payment ${hostile.replaceAll(/[\p{Cc}--[\n\r]]/gv, " ").trim()}`]: "Cash"
    })
  )
  write(
    "erpnext-like.answers.json",
    answers({
      zone: "+02:00",
      "currency USD": "USD",
      "currency EUR": "EUR",
      [`tax VAT - EX ${hostile}`]: "1",
      "tax Std - EX": "2",
      "tax Zero - EX": "2",
      rounding: "as-inclusive",
      charges: "as-line-taxed-like-lines",
      "control-characters": "remove",
      "product-codes": "85131000",
      "buyers-without-number": "cash-sale",
      "credit-reasons": `Returned ${hostile}`
    })
  )
  write("wrong.answers.json", answers({ zone: hostile, amounts: hostile, [hostile]: hostile }))
  write("adapter.mjs", `export default { kit: 1, name: ${JSON.stringify(hostile)} }`)
  write("broken.mjs", `throw new Error(${JSON.stringify(hostile)})`)
  return [
    file,
    "plain.csv",
    "till.csv",
    "book.json",
    "xlsx.json",
    ...Object.keys(exampleOf).map((kind) => `${kind}.json`),
    "body.json",
    "originals.json",
    "answers.json",
    "erpnext-like.answers.json",
    "wrong.answers.json",
    "adapter.mjs",
    "broken.mjs",
    "key",
    "secret",
    "account.json",
    "named.json"
  ]
}

/**
 * Creates a gateway with hostile texts. The first answers to submissions and status calls are
 * errors with the text.
 */
export const gateway = (hostile: string, folder: string) =>
  gatewayFor(folder, {
    account: {
      taxMappings: [...taxMappings, { taxCode: `VAT ${hostile}`, taxName: hostile, destinationTaxId: 515 }]
    },
    device: {
      taxpayerName: hostile,
      tradeName: hostile,
      deviceBranchName: hostile,
      modelName: hostile,
      serialNo: `SBX ${hostile}`,
      taxes: taxes.map((tax) => ({ ...tax, taxName: `${tax.taxName} ${hostile}` }))
    },
    gateway: {
      faults: [
        { kind: "reject", error: `RCPT026: ${hostile}`, documents: ["INV-5"] },
        {
          kind: "answer",
          operations: ["status"],
          status: 400,
          body: JSON.stringify({ Message: hostile, [hostile]: hostile }),
          times: 1
        }
      ]
    }
  })

/** Writes a configuration whose account has the hostile name and an address without a gateway. */
export const namedConfig = (hostile: string, folder: string) =>
  writeFileSync(
    join(folder, "named.json"),
    JSON.stringify({
      accounts: {
        [`main ${hostile}`]: {
          baseUrl: "http://127.0.0.1:9",
          application: "test",
          station: "test",
          keyFile: `key ${hostile}`,
          unknown: hostile,
          [hostile]: hostile
        }
      }
    }),
    { mode: 0o600 }
  )

/**
 * Records a closed fiscal day that a comparison found to differ; its text contains names of the
 * gateway.
 */
export const dayDiffers = (day: number, hostile: string, folder: string) => {
  const db = new DatabaseSync(join(folder, "fiscal-connector.db"))
  db.prepare("insert into fiscal_notice values ('counters', 'test/1001', 'DAY_DIFFERS', ?, ?, 1, 1)").run(
    String(day),
    hostile
  )
  db.close()
}
