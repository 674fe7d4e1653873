/**
 * Workers distributed by pg-boss: one job per lane with work, not per document. Start the program
 * on any number of machines:
 * `ENGINE_DATABASE=postgres://… node pg-boss.ts accounts.json [lanes at once] [lease in seconds]`.
 * docs/run.md#engines explains when to use this approach.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Scope } from "effect"
import { PgBoss } from "pg-boss"
import { open } from "./lanes.ts"

const [file = "accounts.json", slots = "8", lease = "120"] = process.argv.slice(2)

const scope = Scope.makeUnsafe()
const { drainLane, lanes, look } = await Effect.runPromise(
  open(file, `${Number(lease)} seconds`).pipe(Scope.provide(scope), Effect.provide(NodeServices.layer))
)

// interval of the search for dead workers; the default is a minute
const boss = new PgBoss({
  connectionString: process.env["ENGINE_DATABASE"]!,
  application_name: "lanes",
  superviseIntervalSeconds: 3,
  monitorIntervalSeconds: 3
})
boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`))
await boss.start()
// one job per lane at a time, queued or active; another worker receives the job of a dead worker
// after ten seconds, the minimum
await boss.createQueue("lane", { policy: "exclusive", heartbeatSeconds: 10, retryLimit: 1000, retryDelay: 1 })

/** Stops the work: a request in progress is finished, and its answer recorded. */
const stop = new AbortController()
const { signal } = stop

await boss.work<{ lane: string }>(
  "lane",
  { localConcurrency: Number(slots), pollingIntervalSeconds: 0.5 },
  async ([job]) => {
    await Effect.runPromise(drainLane(job!.data.lane), { signal })
  }
)

/**
 * Adds a job for each lane with work, unless the lane already has a job. Includes lanes that were
 * Busy or Waiting before.
 */
const jobs = lanes.pipe(
  Effect.flatMap((found) =>
    Effect.promise(() => Promise.all(found.map((lane) => boss.send("lane", { lane }, { singletonKey: lane }))))
  ),
  Effect.andThen(Effect.sleep("1 second")),
  Effect.forever
)
const running = Effect.runPromiseExit(Effect.all([jobs, look], { concurrency: 2 }), { signal })

const end = async () => {
  stop.abort()
  await boss.stop({ graceful: true, timeout: 90_000 })
  await running
  await Effect.runPromise(Scope.close(scope, await running))
  process.exit(0)
}
process.once("SIGTERM", () => void end())
process.once("SIGINT", () => void end())
