/** Finds the configuration of a call that names none: `accounts.json`, where `start` writes it. */
import { Effect, Path } from "effect"
import { lstatSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { configVariable, plainFlags } from "../output/Call.ts"

const name = "accounts.json"

export const ofExport = (file: string) => Effect.map(Path.Path, (path) => path.join(path.dirname(file), name))

/** Flags that name another place for documents. */
const elsewhere = /^(?:-c|--(?:config|store|sandbox))(?:=|$)/

/** Returns false only if the file is known not to exist: reading an unreadable one says why. */
const mayExist = (file: string): boolean => {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOTDIR")
  }
}

/**
 * In a folder of the call or beside its file, otherwise in the working folder. Undefined if the
 * call or the environment names a place, if no such file exists, or if the files of the call have
 * different ones: they may belong to two taxpayers.
 */
export const found = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string
): string | undefined => {
  if (env[configVariable] !== undefined || args.some((arg) => elsewhere.test(arg))) return undefined
  const isValue = (before = "") => before.startsWith("-") && !before.includes("=") && !plainFlags.has(before)
  const files = args.filter((arg, i) => i > 0 && !arg.startsWith("-") && !isValue(args[i - 1]))
  const nearest = (...folders: ReadonlyArray<string>) =>
    [...folders, ""].map((folder) => join(folder, name)).find((file) => mayExist(resolve(cwd, file)))
  const each = files.filter((file) => mayExist(resolve(cwd, file))).map((file) => nearest(file, dirname(file)))
  if (each.length === 0) return nearest()
  return new Set(each.map((file) => file && resolve(cwd, file))).size === 1 ? each[0] : undefined
}
