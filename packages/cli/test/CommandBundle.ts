/**
 * The command as tests start it, hundreds of times: one program, made of its sources before the first test. Node takes longer to find and link eight
 * hundred modules than the command for most of what it is asked. As it stands in the repository `Start.test.ts` and `.ci/run` run it, as it is published
 * `scripts/consumers.ts`.
 */
import { build, type Plugin } from "esbuild"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The program's file. */
    command: string
  }
}

const source = join(import.meta.dirname, "../src/main.ts")
const programs = join(import.meta.dirname, "../../../node_modules/.cache/command")

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

interface Part {
  readonly path: string
  readonly contents: Uint8Array
}

const dayMillis = 86_400_000

/** Writes the program into a folder that is named after what is in it: suites run beside each other, and none changes what another has started. */
const kept = (parts: ReadonlyArray<Part>): string => {
  const hash = createHash("sha256")
  for (const { contents, path } of parts) hash.update(path).update(contents)
  const folder = join(programs, hash.digest("hex").slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(programs, { recursive: true })
  for (const name of readdirSync(programs)) {
    const old = join(programs, name)
    if (Date.now() - statSync(old).mtimeMs > dayMillis) rmSync(old, { recursive: true })
  }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const { contents, path } of parts) writeFileSync(join(unfinished, path), contents)
  try {
    renameSync(unfinished, folder)
  } catch (cause) {
    // another suite has written the same meanwhile
    rmSync(unfinished, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
  return folder
}

export const setup = async ({ provide }: TestProject): Promise<void> => {
  const required = `import { createRequire as requireOf } from "node:module"; const require = requireOf(${JSON.stringify(source)});`
  const { outputFiles } = await build({
    entryPoints: { connector: source },
    outdir: programs,
    write: false,
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
  const parts = outputFiles.map(({ contents, path }) => ({ path: relative(programs, path), contents }))
  provide("command", join(kept(parts), "connector.mjs"))
}
