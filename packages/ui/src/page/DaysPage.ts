/**
 * Pages of closed fiscal days: a list, a single day with its counters compared with the store, and
 * the account of a month.
 */
import type { CounterRow } from "@fiscal-connector/core/unstable/day/ZReportComparison"
import * as DayLeg from "@fiscal-connector/core/unstable/day/DayLeg"
import type { FiscalDay, FiscalDays } from "@fiscal-connector/core/unstable/day/FiscalDays"
import * as Money from "@fiscal-connector/core/document/Money"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { wallClock } from "@fiscal-connector/core/unstable/gateway/operation/LocalDateTime"
import type { ZReport } from "@fiscal-connector/core/gateway/operation/ZReport"
import * as Reconcile from "@fiscal-connector/core/unstable/session/Reconcile"
import { BigDecimal } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import * as AccountReport from "../report/AccountReport.ts"
import { actionPart } from "./HealthPage.ts"
import { type Frame, notice, tokenOf } from "./part/Layout.ts"

const texts = Texts.days

const time = (at: ZReport["openedAt"]): string => (at === null ? "" : wallClock(at))

const result = ({ isSuccess }: ZReport): Html =>
  isSuccess === null
    ? html``
    : isSuccess
      ? html`<span class="badge good">${texts.closed}</span>`
      : html`<span class="badge bad">${texts.notClosed}</span>`

const found = (findings: ReadonlyArray<Finding>): Html =>
  html`${findings.map(
    (finding) =>
      html`<div class="note ${finding.severity === "error" ? "bad" : "waiting"}">${Parts.foundText(finding)}</div>`
  )}`

const address = (frame: Frame, account: string, more = ""): string =>
  `${frame.prefix}/days?account=${encodeURIComponent(account)}${more}`

/** Returns the two tabs of each account, with the shown one marked. */
const tabs = (frame: Frame, accounts: ReadonlyArray<string>, shown: string, at: "days" | "month"): Html =>
  html`<ul class="tabs" aria-label="${texts.heading}">
    ${accounts.flatMap((account) =>
      (["days", "month"] as const).map(
        (tab) =>
          html`<li>
            <a
              href="${address(frame, account, tab === "month" ? "&at=month" : "")}"
              aria-current="${account === shown && tab === at ? "true" : "false"}"
              >${tab === "days" ? texts.heading : texts.month}${accounts.length > 1 ? ` · ${account}` : ""}</a
            >
          </li>`
      )
    )}
  </ul>`

/** Maximum number of days, newest first. */
const shown = 60

export const daysPage = (
  frame: Frame,
  accounts: ReadonlyArray<string>,
  account: string,
  { days, findings }: FiscalDays
): Html =>
  html`${tabs(frame, accounts, account, "days")}
    <h1>${texts.title(account)}</h1>
    ${found(findings)}
    ${
      days.length === 0
        ? html`<p class="soft">${texts.none}</p>`
        : html`<section class="card">
            ${table(
              texts.title(account),
              [{ figures: texts.day }, texts.opened, texts.closedAt, texts.result, texts.message],
              days
                .slice(-shown)
                .toReversed()
                .map(
                  (day) =>
                    html`<tr>
                      <td class="number">
                        <a href="${address(frame, account, `&day=${day.fiscalDayNumber ?? ""}`)}"
                          >${day.fiscalDayNumber ?? "?"}</a
                        >
                      </td>
                      <td>${time(day.openedAt)}</td>
                      <td>${time(day.closedAt)}</td>
                      <td>${result(day)}</td>
                      <td>${day.message ?? ""}</td>
                    </tr>`
                )
            )}
            ${when(days.length > shown, () => html`<p class="soft small">${texts.older(days.length - shown)}</p>`)}
          </section>`
    }`

const amount = (money: Money.Money | null): string => (money === null ? "" : Parts.figureOf(money))

/** Shows the device's amount minus the store's. Empty if both are equal or not compared. */
const difference = (isCompared: boolean, device: Money.Money | null, store: Money.Money | null): Html => {
  const more = BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)
  return when(
    isCompared && !BigDecimal.isZero(more),
    () => html`<span class="badge bad">${Parts.figureOf(more)}</span>`
  )
}

const counters = ({ compared, day }: FiscalDay): ReadonlyArray<CounterRow> =>
  compared?.comparison?.rows ??
  (day.summaries ?? []).map(({ amount, counterType, currency, paymentMethod, taxId }) => ({
    counter: counterType,
    currency: currency ?? "",
    tax: taxId,
    payment: paymentMethod,
    device: amount,
    store: null
  }))

