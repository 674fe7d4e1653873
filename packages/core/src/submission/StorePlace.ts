/** A file on this machine, or a schema in a PostgreSQL database shared by several machines. */
import { Redacted } from "effect"
import type { Duplex } from "node:stream"
import { isLoopback } from "../gateway/contract/Loopback.ts"

/** A schema in a PostgreSQL database. */
export interface PostgresPlace {
  readonly _tag: "Postgres"
  /**
   * `postgres://user@host:5432/database`, with or without the password. Never a transaction pooler.
   */
  readonly url: Redacted.Redacted
  readonly password?: Redacted.Redacted | undefined
  readonly schema?: string | undefined
  /**
   * Encryption of the connection.
   *
   * `verified` (default): connections to another machine require TLS and a certificate valid for
   * the host, whatever the URL's sslmode says.
   * `insecure`: the URL's sslmode decides; plain text without one. For a server on this machine the
   * URL decides in both modes.
   */
  readonly encryption?: "verified" | "insecure" | undefined
  /** PEM certificates of the trusted authorities. Default: Node's own. */
  readonly authorities?: string | undefined
  /**
   * Stream to the server instead of our own connection. Tests observe and break the connection
   * through this stream.
   */
  readonly stream?: (() => Duplex) | undefined
  /**
   * Maximum number of connections. Default 10. Each lane worked in parallel uses one connection
   * during a write.
   */
  readonly connections?: number | undefined
}

/** A file on this machine. */
export interface FilePlace {
  readonly _tag: "File"
  readonly file: string
  /**
   * Thread for database work.
   *
   * `same` (default): the caller's thread. `own`: a worker thread, so that requests and answers of
   * other lanes do not wait for the disk. For processes that send in many lanes. Not available in a
   * bundle, which lacks the worker's file.
   */
  readonly thread?: "own" | "same" | undefined
}

/** Location of a store. */
export type StorePlace =
  | FilePlace
  | PostgresPlace
  /** Lost when the process exits. */
  | { readonly _tag: "Memory" }

/** Returns the location of a store in a file on this machine. */
export const file = (file: string): StorePlace => ({ _tag: "File", file })

/** Location of a store that is lost when the process exits. */
export const memory: StorePlace = { _tag: "Memory" }

/** Default schema of a store. */
export const defaultSchema = "fiscal_connector"

/**
 * Returns the host as the driver reads the URL: a `host` parameter overrides the host name, and the
 * brackets of an IPv6 address are removed.
 */
export const hostOf = (url: URL): string =>
  url.searchParams.getAll("host").at(-1) ??
  (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")

/**
 * Returns true for loopback addresses and file-system sockets, where no other machine can read the
 * traffic.
 */
export const isThisMachine = (url: URL): boolean => {
  const host = hostOf(url)
  return host.startsWith("/") || isLoopback(host)
}

/** Describes the location for people, without user name or password. */
export const describe = (place: StorePlace): string => {
  switch (place._tag) {
    case "File":
      return place.file
    case "Memory":
      return "memory"
    case "Postgres": {
      const text = Redacted.value(place.url)
      const schema = place.schema ?? defaultSchema
      if (!URL.canParse(text)) return `a PostgreSQL database, schema ${schema}`
      const url = new URL(text)
      const port = url.port === "" ? "" : `:${url.port}`
      return `${hostOf(url)}${port}${url.pathname}, schema ${schema}`
    }
  }
}
