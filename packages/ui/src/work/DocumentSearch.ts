/** Searches the store's documents by period, state, tax, buyer and import. */
import type { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import type { Submission, State } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as TaxShares from "@fiscal-connector/core/unstable/import/TaxShares"
import type { WrittenDocument } from "@fiscal-connector/core/unstable/document/WrittenDocument"
import { BigDecimal, Effect, Stream } from "effect"
import type { ImportRow } from "./PageImport.ts"

/** Search conditions. Days are the documents' own dates, both inclusive. */
export interface DocumentQuery {
  readonly states: ReadonlyArray<State> | null
  readonly matching: string
  readonly from: CivilDate | null
  readonly to: CivilDate | null
  readonly tax: string | null
  /** Id of an import in the store. */
  readonly import: number | null
}

/** A document in the list. */
export interface FoundDocuments extends Pick<
  ImportRow,
  "kind" | "number" | "date" | "buyer" | "currency" | "net" | "tax" | "taxes" | "total" | "state"
> {
  readonly submission: Submission
}

/** Documents read from the store at once. */
const together = 500

const nameOf = ({ account, id, kind }: Pick<Submission, "account" | "kind" | "id">) => `${account} ${kind} ${id}`

/** Returns the names of an import's documents. Empty for an unknown import. */
const ofImport = (id: number) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
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
export const find = (search: DocumentQuery, book: Pick<MappingBook, "taxes">) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const percents = TaxShares.percentsOf(book)
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
        Effect.gen(function* () {
          const sent = new Map<string, WrittenDocument>()
          for (const [account, own] of Map.groupBy(asked, ({ account }) => account))
            for (const [name, document] of yield* store.sent(own)) sent.set(`${account} ${name}`, document)
          return asked.flatMap((submission): ReadonlyArray<FoundDocuments> => {
            const document = sent.get(nameOf(submission))
            const shares = document === undefined ? undefined : TaxShares.of(document, percents)
            const codes = document?.taxCodes ?? []
            if (search.tax !== null && !codes.some((code) => code === search.tax)) return []
            return [
              {
                submission,
                kind: submission.kind,
                number: submission.number,
                date: submission.sourceDate,
                buyer: submission.buyer ?? "",
                currency: submission.currency,
                total: submission.total,
                net: shares === undefined ? null : BigDecimal.sumAll(shares.map(({ net }) => net)),
                tax: shares === undefined ? null : BigDecimal.sumAll(shares.map(({ tax }) => tax)),
                taxes: codes.join(", "),
                state: submission.state
              }
            ]
          })
        })
      )
    })
  )
