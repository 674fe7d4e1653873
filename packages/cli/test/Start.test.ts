/** Start of the command: a call loads only the modules it needs, and every command is available. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connector } from "./RunningConnector.ts"

const folder = join(import.meta.dirname, "..")
const main = join(folder, "src/main.ts")
const own: { readonly version: string; readonly engines: { readonly node: string } } = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8")
)

/** Returns the names of the commands listed in a help text. */
const listed = (help: string) =>
  Array.from(help.split("EXAMPLES")[0]!.matchAll(/^ {2}([a-z-]+) {2,}/gm), ([, name]) => name!)

const onNode = (version: string) => {
  const versions = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`
  return spawnSync(process.execPath, ["--import", `data:text/javascript,${versions}`, main, "--version"], {
    encoding: "utf8"
  })
}

/** Returns the packages that a call loads. */
const loads = (...args: ReadonlyArray<string>) => {
  const hooks = `import { registerHooks } from "node:module"
    registerHooks({ load: (url, context, next) => {
      const name = /.*\\/node_modules\\/([^/]+)/.exec(url)?.[1]
      if (name !== undefined) process.stderr.write("LOADED " + name + "\\n")
      return next(url, context)
    } })`
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, main, ...args],
    { encoding: "utf8", cwd: tmpdir() }
  )
  return new Set(Array.from(stderr.matchAll(/^LOADED (.+)$/gm), ([, name]) => name!))
}

// slow: starts the command as a process, several times
describe("the start of the command", () => {
  it("prints its version without reading a file of another package", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--permission", `--allow-fs-read=${folder}`, main, "--version"],
      { encoding: "utf8" }
    )
    assert.strictEqual(stdout, `connector v${own.version}\n`)
    assert.strictEqual(status, 0)
  })

  it("loads the HTTP client and the text width tables only if they are needed", () => {
    for (const args of [["why", "RCPT026"], ["list"], ["explain", "INV-1"]]) {
      const loaded = loads(...args)
      assert.include(loaded, "effect", args[0]!)
      assert.notInclude(loaded, "undici", args[0]!)
      assert.notInclude(loaded, "string-width", args[0]!)
    }
  })

  it("reports in one sentence that Node is too old", () => {
    const { status, stderr, stdout } = onNode("22.18.9")
    assert.strictEqual(stderr, "connector needs Node 22.19 or newer, and this is Node 22.18.9.\n")
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.strictEqual(own.engines.node, ">=22.19")
    for (const version of ["22.19.0", "24.0.0"]) assert.strictEqual(onNode(version).status, 0, version)
  })

  it("has an entry point without imports, so that an older Node can parse it", () => {
    assert.notMatch(readFileSync(main, "utf8"), /^(?:import|export) .*from|^import "|^\s*await /m)
  })

  it.effect(
    "lists every command, and loads each under its listed name",
    Effect.fnUntraced(function* () {
      const names = listed((yield* connector(["--help"])).out)
      assert.includeMembers(names, ["init", "import", "plan", "doctor", "sandbox"])
      for (const name of names) {
        const { code, out } = yield* connector([name, "--help"])
        assert.strictEqual(code, 0, name)
        assert.include(out, `connector ${name}`)
      }
      for (const group of ["import", "plan"])
        for (const name of listed((yield* connector([group, "--help"])).out))
          assert.include((yield* connector([group, name, "--help"])).out, `connector ${group} ${name}`)
    })
  )

  it.effect(
    "knows every command for a mistyped name and for completions",
    Effect.fnUntraced(function* () {
      const { err, out } = yield* connector(["docter"])
      assert.include(out + err, "doctor")
      const completions = (yield* connector(["import", "--completions", "bash"])).out
      assert.include(completions, "xero-like")
      assert.include(completions, "z-reports")
    })
  )
})
