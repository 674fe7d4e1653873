/**
 * Pages for a decision about many documents with a preview, the acknowledgment of a fiscal day, and
 * the record of decisions.
 */
import type { BulkDecision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { SignedSums } from "@fiscal-connector/core/host/import"
import type { Attention } from "@fiscal-connector/core/attention"
import type { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import { lateNote, why } from "./DocumentPages.ts"
import { box, field, form, reasonField } from "./part/Form.ts"
import { type Frame, notice, toAttention } from "./part/Layout.ts"
import { latestOf } from "./part/ShownTime.ts"
import { documentAddress } from "./SendPages.ts"
import { top } from "./StorePages.ts"

const texts = Texts.decisions

const shown = 50

export interface DecisionChoice {
  readonly name: string
  readonly found: BulkDecision.SelectedDocuments
}

const choice = (frame: Frame, asked: URLSearchParams, { found, name }: DecisionChoice): Html => {
  const query = new URLSearchParams(asked)
  query.set("decision", name)
  const isChosen = asked.get("decision") === name
  return html`<li>
    <strong>${Texts.document.decisions[name] ?? name}</strong>
    <p class="small">${texts.consequences[name]}</p>
    <a
      class="button quiet"
      href="${`${frame.prefix}/decide?${query.toString()}`}"
      aria-current="${isChosen ? "true" : "false"}"
      >${Texts.living.lookAtThem(found.documents.length)}
      <span class="small">${Tiles.amountsOf(SignedSums.of(found.documents))}</span></a
    >
  </li>`
}

export const decidePage = (
  frame: Frame,
  asked: URLSearchParams,
  decision: string | null,
  choices: ReadonlyArray<DecisionChoice>,
  note: string | null
): Html => {
  const chosen = choices.find(({ name }) => name === decision)
  return html`${toAttention(frame)}
    <h1>${texts.title}</h1>
    ${notice(note)}
    ${when(
      choices.every(({ found }) => found.documents.length + found.each.length === 0),
      () => html`<p>${texts.nothingLeft}</p>`
    )}
    <ul class="choices plain">
      ${choices.map((one) => choice(frame, asked, one))}
    </ul>
    ${chosen === undefined ? null : previewOf(frame, asked, chosen)}`
}

const previewOf = (frame: Frame, asked: URLSearchParams, { found, name: decision }: DecisionChoice): Html => {
  const { confirmedBy, documents, each, late, others } = found
  return html`<h2>${Texts.document.decisions[decision] ?? decision}</h2>
    <p>${texts.meant(documents.length)} ${Tiles.amountsOf(SignedSums.of(documents))}</p>
    ${when(
      each.length > 0,
      () =>
        html`<div class="note waiting">
          <p>${texts.each(each.length)}</p>
          <p>
            ${each.slice(0, shown).map((one) => html`<a href="${documentAddress(frame, one.account, one) ?? "#"}">${one.number}</a> `)}
          </p>
        </div>`
    )}
    ${when(others > 0, () => html`<p class="soft">${texts.others(others)}</p>`)}
    ${when(
      documents.length > 0,
      () =>
        html`<section class="card">
            ${table(
              texts.title,
              [
                Texts.word.number,
                Texts.word.buyer,
                { figures: Texts.word.total },
                Texts.word.state,
                { text: Texts.word.why, look: "small" }
              ],
              documents
                .slice(0, shown)
                .map((one) => [
                  html`<a href="${documentAddress(frame, one.account, one) ?? "#"}">${one.number}</a>`,
                  html`<bdi>${one.buyer ?? ""}</bdi>`,
                  Parts.amount(one.currency, SignedSums.signed(one.kind, one.total)),
                  Parts.stateBadge(one.state),
                  why(one)
                ])
            )}
            ${when(documents.length > shown, () => html`<p class="soft">${texts.more(documents.length - shown)}</p>`)}
          </section>
          ${form(
            frame,
            `${frame.prefix}/decide`,
            { ...Object.fromEntries(asked), count: documents.length, shown: latestOf(documents) },
            html`${lateNote(late)}
              ${when(decision === "Withdrawn", () => field("typed", texts.typeNumber(documents.length), "numeric"))}
              ${when(confirmedBy === "look", () => field("seen", texts.seen, "numeric"))} ${reasonField}
              ${box("although", "recent", Texts.document.althoughRecent)}
              <button>${texts.decide(documents.length)}</button>`,
            "card"
          )}`
    )}`
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
                Texts.document.because
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
