/** Whether somebody must look: the store's health, how the lanes stand, the doctor's findings, and outcomes by the hour. */
import type { StateTone } from "@fiscal-connector/core/unstable/submission/StateTone"
import type { Action } from "@fiscal-connector/core/attention/Action"
import type { AttentionCode } from "@fiscal-connector/core/attention/AttentionCode"
import type { AttentionItem } from "@fiscal-connector/core/attention/Attention"
import type * as Health from "@fiscal-connector/core/submission/Health"
import type { Activity } from "@fiscal-connector/core/submission/SubmissionQuery"
import type * as Doctor from "@fiscal-connector/core/unstable/doctor/Doctor"
import { DateTime } from "effect"
import { type Bar, plot } from "../html/Bars.ts"
import { html, type Html } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import { moment } from "./DocumentPages.ts"
import { followed, type Frame, live } from "./Layout.ts"
import { documentAddress } from "./SendPages.ts"

const words = Words.health

const barsOf = (activity: ReadonlyArray<Activity>, since: DateTime.Utc, hours: number): ReadonlyArray<Bar> =>
  Array.from({ length: hours }, (_, hour) => {
    const from = since.epochMilliseconds + hour * 3_600_000
    const counts = activity.find((one) => one.from.epochMilliseconds === from)?.counts ?? {}
    return {
      parts: [
        { tone: "good", count: counts.Fiscalised ?? 0 },
        { tone: "bad", count: (counts.Rejected ?? 0) + (counts.Declined ?? 0) },
        { tone: "waiting", count: (counts.Unknown ?? 0) + (counts.Expired ?? 0) + (counts.Accepted ?? 0) }
      ]
    }
  })

const lane = (
  frame: Frame,
  { accounts, closedAt, counts, fiscalDay, holder, lane: name, oldest, stop }: Health.LaneHealth,
  zone: DateTime.TimeZone
): Html => {
  const waiting = Object.entries(oldest)
  return html`<section class="card">
    <h2>${name}</h2>
    <dl>
      <dt>${Words.report.account}</dt>
      <dd>${accounts.join(", ")}</dd>
      <dt>${words.standing}</dt>
      <dd>${stop === null ? (holder === null ? words.idle : words.working) : `${words.stopped}: ${stop.because}`}</dd>
      ${
        stop?.retryAt == null
          ? null
          : html`<dt>${words.retry}</dt>
              <dd>${moment(stop.retryAt, zone)}</dd>`
      }
      <dt>${words.day}</dt>
      <dd>
        ${fiscalDay === null ? words.unknownDay : String(fiscalDay)}${closedAt === null ? "" : `, ${words.closed(moment(closedAt, zone))}`}
      </dd>
      <dt>${Words.report.documentsColumn}</dt>
      <dd>
        ${Object.entries(counts).map(([state, count]) => html`${Parts.stateBadge(state)} ${(count ?? 0).toLocaleString("en")} `)}
      </dd>
      ${waiting.map(([state, since]) =>
        since === undefined
          ? html``
          : html`<dt>${words.oldest(Words.states[state] ?? state)}</dt>
              <dd>${moment(since, zone)}</dd>`
      )}
    </dl>
    <p></p>
    <p><a href="${frame.prefix}/documents?group=person">${words.show}</a></p>
  </section>`
}

const marks: Readonly<Record<Doctor.Check["state"], readonly [word: string, tone: StateTone | "plain"]>> = {
  fine: ["fine", "good"],
  look: ["look", "waiting"],
  broken: ["broken", "bad"],
  "not-asked": ["not asked", "plain"]
}

export interface HealthShown {
  readonly health: Health.Health
  readonly concerns: ReadonlyArray<AttentionItem>
  readonly activity: ReadonlyArray<Activity>
  readonly since: DateTime.Utc
}

