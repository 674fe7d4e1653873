/**
 * The latest receipt date that may have reached the device. A document must be dated after its mark
 * (RCPT030, RCPT014). Attempts of other submissions count, unless they are certainly unprocessed or
 * ruled out by an operator. The document's own attempts never count. The close of the last fiscal
 * day counts for all.
 */
import { Option } from "effect"
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"

export interface MarkKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

export interface Reached {
  readonly at: Instant.Instant
  readonly key: MarkKey
  readonly number: DocumentNumber
}

export interface Mark {
  readonly at: Instant.Instant
  readonly cause: "attempt" | "z-report"
  /**
   * Latest attempt of another document, present even if the day's close is later: a historical
   * batch must be dated after this attempt.
   */
  readonly attempt?: Reached
}

/**
 * Dates from which the mark of every document in a lane is computed. A document's receipt must be
 * dated after the document's mark.
 *
 * A document's own attempts do not count for its mark, so the latest attempts of two different
 * documents are enough. The last close of a fiscal day counts for all documents.
 */
export interface LaneMark {
  readonly latest: Reached | null
  readonly another: Reached | null
  readonly closed: Instant.Instant | null
}

const later = (attempt: Reached | null, closed: Instant.Instant | null): Option.Option<Mark> => {
  if (closed !== null && (attempt === null || closed.epochMilliseconds > attempt.at.epochMilliseconds)) {
    return Option.some({ at: closed, cause: "z-report", ...(attempt !== null && { attempt }) })
  }
  return Option.map(Option.fromNullOr(attempt), (attempt) => ({ at: attempt.at, cause: "attempt", attempt }))
}

export const ofLane = ({ closed, latest }: LaneMark): Option.Option<Mark> => later(latest, closed)

export const exception = ({ latest }: LaneMark): MarkKey | null => latest?.key ?? null

export const of = (lane: LaneMark, { account, id, kind }: MarkKey): Option.Option<Mark> => {
  const own = exception(lane)
  const isOwn = own !== null && own.account === account && own.kind === kind && own.id === id
  return later(isOwn ? lane.another : lane.latest, lane.closed)
}

/**
 * Returns the second of a mark, after which a receipt must be dated; -Infinity without a mark, so
 * that every second is later.
 */
export const second: (mark: Option.Option<Mark>) => number = Option.match({
  onNone: () => Number.NEGATIVE_INFINITY,
  onSome: ({ at }: Mark) => Instant.seconds(at)
})

export const closedAt = (lane: LaneMark, close: Instant.Instant | undefined): LaneMark =>
  close === undefined || (lane.closed !== null && lane.closed.epochMilliseconds >= close.epochMilliseconds)
    ? lane
    : { ...lane, closed: close }

/**
 * Returns the marks for a historical batch, which must be after all attempts, but not after the
 * day's close.
 */
export const withoutClose = (lane: LaneMark): LaneMark => ({ ...lane, closed: null })
