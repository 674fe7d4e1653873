/** The systemd units of examples/systemd, by systemd's own check where it is installed. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examples } from "./RunningConnector.ts"

const folder = join(examples, "systemd")
const units = readdirSync(folder).filter((name) => name.endsWith(".service"))

const analyze = (...args: ReadonlyArray<string>) => spawnSync("systemd-analyze", args, { encoding: "utf8" })
const isInstalled = analyze("--version").status === 0

/** A copy that runs this Node, since the check asks for the executable. */
const checked = (name: string, check: (file: string) => void) => {
  const copies = mkdtempSync(join(tmpdir(), "units-"))
  const file = join(copies, name)
  writeFileSync(file, readFileSync(join(folder, name), "utf8").replace("/usr/local/bin/connector", process.execPath))
  check(file)
  rmSync(copies, { recursive: true })
}

describe.each(units.map((name) => [name]))("%s", (name) => {
  it("gives a request the time that it may take, and starts a command there is", () => {
    const text = readFileSync(join(folder, name), "utf8")
    assert.match(text, /^TimeoutStopSec=90$/m)
    assert.match(
      text,
      new RegExp(`^ExecStart=/usr/local/bin/connector ${name.replace(/^.*-(\w+)\.service$/, "$1")} `, "m")
    )
  })

  it.skipIf(!isInstalled)("has no mistake that systemd-analyze finds, and little that an intruder could reach", () => {
    checked(name, (file) => {
      const { status, stderr } = analyze("verify", "--recursive-errors=no", file)
      assert.deepStrictEqual([status, stderr.split("\n").filter((text) => text.includes(name))], [0, []])
      // 0.0 is nothing, 10.0 everything; a unit without these settings has 9.6
      const security = analyze("security", "--offline=yes", "--threshold=20", file)
      assert.strictEqual(security.status, 0, security.stdout)
    })
  })
})
