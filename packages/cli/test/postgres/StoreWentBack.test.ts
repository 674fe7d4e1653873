/**
 * Runs real processes (`connectorProcess`) on a separate PostgreSQL whose data folder is replaced
 * by an older copy under them. A proxy before the gateway counts the submissions.
 */
import { assert, describe, it } from "../../../core/test/It.ts"
import { Effect } from "effect"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "../../../core/test/postgres/OwnServer.ts"
import * as RecordingProxy from "../RecordingProxy.ts"
import { connectorProcess as connector, folderWith, gatewayFor, type RunOptions } from "../RunningConnector.ts"
import { startedBy } from "../Started.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

/**
 * Sets up a slow gateway, a proxy before it, a server, and two folders like those of two machines.
 */
const arranged = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => launch()),
    ({ close }) => Effect.promise(close)
  )
  const folder = yield* folderWith(...files)
  const sandbox = yield* gatewayFor(folder, {
    gateway: { faults: [{ kind: "latency", millis: 250, stage: "before", operations: ["submitInvoice"] }] }
  })
  const proxy = yield* RecordingProxy.before(sandbox.url)
  const address = new URL(server.url)
  address.password = ""
  const file = join(folder, "account.json")
  const { accounts } = JSON.parse(readFileSync(file, "utf8")) as { readonly accounts: { readonly main: object } }
  const main = { ...accounts.main, baseUrl: proxy.url }
  writeFileSync(file, JSON.stringify({ accounts: { main }, store: address.href }))
  const other = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const copy = mkdtempSync(join(tmpdir(), "connector-"))
      cpSync(folder, copy, { recursive: true })
      return copy
    }),
    (copy) => Effect.sync(() => rmSync(copy, { recursive: true, force: true }))
  )
  const start = (args: ReadonlyArray<string>, options: RunOptions) =>
    connector(args, { env: { FISCAL_CONNECTOR_STORE_PASSWORD: server.password }, ...options })
  const run = (cwd: string, args: ReadonlyArray<string>, options: RunOptions = {}) =>
    start([...args, "--config", "account.json"], { cwd, ...options })
  const twice = Effect.map(sandbox.control.accepted, (all) => all.filter(({ accepted }) => accepted > 1))
  const taken = Effect.map(sandbox.control.accepted, (all) => all.length)
  const until = (count: number) => taken.pipe(Effect.delay("20 millis"), Effect.repeat({ until: (n) => n >= count }))
  return { folder, other, proxy, run, server, start, taken, twice, until }
})

/** Plans the documents and sends three of them. */
const begun = (
  { folder, start }: Effect.Success<typeof arranged>,
  until: (count: number) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const importing = yield* startedBy(start, folder, ["import", "csv", "historical-invoices.csv"])
    yield* until(3)
    yield* importing.told(({ interrupt }) => interrupt())
    yield* importing.ended
  })

const working = ({ start }: Effect.Success<typeof arranged>, folder: string) =>
  Effect.map(startedBy(start, folder, ["work"]), (worker) => ({
    ...worker,
    stop: Effect.andThen(
      worker.told(({ terminate }) => terminate()),
      worker.ended
    )
  }))

// slow: real processes on a server that is stopped, put back and started again
describe("a database with two workers that", () => {
  it.live("is replaced by an older copy during an outage: nothing more is sent, and health reports it", function* () {
    const all = yield* arranged
    const { folder, other, proxy, run, server, taken, twice, until } = all
    yield* begun(all, until)
    yield* Effect.promise(server.stop)
    server.keep("older")
    yield* Effect.promise(server.start)
    const workers = [yield* working(all, folder), yield* working(all, other)]
    const before = yield* taken
    yield* until(before + 6)
    yield* Effect.promise(server.stop)
    // Wait for the request on its way.
    yield* Effect.sleep("1 second")
    const lost = yield* taken
    server.restore("older")
    yield* Effect.promise(server.start)
    for (const worker of workers) yield* worker.until("older copy")
    // Time for a request that must not be sent.
    yield* Effect.sleep("5 seconds")
    const printed = workers.map((worker) => worker.printed()).join("\n")
    for (const worker of workers) yield* worker.stop
    assert.deepStrictEqual(yield* twice, [], printed)
    assert.strictEqual(yield* taken, lost, printed)
    assert.strictEqual((yield* run(folder, ["health"])).code, 3)
    const submissions = proxy.exchanges.filter(({ url }) => /invoice|creditnote/i.test(url.pathname))
    assert.strictEqual(submissions.filter(({ status }) => status === 200).length, yield* taken)

    // An operator accepts the copy, and the same copy is restored again: the acceptance is lost
    // with it.
    const accepted = yield* run(folder, ["store", "accept-older", "--because", "there is no newer copy"])
    assert.strictEqual(accepted.code, 0, accepted.err)
    yield* Effect.promise(server.stop)
    server.restore("older")
    yield* Effect.promise(server.start)
    const again = yield* working(all, folder)
    yield* again.until("older copy")
    yield* again.stop
    assert.strictEqual(yield* taken, lost, again.printed())
  })

  it.live("restarts with all its data continues without an operator", function* () {
    const all = yield* arranged
    const { folder, other, run, server, taken, twice, until } = all
    yield* begun(all, until)
    const workers = [yield* working(all, folder), yield* working(all, other)]
    yield* until((yield* taken) + 3)
    yield* Effect.promise(server.stop)
    yield* Effect.promise(server.start)
    const ended = until(46)
    const unknown = Effect.repeat(
      Effect.delay(
        Effect.map(run(folder, ["list", "--state", "Unknown"]), ({ out }) => /INV-|CN-/.test(out)),
        "1 second"
      ),
      { until: (found) => found }
    )
    // The answer in flight may be lost; an operator then settles its document.
    yield* Effect.raceFirst(ended, unknown)
    const printed = workers.map((worker) => worker.printed()).join("\n")
    for (const worker of workers) yield* worker.stop
    assert.deepStrictEqual(yield* twice, [])
    assert.notInclude(printed, "older copy")
    assert.notInclude(printed, "another database than before")
  })

  it.live("restarts while a worker starts makes the worker wait", function* () {
    const all = yield* arranged
    const { folder, server } = all
    yield* begun(all, all.until)
    yield* Effect.promise(server.stop)
    const worker = yield* working(all, folder)
    yield* worker.until("It is tried again for a minute")
    yield* Effect.promise(server.start)
    yield* worker.until("works for 1 account")
    assert.strictEqual((yield* worker.stop).code, 0)
  })
})
