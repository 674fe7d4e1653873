import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { connector, type Ended, folderWith, gatewayFor, lines } from "../../packages/cli/test/RunningConnector.ts"

const main = inject("command")
const exportFiles = ["historical-invoices.csv", "historical-invoices.book.json"]
const faulty = ["historical-invoices-with-faults.csv", "historical-invoices-with-faults.book.json"]

/** Runs a line in a real shell with `connector` as a command. */
const shell = (line: string, cwd: string): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const command = `connector() { "${process.execPath}" "${main}" "$@"; }; ${line}`
    execFile("bash", ["-o", "pipefail", "-c", command], { cwd, maxBuffer: 2 ** 26 }, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), out, err }))
    )
  })

const done =
  /Done, but the result could not be written: .*ENOSPC.*What became of each document:\n {2}connector list --config account.json/

describe.skipIf(!existsSync("/dev/full"))("output that cannot be written", () => {
  for (const [what, where, flags] of [
    ["the result", "> /dev/full", ""],
    ["the result as JSON", "> /dev/full", "--json"],
    ["the progress", "2> /dev/full", ""],
    ["all of it", "> /dev/full 2>&1", ""]
  ] as const) {
    it.live(`does not stop an import, which reports it with exit code 4: ${what}`, function* () {
      const cwd = yield* folderWith(...exportFiles)
      const sandbox = yield* gatewayFor(cwd)
      const line = `connector import csv ${exportFiles[0]} --config account.json ${flags} ${where}`
      const ended = yield* shell(line, cwd)
      assert.strictEqual(ended.code, 4, ended.err)
      if (!where.includes("2>")) assert.match(ended.err, done)
      const accepted = yield* sandbox.control.accepted
      assert.strictEqual(accepted.length, 46)
      const again = yield* connector(["import", "csv", exportFiles[0]!, "--config", "account.json"], { cwd })
      assert.strictEqual(again.code, 0, again.err)
      assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
    })
  }

  it.live("is reported with exit code 4 for the file of refused rows, and leaves no partial file", function* () {
    const cwd = yield* folderWith(...faulty)
    const sandbox = yield* gatewayFor(cwd)
    // A non-empty folder with the file's name cannot be replaced by the file.
    const target = join(cwd, "historical-invoices-with-faults.refused.csv")
    mkdirSync(target)
    writeFileSync(join(target, "kept"), "")
    const { code, err } = yield* connector(["import", "csv", faulty[0]!, "--config", "account.json", "--send-rest"], {
      cwd
    })
    assert.strictEqual(code, 4, err)
    assert.include(err, "Done, but the result could not be written")
    assert.isAbove((yield* sandbox.control.accepted).length, 0)
    assert.deepStrictEqual(
      readdirSync(cwd).filter((name) => name.endsWith(".part")),
      []
    )
  })

  it.live("is an error with exit code 1 if nothing was sent", function* () {
    const cwd = yield* folderWith(...exportFiles)
    const sandbox = yield* gatewayFor(cwd)
    const planned = yield* shell(`connector plan csv ${exportFiles[0]} --config account.json > /dev/full`, cwd)
    assert.strictEqual(planned.code, 1)
    assert.match(planned.err, /could not be written: .*Nothing was sent/)
    assert.deepStrictEqual(yield* sandbox.control.accepted, [])
    copyFileSync(
      join(import.meta.dirname, "../../fixtures/upgrade/4ab5620/store.sqlite"),
      join(cwd, "fiscal-connector.db")
    )
    for (const reading of ["list", "list --json", "explain STATES-I-UNKNOWN", "health --json"]) {
      assert.strictEqual((yield* shell(`connector ${reading} > /dev/full`, cwd)).code, 1, reading)
    }
  })
})

describe("a reader that closes the pipe early", () => {
  it.live("does not fail a list or an import", function* () {
    const cwd = yield* folderWith(...exportFiles)
    const sandbox = yield* gatewayFor(cwd)
    const line = `connector import csv ${exportFiles[0]} --config account.json --json | head -1`
    const imported = yield* shell(line, cwd)
    assert.strictEqual(imported.code, 0, imported.err)
    assert.lengthOf(lines(imported.out), 1)
    assert.strictEqual((yield* sandbox.control.accepted).length, 46)
    for (const listed of ["list --json", "list --csv", "list"]) {
      const { code, err, out } = yield* shell(`connector ${listed} | head -1`, cwd)
      assert.deepStrictEqual([code, err, out.split("\n").length], [0, "", 2], listed)
    }
  })
})

/**
 * Module loaded before the command: makes Node print a warning when the command reports its start,
 * then terminates the command.
 */
const warning = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write
  process.stdout.write = function (text, ...rest) {
    if (String(text).includes('"started"')) {
      process.emitWarning("planted")
      setTimeout(() => process.kill(process.pid, "SIGTERM"), 200)
    }
    return write.call(process.stdout, text, ...rest)
  }`)}`

describe("a log in JSON lines", () => {
  it.live("contains Node's own warnings as lines", function* () {
    const cwd = yield* folderWith()
    yield* gatewayFor(cwd)
    const line = `"${process.execPath}" --import '${warning}' "${main}" work --config account.json --log-format json`
    const { code, err } = yield* shell(line, cwd)
    assert.strictEqual(code, 0, err)
    const [warned, ...others] = err
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as Record<string, unknown>)
    assert.deepInclude(warned, { level: "warn", code: "node-warning", message: "Warning: planted" })
    assert.deepStrictEqual(others, [])
  })
})
