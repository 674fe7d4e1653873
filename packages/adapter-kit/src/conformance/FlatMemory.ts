/**
 * Memory check: reads the fixture's own documents many times as one large export. Takes minutes;
 * run only on request.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type AdapterCheck, fail, readAll } from "./Check.ts"
import type { Fixture } from "./Fixture.ts"

const collector = () => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
}

/**
 * Reads `bytes` (default 200 MB) of the fixture's own documents. Fails if memory after garbage
 * collection grows by more than `allowed` (default 32 MB) since the first twentieth.
 */
export const check = <Options>(
  adapter: Adapter.Adapter<Options>,
  fixture: Fixture<Options>,
  bytes = 200 * 1024 * 1024,
  allowed = 32 * 1024 * 1024
): AdapterCheck => ({
  name: "uses no more memory for a large export",
  check: Effect.gen(function* () {
    const { writeRefused } = adapter
    if (writeRefused === undefined) return
    const documents = (yield* readAll(adapter, fixture, fixture.input)).flatMap((reading) =>
      reading._tag === "SourceDocument" ? [{ reading, findings: [] }] : []
    )
    if (documents.length === 0) return yield* fail(`${fixture.name} has no document`)
    const sample = yield* Stream.runFold(
      writeRefused(Stream.fromIterable(documents)),
      () => 0,
      (sum, { length }) => sum + length
    )
    const rounds = Math.ceil(bytes / sample)
    const file: Adapter.InputFile = {
      name: fixture.input.files[0]!.name,
      bytes: writeRefused(Stream.flatMap(Stream.range(1, rounds), () => Stream.fromIterable(documents)))
    }
    const collect = collector()
    const held = () => {
      collect()
      const { external, heapUsed } = process.memoryUsage()
      return heapUsed + external
    }
    let count = 0
    let early = 0
    let most = 0
    const total = rounds * documents.length
    yield* Stream.runForEach(adapter.read({ files: [file] }, fixture.options), () =>
      Effect.sync(() => {
        count++
        if (count === Math.ceil(total / 20)) early = held()
        else if (count % Math.ceil(total / 8) === 0) most = Math.max(most, held())
      })
    )
    const grown = Math.round((most - early) / 1024 / 1024)
    if (most - early > allowed)
      return yield* fail(
        `it holds ${grown} MiB more at the end of a large export: give each document as it is read, and keep none`
      )
  })
})
