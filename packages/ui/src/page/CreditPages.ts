/**
 * Pages of prepared credit notes: the list, one note beside its invoice, and the form that sends
 * the note. All figures are core's.
 */
import { Money } from "@fiscal-connector/core/adapter"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Credit, type Destination } from "@fiscal-connector/core/session"
import { type Explanation, Lane } from "@fiscal-connector/core/store"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { facts, table, type TableRow } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import { actionPart } from "./HealthPage.ts"
import { caseCard } from "./part/Case.ts"
import { consentWords } from "./part/ConsentWords.ts"
import { field, form, hidden, reasonField } from "./part/Form.ts"
import { type Frame, head, notice, tabs } from "./part/Layout.ts"
import { creditAddress, documentAddress } from "./SendPages.ts"

const texts = Texts.credit

type Order = Readonly<Record<string, string>>

/** Returns the two tabs of the documents. `noticed`: invoices that the source states otherwise. */
export const documentTabs = (frame: Frame, at: keyof typeof texts.tabs, noticed: number): Html =>
  tabs(
    Texts.word.documents,
    [
      [`${frame.prefix}/documents`, texts.tabs.documents, at === "documents"],
      [`${frame.prefix}/credits`, `${texts.tabs.credits} ${noticed.toLocaleString("en")}`, at === "credits"]
    ],
    "pages"
  )

/** Notes of the list that the operator wants to see. */
export interface CreditsView {
  readonly show: "all" | "prepared" | "not-prepared"
  /** Part of the number of the invoice, or of the buyer's name. */
  readonly matching: string
}

export const creditsView = (query: URLSearchParams): CreditsView => ({
  show: (["prepared", "not-prepared"] as const).find((one) => one === query.get("show")) ?? "all",
  matching: (query.get("matching") ?? "").trim().slice(0, 100)
})

export interface ShownCredit {
  readonly preview: Credit.Preview
  readonly explanation: Explanation.Explanation
  readonly destination: Destination.Destination
  /** Fields of the operator's choice: `full`, `number`, `receipt`, `seen`. */
  readonly order: Order
}

const negative = (money: Money.Money): string => Parts.figureOf(SignedSums.signed("credit-note", money))

/** Shows what has a receipt, what the books state, and what the note leaves. */
const balanceFacts = (preview: Credit.Preview): Html => {
  const { balance, result } = preview
  const made = result._tag === "Ready" ? result.prepared : null
  return facts([
    ...Credit.rowsOf(preview).flatMap(({ about, figures, of }) => {
      const money = figures === null ? texts.notKnown : Parts.figureOf(figures.total)
      return of === "to-credit" ? [] : [[texts.rows[of], html`${money} <span class="soft">${about}</span>`] as const]
    }),
    ...(made?.left == null || balance === null
      ? []
      : [
          [
            texts.after,
            html`${texts.leftOf(Parts.figureOf(made.left.total), Parts.figureOf(balance.fiscalised.total))}
            ${when(made.afterwards === "done", () => html`<span class="badge good">${Texts.days.states.agrees}</span>`)}`
          ] as const
        ])
  ])
}

const wayOut = (frame: Frame, { order, preview: { invoice } }: ShownCredit, why: Credit.Explained): Html | null => {
  const { account, id, number } = invoice
  const { step } = why
  if (step === undefined) return null
  const link = (address: string, text: string) => html`<a class="button quiet" href="${address}">${text}</a>`
  if (step.do === "credit") {
    const again = (more: Order) => creditAddress(frame, invoice, { ...order, ...more })
    if ("credited" in step)
      return form(
        frame,
        `${frame.prefix}/credits`,
        { account, id, credited: step.credited },
        html`${reasonField}<button class="quiet">${texts.credited(step.credited)}</button>`
      )
    if (step.number !== undefined)
      return html`<form method="get" action="${frame.prefix}/credits">
        ${hidden({ account, id, ...order, number: null })}
        <label class="field"
          ><span>${texts.number}</span><input type="text" name="number" required maxlength="50" autocomplete="off"
        /></label>
        <button class="quiet">${Texts.document.find}</button>
      </form>`
    if (step.receipt === undefined)
      return link(creditAddress(frame, invoice, step.amount === undefined ? {} : { full: "yes" }), texts.full)
    return step.seen === undefined
      ? link(again({ receipt: step.receipt }), texts.receipt(step.receipt))
      : link(again({ receipt: step.receipt, seen: "portal" }), texts.portal(step.receipt))
  }
  if (step.do === "explain" || step.do === "resolve")
    return why.number === undefined
      ? link(documentAddress(frame, account, invoice) ?? "#", number)
      : link(`${frame.prefix}/documents?matching=${encodeURIComponent(why.number)}`, why.number)
  return actionPart(frame, null, { step, document: null, account, effect: "shows" }, false)
}

