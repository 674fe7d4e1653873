/** Finds the configuration of a call that names none: `accounts.json`, where `start` writes it. */
import { Effect, Path } from "effect"
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { configVariable, plainFlags } from "../output/Call.ts"

const name = "accounts.json"

/** Returns the path of `accounts.json` in the export's folder. */
export const ofExport = (file: string) => Effect.map(Path.Path, (path) => path.join(path.dirname(file), name))

/** Flags that name another place for documents. */
const elsewhere = /^(?:-c|--(?:config|store|sandbox))(?:=|$)/

/**
 * Returns the configuration beside a file of the call, otherwise the one in the working folder.
 * Undefined if the call or the environment names a place, or if no such file exists.
 */
export const found = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string
): string | undefined => {
  if (env[configVariable] !== undefined || args.some((arg) => elsewhere.test(arg))) return undefined
  const isValue = (before = "") => before.startsWith("-") && !before.includes("=") && !plainFlags.has(before)
  const files = args.filter((arg, i) => i > 0 && !arg.startsWith("-") && !isValue(args[i - 1]))
  const folders = files.filter((file) => existsSync(resolve(cwd, file))).map(dirname)
  return [...folders, ""].map((folder) => join(folder, name)).find((file) => existsSync(resolve(cwd, file)))
}
