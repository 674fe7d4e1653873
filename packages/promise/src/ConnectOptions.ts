import type { FiscalEvent } from "./FiscalEvent.ts"
import type { Store } from "./Store.ts"

/** Account as values instead of a file: the fields of docs/configuration.md, plus the secrets. */
export interface AccountSettings {
  readonly baseUrl: string
  readonly application: string
  /** Station id, one per till. Never change the id after the first use. */
  readonly station: string
  readonly apiKey: string
  readonly secret?: string
  readonly formerSecret?: string
  /** All other fields that an account may have in a configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/**
 * Storage of submissions. Required, because the store prevents a second run from sending documents
 * twice.
 */
export type StorePlace =
  /** A file on a durable disk; `":memory:"` for tests, lost when the process ends. */
  | { readonly sqlite: string }
  /**
   * `postgres://user@host:5432/database`, for several machines. The password comes from
   * FISCAL_CONNECTOR_STORE_PASSWORD, or from `password`.
   */
  | {
      readonly postgres: string
      readonly password?: string
      readonly schema?: string
      readonly encryption?: "verified" | "insecure"
      /** File with the trusted certificates (PEM). @default the platform's */
      readonly authoritiesFile?: string
    }

/** A store of `openStore`, shared by several connectors. */
export type OpenedStore = Store

/** Logger with pino's argument order: first the fields, then the text. */
export type Logger = Readonly<Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>>

/**
 * Clock of the connector. A function only returns the time, and waits take real time. A
 * `VirtualClock` also decides the length of waits.
 */
export type Clock = (() => Date) | VirtualClock

/** A clock for tests on which hours pass instantly: `@fiscal-connector/testing` has one. */
export interface VirtualClock {
  now(): Date
  /**
   * Resolves after `millis` milliseconds of this clock. After the signal aborts, rejects or never
   * resolves.
   */
  sleep(millis: number, signal: AbortSignal): Promise<void>
}

export interface HttpOptions {
  /** Trusted certificates (PEM) instead of the platform's. */
  readonly ca?: string
  /** Client certificate and key (mTLS), both PEM. */
  readonly identity?: { readonly certificate: string; readonly key: string; readonly passphrase?: string }
  /** Maximum time to establish a connection, TLS included, in milliseconds. Default 10 000. */
  readonly connectTimeoutMs?: number
  /**
   * URL of a proxy, or `none`. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment,
   * never for the loopback address.
   */
  readonly proxy?: string
  /**
   * Dispatcher of undici 7 or later for all requests. The host closes the dispatcher, and the other
   * options have no effect.
   */
  readonly dispatcher?: HttpDispatcher
}

/** Part of undici's `Dispatcher` that the connector uses. */
export interface HttpDispatcher {
  dispatch(options: object, handler: object): boolean
}

/**
 * Destination of logs, spans and metrics in addition to the logger: an OpenTelemetry collector, by
 * OTLP over HTTP.
 */
export interface TelemetryOptions {
  /**
   * Base address such as `http://collector:4318`, with `/v1/traces`, `/v1/metrics` and `/v1/logs`
   * below.
   */
  readonly url: string
  /** Service name. Default `fiscal-connector`. */
  readonly serviceName?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ConnectOptions {
  /**
   * Account name in the configuration. With an account given as values, the name under which the
   * store keeps the account.
   */
  readonly account: string
  /** Path of the configuration file (docs/configuration.md), or the account as values. */
  readonly config: string | AccountSettings
  /** Path of the mapping book (docs/mapping-book.md), or the book's content as an object. */
  readonly book: string | object
  readonly store: StorePlace | OpenedStore
  /**
   * True if a live device is intended. Set the value in the deployment of the live job, not in the
   * code. Default false.
   */
  readonly allowLive?: boolean
  /** Code of a `first_use` error, after an operator has read the error. Never compute the code. */
  readonly firstUse?: string
  /** Documents before this day (`"2026-01-01"`) are skipped. Default: the account's setting. */
  readonly notBefore?: string
  /**
   * File outside the store that records the store's progress, so that a restored older copy is
   * detected. Default: next to a configuration file; none if the account is given as values.
   */
  readonly witnessFile?: string
  /**
   * Stops all work. A request in progress is finished and recorded. Pending calls then reject with
   * the signal's reason.
   */
  readonly signal?: AbortSignal
  /** Clock for tests. Default: the machine's clock. */
  readonly clock?: Clock
  readonly http?: HttpOptions
  /** Logger. Default: no logs. */
  readonly logger?: Logger
  readonly telemetry?: TelemetryOptions
  readonly onEvent?: (event: FiscalEvent) => void
}
