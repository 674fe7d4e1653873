/**
 * Walks over the pages of an endpoint in the order of their modified times, so that nothing is missed while documents change, whatever a page's edge is:
 * the next question asks from the last record of a full page on, and takes the first page again (docs/decisions/019-sources.md).
 */
import { Clock, Duration, Effect } from "effect"
import type { LivePage, LiveRecord, LiveSource } from "../source/LiveSource.ts"
import { LiveSourceError, type LiveSourceReason } from "../source/LiveSourceError.ts"

/** Result of a walk over an endpoint. */
export interface Walked {
  readonly records: ReadonlyArray<LiveRecord>
  /** The highest modified time, never later than the source's clock when the walk began; null where nothing was read so far. */
  readonly mark: number | null
  /** How often the source was asked. */
  readonly calls: number
}

/** How a source is read. */
export interface WalkOptions {
  /** How long before the mark a walk begins. */
  readonly overlap: Duration.Duration
  /** How far the source's clock may be from this machine's. */
  readonly clockSkew: Duration.Duration
}

const second = 1000

/** Returns the beginning of the second, in milliseconds since the epoch. */
export const wholeSecond = (millis: number): number => Math.floor(millis / second) * second

/** The smallest page has 100 records: a million documents in one run. */
export const mostCalls = 10_000

/** Returns true if the records are in the order of their modified times. */
export const ascends = (records: ReadonlyArray<LiveRecord>): boolean =>
  records.every(({ modified }, i) => i === 0 || records[i - 1]!.modified <= modified)

/** Reads everything of the endpoint that was modified since the mark; `keep` is given each page that has something new. */
export const walk = <Options, E, R>(
  source: Pick<LiveSource<Options>, "name" | "pages">,
  endpoint: string,
  mark: number | null,
  { clockSkew, overlap }: WalkOptions,
  keep: (page: LivePage) => Effect.Effect<void, E, R>
): Effect.Effect<Walked, E | LiveSourceError, R> =>
  Effect.gen(function* () {
    const seen = new Map<string, LiveRecord>()
    let since = mark === null ? null : wholeSecond(mark - Duration.toMillis(overlap))
    let page = 1
    /** New records of this question, over all of its pages. */
    let news = 0
    let calls = 0
    let began: number | null = null
    const failed = (reason: LiveSourceReason) =>
      new LiveSourceError({ source: source.name, operation: `${endpoint} page ${page}`, reason })
    while (true) {
      if (calls === mostCalls) {
        const problem = `its pages did not end after ${mostCalls} questions`
        return yield* failed({ _tag: "AnswerUnreadable", problem })
      }
      calls++
      const answer: LivePage = yield* source.pages({ endpoint, since, page })
      const ahead = answer.answeredAt === null ? 0 : (yield* Clock.currentTimeMillis) - answer.answeredAt
      if (Math.abs(ahead) > Duration.toMillis(clockSkew))
        return yield* failed({ _tag: "ClockOff", aheadSeconds: Math.round(ahead / second) })
      if (!ascends(answer.records)) {
        const problem = "its records are not in the order of their modified times"
        return yield* failed({ _tag: "AnswerUnreadable", problem })
      }
      // what is changed from here on is read by the next run, which begins before it: a walk ends however busy the source is
      const until: number = (began ??= answer.answeredAt) ?? Number.POSITIVE_INFINITY
      const fresh = answer.records.filter(({ id, modified }) => seen.get(id)?.modified !== modified)
      for (const record of fresh) seen.set(record.id, record)
      news += fresh.filter(({ modified }) => modified < until).length
      if (fresh.length > 0) yield* keep(answer)
      const last = answer.records.at(-1)
      // whether the source includes the time that it is asked for is not known
      const next: number | null = last === undefined ? since : wholeSecond(last.modified) - second
      const moves = answer.more === "more" && next !== null && (since === null || next > since)
      // pages of one question shift while they are read: they are read until nothing new comes
      const isSettled = page === 1 || news === 0
      if (moves && isSettled && next >= until) break
      if (moves && isSettled) since = next
      else if (answer.more === "more" && !moves) {
        page++
        continue
      } else if (isSettled) break
      page = 1
      news = 0
    }
    const records = [...seen.values()]
    const highest = records.reduce((most, { modified }) => Math.max(most, modified), mark ?? 0)
    const capped = began === null ? highest : Math.max(mark ?? 0, Math.min(highest, began))
    return { records, mark: records.length === 0 ? mark : capped, calls }
  })
