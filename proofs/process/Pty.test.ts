/** The command on a real terminal of the system (`script` of util-linux). */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import stringWidth from "string-width"
import { inject } from "vitest"
import { escape, hasScript, lines, onTerminal } from "../OnTerminal.ts"
import { connector, folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"

const main = inject("command")

const importing = "connector import csv historical-invoices.csv --config account.json"
const files = ["historical-invoices.csv", "historical-invoices.book.json"]

describe.skipIf(!hasScript)("the command on a terminal of util-linux's script", () => {
  it.live("shows the progress of an import in place, colored states, and a table that fits", function* () {
    const cwd = yield* folderWith(...files)
    yield* gatewayFor(cwd)
    const { code, text } = yield* onTerminal(importing, 72, cwd)
    assert.strictEqual(code, 0, text)
    assert.match(text, /\r[█░]+ \d+ of 46[^\r\n]*\r/)
    assert.include(text, "46 of 46 documents have their outcome")
    assert.include(text, "\u001b[32mFiscalised")
    const rows = lines(text).filter((line) => /^(Number|INV-|CN-)/.test(line))
    assert.isAtLeast(rows.length, 47)
    for (const row of rows) assert.isAtMost(stringWidth(row), 72, row)
    assert.include(lines(text).join("\n"), "(no room for: Date (+02:00); --json has them)")
  })

  it.live("shows no colors with NO_COLOR or TERM=dumb", function* () {
    const plan = "connector plan csv historical-invoices-with-faults.csv --sandbox"
    const faulty = yield* folderWith("historical-invoices-with-faults.csv", "historical-invoices-with-faults.book.json")
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const { text } = yield* onTerminal(plan, 80, faulty, { env })
      assert.notInclude(text, `${escape}[3`)
    }
  })

  it.live("adapts a repeated display when the terminal is made wider", function* () {
    const cwd = yield* folderWith(...files)
    yield* gatewayFor(cwd)
    yield* onTerminal(importing, 80, cwd)
    // Terminates the process itself, not a shell before it.
    const watching = `"${process.execPath}" "${main}" list --search INV-0001 --watch`
    // The keys are typed once the display shows what they wait for, however long that takes.
    const line = `${watching} & watching=$!; read; stty cols 160; read; kill -TERM $watching; wait $watching`
    const screensOf = (text: string) => text.split("\u001b[2J").slice(1)
    let awaited: "narrow" | "wide" | "the end" = "narrow"
    const { text } = yield* onTerminal(line, 40, cwd, {
      watch: (shown, type) => {
        // The last screen may still be drawn.
        const drawn = screensOf(shown).slice(0, -1)
        const isNarrow = drawn.at(-1)?.includes("no room for")
        if (awaited === "the end" || isNarrow === undefined || isNarrow !== (awaited === "narrow")) return
        awaited = awaited === "narrow" ? "wide" : "the end"
        type("\r")
      }
    })
    const [first, ...later] = screensOf(text)
    assert.strictEqual(awaited, "the end")
    assert.include(first, "no room for")
    assert.notInclude(later.at(-1), "no room for")
  })

  it.live(
    "asks for one setting after another in init, reports invalid ones, and ends with a successful check",
    function* () {
      const cwd = yield* folderWith(...files)
      const { url } = yield* gatewayFor(cwd)
      const answers = [
        ["The gateway's address", "gateway"],
        ["this is not an address such as https://", `${"\u007f".repeat(7)}${url}`],
        ["The application (X-Application)", "test"],
        ["The station (X-App-Station)", "test"],
        ["The business time zone", "Africa/Harare"],
        ["The key (typing is not shown)", key],
        ["The secret (typing is not shown", secret]
      ]
      const { code, text } = yield* onTerminal("connector init historical-invoices.csv", 80, cwd, {
        watch: (shown, type) => {
          if (answers.length === 0 || !shown.includes(answers[0]![0]!)) return
          const [, answer] = answers.shift()!
          setTimeout(() => type(`${answer}\r`), 100)
        }
      })
      assert.deepStrictEqual([code, answers], [0, []], text)
      const shown = lines(text).join("\n")
      assert.include(shown, "accounts.json written.")
      for (const [name, value] of [
        ["main.key", key],
        ["main.secret", secret]
      ] as const) {
        assert.include(shown, `${name} written; only you may read it.`)
        assert.strictEqual(readFileSync(join(cwd, name), "utf8"), `${value}\n`)
        assert.strictEqual(statSync(join(cwd, name)).mode & 0o777, 0o600)
        assert.notInclude(text, value)
      }
      assert.include(shown, "historical-invoices.book.json was there; it is left as it is.")
      assert.include(shown, "  connector mappings plan --config accounts.json --book historical-invoices.book.json")
      assert.notMatch(shown, /^BROKEN/m)
      const [, next = ""] = /^ {2}connector (.*)$/m.exec(shown.slice(shown.indexOf("Next:"))) ?? []
      assert.strictEqual(next, "plan csv historical-invoices.csv --config accounts.json")
      assert.strictEqual((yield* connector(next.split(" "), { cwd })).code, 0)
    }
  )

  it.live("writes nothing if Ctrl-C ends the questions of init", function* () {
    const cwd = yield* folderWith(...files)
    let typed = false
    const { code, text } = yield* onTerminal("connector init historical-invoices.csv", 80, cwd, {
      watch: (shown, type) => {
        if (typed || !shown.includes("The gateway's address")) return
        typed = true
        setTimeout(() => type("\u0003"), 100)
      }
    })
    assert.strictEqual(code, 130, text)
    assert.include(text, "Nothing was written.")
    assert.deepStrictEqual(readdirSync(cwd).toSorted(), files.toSorted())
  })

  it.live("ends a repeated display normally with Ctrl-C, and at once for a wrong call", function* () {
    const cwd = yield* folderWith(...files)
    yield* gatewayFor(cwd)
    yield* onTerminal(importing, 80, cwd)
    for (const command of ["list --search INV-0001", "health"]) {
      let typed = false
      const { code, text } = yield* onTerminal(`connector ${command} --watch --config account.json`, 80, cwd, {
        watch: (shown, type) => {
          if (typed || !/INV-0001|No action needed/.test(shown)) return
          typed = true
          setTimeout(() => type("\u0003"), 100)
        }
      })
      assert.strictEqual(code, 0, text)
    }
    const wrong = yield* onTerminal("connector list --account nobody --watch --config account.json", 80, cwd)
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.text, "The store has no documents of an account nobody. It has main.")
  })

  it.live(
    "retries a stopped lane at once in resume, or after its back-off without an operator at the terminal",
    function* () {
      const cwd = yield* folderWith(...files)
      const { control } = yield* gatewayFor(cwd)
      yield* control.addFault({ kind: "error", status: 401, skip: 2, operations: ["submitInvoice"] })
      const stopped = yield* connector(importing.split(" ").slice(1), { cwd })
      assert.strictEqual(stopped.code, 3)
      yield* control.clearFaults
      const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
      database.exec(`update fiscal_lane set retry_at = ${Date.now() + 600_000}, stops = 12`)
      database.close()
      const byTimer = yield* connector(["resume", "--config", "account.json"], { cwd })
      assert.strictEqual(byTimer.code, 3)
      assert.include(byTimer.out, "is stopped (credentials)")
      const { code, text } = yield* onTerminal("connector resume --config account.json", 100, cwd)
      assert.strictEqual(code, 0, text)
      assert.include(text, "Nothing is open.")
    }
  )

  it.live("interrupts an import with Ctrl-C, prints how to continue, and exits with 130", function* () {
    const cwd = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 60_000 } })
    let typed = false
    const { code, text } = yield* onTerminal(importing, 80, cwd, {
      watch: (shown, type) => {
        if (typed || !/ 0 of 46/.test(shown)) return
        typed = true
        setTimeout(() => type("\u0003"), 2000)
      }
    })
    assert.strictEqual(code, 130, text)
    assert.include(text, "Interrupted; nothing is half-written. To continue:")
    assert.include(text, "  connector resume --config account.json")
    assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
  })
})
