/**
 * Walks over an endpoint whose pages begin behind the last record. Sources state whole seconds and
 * compare finer times, so the next request asks for the second of the last record again, without
 * the records read already.
 */
import { Duration, Effect } from "effect"
import type { LivePage, LiveRecord, LiveSource } from "../source/LiveSource.ts"
import { LiveSourceError, type LiveSourceReason } from "../source/LiveSourceError.ts"
import {
  endless,
  highestMark,
  mostCalls,
  problemOf,
  unseen,
  type Walked,
  type WalkOptions,
  wholeSecond
} from "./Walk.ts"

/**
 * Reads everything of the endpoint that was modified since the mark; `keep` is given each page that
 * has something new.
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
    let without: ReadonlyArray<string> = []
    let calls = 0
    let began: number | null = null
    const failed = (reason: LiveSourceReason) =>
      new LiveSourceError({ source: source.name, operation: `${endpoint} page ${calls}`, reason })
    while (true) {
      if (calls === mostCalls) return yield* failed(endless)
      calls++
      const answer: LivePage = yield* source.pages({ endpoint, since, page: 1, without })
      const problem = yield* problemOf(answer, clockSkew)
      if (problem !== undefined) return yield* failed(problem)
      const fresh = unseen(seen, answer)
      if (fresh.length > 0) yield* keep(answer)
      for (const record of fresh) seen.set(record.id, record)
      // the next run begins before the time of this walk, so a busy source does not keep a walk
      // from its end
      const until: number = (began ??= answer.answeredAt) ?? Number.POSITIVE_INFINITY
      const last = answer.records.at(-1)
      if (answer.more === "last" || last === undefined || last.modified >= until) break
      if (fresh.length === 0) {
        const problem = "it gives the records again that it was asked to leave out"
        return yield* failed({ _tag: "AnswerUnreadable", text: problem })
      }
      const next = wholeSecond(last.modified)
      since = next
      without = Array.from(seen.values()).flatMap(({ id, modified }) => (wholeSecond(modified) === next ? [id] : []))
    }
    const records = [...seen.values()]
    const capped = highestMark(records, mark, began)
    return { records, mark: records.length === 0 ? mark : capped, calls }
  })
