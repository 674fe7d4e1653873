/** Bundler plugins for the command's single file. */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { pathToFileURL } from "node:url"

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
export const ownRequire: Plugin = {
  name: "own require",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/packages\/.*\/src\/.*\.ts$|\/pdfkit\/js\/.*\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8")
      const [line, name] = /^const (require\S*) = createRequire\(import\.meta\.url\);?$/m.exec(source) ?? []
      if (line === undefined || name === undefined) return undefined
      const contents = source.replace(line, "").replaceAll(`${name}(`, "require(")
      return { loader: path.endsWith(".ts") ? "ts" : "js", contents }
    })
}

/** Replaces modules by other sources, by path. */
export const replaced = (modules: ReadonlyArray<readonly [path: RegExp, source: string]>): Plugin => ({
  name: "replaced",
  setup: ({ onLoad }) => {
    for (const [filter, contents] of modules) onLoad({ filter }, () => ({ loader: "js", contents }))
  }
})
