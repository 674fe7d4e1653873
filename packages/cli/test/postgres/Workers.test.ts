/** A sample of `pnpm proof:workers`: four processes on one store, and what befalls some of them. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type RunOptions } from "../../proof/workers/WorkersRun.ts"

const logs = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "workers-logs-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const kept = (path: string) =>
  readdirSync(path)
    .map((name) => `${name}\n${readFileSync(join(path, name), "utf8").slice(-2000)}`)
    .join("\n")

/** Four workers, and no law broken. */
const proven = (options: Pick<RunOptions, "through" | "fates">) =>
  Effect.gen(function* () {
    const folder = yield* logs
    const result = yield* run({
      ...options,
      documents: 240,
      lanes: 8,
      millis: 20,
      leaseSeconds: 4,
      seed: 1,
      logs: folder
    })
    assert.deepStrictEqual(result.problems, [], kept(folder))
    return result
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("four workers on one store", () => {
  it.live(
    "lose nothing, send nothing twice and break no order when one is killed, one told to stop, and one frozen past its lease",
    () =>
      Effect.gen(function* () {
        const { ending, takeoverMillis } = yield* proven({ through: "work", fates: ["kill", "end", "freeze"] })
        assert.strictEqual(ending?.unknown, 0)
        // what a database session is for: a lease would take four seconds
        assert.isBelow(takeoverMillis ?? Infinity, 3000)
      }),
    240_000
  )

  // pg-boss takes a minute to hand on what a frozen worker had: the proof does that, too
  const engines = [
    { through: "pg-boss", fates: ["kill", "end"] },
    { through: "cluster", fates: ["kill", "end", "freeze"] }
  ] as const
  for (const { fates, through } of engines) {
    it.live(
      `do the same through ${through}: ${fates.join(", ")}`,
      () =>
        Effect.gen(function* () {
          const { ending } = yield* proven({ through, fates })
          assert.strictEqual(ending?.unknown, 0)
        }),
      240_000
    )
  }
})
