/**
 * Packages that are published with core and Effect in them, so that a job installs and loads nothing else: the promise package, and the gateway of the
 * testing package. A store in PostgreSQL, the HTTP client, telemetry and PDFs are loaded when they are used.
 */
import { build } from "esbuild"
import { join } from "node:path"
import { noticesOf } from "./Notices.ts"
import { builtinsOnDemand, ownRequire, replaced } from "./Plugins.ts"

const root = join(import.meta.dirname, "../..")

/** Left out of a sandbox that serves no page and no fonts of others. */
export const withoutPages = [
  // 3 MB of a page that nobody is served
  [/\/effect\/dist\/http-api\/internal\/httpApiScalar\.js$/, 'export const javascript = ""'],
  // fonts that a document brings: the sandbox's PDFs have those that every reader has
  [/\/node_modules\/fontkit\/dist\/[^/]*$/, 'export const create = () => { throw new Error("fontkit is left out") }']
] as const

interface Library {
  readonly entryPoints: Readonly<Record<string, string>>
  readonly external: Array<string>
  readonly replacements: ReadonlyArray<readonly [path: RegExp, source: string]>
}

/** Name to text, in one folder. */
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
    // names stay, so that a stack can be read
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    plugins: [builtinsOnDemand, ownRequire, replaced(replacements)]
  })
  const files = outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf("/") + 1), text] as const)
  const notices = noticesOf(
    metafile,
    replacements.map(([path]) => path)
  )
  return new Map([...files, ["THIRD-PARTY-NOTICES.txt", notices]])
}

/** The promise package. */
export const facade = (): Promise<ReadonlyMap<string, string>> =>
  library({
    // the program of a store's own thread is found beside whatever part asks for it
    entryPoints: { index: "packages/promise/src/index.ts", SqliteThread: "packages/core/src/node/SqliteThread.ts" },
    external: ["pg-native"],
    replacements: []
  })

/** What `testGateway` loads. The connector is the one of the job under test. */
export const gatewayOfTests = (): Promise<ReadonlyMap<string, string>> =>
  library({
    entryPoints: { testGateway: "packages/testing/src/internal/testGateway.ts" },
    external: ["@fiscal-connector/promise"],
    replacements: withoutPages
  })
