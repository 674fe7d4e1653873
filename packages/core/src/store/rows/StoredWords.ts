/**
 * Values of enumerated columns, each list complete: a missing value does not compile.
 *
 * Values are only added, never removed (a test pins them), because existing stores contain them.
 */
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import type { ImportStanding } from "../../submission/KeptImport.ts"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { StopCause } from "../../submission/Lane.ts"
import type { LiveStanding } from "../../submission/LiveSourceState.ts"
import type { NoticeSource } from "../../submission/Notice.ts"
import { type Act, acts as everyAct } from "../../submission/OperatorRecord.ts"
import type { Evidence, Outcome } from "../../submission/Outcome.ts"
import type { Environment, HoldCause, PlannedDocument } from "../../submission/PlannedDocument.ts"
import { causes as moves, type Rejection, type State, states as all } from "../../submission/Submission.ts"
import type { Attempt } from "../../submission/Attempt.ts"
import type { StoredConflict, TimelineEntry } from "../../submission/Explanation.ts"

const words = <Word extends string>(every: Readonly<Record<Word, true>>): ReadonlyArray<Word> =>
  Object.keys(every) as Array<Word>

export const states: ReadonlyArray<State> = all

export const causes: ReadonlyArray<TimelineEntry["cause"]> = [
  ...moves,
  ...words<Exclude<TimelineEntry["cause"], (typeof moves)[number]>>({
    planned: true,
    replaced: true,
    conflict: true,
    noted: true
  })
]

export const acts: ReadonlyArray<Act> = everyAct

export const noticeSources = words<NoticeSource>({ opening: true, days: true, counters: true })

export const kinds = words<DocumentKind>({ invoice: true, "credit-note": true })

export const environments = words<Environment>({ sandbox: true, test: true, live: true })

export const holdCauses = words<HoldCause>({
  late: true,
  historical: true,
  outdated: true,
  original: true,
  credited: true,
  contradicted: true,
  person: true
})

export const stopCauses = words<StopCause>({
  credentials: true,
  "not-found": true,
  misdirected: true,
  limited: true,
  "not-sent": true,
  "device-changed": true,
  "device-refuses": true,
  "mark-in-future": true,
  clock: true,
  "store-older": true,
  "store-unproven": true
})

export const results = words<AttemptResult["_tag"]>({
  Accepted: true,
  Declined: true,
  NotProcessed: true,
  Unknown: true
})

export const repeats = words<Attempt["repeats"]>({ first: true, retry: true })

export const outcomes = words<Exclude<Outcome["_tag"], "Pending">>({ Fiscalised: true, Rejected: true, Expired: true })

export const sources = words<Evidence["source"]>({ poll: true, webhook: true, operator: true })

export const conflicts = words<StoredConflict["code"]>({
  OUTCOME_CONFLICT: true,
  DOUBLE_FISCALISED: true,
  SOURCE_CONFLICT: true,
  SOURCE_CANCELLED: true,
  OTHER_DEVICE: true,
  SUCCESS_WITH_ERROR: true
})

export const lates = words<NonNullable<PlannedDocument["late"]>>({ hold: true, restamp: true })

export const passages = words<NonNullable<PlannedDocument["timing"]>>({ ordinary: true, historical: true })

export const standings = words<ImportStanding>({
  begun: true,
  accepted: true,
  whole: true,
  incomplete: true,
  cancelled: true,
  unfinished: true
})

export const liveStandings = words<LiveStanding>({ taken: true, refused: true, skipped: true, gone: true })

export const natures = words<Rejection["nature"]>({ correctable: true, final: true })
