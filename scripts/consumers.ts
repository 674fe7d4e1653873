/**
 * Tests the packed packages like a new user.
 *
 * - The command is installed from its single tarball with an empty home, and the README is run.
 * - The libraries are installed from a registry, and used from ES modules, CommonJS and strict
 *   TypeScript.
 * - A new adapter is made with the unchanged commands of the docs, and imported by name in a job.
 *
 *     pnpm build && pnpm consumers             newest and oldest supported versions
 *     pnpm build && pnpm consumers --all       all managers, Node versions and TypeScript versions
 *     pnpm build && pnpm consumers --command   only the command's tarball
 *     pnpm build && pnpm consumers --adapter   only the new adapter
 *     pnpm build && pnpm consumers --by-name   only the command by its name, from an empty folder
 */
import { execFile, execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { blocks, fenced } from "./consumers/blocks.ts"
import * as ByName from "./consumers/byName.ts"
import { jobByName, programs } from "./consumers/programs.ts"
import { freePort, type Packed, serve } from "./consumers/Registry.ts"

const root = join(import.meta.dirname, "..")
const manifestIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
const own = { ...manifestIn("tools/types").devDependencies, ...manifestIn("").devDependencies }
const [, catalog = ""] = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").split(/^catalog:$/m)
const versionOf = (name: string): string => {
  const exact = own[name]
  if (exact !== undefined && exact !== "catalog:") return exact
  return new RegExp(`^ {2}"?${name}"?: (\\S+)$`, "m").exec(catalog)![1]!
}

/** One combination of tools. */
interface Cell {
  readonly manager: "pnpm" | "npm"
  readonly node: string
  readonly typescript: string
}

const managers = ["pnpm", "npm"] as const
/** Newest version, and oldest version of `engines`. */
const nodes = [versionOf("node"), "22.19.0"]
const typescripts = [versionOf("typescript"), "5.9.3"]
const all: ReadonlyArray<Cell> = managers.flatMap((manager) =>
  nodes.flatMap((node) => typescripts.map((typescript) => ({ manager, node, typescript })))
)
const cells = process.argv.includes("--all") ? all : [all[0]!, all.at(-1)!]

interface Run {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Folder at the start of the path. */
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

/** Job of the README that runs every five minutes, exactly as printed. */
const readmeJob = blocks(readFileSync(join(root, "packages/promise/README.md"), "utf8"), "ts").find((text) =>
  text.includes("openInvoices")
)!

/**
 * Jobs by file, with their output: of today's README, and of the last two READMEs with another
 * program. A program that no longer runs moves the version (docs/run.md#versions).
 */
const readmeJobs = {
  "readme-job.mjs": /^S-1 string 0\n$/,
  "2026-11-23.mjs": /^S-1 string 0\n$/,
  "2026-11-22.mjs": /^INV-4711 \S+ https:\S+\n undefined\n$/
}

const jobs = Object.keys(readmeJobs)
/** Name of the same job for the compiler. */
const typedOf = (job: string): string => job.replace(".mjs", ".mts")
/** Syntax that Node 22 does not have. */
const needsNode24 = "2026-11-22.mjs"

/** Checks one combination. `ours`: our packages with their versions. */
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
  for (const name of ["refusals.mjs", "own-kind.mjs", "own-kind"])
    cpSync(join(root, "scripts/consumers", name), join(project, name), { recursive: true })
  cpSync(join(root, "scripts/consumers/earlier"), project, { recursive: true })
  cpSync(join(root, "examples/embed-in-a-job.ts"), join(project, "embed-in-a-job.ts"))
  for (const job of jobs) cpSync(join(project, job), join(project, typedOf(job)))
  const [command, ...args] = install[manager]
  await check(`${title}install`, /^/, () => run(command, args, { cwd: project, env }))

  const bin = join(project, "node_modules/.bin")
  const typed = node.startsWith("22.") ? ["--experimental-strip-types", "--no-warnings"] : []
  const here = (program: string, ...args: ReadonlyArray<string>) => run(program, args, { cwd: project, bin })
  await check(`${title}node`, new RegExp(`^v${node}\n$`), () => here("node", "--version"))
  for (const file of ["esm.mjs", "cjs.cjs"]) {
    mkdirSync(join(project, `kept-${file}`))
    await check(`${title}${file} fiscalises a document`, /^fiscalised\n$/, () => here("node", file, `kept-${file}`))
  }
  for (const [job, expected] of Object.entries(readmeJobs)) {
    if (node.startsWith("22.") && job === needsNode24) continue
    for (const name of ["shop.db", "accounts.stores.json"]) rmSync(join(project, name), { force: true })
    await check(`${title}${job}`, expected, () => here("node", "readme.mjs", job))
  }
  if (cell === cells[0])
    await check(`${title}every refusal, by each adapter, by job and command`, / 0 wrong\n$/, () =>
      here("node", "refusals.mjs")
    )
  await check(
    `${title}a kind of source of an operator's own, by everything that reads a source`,
    /^login sync work serve page health package replaces refused\n$/,
    () => here("node", "own-kind.mjs", join(project, "node_modules/fiscal-connector/dist/start.mjs"))
  )
  await check(`${title}testing.ts sends to a gateway in its process`, /^unknown 1 200\n$/, () =>
    here("node", ...typed, "testing.ts")
  )
  await check(
    `${title}examples/embed-in-a-job.ts, with Effect`,
    /^S-1001 is Fiscalised[^]*S-1002 refused, TAX_UNMAPPED/,
    () => here("node", ...typed, "embed-in-a-job.ts")
  )
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,esnext.disposable", "--types", "node"]
  for (const [module, ...resolution] of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]] as const) {
    const flags = [...strict, "--module", module, ...resolution]
    await check(`${title}facade.ts, testing.ts and the jobs of READMEs, declarations checked, ${module}`, /^$/, () =>
      here("tsc", ...flags, "facade.ts", "testing.ts", ...jobs.map(typedOf))
    )
    await check(`${title}effect.ts, ${module}`, /^$/, () => here("tsc", ...flags, "--skipLibCheck", "effect.ts"))
  }
  await check(`${title}connector import csv --sandbox`, /46 fiscalised/, () =>
    here("connector", "import", "csv", join(root, "examples/historical-invoices.csv"), "--sandbox")
  )
}

