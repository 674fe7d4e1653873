/**
 * Pages for a decision about many documents with a preview, the acknowledgment of a fiscal day, and
 * the record of decisions.
 */
import type { SelectedDocuments } from "@fiscal-connector/core/connector/BulkDecision"
import * as SignedSums from "@fiscal-connector/core/unstable/import/SignedSums"
import type { AttentionItem } from "@fiscal-connector/core/attention/Attention"
import type { RecordedDecision } from "@fiscal-connector/core/submission/OperatorRecord"
import type { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import { lateNote, moment, why } from "./DocumentPages.ts"
import { type Frame, notice, tokenOf } from "./part/Layout.ts"
import { shownOf } from "./part/ShownTime.ts"
import { documentAddress } from "./SendPages.ts"

const texts = Texts.decisions

/** Maximum number of documents in a preview. */
const shown = 50

/** Returns the preview. `asked`: selection and decision, from the address. */
export const decidePage = (
  frame: Frame,
  asked: URLSearchParams,
  decision: string,
  { confirmedBy, documents, each, late, others }: SelectedDocuments,
  note: string | null
): Html =>
  html`<p><a href="${frame.prefix}/health">‹ ${Texts.page.health}</a></p>
    <h1>${texts.title}</h1>
    ${notice(note)}
    <p>
      ${texts.meant(documents.length)} <strong>${Texts.document.decisions[decision] ?? decision}</strong>
      ${Tiles.amountsOf(SignedSums.of(documents))}
    </p>
    ${when(texts.consequences[decision], () => html`<p>${texts.consequences[decision]}</p>`)}
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
              [Texts.page.number, Texts.page.buyer, { figures: Texts.page.total }, Texts.page.state, Texts.page.why],
              documents.slice(0, shown).map(
                (one) =>
                  html`<tr>
                    <td><a href="${documentAddress(frame, one.account, one) ?? "#"}">${one.number}</a></td>
                    <td><bdi>${one.buyer ?? ""}</bdi></td>
                    <td class="number">${Parts.amount(one.currency, SignedSums.signed(one.kind, one.total))}</td>
                    <td>${Parts.stateBadge(one.state)}</td>
                    <td class="small">${why(one)}</td>
                  </tr>`
              )
            )}
            ${when(documents.length > shown, () => html`<p class="soft">${texts.more(documents.length - shown)}</p>`)}
          </section>
          <form class="card" method="post" action="${frame.prefix}/decide">
            ${tokenOf(frame)}
            ${[...asked].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
            <input type="hidden" name="count" value="${documents.length}" />${shownOf(documents)} ${lateNote(late)}
            ${when(
              decision === "Withdrawn",
              () =>
                html`<label class="field"
                  ><span>${texts.typeNumber(documents.length)}</span
                  ><input type="text" name="typed" required inputmode="numeric" autocomplete="off"
                /></label>`
            )}
            ${when(
              confirmedBy === "look",
              () =>
                html`<label class="field"
                  ><span>${texts.seen}</span
                  ><input type="text" name="seen" required inputmode="numeric" autocomplete="off"
                /></label>`
            )}
            <label class="field"
              ><span>${Texts.document.because}</span><input type="text" name="because" required autocomplete="off"
            /></label>
            <label class="line"
              ><input type="checkbox" name="although" value="recent" /><span
                >${Texts.document.althoughRecent}</span
              ></label
            >
            <button>${texts.decide(documents.length)}</button>
          </form>`
    )}`

/** Lists the open items of a fiscal day with the form to acknowledge them. */
export const acknowledgePage = (
  frame: Frame,
  account: string,
  day: number,
  items: ReadonlyArray<AttentionItem>,
  note: string | null
): Html =>
  html`<p><a href="${frame.prefix}/health">‹ ${Texts.page.health}</a></p>
    <h1>${Texts.days.one(day)}</h1>
    ${notice(note)}
    ${items.map(
      ({ code, consequence, text, until }) =>
        html`<div class="note waiting">
          <p><strong>${text}</strong> <code>${code}</code></p>
          <p class="small">${consequence} ${until}</p>
        </div>`
    )}
    ${
      items.length === 0
        ? html`<p>${texts.noDay}</p>`
        : html`<form class="card" method="post" action="${frame.prefix}/acknowledge">
            ${tokenOf(frame)}<input type="hidden" name="account" value="${account}" /><input
              type="hidden"
              name="day"
              value="${day}"
            />
            <p>${texts.acknowledgeText}</p>
            <label class="field"
              ><span>${Texts.document.because}</span><input type="text" name="because" required autocomplete="off"
            /></label>
            <button>${texts.acknowledge}</button>
          </form>`
    }`

/** Returns a page of the record. `older`: id before which the next page begins. */
export const decisionsPage = (
  frame: Frame,
  entries: ReadonlyArray<RecordedDecision>,
  older: number | null,
  zone: DateTime.TimeZone
): Html =>
  html`<p><a href="${frame.prefix}/health">‹ ${Texts.page.health}</a></p>
    <h1>${texts.record}</h1>
    <p class="soft">${texts.about}</p>
    ${
      entries.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card">
            ${table(
              texts.record,
              [texts.when, texts.who, texts.decision, texts.subject, texts.what, Texts.document.because],
              entries.map(
                ({ account, act, at, because, subject, what, who }) =>
                  html`<tr>
                    <td class="small">${moment(at, zone)}</td>
                    <td>${who}</td>
                    <td>${act}</td>
                    <td>${account === null ? subject : `${subject} (${account})`}</td>
                    <td class="small">${what}</td>
                    <td>${because ?? ""}</td>
                  </tr>`
              )
            )}
          </section>`
    }
    ${when(older, () => html`<p><a href="${`${frame.prefix}/decisions?before=${older ?? 0}`}">${Texts.page.older}</a></p>`)}`
