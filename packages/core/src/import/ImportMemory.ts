/** Documents as remembered by the store, with their current state. */
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import { Effect, Stream } from "effect"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import type { Finding } from "../finding/Finding.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { KeptDocument, KeptImport, KeptShare } from "../submission/KeptImport.ts"
import type { Submission } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Stored from "../submission/ledger/Stored.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { ImportEntry } from "./ImportEntry.ts"
import * as ImportedDocument from "./ImportedDocument.ts"
import { ImportFinding } from "./ImportFinding.ts"
import { submissionsOf } from "./StoreComparison.ts"
import * as TaxShares from "./TaxShares.ts"

const nothing = {
  kind: null,
  id: null,
  news: "new",
  day: null,
  buyer: null,
  currency: null,
  total: null,
  shares: null,
  said: null,
  findings: []
} as const

/**
 * Returns the remembered form of a document. `percents`: from the book used for the translation.
 * `sent`: sent texts of documents that are not sent again.
 */
export const ofEntry = (
  entry: ImportEntry,
  percents: TaxShares.Percents,
  sent: ReadonlyMap<string, WrittenDocument>
): KeptDocument => {
  const { at, id, kind, number } = entry.source
  const common = { ...nothing, kind, id: id || number, number, source: at }
  const before = sent.get(`${kind} ${common.id}`)
  switch (entry._tag) {
    case "Refused": {
      const { document } = entry
      return {
        ...common,
        is: "Refused",
        day: entry.day,
        findings: entry.findings,
        ...(document && {
          buyer: document.buyer,
          currency: document.currency,
          total: Money.formatAmount(document.total),
          shares: sharesOf(TaxShares.of(document, percents))
        })
      }
    }
    case "Known": {
      const shares = sharesOf(before && TaxShares.of(before, percents))
      const findings = ImportedDocument.besideSent(entry, before ?? null)
      return { ...common, is: "Stored", news: "known", shares, findings }
    }
    case "Planned": {
      const { document, sourceDate } = entry.planned
      return {
        ...common,
        is: "Stored",
        day: sourceDate,
        shares: sharesOf(TaxShares.of(before ?? document, percents)),
        // a plan shows values filled in from the book before sending; for a document that is not
        // sent again, only the difference matters
        findings:
          before === undefined
            ? entry.findings.filter(({ code }) => code !== ImportFinding.FILLED_FROM_BOOK.code)
            : ImportedDocument.besideSent(entry, before)
      }
    }
  }
}

export const ofSkipped = ({ at, key, reason }: Skipped): KeptDocument => ({
  ...nothing,
  is: "Skipped",
  number: key,
  source: at,
  said: reason
})

export const ofStray = (finding: Finding): KeptDocument => ({
  ...nothing,
  is: "Stray",
  number: "",
  source: finding.at ?? { file: "" },
  // samples may be texts about a buyer, which the store could not forget with the buyer's documents
  findings: [
    finding.statements === undefined
      ? finding
      : { ...finding, statements: finding.statements.map((statement) => ({ ...statement, samples: [] })) }
  ]
})

const sharesOf = (shares: ReadonlyArray<TaxShares.SummedTaxShare> | undefined): ReadonlyArray<KeptShare> | null =>
  shares === undefined
    ? null
    : shares.map(({ net, tax, taxCode, total }) => ({
        taxCode,
        net: Money.formatAmount(net),
        tax: Money.formatAmount(tax),
        total: Money.formatAmount(total)
      }))

const taxShares = (
  { shares }: KeptDocument,
  amount: (text: string) => Money.Money
): ReadonlyArray<TaxShares.SummedTaxShare> | null =>
  shares &&
  shares.map(({ net, tax, taxCode, total }) => ({
    taxCode: taxCode as TaxCode,
    net: amount(net),
    tax: amount(tax),
    total: amount(total)
  }))

/** Undefined if the store never received the document, and for findings without a document. */
const asItStands = (
  kept: KeptDocument,
  submissions: ReadonlyMap<string, Submission>
): ImportedDocument.ImportedDocument | undefined => {
  const { currency, day, findings, id, kind, news, number, said, source, total } = kept
  const amount = (text: string) => Stored.money(text, () => `an amount of ${number} in a remembered import`)
  const submission = submissions.get(`${kind} ${id}`)
  const common = { findings, source, shares: taxShares(kept, amount), news }
  switch (kept.is) {
    case "Stray":
      return undefined
    case "Stored":
      return submission && { ...ImportedDocument.ofSubmission(submission), ...common }
    case "Skipped":
      return {
        ...ImportedDocument.ofSkipped({ _tag: "Skipped", at: source, key: number, reason: said ?? "" }),
        ...common
      }
    case "Refused":
      return {
        ...ImportedDocument.ofSkipped({ _tag: "Skipped", at: source, key: number, reason: "" }),
        ...common,
        kind,
        id,
        buyer: kept.buyer,
        currency: currency as CurrencyCode | null,
        total: Stored.nullable(total, amount),
        day,
        text: null,
        state: "Refused"
      }
  }
}

const strays = (page: ReadonlyArray<KeptDocument>): ReadonlyArray<Finding> =>
  page.flatMap(({ findings, is }) => (is === "Stray" ? findings : []))

export const unattached = ({
  id
}: Pick<KeptImport, "id">): Effect.Effect<ReadonlyArray<Finding>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    Effect.map(Stream.runCollect(store.importDocuments(id)), (pages) => pages.flatMap(strays))
  )

export const pages = ({
  destination,
  id
}: Pick<KeptImport, "id" | "destination">): Stream.Stream<
  { readonly documents: ReadonlyArray<ImportedDocument.ImportedDocument>; readonly unattached: ReadonlyArray<Finding> },
  StoreError,
  SubmissionStore
> =>
  Stream.unwrap(
    Effect.map(SubmissionStore, (store) =>
      store.importDocuments(id).pipe(
        Stream.mapEffect((page) =>
          submissionsOf(
            page.flatMap(({ id, is, kind, number }) =>
              is === "Stored" && id !== null && kind !== null ? [{ id, kind, number }] : []
            ),
            destination.account,
            store
          ).pipe(
            Effect.map((submissions) => ({
              documents: page.flatMap((kept) => asItStands(kept, submissions) ?? []),
              unattached: strays(page)
            })),
            Stored.readable
          )
        )
      )
    )
  )
