/**
 * Real processes (`connectorProcess`) behind a proxy: the two earlier causes of a second receipt, a
 * late request and an unknown id.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Fiber } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HoldingProxy from "../../packages/cli/test/HoldingProxy.ts"
import * as RecordingProxy from "../../packages/cli/test/RecordingProxy.ts"
import {
  connectorProcess as connector,
  folderWith,
  gatewayFor,
  lines
} from "../../packages/cli/test/RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

/** Writes only the first invoice of the example; `change` modifies its rows. */
const oneInvoice = (folder: string, change: (text: string) => string = (text) => text) => {
  const [header, ...rows] = readFileSync(join(folder, files[0]!), "utf8").split("\n")
  const own = rows.filter((row) => row.startsWith("invoice,INV-0001,"))
  const text = [header, ...own.map(change), ""].join("\n")
  writeFileSync(join(folder, "one.csv"), text)
}

const through = (folder: string, proxy: string, more: object = {}) => {
  const file = join(folder, "account.json")
  const { accounts } = JSON.parse(readFileSync(file, "utf8")) as { readonly accounts: { readonly main: object } }
  writeFileSync(file, JSON.stringify({ accounts: { main: { ...accounts.main, baseUrl: proxy, ...more } } }))
}

const importOne = ["import", "csv", "one.csv", "--book", "historical-invoices.book.json", "--config", "account.json"]

// slow: real processes, requests that a proxy holds for seconds, and outcomes that take seconds
describe("a document gets one receipt", () => {
  it.live("although an operator releases it while its request is still held on the network", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder)
    let held = 0
    const proxy = yield* HoldingProxy.before(sandbox.url, (path) =>
      path.endsWith("/invoice") && held++ === 0 ? Infinity : 0
    )
    through(folder, proxy.url, { timeouts: { write: "2 seconds" } })
    oneInvoice(folder)
    const run = (...args: ReadonlyArray<string>) => connector(args, { cwd: folder })
    const imported = yield* run(...importOne)
    const before = yield* run("list", "--json")
    assert.strictEqual(lines(before.out)[0]?.["state"], "Unknown", String(imported.code))
    // The portal shows no document yet, as the operator truthfully states.
    assert.deepStrictEqual(yield* sandbox.control.accepted, [])
    const released = yield* run("resolve", "INV-0001", "--not-processed", "--because", "the portal does not have it")
    assert.strictEqual(released.code, 1, released.out)
    assert.match(released.err, /may still reach the gateway until 20\d\d-.*accepted from 20\d\d-.*--although-recent/s)
    const withdrawn = yield* run("withdraw", "INV-0001", "--because", "issued again as INV-0002")
    assert.strictEqual(withdrawn.code, 1)
    const asked = proxy.passed.length
    const resuming = yield* Effect.forkChild(run("resume", "--config", "account.json"))
    // The request is released while `resume` asks the gateway.
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => proxy.passed.length),
        "20 millis"
      ),
      {
        until: (passed) => passed > asked
      }
    )
    proxy.release()
    yield* Fiber.join(resuming)
    yield* Effect.repeat(
      Effect.delay(
        Effect.map(sandbox.control.accepted, (all) => all.length),
        "100 millis"
      ),
      { until: (count) => count > 0 }
    )
    yield* run("resume", "--config", "account.json")
    assert.deepStrictEqual(
      (yield* sandbox.control.accepted).map(({ accepted }) => accepted),
      [1]
    )
    assert.strictEqual(proxy.passed.filter((path) => path.endsWith("/invoice")).length, 1)
  })

  it.live("although the gateway denies knowing its request id, and the source is corrected", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder, {
      gateway: { unknownIds: "error-item", processingDelayMillis: 8000 }
    })
    const proxy = yield* RecordingProxy.before(sandbox.url)
    through(folder, proxy.url)
    oneInvoice(folder)
    const run = (...args: ReadonlyArray<string>) => connector(args, { cwd: folder })
    let child: { readonly interrupt: () => void } | undefined
    // Interrupted once the gateway has answered that the request does not exist.
    yield* connector(importOne, {
      cwd: folder,
      watch: (_, handle) => (child ??= handle)
    }).pipe(
      Effect.raceFirst(
        Effect.repeat(
          Effect.delay(
            Effect.sync(() => proxy.exchanges.some(({ answer }) => answer.includes("Request not found"))),
            "50 millis"
          ),
          { until: (found) => found }
        )
      )
    )
    child?.interrupt()
    oneInvoice(folder, (row) => row.replace("Order 1007", "Order 1008"))
    const corrected = yield* run(...importOne)
    yield* run("resume", "--config", "account.json")
    assert.deepStrictEqual(
      (yield* sandbox.control.accepted).map(({ accepted }) => accepted),
      [1],
      String(corrected.code)
    )
    const [document] = lines((yield* run("list", "--json")).out)
    assert.strictEqual(document?.["state"], "Fiscalised")
  })

  it.live("and is sent again at once if it was really rejected and then corrected", function* () {
    const folder = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(folder, {
      gateway: {
        unknownIds: "error-item",
        faults: [{ kind: "reject", times: 1, error: "RCPT032: Original invoice not found", actionable: true }]
      }
    })
    const proxy = yield* RecordingProxy.before(sandbox.url)
    through(folder, proxy.url)
    oneInvoice(folder)
    const run = (...args: ReadonlyArray<string>) => connector(args, { cwd: folder })
    yield* run(...importOne)
    assert.strictEqual(lines((yield* run("list", "--json")).out)[0]?.["state"], "Rejected")
    oneInvoice(folder, (row) => row.replace("Order 1007", "Order 1008"))
    const corrected = yield* run(...importOne)
    const [document] = lines((yield* run("list", "--json")).out)
    assert.strictEqual(document?.["state"], "Fiscalised", String(corrected.code))
  })
})
