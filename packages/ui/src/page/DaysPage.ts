import { DayLeg, FiscalDays } from "@fiscal-connector/core/host/account"
import { type Finding, Money } from "@fiscal-connector/core/adapter"
import { LocalDateTime } from "@fiscal-connector/core/host"
import type { ZReport } from "@fiscal-connector/core/gateway"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Reconcile } from "@fiscal-connector/core/session"
import { BigDecimal, DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as AccountReport from "../report/AccountReport.ts"
import { actionPart } from "./HealthPage.ts"
import { caseCard, namesOf } from "./part/Case.ts"
import { form, hidden } from "./part/Form.ts"
import { type Frame, head, notice, tabs } from "./part/Layout.ts"

const texts = Texts.days

const time = (at: ZReport.ZReport["openedAt"]): string => {
  const [day = "", clock = ""] = at === null ? [] : LocalDateTime.wallClock(at).split(" ")
  return at === null ? "" : `${Texts.day(day)}, ${clock.slice(0, 5)}`
}

/** Number of days that one click compares: each costs a request for its report. */
export const together = 10

/** Returns when the counters of a day ran. */
const times = ({ closedAt, isSuccess, openedAt }: ZReport.ZReport): Html =>
  html`${time(openedAt)} – ${time(closedAt)}
  ${when(isSuccess === false, () => html`<span class="badge bad">${texts.notClosed}</span>`)}`

const found = (findings: ReadonlyArray<Finding.Finding>): Html =>
  html`${findings
    .filter(({ code }) => code !== "DAY_DIFFERS")
    .map(
      (one) => html`<div class="note ${one.severity === "error" ? "bad" : "waiting"}">${Parts.foundText(one)}</div>`
    )}`

const address = (frame: Frame, account: string, more = ""): string =>
  `${frame.prefix}/days?account=${encodeURIComponent(account)}${more}`

const matching = ({ prefix }: Frame, list: "documents" | "credits", number: string): string =>
  `${prefix}/${list}?matching=${encodeURIComponent(number)}`

const button = (address: string, text: string): Html => html`<a class="button quiet" href="${address}">${text}</a>`

const accountTabs = (frame: Frame, accounts: ReadonlyArray<string>, shown: string, at: "days" | "month"): Html =>
  tabs(
    texts.heading,
    accounts.flatMap((account) =>
      (["days", "month"] as const).map((tab) => [
        address(frame, account, tab === "month" ? "&at=month" : ""),
        `${tab === "days" ? texts.heading : texts.month}${accounts.length > 1 ? ` · ${account}` : ""}`,
        account === shown && tab === at
      ])
    ),
    "pages"
  )

const difference = (device: Money.Money | null, store: Money.Money | null): Html => {
  const more = BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)
  return html`<b class="${BigDecimal.isZero(more) ? "good" : "bad"}">${Parts.figureOf(more)}</b>`
}

/** Shows a number of documents before their amount. */
const counted = (documents: number | null, money: Html | string): Html =>
  html`<span class="n">${documents?.toLocaleString("en").replace("-", "−")}</span> ${money}`

const looks = { agrees: "good", differs: "unknown", awaited: "waiting", notPossible: "plain" } as const

const stateOf = (day: FiscalDays.FiscalDay | undefined): Html => {
  const standing = day?.compared?.standing ?? "notPossible"
  const name = typeof standing === "string" ? standing : "notPossible"
  return day === undefined
    ? html`<span class="soft">${texts.notRead}</span>`
    : html`<span class="badge ${looks[name]}">${texts.states[name]}</span>`
}

const lines = <A>(all: Iterable<A>, of: (one: A, at: number) => Html | string): Html =>
  html`${Array.from(all, (one, at) => html`<div>${of(one, at)}</div>`)}`

/** Returns compared days together: sent, in the day reports, and the difference. */
const sumCells = (days: ReadonlyArray<FiscalDays.FiscalDay>): ReadonlyArray<Html> => {
  const each = FiscalDays.balancesOf(...days)
  const documents = days.reduce((sum, { compared }) => sum + (compared?.proven ?? 0) + (compared?.claimed ?? 0), 0)
  return [
    lines(each, ({ currency, store }, at) => counted(at === 0 ? documents : null, Parts.amount(currency, store))),
    lines(each, ({ currency, device }) => Parts.amount(currency, device)),
    lines(each, ({ device, store }) => difference(device, store))
  ]
}

const sides = [{ place: texts.place.sent }, { place: texts.place.reports }, { place: Texts.word.difference }]

