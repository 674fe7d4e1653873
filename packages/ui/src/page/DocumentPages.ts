import { Attention } from "@fiscal-connector/core/attention"
import { FiscalDocument, Money, Provenance, WireCodec } from "@fiscal-connector/core/adapter"
import { type Explanation, Lane, Submission } from "@fiscal-connector/core/store"
import { CodeEntry, KnownCodes, LateBy, PermittedDecision } from "@fiscal-connector/core/host/account"
import { OutcomeRecord, Timeline } from "@fiscal-connector/core/host"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, facts, table } from "../html/Table.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as SourceRow from "../work/SourceRow.ts"
import { sends } from "./part/ConsentWords.ts"
import { box, form, latestOf, reasonField } from "./part/Form.ts"
import { type Frame, notice } from "./part/Layout.ts"
import { creditPart, type ShownCredit } from "./CreditPages.ts"
import { actionPart } from "./HealthPage.ts"
import { creditAddress, documentAddress } from "./SendPages.ts"

const texts = Texts.page
const documentTexts = Texts.document

export const groups: ReadonlyArray<{ readonly name: string; readonly states: ReadonlyArray<Submission.State> }> = [
  { name: "person", states: Submission.stuck },
  { name: "way", states: Submission.moving },
  { name: "fiscalised", states: ["Fiscalised"] },
  { name: "withdrawn", states: ["Withdrawn"] }
]

/** Returns the explanation of the state, with times as the page writes them. */
export const why = (submission: Submission.Submission): string =>
  (OutcomeRecord.textOf(submission) ?? "").replaceAll(
    /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:[+-]\d\d:\d\d|Z)/g,
    (_, day: string, clock: string) => `${Texts.day(day)}, ${clock}`
  )

const meaning = (frame: Frame, { facts, submission }: Explanation.Explanation): Html | null => {
  const { hold, state } = submission
  const ofNote = Attention.ofRefusedNote({ key: submission, number: submission.number, facts })
  const entry = CodeEntry.find(KnownCodes.coreCodes, state === "Held" && hold !== null ? `HELD_${hold.cause}` : state)
  return entry === undefined
    ? null
    : html`<p>${entry.meaning}</p>
        <p><span class="soft">${Texts.word.toDo}:</span> ${ofNote.length === 0 ? entry.fix : Texts.credit.again}</p>
        <div class="actions">${ofNote.flatMap((action) => actionPart(frame, null, action, false) ?? [])}</div>`
}

const choice = (
  { decision, from, with: needed }: PermittedDecision.PermittedDecision,
  { environment, lane }: Submission.Submission,
  zone: DateTime.TimeZone
): Html => {
  // sending again to a live device needs its number
  const isConsent = environment === "live" && sends.has(decision)
  const asks = isConsent ? texts.consentDevice(Lane.deviceOf(lane)) : documentTexts.needs[needed]
  return html`<label class="line"
    ><input type="radio" name="decision" value="${decision}" required /><span
      >${documentTexts.decisions[decision]}
      ${asks === undefined ? null : html`<input type="text" name="${`with.${decision}`}" aria-label="${asks}" placeholder="${asks}" autocomplete="off" />`}${from === null ? null : html` <span class="soft">${documentTexts.acceptedFrom} ${Parts.moment(from, zone)}</span>`}</span
    ></label
  >`
}

const lateNote = (late: LateBy.LateBy | null): Html =>
  late === null ? html`` : html`<div class="note waiting"><p>${LateBy.inWords(late)}</p></div>`

const decideForm = (
  frame: Frame,
  explanation: Explanation.Explanation,
  address: string,
  zone: DateTime.TimeZone,
  late: LateBy.LateBy | null
): Html => {
  // never sending is the last choice
  const isNever = ({ decision }: PermittedDecision.PermittedDecision) => Number(decision === "Withdrawn")
  const permitted = PermittedDecision.of(explanation).toSorted((a, b) => isNever(a) - isNever(b))
  const isEarly = permitted.some(({ from }) => from !== null)
  return when(permitted.length > 0, () =>
    form(
      frame,
      `${address}/decide`,
      { shown: latestOf([explanation.submission]) },
      html`<fieldset>
          <legend>${documentTexts.decide}</legend>
          <p class="soft">${documentTexts.decideText}</p>
          ${permitted.map((one) => choice(one, explanation.submission, zone))} ${lateNote(late)}
        </fieldset>
        ${reasonField} ${when(isEarly, () => box("although", "recent", documentTexts.althoughRecent))}
        <button class="${isToCredit(explanation) ? "quiet" : ""}">${documentTexts.record}</button>`,
      "card"
    )
  )
}

const isFiscalised = ({ kind, state }: Submission.Submission) => kind === "invoice" && state === "Fiscalised"

/** True if an open conflict says that the receipts of the invoice may not hold. */
export const isToCredit = ({ conflicts, submission }: Explanation.Explanation): boolean =>
  isFiscalised(submission) &&
  conflicts.some(
    ({ code, settledAt }) => settledAt === null && (Submission.isOfSource(code) || code === "DOUBLE_FISCALISED")
  )

export interface BesideDocument {
  readonly previous: Submission.Submission | null
  readonly next: Submission.Submission | null
}

