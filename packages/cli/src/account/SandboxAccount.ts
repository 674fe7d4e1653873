/**
 * Account for `--sandbox`: a gateway in this process, set up from the mapping book, that ends with
 * the command.
 */
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import { formatPlain } from "@fiscal-connector/core/document/Money"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as StorePlace from "@fiscal-connector/core/submission/StorePlace"
import type * as BookConfig from "@fiscal-connector/sandbox/BookConfig"
import type * as SandboxConfig from "@fiscal-connector/sandbox/SandboxConfig"
import { DateTime, Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type { ChosenAccount } from "./ChosenAccount.ts"

/**
 * Credentials that the sandbox prints and `--sandbox` signs with. They are not secret: the sandbox
 * listens on this machine only.
 */
const credentials = {
  name: "sandbox",
  key: "sandbox-key",
  secret: "sandbox-secret",
  application: "sandbox-application",
  station: "sandbox-station",
  device: 1001
}

/** Configuration of a sandbox without a configuration file. */
export const standard: SandboxConfig.Input = { accounts: [credentials] }

/**
 * Returns a sandbox configuration for a book: its mappings, its device taxes as applicable taxes,
 * its currencies as supported ones.
 */
export const configuration = Effect.fnUntraced(function* (book: MappingBook): Effect.fn.Return<SandboxConfig.Input> {
  const { device, mappings } = yield* Effect.promise(() => import("@fiscal-connector/sandbox/BookConfig"))
  const entries: BookConfig.BookEntries = {
    zone: DateTime.zoneToString(book.zone),
    taxes: book.taxes.map(({ percent, ...tax }) => ({
      ...tax,
      percent: percent === null ? null : formatPlain(percent)
    })),
    currencies: book.currencies
  }
  return {
    accounts: [{ ...credentials, ...mappings(entries) }],
    devices: [{ deviceId: credentials.device, ...device(entries) }]
  }
})

/** Marks a sandbox without a book: the usual taxes and currencies, without mappings. */
export const unmapped = "unmapped"

/**
 * Starts a sandbox and returns an account for it. The sandbox takes 50 ms to process a document.
 */
export const connect = Effect.fnUntraced(function* (book: MappingBook | typeof unmapped) {
  // loaded only when a sandbox is started, which saves every other command 0.15 s
  const Sandbox = yield* Effect.promise(() => import("@fiscal-connector/sandbox/Sandbox"))
  const own = book === unmapped ? standard : yield* configuration(book)
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
