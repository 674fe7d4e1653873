/** Account for `--sandbox`: a gateway in this process that ends with the command. */
import { Gateway } from "@fiscal-connector/core/gateway"
import { Money } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import { UndiciHttpClient } from "@fiscal-connector/core/node"
import { StorePlace } from "@fiscal-connector/core/store"
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

export const standard: SandboxConfig.Input = { accounts: [credentials] }

export const configuration = Effect.fnUntraced(function* (
  book: MappingBook.MappingBook
): Effect.fn.Return<SandboxConfig.Input> {
  const { device, mappings } = yield* Effect.promise(() => import("@fiscal-connector/sandbox/BookConfig"))
  const entries: BookConfig.BookEntries = {
    zone: DateTime.zoneToString(book.zone),
    taxes: book.taxes.map(({ percent, ...tax }) => ({
      ...tax,
      percent: percent === null ? null : Money.formatPlain(percent)
    })),
    currencies: book.currencies
  }
  return {
    accounts: [{ ...credentials, ...mappings(entries) }],
    devices: [{ deviceId: credentials.device, ...device(entries) }]
  }
})

export const unmapped = "unmapped"

/**
 * Starts a sandbox and returns an account for it. The sandbox takes 50 ms to process a document.
 */
export const connect = Effect.fnUntraced(function* (book: MappingBook.MappingBook | typeof unmapped) {
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
