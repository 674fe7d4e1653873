/** How far an import has come: a bar on a terminal, a plain line now and then elsewhere. Written to standard error. */
import type { State } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, Effect, Schedule, Stream } from "effect"

const over: ReadonlySet<State> = new Set([
  "Fiscalised",
  "Rejected",
  "Declined",
  "Expired",
  "Unknown",
  "Held",
  "Withdrawn"
])
const width = 30

/** Runs `work` and shows how many of `total` documents have come to something. */
export const during = <A, E, R>(total: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    if (total === 0) return yield* work
    const store = yield* SubmissionStore
    const done = new Set<string>()
    const watching = Stream.runForEach(store.changes, ({ key, to }) =>
      Effect.sync(() => {
        if (over.has(to)) done.add(`${key.kind} ${key.id}`)
        else done.delete(`${key.kind} ${key.id}`)
      })
    )
    const isTerminal = process.stderr.isTTY === true
    let shown = -1
    const show = Effect.suspend(() => {
      if (done.size === shown) return Effect.void
      shown = done.size
      if (!isTerminal) return Console.error(`${shown} of ${total} documents have their outcome`)
      const filled = Math.round((width * shown) / total)
      return Effect.sync(() => {
        process.stderr.write(`\r${"█".repeat(filled)}${"░".repeat(width - filled)} ${shown} of ${total}`)
      })
    })
    const showing = Effect.repeat(show, Schedule.spaced(isTerminal ? "100 millis" : "2 seconds"))
    const erase = Effect.sync(() => {
      if (isTerminal) process.stderr.write(`\r${" ".repeat(width + 30)}\r`)
    })
    return yield* work.pipe(
      Effect.raceFirst(Effect.andThen(watching, Effect.never)),
      Effect.raceFirst(Effect.andThen(showing, Effect.never)),
      Effect.ensuring(erase)
    )
  })
