/**
 * Job for cron with promises: sends sales and writes down the results. Safe to run any number of
 * times, and to kill at any time.
 */
import { connect, type InvoiceInput } from "@fiscal-connector/promise"
import { appendFileSync } from "node:fs"

/** A sale from a shop's database. */
export interface Sale {
  readonly id: number
  readonly day: string
  readonly article: string
  readonly pieces: string
  readonly price: string
}

const toDocument = ({ article, day, id, pieces, price }: Sale): InvoiceInput => ({
  kind: "invoice",
  id: String(id),
  number: `S-${id}`,
  date: day,
  currency: "USD",
  taxMode: "inclusive",
  lines: [{ description: article, quantity: pieces, unitPrice: price, taxCode: "Standard", productCode: "85131000" }]
})

/** Sends the sales. `folder` contains accounts.json and shop.book.json, and the store. */
export const job = async (folder: string, sales: ReadonlyArray<Sale>): Promise<void> => {
  await using fiscal = await connect({
    account: "shop",
    config: `${folder}/accounts.json`,
    book: `${folder}/shop.book.json`,
    store: { sqlite: `${folder}/shop.db` }
  })
  for (const result of (await fiscal.sync(sales.map(toDocument))).results) {
    const { because, id, number, problems, status, verificationCode } = result
    if (status === "fiscalised") appendFileSync(`${folder}/codes.txt`, `${id} ${verificationCode}\n`)
    else console.error(number, status, because ?? problems.map(({ message }) => message).join("; "))
  }
}