/** Runs shell commands, and stops at the first failure. */
const shell = (lines: ReadonlyArray<string>, options: Run) => run("sh", ["-ec", lines.join("\n")], options)

const page = (name: string): string => readFileSync(join(root, name), "utf8")

/**
 * Checks the command installed from its tarball alone, on a machine that has only Node; then the
 * README, with a folder of examples.
 */
const checkCommand = async (tarball: string, folder: string): Promise<void> => {
  const home = join(folder, "home")
  const prefix = join(folder, "prefix")
  for (const made of [home, prefix]) mkdirSync(made)
  const env = { HOME: home, npm_config_prefix: prefix, npm_config_cache: join(home, ".npm") }
  await check("the command: npm install --global of one tarball", /added 1 package/, () =>
    run("npm", ["install", "--global", "--offline", tarball], { cwd: folder, env })
  )
  const start = page("docs/start.md").replaceAll(/<!-- recorded: (\S+) -->[^]*?<!-- end: \1 -->/g, "")
  const readme = fenced(`${page("README.md")}\n${start}`)
  const port = await freePort()
  const linesOf = (block: string): ReadonlyArray<string> =>
    block
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
  const executed = (line: string): string => {
    const here = line.replace("npx --yes pnpm@12 connector", "connector").replaceAll("4010", String(port))
    if (here.endsWith("&")) return `${here}\nbeside=$!`
    // exit code 2, as stated in the README
    return here.includes("with-faults") ? `if ${here}; then exit 9; else test $? -eq 2; fi` : here
  }
  // these lines need the clone: its tests, and its command on the path
  const needsClone = (line: string): boolean => line === "npx --yes pnpm@12 test" || line.startsWith("export PATH=")
  const scripts = readme.flatMap(({ language, text }) => (language === "sh" ? [linesOf(text)] : []))
  const mark = "@@@"
  const lines = scripts.flatMap((script) => [
    `echo ${mark}`,
    ...script.filter((line) => !needsClone(line)).map(executed)
  ])
  cpSync(join(root, "examples"), join(folder, "examples"), {
    recursive: true,
    filter: (path) => !path.includes("node_modules")
  })
  await check("the command: the README, from an empty folder", /^all of it$/, async () => {
    if (scripts.length < 8) return `only ${scripts.length} scripts`
    const printed = await shell(["trap 'kill $beside' EXIT", ...lines], {
      cwd: folder,
      env,
      bin: join(prefix, "bin")
    })
    const outputs = printed.replaceAll(String(port), "4010").split(`${mark}\n`)
    let script = 0
    for (const { language, text } of readme) {
      if (language === "sh") script++
      if (language !== "text") continue
      let rest = linesOf(outputs[script]!)
      for (const line of linesOf(text)) {
        const at = rest.indexOf(line)
        if (at < 0) return `not printed, or printed earlier:\n${line}\n\nin\n\n${rest.join("\n")}`
        rest = rest.slice(at)
      }
    }
    return "all of it"
  })
}

/**
 * Checks a new adapter made with the commands of the docs, then as a package that a job imports by
 * name.
 */
