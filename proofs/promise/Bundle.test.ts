/** Proves that a bundled job runs without installed packages. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { facade } from "../../scripts/artefact/Facade.ts"
import { book, gateway, invoice } from "../../packages/promise/test/Gateway.ts"

const root = join(import.meta.dirname, "../..")

let published: ReturnType<typeof facade> | undefined

/** Creates a project with the published package and a job; the bundler has no special settings. */
const project = (folder: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const installed = join(folder, "node_modules/@fiscal-connector/promise")
    mkdirSync(join(installed, "dist"), { recursive: true })
    for (const [name, text] of await (published ??= facade())) writeFileSync(join(installed, "dist", name), text)
    const { publishConfig, ...manifest } = JSON.parse(
      readFileSync(join(root, "packages/promise/package.json"), "utf8")
    ) as Record<string, object>
    writeFileSync(join(installed, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }))
    cpSync(join(root, "packages/promise/test/BundledJob.ts"), join(folder, "BundledJob.ts"))
    return join(folder, "BundledJob.ts")
  })

const bundlers = {
  esbuild: async (job: string, format: "esm" | "cjs", outfile: string) => {
    await build({ entryPoints: [job], bundle: true, platform: "node", format, outfile, logLevel: "error" })
  },
  rolldown: async (job: string, format: "esm" | "cjs", file: string) => {
    const bundle = await rolldown({ input: job, platform: "node" })
    await bundle.write({ format, file, codeSplitting: false })
    await bundle.close()
  }
}

/** Largest text that `connect` loads, in bytes: 1.526 MB measured; all of Effect adds 0.59 MB. */
const mostLoaded = 1_527_000

describe("the published package", () => {
  it("loads only the used parts of Effect to connect", async () => {
    const parts = await (published ??= facade())
    const loaded = new Set<string>()
    const load = (name: string): void => {
      if (loaded.has(name)) return
      loaded.add(name)
      // parts that a call loads on demand are imported by a call
      for (const [, part] of parts.get(name)!.matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g)) load(part!)
    }
    const [, connecting = ""] =
      /connect=async options=>\(await import\("\.\/(part-\w+\.js)"\)/.exec(parts.get("index.js")!) ?? []
    load(connecting)
    const bytes = [...loaded].reduce((sum, name) => sum + parts.get(name)!.length, 0)
    assert.isBelow(bytes, mostLoaded)
    assert.isAbove(bytes, mostLoaded / 2)
  })
})

describe("a bundled job", () => {
  it.live.each([
    { bundler: "esbuild", format: "esm" },
    { bundler: "esbuild", format: "cjs" },
    { bundler: "rolldown", format: "esm" },
    { bundler: "rolldown", format: "cjs" }
  ] as const)("fiscalises a document: $bundler, $format", ({ bundler, format }) =>
    Effect.gen(function* () {
      const { config, folder, store } = yield* gateway
      const job = yield* project(join(folder, "project"))
      const bundled = join(folder, "bundled")
      const file = join(bundled, format === "esm" ? "BundledJob.mjs" : "BundledJob.cjs")
      const given = { options: { account: "shop", config, book, store }, document: invoice("S-1") }
      yield* Effect.promise(() => bundlers[bundler](job, format, file))
      const { stdout } = yield* Effect.promise(() =>
        promisify(execFile)(process.execPath, [file, JSON.stringify(given)], { cwd: bundled })
      )
      assert.strictEqual(stdout, "S-1 fiscalised\n")
    })
  )
})
