import { DayLeg, type FiscalDays, type ZReportComparison } from "@fiscal-connector/core/host/account"
import { type Finding, Money } from "@fiscal-connector/core/adapter"
import { LocalDateTime } from "@fiscal-connector/core/host"
import type { ZReport } from "@fiscal-connector/core/gateway"
import { Reconcile } from "@fiscal-connector/core/session"
import { BigDecimal } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, table, type TableRow } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as AccountReport from "../report/AccountReport.ts"
import { actionPart } from "./HealthPage.ts"
import { hidden } from "./part/Form.ts"
import { type Frame, notice, tabs } from "./part/Layout.ts"

const texts = Texts.days

const time = (at: ZReport.ZReport["openedAt"]): string => {
  const [day = "", clock = ""] = at === null ? [] : LocalDateTime.wallClock(at).split(" ")
  return at === null ? "" : `${Texts.day(day)}, ${clock}`
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

/** Balances of a day by currency. Null where the device or the store states none. */
const balances = ({ compared }: FiscalDays.FiscalDay) => {
  const rows = (compared?.comparison?.rows ?? []).filter(({ counter }) => counter === "Balance")
  return Array.from(
    Map.groupBy(rows, ({ currency }) => currency),
    ([currency, all]) => {
      const sum = (of: (row: (typeof all)[number]) => Money.Money | null) =>
        all.some((row) => of(row) !== null) ? BigDecimal.sumAll(all.map((row) => of(row) ?? Money.zero)) : null
      return { currency, device: sum((row) => row.device), store: sum((row) => row.store) }
    }
  )
}

const suspectsPart = (frame: Frame, { compared }: FiscalDays.FiscalDay): Html => {
  const suspects = compared?.differences.flatMap((one) => one.suspects) ?? []
  return when(
    suspects.length > 0,
    () =>
      html`<section class="note waiting">
        <h2>${texts.explains}</h2>
        <ul class="plain-list">
          ${suspects.map(({ because, number }) => html`<li><a href="${`${frame.prefix}/documents?matching=${encodeURIComponent(number)}`}">${number}</a>: ${Texts.states[because] ?? because}</li>`)}
        </ul>
      </section>`
  )
}

const comparedCells = (read: FiscalDays.FiscalDay | undefined): ReadonlyArray<string | number | Html> => {
  const { compared = null } = read ?? {}
  if (read === undefined || compared?.comparison == null)
    return [
      "",
      "",
      "",
      "",
      html`<span class="soft">${read === undefined ? texts.notRead : texts.states.notPossible}</span>`
    ]
  const each = balances(read)
  const all = (of: (one: (typeof each)[number]) => Html | string) =>
    html`${each.map((one) => html`<div>${of(one)}</div>`)}`
  const { standing } = compared
  return [
    compared.proven + compared.claimed,
    all(({ currency, store }) => Parts.amount(currency, store)),
    all(({ currency, device }) => Parts.amount(currency, device)),
    all(({ device, store }) => difference(true, device, store)),
    typeof standing === "string" ? texts.states[standing] : texts.states.notPossible
  ]
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
  return html`${accountTabs(frame, accounts, account, "days")}
    <h1>${texts.title(account)}</h1>
    ${found(findings)} ${open.map((one) => html`${found(one.findings)}${suspectsPart(frame, one)}`)}
    ${
      days.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card days">
            ${table(
              texts.title(account),
              [
                { figures: texts.day },
                texts.opened,
                texts.closedAt,
                { figures: texts.sent },
                { figures: texts.sentSum },
                { figures: texts.report },
                { figures: Texts.word.difference },
                Texts.word.state
              ],
              days
                .slice(-shown)
                .toReversed()
                .map((day) => [
                  html`<a href="${address(frame, account, `&day=${day.fiscalDayNumber ?? ""}`)}"
                    >${day.fiscalDayNumber ?? "?"}</a
                  >`,
                  time(day.openedAt),
                  html`${time(day.closedAt)}
                  ${day.isSuccess === false ? html`${result(day)} ${day.message ?? ""}` : null}`,
                  ...comparedCells(read.get(day.fiscalDayNumber ?? -1))
                ])
            )}
            ${when(days.length > shown, () => html`<p class="soft small">${texts.older(days.length - shown)}</p>`)}
            <div class="actions">
              <a class="button quiet" href="${address(frame, account, "&read=yes")}"
                >${texts.readThem(Math.min(days.length, together))}</a
              >
            </div>
          </section>`
    }`
}

const amount = (money: Money.Money | null): string => (money === null ? "" : Parts.figureOf(money))

const difference = (isCompared: boolean, device: Money.Money | null, store: Money.Money | null): Html => {
  const more = BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)
  return when(
    isCompared && !BigDecimal.isZero(more),
    () => html`<span class="badge bad">${Parts.figureOf(more)}</span>`
  )
}

const counters = ({ compared, day }: FiscalDays.FiscalDay): ReadonlyArray<ZReportComparison.CounterRow> =>
  compared?.comparison?.rows ??
  (day.summaries ?? []).map(({ amount, counterType, currency, paymentMethod, taxId }) => ({
    counter: counterType,
    currency: currency ?? "",
    tax: taxId,
    payment: paymentMethod,
    device: amount,
    store: null
  }))

export const dayPage = (frame: Frame, account: string, shownDay: FiscalDays.FiscalDay): Html => {
  const { compared, day, findings, taxNames } = shownDay
  return html`<p><a href="${address(frame, account)}">‹ ${texts.title(account)}</a></p>
    <h1>${texts.one(day.fiscalDayNumber ?? 0)}</h1>
    <p>${result(day)} ${time(day.openedAt)} – ${time(day.closedAt)} ${day.message ?? ""}</p>
    ${found(findings)} ${suspectsPart(frame, shownDay)}
    ${when(findings.length === 0 && compared?.standing === "agrees", () => html`<div class="note good"><p>${texts.agrees}</p></div>`)}
    <p>${compared === null ? texts.noStore : DayLeg.extentOf(compared)}</p>
    <section class="card">
      ${table(
        texts.one(day.fiscalDayNumber ?? 0),
        [
          Texts.word.currency,
          texts.counter,
          Texts.word.tax,
          Texts.word.payment,
          { figures: Texts.word.device },
          { figures: texts.store },
          { figures: Texts.word.difference }
        ],
        counters(shownDay).map(({ counter, currency, device, payment, store, tax }) => [
          currency,
          counter,
          tax === null ? "" : `${taxNames.get(tax) ?? ""} (${tax})`.trim(),
          payment ?? (counter === "Balance" ? texts.notStated : ""),
          amount(device),
          amount(store),
          difference(compared !== null, device, store)
        ])
      )}
    </section>`
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

const accountParts = (frame: Frame, found: Reconcile.Reconciliation): Html => {
  const { chains, differences, notes } = found
  return html`${Array.from(
      chains ?? [],
      ([currency, rows]) => html`<section class="card chain">${AccountReport.chain(found, currency, rows)}</section>`
    )}
    ${when(chains === null, () => html`<div class="note waiting"><p>${texts.notSummed}</p></div>`)}
    ${card(
      texts.differences(differences.length),
      differences.length > 0 &&
        table(
          texts.differences(differences.length),
          [{ figures: texts.more }, Texts.word.difference, Texts.word.toDo],
          differences.map((one) => differenceRow(frame, one))
        )
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
