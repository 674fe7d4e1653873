/** From the environment, otherwise from a command or a file. No finding contains a secret. */
import { Effect, FileSystem, Path, type PlatformError, Redacted, Result } from "effect"
import * as NamedCommand from "../file/NamedCommand.ts"
import * as SpecialFile from "../file/SpecialFile.ts"
import * as TextFile from "../file/TextFile.ts"
import * as WritableByOthers from "../file/WritableByOthers.ts"
import * as Finding from "../finding/Finding.ts"
import { ConfigFinding } from "./ConfigFinding.ts"
import { type ConfigEnvironment, variable } from "./ConfigVariables.ts"

export type SecretOrigin =
  | { readonly from: "environment"; readonly variable: string }
  | { readonly from: "file"; readonly file: string }
  | { readonly from: "command"; readonly command: string }

export const describe = (origin: SecretOrigin): string => {
  switch (origin.from) {
    case "environment":
      return origin.variable
    case "file":
      return origin.file
    case "command":
      return `the command ${origin.command}`
  }
}

export interface ConfigSecret {
  readonly value: Redacted.Redacted<string>
  readonly origin: SecretOrigin
}

export interface AccountSecrets {
  readonly apiKey: ConfigSecret | null
  readonly secret: ConfigSecret | null
  readonly formerSecrets: ReadonlyArray<ConfigSecret>
  readonly findings: ReadonlyArray<Finding.Finding>
}

export type FoundSecret = Pick<AccountSecrets, "findings"> & { readonly secret: ConfigSecret | null }

const nothing: FoundSecret = { secret: null, findings: [] }

interface SecretSettings {
  readonly keyFile?: unknown
  readonly keyCommand?: unknown
  readonly secretFile?: unknown
  readonly secretCommand?: unknown
  readonly formerSecretFiles?: unknown
  readonly formerSecretCommands?: unknown
}

export interface Surroundings {
  readonly environment: ConfigEnvironment
  /** Folder of the configuration; files and commands are relative to this folder. */
  readonly folder: string
  /**
   * Descriptions of a configuration file or folder that every user can write. If there are any, the
   * configured commands are not run.
   */
  readonly exposed: ReadonlyArray<string>
  /**
   * `kept`: the configuration's file system stores permissions of files; `none` is reported once,
   * for the configuration.
   */
  readonly modes: "kept" | "none"
}

const isArgv = (value: unknown): value is NamedCommand.Argv =>
  Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string" && part !== "")

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const readAll = Effect.fnUntraced(function* (
  name: string,
  places: SecretSettings,
  surroundings: Surroundings,
  root: Finding.Path
): Effect.fn.Return<AccountSecrets, never, FileSystem.FileSystem | Path.Path> {
  const { environment } = surroundings
  const inEnvironment = (setting: "apiKey" | "secret" | "formerSecret"): FoundSecret | undefined => {
    const from = variable(name, setting)
    const text = environment[from]
    return text
      ? { secret: { value: Redacted.make(text), origin: { from: "environment", variable: from } }, findings: [] }
      : undefined
  }
  const look = (setting: "apiKey" | "secret", which: "key" | "secret") => {
    const found = inEnvironment(setting)
    if (found !== undefined) return Effect.succeed(found)
    const named = { file: places[`${which}File`], command: places[`${which}Command`] }
    return fromNamed(which, named, surroundings, root)
  }
  const key = yield* look("apiKey", "key")
  const secret = yield* look("secret", "secret")
  const formerSet = inEnvironment("formerSecret")
  const former =
    formerSet !== undefined
      ? [formerSet]
      : [
          ...(yield* Effect.forEach(listOf(places.formerSecretFiles), (one, i) =>
            fromNamedFile(one, surroundings, [...root, "formerSecretFiles", i])
          )),
          ...(yield* Effect.forEach(listOf(places.formerSecretCommands), (one, i) =>
            fromCommand(one, surroundings, [...root, "formerSecretCommands", i])
          ))
        ]
  const findings = [key, secret, ...former].flatMap(({ findings }) => findings)
  const missing = (setting: "apiKey" | "secret", what: string) => ({
    message: `account ${name} has no ${what}, in a file, from a command or in ${variable(name, setting)}`,
    path: root
  })
  return {
    apiKey: key.secret,
    secret: secret.secret,
    formerSecrets: former.flatMap(({ secret }) => (secret === null ? [] : [secret])),
    findings: [
      ...findings,
      ...(key.secret === null && key.findings.length === 0
        ? [Finding.make(ConfigFinding.CONFIG_NO_KEY, missing("apiKey", "key"))]
        : []),
      ...(secret.secret === null && secret.findings.length === 0
        ? [Finding.make(ConfigFinding.CONFIG_UNSIGNED, missing("secret", "secret"))]
        : [])
    ]
  }
})

/**
 * Reads the secret from the file or the command that an entry names. A value of the wrong form is
 * reported with the other settings.
 */
