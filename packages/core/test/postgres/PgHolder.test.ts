import { assert, describe, it } from "../It.ts"
import { Clock, Duration, Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as PgHolder from "../../src/node/PgHolder.ts"
import { beside, fresh } from "./Database.ts"
import { Redacted } from "effect"

const module = JSON.stringify(join(import.meta.dirname, "../../src/node/PgHolder.ts"))

/** Starts a process that holds lanes of the store, and prints its name. */
const worker = (config: ReturnType<typeof fresh>, lease = "2 minutes") =>
  Effect.acquireRelease(
    Effect.callback<{ readonly name: string; readonly child: ReturnType<typeof spawn> }>((resume) => {
      const child = spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { Effect, Redacted } from "effect"
           const { make } = await import(${module})
           const config = { url: Redacted.make(process.env.STORE_URL), schema: ${JSON.stringify(config.schema)} }
           Effect.runFork(Effect.scoped(Effect.flatMap(make(config, { lease: ${JSON.stringify(lease)} }), ({ name }) =>
             Effect.andThen(Effect.sync(() => console.log(name)), Effect.sleep("1 hour")))))`
        ],
        {
          cwd: import.meta.dirname,
          stdio: ["ignore", "pipe", "inherit"],
          env: { ...process.env, STORE_URL: Redacted.value(config.url) }
        }
      )
      child.stdout.setEncoding("utf8").once("data", (text: string) => {
        resume(Effect.succeed({ name: text.trim(), child }))
      })
    }),
    ({ child }) =>
      Effect.sync(() => {
        child.kill("SIGCONT")
        child.kill("SIGKILL")
      })
  )

const elapsed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    yield* effect
    return (yield* Clock.currentTimeMillis) - from
  })

describe("the holder of a lane in a PostgreSQL store", () => {
  it.live("is presumed dead soon after a kill -9, before its lease ends, and not earlier", function* () {
    const config = fresh()
    const own = yield* PgHolder.make(config)
    const lease = "10 minutes" as const
    const { child, name } = yield* worker(config, lease)
    assert.isFalse(yield* own.presumedDead(name))
    child.kill("SIGKILL")
    const millis = yield* elapsed(
      Effect.repeat(Effect.delay(own.presumedDead(name), "20 millis"), { until: (dead) => dead })
    )
    assert.isBelow(millis, Duration.toMillis(lease))
  })

  it.live("is presumed dead after a pause as long as its lease, and stays so when it wakes", function* () {
    const config = fresh()
    const own = yield* PgHolder.make(config)
    const { child, name } = yield* worker(config, "3 seconds")
    yield* Effect.sleep("4 seconds")
    // The process renews its lease while running.
    assert.isFalse(yield* own.presumedDead(name))
    child.kill("SIGSTOP")
    yield* Effect.repeat(Effect.delay(own.presumedDead(name), "50 millis"), { until: (dead) => dead })
    child.kill("SIGCONT")
    // The process has a session again, under its own name.
    yield* Effect.repeat(Effect.delay(own.presumedDead(name), "50 millis"), { until: (dead) => !dead })
  })

  it.live("takes its lock again after its session was terminated, and does not presume itself dead", function* () {
    const config = fresh()
    const own = yield* PgHolder.make(config, { lease: "3 seconds" })
    const other = yield* PgHolder.make(config)
    assert.isFalse(yield* other.presumedDead(own.name))
    yield* beside(
      "public",
      (sql) => sql`select pg_terminate_backend(a.pid) from pg_stat_activity a join pg_locks l on l.pid = a.pid
          where a.application_name = 'fiscal-connector worker' and l.locktype = 'advisory'
            and a.datname = current_database() and a.backend_start < (select max(b.backend_start) from pg_stat_activity b
              where b.application_name = 'fiscal-connector worker')`
    )
    yield* Effect.repeat(Effect.delay(other.presumedDead(own.name), "20 millis"), { until: (dead) => dead })
    yield* Effect.repeat(Effect.delay(other.presumedDead(own.name), "50 millis"), { until: (dead) => !dead })
    assert.isFalse(yield* own.presumedDead(own.name))
  })

  it.live("of another store in the same database, or of another kind, is distinguished", function* () {
    const here = yield* PgHolder.make(fresh())
    for (const name of ["worker/1", "lock/till/17/0a1b2c3d", "till/17/0a1b2c3d"])
      assert.isFalse(yield* here.presumedDead(name), name)
    assert.isFalse(yield* here.presumedDead(here.name))
    assert.isTrue(yield* here.presumedDead("session/elsewhere/17/0a1b2c3d"))
  })

  it.live("reports an unreachable database", function* () {
    const error = yield* Effect.flip(
      Effect.scoped(PgHolder.make({ url: Redacted.make("postgres://me:secret@127.0.0.1:1/x") }))
    )
    assert.strictEqual(error.reason, "unavailable")
    assert.notInclude(error.message, "secret")
  })
})
