/**
 * Bundle of the command, as published, as started by tests, and as run in a container.
 *
 * `connector.mjs` contains all packages, pages and templates; it needs only Node and can be copied
 * anywhere. Shells call `start.mjs`, which prints the version, and enables Node's compile cache
 * before the large file is loaded. The cache saves 0.08 s of CPU at every start.
 */
import { build, type BuildOptions, type Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { shared } from "../../packages/cli/src/adapter/SharedModules.ts"
import { withoutPages } from "./Facade.ts"
import { noticesOf } from "./Notices.ts"
import { builtinsOnDemand, evaluated, ownRequire, replaced } from "./Plugins.ts"

const root = join(import.meta.dirname, "../..")

export interface CommandFiles {
  /** Texts by file name. */
  readonly files: Readonly<Record<"connector.mjs" | "start.mjs" | "THIRD-PARTY-NOTICES.txt", string>>
}

// the bundler follows only imports with a literal name
const sharedModules = `export const shared = {${Object.keys(shared)
  .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(name)})`)
  .join()}}`

const replacements = [
  ...withoutPages,
  [/\/cli\/src\/adapter\/SharedModules\.ts$/, sharedModules],
  // the thread of a store starts from the same file, which detects its thread
  [/\/core\/src\/node\/StoreThread\.ts$/, 'export const program = () => new URL(import.meta.url.split("?")[0])']
] as const

const options = (plugins: ReadonlyArray<Plugin>) =>
  ({
    absWorkingDir: root,
    entryPoints: ["packages/cli/src/main.ts"],
    outdir: "dist",
    write: false,
    metafile: true,
    bundle: true,
    format: "esm",
    platform: "node",
    // older than the oldest supported Node: an unsupported Node must parse the file to report its
    // version
    target: "node18",
    // names stay, so that stack traces are readable
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    external: ["pg-native", "./connector.mjs?run"],
    plugins: [builtinsOnDemand, ownRequire, ...plugins]
  }) satisfies BuildOptions

/** Bundles the command from its sources. */
export const command = async (): Promise<CommandFiles> => {
  const [whole, start] = await Promise.all([
    build({
      ...options([
        evaluated(/\/(?:create-fiscal-adapter\/src\/Template|cli\/src\/docs\/Pages)\.ts$/),
        replaced(replacements)
      ])
    }),
    build(
      options([
        replaced([
          [/\/cli\/src\/Run\.ts$/, 'await import("./connector.mjs?run")'],
          [/\/core\/src\/node\/SqliteThread\.ts$/, ""]
        ])
      ])
    )
  ])
  const notices = noticesOf(
    whole.metafile,
    replacements.map(([path]) => path)
  )
  const own = readFileSync(join(root, "LICENSE"), "utf8")
  // a copy of the single file includes the licenses
  const carried = `/*!\n${own}\n\n${notices.replaceAll("*/", "* /")}*/\n`
  return {
    files: {
      "connector.mjs": `${whole.outputFiles[0]!.text}\n${carried}`,
      "start.mjs": start.outputFiles[0]!.text,
      "THIRD-PARTY-NOTICES.txt": notices
    }
  }
}
