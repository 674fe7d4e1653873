import { CodeEntry, type Doctor, KnownCodes } from "@fiscal-connector/core/host/account"
import type { Step } from "@fiscal-connector/core/host"
import { type Action, Attention, AttentionCode, ItemView } from "@fiscal-connector/core/attention"
import type { Health } from "@fiscal-connector/core/store"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import { caseCard } from "./part/Case.ts"
import { form, resumeForm } from "./part/Form.ts"
import { followed, type Frame, live, toAttention } from "./part/Layout.ts"
import { creditAddress, documentAddress } from "./SendPages.ts"

const texts = Texts.health

const tones = { fine: "good", look: "waiting", broken: "bad", "not-asked": "plain" } as const

export interface HealthShown {
  readonly health: Health.Health
  readonly items: ReadonlyArray<Attention.AttentionItem>
  readonly figures: ReadonlyMap<Attention.AttentionItem, ReadonlyArray<ItemView.ItemFigures>>
}

export const healthPage = (
  frame: Frame,
  shown: HealthShown | null,
  accounts: ReadonlyArray<string>,
  zone: DateTime.TimeZone,
  standing: string
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
      <div class="links">
        ${accounts.map((account) => html`<a href="${`${frame.prefix}/health?examine=${encodeURIComponent(account)}`}">${texts.examine(account)}</a>`)}
        <a href="${frame.prefix}/health?more=yes">${texts.activity}</a>
        <a href="${frame.prefix}/decisions">${texts.record}</a>
      </div>
      <p class="soft small">${Texts.document.zone(DateTime.zoneToString(zone))}</p>`
  )

/** Returns the text with its times in the zone of the page. */
export const inZone = (text: string, zone: DateTime.TimeZone): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d|Z)/g, (time) =>
    Parts.moment(DateTime.makeUnsafe(time), zone)
  )

const heldTitles: Readonly<Record<string, (documents: number) => string>> = Texts.heldBack.titles

/** Returns what is known of the code of a cause. Other causes are words of the gateway. */
const entryOf = ({ cause }: Attention.AttentionItem) =>
  cause === null || /[a-z]/.test(cause) ? undefined : CodeEntry.find(KnownCodes.coreCodes, cause)

/** Returns the heading of an item in words. */
export const headingOf = (item: Attention.AttentionItem): string => {
  const { cause, code, documents } = item
  const meant = entryOf(item)?.meaning
  const { meaning } = AttentionCode.texts[code]
  switch (code) {
    case "HELD":
      return heldTitles[cause ?? ""]?.(documents) ?? meaning
    case "CONFLICT":
      return meant ?? meaning
    case "FAILED_AT_GATEWAY":
    case "IMPORT_REFUSED": {
      const title = (code === "IMPORT_REFUSED" ? texts.notAccepted : Texts.living.rejected)(documents)
      return meant === undefined
        ? title
        : `${title}: ${meant.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())}`
    }
    default:
      return meaning
  }
}

const bad = /^(ACCOUNT_STOPPED|STOPPED|STORE_UNWRITTEN|DAY_FAILED|SOURCE_STOPPED|FAILED_AT_GATEWAY|IMPORT_REFUSED)$/

/** Returns `bad` for a stop and for documents without a receipt. The others need an answer. */
export const toneOf = ({ code }: Attention.AttentionItem) => (bad.test(code) ? "bad" : "waiting")

const decideAddress = (
  { prefix }: Frame,
  account: string | null,
  { cause, conflict, state, text }: Step.StepSelection
) => {
  const given = Object.entries({ state, cause, conflict, text, account }).filter(([, value]) => value != null)
  return `${prefix}/decide?${new URLSearchParams(given as Array<[string, string]>).toString()}`
}

type Look = "button" | "button quiet" | "later"

export const actionPart = (
  frame: Frame,
  item: Pick<Attention.AttentionItem, "cause" | "code" | "documents"> | null,
  { account, document, step }: Action.Action,
  hasLive: boolean,
  look: Look = "button quiet"
): Html | null => {
  const to = (address: string, text: string) => html`<a class="${look}" href="${address}">${text}</a>`
  const link = (path: string, text: string) => to(`${frame.prefix}${path}`, text)
  const ofAccount = account === null ? null : `account=${encodeURIComponent(account)}`
  const named = (path: string, text: string) => (ofAccount === null ? null : link(`${path}${ofAccount}`, text))
  if (document !== null) {
    // the document's page has the form for each decision
    const { key, number } = document
    if (step.do === "credit")
      return to(
        creditAddress(frame, key, "receipt" in step && step.receipt !== undefined ? { receipt: step.receipt } : {}),
        Texts.credit.look(number)
      )
    const address = documentAddress(frame, key.account, key)
    return step.do === "explain" && address !== null ? to(address, texts.look(number)) : null
  }
  const count = item?.documents ?? 0
  const simple: Partial<Record<Step.Step["do"], Html | null>> = {
    "import-again": link("/", texts.correct),
    // other items have an action beside the explanation of their code
    why: item?.code === "IMPORT_REFUSED" ? link("/", texts.correct) : null,
    list: link("/documents?group=person", texts.show),
    imports: link("/", texts.imports),
    "accept-older": link("/accept-older", texts.acceptOlder),
    repin: named("/repin?", texts.repin),
    reconcile: named("/days?at=month&", Texts.days.month)
  }
  switch (step.do) {
    case "resume":
      return item?.cause === "FIRST_USE"
        ? link("/", texts.importAgain)
        : resumeForm(
            frame,
            hasLive || step.live === "allowed" ? "live" : "none",
            null,
            look === "button" ? "filled" : "quiet"
          )
    case "resolve":
    case "withdraw": {
      const meant = ItemView.decisionOf(step)
      if (meant === null) return null
      const text = look === "button" ? texts.sendAgain(count) : look === "later" ? texts.otherwise : texts.decide(count)
      return to(decideAddress(frame, account, meant.of), text)
    }
    case "doctor":
      return account === null ? null : link(`/health?examine=${encodeURIComponent(account)}`, texts.examine(account))
    case "compare-day":
      return named(`/days?day=${step.day}&`, Texts.days.one(step.day))
    case "acknowledge-day":
      return named(`/acknowledge?day=${step.day}&`, texts.acknowledge)
    case "cancel-import":
      return form(
        frame,
        `${frame.prefix}/cancel-import`,
        { import: step.id },
        html`<button class="quiet">${texts.cancelImport(step.id)}</button>`
      )
    case "other-programs":
      return named("/other-programs?", texts.others[step.stated])
    case "dismiss":
      return named(
        `/dismiss?${new URLSearchParams({ cause: step.cause }).toString()}&`,
        Texts.storeDecisions.dismiss(count)
      )
    case "sync":
    case "source-login":
    case "forget-source":
      return html`<span class="small">${texts.terminal[step.do]}</span>`
    default:
      return simple[step.do] ?? null
  }
}

/** An action of any account is one of each account of the device, else of all. */
const actionsPart = (
  frame: Frame,
  item: Attention.AttentionItem,
  { lanes }: Health.Health,
  all: ReadonlyArray<string>,
  filled: Action.Action | undefined
): Html => {
  const own = lanes.find(({ lane }) => lane === item.lane)?.accounts ?? all
  const hasLive = lanes.some(({ lane }) => lane.startsWith("live/"))
  const { strong, weak } = ItemView.actionsOf(item)
  const partOf = (one: Action.Action, look: Look) =>
    (one.step.do === "doctor" && one.account === null ? own : [one.account]).flatMap(
      (account) => actionPart(frame, item, { ...one, account }, hasLive, look) ?? []
    )
  const [credits, others] = [true, false].map((is) => strong.filter(({ step }) => (step.do === "credit") === is))
  const parts = [
    // the page of the credit notes lists the documents
    ...(credits!.length > 1
      ? [html`<a class="button quiet" href="${frame.prefix}/credits">${Texts.credit.tabs.credits}</a>`]
      : credits!.flatMap((one) => partOf(one, "button quiet"))),
    ...others!.flatMap((one) => partOf(one, one === filled ? "button" : "button quiet"))
  ]
  const later = weak.flatMap((one) => partOf(one, "later"))
  return parts.length + later.length === 0
    ? html`<span class="small">${texts.noAction(item.code)}</span>`
    : html`${parts}
      ${when(later.length > 0, () => html`<span class="later">${later.map((one, n) => html`${n === 0 ? "" : " · "}${one}`)}</span>`)}`
}

const itemsPart = (
  frame: Frame,
  { figures, health, items }: HealthShown,
  accounts: ReadonlyArray<string>,
  zone: DateTime.TimeZone
): Html => {
  const documents = items.reduce((sum, item) => sum + item.documents, 0)
  // one filled button on the screen
  const [filled] = items.flatMap((item) => ItemView.actionsOf(item).known ?? [])
  const cards = items.map((item) => {
    const { account, cause, code, consequence, documents, since, until, words } = item
    const side = [
      ...(accounts.length > 1 && account !== null ? [account] : []),
      ...(documents === 0 ? [] : [Texts.documents(documents), Tiles.amountsOf(SignedSums.of(figures.get(item) ?? []))]),
      texts.since(Parts.moment(since, zone).slice(0, -":ss".length))
    ]
    // what names a setting is not for this page
    const fix = (toneOf(item) === "bad" || code === "CONFLICT" ? entryOf(item)?.fix : undefined) ?? ""
    return caseCard(
      toneOf(item),
      headingOf(item),
      side.filter((text) => text !== "").join(" · "),
      html`<p class="found small">
          ${inZone(words, zone)}. ${consequence}
          ${when(!/^The (item|stop) /.test(until), () => html`${inZone(until, zone)}`)}
          <code class="soft">${code}</code> ${when(cause, () => html`<code class="soft">${cause}</code>`)}
        </p>
        ${when(fix !== "" && !/`|[A-Z]-\d/.test(fix), () => html`<p class="small"><b>${Texts.word.toDo}:</b> ${fix}</p>`)}`,
      actionsPart(frame, item, health, accounts, filled)
    )
  })
  const pending = Attention.pending(health).map(
    ({ code, words }) => html`<p>${words}. ${texts.notYet} <code class="soft small">${code}</code></p>`
  )
  const about =
    items.length === 0
      ? html`<h1><span class="badge good" aria-hidden="true"></span> ${texts.nobody}</h1>
          ${Parts.figures(health.counts)}`
      : html`<h1>${texts.needYou(items.length)}</h1>
          <p class="soft">
            ${when(documents > 0, () => html`${Texts.documents(documents)}, ${Tiles.amountsOf(SignedSums.of([...figures.values()].flat()))}. `)}${texts.worst}
          </p>`
  return html`${about} ${cards} ${pending}`
}

