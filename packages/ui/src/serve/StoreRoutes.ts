/**
 * Routes for decisions about the store and the device of an account: accepting a restored backup,
 * moving an account to its current device, stating who makes receipts on a device.
 */
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import type { Action } from "@fiscal-connector/core/attention"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { AccountFacts, OlderStore } from "@fiscal-connector/core/host/account"
import { DateTime, Effect, Option } from "effect"
import { html } from "../html/Html.ts"
import * as StorePages from "../page/StorePages.ts"
import * as Texts from "../text/Texts.ts"
import { reasonIn, type RequestForm } from "./Request.ts"
import { accountOf, foundOf, openItems, type Site, shown } from "./Site.ts"

const texts = Texts.storeDecisions

/** Returns the open items with such an action, and the number of planned documents. */
export const listed = (site: Site, is: (action: Action.Action) => boolean) =>
  foundOf(
    site,
    Effect.map(openItems, ({ health, items }) => ({
      items: items.filter(({ actions }) => actions.some(is)),
      planned: health.counts.Planned ?? 0
    }))
  )

/** Returns the page of a decision about open items. */
export const decisionShown = (site: Site, title: string, ...page: PageParts) =>
  shown(site, { title, at: "health", content: StorePages.decisionPage(site.frame, title, ...page) })

type PageParts = Parameters<typeof StorePages.decisionPage> extends [unknown, unknown, ...infer Parts] ? Parts : never

const olderPage = (site: Site, note: string | null) =>
  Effect.map(listed(site, isOlder), ({ items, planned }) =>
    decisionShown(site, texts.older, note, items, {
      path: "/accept-older",
      fields: {},
      content: StorePages.followsPart(texts.olderConsequences),
      button: texts.acceptOlder(planned)
    })
  )

const isOlder = ({ step }: Action.Action) => step.do === "accept-older"

export const showOlder = (site: Site) => olderPage(site, null)

/**
 * Accepts the store as it is. Planned documents are held first, so that none is sent automatically.
 */
export const acceptOlder = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const because = reasonIn(form)
    const { items } = yield* listed(site, isOlder)
    const [first] = yield* site.workplace.all
    const witness = first?.witness
    if (items.length === 0 || witness === undefined) return yield* olderPage(site, texts.nothingListed)
    const lacking = OperatorRecord.reasonProblem(because)
    if (lacking !== null) return yield* olderPage(site, Texts.document.refused(lacking))
    const held = yield* Effect.provide(OlderStore.accept(witness, because), site.workplace.engine)
    return yield* olderPage(site, texts.accepted(held))
  }).pipe(Effect.scoped)

const dismissPage = (site: Site, given: Pick<URLSearchParams | RequestForm, "get">, note: string | null) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, given.get("account"))
    const cause = given.get("cause") ?? ""
    const { items } = yield* listed(
      site,
      (one) => one.step.do === "dismiss" && one.account === account && one.step.cause === cause
    )
    const button = texts.dismiss(items.reduce((sum, one) => sum + one.documents, 0))
    const decision = {
      path: "/dismiss",
      fields: { account, cause },
      content: StorePages.followsPart(texts.dismissConsequences),
      button
    }
    return decisionShown(site, button, note, items, decision)
  })

export const showDismiss = (site: Site, query: URLSearchParams) => dismissPage(site, query, null)

export const dismiss = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, form.get("account"))
    const because = reasonIn(form)
    const lacking = OperatorRecord.reasonProblem(because)
    if (lacking !== null) return yield* dismissPage(site, form, Texts.document.refused(lacking))
    const selection = { account, cause: form.get("cause") ?? "", numbers: [] }
    const dismissed = yield* Effect.provide(
      SubmissionStore.SubmissionStore.use((store) => store.refused.dismiss(selection, because)),
      site.workplace.engine
    )
    site.going.changed()
    return yield* dismissPage(site, form, texts.dismissed(dismissed.join(", ")))
  })

const pinOf = (site: Site, account: string) =>
  foundOf(
    site,
    Effect.map(
      SubmissionStore.SubmissionStore.use((store) => store.pinOf(account)),
      Option.getOrNull
    )
  )

const devicesOf = (site: Site, named: string | null | undefined) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, named)
    const { settings } = yield* site.workplace.account(account, undefined)
    const { destination, device } = yield* AccountFacts.read(settings, DateTime.zoneMakeOffset(0))
    const { lane, serial: known = null } = yield* pinOf(site, account)
    const { serialNo: serial } = device
    // another device may have the same number in the gateway
    const isRenumbered = lane === destination.lane && known !== null && serial !== null && known !== serial
    const [before, now] = isRenumbered ? [`${lane} (${known})`, `${lane} (${serial})`] : [lane, destination.lane]
    return { account, before, now, destination, serial }
  })

const repinPage = (site: Site, named: string | null | undefined, note: string | null) =>
  Effect.gen(function* () {
    const devices = yield* devicesOf(site, named)
    const { account, before, now } = devices
    const { items, planned } = yield* listed(site, (one) => one.step.do === "repin" && one.account === account)
    const content = StorePages.followsPart(texts.repinConsequences(planned))
    const decision = { path: "/repin", fields: { account, device: now }, content, button: texts.move(now) }
    const about = StorePages.devicesPart(before, now)
    return decisionShown(site, texts.repin(account), note, items, before === now ? null : decision, about)
  })

export const showRepin = (site: Site, query: URLSearchParams) =>
  repinPage(site, query.get("account"), null).pipe(Effect.scoped)

/**
 * Moves the account and its unsent documents to the current device. Refuses if the gateway now
 * names another device than the page showed.
 */
export const repin = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const devices = yield* devicesOf(site, form.get("account"))
    const because = reasonIn(form)
    const answered = (note: string) => repinPage(site, devices.account, note)
    const lacking = OperatorRecord.reasonProblem(because)
    if (lacking !== null) return yield* answered(Texts.document.refused(lacking))
    if (devices.now !== form.get("device")) return yield* answered(Texts.page.gone)
    const { destination, serial } = devices
    const moved = yield* Effect.provide(
      SubmissionStore.SubmissionStore.use((store) => store.repin({ ...destination, serial }, because)),
      site.workplace.engine
    )
    return yield* answered(
      moved._tag === "Refused" ? Texts.document.refused(moved.text) : texts.moved(moved.moved, moved.redated)
    )
  }).pipe(Effect.scoped)

const othersPage = (site: Site, named: string | null | undefined, note: string | null) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, named)
    const { lane } = yield* pinOf(site, account)
    const { items } = yield* listed(site, (one) => one.step.do === "other-programs" && one.account === account)
    const content = StorePages.whoUses
    const decision = { path: "/other-programs", fields: { account }, content, button: Texts.document.record }
    return decisionShown(site, texts.others(lane), note, items, decision, html``)
  })

export const showOthers = (site: Site, query: URLSearchParams) => othersPage(site, query.get("account"), null)

export const sayOthers = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, form.get("account"))
    const { lane } = yield* pinOf(site, account)
    const stated = form.get("stated")
    if (stated !== "others" && stated !== "alone") return yield* othersPage(site, account, texts.whoUses)
    const problem = yield* Effect.provide(
      SubmissionStore.SubmissionStore.use((store) => store.stateOtherPrograms(lane, stated, reasonIn(form))),
      site.workplace.engine
    )
    return yield* othersPage(site, account, problem === null ? texts.othersRecorded : Texts.document.refused(problem))
  })
