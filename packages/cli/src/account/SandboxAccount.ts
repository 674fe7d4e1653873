/** `--sandbox`: a gateway of our own in this process, set up from the mapping book, gone when the command ends. */
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

/** For what is not set up from a book: the usual taxes and currencies, none of them mapped yet. */
export const unmapped = "unmapped"

/** An account at a sandbox of its own; 50 ms of processing. */
export const connect = Effect.fnUntraced(function* (book: MappingBook | typeof unmapped) {
  // loaded only where one is started, which spares every other command 0.15 s
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
