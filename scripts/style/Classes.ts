/**
 * Finds values that are recognized by a class of another package. With a second copy of that
 * package the class is another one, and the value is taken for something else.
 */
import type { Problem } from "./Rules.ts"

/**
 * Our packages and Effect: an adapter and its host may each have a copy. Any other library is read
 * and used inside one module.
 */
const imports = /^import (?!type\b)([^;"]+?) from "(@fiscal-connector\/[^"]+|effect(?:\/[^"]+)?|@effect\/[^"]+)"/gm

/** Returns the names under which the values of an import are used. */
const namesOf = (clause: string): ReadonlyArray<string> =>
  clause
    .replaceAll(/[{}]/g, "")
    .split(",")
    .map((name) => name.trim().split(" as ").at(-1)!)
    .filter((name) => /^\w+$/.test(name))

/** Returns each `instanceof` of a source with a class that another package exports. */
export const ofOthers = (source: string): ReadonlyArray<Problem> => {
  const names = new Set(Array.from(source.matchAll(imports), ([, clause]) => namesOf(clause!)).flat())
  return Array.from(source.matchAll(/\binstanceof (\w+)[\w.]*/g)).flatMap(({ 0: found, 1: name, index }) =>
    names.has(name!)
      ? [
          {
            at: source.slice(0, index).split("\n").length,
            text: `“${found}”: a class of another package; read the value by its tag (adapterErrorOf, liveSourceErrorOf, gatewayErrorOf)`
          }
        ]
      : []
  )
}
