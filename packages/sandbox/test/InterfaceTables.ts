/**
 * Reads interface-tables.md as data: the operations, fields and limits that the coverage test
 * needs.
 */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Field {
  readonly name: string
  /** Text beside the name, such as `date-time, nullable`. */
  readonly type: string
}

export interface Operation {
  readonly name: string
  readonly method: string
  /** Path; undefined if not shown. */
  readonly path: string | undefined
  /** Complete row. */
  readonly cells: ReadonlyArray<string>
}

/** Sections by the first words of their headings: `Z-Report Summary`, `Limits`. */
const sections = new Map(
  readFileSync(join(import.meta.dirname, "interface-tables.md"), "utf8")
    .split(/^#+ /m)
    .map((section) => [/^[^(\n]*/.exec(section)![0].trim(), section] as const)
)

const sectionOf = (title: string): string =>
  sections.get(title) ?? assert.fail(`interface-tables.md has no section ${title}`)

/** Returns the rows of a section's table, without its head. */
export const rows = (title: string): ReadonlyArray<ReadonlyArray<string>> =>
  sectionOf(title)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )

/** Reads a list such as `Id (integer), Quantity (integer)`. */
const listed = (text: string): ReadonlyArray<Field> =>
  Array.from(text.matchAll(/(\w+) \(([^)]*)\)/g), ([, name = "", type = ""]) => ({ name, type }))

const table = (title: string): ReadonlyArray<Field> => rows(title).map(([name = "", type = ""]) => ({ name, type }))

/** Reads a resource written in one text line: `SubscriptionItem: Id (integer), …`. */
const inline = (title: string, name: string): ReadonlyArray<Field> =>
  listed(new RegExp(`^${name}: (.*)$`, "m").exec(sectionOf(title))?.[1] ?? "")

/** Resources of answers. */
export const answered = {
  Profile: table("Profile"),
  FiscalDevice: table("FiscalDevice"),
  DeviceConfig: table("DeviceConfig"),
  ApplicableTax: inline("DeviceConfig", "ApplicableTax"),
  Subscription: table("Subscription"),
  SubscriptionItem: inline("Subscription", "SubscriptionItem"),
  TaxMapping: table("TaxMapping"),
  CurrencyMapping: table("CurrencyMapping"),
  StatusRequest: table("StatusRequest"),
  "Z-Report": table("Z-Report"),
  "Z-Report Summary": table("Z-Report Summary"),
  "Paged result": table("Paged result")
}

const invoice = table("Invoice")
const creditNoteAlone = new Set(table("CreditNote").map(({ name }) => name))
const invoiceAlone = new Set(["InvoiceId", "InvoiceNumber"])

/** Resources of requests. */
export const requested = {
  Invoice: invoice,
  CreditNote: [
    ...table("CreditNote"),
    ...invoice.filter(({ name }) => !invoiceAlone.has(name) && !creditNoteAlone.has(name))
  ],
  BuyerContact: table("BuyerContact"),
  Address: listed(table("BuyerContact").find(({ name }) => name === "Address")?.type ?? ""),
  LineItem: table("LineItem")
}

/**
 * Fields that the credit note shares with the invoice, as listed in the document's own sentence.
 */
export const sharedFields = /The remaining fields are (.*), with/.exec(sectionOf("CreditNote"))![1]!.split(/, | and /)

const shown = ["Account", "Transactions", "Reports", "Tax mappings", "Currency mappings"].flatMap((title) =>
  rows(title).map((cells): Operation => {
    const [name = "", place = ""] = cells
    const [method = "", path] = place.split(" ")
    return { name, method, path, cells }
  })
)

const notShown = Array.from(
  sectionOf("Operations whose details are not shown").matchAll(/^- ([^(]*) \((\w+)/gm),
  ([, name = "", method = ""]): Operation => ({ name, method, path: undefined, cells: [] })
)

export const operations = [...shown, ...notShown]

export const headers = rows("Authentication").map(([name = ""]) => name)
export const errors = rows("Errors").map(([condition = ""]) => condition)
export const limits = rows("Limits").map(([limit = ""]) => limit)
export const reportParameters = /query: ([^|]*)/.exec(sectionOf("Reports"))![1]!.trim().split(", ")
