/** Our own gateway on the loopback address, with the settings of a connector to it. */
import { assert } from "@effect/vitest"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { type AccountSettings, FiscalConnectorError, type InvoiceInput } from "@fiscal-connector/promise"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buyer, key, secret } from "../../core/test/leak/Planted.ts"
import { watchErrors } from "../../core/test/leak/Watched.ts"

watchErrors(FiscalConnectorError)

export const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}

/** Provides a gateway with the account `shop`, and a temporary folder. */
export const gateway = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 20,
    accounts: [
      {
        key,
        secret,
        device: 1001,
        taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
        currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
      }
    ]
  })
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "promise-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const config: AccountSettings = {
    baseUrl: sandbox.url,
    application: "shop",
    station: "till-1",
    apiKey: key,
    secret,
    settings: { assumptions: { "STAT-7": 0.1 } }
  }
  return { sandbox, folder, config, store: { sqlite: join(folder, "shop.db") } }
})

export type Given = Effect.Success<typeof gateway>

/** Returns the receipts of the gateway. */
export const receipts = ({ sandbox }: Given) => Effect.runPromise(sandbox.control.receipts)

/** Returns the error that ends the work. */
export const failure = async (work: Promise<unknown>): Promise<FiscalConnectorError> => {
  try {
    await work
  } catch (error) {
    assert.instanceOf(error, FiscalConnectorError)
    return error
  }
  return assert.fail("it should have failed")
}

/** Writes the account and the book as files of the folder, like a recipe. */
export const writeFiles = ({ config, folder }: Given): void => {
  const { apiKey, secret, settings, ...account } = config
  writeFileSync(join(folder, "key"), apiKey, { mode: 0o600 })
  writeFileSync(join(folder, "secret"), secret!, { mode: 0o600 })
  const shop = { ...account, ...settings, keyFile: "key", secretFile: "secret" }
  writeFileSync(join(folder, "accounts.json"), JSON.stringify({ accounts: { shop } }))
  writeFileSync(join(folder, "shop.book.json"), JSON.stringify(book))
}

/** Returns an invoice of 19.98 that the book can send. */
export const invoice = (number: string, changes: Partial<InvoiceInput> = {}): InvoiceInput => ({
  kind: "invoice",
  id: number,
  number,
  date: "2026-03-02",
  currency: "USD",
  taxMode: "inclusive",
  buyer: { name: buyer, tin: "1234567890" },
  lines: [
    { description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }
  ],
  totals: { total: "19.98" },
  ...changes
})
