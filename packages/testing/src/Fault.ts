/**
 * Faults of the gateway by name, as plain values: failures of the next request, answer or delivery.
 */

/** Operations of the gateway. */
export type Operation =
  | "profile"
  | "fiscalDevice"
  | "subscription"
  | "submitInvoice"
  | "submitCreditNote"
  | "status"
  | "downloadPdf"
  | "zReports"
  | "zReport"
  | "zReportPdf"
  | "taxMappings"
  | "taxMapping"
  | "addTaxMapping"
  | "updateTaxMapping"
  | "deleteTaxMapping"
  | "supportedCurrencies"
  | "currencyMappings"
  | "currencyMapping"
  | "addCurrencyMapping"
  | "updateCurrencyMapping"
  | "deleteCurrencyMapping"
  | "test"

/**
 * Time of a fault. `before`: nothing was processed; `after`: the request was fully processed.
 * Default `before`.
 */
export type Stage = "before" | "after"

/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** Fields of each fault, by the fault's name. */
export interface FaultFields {
  /** The request never arrives and nothing is processed; the connector cannot know. */
  "lose-request": {}
  /** The document is accepted and processed, and the answer never arrives. */
  "lose-answer": {}
  /**
   * The document is accepted, and its processing fails. `actionable`: a corrected document may be
   * sent again. Default true.
   */
  reject: { readonly error?: string; readonly actionable?: boolean }
  /** The document is accepted and never processed. */
  pend: {}
  /**
   * The document is accepted and processed for `millis` milliseconds more. Meanwhile the status is
   * a failure with this `error`, in which `{id}` is the request id and `{number}` the document's
   * number. `actionable`: IsActionable. Default null.
   */
  working: { readonly error: Json; readonly millis: number; readonly actionable?: boolean | null }
  /**
   * The document is fiscalized, and reported as a failure with this `error` beside its QrData: an
   * object, or JSON in a text. Default an object.
   */
  contradiction: { readonly error: Json; readonly actionable?: boolean | null; readonly qrData?: "object" | "text" }
  /** The document is fiscalized, and reported without QrData and PDF for `millis` milliseconds. */
  "proof-missing": { readonly millis: number }
  /** The document is fiscalized, and reported with the QrData of the device's receipt before. */
  "proof-repeated": {}
  /** The gateway waits for `millis` milliseconds. */
  latency: { readonly millis: number; readonly stage?: Stage }
  /** An HTTP error, 300 to 599. `retryAfter`: seconds or an HTTP date, as in the header. */
  error: { readonly status: number; readonly retryAfter?: string; readonly stage?: Stage }
  /** An HTML page instead of the answer, like a proxy's or a login wall's. Default status 200. */
  html: { readonly status?: number; readonly stage?: Stage }
  /** An answer without a body. Default status 200. */
  empty: { readonly status?: number; readonly stage?: Stage }
  /** Exactly this answer. */
  answer: {
    readonly body: string
    readonly status?: number
    readonly contentType?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly stage?: Stage
  }
  /** The correct body with another content type. Default text/html. */
  "content-type": { readonly contentType?: string }
  /** A body that takes `millis` milliseconds. */
  "slow-body": { readonly millis: number }
  /** A connection cut in the middle of the body. */
  "truncated-body": {}
  /** A request id in double quotes. */
  "quoted-id": {}
  "numbers-as-strings": {}
  "unknown-fields": {}
  /** A status answer with its items in reverse. The next three faults change its items as well. */
  "items-out-of-order": {}
  "items-repeated": {}
  "items-missing": {}
  /** A foreign item first, reporting success for a request that was never made. */
  "items-unknown": {}
  "delivery-lost": {}
  "delivery-twice": {}
  /** Default a minute. */
  "delivery-late": { readonly millis?: number }
  "delivery-out-of-order": {}
  /**
   * The outcome is delivered before the answer to the submission, to the webhook of the last
   * `deliver`.
   */
  "delivery-early": {}
  /** A body with one byte more than the signed body. */
  "delivery-corrupted": {}
  "delivery-badly-signed": {}
  /** An empty delivery before the actual delivery. */
  "delivery-empty": {}
}

/** Names of the faults. */
export type FaultName = keyof FaultFields

/** Conditions of a fault; all of them must hold. */
export interface FaultOptions {
  /** Default: submissions, or the operations that the fault applies to. */
  readonly operations?: ReadonlyArray<Operation>
  /** Ids or numbers of documents. */
  readonly documents?: ReadonlyArray<string>
  /** Number of matching requests to pass first. Default 0. */
  readonly skip?: number
  /** Number of requests to hit. Default 1. */
  readonly times?: number | "all"
}

/** Arguments of `fail`. A fault's required fields must be given. */
export type FaultArguments<Name extends FaultName> = {} extends FaultFields[Name]
  ? [options?: FaultFields[Name] & FaultOptions]
  : [options: FaultFields[Name] & FaultOptions]