export const fromNamed = (
  which: "key" | "secret" | "password",
  { command, file }: { readonly file: unknown; readonly command: unknown },
  surroundings: Surroundings,
  root: Finding.Path
): Effect.Effect<FoundSecret, never, FileSystem.FileSystem | Path.Path> => {
  if (file !== undefined && command !== undefined) {
    const message = `${which}File and ${which}Command are both set: name one of them`
    return Effect.succeed(unusable(message, [...root, `${which}Command`]))
  }
  return command === undefined
    ? fromNamedFile(file, surroundings, [...root, `${which}File`])
    : fromCommand(command, surroundings, [...root, `${which}Command`])
}

const unusable = (message: string, path: Finding.Path): FoundSecret => ({
  secret: null,
  findings: [Finding.make(ConfigFinding.CONFIG_SECRET_UNUSABLE, { message, path })]
})

const problemOf = (text: string): string | undefined =>
  text === "" ? "is empty" : /[\r\n]/.test(text) ? "has more than one line" : undefined

/** systemd sets it for a service with LoadCredential=, with a folder for this service alone. */
const credentials = "CREDENTIALS_DIRECTORY"
const inCredentials = `$${credentials}/`

/**
 * `$CREDENTIALS_DIRECTORY/` at the beginning of the name is the folder of systemd's credentials.
 */
const fromNamedFile = Effect.fnUntraced(function* (
  named: unknown,
  { environment, folder, modes }: Surroundings,
  path: Finding.Path
): Effect.fn.Return<FoundSecret, never, FileSystem.FileSystem | Path.Path> {
  if (typeof named !== "string" || named === "") return nothing
  const paths = yield* Path.Path
  if (!named.startsWith(inCredentials))
    return yield* fromFile(paths.resolve(folder, named), path, modes === "kept" ? "looked-at" : "mounted")
  const mounted = environment[credentials]
  return mounted
    ? yield* fromFile(paths.join(mounted, named.slice(inCredentials.length)), path, "mounted")
    : unusable(`${named}: ${credentials} is not set; systemd sets it for a service with LoadCredential=`, path)
})

const decodeText = (bytes: Uint8Array): string => new TextDecoder("utf-8").decode(bytes).trim()

/** Findings: the command cannot be run, prints no secret, or can be changed by every user. */
const fromCommand = Effect.fnUntraced(function* (
  given: unknown,
  { exposed, folder }: Surroundings,
  path: Finding.Path
): Effect.fn.Return<FoundSecret, never, FileSystem.FileSystem | Path.Path> {
  if (!isArgv(given)) return nothing
  const paths = yield* Path.Path
  const argv = NamedCommand.located(paths, given, folder)
  const [command] = argv
  const ofCommand = paths.isAbsolute(command) ? yield* WritableByOthers.among([command, paths.dirname(command)]) : []
  const [unsafe] = [...exposed, ...WritableByOthers.byEveryone(ofCommand)]
  if (unsafe !== undefined) return unusable(`the command ${command} is not run: ${unsafe}`, path)
  const printed = yield* Effect.result(NamedCommand.run(argv, "", "kept"))
  if (Result.isFailure(printed)) return unusable(`the command ${command} gave no secret: ${printed.failure}`, path)
  const text = decodeText(printed.success)
  const problem = problemOf(text)
  return problem === undefined
    ? { secret: { value: Redacted.make(text), origin: { from: "command", command } }, findings: [] }
    : unusable(`what the command ${command} printed ${problem}`, path)
})

/** Findings: the file cannot be read, is not one line of text, or can be read by other users. */
const fromFile = Effect.fnUntraced(function* (
  file: string,
  path: Finding.Path,
  permissions: "looked-at" | "mounted"
): Effect.fn.Return<FoundSecret, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const { sep } = yield* Path.Path
  const read = yield* Effect.result(Effect.all([TextFile.read(file), fs.stat(file)]))
  if (Result.isFailure(read)) return unusable(`${file} ${unreadable(read.failure)}`, path)
  const [written, { mode }] = read.success
  const text = written.trim()
  const problem = problemOf(text)
  if (problem !== undefined) return unusable(`${file} ${problem}`, path)
  // Windows has no comparable permissions; systemd's mode shows an access list for the service's
  // user as a group permission
  const isExposed = permissions === "looked-at" && sep === "/" && (mode & 0o077) !== 0
  const message = `${file} can be read by others (mode ${(mode & 0o777).toString(8).padStart(4, "0")})`
  return {
    secret: { value: Redacted.make(text), origin: { from: "file", file } },
    findings: isExposed ? [Finding.make(ConfigFinding.CONFIG_SECRET_EXPOSED, { message, path })] : []
  }
})

const unreadable = (error: PlatformError.PlatformError): string => {
  if (TextFile.isSpecialFile(error)) return SpecialFile.problemText
  if (error.reason._tag === "NotFound") return "cannot be read: there is no such file"
  return error.reason._tag === "PermissionDenied" ? "cannot be read: this user may not" : "cannot be read"
}
