/** Routes for prepared credit notes: the list, one note, and its sending by a decision. */
import { AccountFacts } from "@fiscal-connector/core/host/account"
import { Identifiers, Money } from "@fiscal-connector/core/adapter"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { Connector, Credit, Session, StopReason } from "@fiscal-connector/core/session"
import type { Explanation, PlannedDocument } from "@fiscal-connector/core/store"
import { Effect, Fiber, Option } from "effect"
import { creditsPage, creditsView, type ListedCredits, type ShownCredit } from "../page/CreditPages.ts"
import { consentOf } from "../page/part/ConsentWords.ts"
import { creditAddress, documentAddress } from "../page/SendPages.ts"
import * as Texts from "../text/Texts.ts"
import { type RequestForm, seeOther } from "./Request.ts"
import { foundOf, looking, noted, notFound, saidIn, shown, type Site, zoneOf } from "./Site.ts"

const texts = Texts.credit

const most = 50

const choices = ["full", "number", "receipt", "seen"] as const

type Fields = Pick<URLSearchParams | RequestForm, "get">

const orderOf = (fields: Fields): ShownCredit["order"] =>
  Object.fromEntries(
    choices.flatMap((name) => {
      const value = fields.get(name)?.trim() ?? ""
      return value === "" ? [] : [[name, value]]
    })
  )

const creditOrder = (key: Credit.CreditOrder["key"], order: ShownCredit["order"]): Credit.CreditOrder => {
  const { full, number, receipt, seen } = order
  return {
    key,
    amount: full === "yes" ? "everything" : "difference",
    number: number === undefined ? undefined : Identifiers.DocumentNumber.make(number),
    receipt: receipt === undefined ? undefined : { name: receipt, seen: seen === "portal" ? "portal" : "here" }
  }
}

const opening = (site: Site, account: string) =>
  Effect.gen(function* () {
    const zone = yield* zoneOf(site)
    const opened = yield* site.workplace.account(account, zone)
    return { ...opened, facts: yield* AccountFacts.read(opened.settings, zone) }
  })

/** Returns the explanation of a document of the store, else fails with 404. */
export const explained = (site: Site, key: PlannedDocument.SubmissionKey) =>
  foundOf(site, Effect.map(Connector.explain(key), Option.getOrNull))

/** Prepares the note of an invoice as chosen. Null if the store does not have the invoice. */
export const shownCredit = (
  site: Site,
  { submission, ...explanation }: Explanation.Explanation,
  order: ShownCredit["order"]
) =>
  Effect.gen(function* () {
    const { account, id, kind } = submission
    const { facts } = yield* opening(site, account)
    const preview = yield* looking(site, Credit.prepare(facts, creditOrder({ account, kind, id }, order)))
    return preview === null || Option.isNone(preview)
      ? null
      : {
          preview: preview.value,
          explanation: { ...explanation, submission },
          destination: facts.destination,
          order
        }
  })

const none = { noticed: 0, count: 0, previews: [] }

/** Prepares the notes of an account, or says why the account cannot be asked. */
const listOf = (site: Site, account: string, matching: string) =>
  Effect.gen(function* () {
    const { facts } = yield* opening(site, account)
    const listed = yield* looking(site, Credit.prepareNoticed(facts, most, matching))
    return { ...(listed ?? none), problems: [] }
  }).pipe(
    Effect.catchTags({
      GatewayError: ({ message }) => Effect.succeed({ ...none, problems: [`${account}: ${message}`] }),
      WorkplaceRefused: ({ text }) => Effect.succeed({ ...none, problems: [text] })
    })
  )

const keyOf = (site: Site, fields: Fields) => {
  const [account, id] = [fields.get("account") ?? "", fields.get("id") ?? ""]
  return site.workplace.accounts.includes(account) && id !== ""
    ? Effect.succeed({ account, kind: "invoice", id } as const)
    : notFound
}

export const showCredits = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const view = creditsView(query)
    const lists = yield* Effect.forEach(site.workplace.accounts, (account) => listOf(site, account, view.matching))
    const listed: ListedCredits = {
      noticed: lists.reduce((sum, { noticed }) => sum + noticed, 0),
      count: lists.reduce((sum, { count }) => sum + count, 0),
      previews: lists.flatMap(({ previews }) => previews),
      problems: lists.flatMap(({ problems }) => problems),
      zone: yield* zoneOf(site)
    }
    const [only, ...others] = view.matching === "" ? [] : listed.previews
    const key = query.has("id") ? yield* keyOf(site, query) : others.length === 0 ? only?.invoice : undefined
    const found = key === undefined ? null : yield* explained(site, key)
    const chosen = found === null ? null : yield* shownCredit(site, found, orderOf(query))
    return shown(site, {
      title: texts.tabs.credits,
      at: "documents",
      ...(chosen !== null && { environment: chosen.destination.environment }),
      content: creditsPage(site.frame, listed, view, chosen, saidIn(site, query))
    })
  }).pipe(Effect.scoped)

/** Time for which the page waits for the outcome. The note is sent also after that. */
const patience = "20 seconds"

const send = (site: Site, key: Credit.CreditOrder["key"], form: RequestForm) => {
  const order = orderOf(form)
  const because = form.get("because") ?? ""
  const back = (text: string) => creditAddress(site.frame, key, { ...order, said: noted(site, text) })
  const sending = Effect.gen(function* () {
    const total = Option.getOrUndefined(Money.parse(form.get("total") ?? ""))
    if (total === undefined) return yield* notFound
    const problem = OperatorRecord.reasonProblem(because)
    if (problem !== null) return back(`${texts.noReason} ${problem}`)
    const { facts, settings, witness } = yield* opening(site, key.account)
    const consent = consentOf(facts.destination, form.get("device"))
    if (consent === "other-device") return back(Texts.page.consentWrong)
    const live = consent === "allowed" ? "allowed" : "not-allowed"
    const opened = yield* Session.open(settings, { live, witness, backOff: "over" })
    const sent = yield* Credit.send(opened, { ...creditOrder(key, order), because, total })
    if (Option.isNone(sent)) return yield* notFound
    const { account, id, kind, state } = sent.value.note
    const text = Texts.document.recorded(state)
    return `${documentAddress(site.frame, account, { id, kind }) ?? ""}?said=${noted(site, text)}`
  }).pipe(
    Effect.scoped,
    Effect.provide(site.workplace.engine),
    Effect.catchTags({
      CreditRefused: ({ message, reason }) =>
        Effect.succeed(back(reason._tag === "NotReady" ? `${message} ${reason.fix}` : message)),
      AccountStopped: ({ reasons }) =>
        Effect.succeed(back(reasons.map((one) => StopReason.finding(one).message).join(" "))),
      SubmitterConfigError: ({ text }) => Effect.succeed(back(text))
    })
  )
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkIn(sending, site.scope)
    const done = yield* Effect.timeoutOption(Fiber.join(fiber), patience)
    return seeOther(Option.getOrElse(done, () => back(texts.underWay)))
  })
}

export const changeCredit = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const key = yield* keyOf(site, form)
    const credited = form.get("credited")
    if (credited === undefined) return yield* send(site, key, form)
    const because = form.get("because") ?? ""
    const stated = yield* Credit.stateCredited(key, credited, because).pipe(
      Effect.as(Texts.document.stated),
      Effect.catchTag("CreditRefused", ({ message }) => Effect.succeed(message)),
      Effect.provide(site.workplace.engine)
    )
    return seeOther(creditAddress(site.frame, key, { said: noted(site, stated) }))
  })
