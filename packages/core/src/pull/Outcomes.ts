import { Effect, Stream } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as Finding from "../finding/Finding.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import type { ImportEntry } from "../import/ImportEntry.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import { nameOf } from "../submission/ledger/RefusedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { LiveSourceFinding } from "../source/LiveSourceFinding.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { LiveCounts, LiveDocument, LiveStanding } from "../submission/LiveSourceState.ts"
import type { Pulled, PulledRecord } from "./Pulling.ts"

export interface OutcomeOfRun {
  readonly refused: ReadonlyArray<{
    readonly document: LiveDocument
    readonly findings: ReadonlyArray<Finding.Finding>
    readonly replaces: string | null
  }>
  readonly documents: ReadonlyArray<LiveDocument>
  readonly counts: LiveCounts
  readonly handed: ReadonlyArray<Pick<LiveDocument, "id" | "number"> & { readonly kind: DocumentKind }>
  readonly goLive: { readonly before: number; readonly after: number }
}

interface LiveOutcome {
  readonly standing: LiveStanding
  readonly as: "new" | "unchanged" | "changed" | "refused" | "skipped"
  readonly findings: ReadonlyArray<Finding.Finding>
  readonly replaces: string | null
}

const skipped: LiveOutcome = { standing: "skipped", as: "skipped", findings: [], replaces: null }

const ofEntry = (entry: ImportEntry): LiveOutcome => {
  const errors = entry.findings.filter(Finding.refuses)
  const replaces = entry.source.replaces?.value ?? null
  // an error about a known document is as strong as one about a new document
  if (entry._tag === "Refused" || (entry._tag === "Known" && errors.length > 0))
    return { standing: "refused", as: "refused", findings: errors, replaces }
  if (entry._tag === "Known") return { standing: "taken", as: "unchanged", findings: [], replaces }
  return { standing: "taken", as: ImportedDocument.isSentBefore(entry) ? "changed" : "new", findings: [], replaces }
}

const namesOf = ({ cancelled, document, of }: Skipped): ReadonlyArray<string> =>
  [cancelled, document, of].flatMap((one) => (one === undefined ? [] : [nameOf(one)]))

/** A record read again at the same time states the same difference. */
const countedAs = ({ as, standing }: LiveOutcome, { before, modified }: PulledRecord): LiveOutcome["as"] => {
  if (as === "new") return before?.standing === "taken" ? "changed" : "new"
  return as === "changed" && before?.standing === standing && before.modified === modified ? "unchanged" : as
}

const unread: LiveOutcome = {
  standing: "refused",
  as: "refused",
  findings: [Finding.make(LiveSourceFinding.SOURCE_DOCUMENT_UNREAD, {})],
  replaces: null
}

export const stillRefused = ({
  unanswered,
  unasked
}: Pick<Pulled, "unanswered" | "unasked">): OutcomeOfRun["refused"] => [
  ...unanswered.map((document) => ({
    document,
    findings: [
      Finding.make(LiveSourceFinding.SOURCE_DOCUMENT_UNREAD, {
        message: "the source did not answer for a document that was refused before",
        detail: `${document.number || "a document without a number"}: ${document.codes.join(" ")}`
      })
    ],
    replaces: null
  })),
  ...unasked.map((document) => ({ document, findings: [], replaces: null }))
]

/**
 * Finds the result of every record. `tooEarly`: skip reason for documents dated before the first
 * day of the source.
 */
export const find = (
  records: ReadonlyArray<PulledRecord>,
  pulled: Pick<Pulled, "gone" | "unanswered" | "unasked">,
  plan: Pick<ImportPlan, "entries" | "skipped">,
  tooEarly: string
): Effect.Effect<OutcomeOfRun, StoreError> =>
  Effect.gen(function* () {
    const outcomes = new Map<string, LiveOutcome>()
    const skips = new Map<string, string>()
    yield* Stream.runForEach(plan.skipped, (one) =>
      Effect.sync(() => {
        const names = namesOf(one)
        skips.set(names[0] ?? one.key, one.reason)
        for (const name of names) outcomes.set(name, skipped)
      })
    )
    // of several statements of a document, only the statement that counts is an entry
    yield* Stream.runForEach(plan.entries, (entry) =>
      Effect.sync(() => {
        const name = nameOf(entry.source)
        skips.delete(name)
        outcomes.set(name, ofEntry(entry))
      })
    )
    const reasons: Record<string, number> = {}
    for (const reason of skips.values()) reasons[reason] = (reasons[reason] ?? 0) + 1
    const before = reasons[tooEarly] ?? 0
    const refused: Array<OutcomeOfRun["refused"][number]> = []
    const handed: Array<OutcomeOfRun["handed"][number]> = []
    const tally = { new: 0, changed: 0, unchanged: 0, refused: 0, skipped: 0 }
    const documents = records.map((record): LiveDocument => {
      const { endpoint, id, kind, modified, number } = record
      const outcome = kind === null ? skipped : (outcomes.get(nameOf(record)) ?? unread)
      const { as, findings, replaces, standing } = outcome
      tally[countedAs(outcome, record)]++
      if (as === "new" && kind !== null) handed.push({ id, kind, number })
      const codes = [...new Set(findings.map(({ code }) => code))]
      const document = { endpoint, id, kind, number, modified, standing, codes }
      if (standing === "refused") refused.push({ document, findings, replaces })
      return document
    })
    const { gone, unanswered } = pulled
    const left = stillRefused(pulled)
    return {
      documents: [
        ...documents,
        ...unanswered,
        ...gone.map((one): LiveDocument => ({ ...one, standing: "gone", codes: [] }))
      ],
      counts: {
        read: records.length,
        new: tally.new,
        changed: tally.changed + gone.length,
        unchanged: tally.unchanged,
        refused: tally.refused + left.length,
        skipped: reasons
      },
      handed,
      refused: [...refused, ...left],
      goLive: { before, after: tally.new + tally.changed + tally.unchanged + tally.refused }
    }
  })
