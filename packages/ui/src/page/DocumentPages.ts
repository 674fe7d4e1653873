import { Action, Attention } from "@fiscal-connector/core/attention"
import type { Decision } from "@fiscal-connector/core/decisions"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Finding, FiscalDocument, Money, Provenance, WireCodec } from "@fiscal-connector/core/adapter"
import { type Explanation, Lane, Submission } from "@fiscal-connector/core/store"
import { CodeEntry, KnownCodes, LateBy, PermittedDecision } from "@fiscal-connector/core/host/account"
import { OutcomeRecord, Timeline, WrittenDocument } from "@fiscal-connector/core/host"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, facts, table } from "../html/Table.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import * as SourceRow from "../work/SourceRow.ts"
import { sends } from "./part/ConsentWords.ts"
import { caseCard } from "./part/Case.ts"
import type { TableDocument } from "./part/DocumentTable.ts"
import { box, field, form, latestOf, option, reasonField } from "./part/Form.ts"
import { type Frame, notice, steps } from "./part/Layout.ts"
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
  Texts.sentence(Texts.dated(OutcomeRecord.textOf(submission) ?? ""))

const choice = (
  { decision, from, with: needed }: PermittedDecision.PermittedDecision,
  { environment, lane }: Submission.Submission,
  zone: DateTime.TimeZone,
  late: LateBy.LateBy | null
): Html => {
  // sending again to a live device needs its number
  const isConsent = environment === "live" && sends.has(decision)
  const asks = isConsent ? texts.consentDevice(Lane.deviceOf(lane)) : documentTexts.needs[needed]
  const does = [
    ...(late !== null && decision === "Resend" ? [Texts.dated(LateBy.inWords(late))] : []),
    ...(from === null ? [] : [`${documentTexts.acceptedFrom} ${Parts.moment(from, zone)}`])
  ]
  const own = asks === undefined ? null : field(`with.${decision}`, asks, "text", "allowed", "field small")
  return option("decision", decision, documentTexts.decisions[decision] ?? decision, does, own)
}

/** Returns the form of the permitted decisions. `tags`: the first ones, in core's order. */
const decideForm = (
  frame: Frame,
  explanation: Explanation.Explanation,
  address: string,
  zone: DateTime.TimeZone,
  late: LateBy.LateBy | null,
  tags: ReadonlyArray<Decision.Decision["_tag"]>
): Html | null => {
  // core names the first ones, and never sending is the last one
  const order = [...tags.filter((tag) => tag !== "Withdrawn"), null, "Withdrawn"]
  const rank = ({ decision }: PermittedDecision.PermittedDecision) =>
    order.indexOf(order.includes(decision) ? decision : null)
  const permitted = PermittedDecision.of(explanation).toSorted((a, b) => rank(a) - rank(b))
  if (permitted.length === 0) return null
  return form(
    frame,
    `${address}/decide`,
    { shown: latestOf([explanation.submission]) },
    html`<fieldset>
        <legend>${documentTexts.decide}</legend>
        <p class="soft">${documentTexts.decideText}</p>
        ${permitted.map((one) => choice(one, explanation.submission, zone, late))}
      </fieldset>
      ${reasonField}
      ${when(
        permitted.some(({ from }) => from !== null),
        () => box("although", "recent", documentTexts.althoughRecent)
      )}
      <button class="quiet">${documentTexts.record}</button>`
  )
}

/**
 * Returns what to do about the document, first the step after which books and receipts agree. Other
 * decisions are folded.
 */
const toDoPart = (
  frame: Frame,
  explanation: Explanation.Explanation,
  address: string,
  zone: DateTime.TimeZone,
  late: LateBy.LateBy | null
): Html => {
  const { facts, submission } = explanation
  const { hold, number, state } = submission
  const steps = Attention.ofDocument({ key: submission, number, facts })
  const tags = steps.flatMap(({ step }) => Action.decisionOf(step) ?? [])
  const links = steps.flatMap((action) => actionPart(frame, null, action, false) ?? [])
  const [first] = steps
  const isDecided = first === undefined ? facts.conflicts.length > 0 : Action.decisionOf(first.step) !== null
  const decide = decideForm(frame, explanation, address, zone, late, tags)
  const ofState = state === "Held" && hold !== null ? `HELD_${hold.cause}` : state
  const entry = CodeEntry.find(KnownCodes.coreCodes, ofState)
  const ofRule = CodeEntry.find(KnownCodes.coreCodes, facts.cause)?.fix
  const fix = first !== undefined && facts.preparedFor !== null ? Texts.credit.again : (ofRule ?? entry?.fix ?? "")
  if (state === "Fiscalised" && decide === null) return html``
  const isFolded = decide !== null && !isDecided
  const folded = html`<details>
    <summary>${documentTexts.others}</summary>
    ${decide}
  </details>`
  const footer = isFolded ? [...links, folded] : links
  return caseCard(
    state === "Rejected" || state === "Declined" ? "bad" : "waiting",
    first === undefined && !isDecided ? documentTexts.means : Texts.word.toDo,
    "",
    html`${when(why(submission), () => html`<p><b>${Parts.marked(why(submission))}</b></p>`)}
    ${when(state !== "Fiscalised" && entry, () => html`<p>${entry?.meaning}. ${Parts.marked(entry?.consequence ?? "")}</p>`)}
    ${isDecided ? decide : when(state !== "Fiscalised", () => html`<p>${Parts.marked(fix)}</p>`)}`,
    footer.length === 0 ? null : html`${footer}`
  )
}

