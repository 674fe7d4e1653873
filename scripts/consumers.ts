/**
 * The packages as somebody else has them: packed, installed from a registry into a folder of their own, and used from ES modules, from CommonJS,
 * from strict TypeScript and by the command; then the commands of the docs about adapters, from an empty folder, as they are written.
 *
 *     pnpm build && pnpm consumers           the newest of everything, and the oldest that is promised
 *     pnpm build && pnpm consumers --all     every package manager with every Node and every TypeScript
 *     pnpm build && pnpm consumers --docs    the commands of the docs alone
 */
import { execFile, execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { blocks } from "./consumers/blocks.ts"
import { programs } from "./consumers/programs.ts"
import { type Packed, serve } from "./consumers/Registry.ts"

const root = join(import.meta.dirname, "..")
const manifestIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
const own = { ...manifestIn("tools/types").devDependencies, ...manifestIn("").devDependencies }
const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
const versionOf = (name: string): string => {
  const exact = own[name]
  if (exact !== undefined && exact !== "catalog:") return exact
  return new RegExp(`^ {2}"?${name}"?: (\\S+)$`, "m").exec(catalog)![1]!
}

/** One way to have the packages. */
interface Cell {
  readonly manager: "pnpm" | "npm"
  readonly node: string
  readonly typescript: string
}

const managers = ["pnpm", "npm"] as const
/** The newest, and the oldest of `engines`. */
const nodes = [versionOf("node"), "22.19.0"]
const typescripts = [versionOf("typescript"), "5.9.3"]
const all: ReadonlyArray<Cell> = managers.flatMap((manager) =>
  nodes.flatMap((node) => typescripts.map((typescript) => ({ manager, node, typescript })))
)
const cells = process.argv.includes("--all") ? all : process.argv.includes("--docs") ? [] : [all[0]!, all.at(-1)!]

interface Run {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Found before everything else on the path. */
  readonly bin?: string
}

const run = (command: string, args: ReadonlyArray<string>, { bin, cwd, env }: Run): Promise<string> =>
  new Promise((done, failed) => {
    const path = [bin, dirname(process.execPath), process.env["PATH"]].filter((entry) => entry !== undefined)
    const options = {
      cwd,
      encoding: "utf8" as const,
      maxBuffer: 1 << 26,
      env: { ...process.env, ...env, PATH: path.join(delimiter) }
    }
    execFile(command, args, options, (error, stdout, stderr) =>
      error === null ? done(stdout) : failed(new Error(`${error.message}\n${stdout}\n${stderr}`))
    ).stdin?.end()
  })

let failed = 0
const check = async (title: string, expected: RegExp, work: () => Promise<string>): Promise<void> => {
  const began = Date.now()
  try {
    const said = await work()
    if (!expected.test(said)) throw new Error(`not what was expected:\n${said}`)
    console.log(`ok      ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${title}\n${error instanceof Error ? error.message : String(error)}`)
  }
}

const install: { readonly [Manager in Cell["manager"]]: readonly [string, ...ReadonlyArray<string>] } = {
  pnpm: ["npx", "--yes", "pnpm@12", "install", "--prefer-offline", "--no-frozen-lockfile"],
  npm: ["npm", "install", "--prefer-offline", "--no-package-lock"]
}

/** The job of the README that runs every five minutes, as it is printed there. */
const readmeJob = blocks(readFileSync(join(root, "packages/promise/README.md"), "utf8"), "ts").find((text) =>
  text.includes("openInvoices")
)!

/** `ours`: our packages, each with its version. */
const checkCell = async (
  cell: Cell,
  ours: Readonly<Record<string, string>>,
  folder: string,
  env: Run["env"]
): Promise<void> => {
  const { manager, node, typescript } = cell
  const title = `${manager}, Node ${node}, TypeScript ${typescript}: `
  const project = join(folder, `${manager}-${node}-${typescript}`)
  mkdirSync(project)
  const others = ["effect", "@effect/platform-node", "@effect/sql-pg", "@types/node"]
  const dependencies = {
    ...ours,
    ...Object.fromEntries(others.map((name) => [name, versionOf(name)])),
    node,
    typescript
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, dependencies }))
  writeFileSync(join(project, "pnpm-workspace.yaml"), "allowBuilds: { node: true }\n")
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text)
  writeFileSync(join(project, "readme-job.mjs"), readmeJob)
  const [command, ...args] = install[manager]
  await check(`${title}install`, /^/, () => run(command, args, { cwd: project, env }))

  const bin = join(project, "node_modules/.bin")
  const here = (program: string, ...args: ReadonlyArray<string>) => run(program, args, { cwd: project, bin })
  await check(`${title}node`, new RegExp(`^v${node}\n$`), () => here("node", "--version"))
  for (const file of ["esm.mjs", "cjs.cjs"]) {
    mkdirSync(join(project, `kept-${file}`))
    await check(`${title}${file} fiscalises a document`, /^fiscalised\n$/, () => here("node", file, `kept-${file}`))
  }
  await check(`${title}the job of the promise package's README`, /^S-1 string 0\n$/, () => here("node", "readme.mjs"))
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,esnext.disposable", "--types", "node"]
  for (const [module, ...resolution] of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]] as const) {
    const flags = [...strict, "--module", module, ...resolution]
    await check(`${title}facade.ts, declarations checked, ${module}`, /^$/, () => here("tsc", ...flags, "facade.ts"))
    await check(`${title}effect.ts, ${module}`, /^$/, () => here("tsc", ...flags, "--skipLibCheck", "effect.ts"))
  }
  for (const name of ["historical-invoices.csv", "historical-invoices.book.json"])
    copyFileSync(join(root, "examples", name), join(project, name))
  await check(`${title}connector --version`, /^connector v\d/, () => here("connector", "--version"))
  await check(`${title}connector import csv --sandbox`, /46 fiscalised/, () =>
    here("connector", "import", "csv", "historical-invoices.csv", "--sandbox")
  )
}

