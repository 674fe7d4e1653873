import { BulkDecision, type Decision, OperatorRecord } from "@fiscal-connector/core/decisions"
import { ItemView } from "@fiscal-connector/core/attention"
import { Reconcile } from "@fiscal-connector/core/session"
import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Doctor } from "@fiscal-connector/core/host/account"
import { DateTime, Effect, Option } from "effect"
import { html } from "../html/Html.ts"
import * as DecidePages from "../page/DecidePages.ts"
import { lookingOf } from "../page/DocumentsPage.ts"
import { consentOf } from "../page/part/ConsentWords.ts"
import { shownIn } from "../page/part/Form.ts"
import * as Texts from "../text/Texts.ts"
import * as DocumentSearch from "../work/DocumentSearch.ts"
import { bookOf } from "./DocumentListRoutes.ts"
import { reasonIn, type RequestForm, seeOther } from "./Request.ts"
import { askBefore, sendAgain } from "./ResumeRoutes.ts"
import { decisionShown, listed } from "./StoreRoutes.ts"
import { accountOf, looking, notFound, openItems, type Site, shown, zoneOf } from "./Site.ts"

const texts = Texts.decisions

/** Decisions available for many documents at once. They need no further statement per document. */
const decisions: Readonly<Record<string, Decision.Decision>> = {
  Fiscalised: { _tag: "Fiscalised", proof: {} },
  NotProcessed: { _tag: "NotProcessed" },
  Resend: { _tag: "Resend" },
  Same: { _tag: "Same" },
  Rejected: { _tag: "Rejected", rejection: { error: "as the gateway says", nature: "correctable" } },
  Withdrawn: { _tag: "Withdrawn" },
  Acknowledged: { _tag: "Acknowledged" }
}

/** Fields that select the documents. A request without a state selects nothing. */
const fields = ["state", "cause", "conflict", "account", "text"] as const

type DecisionForm = NonNullable<ReturnType<typeof askedIn>>

const askedIn = (given: { get(name: string): string | null | undefined }) => {
  const stated = fields.flatMap((name) => {
    const value = given.get(name)
    return value ? [[name, value] as const] : []
  })
  const { state, ...others } = Object.fromEntries(stated) as Partial<Record<(typeof fields)[number], string>>
  const name = given.get("decision")
  const decision = name ? decisions[name] : null
  const known = Submission.states.find((one) => one === state)
  if (decision === undefined || known === undefined) return undefined
  return {
    decision,
    selection: { ...others, state: known },
    query: new URLSearchParams(Object.fromEntries(stated))
  }
}

const longestAsk = "5 seconds"

/** Returns what the device states now. Null if the gateway does not answer in time. */
const deviceOf = (site: Site, account: string | undefined) =>
  Effect.gen(function* () {
    if (account === undefined || !site.workplace.accounts.includes(account)) return null
    const { settings } = yield* site.workplace.account(account, undefined)
    const check = yield* Doctor.askDevice(settings.gateway).pipe(Effect.timeoutOption(longestAsk))
    return Option.isNone(check) ? null : { check: check.value, at: yield* DateTime.now }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("WorkplaceRefused", () => Effect.succeed(null))
  )

const causeOf = (site: Site, { decision, selection }: DecisionForm) =>
  Effect.gen(function* () {
    const listed = ItemView.offering((yield* openItems).items, selection)
    const named = [...listed.map((one) => one.decision), ...(decision === null ? [] : [decision._tag])]
    // the cause of an import may be listed together with others
    const names = named.length > 0 ? new Set(named) : (["Resend", "Withdrawn"] as const)
    const choices = yield* Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        const found = yield* BulkDecision.select(selection, name)
        return { name, found, from: yield* BulkDecision.acceptedFrom(found.documents, name) }
      })
    )
    const meant = new Map(choices.flatMap(({ found }) => found.documents.map((one) => [one.seq, one] as const)))
    const documents = yield* DocumentSearch.withFigures([...meant.values()], yield* bookOf(site))
    const isIdle = site.workplace.accounts.every((one) => site.going.stateOf(one) === "idle")
    return { item: listed[0]?.item, choices, documents, sending: isIdle ? "idle" : "going" } as const
  })

const preview = (site: Site, asked: DecisionForm, note: string | null, page = 1) =>
  Effect.gen(function* () {
    const [found, device] = yield* Effect.all(
      [looking(site, causeOf(site, asked)), deviceOf(site, asked.selection.account)],
      { concurrency: 2 }
    )
    if (found === null) return yield* notFound
    const cause = { ...found, device, note, page }
    const content = DecidePages.decidePage(site.frame, asked.query, cause, yield* zoneOf(site))
    return shown(site, { title: texts.title, at: "health", content })
  })

