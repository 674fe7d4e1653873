/**
 * Job that embeds core: sends a shop's sales through the gateway exactly once, regardless of how
 * often the job runs. docs/embed.md explains each step.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { adapter } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { SendingEngine, UndiciHttpClient } from "@fiscal-connector/core/node"
import { FiscalAccount } from "@fiscal-connector/core/sync"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Console, Effect, FileSystem, Layer, Logger, References, Stream } from "effect"

const sales = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total
S-1001,2026-03-02,USD,inclusive,Solar lamp,2,9.99,Standard,85131000,19.98
S-1002,2026-03-02,USD,inclusive,Hinge,3,3.50,Luxury,83021000,10.50`

const book = `{ "version": 1, "zone": "+02:00",
  "taxes": [{ "from": ["Standard"], "code": "VAT155", "device": 515, "percent": "15.5" }],
  "currencies": [{ "code": "USD", "device": "USD" }] }`

/**
 * Runs once; a repeated call sends nothing twice. Returns true only if every row of the export is
 * fiscalized and unchanged; use the value for the exit code.
 */
export const job = Effect.fn("job")(function* (csv = sales) {
  const shop = yield* FiscalAccount.FiscalAccount
  const readings = adapter.read({ files: [{ name: "sales.csv", bytes: Stream.make(Buffer.from(csv)) }] }, {})
  const { documents, ending, problems } = yield* shop.sync(readings)
  for (const { code, detail, message } of problems) yield* Console.log(`${code}: ${detail ?? message}`)
  for (const { findings, news, number, state, text, verificationCode } of documents) {
    const codes = findings.map(({ code }) => code)
    if (state === "Refused") yield* Console.log(`${number} refused, ${codes}`)
    else {
      const already = news === "known" ? " already" : verificationCode && `, verification code ${verificationCode}`
      yield* Console.log(
        [`${number} is ${state}${already ?? ""}`, ...codes, ...(text === null ? [] : [text])].join(", ")
      )
    }
  }
  return ending === "done"
})

/** The account of the files in the folder. Opening it checks all that protects the fiscal day. */
export const shopIn = (folder: string) =>
  FiscalAccount.layer({ account: "shop", config: `${folder}/accounts.json`, book: `${folder}/shop.book.json` }).pipe(
    Layer.provide(SendingEngine.layer({ _tag: "File", file: `${folder}/submissions.db` })),
    Layer.provide(UndiciHttpClient.layer())
  )

/**
 * Starts a local gateway in place of the account's, so that the example can run, and writes the
 * files of the account.
 */
const gatewayToTry = Effect.fn("gatewayToTry")(function* (folder: string) {
  const { url } = yield* Sandbox.make({
    processingDelayMillis: 50,
    accounts: [
      {
        key: "shop-key",
        device: 1001,
        taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
        currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
      }
    ]
  })
  const shop = { baseUrl: url, application: "shop", station: "till-1", keyFile: "key", assumptions: { "STAT-7": 1 } }
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(`${folder}/key`, "shop-key", { mode: 0o600 })
  yield* fs.writeFileString(`${folder}/accounts.json`, JSON.stringify({ accounts: { shop } }))
  yield* fs.writeFileString(`${folder}/shop.book.json`, book)
})

const program = Effect.gen(function* () {
  const folder = yield* FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "job-" }))
  yield* gatewayToTry(folder)
  yield* Effect.gen(function* () {
    yield* job()
    yield* Console.log("The same again:")
    yield* job()
  }).pipe(Effect.provide(shopIn(folder)))
}).pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  // the job prints results to stdout; the log, with items for an operator, goes to stderr
  Effect.provideService(Logger.LogToStderr, true),
  Effect.provideService(References.MinimumLogLevel, "Warn")
)

if (process.argv[1] === import.meta.filename) await Effect.runPromise(program)