/** The commands of a page, in a shell of their own, which stops at the first that fails. */
const checkPage = (page: string, expected: RegExp, cwd: string, env: Run["env"]) =>
  check(`${page}: its commands, as they are written`, expected, () =>
    run("sh", ["-ec", blocks(readFileSync(join(root, page), "utf8"), "sh").join("\n")], { cwd, env })
  )

const folder = mkdtempSync(join(tmpdir(), "consumers-"))
try {
  execFileSync("npx", ["--yes", "pnpm@12", "-r", "--filter", "./packages/*", "pack", "--out", join(folder, "%s.tgz")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const packed = readdirSync(join(root, "packages")).flatMap((folderName): ReadonlyArray<Packed> => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", folderName, "package.json"), "utf8"))
    const { name, private: kept, version } = manifest
    if (kept === true) return []
    return [{ name, version, tarball: join(folder, `${name.replace(/^@/, "").replace("/", "-")}.tgz`) }]
  })
  const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim()
  await using registry = await serve(packed, others)
  const env = {
    npm_config_registry: registry.url,
    pnpm_config_registry: registry.url,
    // other packages come from where their own registry says, so that what was downloaded before is known again
    npm_config_replace_registry_host: "never",
    npm_config_yes: "true",
    npm_config_prefer_offline: "true"
  }
  const ours = Object.fromEntries(packed.map(({ name, version }) => [name, version]))
  for (const cell of cells) await checkCell(cell, ours, folder, env)
  const empty = join(folder, "empty")
  mkdirSync(empty)
  await checkPage("docs/adapters.md", /pass 56\n[^]*2 fiscalised/, empty, env)
  await checkPage(
    "packages/create-fiscal-adapter/template/README.md",
    /pass 56\n[^]*2 fiscalised/,
    join(empty, "fiscal-adapter-acme"),
    env
  )
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
