/** List of all documents in the store, a row per document, with filters, sums and an export. */
import { CivilDate } from "@fiscal-connector/core/adapter"
import { Submission } from "@fiscal-connector/core/store"
import { html, type Html, when } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type * as DocumentSearch from "../work/DocumentSearch.ts"
import { groups, why } from "./DocumentPages.ts"
import { documentTable } from "./part/DocumentTable.ts"
import { documentTabs } from "./CreditPages.ts"
import { hidden, resumeForm, select } from "./part/Form.ts"
import { followed, type Frame, live, paged, pageAsked, tabs } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"

const texts = Texts.page
const documentTexts = Texts.document

export interface DocumentsView extends Omit<DocumentSearch.DocumentQuery, "states"> {
  readonly group: string | null
  /** Page number from 1. */
  readonly page: number
}

const day = (text: string | null): CivilDate.CivilDate | null =>
  text !== null && CivilDate.isCivilDate(text) ? text : null

export const lookingOf = (query: URLSearchParams): DocumentsView => {
  const id = Number(query.get("import"))
  return {
    group: groups.find(({ name }) => name === query.get("group"))?.name ?? null,
    matching: (query.get("matching") ?? "").trim().slice(0, 100),
    from: day(query.get("from")),
    to: day(query.get("to")),
    tax: query.get("tax") || null,
    import: Number.isSafeInteger(id) && id > 0 ? id : null,
    page: pageAsked(query)
  }
}

const addressOf = (
  frame: Frame,
  looking: DocumentsView,
  changes: Partial<DocumentsView>,
  path = "/documents"
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...looking, page: 1, ...changes }))
    if (value !== null && value !== "" && !(name === "page" && value === 1)) query.set(name, String(value))
  return `${frame.prefix}${path}?${query.toString()}`
}

export interface ListedDocuments {
  readonly found: ReadonlyArray<DocumentSearch.FoundDocuments>
  readonly counts: Readonly<Partial<Record<Submission.State, number>>>
  /**
   * Number of items that need an operator, including items about fiscalized documents and the whole
   * account.
   */
  readonly attention: number
  /** Number of invoices that the source states otherwise than they were fiscalised. */
  readonly noticed: number
  readonly taxes: ReadonlyArray<string>
  readonly imports: ReadonlyArray<{ readonly id: number; readonly name: string }>
  readonly standing: string
  readonly hasLive: "live" | "none"
}

/** Returns the table of documents of the store. `all`: documents to sum up. */
export const listOf = (
  frame: Frame,
  shown: ReadonlyArray<DocumentSearch.FoundDocuments>,
  all: ReadonlyArray<DocumentSearch.FoundDocuments>
): Html =>
  documentTable(
    Texts.word.documents,
    shown.map((one) => ({
      ...one,
      link: documentAddress(frame, one.submission.account, one.submission),
      verificationCode: one.submission.proof?.verificationCode ?? null,
      why: why(one.submission)
    })),
    all
  )

const filters = (frame: Frame, looking: DocumentsView, { imports, taxes }: ListedDocuments): Html => {
  const { from, group, matching, tax, to } = looking
  const isFiltered = from ?? to ?? tax ?? looking.import ?? (matching || null)
  return html`<form class="card" method="get" action="${frame.prefix}/documents" role="search">
    ${hidden({ group })}
    <div class="chips">
      <label><span>${documentTexts.from}</span><input type="date" name="from" value="${from ?? ""}" /></label>
      <label><span>${documentTexts.to}</span><input type="date" name="to" value="${to ?? ""}" /></label>
      ${select("tax", Texts.word.tax, texts.all, new Map(taxes.map((one) => [one, one])), tax)}
      ${select("import", texts.import, texts.all, new Map(imports.map(({ id, name }) => [id, name])), looking.import)}
      <label><span>${documentTexts.search}</span><input type="search" name="matching" value="${matching}" /></label>
      <button class="quiet">${documentTexts.find}</button>
      ${when(isFiltered, () => html`<a class="button link" href="${`${frame.prefix}/documents?group=${group ?? ""}`}">${documentTexts.clear}</a>`)}
    </div>
  </form>`
}

export const documentsPage = (frame: Frame, listed: ListedDocuments, looking: DocumentsView): Html => {
  const { counts, found, hasLive, standing } = listed
  const count = (states: ReadonlyArray<Submission.State>) =>
    states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const all = Object.values(counts).reduce((sum, n) => sum + (n ?? 0), 0)
  const { paging, shown } = paged(found, looking.page, (page) => addressOf(frame, looking, { page }))
  const onTheWay = count(Submission.moving)
  const tab = (name: string | null, label: string, n: number) =>
    [addressOf(frame, looking, { group: name }), `${label} ${n.toLocaleString("en")}`, looking.group === name] as const
  const content = html`${documentTabs(frame, "documents", listed.noticed)}
    <div class="head">
      <div>
        <h1>${Texts.word.documents}</h1>
        ${live(
          "attention",
          when(
            listed.attention > 0,
            () => html`<p><a href="${frame.prefix}/health">${documentTexts.attention(listed.attention)}</a></p>`
          )
        )}
      </div>
      <div class="actions">
        ${when(found.length > 0, () => html`<a class="button quiet" href="${addressOf(frame, looking, {}, "/documents.csv")}">${documentTexts.export}</a>`)}
        ${when((counts.Fiscalised ?? 0) > 0, () => html`<a class="button quiet" href="${frame.prefix}/pdfs">${texts.allPdfs}</a>`)}
      </div>
    </div>
    ${live(
      "resume",
      when(onTheWay > 0, () => resumeForm(frame, hasLive, html`<p>${documentTexts.onTheWay(onTheWay)}</p>`))
    )}
    ${filters(frame, looking, listed)}
    ${live(
      "list",
      html`<section class="card">
        ${tabs(texts.filter, [
          tab(null, texts.all, all),
          ...groups.map(({ name, states }) => tab(name, documentTexts.groups[name] ?? name, count(states)))
        ])}
        ${
          found.length === 0
            ? html`<p class="soft">${all === 0 ? documentTexts.empty : texts.nothingHere}</p>`
            : listOf(frame, shown, found)
        }
        ${when(found.length > shown.length, () => paging)}
      </section>`
    )}`
  return followed(frame, standing, content)
}