const countersTable = (shown: FiscalDays.FiscalDay, rows: ReturnType<typeof FiscalDays.countersOf>): Html => {
  const { compared, day, taxNames } = shown
  const name = texts.one(day.fiscalDayNumber ?? 0)
  const balances = rows.filter(({ counter }) => counter === "Balance")
  // documents without a payment method: only the sum of the balances means something
  const isSum = balances.some(({ payment }) => payment === null) && balances.some(({ payment }) => payment !== null)
  return table(
    name,
    [name, ...sides],
    rows.map(({ counter, currency, device, payment, store, tax }) => [
      html`${[texts.counters[counter], tax === null ? null : `${taxNames.get(tax) ?? ""} (${tax})`, payment, currency].filter(Boolean).join(" · ")}
        <code class="soft small">${counter}</code>`,
      Parts.figureOrBlank(store),
      Parts.figureOrBlank(device),
      compared === null || (counter === "Balance" && isSum) ? "" : difference(device, store)
    ])
  )
}

const gapOf = (currency: string, amount: Money.Money): string =>
  texts.gap(Parts.amount(currency, BigDecimal.abs(amount)), BigDecimal.isNegative(amount) ? texts.less : texts.more)

/**
 * Shows a day that needs an operator: its counters, what explains it, and the ways out. `list`:
 * only the counters that say something.
 */
const openDayPart = (frame: Frame, account: string, shown: FiscalDays.FiscalDay, at: "list" | "page"): Html => {
  const { compared, day } = shown
  const [number, differences] = [day.fiscalDayNumber ?? 0, compared?.differences ?? []]
  const gaps = differences.flatMap(({ amount, currency }) =>
    BigDecimal.isZero(amount) ? [] : [gapOf(currency, amount)]
  )
  const suspects = differences.flatMap((one) => one.suspects)
  const [suspect, ...others] = suspects
  return caseCard(
    "waiting",
    `${texts.one(number)}: ${gaps.length === 0 ? texts.states.differs : gaps.join(", ")}`,
    time(day.closedAt),
    html`${countersTable(shown, at === "list" ? Reconcile.judgedCounters(shown) : FiscalDays.countersOf(shown))}
    ${differences.map((one) => html`<p>${DayLeg.wordsOf(one)}.</p>`)}`,
    html`${suspect === undefined || others.length > 0 ? null : button(matching(frame, "documents", suspect.number), Texts.health.look(suspect.number))}
      ${when(at === "list", () => button(address(frame, account, `&day=${number}`), Texts.health.look(texts.one(number))))}<a
        class="later small"
        href="${`${frame.prefix}/acknowledge?account=${encodeURIComponent(account)}&day=${number}`}"
        >${Texts.health.acknowledge}</a
      >`
  )
}

export interface DaysShown extends Reconcile.MonthOfDays {
  readonly findings: ReadonlyArray<Finding.Finding>
  /** Days whose reports were read, by their numbers. */
  readonly read: ReadonlyMap<number | null, FiscalDays.FiscalDay>
  /** Documents that the store has of each day. Null without a store. */
  readonly sent: Reconcile.SentOnDays | null
  /** Number of the open day with documents. Null if none is known, or in an earlier month. */
  readonly open: number | null
}

const monthForm = (frame: Frame, account: string, { month, months }: DaysShown): Html =>
  html`<form class="chips" action="${frame.prefix}/days">
    ${hidden({ account })}
    <label
      ><span>${texts.monthField}</span
      ><select name="month">
        ${months.map((one) => html`<option value="${one}" ${new Flag("selected", one === month)}>${Texts.month(one)}</option>`)}
      </select></label
    >
    <button class="quiet">${Texts.page.filter}</button>
  </form>`

export const daysPage = (frame: Frame, accounts: ReadonlyArray<string>, account: string, shown: DaysShown): Html => {
  const { days, findings, month, months, open, read, sent } = shown
  const known = days.flatMap(({ fiscalDayNumber }) => read.get(fiscalDayNumber) ?? [])
  const compared = known.filter(({ compared }) => compared?.comparison != null)
  const sentOn = (day: number | null) => {
    const { documents, sums } = sent?.days.get(day ?? -1) ?? { documents: 0, sums: [] }
    return lines(sums, ([currency, sum], at) => counted(at === 0 ? documents : null, Parts.amount(currency, sum)))
  }
  const link = (day: number | null) =>
    html`<a href="${address(frame, account, `&day=${day ?? ""}`)}"><b>${texts.one(day ?? 0)}</b></a>`
  return html`${accountTabs(frame, accounts, account, "days")}
    ${head(
      days.length === 0 ? texts.none : Reconcile.resultOf(days.length, known),
      texts.about,
      months.length > 0 ? monthForm(frame, account, shown) : null
    )}
    ${found(findings)} ${known.filter(Reconcile.needsOperator).map((one) => openDayPart(frame, account, one, "list"))}
    <section class="card days">
      ${table(
        texts.heading,
        [Texts.health.day, `${texts.opened} – ${texts.closedAt}`, ...sides, Texts.word.state],
        [
          ...(open === null
            ? []
            : [[link(open), "", sentOn(open), "", "", html`<span class="badge waiting">${texts.states.open}</span>`]]),
          ...days.toReversed().map((day) => {
            const one = read.get(day.fiscalDayNumber)
            const sums = one?.compared?.comparison == null ? [sentOn(day.fiscalDayNumber), "", ""] : sumCells([one])
            return [link(day.fiscalDayNumber), times(day), ...sums, stateOf(one)]
          })
        ],
        compared.length === 0 ? null : [texts.days(compared.length), "", ...sumCells(compared), ""]
      )}
      ${when(days.length > 0, () => html`<div class="actions"><a class="button ${read.size === 0 ? "" : "quiet"}" href="${address(frame, account, `&month=${month ?? ""}&read=yes`)}">${texts.readThem(Math.min(days.length, together))}</a></div>`)}
    </section>
    ${when(sent?.zone, () => html`<p class="soft small">${Texts.document.zone(DateTime.zoneToString(sent!.zone!))}</p>`)}`
}

