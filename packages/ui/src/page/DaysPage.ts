import { DayLeg, FiscalDays, type ZReportComparison } from "@fiscal-connector/core/host/account"
import { type Finding, Money } from "@fiscal-connector/core/adapter"
import { LocalDateTime } from "@fiscal-connector/core/host"
import type { ZReport } from "@fiscal-connector/core/gateway"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Reconcile } from "@fiscal-connector/core/session"
import { BigDecimal } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, table, type TableRow } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as AccountReport from "../report/AccountReport.ts"
import { actionPart } from "./HealthPage.ts"
import { caseCard } from "./part/Case.ts"
import { hidden } from "./part/Form.ts"
import { type Frame, notice, tabs } from "./part/Layout.ts"

const texts = Texts.days

const time = (at: ZReport.ZReport["openedAt"]): string => {
  const [day = "", clock = ""] = at === null ? [] : LocalDateTime.wallClock(at).split(" ")
  return at === null ? "" : `${Texts.day(day)}, ${clock.slice(0, 5)}`
}

const result = ({ isSuccess }: ZReport.ZReport): Html =>
  isSuccess === null
    ? html``
    : isSuccess
      ? html`<span class="badge good">${texts.closed}</span>`
      : html`<span class="badge bad">${texts.notClosed}</span>`

const found = (findings: ReadonlyArray<Finding.Finding>): Html =>
  html`${findings.map(
    (finding) =>
      html`<div class="note ${finding.severity === "error" ? "bad" : "waiting"}">${Parts.foundText(finding)}</div>`
  )}`

const address = (frame: Frame, account: string, more = ""): string =>
  `${frame.prefix}/days?account=${encodeURIComponent(account)}${more}`

const accountTabs = (frame: Frame, accounts: ReadonlyArray<string>, shown: string, at: "days" | "month"): Html =>
  tabs(
    texts.heading,
    accounts.flatMap((account) =>
      (["days", "month"] as const).map((tab) => [
        address(frame, account, tab === "month" ? "&at=month" : ""),
        `${tab === "days" ? texts.heading : texts.month}${accounts.length > 1 ? ` · ${account}` : ""}`,
        account === shown && tab === at
      ])
    )
  )

const shown = 60

/** Number of days that one click compares: each costs a request for its report. */
export const together = 10

const suspectsPart = (frame: Frame, { compared }: FiscalDays.FiscalDay): Html => {
  const suspects = compared?.differences.flatMap((one) => one.suspects) ?? []
  return when(
    suspects.length > 0,
    () =>
      html`<p><b>${texts.explains}:</b></p>
        <ul class="plain-list">
          ${suspects.map(({ because, number }) => html`<li><a href="${`${frame.prefix}/documents?matching=${encodeURIComponent(number)}`}">${number}</a>: ${Texts.states[because] ?? because}</li>`)}
        </ul>`
  )
}

const looks = { agrees: "good", differs: "unknown", awaited: "waiting" } as const

const stateOf = ({ compared }: FiscalDays.FiscalDay): Html => {
  const standing = compared?.standing
  return typeof standing === "string"
    ? html`<span class="badge ${looks[standing]}">${texts.states[standing]}</span>`
    : html`<span class="badge plain">${texts.states.notPossible}</span>`
}

/** Returns documents and sums of days together: sent, in the day reports, and the difference. */
const sumCells = (days: ReadonlyArray<FiscalDays.FiscalDay>): ReadonlyArray<Html> => {
  const each = FiscalDays.balancesOf(...days)
  const documents = days.reduce((sum, { compared }) => sum + (compared?.proven ?? 0) + (compared?.claimed ?? 0), 0)
  const all = (of: (one: (typeof each)[number], at: number) => Html | string) =>
    html`${each.map((one, at) => html`<div>${of(one, at)}</div>`)}`
  return [
    all(
      ({ currency, store }, at) =>
        html`${when(at === 0, () => html`<span class="soft">${documents.toLocaleString("en")}</span>`)}
        ${Parts.amount(currency, store)}`
    ),
    all(({ currency, device }) => Parts.amount(currency, device)),
    all(({ device, store }) => difference(true, device, store))
  ]
}

const comparedCells = (read: FiscalDays.FiscalDay | undefined): ReadonlyArray<string | Html> =>
  read?.compared?.comparison == null
    ? ["", "", "", read === undefined ? html`<span class="soft">${texts.notRead}</span>` : stateOf(read)]
    : [...sumCells([read]), stateOf(read)]

