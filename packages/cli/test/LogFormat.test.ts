/**
 * `--log-format json`: every output of a running command is one JSON object per text line, without
 * personal data.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, type Signaled } from "./RunningConnector.ts"
import { book, sales } from "./SalesExport.ts"

/** Folder with an export of two invoices. */
const folderWithSales = Effect.tap(folderWith(book), (cwd) =>
  Effect.sync(() => writeFileSync(join(cwd, "sales.csv"), sales(1, 2)))
)
const importing = ["import", "csv", "sales.csv", "--book", book, "--config", "account.json"]
const inJson = ["--config", "account.json", "--log-format", "json"]

interface Line {
  readonly time: string
  readonly level: string
  readonly code: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Returns the log entries, each checked for the common fields. */
const linesOf = (text: string): ReadonlyArray<Line> => {
  const found = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
  for (const line of found) {
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.include(["debug", "info", "warn", "error"], line.level)
    assert.match(line.code, /^[a-z]+(-[a-z]+)*$/)
    assert.isAbove(line.message.length, 0)
  }
  return found
}

const codes = (lines: ReadonlyArray<Line>) => lines.map(({ code }) => code)

/**
 * Runs the command until all texts are printed, then stops the command; returns the log entries.
 */
const until = (cwd: string, args: ReadonlyArray<string>, ...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let printed = ""
    let child: Signaled | undefined
    const running = yield* Effect.forkChild(
      connector(args, {
        cwd,
        watch: (text, handle) => {
          printed = text
          child = handle
        }
      })
    )
    yield* Effect.sync(() => texts.every((text) => printed.includes(text))).pipe(
      Effect.delay("10 millis"),
      Effect.repeat({ until: (found) => found })
    )
    child?.terminate()
    const { code, err, out } = yield* Fiber.join(running)
    assert.strictEqual(code, 0, err)
    return { out: linesOf(out), err: linesOf(err) }
  })

describe("the log in JSON lines", () => {
  it.live("contains the events of a worker, and changes of documents on request", function* () {
    const cwd = yield* folderWithSales
    const sandbox = yield* gatewayFor(cwd)
    yield* sandbox.control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
    yield* connector(importing, { cwd })
    const worked = yield* until(cwd, ["work", ...inJson, "--log-level", "info", "--status-port", "0"], "lane-left")
    assert.includeMembers(codes(worked.out), ["started", "listening", "account-opened", "lane-left", "stopped"])
    const left = worked.out.find(({ code }) => code === "lane-left")!
    assert.deepInclude(left, { level: "warn", lane: "test/1001", end: "stopped", for: "credentials" })
    assert.include(codes(worked.err), "lane-stopped")
    assert.deepInclude(
      worked.err.find(({ code }) => code === "lane-stopped"),
      { level: "warn", cause: "credentials" }
    )
  })

  it.live("names the codes of a stopped account, but not the taxpayer of its device", function* () {
    const cwd = yield* folderWithSales
    const sandbox = yield* gatewayFor(cwd, { device: { isLive: true, taxpayerName: "Planted Taxpayer" } })
    const live = [...importing, "--live"]
    const { err } = yield* connector(live, { cwd })
    yield* connector([...live, ...(/--first-use \S+/.exec(err)?.[0] ?? "").split(" ")], { cwd })
    assert.isAbove((yield* sandbox.control.accepted).length, 0)
    const { out } = yield* until(cwd, ["work", ...inJson], "account-stopped")
    const refused = out.find(({ code }) => code === "account-stopped")!
    assert.deepStrictEqual([refused.level, refused["findings"]], ["warn", ["LIVE_NOT_ALLOWED"]])
    assert.notInclude(JSON.stringify(out), "Planted Taxpayer")
    // An operator at a terminal sees the name.
    assert.include(err, "Planted Taxpayer")
  })

  it.live("contains the messages of serve and of the page, but never the link that opens the page", function* () {
    const cwd = yield* folderWithSales
    yield* gatewayFor(cwd)
    const served = yield* until(cwd, ["serve", ...inJson, "--port", "0", "--status-port", "0"], "started")
    assert.includeMembers(codes(served.out), ["listening", "started"])
    const listening = served.out.find(({ code }) => code === "listening")!
    assert.match(String(listening["addresses"]), /\/webhooks\/main,http:\/\/127\.0\.0\.1:\d+$/)

    const page = yield* until(cwd, ["ui", ...inJson, "--no-open"], "linkFile")
    const opened = page.out.find(({ code }) => code === "listening")!
    assert.match(String(opened["addresses"]), /^http:\/\/127\.0\.0\.1:\d+$/)
    const file = String(opened["linkFile"])
    assert.isFalse(existsSync(file), "gone with the page")
    assert.notMatch(JSON.stringify([page.out, page.err]), /127\.0\.0\.1:\d+\/./)
  })

  it.live("states why the command ended, also for a wrong configuration or a wrong call", function* () {
    const cwd = yield* folderWith()
    yield* gatewayFor(cwd)
    writeFileSync(join(cwd, "broken.json"), readFileSync(join(cwd, "account.json"), "utf8").slice(0, -2))
    for (const [args, said] of [
      [["work", "--config", "broken.json", "--log-format", "json"], "CONFIG_SYNTAX"],
      [["serve", ...inJson, "--port", "70000"], "a port is a whole number"],
      [["work", ...inJson, "--lanes", "0"], "--lanes is to be 1 or more."],
      [["work", ...inJson, "--lains", "2"], "--lains"]
    ] as const) {
      const { code, err, out } = yield* connector(args, { cwd })
      assert.strictEqual(code, 1)
      const lines = [...linesOf(out), ...linesOf(err)]
      const last = lines.at(-1)!
      assert.include(last.message, said)
      if (last.code === "ended") assert.deepInclude(last, { level: "error", exitCode: 1 })
      else assert.strictEqual(last.code, "said")
    }
  })

  it.live("has the same form as the output of work --json", function* () {
    const cwd = yield* folderWithSales
    yield* gatewayFor(cwd)
    const { out } = yield* until(cwd, ["work", "--config", "account.json", "--json"], '"started"')
    assert.deepInclude(out[0], { level: "info", code: "started", accounts: 1 })
  })
})
