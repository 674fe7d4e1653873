/**
 * `pnpm proof:workers [--through work|pg-boss|cluster] [--documents 2000] [--lanes 20] [--lease 10] [--seed 1]
 * [--fates "none,kill end freeze"]`: four worker processes on one store in PostgreSQL and a gateway that takes 20 ms, and half a second more while
 * something befalls one of them. First they work in peace, for the throughput. Then one is killed with -9, one told to stop, one stopped past its lease
 * and woken. Nothing lost, nothing twice, no order broken, never two in one lane; exit code 1 where that does not hold.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { mkdtempSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { run, type RunOptions } from "./workers/WorkersRun.ts"

const { values } = parseArgs({
  options: {
    through: { type: "string", default: "work" },
    documents: { type: "string", default: "2000" },
    lanes: { type: "string", default: "20" },
    lease: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    fates: { type: "string", default: "none,kill end freeze" }
  }
})

const options = {
  through: values.through as RunOptions["through"],
  documents: Number(values.documents),
  lanes: Number(values.lanes),
  leaseSeconds: Number(values.lease),
  seed: Number(values.seed),
  millis: 20,
  logs: mkdtempSync(join(tmpdir(), "workers-logs-"))
}

const names = new Set(["kill", "end", "freeze"])

const main = Effect.gen(function* () {
  let broken = 0
  for (const words of values.fates.split(",")) {
    const fates = words.split(" ").filter((word): word is RunOptions["fates"][number] => names.has(word))
    const { cpuMillis, documents, ending, lookedUp, perSecond, problems, takeoverMillis } = yield* run({
      ...options,
      fates
    })
    broken += problems.length
    yield* Console.log(
      [
        fates.length === 0
          ? `${options.through}, in peace: ${documents} requests, ${perSecond.toFixed(0)} a second (load ${loadavg()[0]!.toFixed(0)} on ${availableParallelism()} cores)`
          : `${options.through}, ${fates.join(", ")}: ${documents} requests`,
        ...(cpuMillis === null ? [] : [`  ${cpuMillis.toFixed(1)} ms of CPU in the workers for a document`]),
        ...(takeoverMillis === null ? [] : [`  the lanes of the killed one went on after ${takeoverMillis} ms`]),
        ...(ending === null
          ? []
          : [`  the one told to stop ended after ${ending.millis} ms, ${ending.unknown} unknown`]),
        `  ${lookedUp} looked up by a person, ${problems.length} violations`,
        ...problems.slice(0, 20).map((problem) => `  VIOLATION ${problem}`)
      ].join("\n")
    )
  }
  yield* Console.log(`logs: ${options.logs}`)
  if (broken > 0) process.exitCode = 1
})

await Effect.runPromise(Effect.provide(main, NodeServices.layer))
