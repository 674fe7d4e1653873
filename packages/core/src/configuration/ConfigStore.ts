/** The password comes from the environment, a separate file or a command. */
import { Effect, type FileSystem, Option, Path, Redacted, Result, Schema } from "effect"
import * as TextFile from "../file/TextFile.ts"
import * as Finding from "../finding/Finding.ts"
import * as StorePlace from "../submission/StorePlace.ts"
import { DatabaseEntry } from "./ConfigEntry.ts"
import { allMisshapen, ConfigFinding, misshapen } from "./ConfigFinding.ts"
import * as ConfigSecret from "./ConfigSecret.ts"
import { type ConfigEnvironment, storePassword } from "./ConfigVariables.ts"

export interface StoreReading {
  readonly place: StorePlace.StorePlace | null
  /** Origin of the PostgreSQL password; null without a password, which the server may allow. */
  readonly password: ConfigSecret.SecretOrigin | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

export const defaultFile = "fiscal-connector.db"

const decodeEntry = Schema.decodeUnknownResult(DatabaseEntry, { errors: "all", onExcessProperty: "error" })
type StoreEntry = typeof DatabaseEntry.Type

const unusable = (...findings: ReadonlyArray<Finding.Finding>): StoreReading => ({
  place: null,
  password: null,
  findings
})

export const read = Effect.fnUntraced(function* (
  value: unknown,
  surroundings: ConfigSecret.Surroundings
): Effect.fn.Return<StoreReading, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const { folder } = surroundings
  if (value === undefined) return ofFile(path.resolve(folder, defaultFile))
  if (value === "") return unusable(misshapen(["store"], "expected a file, or postgres://user@host:5432/database"))
  if (typeof value === "string") {
    if (isAddress(value)) return yield* database({ url: value }, ["store"], surroundings)
    // a misspelled address must not become a file name
    return value.includes("://")
      ? unusable(misshapen(["store"], "expected a file, or an address that begins with postgres://"))
      : ofFile(path.resolve(folder, value))
  }
  const entry = decodeEntry(value)
  return Result.isFailure(entry)
    ? unusable(...allMisshapen(["store"], entry.failure))
    : yield* database(entry.success, ["store", "url"], surroundings)
})

export const fromText = (
  text: string,
  environment: ConfigEnvironment
): Effect.Effect<StoreReading, never, FileSystem.FileSystem | Path.Path> =>
  text.includes("://")
    ? read(text, { environment, folder: ".", exposed: [], modes: "kept" })
    : Effect.succeed(ofFile(text))

const isAddress = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text)

const ofFile = (file: string): StoreReading => ({ place: StorePlace.file(file), password: null, findings: [] })

const database = Effect.fnUntraced(function* (
  { authoritiesFile, connections, encryption, passwordCommand, passwordFile, schema, url: address }: StoreEntry,
  at: Finding.Path,
  surroundings: ConfigSecret.Surroundings
): Effect.fn.Return<StoreReading, never, FileSystem.FileSystem | Path.Path> {
  const paths = yield* Path.Path
  const ofAddress = addressFindings(address, at)
  const { environment, folder } = surroundings
  const fromEnvironment = environment[storePassword]
  const named = { file: passwordFile, command: passwordCommand }
  const { findings: ofPassword, secret }: ConfigSecret.FoundSecret = fromEnvironment
    ? {
        secret: { value: Redacted.make(fromEnvironment), origin: { from: "environment", variable: storePassword } },
        findings: []
      }
    : yield* ConfigSecret.fromNamed("password", named, surroundings, ["store"])
  const authorities =
    authoritiesFile === undefined
      ? Option.some(undefined)
      : yield* Effect.option(TextFile.read(paths.resolve(folder, authoritiesFile)))
  const findings = [
    ...ofAddress,
    ...ofPassword,
    ...(Option.isNone(authorities) || (authorities.value !== undefined && !authorities.value.includes("BEGIN CERT"))
      ? [misshapen(["store", "authoritiesFile"], `${authoritiesFile} cannot be read, or has no certificate in it`)]
      : []),
    ...(encryption === "insecure" && ofAddress.length === 0 && !StorePlace.isThisMachine(new URL(address))
      ? [Finding.make(ConfigFinding.CONFIG_STORE_PLAIN, { path: ["store", "encryption"] })]
      : [])
  ]
  if (findings.some(Finding.refuses)) return unusable(...findings)
  const place: StorePlace.StorePlace = {
    _tag: "Postgres",
    url: Redacted.make(address),
    password: secret?.value,
    schema,
    encryption,
    authorities: Option.getOrUndefined(authorities),
    connections
  }
  return { place, password: secret?.origin ?? null, findings }
})

const form = "expected postgres://user@host:5432/database"

const addressFindings = (address: string, path: Finding.Path): ReadonlyArray<Finding.Finding> => {
  if (!isAddress(address) || !URL.canParse(address)) return [misshapen(path, form)]
  const url = new URL(address)
  if (url.password !== "" || url.searchParams.has("password")) {
    const message = `${path.join(".")}: there is a password in the address`
    return [Finding.make(ConfigFinding.CONFIG_SECRET_INSIDE, { path, message })]
  }
  return url.pathname.length > 1 || url.searchParams.has("dbname")
    ? []
    : [misshapen(path, `${form}; it names no database`)]
}
