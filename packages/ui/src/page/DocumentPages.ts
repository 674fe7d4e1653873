/** What the store has: the list, and one document with everything that happened to it and what may be decided about it now. */
import * as Money from "@fiscal-connector/core/document/Money"
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as WireCodec from "@fiscal-connector/core/document/WireCodec"
import { stamp } from "@fiscal-connector/core/document/FiscalDocument"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import { moving, type State, stuck, type Submission } from "@fiscal-connector/core/submission/Submission"
import type { Explanation } from "@fiscal-connector/core/submission/Explanation"
import * as PermittedDecision from "@fiscal-connector/core/unstable/submission/PermittedDecision"
import * as Timeline from "@fiscal-connector/core/unstable/submission/Timeline"
import * as CodeEntry from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import * as SourceRow from "../work/SourceRow.ts"
import { followed, type Frame, live, tokenOf } from "./Layout.ts"
import { resumeForm } from "./ResumeForm.ts"
import { documentAddress } from "./SendPages.ts"

const words = Words.page
const said = Words.document

/** Groups of states that a person thinks in; the first needs one. */
export const groups: ReadonlyArray<{ readonly name: string; readonly states: ReadonlyArray<State> }> = [
  { name: "person", states: stuck },
  { name: "way", states: moving },
  { name: "fiscalised", states: ["Fiscalised"] },
  { name: "withdrawn", states: ["Withdrawn"] }
]

export interface ListLooking {
  readonly group: string | null
  readonly matching: string
  /** The `seq` before which the page begins; null for the newest. */
  readonly before: number | null
}

/** In the zone in which times are shown, said with it. */
export const moment = (at: DateTime.DateTime, zone: DateTime.TimeZone): string => Parts.time(DateTime.setZone(at, zone))

export const why = ({ hold, rejection, said: text }: Submission): string =>
  hold?.because ?? rejection?.error ?? text ?? ""

const addressOf = (frame: Frame, { group, matching }: ListLooking, changes: Partial<ListLooking> = {}): string => {
  const query = new URLSearchParams()
  const now = { group, matching, before: null, ...changes }
  if (now.group !== null) query.set("group", now.group)
  if (now.matching !== "") query.set("matching", now.matching)
  if (now.before !== null) query.set("before", String(now.before))
  return `${frame.prefix}/documents?${query.toString()}`
}

/**
 * `counts`: of the whole store. `more`: the `seq` of the last one shown, where there are older ones. `attention`: how many items Health has, also
 * of documents that are fiscalised, and of what is about none.
 */
export const listPage = (
  frame: Frame,
  found: ReadonlyArray<Submission>,
  counts: Readonly<Partial<Record<State, number>>>,
  looking: ListLooking,
  more: number | null,
  zone: DateTime.TimeZone,
  hasLive: "live" | "none",
  standing: string,
  attention: number
): Html => {
  const count = (states: ReadonlyArray<State>) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const all = Object.values(counts).reduce((sum, n) => sum + (n ?? 0), 0)
  const tab = (name: string | null, word: string, n: number) => {
    const text = `${word} ${n.toLocaleString("en")}`
    const address = addressOf(frame, looking, { group: name })
    return looking.group === name
      ? html`<li><a href="${address}" aria-current="true">${text}</a></li>`
      : html`<li><a href="${address}">${text}</a></li>`
  }
  const onTheWay = count(moving)
  const listed = html`<section class="card">
    ${
      found.length === 0
        ? html`<p class="soft">${all === 0 ? said.empty : words.nothingHere}</p>`
        : table(
            words.documents,
            [words.number, words.buyer, { figures: words.total }, words.state, said.since, words.why],
            found.map(
              (one) =>
                html`<tr>
                  <td><a href="${documentAddress(frame, one.account, one) ?? "#"}">${one.number}</a></td>
                  <td><bdi>${one.buyer ?? ""}</bdi></td>
                  <td class="number">${one.currency} ${Money.formatAmount(one.total)}</td>
                  <td>${Parts.stateBadge(one.state)}</td>
                  <td class="small">${moment(one.since, zone)}</td>
                  <td class="small">${why(one)}</td>
                </tr>`
            )
          )
    }
    <div class="paging">
      ${when(looking.before !== null, () => html`<a href="${addressOf(frame, looking)}">${said.newest}</a>`)}${more === null ? null : html`<a href="${addressOf(frame, looking, { before: more })}">${words.older}</a>`}
    </div>
  </section>`
  const content = html`<h1>${words.documents}</h1>
    <form class="actions" method="get" action="${frame.prefix}/documents" role="search">
      ${looking.group === null ? null : html`<input type="hidden" name="group" value="${looking.group}" />`}
      <input
        type="search"
        name="matching"
        value="${looking.matching}"
        aria-label="${said.search}"
        placeholder="${said.search}"
      /><button class="quiet">${said.find}</button>
    </form>
    ${live(
      "tabs",
      html`<ul class="tabs" aria-label="${words.filter}">
        ${[tab(null, words.all, all), ...groups.map(({ name, states }) => tab(name, said.groups[name] ?? name, count(states)))]}
      </ul>`
    )}
    ${live(
      "attention",
      when(attention > 0, () => html`<p><a href="${frame.prefix}/health">${said.attention(attention)}</a></p>`)
    )}
    ${live(
      "resume",
      when(onTheWay > 0, () => resumeForm(frame, onTheWay, hasLive, null))
    )}
    ${live("list", listed)}
    ${when((counts.Fiscalised ?? 0) > 0, () => html`<p><a class="button quiet" href="${frame.prefix}/pdfs">${words.allPdfs}</a></p>`)}
    <p class="soft small">${said.zone(DateTime.zoneToString(zone))}</p>`
  return followed(frame, standing, content)
}