const checkAdapter = async (ours: Readonly<Record<string, string>>, folder: string, env: Run["env"]): Promise<void> => {
  const adapter = join(folder, "fiscal-adapter-acme")
  await check("docs/adapters.md: its commands, as they are written", /pass 68\n[^]*2 fiscalised/, () =>
    shell(blocks(page("docs/adapters.md"), "sh"), { cwd: folder, env })
  )
  await check("the new adapter: the file of another system is refused", /nothing at \/rows[^]*exit 1\n$/, () => {
    writeFileSync(join(adapter, "other.json"), '{"other":[]}')
    const line = "npx fiscal-connector import --adapter . other.json --sandbox --book fixtures/book.json"
    return shell([`if ${line} 2>&1; then exit 9; else echo "exit $?"; rm other.json; fi`], { cwd: adapter, env })
  })
  // the earlier commands of this README are already done by docs/adapters.md
  const own = blocks(page("packages/create-fiscal-adapter/template/README.md"), "sh").flatMap((block) =>
    block.split("\n").filter((line) => line.startsWith("npx"))
  )
  await check("the new adapter's README: its commands", /3 documents[^]*2 fiscalised/, () =>
    shell(own, { cwd: adapter, env })
  )
  await check(
    "the new adapter: its package has no export in it",
    /^dist\/adapter\.d\.ts dist\/adapter\.js /,
    async () => {
      await run("npm", ["pack", "--pack-destination", folder], { cwd: adapter, env })
      const files = await run("tar", ["-tzf", join(folder, "fiscal-adapter-acme-0.1.0.tgz")], { cwd: folder })
      const inside = files.split("\n").filter((file) => file.startsWith("package/dist/") || /fixtures|test/.test(file))
      return inside
        .map((file) => file.slice("package/".length))
        .toSorted()
        .join(" ")
    }
  )
  const job = join(folder, "job")
  mkdirSync(job)
  const dependencies = {
    "@fiscal-connector/promise": ours["@fiscal-connector/promise"],
    "fiscal-adapter-acme": "file:../fiscal-adapter-acme-0.1.0.tgz"
  }
  writeFileSync(join(job, "package.json"), JSON.stringify({ name: "job", private: true, type: "module", dependencies }))
  writeFileSync(join(job, "job.js"), jobByName)
  await check("the new adapter: a job imports it by its name", /^S-11 fiscalised, S-13 fiscalised\n$/, async () => {
    await run("npm", ["install", "--no-package-lock"], { cwd: job, env })
    const port = await freePort()
    const lines = [
      `connector sandbox --port ${port} --book fixtures/book.json > sandbox.log & beside=$!`,
      "trap 'kill $beside' EXIT",
      `curl -s -o ${join(job, "answer")} --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/`,
      `node ${join(job, "job.js")} http://127.0.0.1:${port} fixtures ${join(job, "shop.db")}`
    ]
    return shell(lines, { cwd: adapter, bin: join(adapter, "node_modules/.bin") })
  })
}

/** Checks the command by its name from an empty folder. npx installs it from the registry. */
const checkByName = async (folder: string, env: Run["env"]): Promise<void> => {
  const lines = ByName.linesIn(folder, page("docs/start.md"), await freePort())
  await check("npx fiscal-connector start sales.csv, to its receipt and three refusals", ByName.expected, () =>
    shell(lines, { cwd: folder, env })
  )
}

/**
 * Returns a cache that shares the downloads of this machine, without the commands that npx keeps:
 * an earlier version of ours would be run again.
 */
const cacheIn = (folder: string): string => {
  const shared = join(execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(), "_cacache")
  mkdirSync(shared, { recursive: true })
  symlinkSync(shared, join(folder, "_cacache"))
  return folder
}

const folder = mkdtempSync(join(tmpdir(), "consumers-"))
try {
  execFileSync("npx", ["--yes", "pnpm@12", "-r", "--filter", "./packages/*", "pack", "--out", join(folder, "%s.tgz")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const packed = readdirSync(join(root, "packages")).flatMap((folderName): ReadonlyArray<Packed> => {
    const { name, private: kept, version } = manifestIn(join("packages", folderName))
    if (kept === true) return []
    return [{ name, version, tarball: join(folder, `${name.replace(/^@/, "").replace("/", "-")}.tgz`) }]
  })
  const inside = (name: string): string => {
    const made = join(folder, name)
    mkdirSync(made)
    return made
  }
  const only = ["--command", "--adapter", "--by-name"].filter((part) => process.argv.includes(part))
  const has = (part: string) => only.length === 0 || only.includes(part)
  if (has("--command")) await checkCommand(join(folder, "fiscal-connector.tgz"), inside("command"))
  if (!only.includes("--command")) {
    const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim()
    await using registry = await serve(packed, others)
    const env = {
      npm_config_cache: cacheIn(inside("cache")),
      npm_config_registry: registry.url,
      pnpm_config_registry: registry.url,
      // other packages keep their own registry's addresses, so that cached downloads are used
      npm_config_replace_registry_host: "never",
      npm_config_yes: "true",
      npm_config_prefer_offline: "true"
    }
    const ours = Object.fromEntries(packed.map(({ name, version }) => [name, version]))
    if (has("--by-name")) await checkByName(join(folder, "by-name"), env)
    if (only.length === 0) for (const cell of cells) await checkCell(cell, ours, folder, env)
    if (has("--adapter")) await checkAdapter(ours, inside("empty"), env)
  }
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
