/** Checks the literals of the table of formats against the adapters that the rows load. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Format from "../src/adapter/Format.ts"
import { draftFlags } from "../src/command/BookDraftCommand.ts"
import { importFlags } from "../src/command/import/ImportFlags.ts"
import { formats } from "../src/format/Formats.ts"
import { flagNameOf } from "../src/output/AnswerFlag.ts"

/** Returns the packages of adapters that a call of the command loads. */
const adaptersLoadedBy = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "loaded-"))
  try {
    const main = join(import.meta.dirname, "../src/main.ts")
    const { status } = spawnSync(process.execPath, [main, ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: folder }
    })
    assert.strictEqual(status, 0)
    const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
    const found = text.join("").matchAll(/packages\/adapter-(?!kit)([a-z-]+)\/src/g)
    return [...new Set(Array.from(found, ([, name]) => name!))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// slow: starts the command from its sources
describe("the table of formats", () => {
  it.each(formats)("names $name as its adapter does, and columns only for an adapter of tables", async (row) => {
    const { adapter } = await row.load()
    assert.strictEqual(adapter.name, row.name)
    assert.strictEqual(row.columns === undefined, adapter.table === undefined)
    assert.strictEqual(row.content === "json", adapter.table === undefined)
  })

  it.each(formats)("describes every flag of $name, and none hides a flag of a command", async (row) => {
    const { flags, settings } = await Format.of(row)
    const taken = [importFlags, draftFlags].flatMap(Object.keys).map(flagNameOf)
    for (const name of Object.keys(flags)) assert.notInclude(taken, name)
    assert.deepStrictEqual(
      settings.filter(({ description }) => description.endsWith(`of the adapter ${row.name}`)),
      []
    )
  })

  it.live("loads no adapter for help of the program and of a group, and one for help of a format", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(adaptersLoadedBy("--help"), [])
      assert.deepStrictEqual(adaptersLoadedBy("plan", "--help"), [])
      assert.deepStrictEqual(adaptersLoadedBy("plan", "odoo-like", "--help"), ["odoo-like"])
    })
  )
})
