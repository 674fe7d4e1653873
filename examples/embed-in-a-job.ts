/**
 * Job that embeds core: sends a shop's sales through the gateway exactly once, regardless of how
 * often the job runs. docs/embed.md explains each step.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { adapter } from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as ConfiguredAccount from "@fiscal-connector/core/connector/ConfiguredAccount"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import * as Session from "@fiscal-connector/core/session/Session"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Console, Effect, FileSystem, Layer, Logger, References, Stream } from "effect"

const sales = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total
S-1001,2026-03-02,USD,inclusive,Solar lamp,2,9.99,Standard,85131000,19.98
S-1002,2026-03-02,USD,inclusive,Hinge,3,3.50,Luxury,83021000,10.50`

const bookText = `{ "version": 1, "zone": "+02:00",
  "taxes": [{ "from": ["Standard"], "code": "VAT155", "device": 515, "percent": "15.5" }],
  "currencies": [{ "code": "USD", "device": "USD" }] }`

/**
 * Runs once; a repeated call sends nothing twice. `open` checks everything that protects the fiscal
 * day, or fails with the reason. Returns true only if every row of the export is fiscalized and
 * unchanged; use the value for the exit code.
 */
export const job = Effect.fn("job")(function* (configuration: string, given = { book: bookText, sales }) {
  const book = yield* BookFile.load("shop.book.json", given.book)
  const account = yield* ConfiguredAccount.open(configuration, "shop", { zone: book.zone })
  const readings = adapter.read({ files: [{ name: "sales.csv", bytes: Stream.make(Buffer.from(given.sales)) }] }, {})
  const { plan, ...planned } = yield* Session.plan(account, { readings, book })
  const consent = yield* Session.consent(account, { plan, ...planned }, { whenLate: "send-rest" })
  const { accepted } = yield* Session.report(Session.send(consent))
  let isAll = !plan.unattached.some(Finding.refuses)
  for (const finding of plan.unattached) yield* Console.log(`${finding.code}: ${finding.detail ?? finding.message}`)
  const documents = yield* Stream.runCollect(Session.documents(plan, accepted, account.account))
  for (const { findings, news, number, said, state, verificationCode } of documents.flat()) {
    const codes = findings.map(({ code }) => code)
    if (state !== "Fiscalised" || codes.includes("DIFFERS_FROM_SENT")) isAll = false
    if (state === "Refused") yield* Console.log(`${number} refused, ${codes}`)
    else {
      const already = news === "known" ? " already" : verificationCode && `, verification code ${verificationCode}`
      yield* Console.log(
        [`${number} is ${state}${already ?? ""}`, ...codes, ...(said === null ? [] : [said])].join(", ")
      )
    }
  }
  return isAll
})

/**
 * Starts a local gateway in place of the account's, so that the example can run. Returns the path
 * of its configuration.
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
  return `${folder}/accounts.json`
})

const program = Effect.gen(function* () {
  const folder = yield* FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "job-" }))
  const engine = Layer.mergeAll(Submitter.layer(), StatusPoller.layer, SqliteStaging.layer).pipe(
    Layer.provideMerge(SqliteStore.layer({ filename: `${folder}/submissions.db` }))
  )
  const configuration = yield* gatewayToTry(folder)
  const run = job(configuration).pipe(Effect.scoped, Effect.provide(engine))
  yield* run
  yield* Console.log("The same again:")
  yield* run
}).pipe(
  Effect.scoped,
  Effect.provide([UndiciHttpClient.layer(), NodeServices.layer]),
  // the job prints results to stdout; the log, with items for an operator, goes to stderr
  Effect.provideService(Logger.LogToStderr, true),
  Effect.provideService(References.MinimumLogLevel, "Warn")
)

if (process.argv[1] === import.meta.filename) await Effect.runPromise(program)
