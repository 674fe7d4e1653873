import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { hostname } from "node:os"
import { holder } from "../../src/node/SqliteHolder.ts"

/** A process of its own, for as long as the scope is open or it is ended. */
const sleeper = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const ended = (child: ReturnType<typeof spawn>) =>
  Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

describe("the holder of a lane", () => {
  it("is named after its host and its process, and has a mark of its own", () => {
    const [host, pid, mark] = holder.name.split("/")
    assert.deepStrictEqual([host, pid], [hostname(), String(process.pid)])
    assert.match(mark!, /^[0-9a-f]{8}$/)
  })

  it("is not presumed dead while its process lives, on this host as well", () => {
    assert.isFalse(holder.presumedDead(holder.name))
  })

  it.live("is presumed dead once its process is gone, and not before", () =>
    Effect.gen(function* () {
      const child = yield* sleeper
      const name = `${hostname()}/${child.pid}/0a1b2c3d`
      assert.isFalse(holder.presumedDead(name))
      yield* ended(child)
      assert.isTrue(holder.presumedDead(name))
    }).pipe(Effect.scoped)
  )

  it.live("of another host, or of another kind, is never presumed dead", () =>
    Effect.gen(function* () {
      const child = yield* sleeper
      yield* ended(child)
      for (const name of [`elsewhere/${child.pid}/0a1b2c3d`, `${hostname()}`, `${hostname()}/x/0a1b2c3d`, "worker/1"]) {
        assert.isFalse(holder.presumedDead(name), name)
      }
    }).pipe(Effect.scoped)
  )
})
