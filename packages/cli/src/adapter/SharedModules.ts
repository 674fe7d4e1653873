/**
 * Modules for which every adapter uses the command's copy (AdapterCopies), loaded only for an
 * adapter. The bundle contains this table with an import for each name.
 */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"

const entryPoints = (name: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(readFileSync(findPackageJSON(name, import.meta.url)!, "utf8")) as {
    readonly exports: object
  }
  return Object.keys(manifest.exports)
    .filter((door) => !/^\.\/(?:unstable|host|types)\b/.test(door))
    .map((door) => name + door.slice(1))
}

export const shared: Readonly<Record<string, () => Promise<object>>> = Object.fromEntries(
  ["effect", ...entryPoints("@fiscal-connector/adapter-kit"), ...entryPoints("@fiscal-connector/core")].map((name) => [
    name,
    () => import(name) as Promise<object>
  ])
)
