/**
 * Pages for a decision about many documents with a preview, the acknowledgment of a fiscal day, and
 * the record of decisions.
 */
import type { BulkDecision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { type Doctor, LateBy } from "@fiscal-connector/core/host/account"
import { type Attention, ItemView } from "@fiscal-connector/core/attention"
import type { Submission } from "@fiscal-connector/core/store"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import type { FoundDocuments } from "../work/DocumentSearch.ts"
import { why } from "./DocumentPages.ts"
import { actionPart, checkBadge, headingOf, inZone } from "./HealthPage.ts"
import { consentWords, sends } from "./part/ConsentWords.ts"
import { documentTable } from "./part/DocumentTable.ts"
import { box, field, form, hidden, latestOf, reasonField, resumeForm } from "./part/Form.ts"
import { type Frame, notice, paged, toAttention } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"

const texts = Texts.decisions

export interface DecisionChoice {
  readonly name: string
  readonly found: BulkDecision.SelectedDocuments
  /** Time from which it is accepted without an override. */
  readonly from: DateTime.Utc | null
}

export interface CauseShown {
  /** Item of Attention, while the cause is open. */
  readonly item: Attention.AttentionItem | undefined
  readonly choices: ReadonlyArray<DecisionChoice>
  readonly documents: ReadonlyArray<FoundDocuments>
  readonly device: { readonly check: Doctor.Check; readonly at: DateTime.Utc } | null
  readonly sending: "idle" | "going"
  readonly note: string | null
  readonly page: number
}

/** Returns the device to which the documents are sent again. Null for several, or for none. */
export const deviceOf = (
  decision: string,
  documents: BulkDecision.SelectedDocuments["documents"]
): Pick<Submission.Submission, "account" | "environment" | "lane"> | null => {
  const [first] = documents
  return sends.has(decision) && documents.every(({ lane }) => lane === first?.lane) ? (first ?? null) : null
}

/** Returns a choice with what follows from it, and what it alone asks. */
const choicePart = (
  figures: ReadonlyArray<FoundDocuments>,
  { found: { confirmedBy, documents, late, others }, from, name }: DecisionChoice,
  zone: DateTime.TimeZone
): Html => {
  const count = documents.length
  const sums = SignedSums.of(figures.filter(({ submission: { seq } }) => documents.some((one) => one.seq === seq)))
  const tax = sums.sums.flatMap(({ currency, tax }) => (tax === null ? [] : [Parts.amount(currency, tax)])).join(" · ")
  const device = deviceOf(name, documents)
  const follows = [
    name === "Withdrawn" ? texts.noReceipt(tax || Texts.credit.notKnown) : (texts.consequences[name] ?? ""),
    ...(late === null ? [] : [LateBy.inWords(late)]),
    ...(others === 0 ? [] : [texts.others(others)])
  ]
  return html`<div class="opt">
    <span>
      <label class="line"
        ><input type="radio" name="decision" value="${name}" required /><span
          ><b>${texts.does[name]?.(count) ?? name}: ${Tiles.amountsOf(sums)}</b>
          ${follows.map((text) => html`<span class="soft small">– ${text}</span>`)}</span
        ></label
      >
      ${hidden({ [`count.${name}`]: count })} ${device === null ? null : consentWords(device, undefined, "allowed")}
      ${when(name === "Withdrawn", () => field("typed", texts.typeNumber(count), "numeric", "allowed"))}
      ${when(confirmedBy === "look", () => field("seen", texts.seen, "numeric", "allowed"))}
      ${when(from, () => html`${box(`although.${name}`, "recent", Texts.document.althoughRecent)} <span class="soft small">${Texts.document.acceptedFrom} ${Parts.moment(from!, zone)}</span>`)}
    </span>
  </div>`
}

/** Shows a cause with its documents, and each decision about all of them as a choice. */
export const decidePage = (
  frame: Frame,
  selection: URLSearchParams,
  { choices, device, documents, item, note, page, sending }: CauseShown,
  zone: DateTime.TimeZone
): Html => {
  const hasLive = frame.around.accounts.some(({ environment }) => environment === "live")
  const asked = choices.filter(({ found }) => found.documents.length > 0)
  const each = choices.find(({ found }) => found.each.length > 0)?.found.each ?? []
  const [first, ...others] = new Set(
    documents.map(({ number, submission }) => why(submission).replace(`${number} `, texts.everyOne))
  )
  const all = documents.length + each.length
  const here = (page: number) => `${frame.prefix}/decide?${selection.toString()}&page=${page}`
  const { paging, shown } = paged(documents, page, here)
  const isOne = others.length === 0
  const rows = shown.map(({ submission, ...one }) => ({
    ...one,
    link: documentAddress(frame, submission.account, submission),
    verificationCode: null,
    why: "",
    taxes: isOne ? one.taxes : why(submission)
  }))
  // never sending is the last choice
  const [never, forms] = [true, false].map((is) =>
    asked.filter(({ name }) => (name === "Withdrawn") === is).map((one) => choicePart(documents, one, zone))
  )
  return html`${toAttention(frame)}
    <div class="head">
      <div>
        <h1>${item === undefined ? texts.title : headingOf(item)}</h1>
        <p>${Texts.documents(all)} · ${Tiles.amountsOf(SignedSums.of([...documents, ...each]))}</p>
        ${when(isOne && first, () => html`<p>${first}</p>`)}
      </div>
      ${(item?.actions ?? []).filter(({ step }) => ItemView.decisionOf(step) === null && step.do !== "list").flatMap((one) => actionPart(frame, item ?? null, one, hasLive) ?? [])}
    </div>
    ${notice(note)}
    ${when(note, () => (sending === "idle" ? resumeForm(frame, hasLive ? "live" : "none") : html`<p><a href="${frame.prefix}/documents?group=way">${texts.sending}</a></p>`))}
    ${when(all === 0, () => html`<p>${texts.nothingLeft}</p>`)}
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
    <div class="split">
      ${when(asked.length > 0, () =>
        form(
          frame,
          `${frame.prefix}/decide`,
          { ...Object.fromEntries(selection), shown: latestOf(asked.flatMap(({ found }) => found.documents)) },
          html`<fieldset>
              <legend>${texts.what(documents.length)}</legend>
              ${forms}
              <div class="opt">
                <span
                  ><b>${texts.wait}</b> <span class="soft small">– ${Texts.living.stayUnderAttention}</span>
                  <a href="${frame.prefix}/health">${Texts.blocked.decideLater}</a></span
                >
              </div>
              ${never}
            </fieldset>
            ${reasonField}
            <button>${texts.apply(documents.length)}</button>`,
          "card"
        )
      )}
      ${when(device, () => card(texts.device, devicePart(device!, here(page), zone)))}
    </div>
    ${when(documents.length > 0, () => card(Texts.documents(documents.length), html`${documentTable(Texts.word.documents, rows, documents, isOne ? null : Texts.word.why)} ${when(documents.length > shown.length, () => paging)}`))}`
}

const devicePart = ({ at, check }: NonNullable<CauseShown["device"]>, here: string, zone: DateTime.TimeZone): Html =>
  html`<p>${checkBadge(check.state)} ${check.text}</p>
    ${check.findings.map(Parts.foundText)}
    <p class="soft small">${texts.asked(Parts.clock(DateTime.setZone(at, zone)))}</p>
    <a class="button quiet" href="${here}">${texts.askAgain}</a>`

/** Returns what was decided about a document in the words of the page. */
const inWords = (what: string): string =>
  what.replace(/^(\w+): (\w+) → (\w+)/, (all, decision: string, from: string, to: string) => {
    const words = Texts.document.decisions[decision]
    return words === undefined ? all : `${words} (${Texts.states[from] ?? from} → ${Texts.states[to] ?? to})`
  })

export const decisionsPage = (
  frame: Frame,
  entries: ReadonlyArray<OperatorRecord.RecordedDecision>,
  older: number | null,
  zone: DateTime.TimeZone
): Html =>
  html`${toAttention(frame)}
    <h1>${texts.record}</h1>
    <p class="soft">${Parts.marked(texts.about)}</p>
    ${
      entries.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card stacked">
            ${table(
              texts.record,
              [{ text: Texts.word.when, look: "small" }, texts.who, texts.subject, texts.decision, Texts.word.because],
              entries.map(({ account, act, at, because, subject, what, who }) => [
                Parts.moment(at, zone),
                who,
                account === null ? subject : `${subject} (${account})`,
                html`${inZone(inWords(what), zone)} <code class="soft small">${act}</code>`,
                because
              ])
            )}
          </section>`
    }
    ${when(older, () => html`<p><a href="${`${frame.prefix}/decisions?before=${older ?? 0}`}">${Texts.page.next}</a></p>`)}
    <p class="soft small">${Texts.document.zone(DateTime.zoneToString(zone))}</p>`