export const dayPage = (frame: Frame, account: string, shown: FiscalDays.FiscalDay): Html => {
  const { compared, day, findings } = shown
  const suspects = compared?.differences.flatMap((one) => one.suspects) ?? []
  return html`<p><a href="${address(frame, account)}">‹ ${texts.heading}</a></p>
    <h1>${texts.one(day.fiscalDayNumber ?? 0)}</h1>
    <p>${stateOf(shown)} ${times(day)} ${day.message ?? ""}</p>
    ${found(findings)}
    ${card(
      texts.explains,
      suspects.length > 0 &&
        html`<ul class="plain-list">
          ${suspects.map(({ because, number }) => html`<li><a href="${matching(frame, "documents", number)}">${number}</a>: ${Texts.states[because] ?? because}</li>`)}
        </ul>`
    )}
    <p>${compared === null ? texts.noStore : DayLeg.extentOf(compared)}</p>
    ${Reconcile.needsOperator(shown) ? openDayPart(frame, account, shown, "page") : html`<section class="card days">${countersTable(shown, FiscalDays.countersOf(shown))}</section>`}`
}

export interface ShownMonth {
  readonly month: string
  readonly found: Reconcile.Reconciliation | null
  /** Reason for no account. Null if there is one, or none was asked for. */
  readonly text: string | null
}

/** Names the act after which books and receipts agree. */
const actOf = (frame: Frame, account: string, { documents, step }: Reconcile.Difference): Html | null => {
  const [first] = documents
  if (step.do === "compare-day")
    return button(address(frame, account, `&day=${step.day}`), Texts.health.look(texts.one(step.day)))
  if (first !== undefined && step.do === "credit")
    return button(matching(frame, "credits", first.number), texts.seeNote)
  if (first !== undefined && step.do === "explain")
    return button(matching(frame, "documents", first.number), Texts.health.look(first.number))
  return actionPart(frame, null, { step, document: null, account, effect: "shows" }, false)
}

const namedRow = (names: Html | string, amounts: string, text: Html, act: Html | null): Html =>
  html`<li>
    <div><b>${names}</b> <span class="soft small">${amounts}</span></div>
    <p>${text}</p>
    <div>${act}</div>
  </li>`

/** Documents that a difference names before its words. */
const few = 5

const differenceRow = (frame: Frame, account: string, one: Reconcile.Difference): Html => {
  const { acknowledged, amount, books, code, documents, grade, sent, words } = one
  const currency = one.currency ?? ""
  const amounts = [
    ...(books === null ? [] : [texts.inBooks(Parts.amount(currency, books))]),
    ...(sent === null ? [] : [texts.wasSent(Parts.amount(currency, sent))])
  ]
  const title = Reconcile.titles[code]
  const about = Texts.sentence(words.replace(`${documents[0]?.number ?? ""}: `, "").replace(/\.$/, ""))
  return namedRow(
    html`${documents.slice(0, few).map(({ number }) => html`<a href="${matching(frame, "documents", number)}">${number}</a> `)}`,
    amounts.length > 0 || amount === null ? amounts.join(", ") : gapOf(currency, amount),
    html`${when(title, () => html`<b>${title}.</b> `)}${Texts.dated(about)}. ${texts.grades[grade]}.
      <code class="soft small">${code}</code>`,
    acknowledged === null ? actOf(frame, account, one) : html`${texts.examined(acknowledged)}`
  )
}

