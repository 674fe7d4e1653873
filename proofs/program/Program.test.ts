/**
 * Proves that the program behind the command behaves the same in the test's process as in a
 * separate process, and leaves nothing behind.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Deferred, Effect, Fiber } from "effect"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import {
  connector,
  connectorProcess,
  type Ended,
  folderWith,
  gatewayFor,
  type RunOptions
} from "../../packages/cli/test/RunningConnector.ts"
import { serving } from "../../packages/cli/test/ServingConnector.ts"

const files = ["historical-invoices-with-faults.csv", "historical-invoices-with-faults.book.json"]
const importing = ["import", "csv", files[0]!, "--config", "account.json", "--send-rest"]

type Way = (args: ReadonlyArray<string>, options: RunOptions) => Effect.Effect<Ended>
const ways: ReadonlyArray<readonly [name: string, way: Way]> = [
  ["here", connector],
  ["process", connectorProcess]
]

/**
 * Calls in sequence in one folder: answers, refusals by the parser, the program and the system, and
 * files by relative paths.
 */
const calls: ReadonlyArray<readonly [args: ReadonlyArray<string>, env?: RunOptions["env"]]> = [
  [["docter"]],
  [["list", "--store", "no/such.db", "--json"]],
  [["plan", "csv", "folder"]],
  [["plan", "csv", files[0]!, "--columns", "none.json"]],
  [["doctor"], { FISCAL_CONNECTOR_CONFIG: "" }],
  [["config", "check"], { FISCAL_CONNECTOR_CONFIG: "account.json", FISCAL_CONNECTOR_MAIN_API_KEY: undefined }],
  [["why", "--help"], { COLUMNS: "60" }],
  [importing],
  [["explain", "INV-0101"], { FISCAL_CONNECTOR_CONFIG: "account.json" }],
  [["store", "backup", "no/copy.db"]],
  [["adapter", "create", "my-adapter"]]
]

/**
 * Replaces the parts that differ between two runs of the same call: times, ids of the gateway and
 * the store, and durations.
 */
const lasting = (text: string, folder: string, url: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(url, "URL")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, "UUID")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "SHA256")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, "TIME")
    .replaceAll(/\b[0-9A-F]{4}(-[0-9A-F]{4}){3}\b/g, "VERIFICATION")
    .replaceAll(/\b[0-9A-F]{16}\b/g, "VERIFICATION")
    .replaceAll(/\b\d+ ms\b/g, "N ms")
    .replaceAll(/\b\d+ bytes\b/g, "N bytes")
    .replaceAll(/^.*of 12 documents have their outcome.*\n/gm, "")
    .replaceAll(/^.*documents read, .*\n/gm, "")

describe("the program as a function", () => {
  it.live("prints and exits in the process of a test as in a separate process", function* () {
    const story = (way: Way) =>
      Effect.gen(function* () {
        const cwd = yield* folderWith(...files)
        mkdirSync(join(cwd, "folder"))
        const { url } = yield* gatewayFor(cwd)
        const ended: Array<string> = []
        for (const [args, env] of calls) {
          const { code, err, out } = yield* way(args, { cwd, ...(env && { env }) })
          ended.push(lasting(`${args.join(" ")}\n[${code}]\n${out}\n${err}`, cwd, url))
        }
        return { ended, left: readdirSync(cwd).toSorted() }
      })
    const [here, process] = yield* Effect.forEach(ways, ([, way]) => Effect.scoped(story(way)))
    assert.deepStrictEqual(here!.left, process!.left)
    // A differing call is named but not shown, because its output contains buyers.
    const differing = here!.ended.filter((text, i) => text !== process!.ended[i])
    assert.deepStrictEqual(
      differing.map((text) => text.split("\n")[0]),
      []
    )
  })

  it.live("runs several times at once, each with its own folder, environment and streams", function* () {
    const one = yield* folderWith(...files)
    const two = yield* folderWith(...files)
    yield* gatewayFor(one)
    yield* gatewayFor(two)
    const run = (cwd: string, key?: string) =>
      connector(importing, { cwd, ...(key && { env: { FISCAL_CONNECTOR_MAIN_API_KEY: key } }) })
    const [first, second] = yield* Effect.all([run(one), run(two, "wrong")], { concurrency: "unbounded" })
    assert.deepStrictEqual([first.code, second.code], [2, 1], first.err + second.err)
    assert.include(first.out, "12 fiscalised")
    assert.notInclude(second.out, "fiscalised")
    assert.isTrue(existsSync(join(one, "fiscal-connector.db")))
    const explained = (config: string) =>
      connector(["explain", "INV-0101"], { cwd: one, env: { FISCAL_CONNECTOR_CONFIG: config } })
    assert.include((yield* explained("")).out, "connector pdf INV-0101 --config FILE")
    assert.match((yield* explained("account.json")).out, /connector pdf INV-0101$/m)
    const widest = (columns: string) =>
      Effect.map(connector(["plan", "csv", "--help"], { env: { COLUMNS: columns } }), ({ out }) =>
        Math.max(
          ...out
            .split("EXAMPLES")[0]!
            .split("\n")
            .map(({ length }) => length)
        )
      )
    assert.isAtMost(yield* widest("70"), 70)
    assert.isAbove(yield* widest("110"), 90)
  })

  it.live("serves during an import in another folder, and publishes only its own metrics", function* () {
    const served = yield* folderWith()
    yield* gatewayFor(served)
    const { status } = yield* serving(served)
    const other = yield* folderWith(...files)
    yield* gatewayFor(other)
    assert.strictEqual((yield* connector(importing, { cwd: other })).code, 2)
    const text = yield* Effect.promise(async () => (await fetch(`${status}/metrics`)).text())
    assert.include(text, "fiscal_connector")
    assert.notMatch(text, /attempts_total\{/)
  })

  for (const [name, way] of ways) {
    it.live(
      `exits with 130 when interrupted, or with 0 if it runs until then, and closes its resources: ${name}`,
      function* () {
        const cwd = yield* folderWith(...files)
        const sandbox = yield* gatewayFor(cwd)
        yield* sandbox.control.addFault({ kind: "latency", millis: 300, operations: ["submitInvoice"] })
        const cut = yield* way(importing, {
          cwd,
          watch: (printed, { interrupt }) => (/[1-9]\d* of 12/.test(printed) ? interrupt() : undefined)
        })
        assert.strictEqual(cut.code, 130, cut.err)
        assert.include(cut.err, "Interrupted; nothing is half-written.")
        // The lock of the worker and the log of the database are removed as well.
        assert.deepStrictEqual(
          readdirSync(cwd).filter((file) => /worker|-wal|-shm/.test(file)),
          []
        )
        const address = yield* Deferred.make<string>()
        let stop = () => {}
        const served = yield* Effect.forkChild(
          way(["ui", "--no-open"], {
            cwd,
            watch: (printed, { terminate }) => {
              stop = terminate
              const url = /http:\S+/.exec(printed)?.[0]
              if (url !== undefined) Deferred.doneUnsafe(address, Effect.succeed(url))
            }
          })
        )
        const url = yield* Deferred.await(address)
        stop()
        assert.strictEqual((yield* Fiber.join(served)).code, 0)
        const refused = yield* Effect.promise(() =>
          fetch(url).then(
            () => "answered",
            () => "refused"
          )
        )
        assert.strictEqual(refused, "refused")
      }
    )
  }
})