/** Shows a day that needs an operator: its taxes, what explains it, and the ways out. */
const openDayPart = (frame: Frame, account: string, day: FiscalDays.FiscalDay): Html => {
  const number = day.day.fiscalDayNumber ?? 0
  const differing = FiscalDays.countersOf(day).filter(({ device, store }) => !isEqual(device, store))
  return caseCard(
    "waiting",
    texts.one(number),
    time(day.day.openedAt),
    html`${day.findings.map(Parts.foundText)} ${when(differing.length > 0, () => countersTable(day, differing))}
    ${suspectsPart(frame, day)}`,
    html`<a class="button quiet" href="${address(frame, account, `&day=${number}`)}"
        >${Texts.health.examine(texts.one(number))}</a
      ><a
        class="later small"
        href="${`${frame.prefix}/acknowledge?account=${encodeURIComponent(account)}&day=${number}`}"
        >${Texts.health.acknowledge}</a
      >`
  )
}

/** `read`: the days whose reports were read, by their numbers. */
export const daysPage = (
  frame: Frame,
  accounts: ReadonlyArray<string>,
  account: string,
  { days, findings }: FiscalDays.FiscalDays,
  read: ReadonlyMap<number, FiscalDays.FiscalDay>
): Html => {
  const open = Array.from(read.values()).filter(({ compared, findings }) => findings.length > 0 && compared !== null)
  const compared = Array.from(read.values()).filter(({ compared }) => compared?.comparison != null)
  const agree = Array.from(read.values()).filter(({ compared }) => compared?.standing === "agrees").length
  return html`${accountTabs(frame, accounts, account, "days")}
    <div class="head">
      <div>
        <h1>${texts.title(account)}${when(read.size > 0, () => html`: ${texts.agreeing(agree, read.size)}`)}</h1>
        <p>${texts.about}</p>
      </div>
    </div>
    ${found(findings)} ${open.map((one) => openDayPart(frame, account, one))}
    ${
      days.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card days">
            ${table(
              texts.title(account),
              [
                Texts.health.day,
                texts.opened,
                texts.closedAt,
                { figures: texts.place.sent },
                { figures: texts.place.reports },
                { figures: Texts.word.difference },
                Texts.word.state
              ],
              days
                .slice(-shown)
                .toReversed()
                .map((day) => [
                  html`<a href="${address(frame, account, `&day=${day.fiscalDayNumber ?? ""}`)}"
                    ><b>${texts.one(day.fiscalDayNumber ?? 0)}</b></a
                  >`,
                  time(day.openedAt),
                  html`${time(day.closedAt)}
                  ${day.isSuccess === false ? html`${result(day)} ${day.message ?? ""}` : null}`,
                  ...comparedCells(read.get(day.fiscalDayNumber ?? -1))
                ]),
              compared.length > 1 ? [texts.together, "", texts.days(compared.length), ...sumCells(compared), ""] : null
            )}
            ${when(days.length > shown, () => html`<p class="soft small">${texts.older(days.length - shown)}</p>`)}
            <div class="actions">
              <a class="button ${read.size === 0 ? "" : "quiet"}" href="${address(frame, account, "&read=yes")}"
                >${texts.readThem(Math.min(days.length, together))}</a
              >
            </div>
          </section>`
    }`
}

const difference = (isCompared: boolean, device: Money.Money | null, store: Money.Money | null): Html => {
  const more = BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)
  return when(
    isCompared,
    () => html`<b class="${BigDecimal.isZero(more) ? "good" : "bad"}">${Parts.figureOf(more)}</b>`
  )
}

const isEqual = (device: Money.Money | null, store: Money.Money | null): boolean =>
  BigDecimal.equals(device ?? Money.zero, store ?? Money.zero)

const countersTable = (
  { compared, day, taxNames }: FiscalDays.FiscalDay,
  rows: ReadonlyArray<ZReportComparison.CounterRow>
): Html =>
  table(
    texts.one(day.fiscalDayNumber ?? 0),
    [
      Texts.word.currency,
      texts.counter,
      Texts.word.tax,
      Texts.word.payment,
      { figures: texts.place.sent },
      { figures: texts.place.reports },
      { figures: Texts.word.difference }
    ],
    rows.map(({ counter, currency, device, payment, store, tax }) => [
      currency,
      html`${texts.counters[counter]} <code class="soft small">${counter}</code>`,
      tax === null ? "" : `${taxNames.get(tax) ?? ""} (${tax})`.trim(),
      payment ?? (counter === "Balance" ? texts.notStated : ""),
      Parts.figureOrBlank(store),
      Parts.figureOrBlank(device),
      difference(compared !== null, device, store)
    ])
  )

export const dayPage = (frame: Frame, account: string, shownDay: FiscalDays.FiscalDay): Html => {
  const { compared, day, findings } = shownDay
  return html`<p><a href="${address(frame, account)}">‹ ${texts.title(account)}</a></p>
    <h1>${texts.one(day.fiscalDayNumber ?? 0)}</h1>
    <p>${result(day)} ${time(day.openedAt)} – ${time(day.closedAt)} ${day.message ?? ""}</p>
    ${found(findings)} ${suspectsPart(frame, shownDay)}
    ${when(findings.length === 0 && compared?.standing === "agrees", () => html`<div class="note good"><p>${texts.agrees}</p></div>`)}
    <p>${compared === null ? texts.noStore : DayLeg.extentOf(compared)}</p>
    <section class="card">${countersTable(shownDay, FiscalDays.countersOf(shownDay))}</section>`
}

export interface ShownMonth {
  readonly month: string
  readonly found: Reconcile.Reconciliation | null
  /** Reason for no account. Null if there is one, or none was asked for. */
  readonly text: string | null
}

const differenceRow = (
  frame: Frame,
  { acknowledged, amount, code, currency, documents, grade, step, text }: Reconcile.Difference
): TableRow => {
  const [first] = documents
  const named = documents.map(
    ({ number }) => html`<a href="${`${frame.prefix}/documents?matching=${encodeURIComponent(number)}`}">${number}</a> `
  )
  const account = first?.account ?? null
  const action =
    step.do === "explain" ? null : actionPart(frame, null, { step, document: null, account, effect: "shows" }, false)
  return [
    amount === null ? "" : Parts.amount(currency ?? "", amount),
    html`<b>${texts.grades[grade]}.</b> ${text}. <code class="soft small">${code}</code>`,
    acknowledged === null
      ? html`${named}${action}${when(named.length === 0 && action === null, () => html`${Texts.health.noAction(code)}`)}`
      : texts.examined(acknowledged)
  ]
}

/** Shows the four places as columns. The figures are core's. */
const placesTable = (currency: string, places: ReadonlyArray<Reconcile.PlaceSum>): Html => {
  const cell = (documents: number | null, money: Html | string) =>
    html`${when(documents !== null, () => html`<span class="soft">${documents?.toLocaleString("en").replace("-", "−")}</span> `)}${money}`
  const kind = (name: "invoice" | "credit-note") => [
    html`<b>${Texts.sentence(Texts.kinds[name]?.[1] ?? name)}</b>`,
    ...places.map((one) => {
      const sum = one[name]
      return sum === null
        ? Texts.credit.notKnown
        : cell(sum.documents, Parts.figureOf(SignedSums.signed(name, sum.total)))
    })
  ]
  return html`<div class="places">
    ${table(
      `${texts.places}, ${currency}`,
      [`${texts.places}, ${currency}`, ...places.map(({ place }) => ({ figures: texts.place[place] }))],
      [
        kind("invoice"),
        kind("credit-note"),
        [
          html`<b>${texts.together}</b>`,
          ...places.map(({ documents, total }) => cell(documents, html`<b>${Parts.figureOf(total)}</b>`))
        ],
        [
          html`<b>${texts.moreThanLeft}</b>`,
          ...places.map(({ more }) => more && cell(more.documents, difference(true, more.total, null)))
        ]
      ]
    )}
  </div>`
}

const accountParts = (frame: Frame, found: Reconcile.Reconciliation): Html => {
  const { chains, deviceSums, differences, notes } = found
  return html`${Array.from(
      chains ?? [],
      ([currency, rows]) =>
        html`<section class="card">
          ${placesTable(currency, Reconcile.placesOf(rows, deviceSums.get(currency)!))}
          <details class="chain">
            <summary class="small">${texts.chain}</summary>
            ${AccountReport.chain(found, currency, rows)}
          </details>
        </section>`
    )}
    ${when(chains === null, () => html`<div class="note waiting"><p>${texts.notSummed}</p></div>`)}
    ${card(
      texts.differences(differences.length),
      differences.length > 0 &&
        html`<div class="stacked">
          ${table(
            texts.differences(differences.length),
            [{ figures: texts.more }, Texts.word.difference, Texts.word.toDo],
            differences.map((one) => differenceRow(frame, one))
          )}
        </div>`
    )}
    <section class="card stacked">
      <h2>${texts.compared}</h2>
      ${AccountReport.legs(found)}
      <p class="soft small">${texts.books}</p>
    </section>
    ${notes.map((note) => html`<p class="small">${note}</p>`)}`
}

export const monthPage = (
  frame: Frame,
  accounts: ReadonlyArray<string>,
  account: string,
  { found, month, text }: ShownMonth
): Html => {
  const open = found?.differences.filter(({ acknowledged }) => acknowledged === null).length ?? 0
  return html`${accountTabs(frame, accounts, account, "month")}
    <div class="head">
      <div>
        <h1>
          ${found === null ? texts.month : `${Texts.month(month)}: ${texts.results[Reconcile.exitOf(found)](open)}`}
        </h1>
        <p>${texts.monthAbout}</p>
      </div>
      <form class="chips" method="post" action="${frame.prefix}/days">
        ${hidden({ token: frame.token, account })}
        <label><span>${texts.monthField}</span><input type="month" name="month" value="${month}" required /></label>
        <button class="${found === null ? "" : "quiet"}">${texts.compare}</button>
      </form>
    </div>
    ${notice(text)} ${found === null ? null : accountParts(frame, found)}`
}
