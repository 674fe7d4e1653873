/** Searches the store's documents by period, state, tax, buyer and import. */
import type { CivilDate } from "@fiscal-connector/core/adapter"
import { type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import type { MappingBook } from "@fiscal-connector/core/book"
import { TaxShares } from "@fiscal-connector/core/host/import"
import type { WrittenDocument } from "@fiscal-connector/core/host"
import { Effect, Stream } from "effect"
import type { ImportRow } from "./PageImport.ts"

export interface DocumentQuery {
  readonly states: ReadonlyArray<Submission.State> | null
  readonly matching: string
  readonly from: CivilDate.CivilDate | null
  readonly to: CivilDate.CivilDate | null
  readonly tax: string | null
  readonly import: number | null
}

export const all: DocumentQuery = { states: null, matching: "", from: null, to: null, tax: null, import: null }

export interface FoundDocuments extends Pick<
  ImportRow,
  "kind" | "number" | "date" | "buyer" | "currency" | "net" | "tax" | "taxes" | "total" | "state"
> {
  readonly submission: Submission.Submission
}

const together = 500

const nameOf = ({ account, id, kind }: Pick<Submission.Submission, "account" | "kind" | "id">) =>
  `${account} ${kind} ${id}`

const ofImport = (id: number) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const names = new Set<string>()
    const kept = yield* store.importOf(id)
    if (kept._tag === "None") return names
    const { account } = kept.value.destination
    yield* Stream.runForEach(store.importDocuments(id), (page) =>
      Effect.sync(() => {
        for (const one of page)
          if (one.is === "Stored" && one.kind !== null && one.id !== null)
            names.add(nameOf({ account, kind: one.kind, id: one.id }))
      })
    )
    return names
  })

/**
 * Finds the documents, newest first, in pages. `book`: mapping book for splitting amounts by tax.
 */
export const find = (search: DocumentQuery, book: Pick<MappingBook.MappingBook, "taxes">) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const store = yield* SubmissionStore.SubmissionStore
      const own = search.import === null ? undefined : yield* ofImport(search.import)
      const asked = store.stream({
        order: "newest-first",
        limit: together,
        ...(search.states !== null && { states: search.states }),
        ...(search.matching !== "" && { matching: search.matching }),
        ...(search.from !== null && { datedFrom: search.from }),
        ...(search.to !== null && { datedTo: search.to })
      })
      // the pages of an import name its documents inside JSON, which the query cannot join
      const ofAsked = own === undefined ? asked : Stream.filter(asked, (one) => own.has(nameOf(one)))
      return Stream.mapEffect(Stream.grouped(ofAsked, together), (asked) =>
        Effect.map(withFigures(asked, book), (found) =>
          search.tax === null ? found : found.filter(({ taxes }) => taxes.split(", ").includes(search.tax!))
        )
      )
    })
  )

/** Adds net amount, tax and tax codes of what was sent, or is to be sent. */
export const withFigures = (
  asked: ReadonlyArray<Submission.Submission>,
  book: Pick<MappingBook.MappingBook, "taxes">
) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const percents = TaxShares.percentsOf(book)
    const sent = new Map<string, WrittenDocument.WrittenDocument>()
    for (const [account, own] of Map.groupBy(asked, ({ account }) => account))
      for (const [name, document] of yield* store.sent(own, "every")) sent.set(`${account} ${name}`, document)
    return asked.map((submission): FoundDocuments => {
      const document = sent.get(nameOf(submission))
      const { buyer, currency, kind, number, sourceDate: date, state, total } = submission
      const sums = TaxShares.sumsOf(document && TaxShares.of(document, percents))
      const taxes = (document?.taxCodes ?? []).join(", ")
      return { submission, kind, number, date, buyer: buyer ?? "", currency, total, ...sums, taxes, state }
    })
  })
