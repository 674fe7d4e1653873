/**
 * The packages as somebody else has them: packed, installed from the tarballs into a folder of their own, and used from ES modules, from CommonJS, from
 * strict TypeScript and by the command.
 *
 *     pnpm build && pnpm consumers
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
const versionOf = (name: string): string =>
  new RegExp(`^ {2}"?${name}"?: (\\S+)$`, "m").exec(catalog)?.[1] ?? own.devDependencies[name]

const pnpm = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync("npx", ["--yes", "pnpm@12", ...args], { cwd, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })

/** What a job does with the facade, in the words of both module systems. */
const job = `
const options = (url, folder) => ({
  account: "shop",
  config: { baseUrl: url, application: "shop", station: "till-1", apiKey: "shop-key", settings: { assumptions: { "STAT-7": 1 } } },
  book: {
    version: 1,
    zone: "+02:00",
    taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
    currencies: [{ code: "USD", device: "USD" }]
  },
  store: { sqlite: folder + "/shop.db" }
})
const invoice = {
  kind: "invoice", id: "S-1", number: "S-1", date: "2026-03-02", currency: "USD", taxMode: "inclusive",
  lines: [{ description: "Solar lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
  totals: { total: "19.98" }
}
const account = {
  key: "shop-key", device: 1001,
  taxMappings: [{ taxCode: "VAT155", destinationTaxId: 515 }],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}
const run = async (folder) => {
  const refused = await connect({ ...options("http://127.0.0.1:1", folder), book: {} }).catch((error) => error)
  if (!(refused instanceof FiscalConnectorError)) throw new Error("another class: " + refused)
  const program = Effect.gen(function* () {
    const { url } = yield* Sandbox.make({ processingDelayMillis: 20, accounts: [account] })
    const fiscal = yield* Effect.promise(() => connect(options(url, folder)))
    const results = yield* Effect.promise(() => fiscal.sync([invoice]))
    yield* Effect.promise(() => fiscal[Symbol.asyncDispose]())
    return results[0].status
  })
  console.log(await Effect.runPromise(Effect.scoped(program)))
}
`

const files = {
  "esm.mjs": `import { connect, FiscalConnectorError } from "@fiscal-connector/promise"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { Effect } from "effect"
${job}
await run(process.argv[2])
`,
  "cjs.cjs": `const { connect, FiscalConnectorError } = require("@fiscal-connector/promise")
const Sandbox = require("@fiscal-connector/sandbox/Sandbox")
const { Effect } = require("effect")
${job}
import("@fiscal-connector/promise")
  .then((imported) => {
    if (imported.FiscalConnectorError !== FiscalConnectorError) throw new Error("require and import give two classes")
  })
  .then(() => run(process.argv[2]))
`,
  // every check of declarations on: those of the facade name nothing that a job would have to install
  "facade.ts": `import { connect, type ConnectOptions, type DocumentInput, FiscalConnectorError } from "@fiscal-connector/promise"
export const job = async (options: ConnectOptions, documents: ReadonlyArray<DocumentInput>): Promise<ReadonlyArray<string>> => {
  const fiscal = await connect(options)
  try {
    return (await fiscal.sync(documents)).map(({ number, status }) => \`\${number} \${status}\`)
  } catch (error) {
    return error instanceof FiscalConnectorError ? [error.code] : []
  } finally {
    await fiscal[Symbol.asyncDispose]()
  }
}
// @ts-expect-error decimals are texts
export const wrong: NonNullable<DocumentInput["totals"]> = { total: 19.98 }
`,
  "effect.ts": `import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import * as Connector from "@fiscal-connector/core/connector/Connector"
export const names: ReadonlyArray<string> = [csv.name, xlsx.name, xeroLike.name]
export const doors = { defineAdapter, plan: Connector.plan }
`
}

const folder = mkdtempSync(join(tmpdir(), "consumers-"))
try {
  const tarballs: Record<string, string> = {}
  for (const name of readdirSync(join(root, "packages"))) {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"))
    if (manifest.private === true) continue
    tarballs[manifest.name] = `file:${join(folder, `${manifest.name.replace(/^@/, "").replace("/", "-")}.tgz`)}`
  }
  pnpm(root, "--recursive", "--filter", "./packages/*", "pack", "--out", join(folder, "%s.tgz"))
  const project = join(folder, "project")
  mkdirSync(project)
  const others = ["effect", "@effect/platform-node", "@effect/sql-pg", "@types/node", "typescript"]
  const dependencies = { ...tarballs, ...Object.fromEntries(others.map((name) => [name, versionOf(name)])) }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, dependencies }))
  writeFileSync(join(project, "pnpm-workspace.yaml"), `overrides: ${JSON.stringify(tarballs)}\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
  pnpm(project, "install", "--prefer-offline", "--no-frozen-lockfile")

  let failed = 0
  const check = (title: string, command: string, args: ReadonlyArray<string>, expected: RegExp) => {
    try {
      const options = { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] } as const
      const said = execFileSync(command, args, options)
      if (!expected.test(said)) throw Object.assign(new Error("not what was expected"), { stdout: said })
      console.log(`ok      ${title}`)
    } catch (error) {
      failed++
      const { message, stderr = "", stdout = "" } = error as { message: string; stdout?: string; stderr?: string }
      console.log(`FAILED  ${title}\n${message}\n${stdout}${stderr}`)
    }
  }
  for (const file of ["esm.mjs", "cjs.cjs"]) {
    mkdirSync(join(project, `kept-${file}`))
    check(`${file} fiscalises a document`, process.execPath, [file, `kept-${file}`], /^fiscalised\n$/)
  }
  const tsc = join(project, "node_modules/.bin/tsc")
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,esnext.disposable", "--types", "node"]
  for (const [module, ...resolution] of [["nodenext"], ["esnext", "--moduleResolution", "bundler"]] as const) {
    const flags = [...strict, "--module", module, ...resolution]
    check(`facade.ts, declarations checked, ${module}`, tsc, ["--ignoreConfig", ...flags, "facade.ts"], /^$/)
    check(`effect.ts, ${module}`, tsc, ["--ignoreConfig", ...flags, "--skipLibCheck", "effect.ts"], /^$/)
  }
  for (const name of ["historical-invoices.csv", "historical-invoices.book.json"])
    copyFileSync(join(root, "examples", name), join(project, name))
  const connector = join(project, "node_modules/.bin/connector")
  check("connector --version", connector, ["--version"], /^connector v\d/)
  const importing = ["import", "csv", "historical-invoices.csv", "--sandbox"]
  check("connector import csv --sandbox", connector, importing, /46 fiscalised/)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
