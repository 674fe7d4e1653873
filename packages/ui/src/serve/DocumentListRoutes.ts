import { FormulaText, Money } from "@fiscal-connector/core/adapter"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Stream } from "effect"
import { groups } from "../page/DocumentPages.ts"
import { documentsPage, type ListedDocuments, type DocumentsView, lookingOf } from "../page/DocumentsPage.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as DocumentSearch from "../work/DocumentSearch.ts"
import * as Following from "../work/Following.ts"
import * as Planning from "../work/Planning.ts"
import { download } from "./Request.ts"
import { looking, onStore, openItems, shown, type Site } from "./Site.ts"

const exportColumns =
  "Kind,Number,Date,Buyer,Currency,Net,Tax,Total,Taxes,State,VerificationCode,FiscalDay,Device,Account"

const most = 50_000

const newestImports = 50

const searchOf = ({ from, group, import: id, matching, tax, to }: DocumentsView): DocumentSearch.DocumentQuery => ({
  states: groups.find(({ name }) => name === group)?.states ?? null,
  matching,
  from,
  to,
  tax,
  import: id
})

/**
 * Returns the book, or one without taxes if the book cannot be loaded. Net and tax amounts of
 * documents with several taxes are then unknown.
 */
export const bookOf = (site: Site) =>
  Effect.map(
    Effect.orElseSucceed(Planning.bookOf(site.imports.bookFile), () => undefined),
    (found) => ({ text: found?.text ?? "", taxes: found?.book.taxes ?? [] })
  )

const nothing: ListedDocuments = {
  found: [],
  counts: {},
  attention: 0,
  noticed: 0,
  taxes: [],
  imports: [],
  standing: "",
  hasLive: "none"
}

const listedOf = (
  site: Site,
  asked: DocumentsView,
  book: Parameters<typeof DocumentSearch.find>[1],
  paused: Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const standing = yield* Following.standing(store)
    const { health, items } = yield* openItems
    const { counts, lanes } = health
    const imports = yield* store.imports({ limit: newestImports })
    const pages = yield* DocumentSearch.find(searchOf(asked), book).pipe(
      Stream.take(most / 500),
      Stream.tap(() => paused),
      Stream.runCollect
    )
    const found = pages.flat()
    return {
      found,
      counts,
      attention: items.length,
      noticed: (yield* store.noticed(site.workplace.accounts)).length,
      taxes: [
        // codes as sent: the book may have other names by now
        ...new Set([
          ...found.flatMap(({ taxes }) => (taxes === "" ? [] : taxes.split(", "))),
          ...(asked.tax === null ? [] : [asked.tax])
        ])
      ],
      imports: imports.map(({ at, files, id }) => ({
        id,
        name: `${files.map(({ name }) => name).join(", ")}, ${Texts.day(Parts.time(at))}`
      })),
      standing,
      hasLive: lanes.some(({ lane }) => lane.startsWith("live/")) ? "live" : "none"
    } satisfies ListedDocuments
  })

export const showList = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const asked = lookingOf(query)
    const book = yield* bookOf(site)
    const { page: _, ...search } = asked
    const isSending = () => site.workplace.accounts.some((account) => site.going.stateOf(account) !== "idle")
    const listed = yield* looking(
      site,
      site.lists.load(JSON.stringify([search, book.text]), isSending, (paused) => listedOf(site, asked, book, paused))
    )
    const content = documentsPage(site.frame, listed?.value ?? nothing, asked)
    return shown(site, { title: Texts.word.documents, at: "documents", content })
  })

const cell = (text: string): string => {
  const safe = FormulaText.neutralized(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const amount = (money: Money.Money | null): string => (money === null ? "" : Money.formatAmount(money))

const lineOf = ({ submission, ...one }: DocumentSearch.FoundDocuments): string => {
  const { account, lane, proof } = submission
  const figures = [amount(one.net), amount(one.tax), amount(one.total), one.taxes, Texts.states[one.state] ?? one.state]
  const receipt = [proof?.verificationCode ?? "", String(proof?.fiscalDay ?? ""), lane, account]
  const cells = [one.kind ?? "", one.number, one.date, one.buyer, one.currency ?? "", ...figures, ...receipt]
  return `${cells.map(cell).join(",")}\r\n`
}

export const exportList = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const book = yield* bookOf(site)
    const pages = DocumentSearch.find(searchOf(lookingOf(query)), book)
    const lines = Stream.map(pages, (page) => page.map(lineOf).join(""))
    // Excel needs the byte order mark to read the file as UTF-8
    const text = Stream.concat(Stream.succeed(`\uFEFF${exportColumns}\r\n`), lines)
    return download(onStore(site, Stream.encodeText(text)), "documents.csv", "text/csv")
  })
