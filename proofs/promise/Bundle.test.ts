/** A job that somebody bundled into files of its own runs with no package beside it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { book, gateway, invoice } from "../../packages/promise/test/Gateway.ts"

const job = join(import.meta.dirname, "../../packages/promise/test/BundledJob.ts")
// not installed where no store is in PostgreSQL
const external = ["@effect/sql-pg"]

/** A CommonJS package in an ES module needs a `require`, which esbuild does not make by itself (its documentation says so). */
const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'

const bundlers = {
  esbuild: async (format: "esm" | "cjs", outdir: string) => {
    const esm = { splitting: true, banner: { js: banner }, outExtension: { ".js": ".mjs" } }
    await build({
      entryPoints: [job],
      bundle: true,
      platform: "node",
      format,
      outdir,
      external,
      logLevel: "error",
      ...(format === "esm" ? esm : { outExtension: { ".js": ".cjs" } })
    })
  },
  rolldown: async (format: "esm" | "cjs", dir: string) => {
    const bundle = await rolldown({
      input: job,
      platform: "node",
      external: external.map((name) => new RegExp(`^${name}`))
    })
    const ending = format === "esm" ? "mjs" : "cjs"
    await bundle.write({ format, dir, entryFileNames: `[name].${ending}`, chunkFileNames: `[name]-[hash].${ending}` })
    await bundle.close()
  }
}

describe("a bundled job", () => {
  it.live.each([
    { bundler: "esbuild", format: "esm" },
    { bundler: "esbuild", format: "cjs" },
    { bundler: "rolldown", format: "esm" },
    { bundler: "rolldown", format: "cjs" }
  ] as const)("fiscalises a document: $bundler, $format", ({ bundler, format }) =>
    Effect.gen(function* () {
      const { config, folder, store } = yield* gateway
      const bundled = join(folder, "bundled")
      const file = join(bundled, format === "esm" ? "BundledJob.mjs" : "BundledJob.cjs")
      const given = { options: { account: "shop", config, book, store }, document: invoice("S-1") }
      yield* Effect.promise(() => bundlers[bundler](format, bundled))
      const { stdout } = yield* Effect.promise(() =>
        promisify(execFile)(process.execPath, [file, JSON.stringify(given)], { cwd: bundled })
      )
      assert.strictEqual(stdout, "S-1 fiscalised\n")
    })
  )
})
