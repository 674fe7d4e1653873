/** What a connector is made of. */
import type { FiscalEvent } from "./FiscalEvent.ts"
import type { Store } from "./Store.ts"

/** The account as values instead of a file; the fields of docs/configuration.md beside the secrets, which come as values, too. */
export interface AccountSettings {
  readonly baseUrl: string
  readonly application: string
  /** One per till; never changed once set. */
  readonly station: string
  readonly apiKey: string
  readonly secret?: string
  readonly formerSecret?: string
  /** Every other field an account has in a configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Where submissions are kept. There is no default: the store is what makes a second run send nothing twice. */
export type StorePlace =
  /** A file on a disk that lasts; `":memory:"`, gone with the process, for tests. */
  | { readonly sqlite: string }
  /** `postgres://user@host:5432/database`, for several machines. The password from FISCAL_CONNECTOR_STORE_PASSWORD, or here. */
  | {
      readonly postgres: string
      readonly password?: string
      readonly schema?: string
      readonly encryption?: "verified" | "insecure"
      /** A file with the certificates (PEM) to believe; default the platform's. */
      readonly authoritiesFile?: string
    }

/** A store of `openStore`, shared by several connectors. */
export type OpenedStore = Store

/** As pino has it: the fields first, then the text. */
export type Logger = Readonly<Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>>

/** Returns the time; waiting takes real time. A `VirtualClock` also decides how long waiting takes. */
export type Clock = (() => Date) | VirtualClock

/** A clock of a test, on which hours pass in no time: `@fiscal-connector/testing` has one. */
export interface VirtualClock {
  now(): Date
  /** Resolves when so many milliseconds have passed on this clock; rejects, or never resolves, once the signal is aborted. */
  sleep(millis: number, signal: AbortSignal): Promise<void>
}

export interface HttpOptions {
  /** Certificates (PEM) to believe instead of the platform's. */
  readonly ca?: string
  /** What this machine shows to a gateway that asks who it is (mTLS): a certificate and its key, both PEM. */
  readonly identity?: { readonly certificate: string; readonly key: string; readonly passphrase?: string }
  /** How long a connection may take to be established, TLS included. Default 10 000. */
  readonly connectTimeoutMs?: number
  /** The URL of a proxy, or `none`. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment, never for the loopback address. */
  readonly proxy?: string
  /** A dispatcher of undici 7 or later that sends everything; it is the host's to close, and the other options are its own. */
  readonly dispatcher?: HttpDispatcher
}

/** What of undici's `Dispatcher` is used. */
export interface HttpDispatcher {
  dispatch(options: object, handler: object): boolean
}

/** Where logs, spans and metrics go beside the logger: an OpenTelemetry collector, by OTLP over HTTP. */
export interface TelemetryOptions {
  /** As `http://collector:4318`; `/v1/traces`, `/v1/metrics` and `/v1/logs` are below it. */
  readonly url: string
  /** Default `fiscal-connector`. */
  readonly serviceName?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ConnectOptions {
  /** The account's name in the configuration; beside values, the name that the store keeps. */
  readonly account: string
  /** The configuration file (docs/configuration.md), or the account as values. */
  readonly config: string | AccountSettings
  /** The mapping book's file (docs/mapping-book.md), or what such a file has. */
  readonly book: string | object
  readonly store: StorePlace | OpenedStore
  /** Whether a live device is meant. Say it in the deployment that is meant to, not in the code. Default false. */
  readonly allowLive?: boolean
  /** The code of a `first_use` error, as a person read it. Never computed. */
  readonly firstUse?: string
  /** Documents of an earlier day (`"2026-01-01"`) are skipped. Default: the account's. */
  readonly notBefore?: string
  /**
   * A file outside the store that knows how far it has come, so that an older copy is noticed. Default: beside a configuration file; beside values
   * there is none unless it is given.
   */
  readonly witnessFile?: string
  /** Ends whatever is under way; a request that is on its way is finished and written down. Calls then reject with the signal's reason. */
  readonly signal?: AbortSignal
  /** For tests. */
  readonly clock?: Clock
  readonly http?: HttpOptions
  /** Default: nothing is logged. */
  readonly logger?: Logger
  readonly telemetry?: TelemetryOptions
  readonly onEvent?: (event: FiscalEvent) => void
}
