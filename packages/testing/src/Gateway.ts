import type { ConnectOptions, FiscalConnector } from "@fiscal-connector/promise"
import type { FaultArguments, FaultName } from "./Fault.ts"
import type { Delivery, Receipt, TestDevice } from "./Receipt.ts"

/** Options of `testGateway`. */
export interface TestGatewayOptions {
  /**
   * Path of the mapping book, or the book's content as an object. The gateway maps the book's
   * codes, and the device has its taxes and currencies.
   */
  readonly book: string | object
  /** Start time of the clock. Default: now. Set the time if documents have fixed dates. */
  readonly now?: Date
  readonly device?: TestDevice
}

/**
 * Receiver of a delivery, like a webhook: takes the exact bytes and the headers, and returns an
 * answer with a status, such as a `Response`.
 */
export type Webhook = (
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>
) => Promise<{ readonly status: number }>

/**
 * A gateway with one account, `test`, on one device. All connectors of the gateway share a store in
 * memory.
 */
export interface TestGateway extends AsyncDisposable {
  /** Options for `connect` of the promise package, for a job that makes its own connector. */
  readonly options: ConnectOptions
  /**
   * Returns a connector to this gateway. The connector is closed with the gateway. Given options
   * override `options`, except `config`, `store`, `http` and `clock`, so that a test may pass this
   * function instead of `connect`.
   */
  connect(options?: Partial<ConnectOptions>): Promise<FiscalConnector>
  /**
   * Injects a fault into the next submission, or into the requests that `options` names. Throws if
   * the fault is not valid.
   *
   *     gateway.fail("lose-answer")
   *     gateway.fail("error", { status: 429, retryAfter: "30", operations: ["status"], times: 2 })
   */
  fail<Name extends FaultName>(name: Name, ...options: FaultArguments<Name>): void
  recover(): void
  /**
   * Receipts of the device, in order. Two receipts with the same id mean a document that was
   * fiscalized twice.
   */
  receipts(): ReadonlyArray<Receipt>
  /**
   * Delivers the pending outcomes to a webhook, with the gateway's signature. First advances the
   * clock by the processing time of accepted documents.
   *
   *     await gateway.deliver(fiscal.webhooks.receive)
   *     await gateway.deliver((body, headers) =>
   *       POST(new Request("https://shop.test/fiscal", { method: "POST", body, headers })))
   */
  deliver(webhook: Webhook): Promise<ReadonlyArray<Delivery>>
  /**
   * Returns the time of the gateway and its connectors. Time passes while a connector waits, and
   * stops otherwise.
   */
  now(): Date
  /** Advances the time by `millis` milliseconds. */
  advance(millis: number): Promise<void>
  /** Closes the fiscal day of the device. A red receipt prevents the close. */
  closeDay(): { readonly result: "closed" | "failed"; readonly message: string }
  /** Closes the connectors and stops the gateway, like `await using`. */
  close(): Promise<void>
}
