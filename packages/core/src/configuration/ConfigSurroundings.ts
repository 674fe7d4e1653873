/**
 * Checks the surroundings of a configuration: the store's folder, the alert's command, equal keys.
 * Creates and sends nothing.
 */
import { Effect, FileSystem, Option, Path, Redacted } from "effect"
import * as SpecialFile from "../file/SpecialFile.ts"
import type { AlertTarget } from "../attention/Alert.ts"
import * as Finding from "../finding/Finding.ts"
import * as StorePlace from "../submission/StorePlace.ts"
import type { AccountReading } from "./AccountConfig.ts"
import type { Configuration } from "./ConfigFile.ts"
import { ConfigFinding } from "./ConfigFinding.ts"
import { type ConfigEnvironment, storePassword } from "./ConfigVariables.ts"

export const look = Effect.fnUntraced(function* (
  { accounts, alert, locate, store }: Configuration,
  environment: ConfigEnvironment
): Effect.fn.Return<ReadonlyArray<Finding.Finding>, never, FileSystem.FileSystem | Path.Path> {
  const found = [
    ...(store.place?._tag === "File" ? yield* ofFile(store.place.file) : []),
    ...(store.place?._tag === "Postgres" && store.password === null ? ofDatabase(store.place, environment) : []),
    ...(alert.target?._tag === "Command" ? yield* ofCommand(alert.target, environment) : []),
    ...ofKeys(accounts)
  ]
  return found.map((finding) => ({ ...finding, at: locate(finding.path) }))
})

const sqlite = "SQLite format 3\0"

/** The store writes a journal and a lock next to its file. */
const ofFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const unusable = (message: string) => [
    Finding.make(ConfigFinding.CONFIG_STORE_UNUSABLE, { message, path: ["store"] })
  ]
  const may = (what: string) => Effect.isSuccess(fs.access(what, { readable: true, writable: true }))
  const folder = path.dirname(file)
  const ofFolder = yield* Effect.option(fs.stat(folder))
  if (Option.isNone(ofFolder)) return unusable(`there is no folder ${folder} for the store`)
  if (ofFolder.value.type !== "Directory") return unusable(`${folder} is not a folder, and the store would be in it`)
  if (!(yield* may(folder))) return unusable(`this user may not write in ${folder}, the folder of the store`)
  const there = yield* Effect.option(fs.stat(file))
  if (Option.isNone(there)) return []
  if (there.value.type === "Directory") return unusable(`${file} is a folder, and the store is a file`)
  if (there.value.type !== "File") return unusable(`${file} ${SpecialFile.problemText}, and the store is a file`)
  if (!(yield* may(file))) return unusable(`this user may not read and write ${file}`)
  const begins = yield* Effect.scoped(
    Effect.option(Effect.flatMap(fs.open(file), (open) => open.readAlloc(sqlite.length)))
  )
  const text = Option.map(Option.flatten(begins), (bytes) => new TextDecoder("latin1").decode(bytes))
  return Option.isSome(text) && text.value !== sqlite ? unusable(`${file} is something else, and no store`) : []
})

const ofDatabase = (
  { url }: StorePlace.PostgresPlace,
  environment: ConfigEnvironment
): ReadonlyArray<Finding.Finding> => {
  const address = new URL(Redacted.value(url))
  if (StorePlace.isThisMachine(address) || environment["PGPASSWORD"]) return []
  const message = `no password is given for ${StorePlace.hostOf(address)}, in a passwordFile or in ${storePassword}`
  return [Finding.make(ConfigFinding.CONFIG_STORE_NO_PASSWORD, { message, path: ["store"] })]
}

const ofCommand = Effect.fnUntraced(function* (
  { argv: [executable = ""] }: Extract<AlertTarget, { _tag: "Command" }>,
  environment: ConfigEnvironment
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isPath = /[/\\]/.test(executable)
  const onWindows = path.sep === "\\"
  const folders = isPath ? [""] : (environment["PATH"] ?? environment["Path"] ?? "").split(onWindows ? ";" : ":")
  const ends = onWindows ? ["", ...(environment["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";")] : [""]
  const places = folders.flatMap((folder) => ends.map((end) => path.join(folder, executable + end)))
  const isRunnable = (place: string) =>
    Effect.map(
      Effect.option(fs.stat(place)),
      (stat) => Option.isSome(stat) && stat.value.type === "File" && (onWindows || (stat.value.mode & 0o111) !== 0)
    )
  const found = (yield* Effect.forEach(places, isRunnable)).includes(true)
  const message = isPath ? `there is no executable ${executable}` : `no folder of PATH has an executable ${executable}`
  return found ? [] : [Finding.make(ConfigFinding.CONFIG_ALERT_NOT_FOUND, { message, path: ["alert", "command"] })]
})

const ofKeys = (accounts: ReadonlyArray<AccountReading>): ReadonlyArray<Finding.Finding> =>
  accounts.flatMap(({ name, secrets: { apiKey } }, index) => {
    if (apiKey === null) return []
    const key = Redacted.value(apiKey.value)
    const other = accounts
      .slice(0, index)
      .find(({ secrets }) => secrets.apiKey !== null && Redacted.value(secrets.apiKey.value) === key)
    if (other === undefined) return []
    const message = `the accounts ${other.name} and ${name} have the same key`
    return [Finding.make(ConfigFinding.CONFIG_KEY_SHARED, { message, path: ["accounts", name] })]
  })
