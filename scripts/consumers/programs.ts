/** Test programs of a package user: as ES module, as CommonJS, and in strict TypeScript. */

/** Job with the facade, in syntax common to both module systems. */
const job = `
const options = (url, folder) => ({
  account: "shop",
  config: { baseUrl: url, application: "shop", station: "till-1", apiKey: "shop-key", settings: { assumptions: { "STAT-7": 1 } } },
  book: {
    version: 1,
    zone: "+02:00",
    taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
    currencies: [{ code: "USD", device: "USD" }]
  },
  store: { sqlite: folder + "/shop.db" }
})
const invoice = {
  kind: "invoice", id: "S-1", number: "S-1", date: "2026-03-02", currency: "USD", taxMode: "inclusive",
  lines: [{ description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
  totals: { total: "19.98" }
}
const account = {
  key: "shop-key", device: 1001,
  taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}
const run = async (folder) => {
  const refused = await connect({ ...options("http://127.0.0.1:1", folder), book: {} }).catch((error) => error)
  if (!(refused instanceof FiscalConnectorError)) throw new Error("another class: " + refused)
  if (refused.code !== "book_invalid") throw new Error("another code: " + refused.code)
  const program = Effect.gen(function* () {
    const { url } = yield* Sandbox.make({ processingDelayMillis: 20, accounts: [account] })
    const fiscal = yield* Effect.promise(() => connect(options(url, folder)))
    const { results } = yield* Effect.promise(() => fiscal.sync([invoice]))
    yield* Effect.promise(() => fiscal[Symbol.asyncDispose]())
    return results[0].status
  })
  console.log(await Effect.runPromise(Effect.scoped(program)))
}
`

