/**
 * Remembers the gateway that each key was used for, in three places: next to the configuration,
 * next to the key's file, and in the user's own folder, for keys from the environment or a command.
 * A changed `baseUrl` is an error until an operator trusts the new gateway: an account with an
 * error has no settings to connect with. The store remembers the same (account/KeyOrigin).
 */
import { DateTime, Effect, FileSystem, Option, Path, type PlatformError, Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { AccountFinding } from "../account/AccountFinding.ts"
import * as KeyOrigin from "../account/KeyOrigin.ts"
import { escaped } from "../document/EscapedText.ts"
import * as SystemLock from "../file/SystemLock.ts"
import * as AtomicFile from "../file/AtomicFile.ts"
import * as Finding from "../finding/Finding.ts"
import type { AccountReading } from "./AccountConfig.ts"
import type { ConfigEnvironment } from "./ConfigVariables.ts"

const Remembered = Schema.Struct({
  origin: Schema.String,
  /** Time as ISO 8601, UTC. */
  at: Schema.String,
  /** Reason given by the operator; null at first use. */
  because: Schema.NullOr(Schema.String)
})
type Remembered = typeof Remembered.Type

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ origins: Schema.Record(Schema.String, Remembered) }))
)

type OriginFile = { readonly file: string; readonly name: string }

export interface Configured {
  readonly file: string
  readonly environment: ConfigEnvironment
}

const ownKey = "key"

/** The digest of a random key reveals nothing about the key. */
const digestOf = (key: Redacted.Redacted<string>): string =>
  createHash("sha256")
    .update(`origin of ${Redacted.value(key)}`)
    .digest("hex")
    .slice(0, 32)

const stateFolder = (path: Path.Path, environment: ConfigEnvironment): string | undefined => {
  const { HOME, LOCALAPPDATA, XDG_STATE_HOME } = environment
  const base = XDG_STATE_HOME || LOCALAPPDATA || (HOME ? path.join(HOME, ".local", "state") : undefined)
  return base === undefined || !path.isAbsolute(base) ? undefined : path.join(base, "fiscal-connector")
}

const placesOf = (
  { name, secrets: { apiKey } }: AccountReading,
  { environment, file }: Configured
): Effect.Effect<ReadonlyArray<OriginFile>, never, Path.Path> =>
  Effect.map(Path.Path, (path) => {
    const base = path.basename(file).replace(/\.[^.]*$/, "")
    const places = [{ file: path.join(path.dirname(file), `${base}.origins.json`), name }]
    if (apiKey?.origin.from === "file") places.push({ file: `${apiKey.origin.file}.origins.json`, name: ownKey })
    const state = stateFolder(path, environment)
    if (apiKey !== null && state !== undefined) {
      places.push({ file: path.join(state, "origins.json"), name: digestOf(apiKey.value) })
    }
    return places
  })

type Origins = Readonly<Record<string, Remembered>>

/**
 * Empty if the file is missing. Undefined if it cannot be read: the gateway of a key is then
 * unknown.
 */
const read = (file: string): Effect.Effect<Origins | undefined, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.match(fs.readFileString(file), {
      onFailure: ({ reason }) => (isNowhere(reason) ? {} : undefined),
      onSuccess: (text) => Option.getOrUndefined(Option.map(decode(text), ({ origins }) => origins))
    })
  )

const isNowhere = ({ _tag, cause }: PlatformError.PlatformError["reason"]): boolean =>
  _tag === "NotFound" || (cause instanceof Error && "code" in cause && cause.code === "ENOTDIR")

const originOf = ({ config }: AccountReading): string | null =>
  config === null ? null : new URL(config.settled.baseUrl).origin

export const checked = Effect.fnUntraced(function* (
  account: AccountReading,
  configured: Configured
): Effect.fn.Return<AccountReading, never, FileSystem.FileSystem | Path.Path> {
  const origin = originOf(account)
  if (origin === null) return account
  for (const { file, name } of yield* placesOf(account, configured)) {
    const origins = yield* read(file)
    const change = KeyOrigin.change(origins?.[name], origin)
    if (origins !== undefined && change === undefined) continue
    const finding = Finding.make(AccountFinding.CONFIG_ORIGIN_CHANGED, {
      message:
        change === undefined
          ? `it is not known which gateway the key of account ${account.name} was used for: ${file} cannot be read`
          : KeyOrigin.changed(account.name, change),
      path: ["accounts", account.name, "baseUrl"],
      detail: file
    })
    return { ...account, config: null, findings: [...account.findings, finding] }
  }
  return account
})

const write = Effect.fnUntraced(function* (account: AccountReading, configured: Configured, remembered: Remembered) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const { file, name } of yield* placesOf(account, configured)) {
    const known = (yield* read(file))?.[name]
    if (known?.origin === remembered.origin && remembered.because === null) continue
    // another process may have written the file since
    const written = Effect.flatMap(read(file), (origins) =>
      AtomicFile.writeText(
        file,
        escaped(`${JSON.stringify({ origins: { ...origins, [name]: remembered } }, undefined, 2)}\n`)
      )
    )
    // a folder may be read-only, as mounted keys are: one of the places is enough
    yield* Effect.ignore(
      Effect.andThen(
        fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }),
        SystemLock.holding(`${file}.lock`, written)
      )
    )
  }
})

const now = Effect.map(DateTime.now, DateTime.formatIso)

/**
 * Remembers the origin of an account before its first use. A gateway on this machine is not
 * remembered.
 */
export const remember = Effect.fnUntraced(function* (account: AccountReading, configured: Configured) {
  const origin = KeyOrigin.kept(originOf(account) ?? undefined)
  if (origin !== null) yield* write(account, configured, { origin, at: yield* now, because: null })
})

/**
 * Trusts another gateway with the account's key, for the operator's reason. `baseUrl`: current
 * value in the configuration.
 */
export const trust = Effect.fnUntraced(function* (
  account: AccountReading,
  configured: Configured,
  baseUrl: string,
  because: string
) {
  const { origin } = new URL(baseUrl)
  yield* write(account, configured, { origin, at: yield* now, because })
  return origin
})