const openRow = (
  frame: Frame,
  { currency, documents, numbers, standing, state, total }: Reconcile.WithoutReceipt
): Html => {
  const group = standing === "moving" ? "way" : "person"
  const names = numbers.length === 0 ? "" : `: ${namesOf(numbers, documents)}`
  return namedRow(
    Texts.documents(documents),
    texts.inBooks(Parts.amount(currency, total)),
    html`<b>${Reconcile.titles.SOURCE_NOT_HERE}.</b> ${Texts.states[state]}${names}`,
    button(`${frame.prefix}/documents?group=${group}`, Texts.health.look(Texts.documents(documents)))
  )
}

/** Shows the four places as columns. The figures are core's. */
const placesTable = (
  found: Reconcile.Reconciliation,
  currency: string,
  all: ReadonlyArray<Reconcile.PlaceSum>
): Html => {
  const days = found.days.map(({ day }) => day)
  const about = {
    ...texts.placesBy,
    gateway: texts.asked(Parts.moment(found.at, found.zone).slice(0, -":ss".length)),
    reports: days.length < 2 ? days.map(texts.one).join() : texts.ofDays(Math.min(...days), Math.max(...days))
  }
  const kind = (name: "invoice" | "credit-note") => [
    html`<b>${texts.counters[name === "invoice" ? "Sale" : "CreditNote"]}</b>`,
    ...all.map(({ [name]: sum }) =>
      sum === null ? Texts.credit.notKnown : counted(sum.documents, Parts.figureOf(SignedSums.signed(name, sum.total)))
    )
  ]
  return table(
    `${texts.places}, ${currency}`,
    [`${texts.places}, ${currency}`, ...all.map(({ place }) => ({ place: texts.place[place], about: about[place] }))],
    [
      kind("invoice"),
      kind("credit-note"),
      [
        html`<b>${texts.together}</b>`,
        ...all.map(({ documents, total }) => counted(documents, html`<b>${Parts.figureOf(total)}</b>`))
      ],
      [
        html`<b>${texts.moreThanLeft}</b>`,
        ...all.map(({ more }) => (more === null ? "" : counted(more.documents, difference(more.total, null))))
      ]
    ]
  )
}

/** Says of each pair of places what was compared, and what was not. */
const comparedPart = ({ account, legs, period }: Reconcile.Reconciliation): Html => {
  const said = (tone: "good" | "unknown", text: Html | string) =>
    html`<p><span class="badge ${tone}">${tone === "good" ? texts.done : texts.notDone}</span> ${text}</p>`
  const command = `connector reconcile FILES --account ${account} --from ${period.from} --to ${period.to}`
  return html`<div class="stacked">
    ${table(
      texts.compared,
      [],
      [
        ...(legs.some(({ name }) => name === "source ↔ store")
          ? []
          : [[Reconcile.sides["source ↔ store"], said("unknown", html`${texts.books} <code>${command}</code>`)]]),
        ...legs.map(({ compared, name, notPossible }) => [
          Reconcile.sides[name],
          html`${compared === null ? null : said("good", Texts.dated(compared))}
          ${notPossible.map((one) => said("unknown", Texts.dated(Reconcile.notPossible(one))))}`
        ])
      ]
    )}
  </div>`
}

const accountParts = (frame: Frame, found: Reconcile.Reconciliation): Html => {
  const { account, chains, deviceSums, differences, notes } = found
  const named = [
    ...differences.map((one) => differenceRow(frame, account, one)),
    ...Reconcile.withoutReceipt(found).map((one) => openRow(frame, one))
  ]
  return html`${Array.from(
    chains ?? [],
    ([currency, rows]) =>
      html`<section class="card days">
        ${placesTable(found, currency, Reconcile.placesOf(rows, deviceSums.get(currency)!))}
        <details class="chain">
          <summary class="small">${texts.chain}</summary>
          ${AccountReport.chain(found, currency, rows)}
        </details>
      </section>`
  )}
  ${when(chains === null, () => html`<div class="note waiting"><p>${texts.notSummed}</p></div>`)}
  ${card(
    texts.differences,
    named.length > 0 &&
      html`<ol class="named">
        ${named}
      </ol>`
  )}
  ${card(texts.compared, comparedPart(found))} ${notes.map((note) => html`<p class="small">${Texts.dated(note)}</p>`)}`
}

export const monthPage = (
  frame: Frame,
  accounts: ReadonlyArray<string>,
  account: string,
  { found, month, text }: ShownMonth
): Html =>
  html`${accountTabs(frame, accounts, account, "month")}
  ${head(
    found === null ? texts.month : `${Texts.month(month)}: ${Reconcile.outcomeOf(found)}`,
    texts.monthAbout,
    form(
      frame,
      `${frame.prefix}/days`,
      { account },
      html`<label><span>${texts.monthField}</span><input type="month" name="month" value="${month}" required /></label>
        <button class="${found === null ? "" : "quiet"}">${texts.compare}</button>`,
      "chips"
    )
  )}
  ${notice(text)} ${found === null ? null : accountParts(frame, found)}`
