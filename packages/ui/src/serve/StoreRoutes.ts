/**
 * Routes for decisions about the store and the device of an account: accepting a restored backup,
 * moving an account to its current device, stating who makes receipts on a device.
 */
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { type StoreError, SubmissionStore } from "@fiscal-connector/core/store"
import { AccountFacts, OlderStore } from "@fiscal-connector/core/host/account"
import { DateTime, Effect, Option } from "effect"
import * as StorePages from "../page/StorePages.ts"
import * as Texts from "../text/Texts.ts"
import { reasonIn, type RequestForm } from "./Request.ts"
import type { WorkplaceRefused } from "../work/Workplace.ts"
import { accountOf, foundOf, looking, notFound, openItems, type Site, shown } from "./Site.ts"

const texts = Texts.storeDecisions

const listed = (site: Site, step: "accept-older" | "repin" | "other-programs", account: string | null) =>
  looking(
    site,
    Effect.map(openItems, ({ health, items }) => ({
      items: items.filter(({ actions }) =>
        actions.some((action) => action.step.do === step && (account === null || action.account === account))
      ),
      planned: health.counts.Planned ?? 0
    }))
  )

/** Returns the page of a decision about open items. */
export const decisionShown = (site: Site, title: string, ...page: PageParts) =>
  shown(site, { title, at: "health", content: StorePages.decisionPage(site.frame, title, ...page) })

type PageParts = Parameters<typeof StorePages.decisionPage> extends [unknown, unknown, ...infer Parts] ? Parts : never

const olderPage = (site: Site, note: string | null) =>
  Effect.gen(function* () {
    const found = yield* listed(site, "accept-older", null)
    if (found === null) return yield* notFound
    return decisionShown(site, texts.older, note, found.items, {
      path: "/accept-older",
      fields: {},
      follows: texts.olderConsequences,
      button: texts.acceptOlder(found.planned)
    })
  })

export const showOlder = (site: Site) => olderPage(site, null)

/**
 * Accepts the store as it is. Planned documents are held first, so that none is sent automatically.
 */
export const acceptOlder = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const because = reasonIn(form)
    const found = yield* listed(site, "accept-older", null)
    const [first] = yield* site.workplace.all
    const witness = first?.witness
    if (found === null || found.items.length === 0 || witness === undefined)
      return yield* olderPage(site, texts.nothingListed)
    const lacking = OperatorRecord.reasonProblem(because)
    if (lacking !== null) return yield* olderPage(site, Texts.document.refused(lacking))
    const held = yield* Effect.provide(OlderStore.accept(witness, because), site.workplace.engine)
    return yield* olderPage(site, texts.accepted(held))
  }).pipe(Effect.scoped)

const dismissPage = (site: Site, given: Pick<URLSearchParams | RequestForm, "get">, note: string | null) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, given.get("account"))
    const cause = given.get("cause") ?? ""
    const found = yield* looking(site, openItems)
    const items = (found?.items ?? []).filter(
      (one) => one.code === "IMPORT_REFUSED" && one.account === account && one.cause === cause
    )
    const button = texts.dismiss(items.reduce((sum, one) => sum + one.documents, 0))
    const decision = { path: "/dismiss", fields: { account, cause }, follows: texts.dismissConsequences, button }
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
    const found = yield* listed(site, "repin", devices.account)
    const { account, before, now } = devices
    const follows = texts.repinConsequences(found?.planned ?? 0)
    const decision = { path: "/repin", fields: { account, device: now }, follows, button: texts.move(now) }
    const about = StorePages.devicesPart(before, now)
    return decisionShown(site, texts.repin(account), note, found?.items ?? [], before === now ? null : decision, about)
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

const othersPage = (site: Site, named: string | null | undefined, answered: (lane: string) => OthersNote) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, named)
    const { lane } = yield* pinOf(site, account)
    const note = yield* answered(lane)
    const found = yield* listed(site, "other-programs", account)
    const content = StorePages.othersPage(site.frame, { account, lane }, found?.items ?? [], note)
    return shown(site, { title: texts.others(lane), at: "health", content })
  })

type OthersNote = Effect.Effect<string | null, StoreError.StoreError | WorkplaceRefused>

export const showOthers = (site: Site, query: URLSearchParams) =>
  othersPage(site, query.get("account"), () => Effect.succeed(null))

export const sayOthers = (site: Site, form: RequestForm) =>
  othersPage(site, form.get("account"), (lane) =>
    Effect.gen(function* () {
      const stated = form.get("stated")
      if (stated !== "others" && stated !== "alone") return texts.whoUses
      const because = reasonIn(form)
      const store = yield* SubmissionStore.SubmissionStore
      const problem = yield* store.stateOtherPrograms(lane, stated, because)
      return problem === null ? texts.othersRecorded : Texts.document.refused(problem)
    }).pipe(Effect.provide(site.workplace.engine))
  )