export const healthPage = (
  frame: Frame,
  shown: HealthShown | null,
  accounts: ReadonlyArray<string>,
  checks:
    | { readonly account: string; readonly checks: ReadonlyArray<Doctor.Check> }
    | { readonly problem: string }
    | null,
  zone: DateTime.TimeZone,
  standing: string
): Html =>
  followed(
    frame,
    standing,
    html`<h1>${Words.page.health}</h1>
      ${live("store", shown === null ? html`<p class="soft">${Words.document.empty}</p>` : storePart(frame, shown, zone))}
      <section class="card">
        <h2>${words.doctor}</h2>
        ${checks === null ? html`<p class="soft">${words.doctorText}</p>` : "problem" in checks ? html`<div class="note bad"><p>${checks.problem}</p></div>` : doctorPart(checks.checks)}
        <div class="actions">
          ${accounts.map((account) => html`<a class="button quiet" href="${frame.prefix}/health?examine=${encodeURIComponent(account)}">${words.examine(account)}</a>`)}
        </div>
      </section>
      <section class="card">
        <h2>${Words.days.heading}</h2>
        <p>${Words.days.about}</p>
        <div class="actions">
          ${accounts.map((account) => html`<a class="button quiet" href="${frame.prefix}/days?account=${encodeURIComponent(account)}">${Words.days.look(account)}</a>`)}
        </div>
      </section>
      <p class="soft small">${Words.document.zone(DateTime.zoneToString(zone))}</p>`
  )

const isSevere: ReadonlySet<AttentionCode> = new Set(["ACCOUNT_STOPPED", "STOPPED", "DAY_FAILED", "CONFLICT"])

/** The place of the page where the action is taken; null where the page has none. */
const actionLink = (frame: Frame, { account, document, step }: Action): Html | null => {
  const link = (address: string, text: string) =>
    html`<a class="button quiet" href="${`${frame.prefix}${address}`}">${text}</a>`
  if (document !== null) {
    const address = documentAddress(frame, document.key.account, document.key)
    return address === null ? null : html`<a class="button quiet" href="${address}">${document.number}</a>`
  }
  switch (step.do) {
    case "resume":
      return link("/documents?group=way", words.goOn)
    case "list":
      return link("/documents?group=person", words.show)
    case "resolve":
    case "withdraw":
      return step.of === undefined
        ? null
        : link("/documents?group=person", words.decide(step.do === "withdraw" ? step.do : step.as))
    case "doctor":
      return account === null ? null : link(`/health?examine=${encodeURIComponent(account)}`, words.examine(account))
    default:
      return null
  }
}

const storePart = (frame: Frame, { activity, concerns, health, since }: HealthShown, zone: DateTime.TimeZone): Html => {
  const sum = (state: "Fiscalised" | "Rejected" | "Declined") =>
    activity.reduce((all, { counts }) => all + (counts[state] ?? 0), 0)
  const left = health.secondsToHorizon
  return html`${
      concerns.length === 0
        ? html`<div class="note good">
            <p><strong>${words.nobody}</strong></p>
          </div>`
        : concerns.map(
            ({ actions, code, consequence, since, text, until }) =>
              html`<div class="note ${isSevere.has(code) ? "bad" : "waiting"}">
                <p><strong>${text}</strong> <code>${code}</code></p>
                <p class="small">${words.since(moment(since, zone))} ${consequence} ${until}</p>
                <div class="actions">${actions.flatMap((action) => actionLink(frame, action) ?? [])}</div>
              </div>`
          )
    }
    ${Parts.figures(health.counts)}
    ${left === null ? null : html`<p>${words.horizon(Math.max(0, Math.floor(left / 86_400)))}</p>`}
    <section class="card">
      <h2>${words.activity}</h2>
      ${plot(barsOf(activity, since, 24), words.activityLabel(sum("Fiscalised"), sum("Rejected") + sum("Declined")))}
      <p class="soft small">${words.activityLabel(sum("Fiscalised"), sum("Rejected") + sum("Declined"))}</p>
    </section>
    ${health.lanes.map((one) => lane(frame, one, zone))}`
}

const doctorPart = (checks: ReadonlyArray<Doctor.Check>): Html =>
  table(
    words.doctor,
    [],
    checks.map(({ findings, name, said, state }) => {
      const [word, tone] = marks[state]
      return html`<tr>
        <td><span class="badge ${tone}">${word}</span></td>
        <th scope="row">${name}</th>
        <td>${said}${findings.map(Parts.foundText)}</td>
      </tr>`
    })
  )
