/** Progress of a plan: percent and remaining time, overwritten in place on a terminal. */
import { assert, describe, it } from "../../core/test/It.ts"
import type { Reading } from "../../core/src/source/Adapter.ts"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Progress from "../src/import/Progress.ts"
import { StandardStreams } from "../src/output/StandardStreams.ts"

const document = { _tag: "SourceDocument" } as Reading

/** Returns a terminal with a record of the output. */
const terminal = () => {
  const written: Array<string> = []
  const stream = { isTerminal: true, columns: 80, write: (text: string) => void written.push(text.trim()) }
  return {
    written,
    streams: { inputIsTerminal: true, output: stream, error: stream, closed: Effect.never, failure: Effect.void }
  }
}

/** Reads a file of 1 000 bytes: one document per 100 bytes, every second. */
const slowly = (along: { passed: number }) =>
  Stream.fromIterable(Array.from({ length: 10 })).pipe(
    Stream.mapEffect(() =>
      Effect.map(Effect.sleep("1 second"), () => {
        along.passed += 100
        return document
      })
    )
  )

describe("the progress of a plan", () => {
  it.effect("shows the percent read and the remaining time", function* () {
    const { streams, written } = terminal()
    const along = { passed: 0 }
    const work = Progress.reading(slowly(along), { total: 1000, passed: () => along.passed }, (readings) =>
      Effect.andThen(Stream.runDrain(readings), Effect.sleep("500 millis"))
    )
    const fiber = yield* Effect.forkChild(Effect.provideService(work, StandardStreams, streams))
    yield* TestClock.adjust("5050 millis")
    assert.match(written.at(-1)!, /^█+░+ 50 %, 5 documents, 5 s left$/)
    yield* TestClock.adjust("3 seconds")
    assert.match(written.at(-1)!, /^█+░+ 80 %, 8 documents, 2 s left$/)
    yield* TestClock.adjust("3 seconds")
    assert.include(written, "10 documents read, they are checked")
    yield* Fiber.join(fiber)
    // The progress text is removed at the end.
    assert.strictEqual(written.at(-1), "")
  })

  it.effect("shows how far the files were scanned before the first document", function* () {
    const { streams, written } = terminal()
    const work = Progress.looking({ total: 1000, passed: () => 370 }, Effect.sleep("1 second"))
    const fiber = yield* Effect.forkChild(Effect.provideService(work, StandardStreams, streams))
    yield* TestClock.adjust("500 millis")
    assert.match(written.at(-1)!, /^█+░+ 37 %, looking at the files$/)
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
  })

  it.effect("shows no percent if the files were read completely before the first document", function* () {
    const { streams, written } = terminal()
    const work = Progress.reading(slowly({ passed: 0 }), { total: 1000, passed: () => 1000 }, Stream.runDrain)
    const fiber = yield* Effect.forkChild(Effect.provideService(work, StandardStreams, streams))
    yield* TestClock.adjust("5050 millis")
    assert.strictEqual(written.at(-1), "5 documents read, 1.0 a second")
    yield* TestClock.adjust("6 seconds")
    yield* Fiber.join(fiber)
  })
})
