/** Proves that `connector work` reads its sources in their interval, and sends accepted runs. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { connector, events, type Signaled } from "./RunningConnector.ts"
import { syncing } from "./SyncedSource.ts"

/** A free port of this machine. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

const working = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let printed = ""
    let child: Signaled | undefined
    const fiber = yield* Effect.forkChild(
      connector(["work", "--config", "account.json", "--log-format", "json", ...args], {
        cwd: folder,
        watch: (text, handle) => {
          printed = text
          child = handle
        }
      })
    )
    const until = (found: () => boolean) =>
      Effect.sync(found).pipe(Effect.delay("20 millis"), Effect.repeat({ until: (is) => is }))
    return {
      printed: () => printed,
      until,
      ended: Effect.andThen(
        Effect.sync(() => child?.terminate()),
        Fiber.join(fiber)
      )
    }
  })

/** Moves the last run back. */
const anHourAgo = (folder: string) => {
  const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
  database.exec("update fiscal_source set ran_at = ran_at - 3600000")
  database.close()
}

// slow: a worker that is stopped waits for its lanes

describe("connector work with sources", () => {
  it.live("plans a source first, counts it in the metrics, and exits with 0 when it is stopped", function* () {
    const { configure, folder, receipts, sync, world } = yield* syncing({ settings: { every: "1 minute" } })
    yield* sync
    configure({ every: "1 minute", goLive: "2024-12-01" })
    anHourAgo(folder)
    const port = yield* freePort
    const worker = yield* working(folder, "--status-port", String(port))
    yield* worker.until(() => worker.printed().includes('"code":"source-read"'))
    assert.include(worker.printed(), "a first run is a plan")
    const metrics = yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
    assert.match(metrics, /fiscal_connector_source_read_seconds\{source="books"\} \d/)
    assert.match(metrics, /fiscal_connector_source_refused\{source="books"\} 0/)
    assert.deepStrictEqual(yield* receipts, [])
    const { code, out } = yield* worker.ended
    assert.strictEqual(code, 0, out)
    assert.isAtMost(world.asked.filter((one) => one.includes("/Invoices?")).length, 2)
  })

  it.live("accepts new documents and leaves sending to the lanes", function* () {
    const { configure, folder, receipts, sync } = yield* syncing()
    yield* sync
    configure({ every: "1 minute" })
    anHourAgo(folder)
    const worker = yield* working(folder)
    yield* Effect.repeat(Effect.delay(receipts, "50 millis"), { until: (all) => all.length === 16 })
    const { code, out } = yield* worker.ended
    assert.strictEqual(code, 0, out)
    const codes = events(out).map((one) => one["code"])
    assert.includeMembers(codes, ["source-read", "lane-left", "stopped"])
  })

  it.live("reports an unreadable source, and continues with the others", function* () {
    const { folder, world } = yield* syncing({ settings: { every: "1 minute" } })
    world.endLogins()
    const worker = yield* working(folder)
    yield* worker.until(() => worker.printed().includes('"code":"source-stopped"'))
    const { code, out } = yield* worker.ended
    const stop = events(out).find((one) => one["code"] === "source-stopped")
    assert.deepStrictEqual([code, stop?.["finding"], stop?.["source"]], [0, "SOURCE_LOGIN_ENDED", "books"])
    const { err } = yield* connector(["config", "check", "--config", "account.json"], { cwd: folder })
    assert.strictEqual(err, "")
  })
})
