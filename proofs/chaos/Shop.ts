/** Accounting system whose export grows and is corrected during the imports. */
import type { Random } from "../Random.ts"
import type { Account } from "./ChaosWorld.ts"

export interface ShopDocument {
  readonly kind: "invoice" | "credit-note"
  readonly number: string
  readonly date: string
  readonly original: string | null
  /** All totals ever stated, in cents; the last one is the latest. */
  readonly totals: Array<number>
}

const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,OriginalInvoice,Reason"

const local = (at: Date) => new Date(at.getTime() + 2 * 3_600_000).toISOString()
const price = (cents: number) => (cents / 100).toFixed(2)

export interface Shop {
  readonly account: Account
  readonly documents: ReadonlyArray<ShopDocument>
  /** Issues the next document, and sometimes corrects an earlier one. Returns the action. */
  readonly trade: () => "issued" | "issued and corrected"
  /** Returns the export of the latest documents, at least `extent` of them, or all. */
  readonly export: (extent: number | "all") => string
}

/** Creates a shop. `main` and `solo` state the time of a sale, `till` only the day. */
export const make = (account: Account, random: Random): Shop => {
  const documents: Array<ShopDocument> = []
  const credited = new Set<string>()
  const issue = () => {
    const now = local(new Date())
    const date = account === "till" ? now.slice(0, 10) : `${now.slice(0, 19)}+02:00`
    const number = `${account.toUpperCase()}-${documents.length + 1}`
    const invoices = documents.slice(-25).filter(({ kind, number }) => kind === "invoice" && !credited.has(number))
    if (account !== "solo" && invoices.length > 3 && random.chance(0.1)) {
      const original = random.pick(invoices).number
      credited.add(original)
      documents.push({ kind: "credit-note", number, date, original, totals: [random.between(100, 900)] })
    } else documents.push({ kind: "invoice", number, date, original: null, totals: [random.between(1000, 9000)] })
  }
  const row = ({ date, kind, number, original, totals }: ShopDocument) =>
    [
      kind === "invoice" ? "invoice" : "credit note",
      number,
      date,
      "USD",
      "inclusive",
      "Lamp",
      "1",
      price(totals.at(-1)!),
      "Standard",
      "85131000",
      ...(original === null ? ["", ""] : [original, "Returned"])
    ].join(",")
  return {
    account,
    documents,
    trade: () => {
      issue()
      if (!random.chance(0.15)) return "issued"
      const corrected = random.pick(documents.slice(-20))
      corrected.totals.push(corrected.kind === "invoice" ? random.between(1000, 9000) : random.between(100, 900))
      return "issued and corrected"
    },
    export: (extent) => [header, ...documents.slice(extent === "all" ? 0 : -extent).map(row), ""].join("\n")
  }
}