const isFiscalised = ({ kind, state }: Submission.Submission) => kind === "invoice" && state === "Fiscalised"

/** True if an open conflict says that the receipts of the invoice may not hold. */
export const isToCredit = ({ conflicts, submission }: Explanation.Explanation): boolean =>
  isFiscalised(submission) &&
  conflicts.some(
    ({ code, settledAt }) => settledAt === null && (Submission.isOfSource(code) || code === "DOUBLE_FISCALISED")
  )

type Payload = Pick<
  Explanation.Explanation["document"]["payload"],
  "isTaxInclusive" | "lineItems" | "subTotal" | "total" | "totalTax"
>

/** Returns the lines with their sums. A credit note is negative. */
const linesOf = (
  { isTaxInclusive, lineItems, subTotal, total, totalTax }: Payload,
  { currency, kind }: Pick<Submission.Submission, "currency" | "kind">
): Html => {
  const signed = (money: Money.Money) => Parts.figureOf(SignedSums.signed(kind, money))
  const hasDiscount = lineItems.some(({ discountAmount }) => discountAmount !== null)
  return html`<section class="card lines">
    <header>
      <h2>${Texts.word.lines}</h2>
      <span class="small soft">${isTaxInclusive ? documentTexts.inclusive : documentTexts.exclusive}</span>
    </header>
    ${table(
      Texts.word.lines,
      [
        documentTexts.description,
        { figures: documentTexts.quantity },
        { figures: documentTexts.unitPrice },
        ...(hasDiscount ? [{ figures: documentTexts.discount }] : []),
        Texts.word.tax,
        Texts.word.productCode,
        { figures: `${Texts.word.total} ${currency}` }
      ],
      lineItems.map(({ description, discountAmount, lineAmount, productCode, quantity, taxCode, unitAmount }) => [
        description,
        Money.formatPlain(quantity),
        Parts.figureOf(unitAmount),
        ...(hasDiscount ? [Parts.figureOrBlank(discountAmount)] : []),
        taxCode,
        html`<code>${productCode ?? ""}</code>`,
        signed(lineAmount)
      ])
    )}
    ${facts(
      [
        [Texts.word.net, signed(subTotal)],
        [Texts.word.tax, signed(totalTax)],
        [`${Texts.word.total} ${currency}`, signed(total), "sum"]
      ],
      "amounts"
    )}
  </section>`
}

type Headed = Pick<TableDocument, "buyer" | "currency" | "date" | "kind" | "number" | "state" | "total">

/** Returns the heading of a document, and below it what the document is. */
const headOf = ({ buyer, currency, date, kind, number, state, total }: Headed): Html =>
  html`<h1>${Texts.sentence(Texts.kinds[kind ?? ""]?.[0] ?? "")} ${number}</h1>
    <p>
      ${Parts.stateBadge(state)} · ${when(buyer, () => html`<bdi>${buyer}</bdi> · `)}${Texts.day(date)} ·
      ${Parts.amount(currency, SignedSums.signed(kind, total))}
    </p>`

/** Returns a document as it will be sent, before anything is sent. */
export const plannedPage = (frame: Frame, one: PageImport, planned: ImportedDocument.ImportedDocument): Html => {
  const { buyer, currency, document, findings, kind, text } = planned
  return html`${steps(3, frame, one)}
    <p><a href="${`${frame.prefix}/imports/${one.id}`}">‹ ${Texts.page.checkTitle}</a></p>
    ${headOf({ ...planned, buyer: buyer ?? "", date: Parts.dated(planned) })} ${notice(text && Texts.dated(text))}
    ${findings.filter(Finding.refuses).map(Parts.foundText)}
    ${document === null || currency === null || kind === null ? null : linesOf(WrittenDocument.read(document).payload, { currency, kind })}`
}

