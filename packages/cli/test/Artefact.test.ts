/**
 * Runs the command's single file in an empty folder with an empty home: no other file is needed.
 */
import { afterAll, assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import { shared } from "../src/adapter/SharedModules.ts"
import { pages } from "../src/docs/Pages.ts"
import { search } from "../src/docs/Sections.ts"
import { connectorProcess, folderWith, gatewayFor } from "./RunningConnector.ts"

const root = join(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "artefact-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, "connector.mjs")
copyFileSync(join(dirname(inject("command")), "connector.mjs"), file)
const home = join(folder, "home")
mkdirSync(home)
const { HOME: _, NODE_PATH: __, ...inherited } = process.env
const env = { ...inherited, HOME: home, NO_COLOR: "1" }

/** Runs the file to its end, while the sandbox is in this process. */
const run = (...args: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done) => {
        const child = spawn(process.execPath, [file, ...args], { cwd: folder, env })
        let [out, err] = ["", ""]
        child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
        child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
        child.on("close", (code) => done({ code, out, err }))
      })
  )

const publicModules = (name: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"))
  return Object.keys(manifest.exports)
    .filter((door) => !/\*|^\.\/host\b/.test(door))
    .map((door) => `${manifest.name}${door.slice(1)}`)
}

// slow: the bundled file runs as a process that installs and starts others
describe("the bundled command file", () => {
  it.live(
    "creates an adapter and imports with it before any installation, with the command's own packages",
    function* () {
      const created = yield* run("adapter", "create", "shop")
      assert.strictEqual(created.code, 0, created.err)
      const adapter = join(folder, "fiscal-adapter-shop")
      const source = join(adapter, "src/adapter.ts")
      const fixtures = join(adapter, "fixtures")
      const files = ["march", "april"].map((month) => join(fixtures, `two-files/${month}.json`))
      const book = ["--book", join(fixtures, "book.json")]
      const imported = yield* run("import", "--adapter", source, ...files, "--sandbox", ...book)
      assert.strictEqual(imported.code, 0, imported.err)
      assert.include(imported.out, "3 documents: 2 fiscalised, 1 skipped")
      // The results of a second copy of the modules would not be recognized by the command.
      writeFileSync(
        source,
        `import * as Stream from "effect/Stream"
        import { Stream as same } from "effect"
        import { defineAdapter } from "@fiscal-connector/adapter-kit"
        import { adapterReadings } from "@fiscal-connector/core/adapter"
        if (Stream.map !== same.map) throw new Error("two copies")
        export default defineAdapter({ name: "shop", async *read() {} })`
      )
      const broken = yield* run("plan", "--adapter", source, ...files, "--sandbox", ...book)
      assert.include(broken.err, "does not provide an export named 'adapterReadings'")
    }
  )

  it.live("sends for two accounts whose store runs on a separate thread", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    yield* gatewayFor(cwd, { accounts: [{ key: "second-key", device: 2002 }], devices: [{ deviceId: 2002 }] })
    const { accounts } = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8"))
    const second = { ...accounts.main, keyFile: "second.key" }
    writeFileSync(join(cwd, "second.key"), "second-key", { mode: 0o600 })
    writeFileSync(join(cwd, "two.json"), JSON.stringify({ accounts: { ...accounts, second } }), { mode: 0o600 })
    const importing = ["import", "csv", "historical-invoices.csv", "--account", "main", "--config", "two.json"]
    const imported = yield* connectorProcess(importing, { cwd })
    assert.include(imported.out, "46 fiscalised", imported.err)
    const resumed = yield* connectorProcess(["resume", "--config", "two.json"], { cwd })
    assert.strictEqual(resumed.out, "Nothing is open.\n", resumed.err)
  })

  it("shares all public modules of core, the kit and Effect with an adapter", () => {
    assert.sameMembers(Object.keys(shared), ["effect", ...publicModules("core"), ...publicModules("adapter-kit")])
  })

  it("contains each page that a message names", () => {
    const sources = ["core", "cli", "ui"].flatMap((name) => {
      const src = join(root, "packages", name, "src")
      return readdirSync(src, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => readFileSync(join(src, path), "utf8"))
    })
    const named = sources.flatMap((source) => [
      ...Array.from(source.matchAll(/connector docs ([a-z-]+)/g), ([, topic]) => topic!),
      ...Array.from(source.matchAll(/docsPage\("([a-z-]+)(?:\.md[^"]*)?"\)/g), ([, topic]) => topic!)
    ])
    assert.isAbove(named.length, 10)
    assert.deepStrictEqual(
      named.filter((topic) => !Object.hasOwn(pages, topic)),
      []
    )
  })

  it.live("prints a page or a section by any form of its name, with its address", function* () {
    assert.match((yield* run("docs", "docs/run.md")).out, /^https:\/\/.*\/docs\/run\.md\n\n# Run it/)
    const { out } = yield* run("docs", "docs/run.md#move")
    assert.match(out, /^https:\/\/.*\/docs\/run\.md#move\n\n### Move it/)
    assert.notInclude(out, "### Back it up")
    assert.match((yield* run("docs", "qwxz")).err, /^There is no page qwxz\. All of them:\n {2}connector docs\n/)
  })

  it.live("lists the pages in the reading order of docs/README.md, and every page", function* () {
    const listed = (yield* run("docs")).out
      .trim()
      .split("\n")
      .map((row) => row.split(" ")[0]!)
    assert.deepStrictEqual(listed.slice(0, 3), ["start", "sent", "formats"])
    const files = readdirSync(join(root, "docs")).filter((name) => /^[a-z-]+\.md$/.test(name))
    assert.sameMembers(listed, ["errors", ...files.map((name) => name.replace(".md", ""))])
  })

  it("finds the answer to each question of docs/README.md by the question's own words", () => {
    const [, table = ""] = readFileSync(join(root, "docs/README.md"), "utf8").split("## Twelve questions")
    const questions = Array.from(table.matchAll(/^\| ([^|]+) \| \[[^\]]+\]\(([a-z-]+)\.md#([^)]+)\) \|$/gm))
    assert.lengthOf(questions, 12)
    for (const [, question, page, anchor] of questions) {
      const found = search(question!).slice(0, 3)
      assert.include(
        found.map(({ name }) => name),
        `${page}#${anchor}`,
        question
      )
    }
  })

  it.live("searches the pages by words that name no page", function* () {
    const { out } = yield* run("docs", "void", "and", "draft", "invoices")
    assert.match(out, /^sent#drafts-and-voids +What happens to void and draft invoices\?\n/)
  })

  it("reports that Node is too old before any other code runs", () => {
    const old = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.0"}});process.getBuiltinModule=()=>{throw new Error("loaded")}`
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${old}`, file, "--version"],
      { encoding: "utf8" }
    )
    assert.strictEqual(stderr, "connector needs Node 22.19 or newer, and this is Node 18.20.0.\n")
    assert.strictEqual(status, 1)
  })

  it("contains the license of each package that it bundles code from", () => {
    const text = readFileSync(file, "utf8")
    const notices = text.slice(text.lastIndexOf("/*!"))
    for (const name of ["effect", "undici", "pdfkit", "yauzl", "ws", "saxes"])
      assert.match(notices, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC)\\)$`, "m"))
  })
})
