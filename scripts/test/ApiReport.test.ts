import { assert, describe, it } from "@effect/vitest"
import { exportsOf } from "../ApiReport.ts"

describe("a declaration file", () => {
  it("is parsed into names, kinds and signatures, with or without docstrings", () => {
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
