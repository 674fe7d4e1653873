/**
 * Translates fixtures by a mapping book, checks them, and has a sandbox gateway fiscalize them
 * without a validation color.
 */
import { type Adapter, Finding, Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { StatusPoller, Submitter } from "@fiscal-connector/core/worker"
import { Gateway } from "@fiscal-connector/core/gateway"
import { BookFile, type MappingBook } from "@fiscal-connector/core/book"
import { SqliteStaging, SqliteStore, UndiciHttpClient } from "@fiscal-connector/core/node"
import { Session } from "@fiscal-connector/core/session"
import { DateTime, Effect, Layer, Redacted, References, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { type AdapterCheck, fail } from "./Check.ts"
import type { Fixture } from "./Fixture.ts"

const credentials = { key: "conformance", application: "conformance", station: "conformance", secret: "conformance" }

/** Returns a sandbox configuration with the taxes, currencies and zone of a mapping book. */
export const sandboxOf = (book: MappingBook.MappingBook) => ({
  processingDelayMillis: 1,
  accounts: [
    {
      ...credentials,
      name: "conformance",
      device: 1,
      taxMappings: [...new Map(book.taxes.map((tax) => [tax.code, tax])).values()].map(({ code, device, name }) => ({
        taxCode: code,
        taxName: name,
        destinationTaxId: device
      })),
      currencyMappings: book.currencies.map(({ code, device }) => ({
        sourceCurrency: code,
        destinationCurrency: device
      }))
    }
  ],
  devices: [
    {
      deviceId: 1,
      // documents of a fixture may be months apart; the length of a fiscal day is not the adapter's
      // concern
      taxPayerDayMaxHrs: 1_000_000,
      zone: DateTime.zoneToString(book.zone),
      taxes: [...new Map(book.taxes.map((tax) => [tax.device, tax])).values()].map(({ device, name, percent }) => ({
        taxId: device,
        taxName: name,
        ...(percent !== null && { taxPercent: Money.formatPlain(percent) })
      })),
      supportedCurrencies: [...new Set(book.currencies.map(({ device }) => device))]
    }
  ]
})

const engine = Layer.mergeAll(Submitter.layer(), StatusPoller.layer, SqliteStaging.layerMemory).pipe(
  Layer.provideMerge(SqliteStore.layer({ filename: ":memory:" }))
)

const roundTrip = <Options>(
  adapter: Adapter.Adapter<Options>,
  { input, name, options }: Fixture<Options>,
  book: MappingBook.MappingBook
) =>
  Effect.gen(function* () {
    const Sandbox = yield* Effect.promise(() => import("@fiscal-connector/sandbox/Sandbox"))
    const { control, url } = yield* Sandbox.make(sandboxOf(book))
    const gateway = yield* Gateway.make({
      account: "conformance",
      baseUrl: url,
      application: credentials.application,
      station: credentials.station,
      apiKey: Redacted.make(credentials.key),
      secret: Redacted.make(credentials.secret)
    }).pipe(Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make()))
    const account = yield* Session.open({
      account: "conformance",
      environment: "sandbox",
      gateway,
      firstLook: "10 millis",
      zone: book.zone
    })
    const unreadable = new Set<string>()
    let documents = 0
    const readings = Stream.tap(
      Stream.suspend(() => adapter.read(input, options)),
      (reading) =>
        Effect.sync(() => {
          if (reading._tag !== "SourceDocument") return
          documents++
          if (reading.findings.some(Finding.refuses)) unreadable.add(nameOf(reading))
        })
    )
    const planned = yield* Session.plan(account, { readings, book })
    const consent = yield* Session.consent(account, planned, { whenLate: "send-rest" })
    const { accepted } = yield* Session.report(Session.send(consent))
    let fiscalised = 0
    for (const document of (yield* Stream.runCollect(
      Session.documents(planned.plan, accepted, account.account)
    )).flat()) {
      const { findings, id, kind, number, state, text } = document
      if (state === "Fiscalised") fiscalised++
      // skips documents that the adapter could not read, and documents that the export marks as
      // skipped
      if (state === "Fiscalised" || state === "Skipped" || unreadable.has(nameOf({ kind: kind!, id: id! }))) continue
      const refusing = findings.find(Finding.refuses)
      if (refusing === undefined)
        return yield* fail(`${name}: ${number} is ${state}, and not fiscalised: ${text ?? "no reason is stated"}`)
      const { code, fix, message } = refusing
      return yield* fail(`${name}: ${number} is refused, ${code}: ${message}. ${fix}`)
    }
    if (fiscalised === 0 && unreadable.size < documents)
      return yield* fail(`${name}: none of its documents was fiscalised`)
    const [colored] = yield* control.coloured
    if (colored === undefined) return
    return yield* fail(`${name}: the device marks a receipt: ${JSON.stringify(colored.marks).slice(0, 200)}`)
  })

const nameOf = ({ id, kind }: Pick<SourceDocument.SourceDocument, "id" | "kind">): string => `${kind} ${id}`

/**
 * Checks that every readable document of the fixtures is fiscalized with the mapping book. `text`
 * is the book's content; `file` names the book in messages.
 */
export const check = <Options>(
  adapter: Adapter.Adapter<Options>,
  fixtures: ReadonlyArray<Fixture<Options>>,
  file: string,
  text: string
): AdapterCheck => ({
  name: "passes the round trip to receipts without a color",
  check: Effect.gen(function* () {
    const book = yield* BookFile.load(file, text)
    // each fixture has a separate store, so that one fixture's documents cannot make another
    // fixture's documents late
    for (const fixture of fixtures)
      yield* Effect.provide(Effect.scoped(roundTrip(adapter, fixture, book)), engine, { local: true })
  }).pipe(
    // suppress the log of fiscalized documents: the check only reports failures
    Effect.provideService(References.MinimumLogLevel, "Warn"),
    Effect.catchIf(
      (error) => error._tag !== "NotHeld" && error._tag !== "AdapterError",
      (error) => fail(error.message)
    )
  )
})
