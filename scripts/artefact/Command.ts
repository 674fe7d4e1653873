/**
 * The command as it is published, as tests start it as a process, and as it runs in a container.
 *
 * `connector.mjs` has all of its packages, pages and templates in it and needs Node alone; it can be copied anywhere. `start.mjs` beside it is what a shell
 * calls: it tells the version, and turns on Node's cache of compiled code before the large file is read, which saves 0.08 s of CPU at every start.
 */
import { build, type BuildOptions, type Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withoutPages } from "./Facade.ts"
import { noticesOf } from "./Notices.ts"
import { builtinsOnDemand, evaluated, ownRequire, replaced } from "./Plugins.ts"

const root = join(import.meta.dirname, "../..")

export interface CommandFiles {
  /** Name to text. */
  readonly files: Readonly<Record<"connector.mjs" | "start.mjs" | "THIRD-PARTY-NOTICES.txt", string>>
}

const replacements = [
  ...withoutPages,
  // the thread of a store starts from the same file, which looks where it runs
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
    // not the oldest Node that it runs on, but one that has to read the file before it can be told that it is too old
    target: "node18",
    // names stay, so that a stack can be read
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
  // a file that is copied by itself takes the licences with it
  const carried = `/*!\n${own}\n\n${notices.replaceAll("*/", "* /")}*/\n`
  return {
    files: {
      "connector.mjs": `${whole.outputFiles[0]!.text}\n${carried}`,
      "start.mjs": start.outputFiles[0]!.text,
      "THIRD-PARTY-NOTICES.txt": notices
    }
  }
}