const proofPart = (frame: Frame, { account, proof }: Submission.Submission, address: string): Html => {
  const { fiscalDay = null, fiscalInvoicePdf = null, qrCodeUrl = null, verificationCode = "" } = proof ?? {}
  const days = `${frame.prefix}/days?account=${encodeURIComponent(account)}&day=${fiscalDay ?? ""}`
  return card(
    documentTexts.proof,
    proof !== null &&
      html`${QrCode.picture(qrCodeUrl)}
      ${facts([
        [Texts.word.verification, html`<code>${verificationCode}</code>`],
        ...(fiscalDay === null ? [] : [[Texts.health.day, html`<a href="${days}">${fiscalDay}</a>`] as const])
      ])}
      ${when(fiscalInvoicePdf, () => html`<div class="actions"><a class="button" href="${address}/pdf">${documentTexts.pdf}</a></div>`)}`
  )
}

export const documentPage = (
  frame: Frame,
  explanation: Explanation.Explanation,
  zone: DateTime.TimeZone,
  note: string | null,
  { next, previous }: Readonly<Record<"next" | "previous", Submission.Submission | null>>,
  late: LateBy.LateBy | null,
  credit: ShownCredit | null
): Html => {
  const { conflicts, document, submission } = explanation
  const { account, environment, lane, number, receiptDate, revision, source } = submission
  const address = documentAddress(frame, account, submission) ?? ""
  const open = conflicts.filter(({ settledAt }) => settledAt === null)
  const beside = (one: Submission.Submission | null, label: string) =>
    one === null ? null : html`<a href="${documentAddress(frame, one.account, one) ?? "#"}">${label}</a>`
  return html`<div class="paging">
      <a href="${frame.prefix}/documents">‹ ${Texts.word.documents}</a>
      ${beside(previous, `‹ ${previous?.number}`)} ${beside(next, `${next?.number} ›`)}
    </div>
    ${headOf({ ...submission, buyer: submission.buyer ?? "", date: submission.sourceDate })} ${notice(note)}
    ${open.map(
      ({ code, detail }) =>
        html`<div class="note bad">
          <p>
            <strong>${CodeEntry.find(KnownCodes.coreCodes, code)?.meaning ?? code}.</strong> ${detail}
            <code class="soft small">${code}</code>
          </p>
        </div>`
    )}
    ${credit === null ? null : creditPart(frame, credit, Texts.credit.note)}
    <div class="split">
      <div>
        ${toDoPart(frame, explanation, address, zone, late)} ${linesOf(document.payload, submission)}
        ${when(isFiscalised(submission) && credit === null, () => html`<div class="actions"><a class="button quiet" href="${creditAddress(frame, submission)}">${Texts.credit.look(number)}</a></div>`)}
        <details>
          <summary>${documentTexts.payload}</summary>
          <pre tabindex="0">
${WireCodec.encode(FiscalDocument.stamp(document, receiptDate ?? DateTime.setZone(submission.since, zone), "first"))}</pre>
        </details>
      </div>
      <div>
        ${proofPart(frame, submission, address)}
        ${card(
          documentTexts.facts,
          facts([
            [Texts.word.account, account],
            [Texts.word.device, `${Lane.deviceOf(lane)}, ${Texts.environments[environment] ?? environment}`],
            ...(receiptDate === null ? [] : [[documentTexts.receiptDate, Parts.moment(receiptDate, zone)] as const]),
            [
              Texts.word.inFile,
              html`${source.line === undefined ? Provenance.format(source) : `${source.file}, ${Texts.fix.row(source.line)}`}
              ${when(SourceRow.isPlaced(submission), () => html`<a href="${address}/source">${Texts.sourceRow.show}</a>`)}`
            ],
            ...(revision === 1 ? [] : [[documentTexts.revision, revision] as const])
          ])
        )}
        <section class="card">
          <h2>${documentTexts.timeline}</h2>
          <ol class="timeline">
            ${Timeline.sentences(explanation).map(
              ({ at, sentence, text, tone }) =>
                html`<li class="${tone}">
                  <span class="soft small">${Parts.moment(at, zone)}</span>
                  <p>${sentence}</p>
                  ${when(text, () => html`<p class="soft small">${Texts.dated(text ?? "")}</p>`)}
                </li>`
            )}
          </ol>
          <p class="soft small">${documentTexts.zone(DateTime.zoneToString(zone))}</p>
        </section>
      </div>
    </div>`
}