/** What a state means, and what to do, as the command's `why` says it. */
const meaning = ({ hold, state }: Submission): Html | null => {
  const entry = CodeEntry.find(coreCodes, state === "Held" && hold !== null ? `HELD_${hold.cause}` : state)
  return entry === undefined
    ? null
    : html`<p>${entry.meaning}</p>
        <p><span class="soft">${Words.report.fix}:</span> ${entry.fix}</p>`
}

const choice = (
  { decision, from, with: needed }: PermittedDecision.PermittedDecision,
  isOnly: boolean,
  zone: DateTime.TimeZone
): Html =>
  html`<label class="line"
    ><input type="radio" name="decision" value="${decision}" required${new Flag("checked", isOnly)} /><span
      >${said.decisions[decision]}
      ${needed === "nothing" ? null : html`<input type="text" name="${`with.${decision}`}" aria-label="${said.needs[needed]}" placeholder="${said.needs[needed]}" autocomplete="off" />`}${from === null ? null : html` <span class="soft">${said.acceptedFrom} ${moment(from, zone)}</span>`}</span
    ></label
  >`

const decideForm = (frame: Frame, explanation: Explanation, address: string, zone: DateTime.TimeZone): Html => {
  const permitted = PermittedDecision.of(explanation)
  const isEarly = permitted.some(({ from }) => from !== null)
  return when(
    permitted.length > 0,
    () =>
      html`<form class="card" method="post" action="${address}/decide">
        ${tokenOf(frame)}<input type="hidden" name="state" value="${explanation.submission.state}" />
        <fieldset>
          <legend>${said.decide}</legend>
          <p class="soft">${said.decideText}</p>
          ${permitted.map((one) => choice(one, permitted.length === 1, zone))}
        </fieldset>
        <label class="field"
          ><span>${said.because}</span><input type="text" name="because" required autocomplete="off"
        /></label>
        ${when(
          isEarly,
          () =>
            html`<label class="line"
              ><input type="checkbox" name="although" value="recent" /><span>${said.althoughRecent}</span></label
            >`
        )}
        <button>${said.record}</button>
      </form>`
  )
}

/** Requests as they went out, with how far each got. */
const attemptsOf = ({ attempts }: Explanation, zone: DateTime.TimeZone): Html =>
  html`<ul class="plain-list">
    ${attempts.map(
      ({ begunAt, exchanged, receiptDate, repeats, requestId, result }, index) =>
        html`<li>
          ${said.attempt(index + 1)}: ${moment(begunAt, zone)}, ${said.receiptDate} ${Instant.format(receiptDate)},
          ${repeats === "retry" ? said.retry : said.first};
          ${
            result === null ? said.noAnswer : "because" in result ? `${result._tag}: ${result.because}` : result._tag
          }${exchanged === null ? "" : ` (${exchanged.stage.replaceAll("-", " ")}${exchanged.status === null ? "" : ` ${exchanged.status}`}, ${exchanged.millis} ms)`}${requestId === null ? "" : `, ${said.requestId} ${requestId}`}
        </li>`
    )}
  </ul>`

