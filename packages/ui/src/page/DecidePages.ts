/**
 * Pages for a decision about many documents with a preview, the acknowledgment of a fiscal day, and
 * the record of decisions.
 */
import type { BulkDecision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { LateBy } from "@fiscal-connector/core/host/account"
import type { Attention } from "@fiscal-connector/core/attention"
import type { Submission } from "@fiscal-connector/core/store"
import type { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import type { FoundDocuments } from "../work/DocumentSearch.ts"
import { why } from "./DocumentPages.ts"
import { listOf } from "./DocumentsPage.ts"
import { actionPart, decisionOf, headingOf } from "./HealthPage.ts"
import { consentWords, sends } from "./part/ConsentWords.ts"
import { box, field, form, latestOf, reasonField, resumeForm } from "./part/Form.ts"
import { type Frame, notice, toAttention } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"
import { top } from "./StorePages.ts"

const texts = Texts.decisions

export interface DecisionChoice {
  readonly name: string
  readonly found: BulkDecision.SelectedDocuments
}

export interface CauseShown {
  /** Item of Attention, while the cause is open. */
  readonly item: Attention.AttentionItem | undefined
  readonly choices: ReadonlyArray<DecisionChoice>
  readonly documents: ReadonlyArray<FoundDocuments>
  readonly hasLive: "live" | "none"
  readonly sending: "idle" | "going"
  readonly note: string | null
}

/** Returns the device to which the documents are sent again. Null for several, or for none. */
export const deviceOf = (
  decision: string,
  documents: BulkDecision.SelectedDocuments["documents"]
): Pick<Submission.Submission, "account" | "environment" | "lane"> | null => {
  const [first] = documents
  return sends.has(decision) && documents.every(({ lane }) => lane === first?.lane) ? (first ?? null) : null
}

const choiceForm = (
  frame: Frame,
  asked: URLSearchParams,
  figures: ReadonlyArray<FoundDocuments>,
  { found: { confirmedBy, documents, late, others }, name: decision }: DecisionChoice
): Html => {
  const count = documents.length
  const sums = SignedSums.of(figures.filter(({ submission: { seq } }) => documents.some((one) => one.seq === seq)))
  const tax = sums.sums.flatMap(({ currency, tax }) => (tax === null ? [] : [Parts.amount(currency, tax)])).join(" · ")
  const does = texts.does[decision]?.(count) ?? decision
  const device = deviceOf(decision, documents)
  return when(count > 0, () =>
    form(
      frame,
      `${frame.prefix}/decide`,
      { ...Object.fromEntries(asked), decision, count, shown: latestOf(documents) },
      html`<h2>${does}</h2>
        <p>
          ${decision === "Withdrawn" ? texts.noReceipt(tax || Texts.credit.notKnown) : texts.consequences[decision]}
          ${late === null ? "" : LateBy.inWords(late)} ${when(others > 0, () => html`${texts.others(others)}`)}
        </p>
        ${when(decision === "Withdrawn", () => field("typed", texts.typeNumber(count), "numeric"))}
        ${when(confirmedBy === "look", () => field("seen", texts.seen, "numeric"))} ${reasonField}
        ${when(decision !== "Fiscalised" && documents.some(({ requestId }) => requestId !== null), () =>
          box("although", "recent", Texts.document.althoughRecent)
        )}
        ${device === null ? null : consentWords(device, undefined)}
        <button class="quiet">${does}: ${Tiles.amountsOf(sums)}</button>`,
      "card choice"
    )
  )
}

/** Shows a cause with its documents, and each decision about all of them as a form. */
export const decidePage = (
  frame: Frame,
  asked: URLSearchParams,
  { choices, documents, hasLive, item, note, sending }: CauseShown
): Html => {
  const account = asked.get("account")
  const each = choices.find(({ found }) => found.each.length > 0)?.found.each ?? []
  const [first, ...others] = documents.map(({ submission }) => why(submission))
  const cause = others.every((text) => text === first) ? first : texts.example(first ?? "")
  return html`${toAttention(frame)}
    <div class="head">
      <div>
        <h1>${item === undefined ? texts.title : headingOf(item)}</h1>
        <p>
          ${Texts.documents(documents.length + each.length)} ·
          ${Tiles.amountsOf(SignedSums.of([...documents, ...each]))}
        </p>
        <p>${cause}</p>
      </div>
    </div>
    <div class="actions">
      ${(item?.actions ?? []).filter(({ step }) => decisionOf(step) === null && step.do !== "list").flatMap((one) => actionPart(frame, item ?? null, one, hasLive === "live") ?? [])}
      ${when(account, () => html`<a class="button quiet" href="${`${frame.prefix}/health?examine=${encodeURIComponent(account ?? "")}`}">${Texts.health.examine(account ?? "")}</a>`)}
    </div>
    ${notice(note)}
    ${when(note, () => (sending === "idle" ? resumeForm(frame, hasLive) : html`<p><a href="${frame.prefix}/documents?group=way">${texts.sending}</a></p>`))}
    ${when(documents.length + each.length === 0, () => html`<p>${texts.nothingLeft}</p>`)}
    ${when(
      each.length > 0,
      () =>
        html`<div class="note waiting">
          <p>${texts.each(each.length)}</p>
          <p>
            ${each.map((one) => html`<a href="${documentAddress(frame, one.account, one) ?? "#"}">${one.number}</a> `)}
          </p>
        </div>`
    )}
    <div class="choices">${choices.map((one) => choiceForm(frame, asked, documents, one))}</div>
    ${card(Texts.documents(documents.length), documents.length > 0 && listOf(frame, documents, documents))}`
}

export const acknowledgePage = (
  frame: Frame,
  account: string,
  day: number,
  items: ReadonlyArray<Attention.AttentionItem>,
  note: string | null
): Html =>
  html`${top(frame, Texts.days.one(day), note, items, "waiting")}
  ${
    items.length === 0
      ? html`<p>${Texts.storeDecisions.nothingListed}</p>`
      : form(
          frame,
          `${frame.prefix}/acknowledge`,
          { account, day },
          html`<p>${texts.acknowledgeText}</p>
            ${reasonField}<button>${texts.acknowledge}</button>`,
          "card"
        )
  }`

export const decisionsPage = (
  frame: Frame,
  entries: ReadonlyArray<OperatorRecord.RecordedDecision>,
  older: number | null,
  zone: DateTime.TimeZone
): Html =>
  html`${toAttention(frame)}
    <h1>${texts.record}</h1>
    <p class="soft">${texts.about}</p>
    ${
      entries.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card">
            ${table(
              texts.record,
              [
                { text: Texts.word.when, look: "small" },
                texts.who,
                texts.decision,
                texts.subject,
                { text: Texts.word.what, look: "small" },
                Texts.word.because
              ],
              entries.map(({ account, act, at, because, subject, what, who }) => [
                Parts.moment(at, zone),
                who,
                act,
                account === null ? subject : `${subject} (${account})`,
                what,
                because
              ])
            )}
          </section>`
    }
    ${when(older, () => html`<p><a href="${`${frame.prefix}/decisions?before=${older ?? 0}`}">${Texts.page.next}</a></p>`)}`
