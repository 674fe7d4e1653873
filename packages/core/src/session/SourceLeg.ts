/** Statements of an export about its documents, from one plan. Reads only. */
import { Effect, Stream } from "effect"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as NumberFold from "../document/NumberFold.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { ImportEntry } from "../import/ImportEntry.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import * as Account from "../day/Account.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"

/** Names a document by its key and by the fold of its number. */
const namesOf = (document: {
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
}): readonly [key: string, fold: string] => [
  `${document.kind} ${document.id || document.number}`,
  `${document.kind} # ${NumberFold.of(document.number)}`
]

/** Figures that the export states now. */
export interface Restated extends Account.Figures {
  /** Difference from the sent document in words. Empty if the document was not sent. */
  readonly because: string
}

/** Statements of an export. */
export interface Statements {
  /** Number of documents that the export states. */
  readonly documents: number
  /** Number of rows that are not an issued document of the account. */
  readonly skipped: number
  /**
   * Returns what the export states of a document of the store: `same` as was sent, other figures,
   * that it is `void`, or nothing.
   */
  readonly of: (document: {
    readonly kind: DocumentKind
    readonly id: string
    readonly number: string
  }) => Restated | "same" | "void" | "not-stated"
  /** Documents that `of` was not called for: the store has not returned them. */
  readonly rest: () => ReadonlyArray<Account.AccountDocument & { readonly id: string }>
}

const statementOf = (entry: ImportEntry): Restated | "same" => {
  const document = entry._tag === "Planned" ? entry.planned.document : entry._tag === "Refused" ? entry.document : null
  if (document === null) return "same"
  const meaning = (entry._tag === "Planned" ? entry.planned.meaning : null) ?? null
  const found = entry.findings.filter(ImportedDocument.isConflict)
  const because = found.map(({ detail, message }) => detail ?? message).join("; ")
  return { ...Account.figuresOf({ document: WrittenDocument.read(document), meaning }), because }
}

/** Reads the statements of a plan. */
export const read = (
  { entries, skipped }: Pick<ImportPlan, "entries" | "skipped">,
  account: string
): Effect.Effect<Statements, StoreError> =>
  Effect.gen(function* () {
    const states = new Map<string, Restated | "same" | "void">()
    const rest = new Map<string, Account.AccountDocument & { readonly id: string }>()
    let documents = 0
    let left = 0
    yield* Stream.runForEach(entries, (entry) =>
      Effect.sync(() => {
        documents++
        const [key, fold] = namesOf(entry.source)
        const figures = statementOf(entry)
        states.set(key, figures).set(fold, figures)
        if (entry._tag === "Known" || ImportedDocument.isSentBefore(entry)) return
        const dated = entry._tag === "Planned" ? entry.planned.sourceDate : entry.day
        if (dated === null) return
        const { id, kind, number } = entry.source
        rest.set(key, {
          kind,
          id: id || number,
          number,
          account,
          dated,
          made: "source",
          state: entry._tag === "Planned" ? "Planned" : "Refused",
          stated: figures === "same" ? null : figures,
          ended: entry._tag === "Planned" ? null : "not-accepted",
          receipts: []
        })
      })
    )
    yield* Stream.runForEach(skipped, ({ cancelled, of }) =>
      Effect.sync(() => {
        left++
        if (cancelled !== undefined) for (const name of namesOf(cancelled)) states.set(name, "void")
        // left out because it is too old, or stated elsewhere: the source has the document
        else if (of !== undefined) for (const name of namesOf(of)) if (!states.has(name)) states.set(name, "same")
      })
    )
    return {
      documents,
      skipped: left,
      of: (document) => {
        const [key, fold] = namesOf(document)
        rest.delete(key)
        return states.get(key) ?? states.get(fold) ?? "not-stated"
      },
      rest: () => [...rest.values()]
    }
  })
