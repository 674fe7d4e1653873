/** Checks the systemd units of examples/systemd with systemd's own tool, if installed. */
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

/**
 * Copies the units with this Node as the executable, since the tool checks that the executable
 * exists. All units are copied, so that a timer is checked with its service.
 */
const checked = (name: string, check: (file: string) => void) => {
  const copies = mkdtempSync(join(tmpdir(), "units-"))
  for (const one of readdirSync(folder)) {
    const text = readFileSync(join(folder, one), "utf8")
    writeFileSync(join(copies, one), text.replace("/usr/local/bin/connector", process.execPath))
  }
  check(join(copies, name))
  rmSync(copies, { recursive: true })
}

/** Returns systemd's complaints about the unit. */
const complaints = (name: string, file: string) => {
  const { status, stderr } = analyze("verify", "--recursive-errors=no", file)
  return { status, said: stderr.split("\n").filter((text) => text.includes(name)) }
}

/** Commands of the services. A sending service has the time limit of a request. */
const commands: Readonly<Record<string, RegExp>> = {
  "fiscal-connector-work.service": /^ExecStart=\/usr\/local\/bin\/connector work /m,
  "fiscal-connector-serve.service": /^ExecStart=\/usr\/local\/bin\/connector serve /m,
  "fiscal-connector-ui.service": /^ExecStart=\/usr\/local\/bin\/connector ui /m,
  "fiscal-connector-backup.service": /^ExecStart=\/usr\/local\/bin\/connector store backup .*--keep \d+ /m
}

describe.each(units.map((name) => [name]))("%s", (name) => {
  it("starts an existing command, and allows a running request to finish", () => {
    const text = readFileSync(join(folder, name), "utf8")
    assert.match(text, commands[name]!)
    if (!name.includes("backup")) assert.match(text, /^TimeoutStopSec=90$/m)
    // Services that read their configuration again on SIGHUP; the page would end.
    assert.strictEqual(text.includes("\nExecReload=/bin/kill -HUP $MAINPID\n"), /-(work|serve)\./.test(name))
  })

  it.skipIf(!isInstalled)("passes systemd-analyze, with a low security exposure", () => {
    checked(name, (file) => {
      assert.deepStrictEqual(complaints(name, file), { status: 0, said: [] })
      // The exposure is 0.0 for none and 10.0 for all; a unit without these settings has 9.6.
      const security = analyze("security", "--offline=yes", "--threshold=20", file)
      assert.strictEqual(security.status, 0, security.stdout)
    })
  })
})

describe("fiscal-connector-backup.timer", () => {
  it.skipIf(!isInstalled)("passes systemd-analyze, with a valid calendar time", () => {
    checked("fiscal-connector-backup.timer", (file) => {
      assert.deepStrictEqual(complaints("fiscal-connector-backup.timer", file), { status: 0, said: [] })
      const at = /^OnCalendar=(.*)$/m.exec(readFileSync(file, "utf8"))![1]!
      assert.strictEqual(analyze("calendar", at).status, 0)
    })
  })
})
