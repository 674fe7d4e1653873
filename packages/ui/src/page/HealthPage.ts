import { LaneFailures, type OutcomeRecord, type Step } from "@fiscal-connector/core/host"
import { type Action, Attention, AttentionCode } from "@fiscal-connector/core/attention"
import type { Decision } from "@fiscal-connector/core/decisions"
import type { Health, Submission, SubmissionQuery } from "@fiscal-connector/core/store"
import type { SignedSums } from "@fiscal-connector/core/host/import"
import { CodeEntry, type Doctor, KnownCodes } from "@fiscal-connector/core/host/account"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import { caseCard } from "./part/Case.ts"
import { form, resumeForm } from "./part/Form.ts"
import { followed, type Frame, live } from "./part/Layout.ts"
import { creditAddress, documentAddress } from "./SendPages.ts"

const texts = Texts.health

const marks: Readonly<
  Record<Doctor.Check["state"], readonly [label: string, tone: OutcomeRecord.StateTone | "plain"]>
> = {
  fine: ["fine", "good"],
  look: ["look", "waiting"],
  broken: ["broken", "bad"],
  "not-asked": ["not asked", "plain"]
}

export interface HealthShown {
  readonly health: Health.Health
  readonly items: ReadonlyArray<Attention.AttentionItem>
  /** Sums of the documents that need a decision: all, and those of each item, by its key. */
  readonly stuck: SignedSums.SignedSums
  readonly sums: ReadonlyMap<string, SignedSums.SignedSums>
  readonly activity: ReadonlyArray<SubmissionQuery.Activity>
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
  standing: string,
  more: "more" | "less"
): Html =>
  followed(
    frame,
    standing,
    html`${live(
        "store",
        shown === null
          ? html`<h1>${texts.nobody}</h1>
              <p class="soft">${Texts.document.empty}</p>`
          : itemsPart(frame, shown, accounts, zone)
      )}
      ${card(texts.doctor, checks === null ? null : "problem" in checks ? html`<div class="note bad"><p>${checks.problem}</p></div>` : doctorPart(checks.checks))}
      ${shown === null || more === "less" ? null : live("more", morePart(shown))}
      <div class="links">
        ${accounts.map((account) => html`<a href="${`${frame.prefix}/health?examine=${encodeURIComponent(account)}`}">${texts.examine(account)}</a>`)}
        <a href="${frame.prefix}/health?more=yes">${texts.activity}</a>
        <a href="${frame.prefix}/decisions">${texts.record}</a>
      </div>
      <p class="soft small">${Texts.document.zone(DateTime.zoneToString(zone))}</p>`
  )

const heldTitles: Readonly<Record<string, (documents: number) => string>> = Texts.heldBack.titles

/** Returns the heading of an item in words. */
export const headingOf = ({ cause, code, documents }: Attention.AttentionItem): string => {
  // codes have no small letters; other causes are words of the gateway
  const meant = cause === null || /[a-z]/.test(cause) ? undefined : CodeEntry.find(KnownCodes.coreCodes, cause)?.meaning
  const { meaning } = AttentionCode.texts[code]
  switch (code) {
    case "HELD":
      return heldTitles[cause ?? ""]?.(documents) ?? meaning
    case "CONFLICT":
      return meant ?? meaning
    case "FAILED_AT_GATEWAY":
    case "IMPORT_REFUSED": {
      const title = code === "IMPORT_REFUSED" ? meaning : Texts.living.rejected(documents)
      return meant === undefined
        ? title
        : `${title}: ${meant.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())}`
    }
    default:
      return meaning
  }
}

/** The worst items, which are first: nothing is sent, or a receipt is in doubt. */
const toneOf = ({ code }: Attention.AttentionItem) =>
  AttentionCode.texts[code].rank <= AttentionCode.texts.CONFLICT.rank ? "bad" : "waiting"

const keyOf = (account: string | null, code: AttentionCode.AttentionCode, cause: string | null): string =>
  JSON.stringify([account, code, cause])

/** Returns the key of the item that lists a document in need of a decision. */
export const keyOfDocument = ({ account, hold, rejection, requestId, state }: Submission.Submission): string => {
  if (state === "Held") return keyOf(account, "HELD", hold?.cause ?? null)
  if (state === "Unknown" || state === "Expired")
    return keyOf(account, state === "Unknown" ? "UNKNOWN" : "EXPIRED", null)
  const error = rejection?.error ?? ""
  return keyOf(
    account,
    "FAILED_AT_GATEWAY",
    LaneFailures.hasCode(error) ? LaneFailures.causeOf(error, requestId) : state
  )
}

