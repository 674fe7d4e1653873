/**
 * Reads pages in the order of modified times, so that no document is missed while documents change,
 * at any page boundary: the next request starts at the last record of a full page, and again at the
 * first page (docs/decisions/019-sources.md).
 */
import { Clock, Duration, Effect } from "effect"
import type { LivePage, LiveRecord, LiveSource } from "../source/LiveSource.ts"
import { LiveSourceError, type LiveSourceReason } from "../source/LiveSourceError.ts"

/** Result of a walk over an endpoint. */
export interface Walked {
  readonly records: ReadonlyArray<LiveRecord>
  /**
   * Highest modified time, never later than the source's clock at the start of the walk; null if
   * nothing was read so far.
   */
  readonly mark: number | null
  readonly calls: number
}

/** Options for reading a source. */
export interface WalkOptions {
  /** Time before the mark at which a walk starts. */
  readonly overlap: Duration.Duration
  /** Largest allowed difference between the source's clock and this machine's clock. */
  readonly clockSkew: Duration.Duration
}

const second = 1000

/** Returns the beginning of the second, in milliseconds since the epoch. */
export const wholeSecond = (millis: number): number => Math.floor(millis / second) * second

/** Request limit of one run. The smallest page has 100 records: a million documents. */
export const mostCalls = 10_000

const ascends = (records: ReadonlyArray<LiveRecord>): boolean =>
  records.every(({ modified }, i) => i === 0 || records[i - 1]!.modified <= modified)

/** Returns the reason for which a walk must not use the page; undefined for a good page. */
export const problemOf = (
  { answeredAt, records }: LivePage,
  clockSkew: Duration.Duration
): Effect.Effect<LiveSourceReason | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const ahead = answeredAt === null ? 0 : now - answeredAt
    if (Math.abs(ahead) > Duration.toMillis(clockSkew))
      return { _tag: "ClockOff", aheadSeconds: Math.round(ahead / second) }
    if (ascends(records)) return undefined
    return { _tag: "AnswerUnreadable", text: "its records are not in the order of their modified times" }
  })

/** The reason for a walk that does not end. */
export const endless: LiveSourceReason = {
  _tag: "AnswerUnreadable",
  text: `its pages did not end after ${mostCalls} questions`
}

/** Returns the records of the page that the walk has not seen in this version. */
export const unseen = (seen: ReadonlyMap<string, LiveRecord>, { records }: LivePage): ReadonlyArray<LiveRecord> =>
  records.filter(({ id, modified }) => seen.get(id)?.modified !== modified)

/** Returns the highest modified time, capped at the source's clock when the walk began. */
export const highestMark = (records: ReadonlyArray<LiveRecord>, mark: number | null, began: number | null): number => {
  const highest = records.reduce((most, { modified }) => Math.max(most, modified), mark ?? 0)
  return began === null ? highest : Math.max(mark ?? 0, Math.min(highest, began))
}

/**
 * Reads all records of the endpoint modified since the mark; `keep` gets each page with new
 * records.
 */
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
    let news = 0
    let calls = 0
    let began: number | null = null
    const failed = (reason: LiveSourceReason) =>
      new LiveSourceError({ source: source.name, operation: `${endpoint} page ${page}`, reason })
    while (true) {
      if (calls === mostCalls) return yield* failed(endless)
      calls++
      const answer: LivePage = yield* source.pages({ endpoint, since, page })
      const problem = yield* problemOf(answer, clockSkew)
      if (problem !== undefined) return yield* failed(problem)
      // the next run starts before this time and reads later changes: a walk ends even if the
      // source is busy
      const until: number = (began ??= answer.answeredAt) ?? Number.POSITIVE_INFINITY
      const fresh = unseen(seen, answer)
      for (const record of fresh) seen.set(record.id, record)
      news += fresh.filter(({ modified }) => modified < until).length
      if (fresh.length > 0) yield* keep(answer)
      const last = answer.records.at(-1)
      // the source may include or exclude the requested time
      const next: number | null = last === undefined ? since : wholeSecond(last.modified) - second
      const moves = answer.more === "more" && next !== null && (since === null || next > since)
      // pages of one request shift while they are read: the pages are read again until no new
      // record appears
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
    const capped = highestMark(records, mark, began)
    return { records, mark: records.length === 0 ? mark : capped, calls }
  })
