/**
 * The promise package as it is published: a few files with core and Effect in them, so that a job installs and loads nothing else. A store in PostgreSQL,
 * the HTTP client and telemetry are loaded when they are used.
 */
import { build } from "esbuild"
import { join } from "node:path"
import { noticesOf } from "./Notices.ts"
import { builtinsOnDemand, ownRequire } from "./Plugins.ts"

const root = join(import.meta.dirname, "../..")

/** Name to text, in one folder. */
export const facade = async (): Promise<ReadonlyMap<string, string>> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    // the program of a store's own thread is found beside whatever part asks for it
    entryPoints: { index: "packages/promise/src/index.ts", SqliteThread: "packages/core/src/node/SqliteThread.ts" },
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
    external: ["pg-native"],
    plugins: [builtinsOnDemand, ownRequire]
  })
  const files = outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf("/") + 1), text] as const)
  return new Map([...files, ["THIRD-PARTY-NOTICES.txt", noticesOf(metafile)]])
}