export const showDecide = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const asked = askedIn(query)
    return asked === undefined ? yield* notFound : yield* preview(site, asked, null, lookingOf(query).page)
  })

/**
 * Decides if the selection still has as many documents as the preview. Otherwise shows the new
 * selection.
 */
export const decideMany = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const asked = askedIn(form)
    if (asked === undefined) return yield* notFound
    const { decision } = asked
    if (decision === null) return yield* preview(site, asked, texts.noChoice)
    const because = reasonIn(form)
    const although = form.get(`although.${decision._tag}`) === "recent" ? "recent" : undefined
    const note = yield* Effect.provide(
      Effect.gen(function* () {
        const { confirmedBy, documents } = yield* BulkDecision.select(asked.selection, decision._tag)
        const lacking = OperatorRecord.reasonProblem(because)
        if (lacking !== null) return Texts.document.refused(lacking)
        const count = String(documents.length)
        if (count !== form.get(`count.${decision._tag}`)) return texts.changed
        if (decision._tag === "Withdrawn" && count !== form.get("typed")?.trim())
          return texts.notTyped(documents.length)
        if (confirmedBy === "look" && count !== form.get("seen")?.trim()) return texts.notSeen
        const device = DecidePages.deviceOf(decision._tag, documents)
        const consent = device === null ? "not-needed" : consentOf(device, form.get("device"))
        if (consent === "other-device") return Texts.page.consentWrong
        yield* askBefore(site, decision, documents)
        const decided = yield* BulkDecision.decideAll(documents, decision, because, although, shownIn(form))
        const refused = decided.flatMap(({ resolution, submission: { number } }) =>
          resolution._tag === "Refused" ? [`${number}: ${resolution.text}`] : []
        )
        if (device !== null && refused.length < decided.length) yield* sendAgain(site, device, consent)
        return texts.recorded(decided.length - refused.length, refused)
      }),
      site.workplace.engine
    )
    return yield* preview(site, asked, note)
  })

const dayOf = (given: { get(name: string): string | null | undefined }, site: Site) =>
  Effect.gen(function* () {
    const day = /^\d{1,9}$/.exec(given.get("day") ?? "")?.[0]
    return {
      account: yield* accountOf(site, given.get("account")),
      day: day === undefined ? yield* notFound : Number(day)
    }
  })

const dayPage = (site: Site, account: string, day: number, note: string | null) =>
  Effect.gen(function* () {
    const { items } = yield* listed(
      site,
      (one) => one.step.do === "acknowledge-day" && one.step.day === day && one.account === account
    )
    return decisionShown(site, Texts.days.one(day), note, items, {
      path: "/acknowledge",
      fields: { account, day },
      content: html`<p>${texts.acknowledgeText}</p>`,
      button: texts.acknowledge
    })
  })

export const showAcknowledge = (site: Site, query: URLSearchParams) =>
  Effect.flatMap(dayOf(query, site), ({ account, day }) => dayPage(site, account, day, null))

export const acknowledge = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const { account, day } = yield* dayOf(form, site)
    const answer = yield* Effect.provide(
      Effect.gen(function* () {
        const store = yield* SubmissionStore.SubmissionStore
        const pin = Option.getOrNull(yield* store.pinOf(account))
        return pin === null ? yield* notFound : yield* store.acknowledgeDay(pin.lane, day, form.get("because") ?? "")
      }),
      site.workplace.engine
    )
    const note =
      answer._tag === "Refused" ? Texts.document.refused(answer.text) : texts.acknowledged(answer.codes.join(", "))
    return yield* dayPage(site, account, day, note)
  })

/** Ends an import: documents not yet handed over are never sent. */
export const cancelImport = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const id = /^\d{1,15}$/.exec(form.get("import") ?? "")?.[0]
    if (id === undefined) return yield* notFound
    yield* Effect.provide(
      SubmissionStore.SubmissionStore.use((store) => store.cancelImport(Number(id))),
      site.workplace.engine
    )
    return seeOther(`${site.frame.prefix}/imports/r${id}`)
  })

const perPage = 100

export const showDecisions = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const zone = yield* zoneOf(site)
    const before = Number(query.get("before")) || Infinity
    const found = yield* looking(site, SubmissionStore.SubmissionStore.use(Reconcile.decisionsOf))
    const older = (found ?? []).filter(({ id }) => id < before)
    const entries = older.slice(-perPage).toReversed()
    const first = older.length > perPage ? (entries.at(-1)?.id ?? null) : null
    const content = DecidePages.decisionsPage(site.frame, entries, first, zone)
    return shown(site, { title: texts.record, at: "health", content })
  })
