/**
 * Workers handed out by pg-boss: one job for each lane that has something to do, never one for a document. Start it on as many machines as you like:
 * `ENGINE_DATABASE=postgres://… node pg-boss.ts accounts.json [lanes at once] [lease in seconds]`. docs/workers.md says when this is for you.
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

// how often jobs are looked through for workers that died; a minute where nothing is said
const boss = new PgBoss({
  connectionString: process.env["ENGINE_DATABASE"]!,
  application_name: "lanes",
  superviseIntervalSeconds: 3,
  monitorIntervalSeconds: 3
})
boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`))
await boss.start()
// one job for a lane at a time, queued or being worked; the job of a worker that died is handed to another after ten seconds, the least there is
await boss.createQueue("lane", { policy: "exclusive", heartbeatSeconds: 10, retryLimit: 1000, retryDelay: 1 })

/** Ends what is going on: a request under way is waited for, and its answer written. */
const stop = new AbortController()
const { signal } = stop

await boss.work<{ lane: string }>(
  "lane",
  { localConcurrency: Number(slots), pollingIntervalSeconds: 0.5 },
  async ([job]) => {
    await Effect.runPromise(drainLane(job!.data.lane), { signal })
  }
)

/** Whatever can go on gets a job, unless it has one: also what was Busy or Waiting before. */
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
