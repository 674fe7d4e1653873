/** What the packages promise: docs/api, and a docstring on every name (docs/decisions/010). */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exportsOf, report } from "../../../scripts/ApiReport.ts"

const root = join(import.meta.dirname, "../../..")

describe("the public surface of the packages", () => {
  it(
    "is what docs/api says, and every name of it has a docstring (pnpm run api writes it)",
    { timeout: 300_000 },
    () => {
      const { pages, undocumented } = report()
      assert.deepStrictEqual(undocumented, [])
      for (const [file, text] of pages) assert.strictEqual(readFileSync(join(root, file), "utf8"), text, file)
    }
  )
})

describe("a declaration file", () => {
  it("is read by name, kind and signature, with a docstring or without", () => {
    const found = exportsOf(`/** The file's own. */
import { A } from "a";
/** Says; and "quotes". */
export declare const make: (options: {
    readonly a: string;
}) => A;
export interface Bare {
    /** Inside. */
    readonly b: "};";
}
declare const Service_base: A<"Service">;
/** A service. */
export declare class Service extends Service_base {
}
export { type Other, one as two } from "./Other.ts";
export {};
`)
    assert.deepStrictEqual(
      found.map(
        ({ documented, kind, name, signature }) => `${kind} ${name} ${documented ? "told" : "untold"}: ${signature}`
      ),
      [
        "const make told: const make: (options: { readonly a: string; }) => A",
        'interface Bare untold: interface Bare { readonly b: "};"; }',
        'class Service told: class Service extends A<"Service"> { }',
        "re-export Other told: type Other",
        "re-export two told: one as two"
      ]
    )
  })
})
