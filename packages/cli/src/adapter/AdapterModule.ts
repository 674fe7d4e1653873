/**
 * Loads the adapter that the user named with `--adapter`. Adapters are never looked for in a
 * folder, a configuration or the page: an adapter is code with the rights of the user.
 */
import type { KitAdapter } from "@fiscal-connector/adapter-kit"
import { kitVersion } from "@fiscal-connector/adapter-kit/KitVersion"
import { Effect, FileSystem, Path, Schema } from "effect"
import { pathToFileURL } from "node:url"
import * as Output from "../output/Output.ts"
import { names } from "../format/Formats.ts"
import { printable } from "../output/Terminal.ts"
import { type ExitError, notDone } from "../output/ExitError.ts"

export type OwnAdapter = KitAdapter<{ readonly [option: string]: unknown }>

export interface Loaded {
  readonly adapter: OwnAdapter
  readonly folder: string | undefined
  readonly file: string
}

const Manifest = Schema.fromJsonString(
  Schema.Struct({ "fiscal-connector": Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })
)

const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

const fileIn = Effect.fnUntraced(function* (part: ModulePart, folder: string, what: string) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const file = path.join(folder, "package.json")
  const text = yield* fs
    .readFileString(file)
    .pipe(
      Effect.mapError(() =>
        notDone(`There is no ${part} ${what}: no ${file}. Install it there, or name its file: ./dist/${part}.js`)
      )
    )
  const manifest = yield* Schema.decodeEffect(Manifest)(text).pipe(
    Effect.mapError(() =>
      notDone(
        `${file} is not a package: it is not JSON, or "fiscal-connector" is not {"${part}": "./dist/${part}.js"}.`
      )
    )
  )
  const named = manifest["fiscal-connector"]?.[part]
  if (named === undefined)
    return yield* notDone(
      `${what} is not ${part === "adapter" ? "an adapter" : "a source"}: ${file} has no "fiscal-connector": {"${part}": "./dist/${part}.js"}.`
    )
  return { file: path.resolve(folder, named), folder }
})

type ModulePart = "adapter" | "source"

const found = Effect.fnUntraced(function* (part: ModulePart, named: string, base: string) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const here = path.resolve(base, named)
  const isPath = /^[./\\]|^[A-Za-z]:/.test(named) || /\.[cm]?[jt]s$/.test(named)
  if (!isPath) {
    if (!packageName.test(named)) return yield* notDone(`${named} is neither a file nor the name of a package.`)
    return yield* fileIn(part, path.resolve(base, "node_modules", named), named)
  }
  const { type } = yield* fs.stat(here).pipe(Effect.mapError(() => notDone(`There is no ${part} ${named}.`)))
  return type === "Directory" ? yield* fileIn(part, here, named) : { file: here, folder: undefined }
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

export const thrown = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.split("\n")[0]}` : "it threw"

export const find = Effect.fnUntraced(function* (part: ModulePart, named: string, base: string) {
  const { file, folder } = yield* found(part, named, base)
  const fs = yield* FileSystem.FileSystem
  const real = yield* fs
    .realPath(file)
    .pipe(Effect.mapError(() => notDone(`There is no file ${file}: build the ${part} first.`)))
  return { real, folder }
})

export const run = Effect.fnUntraced(function* (what: "Adapter" | "Source", named: string, real: string) {
  yield* Output.note(printable(`${what} ${real}, which runs with your rights.`))
  return yield* Effect.tryPromise({
    try: async () => {
      await (await import("./AdapterCopies.ts")).share()
      return (await import(pathToFileURL(real).href)) as { readonly default?: unknown }
    },
    catch: (error) => notDone(printable(`The ${what.toLowerCase()} ${named} cannot be loaded: ${thrown(error)}.`))
  })
})

/**
 * Prints the path of the named adapter's file, then loads the adapter, whose code runs with the
 * user's rights. Fails with an ExitError if the module is not an adapter for this version.
 */
export const load = (named: string): Effect.Effect<Loaded, ExitError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { folder, real } = yield* find("adapter", named, ".")
    const module = yield* run("Adapter", named, real)
    const adapter = module.default
    if (!isObject(adapter) || typeof adapter["kit"] !== "number" || typeof adapter["read"] !== "function")
      return yield* notDone(
        `${named} is not an adapter: its default export is not what defineAdapter of @fiscal-connector/adapter-kit gives.`
      )
    if (adapter["kit"] !== kitVersion) {
      const text = `The adapter ${named} was made with version ${adapter["kit"]} of the adapter kit, and this command takes version ${kitVersion}. Install the version of @fiscal-connector/adapter-kit that this command has, and build the adapter again.`
      return yield* notDone(text)
    }
    const name = String(adapter["name"])
    if (names.has(name))
      return yield* notDone(
        `The adapter ${named} calls itself ${name}, as one does that comes with this command. Give it another name.`
      )
    return { adapter: adapter as unknown as OwnAdapter, folder, file: real }
  })

export const namedIn = (args: ReadonlyArray<string>): string | undefined => {
  for (const [i, arg] of args.entries()) {
    if (arg === "--") return undefined
    if (arg === "--adapter") return args[i + 1]
    if (arg.startsWith("--adapter=")) return arg.slice("--adapter=".length)
  }
  return undefined
}
