/**
 * Remembers which gateway each key was used for, beside the key and beside the configuration. A changed `baseUrl` is an error of the
 * configuration until an operator trusts it, so the key reaches no other host: an account with an error has no settings to connect with.
 */
import { DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import * as SystemLock from "../file/SystemLock.ts"
import * as WholeFile from "../file/WholeFile.ts"
import * as Finding from "../finding/Finding.ts"
import type { AccountReading } from "./AccountConfig.ts"
import { ConfigFinding } from "./ConfigFinding.ts"

/** Where an account's key may be sent. */
const Remembered = Schema.Struct({
  /** Scheme, host and port. */
  origin: Schema.String,
  /** ISO 8601, UTC. */
  at: Schema.String,
  /** The operator's reason; null at first use. */
  because: Schema.NullOr(Schema.String)
})
type Remembered = typeof Remembered.Type

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ origins: Schema.Record(Schema.String, Remembered) }))
)

type Place = { readonly file: string; readonly name: string }

/** The name under which a key file keeps its origin: the file belongs to one key. */
const ownKey = "key"

const placesOf = (
  { name, secrets: { apiKey } }: AccountReading,
  configuration: string
): Effect.Effect<ReadonlyArray<Place>, never, Path.Path> =>
  Effect.map(Path.Path, (path) => {
    const base = path.basename(configuration).replace(/\.[^.]*$/, "")
    const beside = { file: path.join(path.dirname(configuration), `${base}.origins.json`), name }
    if (apiKey?.origin.from !== "file") return [beside]
    return [beside, { file: `${apiKey.origin.file}.origins.json`, name: ownKey }]
  })

const read = (file: string): Effect.Effect<Readonly<Record<string, Remembered>>, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.map(Effect.option(fs.readFileString(file)), (text) =>
      Option.match(Option.flatMap(text, decode), { onNone: () => ({}), onSome: ({ origins }) => origins })
    )
  )

const isThisMachine = (origin: string): boolean =>
  /^http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?$/.test(origin)

/** The gateway's origin that the account is configured for; null where the account has errors. */
const originOf = ({ config }: AccountReading): string | null =>
  config === null ? null : new URL(config.settled.baseUrl).origin

/** The account as it was read; an error where its key is known to belong to another gateway. */
export const checked = Effect.fnUntraced(function* (
  account: AccountReading,
  configuration: string
): Effect.fn.Return<AccountReading, never, FileSystem.FileSystem | Path.Path> {
  const origin = originOf(account)
  if (origin === null) return account
  for (const { file, name } of yield* placesOf(account, configuration)) {
    const known = (yield* read(file))[name]
    if (known === undefined || known.origin === origin) continue
    const message = `the key of account ${account.name} was used for ${known.origin}, and baseUrl leads to ${origin}`
    const finding = Finding.make(ConfigFinding.CONFIG_ORIGIN_CHANGED, {
      message,
      path: ["accounts", account.name, "baseUrl"],
      detail: file
    })
    return { ...account, config: null, findings: [...account.findings, finding] }
  }
  return account
})

const write = Effect.fnUntraced(function* (account: AccountReading, configuration: string, remembered: Remembered) {
  for (const { file, name } of yield* placesOf(account, configuration)) {
    const origins = yield* read(file)
    if (origins[name]?.origin === remembered.origin && remembered.because === null) continue
    const text = `${JSON.stringify({ origins: { ...origins, [name]: remembered } }, undefined, 2)}\n`
    // a folder may be read-only, as mounted keys are: one of the two places is enough
    yield* Effect.ignore(SystemLock.holding(`${file}.lock`, WholeFile.writeText(file, text)))
  }
})

const now = Effect.map(DateTime.now, DateTime.formatIso)

/** Remembers the origin of an account that is about to be used for the first time. A gateway on this machine is not remembered. */
export const remember = Effect.fnUntraced(function* (account: AccountReading, configuration: string) {
  const origin = originOf(account)
  if (origin !== null && !isThisMachine(origin)) {
    yield* write(account, configuration, { origin, at: yield* now, because: null })
  }
})

/** Trusts another gateway with the account's key, for the operator's reason. `baseUrl`: what the configuration has now. */
export const trust = Effect.fnUntraced(function* (
  account: AccountReading,
  configuration: string,
  baseUrl: string,
  because: string
) {
  const { origin } = new URL(baseUrl)
  yield* write(account, configuration, { origin, at: yield* now, because })
  return origin
})
