/** `--sandbox`: a gateway of our own in this process, set up from the mapping book, gone when the command ends. */
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import { formatPlain } from "@fiscal-connector/core/document/Money"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as StorePlace from "@fiscal-connector/core/submission/StorePlace"
import type * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { DateTime, Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type { ChosenAccount } from "./ChosenAccount.ts"

/** What the sandbox prints for people, and `--sandbox` signs with: no secrets, since it listens on this machine only. */
const credentials = {
  name: "sandbox",
  key: "sandbox-key",
  secret: "sandbox-secret",
  application: "sandbox-application",
  station: "sandbox-station",
  device: 1001
}

/** The account of a sandbox that nobody configured. */
export const standard: SandboxConfig.Input = { accounts: [credentials] }

/** A sandbox for a book: its mappings, its device taxes as applicable taxes, its currencies as supported ones. */
export const configuration = (book: MappingBook): SandboxConfig.Input => ({
  accounts: [
    {
      ...credentials,
      taxMappings: uniqueBy(book.taxes, ({ code }) => code).map(({ code, device, name }) => ({
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
      deviceId: credentials.device,
      zone: DateTime.zoneToString(book.zone),
      taxes: deviceTaxes(book),
      supportedCurrencies: [...new Set(book.currencies.map(({ device }) => device))]
    }
  ]
})

/** For what is not set up from a book: the usual taxes and currencies, none of them mapped yet. */
export const unmapped = "unmapped"

/** An account at a sandbox of its own; 50 ms of processing. */
export const connect = Effect.fnUntraced(function* (book: MappingBook | typeof unmapped) {
  // loaded only where one is started, which spares every other command 0.15 s
  const Sandbox = yield* Effect.promise(() => import("@fiscal-connector/sandbox/Sandbox"))
  const own = book === unmapped ? standard : configuration(book)
  const { url } = yield* Sandbox.make({ ...own, processingDelayMillis: 50 })
  const gateway = yield* Gateway.make({
    account: "sandbox",
    baseUrl: url,
    application: credentials.application,
    station: credentials.station,
    apiKey: Redacted.make(credentials.key),
    secret: Redacted.make(credentials.secret)
  }).pipe(Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make()))
  const account: ChosenAccount = {
    settings: {
      account: "sandbox",
      environment: "sandbox",
      gateway,
      firstLook: "100 millis",
      ...(book !== unmapped && { zone: book.zone })
    },
    store: StorePlace.memory,
    witness: undefined,
    others: []
  }
  return account
})

/** A device tax is valid as long as any entry of the book that names it. */
const deviceTaxes = ({ taxes }: MappingBook) =>
  Array.from(
    Map.groupBy(taxes, ({ device }) => device),
    ([taxId, entries]) => {
      const { name, percent } = entries[0]!
      const since = entries.map((entry) => entry.since ?? "").toSorted()[0]
      const until = entries
        .map((entry) => entry.until ?? "9999")
        .toSorted()
        .at(-1)
      return {
        taxId,
        taxName: name,
        ...(percent !== null && { taxPercent: formatPlain(percent) }),
        ...(since && { taxValidFrom: since }),
        ...(until !== "9999" && until && { taxValidTill: until })
      }
    }
  )

const uniqueBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [key(item), item])).values()
]
