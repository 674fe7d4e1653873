import { DateTime, Effect, Option } from "effect"
import * as Mark from "../submission/ledger/Mark.ts"
import * as CivilDate from "../document/CivilDate.ts"
import { nameOf } from "../submission/ledger/RefusedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Decision } from "../submission/Decision.ts"
import type { Submission } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Documents that become late: those that are known, and every later import of earlier days. */
export interface LateBy {
  readonly documents: number
  readonly before: CivilDate.CivilDate
}

/** True if a receipt of the document's own date is late now, so that it is dated today. */
const isDatedToday = ({ hold, receiptDate, state }: Submission, mark: number): boolean =>
  state === "Held"
    ? hold?.cause === "late" || hold?.cause === "historical"
    : (state === "Rejected" || state === "Declined") &&
      receiptDate !== null &&
      receiptDate.epochMilliseconds <= mark * 1000

/**
 * Finds what becomes late if the documents with these names (`kind id`) are dated today. Null if
 * the device has a receipt of today already. Planned documents of earlier days are sent before, so
 * they are not counted.
 */
export const dated = (
  { account, lane }: Pick<Submission, "account" | "lane">,
  names: ReadonlySet<string>,
  zone: DateTime.TimeZone
): Effect.Effect<LateBy | null, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const mark = Mark.ofLane(yield* store.ledger.mark(lane))
    const today = CivilDate.inZone(yield* DateTime.now, zone)
    const last = Option.match(mark, { onNone: () => "", onSome: ({ at }) => CivilDate.of(at) as string })
    if (last >= today) return null
    const isBetween = (day: string | null) => day !== null && day >= last && day < today
    const held = yield* store.list({ lane, states: ["Held"], limit: 1000 })
    const refused = yield* store.refused.of(account)
    const late = [
      ...held.filter((one) => !names.has(nameOf(one)) && isBetween(one.sourceDate)),
      ...refused.filter(({ day, standing }) => standing === "open" && isBetween(day))
    ]
    return { documents: late.length, before: today }
  })

export const of = (
  documents: ReadonlyArray<Submission>,
  decision: Decision["_tag"]
): Effect.Effect<LateBy | null, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const [one] = documents
    if (one === undefined || decision !== "Resend") return null
    const mark = Mark.second(Mark.ofLane(yield* store.ledger.mark(one.lane)))
    const again = documents.find((document) => isDatedToday(document, mark))
    return again?.receiptDate == null ? null : yield* dated(one, new Set(documents.map(nameOf)), again.receiptDate.zone)
  })

export const inWords = ({ before, documents }: LateBy): string => {
  const known = documents === 0 ? "" : documents === 1 ? "1 document, and " : `${documents} documents, and `
  const text = `${known}every later import of days before ${before} would be late: the receipt is dated ${before}.`
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} If earlier months are still to come, wait until they are in.`
}