/** Texts by file name. */
export const programs: Readonly<Record<string, string>> = {
  "esm.mjs": `import { connect, FiscalConnectorError } from "@fiscal-connector/promise"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
${job}
await run(process.argv[2])
`,
  "cjs.cjs": `const { connect, FiscalConnectorError } = require("@fiscal-connector/promise")
const Sandbox = require("@fiscal-connector/sandbox/Sandbox")
const { Effect } = require("effect")
${job}
import("@fiscal-connector/promise")
  .then((imported) => {
    if (imported.FiscalConnectorError !== FiscalConnectorError) throw new Error("require and import give two classes")
  })
  .then(() => run(process.argv[2]))
`,
  // modules that the README's job imports as its own
  "shop.js": `export const saved = []
export const openInvoices = () => [
  { kind: "invoice", id: "S-1", number: "S-1", date: "2026-03-02", currency: "USD", taxMode: "inclusive",
    lines: [{ description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
    totals: { total: "19.98" } }
]
export const save = (id, verificationCode) => void saved.push(id, typeof verificationCode)
`,
  "shop.d.ts": `import type { DocumentInput } from "@fiscal-connector/promise"
export const openInvoices: () => ReadonlyArray<DocumentInput>
export const save: (id: string, verificationCode: string | null, qrCodeUrl: string | null) => void
`,
  // runs a job of a README as printed, named as argument, with a sandbox and the files that the job
  // names
  "readme.mjs": `import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { saved } from "./shop.js"
const write = (name, text) => writeFileSync(name, text, { mode: 0o600 })
const mapped = {
  taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}
const program = Effect.gen(function* () {
  const accounts = [{ key: "shop-key", secret: "the secret of the shop", device: 1001, ...mapped }]
  const { url } = yield* Sandbox.make({ processingDelayMillis: 20, accounts })
  write("key", "shop-key")
  write("secret", "the secret of the shop")
  const shop = {
    baseUrl: url, application: "shop", station: "till-1", keyFile: "key", secretFile: "secret", assumptions: { "STAT-7": 1 }
  }
  write("accounts.json", JSON.stringify({ accounts: { shop } }))
  write("shop.book.json", JSON.stringify({
    version: 1,
    zone: "+02:00",
    taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
    currencies: [{ code: "USD", device: "USD" }]
  }))
  yield* Effect.promise(() => import("./" + process.argv[2]))
})
await Effect.runPromise(Effect.scoped(program))
console.log(saved.join(" "), process.exitCode)
`,
  // with all checks of declarations: the facade's declarations import nothing that a job would have
  // to install
  "facade.ts": `import { connect, type ConnectOptions, type DocumentInput, FiscalConnectorError } from "@fiscal-connector/promise"
export const job = async (options: ConnectOptions, documents: ReadonlyArray<DocumentInput>): Promise<ReadonlyArray<string>> => {
  const fiscal = await connect(options)
  try {
    return (await fiscal.sync(documents)).results.map(({ number, status }) => \`\${number} \${status}\`)
  } catch (error) {
    return error instanceof FiscalConnectorError ? [error.code] : []
  } finally {
    await fiscal[Symbol.asyncDispose]()
  }
}
// @ts-expect-error decimals are texts
export const wrong: NonNullable<DocumentInput["totals"]> = { total: 19.98 }
`,
  "testing.ts": `import type { FiscalConnector, InvoiceInput } from "@fiscal-connector/promise"
import { type Receipt, testGateway } from "@fiscal-connector/testing"
const now = new Date("2026-03-02T12:00:00+02:00")
const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}
const invoice: InvoiceInput = {
  kind: "invoice", id: "S-1", number: "S-1", date: "2026-03-02", currency: "USD", taxMode: "inclusive",
  lines: [{ description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
  totals: { total: "19.98" }
}
const states = async (fiscal: FiscalConnector) => (await fiscal.sync([invoice])).results.map(({ status }) => status)
const run = async (): Promise<void> => {
  const gateway = await testGateway({ book, now })
  const fiscal = await gateway.connect()
  gateway.fail("lose-answer")
  const before = await states(fiscal)
  await gateway.advance(60_000)
  const receipts: ReadonlyArray<Receipt> = gateway.receipts()
  const [delivery] = await gateway.deliver(fiscal.webhooks.receive)
  console.log(...before, receipts.length, delivery?.answer)
  await gateway.close()
  // @ts-expect-error no such fault
  const wrong = () => gateway.fail("explode")
  void wrong
}
void run()
`,
  "effect.ts": `import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { Session } from "@fiscal-connector/core/session"
import type { FiscalConnector } from "@fiscal-connector/promise"
import * as TestGateway from "@fiscal-connector/testing/TestGateway"
export const names: ReadonlyArray<string> = [csv.name, xlsx.name, xeroLike.name]
export const doors = { defineAdapter, layer: TestGateway.layer({ book: {} }), plan: Session.plan }
export const exports = (fiscal: FiscalConnector) => [
  fiscal.sync({ adapter: csv, files: ["sales.csv"], options: { settings: { dates: "dmy" } } }),
  fiscal.plan({ adapter: xlsx, files: ["sales.xlsx"] }),
  fiscal.registerOriginals({ adapter: xeroLike, files: ["old.json"], options: { productCode: "item-code" } })
]
`
}

/**
 * Job that sends a new adapter's documents. Arguments: address of the gateway, folder of the
 * fixtures, file of the store.
 */
export const jobByName = `import { connect } from "@fiscal-connector/promise"
import acme from "fiscal-adapter-acme"
const [baseUrl, fixtures, sqlite] = process.argv.slice(2)
const config = {
  baseUrl, application: "sandbox-application", station: "sandbox-station", apiKey: "sandbox-key", secret: "sandbox-secret",
  settings: { assumptions: { "STAT-7": 1 } }
}
const fiscal = await connect({ account: "shop", config, book: fixtures + "/book.json", store: { sqlite } })
const files = ["march", "april"].map((month) => fixtures + "/two-files/" + month + ".json")
const { results } = await fiscal.sync({ adapter: acme, files })
const sent = results.filter(({ status }) => status !== "skipped")
console.log(sent.map(({ number, status }) => number + " " + status).toSorted().join(", "))
await fiscal.close()
`
