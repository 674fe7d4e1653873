/** Where a store is kept: a file of this machine, or a schema in a PostgreSQL database that several machines reach. */
import { Redacted } from "effect"
import type { Duplex } from "node:stream"

/** A schema in a PostgreSQL database. */
export interface PostgresPlace {
  readonly _tag: "Postgres"
  /** `postgres://user@host:5432/database`, with the password or without. Never a transaction pooler. */
  readonly url: Redacted.Redacted
  /** Where it is not in the URL. */
  readonly password?: Redacted.Redacted | undefined
  /** Where the tables are. Created where it is missing. Lower-case letters, digits and `_`. Default `fiscal_connector`. */
  readonly schema?: string | undefined
  /**
   * `verified` (default): off this machine only with TLS and a certificate that is good for the host, whatever the URL's sslmode says.
   * `insecure`: as the URL's sslmode says, plain text where it says nothing. On this machine the URL decides, too.
   */
  readonly encryption?: "verified" | "insecure" | undefined
  /** Certificates of the authorities to believe, PEM; default Node's own. */
  readonly authorities?: string | undefined
  /** What goes to the server instead of a connection of our own; a proof sees and breaks it so. */
  readonly stream?: (() => Duplex) | undefined
  /** How many connections at most. Default 10; each lane that is worked at once takes one while it writes. */
  readonly connections?: number | undefined
}

/** A file of this machine. */
export interface FilePlace {
  readonly _tag: "File"
  readonly file: string
  /**
   * On which thread it is written. `same` (default): on that of whoever uses it. `own`: on one of its own, so that requests and answers of other lanes
   * do not wait for the disk; for what sends in many lanes, and not in a bundle, which does not have the thread's file.
   */
  readonly thread?: "own" | "same" | undefined
}

/** Where a store is kept. */
export type StorePlace =
  | FilePlace
  | PostgresPlace
  /** Gone with the process. */
  | { readonly _tag: "Memory" }

/** A store in a file of this machine. */
export const file = (file: string): StorePlace => ({ _tag: "File", file })

/** A store that is gone with the process. */
export const memory: StorePlace = { _tag: "Memory" }

/** The schema of a store where nothing else is said. */
export const defaultSchema = "fiscal_connector"

/** The host as the driver reads it: a parameter goes before the name, brackets are the URL's. */
export const hostOf = (url: URL): string =>
  url.searchParams.getAll("host").at(-1) ??
  (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")

/** This machine, by loopback or by a socket in the file system: nobody else hears what is said. */
export const isThisMachine = (url: URL): boolean => {
  const host = hostOf(url)
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Where it is, for people: without a name or password. */
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
