/** Bundler plugins for the command's single file and the promise package. */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { doorsOf, namespacesOf } from "../EntryPointList.ts"

const builtins = new Set(builtinModules)

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"

/**
 * Loads a Node module when the importing code runs. A top-level import would load all modules for
 * every command. An old Node would fail at the first unknown module, before the command could
 * report the required version.
 */
export const builtinsOnDemand: Plugin = {
  name: "builtins on demand",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^./#@]/ }, ({ kind, path }) => {
      const name = path.replace(/^node:/, "")
      if (!path.startsWith("node:") && !builtins.has(path)) return undefined
      return { path: `node:${name}`, namespace: kind === "require-call" ? "required builtin" : "builtin" }
    })
    // without `require`, because a bundle converted to CommonJS has no address to create `require`
    // from
    onLoad({ filter: /.*/, namespace: "required builtin" }, ({ path }) => ({
      loader: "js",
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      loader: "js",
      contents: [
        `const all = process.getBuiltinModule(${JSON.stringify(path)})`,
        "export default all",
        ...Object.keys(process.getBuiltinModule(path) ?? {})
          .filter(isName)
          .map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})()`)
      ].join("\n")
    }))
  }
}

/**
 * Evaluates modules whose exports are data from neighboring files, and bundles the exported data.
 */
export const evaluated = (modules: RegExp): Plugin => ({
  name: "evaluated",
  setup: ({ onLoad }) =>
    onLoad({ filter: modules }, async ({ path }) => ({
      loader: "js",
      contents: Object.entries((await import(pathToFileURL(path).href)) as object)
        .map(([name, data]) => `export const ${name} = ${JSON.stringify(data)}`)
        .join("\n")
    }))
})

/**
 * Replaces a module's own `require` by the bundler's, which resolves the package now and loads it
 * when called.
 */
const withBundledRequire = (source: string): string => {
  const [line, name] = /^const (require\S*) = createRequire\(import\.meta\.url\);?$/m.exec(source) ?? []
  return line === undefined || name === undefined ? source : source.replace(line, "").replaceAll(`${name}(`, "require(")
}

/** Changes the sources of the modules in `filter` before the bundler reads them. */
const changed = (name: string, filter: RegExp, change: (source: string) => string): Plugin => ({
  name,
  setup: ({ onLoad }) =>
    onLoad({ filter }, ({ path }) => {
      const source = readFileSync(path, "utf8")
      const contents = change(source)
      return contents === source ? undefined : { loader: path.endsWith(".ts") ? "ts" : "js", contents }
    })
})

const core = join(import.meta.dirname, "../../packages/core")

/** File of each module behind a door of core, by `DOOR NAME`. */
const modulesOfDoors: ReadonlyMap<string, string> = new Map(
  Object.entries(doorsOf(core)).flatMap(([door, file]) =>
    namespacesOf(join(core, file)).map(([name, module]) => [`${door} ${name}`, join(core, "src", module)] as const)
  )
)

/**
 * Imports modules of core one by one, not from their doors. From a door, the bundle loads every
 * module behind the door at every start.
 */
const withModulesOfDoors = (source: string): string => {
  const fileOf = (door: string, name: string): string => {
    const file = modulesOfDoors.get(`./${door} ${name}`)
    if (file === undefined) throw new Error(`core/${door} has no module ${name}`)
    return JSON.stringify(file)
  }
  return source
    .replaceAll(
      /^(import|export) (type )?\{([^}]*)\} from "@fiscal-connector\/core\/([a-z/]+)"/gm,
      (_, statement: string, type: string | undefined, list: string, door: string) =>
        list
          .split(",")
          .map((part) => part.trim())
          .filter((part) => type === undefined && part !== "" && !part.startsWith("type "))
          .map((part) => {
            const [name = "", as = name] = part.split(/\s+as\s+/)
            return `${statement} * as ${as} from ${fileOf(door, name)}`
          })
          .join("; ")
    )
    .replaceAll(
      /\{ (\w+) \} = (.*\bimport\()"@fiscal-connector\/core\/([a-z/]+)"/g,
      (_, name: string, loading: string, door: string) => `${name} = ${loading}${fileOf(door, name)}`
    )
}

/**
 * Bundles the modules that our packages and the PDF library load by a `require` they create, and
 * the modules of core that are used.
 */
export const ownRequire: Plugin = changed(
  "own require",
  /\/packages\/.*\/src\/.*\.ts$|\/pdfkit\/js\/.*\.mjs$/,
  (source) => withModulesOfDoors(withBundledRequire(source))
)

/** Functions that the index of Effect exports itself; every other export is a module. */
const functionsOfEffect: ReadonlySet<string> = new Set(["absurd", "cast", "flow", "hole", "identity", "pipe"])

/**
 * Imports Effect's modules one by one, not from its index. From the index, the bundler keeps every
 * export of every module that is used.
 */
const withModulesOfEffect = (source: string): string =>
  source.replaceAll(/^import \{([^}]*)\} from "(effect(?:\/[a-z-]+)*)"/gm, (_, list: string, index: string) =>
    list
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", as = name] = part.split(/\s+as\s+/)
        if (name.startsWith("type ")) return `import type { ${part.slice("type ".length)} } from "${index}"`
        return functionsOfEffect.has(name)
          ? `import { ${part} } from "${index}"`
          : `import * as ${as} from "${index}/${name}"`
      })
      .join("; ")
  )

/** Does the same as `ownRequire`, for a bundle that contains only the used parts of Effect. */
export const modulesOfEffect: Plugin = changed(
  "modules of Effect",
  /\/packages\/.*\/src\/.*\.ts$|\/pdfkit\/js\/.*\.mjs$|\/@effect\/[^/]+\/dist\/.*\.js$/,
  (source) => withModulesOfEffect(withModulesOfDoors(withBundledRequire(source)))
)

/** Replaces modules by other sources, by path. */
export const replaced = (modules: ReadonlyArray<readonly [path: RegExp, source: string]>): Plugin => ({
  name: "replaced",
  setup: ({ onLoad }) => {
    for (const [filter, contents] of modules) onLoad({ filter }, () => ({ loader: "js", contents }))
  }
})
