/**
 * Reads one source of a configuration file: an accounting system that is read live, for one
 * account.
 */
import { type Duration, Effect, type FileSystem, Path, type Redacted, Result, Schema, SchemaIssue } from "effect"
import * as Finding from "../finding/Finding.ts"
import { liveDefaults, publishedAddresses } from "../submission/LiveSourceState.ts"
import { SourceEntry } from "./ConfigEntry.ts"
import { misshapen } from "./ConfigFinding.ts"
import * as ConfigSecret from "./ConfigSecret.ts"
import * as SafeAddress from "./SafeAddress.ts"

/** A usable source. Paths are absolute. */
export interface SourceConfig extends Omit<
  typeof SourceEntry.Type,
  "secretFile" | "secretCommand" | "overlap" | "clockSkew" | "sweep" | "quietAfter" | "every" | "clientId" | "tokenFile"
> {
  readonly name: string
  readonly url: string
  readonly tokenUrl: string
  readonly authorizeUrl: string
  readonly redirectUrl: string
  readonly scopes: ReadonlyArray<string>
  /** Empty for a system with an API key. */
  readonly clientId: string
  /** Empty for a system with an API key. */
  readonly tokenFile: string
  /** The API key, for a system that has one. */
  readonly clientSecret: Redacted.Redacted<string> | undefined
  readonly overlap: Duration.Duration
  readonly clockSkew: Duration.Duration
  readonly sweep: Duration.Duration
  readonly quietAfter: Duration.Duration
  /** Interval of a worker; null where no worker reads the source. */
  readonly every: Duration.Duration | null
}

/** A source of the file, usable or not. */
export interface SourceReading {
  readonly name: string
  /** Usable source; null if a finding is an error. */
  readonly config: SourceConfig | null
  /** Findings with paths from the root of the file. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

const decode = Schema.decodeUnknownResult(SourceEntry, { errors: "all", onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const standard = {
  ...publishedAddresses,
  redirectUrl: "http://localhost:8765/callback",
  scopes: ["offline_access", "accounting.invoices.read", "accounting.contacts.read"]
}

const isAllowed = (text: string): boolean => {
  const url = SafeAddress.parse(text)
  return url !== undefined && url.search === "" && url.hash === ""
}

/** Fields that each kind needs, and fields that the kind does not have. */
const missing = (
  { clientId, database, keyEnds, kind, tenant, tokenFile, url }: typeof SourceEntry.Type,
  hasSecret: boolean
): ReadonlyArray<readonly [field: string, text: string]> => {
  const needs = (field: string, isThere: boolean, text: string) => (isThere ? [] : [[field, text] as const])
  return kind === "odoo-like"
    ? [
        ...needs("url", url !== undefined, "expected the address of the server, as https://erp.example"),
        ...needs("secretFile", hasSecret, "expected a file with the API key"),
        ...needs("tenant", /^\d{1,15}$/.test(tenant), "expected the number of the company (res.company), as 1")
      ]
    : [
        ...needs("clientId", clientId !== undefined, "expected the identifier of the application at the source"),
        ...needs("tokenFile", tokenFile !== undefined, "expected a file for the tokens"),
        ...needs("database", database === undefined, "only odoo-like has a database"),
        ...needs("keyEnds", keyEnds === undefined, "only odoo-like has an API key")
      ]
}

/** Returns the address without trailing slashes. */
const withoutEnd = (url: string): string => url.slice(0, Array.from(url).findLastIndex((one) => one !== "/") + 1)

/** Reads one entry of `sources`. `accounts`: account names of the file. */
export const read = Effect.fnUntraced(function* (
  name: string,
  entry: unknown,
  accounts: ReadonlyArray<string>,
  surroundings: ConfigSecret.Surroundings
): Effect.fn.Return<SourceReading, never, FileSystem.FileSystem | Path.Path> {
  const root = ["sources", name]
  const path = yield* Path.Path
  const decoded = decode(entry)
  if (Result.isFailure(decoded)) {
    const findings = issuesOf(decoded.failure.issue).issues.map(({ message, path: keys = [] }) =>
      misshapen([...root, ...keys.map((key) => (typeof key === "number" ? key : String(key)))], message)
    )
    return { name, config: null, findings }
  }
  const { clockSkew, every, overlap, quietAfter, secretCommand, secretFile, sweep, ...fields } = decoded.success
  const named = { file: secretFile, command: secretCommand }
  const secret = yield* ConfigSecret.fromNamed("secret", named, surroundings, root)
  const urls = {
    url: fields.url ?? standard.url,
    tokenUrl: fields.tokenUrl ?? standard.tokenUrl,
    authorizeUrl: fields.authorizeUrl ?? standard.authorizeUrl
  }
  const redirectUrl = fields.redirectUrl ?? standard.redirectUrl
  const findings = [
    ...secret.findings,
    ...missing(fields, secret.secret !== null).map(([field, text]) => misshapen([...root, field], text)),
    ...(accounts.includes(fields.account)
      ? []
      : [
          misshapen(
            [...root, "account"],
            `there is no account ${fields.account}, but ${accounts.join(", ") || "none at all"}`
          )
        ]),
    ...(isAllowed(redirectUrl) && new URL(redirectUrl).protocol === "http:"
      ? []
      : [
          misshapen(
            [...root, "redirectUrl"],
            "expected an http address on this machine, as http://localhost:8765/callback"
          )
        ]),
    ...(["url", "tokenUrl", "authorizeUrl"] as const)
      .filter((field) => !isAllowed(urls[field]))
      .map((field) =>
        misshapen([...root, field], "expected an https address (http on this machine only) without user name or query")
      )
  ]
  if (findings.some(Finding.refuses)) return { name, config: null, findings }
  const config: SourceConfig = {
    ...fields,
    ...urls,
    redirectUrl,
    scopes: fields.scopes ?? standard.scopes,
    url: withoutEnd(urls.url),
    name,
    clientId: fields.clientId ?? "",
    book: path.resolve(surroundings.folder, fields.book),
    tokenFile: fields.tokenFile === undefined ? "" : path.resolve(surroundings.folder, fields.tokenFile),
    clientSecret: secret.secret?.value,
    overlap: overlap ?? liveDefaults.overlap,
    clockSkew: clockSkew ?? liveDefaults.clockSkew,
    sweep: sweep ?? liveDefaults.sweep,
    quietAfter: quietAfter ?? liveDefaults.quietAfter,
    every: every ?? null
  }
  return { name, config, findings }
})
