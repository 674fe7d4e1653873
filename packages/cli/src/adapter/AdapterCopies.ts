/**
 * An adapter's imports of core, the kit and Effect go to the command's copies, so that an adapter
 * needs none of them installed. Values of another copy would be recognized, too: by their tags.
 */
import { registerHooks } from "node:module"
import { shared } from "./SharedModules.ts"

const scheme = "fiscal-connector:"

const place = Symbol.for("fiscal-connector/shared modules")

type Modules = ReadonlyMap<string, object>

const loaded = async (): Promise<Modules> => {
  const named = await Promise.all(Object.entries(shared).map(async ([name, load]) => [name, await load()] as const))
  const modules = new Map(named)
  for (const [name, module] of Object.entries(modules.get("effect")!))
    if (typeof module === "object" && module !== null) modules.set(`effect/${name}`, module)
  return modules
}

const sourceOf = (name: string, module: object): string =>
  [
    `const module = globalThis[Symbol.for(${JSON.stringify(place.description)})].get(${JSON.stringify(name)})`,
    ...Object.keys(module).map((key, at) =>
      key === "default" ? "export default module.default" : `const _${at} = module.${key}; export { _${at} as ${key} }`
    )
  ].join("\n")

const begin = async (): Promise<void> => {
  const modules = await loaded()
  Object.defineProperty(globalThis, place, { value: modules })
  registerHooks({
    resolve: (specifier, context, next) =>
      modules.has(specifier) ? { url: `${scheme}${specifier}`, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      const name = url.startsWith(scheme) ? url.slice(scheme.length) : ""
      const module = modules.get(name)
      return module === undefined
        ? next(url, context)
        : { format: "module", source: sourceOf(name, module), shortCircuit: true }
    }
  })
}

let begun: Promise<void> | undefined

export const share = (): Promise<void> => (begun ??= begin())
