/** How far a plan or an import has come: a line that is written over on a terminal, a plain line now and then elsewhere. To standard error. */
import type { Reading } from "@fiscal-connector/core/source/Adapter"
import * as Session from "@fiscal-connector/core/session/Session"
import { atRest, moving, type Change, type State } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { printable } from "../output/Terminal.ts"
import { Clock, Console, Effect, Schedule, Stream } from "effect"
import { type OutputStream, StandardStreams } from "../output/StandardStreams.ts"

const over: ReadonlySet<State> = new Set(atRest)
const width = 20

/** Writes over the same line of a terminal, again and again. */
const lineOf = (stream: OutputStream) => {
  // how much of the line is written: no more is written over, since a full line breaks in two where the terminal is made narrower
  let written = 0
  // a longer line could not be written over
  const room = () => (stream.columns ?? 80) - 1
  const overwrite = (text: string) => {
    const cut = printable(text).slice(0, room())
    const padded = cut.padEnd(Math.min(written, room()))
    written = cut.length
    stream.write(`\r${padded}`)
  }
  return {
    overwrite,
    erase: () => {
      overwrite("")
      stream.write("\r")
    }
  }
}

/** Shows what `line` says while `work` goes on; undefined where there is nothing new. */
const showing = <A, E, R>(
  line: Effect.Effect<string | undefined>,
  work: Effect.Effect<A, E, R>,
  first: "at-once" | "later" = "later"
) =>
  Effect.gen(function* () {
    const { error } = yield* StandardStreams
    const { erase, overwrite } = lineOf(error)
    const show = Effect.flatMap(line, (text) => {
      if (text === undefined) return Effect.void
      return error.isTerminal ? Effect.sync(() => overwrite(text)) : Console.error(text)
    })
    const repeated = error.isTerminal
      ? Effect.repeat(show, Schedule.spaced("100 millis"))
      : Effect.andThen(
          first === "later" ? Effect.sleep("2 seconds") : Effect.void,
          Effect.repeat(show, Schedule.spaced("2 seconds"))
        )
    return yield* work.pipe(
      Effect.raceFirst(Effect.andThen(repeated, Effect.never)),
      Effect.ensuring(Effect.sync(() => (error.isTerminal ? erase() : undefined)))
    )
  })

const seconds = (count: number): string => {
  const whole = Math.max(1, Math.round(count))
  if (whole < 90) return `${whole} s`
  return whole < 5400 ? `${Math.round(whole / 60)} min` : `${(whole / 3600).toFixed(1)} h`
}

const perSecond = (rate: number): string => (rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en"))

/** `12 of 46 documents have their outcome, 3.4 a second, 10 s left`. */
const along = (done: number, total: number, millis: number, { isTerminal }: OutputStream): string => {
  const rate = (done / Math.max(1, millis)) * 1000
  const pace =
    done === 0 || done === total ? "" : `, ${perSecond(rate)} a second, ${seconds((total - done) / rate)} left`
  const plain = `${done} of ${total} documents have their outcome${pace}`
  if (!isTerminal) return plain
  const filled = Math.round((width * done) / total)
  return `${"█".repeat(filled)}${"░".repeat(width - filled)} ${done} of ${total}${pace}`
}

/** What is counted while documents are sent; `total` is 0 until it is known. */
interface Counted {
  total: number
  readonly done: Set<string>
}

const count = ({ done }: Counted, { key, to }: Change) =>
  Effect.sync(() => {
    if (over.has(to)) done.add(`${key.kind} ${key.id}`)
    else done.delete(`${key.kind} ${key.id}`)
  })

/** Runs `work` and shows how many of `total` documents have come to something; the last line has the final count. */
export const during = <A, E, R>(total: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    if (total === 0) return yield* work
    const store = yield* SubmissionStore
    const counted: Counted = { total, done: new Set() }
    const watching = Stream.runForEach(store.changes, (change) => count(counted, change))
    return yield* shown(counted, work.pipe(Effect.raceFirst(Effect.andThen(watching, Effect.never))))
  })

/** The same of a plan that is sent; the report it ends in. */
export const sending = <E, R>(progress: Stream.Stream<Session.Progress, E, R>) => {
  const counted: Counted = { total: 0, done: new Set() }
  const following = Stream.tap(progress, (one) => {
    if (one._tag === "Accepted") counted.total = one.accepted.planned
    return one._tag === "Changed" ? count(counted, one.change) : Effect.void
  })
  return shown(counted, Session.report(following))
}

const shown = <A, E, R>(counted: Counted, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { done } = counted
    const { error } = yield* StandardStreams
    const begun = yield* Clock.currentTimeMillis
    let last = -1
    let told = ""
    const line = Effect.map(Clock.currentTimeMillis, (now) => {
      const { total } = counted
      if (total === 0 || done.size === last) return undefined
      last = done.size
      told = along(Math.min(done.size, total), total, now - begun, error)
      return told
    })
    const result = yield* showing(line, work, "at-once")
    const { total } = counted
    if (total === 0) return result
    const store = yield* SubmissionStore
    // the last changes may not have come in yet
    const open = yield* Stream.runCount(store.stream({ states: moving }))
    const final = open === 0 ? total : Math.min(total, done.size)
    const end = `${final} of ${total} documents have their outcome`
    // a terminal's line was written over; elsewhere it may have been said just now
    if (error.isTerminal || end !== told) yield* Console.error(end)
    return result
  })

/** Shows how many documents of the readings were read while `work` takes them. */
export const reading = <A, E, R, Failure, Needs>(
  readings: Stream.Stream<Reading, Failure, Needs>,
  work: (readings: Stream.Stream<Reading, Failure, Needs>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    let [read, shown] = [0, 0]
    const counted = Stream.map(readings, (reading) => {
      if (reading?._tag === "SourceDocument") read += 1
      return reading
    })
    const line = Effect.map(Clock.currentTimeMillis, (now) => {
      if (read === shown) return undefined
      shown = read
      const rate = perSecond((read / Math.max(1, now - begun)) * 1000)
      return `${read.toLocaleString("en")} documents read, ${rate} a second`
    })
    return yield* showing(line, work(counted))
  })
