/**
 * Runs four worker processes on one store, strikes three of them, and asserts that no law is
 * broken.
 */
import { assert } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, type RunOptions } from "./WorkersRun.ts"

const logs = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "workers-logs-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const kept = (path: string) =>
  readdirSync(path)
    .map((name) => `${name}\n${readFileSync(join(path, name), "utf8").slice(-2000)}`)
    .join("\n")

/** Long enough that a busy machine takes over a lane in less time. */
export const leaseSeconds = 24

export const proven = ({
  count,
  seed,
  ...options
}: Pick<RunOptions, "through" | "fates" | "seed"> & { readonly count: number }) =>
  Effect.gen(function* () {
    const folder = yield* logs
    const result = yield* run({
      ...options,
      documents: count,
      lanes: 8,
      millis: 20,
      leaseSeconds,
      seed,
      logs: folder
    }).pipe(Effect.tapError(() => Console.log(kept(folder))))
    yield* Console.log(
      `${options.through}, ${options.fates.join(", ") || "in peace"}: ${result.documents} requests, ${result.perSecond.toFixed(0)} a second; takeover after ${result.takeoverMillis} ms, end after ${result.ending?.millis ?? null} ms; ${result.cpuMillis?.toFixed(1) ?? "unknown"} ms of CPU a document; ${result.lookedUp} looked up`
    )
    assert.deepStrictEqual(result.problems, [], kept(folder))
    return result
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
