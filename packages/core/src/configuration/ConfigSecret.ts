/** The key and the secrets of an account: from the environment, else from files of their own. Their values stand in no finding. */
import { Effect, FileSystem, Path, type PlatformError, Redacted, Result } from "effect"
import * as PipeOrDevice from "../file/PipeOrDevice.ts"
import * as TextFile from "../file/TextFile.ts"
import * as Finding from "../finding/Finding.ts"
import { ConfigFinding } from "./ConfigFinding.ts"
import { type Environment, variable } from "./ConfigVariables.ts"

/** Where a secret was found; a file by its absolute path. */
export type Origin =
  | { readonly from: "environment"; readonly variable: string }
  | { readonly from: "file"; readonly file: string }

export const describe = (origin: Origin): string => (origin.from === "environment" ? origin.variable : origin.file)

export interface ConfigSecret {
  readonly value: Redacted.Redacted<string>
  readonly origin: Origin
}

export interface AccountSecrets {
  readonly apiKey: ConfigSecret | null
  readonly secret: ConfigSecret | null
  readonly formerSecrets: ReadonlyArray<ConfigSecret>
  readonly findings: ReadonlyArray<Finding.Finding>
}

export type Found = Pick<AccountSecrets, "findings"> & { readonly secret: ConfigSecret | null }

/** Where files of secrets are named in an entry; a variable goes before its file. */
interface Places {
  readonly keyFile?: unknown
  readonly secretFile?: unknown
  readonly formerSecretFiles?: unknown
}

/** Every secret of the account `name`, whose entry stands at `root`; files are relative to `folder`. */
export const readAll = Effect.fnUntraced(function* (
  name: string,
  { formerSecretFiles, keyFile, secretFile }: Places,
  environment: Environment,
  root: Finding.Path,
  folder: string
): Effect.fn.Return<AccountSecrets, never, FileSystem.FileSystem | Path.Path> {
  const paths = yield* Path.Path
  const look = (setting: "apiKey" | "secret" | "formerSecret", file: unknown, path: Finding.Path) => {
    const from = variable(name, setting)
    const text = environment[from]
    if (text) {
      const secret: ConfigSecret = {
        value: Redacted.make(text),
        origin: { from: "environment", variable: from }
      }
      return Effect.succeed<Found>({ secret, findings: [] })
    }
    return typeof file === "string" && file !== ""
      ? fromFile(paths.resolve(folder, file), [...root, ...path])
      : Effect.succeed<Found>({ secret: null, findings: [] })
  }
  const key = yield* look("apiKey", keyFile, ["keyFile"])
  const secret = yield* look("secret", secretFile, ["secretFile"])
  const isFormerSet = Boolean(environment[variable(name, "formerSecret")])
  const files: ReadonlyArray<unknown> = Array.isArray(formerSecretFiles) && !isFormerSet ? formerSecretFiles : [null]
  const former = yield* Effect.forEach(files, (file, index) => look("formerSecret", file, ["formerSecretFiles", index]))
  const findings = [key, secret, ...former].flatMap(({ findings }) => findings)
  const missing = (setting: "apiKey" | "secret", what: string) => ({
    message: `account ${name} has no ${what}, in a file or in ${variable(name, setting)}`,
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

/** The file's text without white space round it. Findings: it cannot be read, is not one line of text, or others can read it. */
export const fromFile = Effect.fnUntraced(function* (
  file: string,
  path: Finding.Path
): Effect.fn.Return<Found, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const { sep } = yield* Path.Path
  const unusable = (what: string): Found => ({
    secret: null,
    findings: [Finding.make(ConfigFinding.CONFIG_SECRET_UNUSABLE, { message: `${file} ${what}`, path })]
  })
  const read = yield* Effect.result(Effect.all([TextFile.read(file), fs.stat(file)]))
  if (Result.isFailure(read)) return unusable(unreadable(read.failure))
  const [written, { mode }] = read.success
  const text = written.trim()
  if (text === "") return unusable("is empty")
  if (/[\r\n]/.test(text)) return unusable("has more than one line")
  // Windows has no such permissions: what stands there instead means nothing
  const isExposed = sep === "/" && (mode & 0o077) !== 0
  const message = `${file} can be read by others (mode ${(mode & 0o777).toString(8).padStart(4, "0")})`
  return {
    secret: { value: Redacted.make(text), origin: { from: "file", file } },
    findings: isExposed ? [Finding.make(ConfigFinding.CONFIG_SECRET_EXPOSED, { message, path })] : []
  }
})

const unreadable = (error: PlatformError.PlatformError): string => {
  if (TextFile.isNone(error)) return PipeOrDevice.inWords
  if (error.reason._tag === "NotFound") return "cannot be read: there is no such file"
  return error.reason._tag === "PermissionDenied" ? "cannot be read: this user may not" : "cannot be read"
}
