/** Four worker processes on one store (proof/workers), and no law broken, whatever befalls three of them. */
import { assert } from "@effect/vitest"
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

export const proven = (options: Pick<RunOptions, "through" | "fates">) =>
  Effect.gen(function* () {
    const folder = yield* logs
    const result = yield* run({
      ...options,
      documents: 480,
      lanes: 8,
      millis: 20,
      leaseSeconds: 4,
      seed: 1,
      logs: folder
    })
    assert.deepStrictEqual(result.problems, [], kept(folder))
    return result
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