const sendForm = (frame: Frame, { destination, order, preview }: ShownCredit): Html | null => {
  const { invoice, result } = preview
  if (result._tag !== "Ready" || !Credit.isReady(preview)) return null
  const { number, prepared } = result
  const total = `${invoice.currency} ${negative(prepared.figures.total)}`
  return form(
    frame,
    `${frame.prefix}/credits`,
    { account: invoice.account, id: invoice.id, ...order, total: Money.formatAmount(prepared.figures.total) },
    html`<h2>${texts.note} ${number}</h2>
      ${facts(
        [
          [Texts.word.tax, negative(prepared.figures.tax)],
          [Texts.word.total, total, "sum"]
        ],
        "amounts"
      )}
      ${field("because", texts.reason)}
      <p class="small soft">${destination.account} · ${Texts.page.device(Lane.deviceOf(destination.lane))}</p>
      ${consentWords(destination, undefined)}
      <button class="wide">${texts.send(number, total)}</button>
      <p class="links"><a href="${documentAddress(frame, invoice.account, invoice) ?? "#"}">${texts.dismiss}</a></p>`,
    "card stick"
  )
}

/** Returns the four lines of the balance, what the note leaves open, and the form or way out. */
export const creditPart = (frame: Frame, shown: ShownCredit, title: string, content: Html | null = null): Html => {
  const { order, preview } = shown
  const { balance, invoice, result } = preview
  const remarks = Credit.remarksOf(preview)
  const why = result._tag === "Hindered" ? Credit.explain(result.by) : null
  const form = sendForm(frame, shown)
  const card = html`<section class="card" id="note">
    <h2>${title}</h2>
    ${content} ${when(balance, () => balanceFacts(preview))}
    ${
      result._tag !== "Ready"
        ? null
        : html`${remarks.map((text) => html`<p class="small">${text}</p>`)} ${result.findings.map(Parts.foundText)}
          ${when(result.prepared.of === "difference" && order["receipt"] === undefined, () => html`<p><a href="${creditAddress(frame, invoice, { ...order, full: "yes" })}">${texts.full}</a></p>`)}`
    }
    ${when(result._tag === "NothingToCredit", () => html`<p>${result._tag === "NothingToCredit" ? texts.nothing[result.cause] : ""}</p>`)}
  </section>`
  const blocked =
    why === null
      ? null
      : caseCard(
          "waiting",
          texts.show["not-prepared"],
          invoice.number,
          html`<p>${why.text[0]?.toUpperCase()}${why.text.slice(1)}. ${why.fix}</p>`,
          wayOut(frame, shown, why)
        )
  return form === null
    ? html`${card}${blocked}`
    : html`<div class="split">
        <div>${card}</div>
        <div>${form}</div>
      </div>`
}

type Lines = Explanation.Explanation["document"]["payload"]["lineItems"]

const linesOf = (
  title: string,
  badge: Html,
  about: string,
  lines: Lines,
  total: Money.Money,
  figure: (money: Money.Money) => string
): Html =>
  html`<div class="grow">
    <h3>${title} ${badge}</h3>
    <p class="small soft">${about}</p>
    ${table(
      title,
      [
        { text: Texts.document.description, look: "why" },
        { figures: Texts.document.quantity },
        { figures: Texts.word.total }
      ],
      lines.map((line) => [line.description, Money.formatPlain(line.quantity), figure(line.lineAmount)]),
      [Texts.word.total, "", figure(total)]
    )}
  </div>`

const besideInvoice = ({ explanation: { document }, preview }: ShownCredit): Html | null => {
  const { invoice, receipt, result } = preview
  if (result._tag !== "Ready") return null
  const { buyerContact: buyer, lineItems, total } = document.payload
  const about = [
    Texts.day(invoice.sourceDate),
    invoice.buyer,
    buyer?.tin == null ? null : `TIN ${buyer.tin}`,
    receipt?.day == null ? null : Texts.days.one(receipt.day)
  ].filter((text) => text !== null && text !== "")
  const { content, figures } = result.prepared
  const badge = html`<span class="badge plain">${texts.show.prepared}</span>`
  return html`<div class="beside">
    ${linesOf(texts.invoice(invoice.number), Parts.stateBadge(invoice.state), about.join(" · "), lineItems, total, Parts.figureOf)}
    ${linesOf(`${texts.note} ${result.number}`, badge, texts.dated, content.lineItems, figures.total, negative)}
  </div>`
}

