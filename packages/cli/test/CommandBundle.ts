/**
 * The command as tests start it, hundreds of times: one program, made of its sources before the first test. Node takes longer to find and link eight
 * hundred modules than the command for most of what it is asked. As it stands in the repository `Start.test.ts` and `.ci/run` run it, as it is published
 * `scripts/consumers.ts`.
 */
import { build, type Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The program's file. */
    command: string
  }
}

const source = join(import.meta.dirname, "../src/main.ts")
const outdir = join(import.meta.dirname, "../../../node_modules/.cache/command")

/** A module finds what lies beside it where its source lies. */
const inItsPlace: Plugin = {
  name: "in its place",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/packages\/.*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
    }))
}

export const setup = async ({ provide }: TestProject): Promise<void> => {
  const required = `import { createRequire as requireOf } from "node:module"; const require = requireOf(${JSON.stringify(source)});`
  await build({
    entryPoints: { connector: source },
    outdir,
    // told by its name, or Node looks into each file for what kind of module it is
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    banner: { js: required },
    external: ["pg-native"],
    plugins: [inItsPlace]
  })
  provide("command", join(outdir, "connector.mjs"))
}