const linesOf = ({ document: { payload }, submission: { currency } }: Explanation.Explanation): Html =>
  card(
    Texts.word.lines,
    html`${table(
        Texts.word.lines,
        [
          documentTexts.description,
          { figures: documentTexts.quantity },
          { figures: documentTexts.unitPrice },
          { figures: documentTexts.discount },
          Texts.word.tax,
          Texts.word.productCode,
          { figures: Texts.word.total }
        ],
        payload.lineItems.map(
          ({ description, discountAmount, lineAmount, productCode, quantity, taxCode, unitAmount }) => [
            description,
            Money.formatPlain(quantity),
            Money.formatPlain(unitAmount),
            discountAmount === null ? "" : Parts.figureOf(discountAmount),
            taxCode,
            html`<code>${productCode ?? ""}</code>`,
            Parts.figureOf(lineAmount)
          ]
        )
      )}
      ${facts(
        [
          [Texts.word.net, Parts.amount(currency, payload.subTotal)],
          [Texts.word.tax, Parts.amount(currency, payload.totalTax)],
          [Texts.word.total, Parts.amount(currency, payload.total), "sum"]
        ],
        "amounts"
      )}
      <p class="soft small">${payload.isTaxInclusive ? documentTexts.inclusive : documentTexts.exclusive}</p>`
  )

const proofFacts = (frame: Frame, { account, proof }: Submission.Submission) => {
  if (proof === null) return []
  const { fiscalDay, verificationCode } = proof
  const days = `${frame.prefix}/days?account=${encodeURIComponent(account)}&day=${fiscalDay ?? ""}`
  return [
    [Texts.word.verification, html`<code>${verificationCode}</code>`],
    [Texts.health.day, fiscalDay === null ? "" : html`<a href="${days}">${fiscalDay}</a>`]
  ] as const
}

export const documentPage = (
  frame: Frame,
  explanation: Explanation.Explanation,
  zone: DateTime.TimeZone,
  note: string | null,
  { next, previous }: BesideDocument,
  late: LateBy.LateBy | null,
  credit: ShownCredit | null
): Html => {
  const { conflicts, document, submission } = explanation
  const { account, currency, environment, lane, number, proof, receiptDate, revision, source, total } = submission
  const address = documentAddress(frame, account, submission) ?? ""
  const open = conflicts.filter(({ settledAt }) => settledAt === null)
  const beside = (one: Submission.Submission | null, label: string) =>
    one === null ? null : html`<a href="${documentAddress(frame, one.account, one) ?? "#"}">${label} ${one.number}</a>`
  return html`<div class="paging">
      <a href="${frame.prefix}/documents">‹ ${Texts.word.documents}</a> ${beside(previous, Texts.page.previous)}
      ${beside(next, Texts.page.next)}
    </div>
    <h1>${number}</h1>
    <p>${Parts.stateBadge(submission.state)} ${why(submission)}</p>
    ${notice(note)}
    ${open.map(
      ({ code, detail }) =>
        html`<div class="note bad">
          <p>
            <strong>${CodeEntry.find(KnownCodes.coreCodes, code)?.meaning ?? code}.</strong> ${detail}
            <code class="soft small">${code}</code>
          </p>
        </div>`
    )}
    ${card(documentTexts.means, submission.state !== "Fiscalised" && meaning(frame, explanation))}
    ${credit === null ? null : creditPart(frame, credit, Texts.credit.note)}
    ${decideForm(frame, explanation, address, zone, late)}
    <div class="split">
      <div>
        ${linesOf(explanation)}
        <section class="card">
          ${facts([
            [
              Texts.word.account,
              `${account}, ${texts.device(Lane.deviceOf(lane))}, ${Texts.environments[environment] ?? environment}`
            ],
            [Texts.word.buyer, html`<bdi>${submission.buyer}</bdi>`],
            [Texts.word.total, Parts.amount(currency, total)],
            [documentTexts.receiptDate, receiptDate === null ? "" : Parts.moment(receiptDate, zone)],
            [
              Texts.word.inFile,
              html`<span class="mono">${Provenance.format(source)}</span
                >${when(SourceRow.isPlaced(submission), () => html` <a href="${address}/source">${Texts.sourceRow.show}</a>`)}`
            ],
            ...proofFacts(frame, submission),
            [documentTexts.revision, revision]
          ])}
          <div class="actions">
            ${when(proof?.fiscalInvoicePdf, () => html`<a class="button quiet" href="${address}/pdf">${texts.pdf}</a>`)}
            ${when(isFiscalised(submission) && credit === null, () => html`<a class="button quiet" href="${creditAddress(frame, submission)}">${Texts.credit.look(number)}</a>`)}
          </div>
        </section>
      </div>
      <section class="card">
        ${QrCode.picture(proof?.qrCodeUrl ?? null)}
        <h2>${documentTexts.timeline}</h2>
        <ol class="timeline">
          ${Timeline.sentences(explanation).map(
            ({ at, sentence, text, tone }) =>
              html`<li class="${tone}">
                <span class="soft small">${Parts.moment(at, zone)}</span>
                <p>${sentence}</p>
                ${when(text, () => html`<p class="soft">${text}</p>`)}
              </li>`
          )}
        </ol>
      </section>
    </div>
    <details>
      <summary>${documentTexts.payload}</summary>
      <pre tabindex="0">
${WireCodec.encode(FiscalDocument.stamp(document, receiptDate ?? DateTime.setZone(submission.since, zone), "first"))}</pre>
    </details>
    <p class="soft small">${documentTexts.zone(DateTime.zoneToString(zone))}</p>`
}
