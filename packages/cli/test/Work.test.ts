import type { SandboxShape } from "@fiscal-connector/sandbox/Sandbox"
import { assert, describe, it } from "../../core/test/It.ts"
import { Clock, Effect } from "effect"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, connectorProcess, events, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { startedBy } from "./Started.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

const started = (folder: string, args: ReadonlyArray<string>) => startedBy(connector, folder, args)

const submissions = (sandbox: SandboxShape) =>
  Effect.map(sandbox.control.calls, (calls) =>
    calls.filter(({ operation }) => operation === "submitInvoice" || operation === "submitCreditNote")
  )

const accepted = (sandbox: SandboxShape, count: number) =>
  submissions(sandbox).pipe(Effect.delay("20 millis"), Effect.repeat({ until: (calls) => calls.length >= count }))

const stored = (folder: string) => Effect.map(connector(["list", "--json"], { cwd: folder }), ({ out }) => lines(out))

const statesOf = (documents: ReadonlyArray<Record<string, unknown>>, ...states: ReadonlyArray<string>) =>
  documents.filter(({ state }) => states.includes(String(state)))

// slow: workers are started, killed or stopped, and wait for their lanes
describe("connector work", () => {
  it.live("writes the daily report when it stops, and resume writes its own report", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    yield* sandbox.control.addFault({ kind: "latency", millis: 100 })
    const importing = yield* started(folder, ["import", "csv", files[0]!])
    yield* accepted(sandbox, 3)
    yield* importing.told(({ interrupt }) => interrupt())
    yield* importing.ended
    const working = yield* started(folder, ["work", "--report", "reports"])
    yield* accepted(sandbox, 46)
    yield* Effect.sleep("2 seconds")
    yield* working.told(({ terminate }) => terminate())
    assert.strictEqual((yield* working.ended).code, 0)
    const [name, ...others] = readdirSync(join(folder, "reports"))
    assert.deepStrictEqual(others, [])
    assert.match(name ?? "", /^20\d\d-\d\d-\d\d\.html$/)
    const report = readFileSync(join(folder, "reports", name!), "utf8")
    assert.include(report, "Report of what was open")
    assert.include(report, "INV-")
    assert.strictEqual(report.match(/<h3>/g)?.length, (yield* stored(folder)).length)
    assert.strictEqual(statSync(join(folder, "reports", name!)).mode & 0o777, 0o600)
  })

  it.live("completes a previous import, and exits with 0 when it is stopped", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    yield* sandbox.control.addFault({ kind: "latency", millis: 100 })
    const importing = yield* started(folder, ["import", "csv", files[0]!])
    yield* accepted(sandbox, 2)
    yield* importing.told(({ interrupt }) => interrupt())
    yield* importing.ended
    assert.isAbove(statesOf(yield* stored(folder), "Planned").length, 30)
    yield* sandbox.control.clearFaults
    const worker = yield* started(folder, ["work"])
    const isOver = Effect.map(stored(folder), (documents) => statesOf(documents, "Fiscalised").length === 46)
    yield* Effect.repeat(isOver, { until: (over) => over })
    // Outcomes may arrive before the lane reports its end.
    yield* worker.until("nothing is left to send")
    yield* worker.told(({ terminate }) => terminate())
    const { code, err, out } = yield* worker.ended
    assert.deepStrictEqual([code, err], [0, ""])
    assert.match(out, /^\S+Z lock\/\S+ works for 1 account, 16 lanes at once, until Ctrl-C or SIGTERM\n/)
    assert.match(out, /Z lane test\/1001: \d+ sent, nothing is left to send\n/)
    assert.match(out, /stopped; every answer is written down\n$/)
    assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
  })

  it.live("waits for the running request when it is stopped, and starts no other", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    yield* sandbox.control.addFault({ kind: "latency", millis: 1500, operations: ["submitInvoice"] })
    const importing = yield* started(folder, ["import", "csv", files[0]!])
    yield* Effect.repeat(Effect.delay(stored(folder), "50 millis"), { until: ({ length }) => length === 46 })
    yield* importing.told(({ interrupt }) => interrupt())
    yield* importing.ended
    const before = (yield* submissions(sandbox)).length
    const worker = yield* started(folder, ["work", "--json"])
    yield* accepted(sandbox, before + 1)
    yield* worker.told(({ terminate }) => terminate())
    const told = yield* submissions(sandbox)
    assert.strictEqual(told.at(-1)?.status, "unanswered")
    const { code, out } = yield* worker.ended
    assert.strictEqual(code, 0)
    const log = events(out).map(({ code }) => code)
    assert.deepStrictEqual(log, ["started", "account-opened", "leaving", "stopped"])
    const documents = yield* stored(folder)
    assert.deepStrictEqual(statesOf(documents, "Sending", "Unknown"), [])
    const after = yield* submissions(sandbox)
    assert.lengthOf(after, told.length)
    assert.strictEqual(statesOf(documents, "Accepted", "Fiscalised").length, after.length)
  })

  it.live(
    "takes over the lane of a killed process before its lease ends, and does not resend the request in flight",
    function* () {
      const folder = yield* folderWith(...files)
      const sandbox = yield* gatewayFor(folder)
      yield* sandbox.control.addFault({ kind: "latency", millis: 400, operations: ["submitInvoice"] })
      const importing = yield* startedBy(connectorProcess, folder, ["import", "csv", files[0]!])
      yield* accepted(sandbox, 1)
      const worker = yield* startedBy(connectorProcess, folder, ["work", "--json"])
      yield* worker.until('"code":"started"')
      yield* accepted(sandbox, 4)
      yield* importing.told(({ kill }) => kill())
      yield* importing.ended
      const killedAt = yield* Clock.currentTimeMillis
      yield* worker.until('"code":"lane-taken-over"')
      // The lease lasts two minutes; a takeover takes less than two seconds on an idle machine.
      assert.isBelow((yield* Clock.currentTimeMillis) - killedAt, 120_000)
      yield* worker.told(({ terminate }) => terminate())
      const { code } = yield* worker.ended
      assert.strictEqual(code, 0)
      const unknown = statesOf(yield* stored(folder), "Unknown")
      assert.lengthOf(unknown, 1)
      assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
    }
  )

  it.live("states in one line why nothing is sent for an account, and continues", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    yield* connector(["import", "csv", files[0]!, "--config", "account.json"], { cwd: folder })
    yield* sandbox.control.changeDevice({ deviceId: 1001, isActive: false })
    const worker = yield* started(folder, ["work"])
    yield* worker.until("nothing is sent for the account main")
    yield* worker.told(({ interrupt }) => interrupt())
    const { code, out } = yield* worker.ended
    assert.strictEqual(code, 0)
    assert.lengthOf(out.trim().split("\n"), 4)
  })

  it.live("serves /health and /metrics on the loopback address only with a status port and a token", function* () {
    const folder = yield* folderWith(...files)
    yield* gatewayFor(folder)
    writeFileSync(join(folder, "token"), "a-token-of-the-status\n")
    const silent = yield* started(folder, ["work"])
    yield* silent.until("works for 1 account")
    yield* silent.told(({ interrupt }) => interrupt())
    assert.notInclude((yield* silent.ended).out, "http:")

    const worker = yield* started(folder, ["work", "--status-port", "0", "--status-token-file", "token"])
    yield* worker.until("/metrics")
    const url = /how it goes: (http:\/\/127\.0\.0\.1:\d+)\/health and /.exec(worker.printed())?.[1]
    const get = (path: string, headers: Record<string, string> = {}) =>
      Effect.promise(() =>
        fetch(`${url}${path}`, { headers }).then(async (answer) => ({
          status: answer.status,
          text: await answer.text()
        }))
      )
    assert.strictEqual((yield* get("/health")).status, 401)
    const authorization = "Bearer a-token-of-the-status"
    const health = yield* get("/health", { authorization })
    assert.deepStrictEqual([health.status, JSON.parse(health.text).concerns], [200, []])
    assert.match((yield* get("/metrics", { authorization })).text, /^fiscal_connector_conflicts 0$/m)
    yield* worker.told(({ interrupt }) => interrupt())
    assert.strictEqual((yield* worker.ended).code, 0)
    // The port is closed.
    assert.isTrue(
      yield* Effect.promise(() =>
        fetch(`${url}/health`).then(
          () => false,
          () => true
        )
      )
    )
  })

  it.live("reports an invalid status port or token, and does not start", function* () {
    const folder = yield* folderWith()
    const { url } = yield* gatewayFor(folder)
    writeFileSync(join(folder, "token"), " \n")
    for (const [flags, said] of [
      [["--status-port", new URL(url).port], /cannot listen on 127\.0\.0\.1:\d+: another program uses the port/],
      [["--status-port", "70000"], /a port is a whole number from 0 to 65535/],
      [["--status-port", "0", "--status-token-file", "token"], /token is empty\. Write the token into it\./],
      [["--status-token-file", "key"], /^--status-token-file needs --status-port/]
    ] as const) {
      const { code, err } = yield* connector(["work", "--config", "account.json", ...flags], { cwd: folder })
      assert.strictEqual(code, 1)
      assert.match(err, said)
    }
  })

  it.live("runs the alert command of the configuration when an operator must look, as serve does", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    const file = join(folder, "account.json")
    const alert = {
      command: [
        process.execPath,
        "-e",
        `process.stdin.on("data", (text) => require("fs").appendFileSync("told", text))`
      ]
    }
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), alert }))
    yield* sandbox.control.addFault({ kind: "reject", error: "RCPT026: on request", documents: ["INV-0003"] })
    yield* connector(["import", "csv", files[0]!, "--config", "account.json"], { cwd: folder })
    const worker = yield* started(folder, ["work"])
    const told = join(folder, "told")
    yield* Effect.sync(() => existsSync(told) && readFileSync(told, "utf8") !== "").pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ until: (isTold) => isTold })
    )
    yield* worker.told(({ interrupt }) => interrupt())
    yield* worker.ended
    assert.strictEqual(events(readFileSync(told, "utf8"))[0]?.["event"], "health-changed")
  })

  it.live("refuses zero lanes", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    const { code, err } = yield* connector(["work", "--config", "account.json", "--lanes", "0"], { cwd: folder })
    assert.deepStrictEqual([code, err], [1, "--lanes is to be 1 or more.\n"])
  })
})
