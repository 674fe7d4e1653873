/** Faults of the gateway by name, as plain values: what goes wrong with the next request, answer or delivery. */

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

/** Time of a fault. `before`: nothing was done; `after`: everything was. Default `before`. */
export type Stage = "before" | "after"

/** Fields of each fault, by its name. */
export interface FaultFields {
  /** The request never arrives: certainly nothing was done, and the connector cannot know it. */
  "lose-request": {}
  /** The document is taken and processed, and its answer never arrives. */
  "lose-answer": {}
  /** The document is taken, and its processing fails. `actionable`: it can be corrected and sent again. Default true. */
  reject: { readonly error?: string; readonly actionable?: boolean }
  /** The document is taken and never processed. */
  pend: {}
  /** The gateway waits so many milliseconds. */
  latency: { readonly millis: number; readonly stage?: Stage }
  /** An HTTP error, 300 to 599. `retryAfter`: seconds or an HTTP date, as the header has it. */
  error: { readonly status: number; readonly retryAfter?: string; readonly stage?: Stage }
  /** A page in the place of the answer, as a proxy or a login wall sends it. Default status 200. */
  html: { readonly status?: number; readonly stage?: Stage }
  /** No body. Default status 200. */
  empty: { readonly status?: number; readonly stage?: Stage }
  /** Exactly this answer. */
  answer: {
    readonly body: string
    readonly status?: number
    readonly contentType?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly stage?: Stage
  }
  /** The right body under another content type. Default text/html. */
  "content-type": { readonly contentType?: string }
  /** The body takes so many milliseconds. */
  "slow-body": { readonly millis: number }
  /** The connection is cut half-way through the body. */
  "truncated-body": {}
  /** The request id comes in double quotes. */
  "quoted-id": {}
  "numbers-as-strings": {}
  "unknown-fields": {}
  /** Of the status answer, as the other three: items in reverse. */
  "items-out-of-order": {}
  "items-repeated": {}
  "items-missing": {}
  /** An item comes first that nobody asked for, and that reports success. */
  "items-unknown": {}
  "delivery-lost": {}
  "delivery-twice": {}
  /** Default a minute. */
  "delivery-late": { readonly millis?: number }
  "delivery-out-of-order": {}
  /** The outcome is delivered before the answer of the submission, to the webhook of the last `deliver`. */
  "delivery-early": {}
  /** The body has a byte more than was signed. */
  "delivery-corrupted": {}
  "delivery-badly-signed": {}
  /** An empty delivery comes before it. */
  "delivery-empty": {}
}

/** Names of the faults. */
export type FaultName = keyof FaultFields

/** Conditions of a fault; all of them have to be met. */
export interface FaultOptions {
  /** Default: submissions, or what the fault makes sense for. */
  readonly operations?: ReadonlyArray<Operation>
  /** Ids or numbers of documents. */
  readonly documents?: ReadonlyArray<string>
  /** How many it lets pass first. Default 0. */
  readonly skip?: number
  /** How many it strikes. Default 1. */
  readonly times?: number | "all"
}

/** The arguments of `fail`: fields that a fault cannot go without must be given. */
export type FaultArguments<Name extends FaultName> = {} extends FaultFields[Name]
  ? [options?: FaultFields[Name] & FaultOptions]
  : [options: FaultFields[Name] & FaultOptions]