/** Returns the amounts of an item. Nothing if not all of its documents are in the sum. */
const amountsOf = ({ account, cause, code, documents }: Attention.AttentionItem, { sums }: HealthShown): string => {
  const found = sums.get(keyOf(account, code, cause))
  const all = found?.sums.reduce((sum, one) => sum + one.documents, found.unknown)
  return found === undefined || all !== documents ? "" : `${Tiles.amountsOf(found)} · `
}

const tagOf: Readonly<Record<string, Decision.Decision["_tag"]>> = {
  fiscalised: "Fiscalised",
  "not-processed": "NotProcessed",
  resend: "Resend",
  same: "Same",
  rejected: "Rejected",
  acknowledged: "Acknowledged"
}

export const decisionOf = (step: Step.Step) =>
  (step.do === "resolve" || step.do === "withdraw") && step.of !== undefined
    ? { of: step.of, decision: step.do === "resolve" ? tagOf[step.as]! : ("Withdrawn" as const) }
    : null

const decideLink = (
  frame: Frame,
  account: string | null,
  { cause, conflict, state, text }: Step.StepSelection,
  documents: number | undefined
): Html => {
  const given = Object.entries({ state, cause, conflict, text, account }).filter(([, value]) => value != null)
  const query = new URLSearchParams(given as Array<[string, string]>)
  return html`<a class="button quiet" href="${`${frame.prefix}/decide?${query.toString()}`}"
    >${documents === undefined ? Texts.decisions.title : texts.decide(documents)}</a
  >`
}

export const actionPart = (
  frame: Frame,
  item: Pick<Attention.AttentionItem, "cause" | "code" | "documents"> | null,
  { account, document, step }: Action.Action,
  hasLive: boolean
): Html | null => {
  const link = (address: string, text: string) =>
    html`<a class="button quiet" href="${`${frame.prefix}${address}`}">${text}</a>`
  const ofAccount = account === null ? "" : encodeURIComponent(account)
  if (document !== null) {
    // the document's page has the form for each decision
    if (step.do === "credit") {
      const order = "receipt" in step && step.receipt !== undefined ? { receipt: step.receipt } : {}
      const address = creditAddress(frame, document.key, order)
      return html`<a class="button quiet" href="${address}">${Texts.credit.look(document.number)}</a>`
    }
    if (step.do !== "explain") return null
    const address = documentAddress(frame, document.key.account, document.key)
    return address === null
      ? null
      : html`<a class="button quiet" href="${address}">${texts.examine(document.number)}</a>`
  }
  switch (step.do) {
    case "resume":
      return item?.cause === "FIRST_USE"
        ? link("/", texts.importAgain)
        : resumeForm(frame, hasLive || step.live === "allowed" ? "live" : "none")
    case "import-again":
      return link("/", texts.correct)
    case "why":
      // other items have an action beside the explanation of their code
      return item?.code === "IMPORT_REFUSED" ? link("/", texts.correct) : null
    case "list":
      return link("/documents?group=person", texts.show)
    case "resolve":
    case "withdraw": {
      const meant = decisionOf(step)
      return meant === null ? null : decideLink(frame, account, meant.of, item?.documents)
    }
    case "doctor":
      return account === null ? null : link(`/health?examine=${ofAccount}`, texts.examine(account))
    case "compare-day":
      return account === null ? null : link(`/days?account=${ofAccount}&day=${step.day}`, Texts.days.one(step.day))
    case "reconcile":
      return account === null ? null : link(`/days?account=${ofAccount}&at=month`, Texts.days.month)
    case "acknowledge-day":
      return account === null ? null : link(`/acknowledge?account=${ofAccount}&day=${step.day}`, texts.acknowledge)
    case "imports":
      return link("/", texts.imports)
    case "cancel-import":
      return form(
        frame,
        `${frame.prefix}/cancel-import`,
        { import: step.id },
        html`<button class="quiet">${texts.cancelImport(step.id)}</button>`
      )
    case "accept-older":
      return link("/accept-older", texts.acceptOlder)
    case "repin":
      return account === null ? null : link(`/repin?account=${ofAccount}`, texts.repin)
    case "other-programs":
      return account === null ? null : link(`/other-programs?account=${ofAccount}`, texts.others[step.stated])
    case "dismiss": {
      const query = new URLSearchParams({ account: account ?? "", cause: step.cause })
      return link(`/dismiss?${query.toString()}`, Texts.storeDecisions.dismiss(item?.documents ?? 0))
    }
    case "sync":
    case "source-login":
    case "forget-source":
      return html`<span class="small">${texts.terminal[step.do]}</span>`
    default:
      return null
  }
}

