/** A gateway for tests that know promises. */
import type { ConnectOptions, FiscalConnector } from "@fiscal-connector/promise"
import type { FaultArguments, FaultName } from "./Fault.ts"
import type { Delivery, Receipt, TestDevice } from "./Receipt.ts"

/** Options of `testGateway`. */
export interface TestGatewayOptions {
  /** The mapping book's file, or what such a file has. The gateway maps its codes, and the device has its taxes and currencies. */
  readonly book: string | object
  /** The time at which the clock begins. Default: now. Give it where documents have fixed dates. */
  readonly now?: Date
  readonly device?: TestDevice
}

/** Takes a delivery as a webhook does: the very bytes, the headers; its answer has a status, as a `Response` does. */
export type Webhook = (
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>
) => Promise<{ readonly status: number }>

/** One account, `test`, on one device. All connectors of the gateway share a store in memory. */
export interface TestGateway extends AsyncDisposable {
  /** Options for `connect` of the promise package, for a job that connects by itself. */
  readonly options: ConnectOptions
  /**
   * Returns a connector to this gateway; it is closed with the gateway. Options that are given replace `options`, except `config`, `store`, `http`
   * and `clock`, so that a test may use this function in the place of `connect`.
   */
  connect(options?: Partial<ConnectOptions>): Promise<FiscalConnector>
  /**
   * Lets something go wrong: with the next submission, unless `options` says with what and how often. Throws where the fault is not valid.
   *
   *     gateway.fail("lose-answer")
   *     gateway.fail("error", { status: 429, retryAfter: "30", operations: ["status"], times: 2 })
   */
  fail<Name extends FaultName>(name: Name, ...options: FaultArguments<Name>): void
  /** Takes all faults back. */
  recover(): void
  /** Receipts of the device, in order. Two with the same id are a document that was fiscalised twice. */
  receipts(): ReadonlyArray<Receipt>
  /**
   * Delivers the outcomes that were not delivered yet to a webhook, signed as the gateway signs. First lets the time pass that it takes to process
   * what was accepted.
   *
   *     await gateway.deliver(fiscal.webhooks.receive)
   *     await gateway.deliver((body, headers) => POST(new Request("https://shop.test/fiscal", { method: "POST", body, headers })))
   */
  deliver(webhook: Webhook): Promise<ReadonlyArray<Delivery>>
  /** Returns the time of gateway and connectors. Time passes while a connector waits, and stands otherwise. */
  now(): Date
  /** Lets so many milliseconds pass. */
  advance(millis: number): Promise<void>
  /** Closes the fiscal day of the device. A red receipt keeps it open. */
  closeDay(): { readonly result: "closed" | "failed"; readonly message: string }
  /** Closes the connectors and ends the gateway, as `await using` does. */
  close(): Promise<void>
}
