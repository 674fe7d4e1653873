/**
 * Bundles that contain core and Effect, so that a job installs and loads nothing else: the promise
 * package, and the gateway of the testing package. The PostgreSQL store, the HTTP client, telemetry
 * and PDFs are loaded on demand.
 */
import { build } from "esbuild"
import { join } from "node:path"
import { noticesOf } from "./Notices.ts"
import { builtinsOnDemand, modulesOfEffect, replaced } from "./Plugins.ts"

const root = join(import.meta.dirname, "../..")

/** Modules omitted from a sandbox that serves no page and needs no custom fonts. */
export const withoutPages = [
  // 3 MB of a page that is never served
  [/\/effect\/dist\/http-api\/internal\/httpApiScalar\.js$/, 'export const javascript = ""'],
  // parser of embedded fonts: the sandbox's PDFs use only the standard fonts of every reader
  [/\/node_modules\/fontkit\/dist\/[^/]*$/, 'export const create = () => { throw new Error("fontkit is left out") }']
] as const

interface Library {
  readonly entryPoints: Readonly<Record<string, string>>
  readonly external: Array<string>
  readonly replacements: ReadonlyArray<readonly [path: RegExp, source: string]>
}

/** Returns the bundle's texts by name, in one folder. */
const library = async ({ replacements, ...library }: Library): Promise<ReadonlyMap<string, string>> => {
  const { metafile, outputFiles } = await build({
    ...library,
    absWorkingDir: root,
    outdir: "dist",
    chunkNames: "part-[hash]",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    // names stay, so that stack traces are readable
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    plugins: [builtinsOnDemand, modulesOfEffect, replaced(replacements)]
  })
  const files = outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf("/") + 1), text] as const)
  const notices = noticesOf(
    metafile,
    replacements.map(([path]) => path)
  )
  return new Map([...files, ["THIRD-PARTY-NOTICES.txt", notices]])
}

/** Bundles the promise package. */
export const facade = (): Promise<ReadonlyMap<string, string>> =>
  library({
    // the program of a store's thread is found next to the part that starts the thread
    entryPoints: { index: "packages/promise/src/index.ts", SqliteThread: "packages/core/src/node/SqliteThread.ts" },
    external: ["pg-native"],
    replacements: []
  })

/** Bundles the modules that `testGateway` loads. The connector is the one of the job under test. */
export const gatewayOfTests = (): Promise<ReadonlyMap<string, string>> =>
  library({
    entryPoints: { testGateway: "packages/testing/src/internal/testGateway.ts" },
    external: ["@fiscal-connector/promise"],
    replacements: withoutPages
  })