export const dayPage = (frame: Frame, account: string, shownDay: FiscalDay): Html => {
  const { compared, day, findings, taxNames } = shownDay
  const suspects = compared?.differences.flatMap(({ suspects }) => suspects) ?? []
  return html`<p><a href="${address(frame, account)}">‹ ${texts.title(account)}</a></p>
    <h1>${texts.one(day.fiscalDayNumber ?? 0)}</h1>
    <p>${result(day)} ${time(day.openedAt)} – ${time(day.closedAt)} ${day.message ?? ""}</p>
    ${found(findings)}
    ${when(
      suspects.length > 0,
      () =>
        html`<section class="note waiting">
          <h2>${texts.explains}</h2>
          <ul class="plain-list">
            ${suspects.map(({ because, number }) => html`<li><a href="${`${frame.prefix}/documents?matching=${encodeURIComponent(number)}`}">${number}</a>: ${Texts.states[because] ?? because}</li>`)}
          </ul>
        </section>`
    )}
    ${when(findings.length === 0 && compared?.standing === "agrees", () => html`<div class="note good"><p>${texts.agrees}</p></div>`)}
    <p>${compared === null ? texts.noStore : DayLeg.extentOf(compared)}</p>
    <section class="card">
      ${table(
        texts.one(day.fiscalDayNumber ?? 0),
        [
          texts.currency,
          texts.counter,
          texts.tax,
          texts.payment,
          { figures: texts.device },
          { figures: texts.store },
          { figures: texts.difference }
        ],
        counters(shownDay).map(
          ({ counter, currency, device, payment, store, tax }) =>
            html`<tr>
              <td>${currency}</td>
              <td>${counter}</td>
              <td>${tax === null ? "" : `${taxNames.get(tax) ?? ""} (${tax})`.trim()}</td>
              <td>${payment ?? (counter === "Balance" ? texts.notStated : "")}</td>
              <td class="number">${amount(device)}</td>
              <td class="number">${amount(store)}</td>
              <td class="number">${difference(compared !== null, device, store)}</td>
            </tr>`
        )
      )}
    </section>`
}

/** A month to reconcile, with its account once it was compared. */
export interface ShownMonth {
  /** `2026-02`. */
  readonly month: string
  readonly found: Reconcile.Reconciliation | null
  /** Reason for no account. Null if there is one, or none was asked for. */
  readonly problem: string | null
}

const differenceRow = (
  frame: Frame,
  { acknowledged, amount, code, currency, documents, grade, step, text }: Reconcile.Difference
): Html => {
  const [first] = documents
  const named = documents.map(
    ({ number }) => html`<a href="${`${frame.prefix}/documents?matching=${encodeURIComponent(number)}`}">${number}</a> `
  )
  const account = first?.account ?? null
  const action =
    step.do === "explain" ? null : actionPart(frame, null, { step, document: null, account, effect: "shows" }, false)
  return html`<tr>
    <td class="number nowrap">${amount === null ? "" : Parts.amount(currency ?? "", amount)}</td>
    <td><b>${texts.grades[grade]}.</b> ${text}. <code class="soft small">${code}</code></td>
    <td>
      ${acknowledged === null ? html`${named}${action}${when(named.length === 0 && action === null, () => html`${Texts.health.noAction(code)}`)}` : texts.examined(acknowledged)}
    </td>
  </tr>`
}

const accountParts = (frame: Frame, found: Reconcile.Reconciliation): Html => {
  const { chains, differences, notes } = found
  return html`${Array.from(
      chains ?? [],
      ([currency, rows]) => html`<section class="card chain">${AccountReport.chain(found, currency, rows)}</section>`
    )}
    ${when(chains === null, () => html`<div class="note waiting"><p>${texts.notSummed}</p></div>`)}
    ${when(
      differences.length > 0,
      () =>
        html`<section class="card">
          <h2>${texts.differences(differences.length)}</h2>
          ${table(
            texts.differences(differences.length),
            [{ figures: texts.more }, texts.what, texts.whatToDo],
            differences.map((one) => differenceRow(frame, one))
          )}
        </section>`
    )}
    <section class="card">
      <h2>${texts.compared}</h2>
      ${AccountReport.legs(found)}
      <p class="soft small">${texts.books}</p>
    </section>
    ${notes.map((note) => html`<p class="small">${note}</p>`)}`
}

/** Shows the account of a month from core. */
export const monthPage = (
  frame: Frame,
  accounts: ReadonlyArray<string>,
  account: string,
  { found, month, problem }: ShownMonth
): Html => {
  const open = found?.differences.filter(({ acknowledged }) => acknowledged === null).length ?? 0
  return html`${tabs(frame, accounts, account, "month")}
    <div class="head">
      <div>
        <h1>
          ${found === null ? texts.month : `${Texts.month(month)}: ${texts.results[Reconcile.exitOf(found)](open)}`}
        </h1>
        <p>${texts.monthAbout}</p>
      </div>
      <form class="chips" method="post" action="${frame.prefix}/days">
        ${tokenOf(frame)}<input type="hidden" name="account" value="${account}" />
        <label><span>${texts.monthField}</span><input type="month" name="month" value="${month}" required /></label>
        <button class="${found === null ? "" : "quiet"}">${texts.compare}</button>
      </form>
    </div>
    ${notice(problem)} ${found === null ? null : accountParts(frame, found)}`
}
