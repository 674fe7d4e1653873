/** List of all documents in the store, a row per document, with filters, sums and an export. */
import { CivilDate } from "@fiscal-connector/core/adapter"
import { Submission } from "@fiscal-connector/core/store"
import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type { FoundDocuments } from "../work/DocumentSearch.ts"
import { groups, why } from "./DocumentPages.ts"
import { documentTable } from "./part/DocumentTable.ts"
import { documentTabs } from "./CreditPages.ts"
import { hidden, resumeForm } from "./part/Form.ts"
import { followed, type Frame, live, paged, tabs } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"

const texts = Texts.page
const documentTexts = Texts.document

export interface DocumentsView {
  readonly group: string | null
  readonly matching: string
  readonly from: CivilDate.CivilDate | null
  readonly to: CivilDate.CivilDate | null
  readonly tax: string | null
  readonly import: number | null
  /** Page number from 1. */
  readonly page: number
}

const day = (text: string | null): CivilDate.CivilDate | null =>
  text !== null && CivilDate.isCivilDate(text) ? text : null

export const lookingOf = (query: URLSearchParams): DocumentsView => {
  const page = Number(query.get("page"))
  const id = Number(query.get("import"))
  return {
    group: groups.find(({ name }) => name === query.get("group"))?.name ?? null,
    matching: (query.get("matching") ?? "").trim().slice(0, 100),
    from: day(query.get("from")),
    to: day(query.get("to")),
    tax: query.get("tax") || null,
    import: Number.isSafeInteger(id) && id > 0 ? id : null,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1
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
  readonly found: ReadonlyArray<FoundDocuments>
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
export const listOf = (frame: Frame, shown: ReadonlyArray<FoundDocuments>, all: ReadonlyArray<FoundDocuments>): Html =>
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

const filters = (frame: Frame, looking: DocumentsView, { imports, taxes }: ListedDocuments): Html =>
  html`<form method="get" action="${frame.prefix}/documents" role="search">
    ${hidden({ group: looking.group })}
    <div class="chips">
      <label><span>${documentTexts.from}</span><input type="date" name="from" value="${looking.from ?? ""}" /></label>
      <label><span>${documentTexts.to}</span><input type="date" name="to" value="${looking.to ?? ""}" /></label>
      <label
        ><span>${Texts.word.tax}</span
        ><select name="tax">
          <option value="">${texts.all}</option>
          ${taxes.map((tax) => html`<option value="${tax}" ${new Flag("selected", tax === looking.tax)}>${tax}</option>`)}
        </select></label
      >
      <label
        ><span>${texts.import}</span
        ><select name="import">
          <option value="">${texts.all}</option>
          ${imports.map(({ id, name }) => html`<option value="${id}" ${new Flag("selected", id === looking.import)}>${name}</option>`)}
        </select></label
      >
      <label
        ><span>${documentTexts.search}</span><input type="search" name="matching" value="${looking.matching}"
      /></label>
      <button class="quiet">${documentTexts.find}</button>
    </div>
  </form>`

export const documentsPage = (
  frame: Frame,
  listed: ListedDocuments,
  looking: DocumentsView,
  zone: DateTime.TimeZone
): Html => {
  const { counts, found, hasLive, standing } = listed
  const count = (states: ReadonlyArray<Submission.State>) =>
    states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const all = Object.values(counts).reduce((sum, n) => sum + (n ?? 0), 0)
  const { paging, shown } = paged(found, looking.page, (page) => addressOf(frame, looking, { page }))
  const onTheWay = count(Submission.moving)
  const tab = (name: string | null, label: string, n: number) =>
    [addressOf(frame, looking, { group: name }), `${label} ${n.toLocaleString("en")}`, looking.group === name] as const
  const content = html`${documentTabs(frame, "documents", listed.noticed)}
    <h1>${Texts.word.documents}</h1>
    ${live(
      "tabs",
      tabs(texts.filter, [
        tab(null, texts.all, all),
        ...groups.map(({ name, states }) => tab(name, documentTexts.groups[name] ?? name, count(states)))
      ])
    )}
    ${live(
      "attention",
      when(
        listed.attention > 0,
        () => html`<p><a href="${frame.prefix}/health">${documentTexts.attention(listed.attention)}</a></p>`
      )
    )}
    ${live(
      "resume",
      when(onTheWay > 0, () => resumeForm(frame, hasLive, html`<p>${documentTexts.onTheWay(onTheWay)}</p>`))
    )}
    ${filters(frame, looking, listed)}
    ${live(
      "list",
      html`<section class="card">
        ${
          found.length === 0
            ? html`<p class="soft">${all === 0 ? documentTexts.empty : texts.nothingHere}</p>`
            : listOf(frame, shown, found)
        }
        ${paging}
      </section>`
    )}
    <div class="actions">
      ${when(found.length > 0, () => html`<a class="button quiet" href="${addressOf(frame, looking, {}, "/documents.csv")}">${documentTexts.export}</a>`)}
      ${when((counts.Fiscalised ?? 0) > 0, () => html`<a class="button quiet" href="${frame.prefix}/pdfs">${texts.allPdfs}</a>`)}
    </div>
    <p class="soft small">${documentTexts.zone(DateTime.zoneToString(zone))}</p>`
  return followed(frame, standing, content)
}