/** Says what changed in the books, on which day, and why no note is prepared. */
const changeOf = ({ changes, result, stated, statedAt }: Credit.NoticedPreview, zone: DateTime.TimeZone): string => {
  const what = changes === "" ? Texts.sentence(Credit.statedNow[stated]) : changes
  const why = result._tag === "Hindered" ? `. ${Texts.sentence(Credit.explain(result.by).text)}` : ""
  return `${statedAt === null ? what : texts.on(what, Texts.day(DateTime.formatIsoDate(DateTime.setZone(statedAt, zone))))}${why}`
}

const rowOf = (
  frame: Frame,
  preview: Credit.NoticedPreview,
  shown: ShownCredit | null,
  zone: DateTime.TimeZone
): TableRow => {
  const { invoice, result } = preview
  const made = result._tag === "Ready" ? result.prepared : null
  const isShown = shown?.preview.invoice.id === invoice.id
  return [
    html`<a href="${creditAddress(frame, invoice)}"><b>${invoice.number}</b></a>
      <span class="soft small"><bdi>${invoice.buyer ?? ""}</bdi></span>`,
    made === null ? "" : `${invoice.currency} ${negative(made.figures.total)}`,
    changeOf(preview, zone),
    made?.left == null ? texts.show["not-prepared"] : texts.left(Parts.figureOf(made.left.total)),
    isShown ? html`<span class="badge waiting">${texts.shownBelow}</span>` : ""
  ]
}

/** Notices of every account, with the problems of accounts that cannot be asked. */
export interface ListedCredits {
  readonly noticed: number
  /** Number of the notices that match. */
  readonly count: number
  readonly previews: ReadonlyArray<Credit.NoticedPreview>
  readonly problems: ReadonlyArray<string>
  readonly zone: DateTime.TimeZone
}

/** Notes that are found without a search. */
const few = 10

export const creditsPage = (
  frame: Frame,
  { count, noticed, previews, problems, zone }: ListedCredits,
  { matching, show }: CreditsView,
  shown: ShownCredit | null,
  note: string | null
): Html => {
  const isPrepared = ({ result }: Credit.Preview) => result._tag === "Ready"
  const [prepared, others] = [previews.filter(isPrepared), previews.filter((one) => !isPrepared(one))]
  const rows = { all: previews, prepared, "not-prepared": others }
  const sums = SignedSums.of(
    prepared.flatMap(({ invoice: { currency }, result }) =>
      result._tag === "Ready" ? [{ kind: "credit-note" as const, currency, ...result.prepared.figures }] : []
    )
  )
  const filter = (to: CreditsView["show"]) => {
    const query = new URLSearchParams({ ...(to !== "all" && { show: to }), ...(matching !== "" && { matching }) })
    return [`${frame.prefix}/credits?${query.toString()}`, `${texts.show[to]} ${rows[to].length}`, to === show] as const
  }
  return html`${documentTabs(frame, "credits", noticed)}
  ${head(
    prepared.length === 0 ? texts.noNote : texts.title(prepared.length, Tiles.amountsOf(sums)),
    noticed === 0 ? texts.none : texts.about
  )}
  ${notice(note)} ${problems.map((text) => notice(text, "bad"))}
  ${when(
    noticed > 0,
    () =>
      html`${tabs(Texts.page.filter, [filter("all"), filter("prepared"), filter("not-prepared")])}
      ${when(
        noticed > few || matching !== "",
        () =>
          html`<form method="get" action="${frame.prefix}/credits" role="search">
            ${hidden({ show: show === "all" ? null : show })}
            <div class="chips">
              <label
                ><span>${Texts.document.search}</span><input type="search" name="matching" value="${matching}"
              /></label>
              <button class="quiet">${Texts.document.find}</button>
            </div>
          </form>`
      )}
      ${when(rows[show].length === 0, () => html`<p class="soft">${Texts.page.nothingHere}</p>`)}`
  )}
  ${when(
    rows[show].length > 0,
    () =>
      html`<section class="card days">
        ${table(
          texts.tabs.credits,
          [
            Texts.sentence(Texts.kinds["invoice"]![0]),
            { place: texts.note },
            texts.changed,
            { place: texts.balance },
            Texts.word.state
          ],
          rows[show].map((one) => rowOf(frame, one, shown, zone)),
          show === "not-prepared"
            ? null
            : [Parts.kindOf("credit-note", prepared.length), Tiles.amountsOf(sums), "", "", ""]
        )}
        ${when(count > previews.length, () => html`<p class="soft small">${Texts.report.moreNumbers(count - previews.length)}</p>`)}
      </section>`
  )}
  ${shown === null ? null : creditPart(frame, shown, shown.preview.result._tag === "Ready" ? texts.beside(shown.preview.result.number) : texts.invoice(shown.preview.invoice.number), besideInvoice(shown))}`
}
