/** Loads the kind of a live source: of the table, or of an operator's own file or package. */
import type { SourceKind } from "@fiscal-connector/adapter-kit"
import { kitVersion } from "@fiscal-connector/adapter-kit/KitVersion"
import { WritableByOthers } from "@fiscal-connector/core/host"
import { Effect, type FileSystem, Path } from "effect"
import { kinds } from "../format/Formats.ts"
import { type ExitError, notDone } from "../output/ExitError.ts"
import { printable } from "../output/Terminal.ts"
import * as AdapterModule from "./AdapterModule.ts"

const isKind = (value: unknown): value is SourceKind =>
  typeof value === "object" &&
  value !== null &&
  "kit" in value &&
  "settle" in value &&
  typeof value.settle === "function"

/**
 * Loads a kind. `folder`: that of the configuration, to which a file of an operator's own is
 * relative. Fails with ExitError if there is no such kind, or if others may change its code.
 */
export const load = Effect.fnUntraced(function* (
  kind: string,
  folder: string
): Effect.fn.Return<SourceKind, ExitError, FileSystem.FileSystem | Path.Path> {
  const row = kinds.find(({ name }) => name === kind)
  if (row !== undefined) return (yield* Effect.promise(row.live)).kind
  const path = yield* Path.Path
  const names = kinds.map(({ name }) => name).join(", ")
  const file = yield* AdapterModule.find("source", kind, folder).pipe(
    Effect.mapError(({ text }) =>
      notDone(`there is no kind ${printable(kind)}, but ${names}, a file as ./erp.mjs, or a package. ${text}`)
    )
  )
  const writable = yield* WritableByOthers.among([file.real, path.dirname(file.real)])
  if (writable.length > 0)
    return yield* notDone(`its code runs with your rights, and ${writable.map(({ text }) => text).join("; ")}`)
  const found = (yield* AdapterModule.run("Source", kind, file.real)).default
  if (!isKind(found))
    return yield* notDone(
      `${printable(kind)} is not a kind of source: its default export is not what defineSourceKind of @fiscal-connector/adapter-kit gives.`
    )
  if (found.kit !== kitVersion)
    return yield* notDone(
      `${printable(kind)} was made with version ${found.kit} of the adapter kit, and this command takes version ${kitVersion}. Install the version of @fiscal-connector/adapter-kit that this command has, and build it again.`
    )
  return found
})