/**
 * Returns the actions, the decisions about one cause as one action: its page has them all and lists
 * the documents. An action of any account is one of each account of the device, else of all.
 */
const named = (
  { actions, lane }: Attention.AttentionItem,
  { lanes }: Health.Health,
  all: ReadonlyArray<string>
): ReadonlyArray<Action.Action> => {
  const accounts = lanes.find((one) => one.lane === lane)?.accounts ?? []
  const [first, ...more] = actions.filter(({ step }) => decisionOf(step) !== null)
  const shown = actions.filter((one) => !more.includes(one) && (first === undefined || one.step.do !== "list"))
  return shown.flatMap((action) =>
    action.step.do === "doctor" && action.account === null
      ? (accounts.length === 0 ? all : accounts).map((account) => ({ ...action, account }))
      : [action]
  )
}

const itemsPart = (
  frame: Frame,
  shown: HealthShown,
  accounts: ReadonlyArray<string>,
  zone: DateTime.TimeZone
): Html => {
  const { health, items, stuck } = shown
  const hasLive = health.lanes.some(({ lane }) => lane.startsWith("live/"))
  const documents = items.reduce((sum, item) => sum + item.documents, 0)
  // not all have an amount in the store: rows that were not accepted
  const known = stuck.sums.reduce((sum, one) => sum + one.documents, 0)
  const amounts = Tiles.amountsOf({ ...stuck, unknown: Math.max(stuck.unknown, documents - known) })
  return html`<h1>${items.length === 0 ? texts.nobody : texts.needYou(items.length)}</h1>
    ${when(items.length > 0, () => html`<p class="soft">${when(documents > 0, () => html`${Texts.documents(documents)}, ${amounts}. `)}${texts.worst}</p>`)}
    ${items.map((item) => {
      const { cause, code, consequence, documents, since, until, words } = item
      const parts = named(item, health, accounts).flatMap((action) => actionPart(frame, item, action, hasLive) ?? [])
      return caseCard(
        toneOf(item),
        headingOf(item),
        `${documents === 0 ? "" : `${Texts.documents(documents)} · `}${amountsOf(item, shown)}${texts.since(Parts.moment(since, zone).slice(0, -":ss".length))}`,
        html`<p class="found small">${words}. ${consequence}</p>
          <details class="small">
            <summary><code class="soft">${code}</code> ${when(cause, () => html`<code>${cause}</code>`)}</summary>
            ${until}
          </details>`,
        parts.length === 0 ? html`<span class="small">${texts.noAction(code)}</span>` : html`${parts}`
      )
    })}
    ${Attention.pending(health).map(({ code, words }) => html`<p>${words}. ${texts.notYet} <code class="soft small">${code}</code></p>`)}`
}

const morePart = ({ activity, health }: HealthShown): Html => {
  const sum = (state: "Fiscalised" | "Rejected" | "Declined") =>
    activity.reduce((all, { counts }) => all + (counts[state] ?? 0), 0)
  const left = health.secondsToHorizon
  return html`${Parts.figures(health.counts)}
    ${left === null ? null : html`<p>${texts.horizon(Math.max(0, Math.floor(left / 86_400)))}</p>`}
    <p><b>${texts.activity}</b>: ${texts.activityLabel(sum("Fiscalised"), sum("Rejected") + sum("Declined"))}</p>`
}

const doctorPart = (checks: ReadonlyArray<Doctor.Check>): Html =>
  table(
    texts.doctor,
    [],
    checks.map(({ findings, name, state, text }) => {
      const [label, tone] = marks[state]
      return html`<tr>
        <td><span class="badge ${tone}">${label}</span></td>
        <th scope="row">${name}</th>
        <td>${text}${findings.map(Parts.foundText)}</td>
      </tr>`
    })
  )
