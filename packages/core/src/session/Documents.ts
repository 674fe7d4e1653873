import { Effect, Stream } from "effect"
import * as Finding from "../finding/Finding.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import { ImportFinding } from "../import/ImportFinding.ts"
import type { ImportEntry } from "../import/ImportEntry.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import * as ImportSummary from "../import/ImportSummary.ts"
import { submissionsOf } from "../import/StoreComparison.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { RCPT013 } from "../finding/ReceiptRule.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import type { Accepted } from "./Acceptance.ts"

/**
 * Stage of an import: `planned` before the documents were handed to the store, then the store's
 * verdicts on single documents.
 */
export type ImportStage = "planned" | Pick<Accepted, "conflicts" | "refused">

const perPage = 200

/**
 * Streams every document of the plan page by page; submitted documents come with their state in the
 * store. Skipped documents come last.
 */
export const documents = (
  plan: Pick<ImportPlan, "entries" | "skipped" | "book">,
  stage: ImportStage,
  account: string
): Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, StoreError, SubmissionStore> =>
  Effect.map(SubmissionStore, (store) => {
    const pages = plan.entries.pipe(
      Stream.grouped(perPage),
      Stream.mapEffect((entries) => {
        // Another process may have sent the document since the plan was made.
        const isAnother = ({ source: { id, kind, number } }: ImportEntry) =>
          stage !== "planned" && stage.conflicts.has(`${kind} ${id || number}`)
        const before = entries.filter((entry) => ImportedDocument.isSentBefore(entry) || isAnother(entry))
        const stored = entries.filter(
          (entry) => entry._tag === "Planned" && (stage !== "planned" || ImportedDocument.isSentBefore(entry))
        )
        const sent = store.sent(before.map(({ source: { id, kind, number } }) => ({ account, kind, id: id || number })))
        const submissions = submissionsOf(
          stored.map(({ source }) => source),
          account,
          store
        )
        return Effect.zipWith(submissions, sent, (submissions, sent) =>
          entries.map((entry) => withConflict(ImportedDocument.ofEntry(entry, submissions, sent), stage))
        )
      })
    )
    const skipped = Stream.grouped(Stream.map(plan.skipped, ImportedDocument.ofSkipped), perPage)
    return Stream.concat(pages, skipped)
  }).pipe(Stream.unwrap)

const withConflict = (
  document: ImportedDocument.ImportedDocument,
  stage: ImportStage
): ImportedDocument.ImportedDocument => {
  if (stage === "planned") return document
  const name = `${document.kind} ${document.id}`
  const refused = stage.refused.get(name)
  if (refused !== undefined) {
    const finding = Finding.make(RCPT013, { detail: refused, at: document.source, path: ["number"] })
    return { ...document, state: "Refused", findings: [...document.findings, finding] }
  }
  const text = stage.conflicts.get(name)
  if (text === undefined || document.findings.some(ImportedDocument.isConflict)) return document
  const finding = Finding.make(ImportFinding.DIFFERS_FROM_SENT, { detail: text, at: document.source })
  return { ...document, findings: [...document.findings, finding] }
}

/** Returns the figures and causes of the import in its current state. */
export const summary = (
  plan: Pick<ImportPlan, "entries" | "skipped" | "book">,
  stage: ImportStage,
  account: string
): Effect.Effect<ImportSummary.ImportSummary, StoreError, SubmissionStore> => {
  const summing = ImportSummary.make(plan.book)
  return Effect.map(
    Stream.runForEach(documents(plan, stage, account), (page) =>
      Effect.sync(() => {
        for (const document of page) summing.add(document)
      })
    ),
    () => summing.summary
  )
}
