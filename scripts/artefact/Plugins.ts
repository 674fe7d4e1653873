/** What the bundler does differently for the command's one file than for any other program. */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { pathToFileURL } from "node:url"

const builtins = new Set(builtinModules)

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"

/**
 * Loads a module of Node when the code that imports it runs. An import at the head of the file would load all of them for every command, and an old
 * Node would stop at the first it does not have, before the command can say which Node it needs.
 */
export const builtinsOnDemand: Plugin = {
  name: "builtins on demand",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^./#@]/ }, ({ kind, path }) => {
      const name = path.replace(/^node:/, "")
      if (!path.startsWith("node:") && !builtins.has(path)) return undefined
      return { path: `node:${name}`, namespace: kind === "require-call" ? "required builtin" : "builtin" }
    })
    // without a `require`: a bundle of CommonJS that somebody makes of this has no address to make one from
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

/** Modules whose exports are data from files beside them. They run now, and the file carries what they export. */
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

/** A `require` that a module makes itself becomes the bundler's own, which finds the package now and loads it when it is called. */
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

/** Modules in whose place others are bundled: path to source. */
export const replaced = (modules: ReadonlyArray<readonly [path: RegExp, source: string]>): Plugin => ({
  name: "replaced",
  setup: ({ onLoad }) => {
    for (const [filter, contents] of modules) onLoad({ filter }, () => ({ loader: "js", contents }))
  }
})
