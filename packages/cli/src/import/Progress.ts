/**
 * On standard error: a text line rewritten in place on a terminal, and a new one every two seconds
 * elsewhere.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Pace } from "@fiscal-connector/core/host/account"
import { Session } from "@fiscal-connector/core/session"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import * as Output from "../output/Output.ts"
import { printable } from "../output/Terminal.ts"
import { Clock, Console, Effect, Schedule, Stream } from "effect"
import { type OutputStream, StandardStreams } from "../output/StandardStreams.ts"

const over: ReadonlySet<Submission.State> = new Set(Submission.atRest)
const width = 20

const lineOf = (stream: OutputStream) => {
  // Length of the text on the terminal. Padding stops at this length: a full line would wrap if the
  // terminal is made narrower.
  let written = 0
  // a longer line would wrap and could not be overwritten
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

const showing = <A, E, R>(
  line: Effect.Effect<string | undefined>,
  work: Effect.Effect<A, E, R>,
  first: "at-once" | "later" = "later"
) =>
  Effect.gen(function* () {
    const { error } = yield* StandardStreams
    const { verbosity } = yield* Output.Output
    if (verbosity === "quiet") return yield* work
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

/** Returns `12 of 46 documents have their outcome, 3.4 a second, 10 s left`. */
const along = (done: number, total: number, found: Pace.Pace | null, { isTerminal }: OutputStream): string => {
  const pace =
    found === null || done === total
      ? ""
      : `, ${perSecond(found.perSecond)} a second, ${seconds(found.secondsLeft)} left`
  const plain = `${done} of ${total} documents have their outcome${pace}`
  if (!isTerminal) return plain
  const filled = Math.round((width * done) / total)
  return `${"█".repeat(filled)}${"░".repeat(width - filled)} ${done} of ${total}${pace}`
}

/** `total` is 0 until it is known. */
interface Counted {
  total: number
  readonly done: Set<string>
}

const count = ({ done }: Counted, { key, to }: Submission.Change) =>
  Effect.sync(() => {
    if (over.has(to)) done.add(`${key.kind} ${key.id}`)
    else done.delete(`${key.kind} ${key.id}`)
  })

export const during = <A, E, R>(total: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    if (total === 0) return yield* work
    const store = yield* SubmissionStore.SubmissionStore
    const counted: Counted = { total, done: new Set() }
    const watching = Stream.runForEach(store.changes, (change) => count(counted, change))
    return yield* shown(counted, work.pipe(Effect.raceFirst(Effect.andThen(watching, Effect.never))))
  })

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
    const paceAt = Pace.make()
    paceAt(yield* Clock.currentTimeMillis, 0, 0)
    let last = -1
    let lastShown = ""
    const line = Effect.map(Clock.currentTimeMillis, (now) => {
      const { total } = counted
      if (total === 0 || done.size === last) return undefined
      last = done.size
      const known = Math.min(done.size, total)
      lastShown = along(known, total, paceAt(now, known, total), error)
      return lastShown
    })
    const result = yield* showing(line, work, "at-once")
    const { total } = counted
    if (total === 0) return result
    const store = yield* SubmissionStore.SubmissionStore
    // the last changes may not have arrived yet
    const open = yield* Stream.runCount(store.stream({ states: Submission.moving }))
    const final = open === 0 ? total : Math.min(total, done.size)
    const end = `${final} of ${total} documents have their outcome`
    // the terminal line was erased; elsewhere the last line may already show the final count
    if (error.isTerminal || end !== lastShown) yield* Output.note(end)
    return result
  })

export interface Along {
  readonly total: number
  readonly passed: () => number
}

const percentOf = ({ passed, total }: Along): number => (total === 0 ? 0 : Math.floor((100 * passed()) / total))

const bar = (percent: number): string => {
  const filled = Math.round((width * percent) / 100)
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`
}

/** Undefined for plain lines: later readers need document counts instead. */
const lookedAt = (along: Along, { isTerminal }: OutputStream): string | undefined => {
  const percent = percentOf(along)
  return isTerminal ? `${bar(percent)} ${percent} %, looking at the files` : undefined
}

const news = (line: Effect.Effect<string | undefined>): Effect.Effect<string | undefined> => {
  let last: string | undefined
  return Effect.map(line, (text) => {
    if (text === last) return undefined
    last = text
    return text
  })
}

export const looking = <A, E, R>(along: Along, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(StandardStreams, ({ error }) => showing(news(Effect.sync(() => lookedAt(along, error))), work))

interface FirstProgress {
  readonly at: number
  readonly percent: number
}

export const reading = <A, E, R, Failure, Needs>(
  readings: Stream.Stream<Adapter.Reading, Failure, Needs>,
  along: Along,
  work: (readings: Stream.Stream<Adapter.Reading, Failure, Needs>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const { error } = yield* StandardStreams
    const started = yield* Clock.currentTimeMillis
    let read = 0
    let begun: FirstProgress | undefined
    const counted = Stream.map(readings, (reading) => {
      if (reading?._tag === "SourceDocument") read += 1
      return reading
    })
    const line = Effect.map(Clock.currentTimeMillis, (now) => {
      if (read === 0) return lookedAt(along, error)
      const percent = percentOf(along)
      begun ??= { at: now, percent }
      return readSoFar(read, { percent, begun, now, started }, error)
    })
    return yield* showing(news(line), work(counted))
  })

interface ReadPace {
  readonly percent: number
  readonly begun: FirstProgress
  readonly now: number
  readonly started: number
}

/** A file unpacked before its first document, such as a workbook, gives no estimate of the rest. */
const readSoFar = (read: number, { begun, now, percent, started }: ReadPace, stream: OutputStream): string => {
  const count = read.toLocaleString("en")
  const rate = perSecond((read / Math.max(1, now - started)) * 1000)
  if (begun.percent >= 100) return `${count} documents read, ${rate} a second`
  if (percent >= 100) return `${count} documents read, they are checked`
  const elapsed = (now - begun.at) / 1000
  const left = percent > begun.percent ? (elapsed * (100 - percent)) / (percent - begun.percent) : undefined
  const time = left === undefined || elapsed < 1 ? "" : `, ${seconds(left)} left`
  return stream.isTerminal
    ? `${bar(percent)} ${percent} %, ${count} documents${time}`
    : `${count} documents read, ${rate} a second, ${percent} %${time}`
}