/** Shows the outcomes of the last 24 hours. */
export const activityPage = (frame: Frame, { counts, secondsToHorizon }: Health.Health): Html =>
  html`${toAttention(frame)}
    <h1>${texts.activity}</h1>
    ${Object.keys(counts).length === 0 ? html`<p class="soft">${Texts.report.none}</p>` : Parts.figures(counts)}
    ${secondsToHorizon === null ? null : html`<p>${texts.horizon(Math.max(0, Math.floor(secondsToHorizon / 86_400)))}</p>`}`

export const checkBadge = (state: Doctor.Check["state"]): Html =>
  html`<span class="badge ${tones[state]}">${state.replace("-", " ")}</span>`

/** Returns what a check found, with a link for open things: they are under Attention. */
const foundPart = ({ prefix }: Frame, findings: Doctor.Check["findings"]): Html => {
  const [open, others] = [true, false].map((is) => findings.filter(({ code }) => (code === "STORE_NEEDS_LOOK") === is))
  const link = () => html`<p><a href="${prefix}/health">${Texts.document.attention(open!.length)}</a></p>`
  return html`${others!.map(Parts.foundText)} ${when(open!.length > 0, link)}`
}

/** Shows the checks of an account. A text is the reason why it cannot be checked. */
export const doctorPage = (
  frame: Frame,
  account: string,
  checks: ReadonlyArray<Doctor.Check> | string,
  zone: DateTime.TimeZone
): Html =>
  html`${toAttention(frame)}
    <h1>${texts.examine(account)}</h1>
    ${
      typeof checks === "string"
        ? html`<div class="note bad"><p>${checks}</p></div>`
        : html`<p class="soft">
              <a href="${`${frame.prefix}/health?examine=${encodeURIComponent(account)}`}"
                >${Texts.page.standstillAgain}</a
              >
            </p>
            <section class="card stacked">
              ${table(
                texts.examine(account),
                [Texts.word.state, Texts.word.what, Texts.word.why],
                checks.map(({ findings, name, state, text }) => [
                  checkBadge(state),
                  html`<b>${Texts.sentence(name)}</b>`,
                  html`${inZone(text, zone)}${foundPart(frame, findings)}`
                ])
              )}
            </section>`
    }`