export const documentPage = (
  frame: Frame,
  explanation: Explanation,
  zone: DateTime.TimeZone,
  note: string | null
): Html => {
  const { conflicts, document, evidence, submission } = explanation
  const { account, currency, environment, lane, number, proof, receiptDate, revision, source, total } = submission
  const address = documentAddress(frame, account, submission) ?? ""
  const open = conflicts.filter(({ settledAt }) => settledAt === null)
  return html`<p><a href="${frame.prefix}/documents">‹ ${words.documents}</a></p>
    <h1>${number}</h1>
    <p>${Parts.stateBadge(submission.state)} ${why(submission)}</p>
    ${when(note, () => html`<div class="note waiting" role="alert"><p>${note}</p></div>`)}
    ${open.map(
      ({ code, detail }) =>
        html`<div class="note bad">
          <p>
            <strong><code>${code}</code></strong> ${detail}
          </p>
        </div>`
    )}
    <div class="beside">
      <div class="grow">
        <section class="card">
          <dl>
            <dt>${Words.report.account}</dt>
            <dd>${account}, ${lane}, ${Words.environments[environment] ?? environment}</dd>
            <dt>${words.buyer}</dt>
            <dd><bdi>${submission.buyer ?? ""}</bdi></dd>
            <dt>${words.total}</dt>
            <dd>${currency} ${Money.formatAmount(total)}</dd>
            <dt>${said.receiptDate}</dt>
            <dd>${receiptDate === null ? "" : Parts.time(receiptDate)}</dd>
            <dt>${words.place}</dt>
            <dd>
              <span class="mono">${Provenance.format(source)}</span
              >${when(SourceRow.isPlaced(submission), () => html` <a href="${address}/source">${Words.sourceRow.show}</a>`)}
            </dd>
            ${
              proof === null
                ? null
                : html`<dt>${words.verification}</dt>
                    <dd><code>${proof.verificationCode ?? ""}</code></dd>`
            }
            <dt>${said.revision}</dt>
            <dd>${revision}</dd>
          </dl>
          ${when(proof?.fiscalInvoicePdf, () => html`<div class="actions"><a class="button quiet" href="${address}/pdf">${words.pdf}</a></div>`)}
        </section>
      </div>
      ${QrCode.picture(proof?.qrCodeUrl ?? null)}
    </div>
    ${when(
      submission.state !== "Fiscalised",
      () =>
        html`<section class="card">
          <h2>${said.means}</h2>
          ${meaning(submission)}
        </section>`
    )}
    ${decideForm(frame, explanation, address, zone)}
    <section class="card">
      <h2>${said.timeline}</h2>
      <ol class="timeline">
        ${Timeline.sentences(explanation).map(
          ({ at, sentence, text, tone }) =>
            html`<li class="${tone}">
              <span class="soft small">${moment(at, zone)}</span>
              <p>${sentence}</p>
              ${when(text, () => html`<p class="soft">${text}</p>`)}
            </li>`
        )}
      </ol>
    </section>
    <details>
      <summary>${said.attempts(explanation.attempts.length)}</summary>
      ${attemptsOf(explanation, zone)}
    </details>
    <details>
      <summary>${said.payload}</summary>
      <pre tabindex="0">
${WireCodec.encode(stamp(document, receiptDate ?? DateTime.setZone(submission.since, zone), "first"))}</pre>
    </details>
    <details>
      <summary>${said.evidence(evidence.length)}</summary>
      <ul class="plain-list">
        ${evidence.map(({ at, outcome, requestId, source: by }) => html`<li>${moment(at, zone)}: ${outcome._tag} (${by}${requestId === null ? "" : `, ${requestId}`})</li>`)}
      </ul>
    </details>
    <p class="soft small">${said.zone(DateTime.zoneToString(zone))}</p>`
}
