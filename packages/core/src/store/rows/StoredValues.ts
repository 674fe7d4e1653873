/**
 * Each list is complete: a missing value does not compile. Values are only added, never removed (a
 * test pins them), because existing stores contain them.
 */
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import type { ImportStanding } from "../../submission/KeptImport.ts"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import type { StopCause } from "../../submission/Lane.ts"
import type { LiveStanding } from "../../submission/LiveSourceState.ts"
import type { NoticeSource } from "../../submission/Notice.ts"
import { type Act, acts as everyAct } from "../../submission/OperatorRecord.ts"
import type { Evidence, Outcome } from "../../submission/Outcome.ts"
import { decided, type Environment, type HoldCause, type PlannedDocument } from "../../submission/PlannedDocument.ts"
import { causes as moves, type Rejection, type State, states as all } from "../../submission/Submission.ts"
import type { Attempt } from "../../submission/Attempt.ts"
import type { StoredConflict, TimelineEntry } from "../../submission/Explanation.ts"

const valuesOf = <Value extends string>(every: Readonly<Record<Value, true>>): ReadonlyArray<Value> =>
  Object.keys(every) as Array<Value>

export const states: ReadonlyArray<State> = all

export const causes: ReadonlyArray<TimelineEntry["cause"]> = [
  ...moves,
  ...valuesOf<Exclude<TimelineEntry["cause"], (typeof moves)[number]>>({
    planned: true,
    replaced: true,
    conflict: true,
    noted: true
  })
]

export const acts: ReadonlyArray<Act> = everyAct

export const noticeSources = valuesOf<NoticeSource>({ opening: true, days: true, counters: true })

export const kinds = valuesOf<DocumentKind>({ invoice: true, "credit-note": true })

export const environments = valuesOf<Environment>({ sandbox: true, test: true, live: true })

/** `person` is stored by earlier versions only (submission/PlannedDocument). */
export const holdCauses = [...(Object.keys(decided) as Array<HoldCause>), "person"] as const

export const stopCauses = valuesOf<StopCause>({
  credentials: true,
  "not-found": true,
  misdirected: true,
  limited: true,
  "not-sent": true,
  "device-changed": true,
  "device-refuses": true,
  "mark-in-future": true,
  "same-failure": true,
  clock: true,
  "store-older": true,
  "store-unproven": true,
  "store-behind": true
})

export const storeStops = valuesOf<StoreStop["is"]>({ older: true, unproven: true, behind: true })

export const results = valuesOf<AttemptResult["_tag"]>({
  Accepted: true,
  Declined: true,
  NotProcessed: true,
  Unknown: true
})

export const repeats = valuesOf<Attempt["repeats"]>({ first: true, retry: true })

export const outcomes = valuesOf<Exclude<Outcome["_tag"], "Pending">>({
  Fiscalised: true,
  Contradictory: true,
  Rejected: true,
  Expired: true
})

export const sources = valuesOf<Evidence["source"]>({ poll: true, webhook: true, operator: true })

export const conflicts = valuesOf<StoredConflict["code"]>({
  OUTCOME_CONFLICT: true,
  DOUBLE_FISCALISED: true,
  SOURCE_CONFLICT: true,
  SOURCE_CANCELLED: true,
  OTHER_DEVICE: true,
  SUCCESS_WITH_ERROR: true,
  SUCCESS_AND_FAILURE: true,
  PROOF_SHARED: true,
  PROOF_MISSING: true,
  CODE_NOT_UNIQUE: true,
  RECEIPT_NOT_UNIQUE: true,
  ALSO_ELSEWHERE: true
})

export const lates = valuesOf<NonNullable<PlannedDocument["late"]>>({ hold: true, restamp: true })

export const passages = valuesOf<NonNullable<PlannedDocument["timing"]>>({ ordinary: true, historical: true })

export const standings = valuesOf<ImportStanding>({
  begun: true,
  accepted: true,
  whole: true,
  incomplete: true,
  cancelled: true,
  unfinished: true
})

export const liveStandings = valuesOf<LiveStanding>({ taken: true, refused: true, skipped: true, gone: true })

export const natures = valuesOf<Rejection["nature"]>({ correctable: true, final: true })
