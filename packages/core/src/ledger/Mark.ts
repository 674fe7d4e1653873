/**
 * The mark: the latest receipt date that may have reached the device, and so what a document must be dated after (RCPT030, RCPT014). It is each
 * document's own: attempts of other submissions count unless they are certainly unprocessed or a person has ruled them out, its own never do;
 * the close of the last fiscal day counts for all.
 */
import { Option } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"

/** A document by its key. */
export interface MarkKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

/** A receipt date that may have reached the device, and of which document. */
export interface Reached {
  readonly at: Instant
  readonly key: MarkKey
  readonly number: DocumentNumber
}

export interface Mark {
  readonly at: Instant
  readonly because: "attempt" | "z-report"
  /** The latest attempt of another document, also where the day's close is the later: a historical batch still comes after it. */
  readonly attempt?: Reached
}

/** What every document's mark follows from: a document's own attempts do not count, so the latest of another document is all that is needed beside the latest. */
export interface LaneMark {
  readonly latest: Reached | null
  /** The latest of any other document than `latest` is of. */
  readonly another: Reached | null
  /** ClosedAt of the last successful Z-report. */
  readonly closed: Instant | null
}

const later = (attempt: Reached | null, closed: Instant | null): Option.Option<Mark> => {
  if (closed !== null && (attempt === null || closed.epochMilliseconds > attempt.at.epochMilliseconds)) {
    return Option.some({ at: closed, because: "z-report", ...(attempt !== null && { attempt }) })
  }
  return Option.map(Option.fromNullOr(attempt), (attempt) => ({ at: attempt.at, because: "attempt", attempt }))
}

/** The mark of a document that has never been tried. */
export const ofLane = ({ closed, latest }: LaneMark): Option.Option<Mark> => later(latest, closed)

/** The document whose mark is not the lane's: the one the latest attempt is of. */
export const exception = ({ latest }: LaneMark): MarkKey | null => latest?.key ?? null

/** The mark of one document. */
export const of = (lane: LaneMark, { account, id, kind }: MarkKey): Option.Option<Mark> => {
  const own = exception(lane)
  const isOwn = own !== null && own.account === account && own.kind === kind && own.id === id
  return later(isOwn ? lane.another : lane.latest, lane.closed)
}

/** The marks as the store would have them once it knew of the close. */
export const closedAt = (lane: LaneMark, close: Instant | undefined): LaneMark =>
  close === undefined || (lane.closed !== null && lane.closed.epochMilliseconds >= close.epochMilliseconds)
    ? lane
    : { ...lane, closed: close }

/** What a historical batch comes after: attempts, not the day's close. */
export const withoutClose = (lane: LaneMark): LaneMark => ({ ...lane, closed: null })
