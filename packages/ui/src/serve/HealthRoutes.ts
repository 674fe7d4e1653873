import { ItemView } from "@fiscal-connector/core/attention"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { CivilDate } from "@fiscal-connector/core/adapter"
import { Reconcile } from "@fiscal-connector/core/session"
import { FiscalDays } from "@fiscal-connector/core/host/account"
import { DateTime, Duration, Effect } from "effect"
import type { Html } from "../html/Html.ts"
import { dayPage, daysPage, monthPage, type ShownMonth, together } from "../page/DaysPage.ts"
import { activityPage, doctorPage, healthPage } from "../page/HealthPage.ts"
import * as Texts from "../text/Texts.ts"
import * as Following from "../work/Following.ts"
import type { WorkplaceRefused } from "../work/Workplace.ts"
import { type RequestForm, NotDone } from "./Request.ts"
import { type Site, accountOf, notFound, shown, looking, openItems, zoneOf } from "./Site.ts"

export const showHealth = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const { frame, workplace } = site
    const zone = yield* zoneOf(site)
    const page = (content: Html) => shown(site, { title: Texts.page.health, at: "health", content })
    const account = workplace.accounts.find((name) => name === query.get("examine"))
    if (account !== undefined) {
      const checks = yield* workplace
        .doctor(account)
        .pipe(Effect.catchTag("WorkplaceRefused", ({ text }: WorkplaceRefused) => Effect.succeed(text)))
      return page(doctorPage(frame, account, checks, zone))
    }
    const day = Duration.hours(24)
    const since = DateTime.subtractDuration(yield* DateTime.now, day)
    const found = yield* looking(
      site,
      Effect.gen(function* () {
        const store = yield* SubmissionStore.SubmissionStore
        const open = yield* openItems
        if (query.get("more") === "yes")
          return activityPage(frame, { ...open.health, counts: (yield* store.activity(since, day))[0]?.counts ?? {} })
        const content = { ...open, figures: yield* ItemView.figures(open.items) }
        return healthPage(frame, content, workplace.accounts, zone, yield* Following.standing(store))
      })
    )
    return page(found ?? healthPage(frame, null, workplace.accounts, zone, ""))
  })

/** Returns the named account, else the first. Fails with 404 for an unknown account. */
const orFirst = (site: Site, named: string | null | undefined) => accountOf(site, named ?? site.workplace.accounts[0])

const month = /^\d{4}-(0[1-9]|1[0-2])$/

const lastMonth = (site: Site) =>
  Effect.gen(function* () {
    const now = DateTime.setZone(yield* DateTime.now, yield* zoneOf(site))
    return DateTime.formatIsoDate(DateTime.subtract(now, { months: 1 })).slice(0, 7)
  })

const shownMonth = (site: Site, account: string, content: ShownMonth) =>
  shown(site, {
    title: Texts.days.month,
    at: "days",
    content: monthPage(site.frame, site.workplace.accounts, account, content)
  })

/** Returns a closed day as compared since the store last changed. An open day may be closed now. */
const comparedDay = (site: Site, account: string, number: number, standing: string | null) => {
  const known = site.days.get(`${number} of ${account}`)
  return known !== undefined && standing !== null && known.standing === standing ? known.day : null
}

/** Returns the day as compared now. A closed report is read once. */
const dayOf = (site: Site, account: string, number: number, standing: string | null) =>
  Effect.gen(function* () {
    const compared = comparedDay(site, account, number, standing)
    if (compared !== null) return compared
    const key = `${number} of ${account}`
    const closed = site.days.get(key)?.day.day
    const { others, settings } = yield* site.workplace.account(account, undefined)
    const gateway =
      closed === undefined ? settings.gateway : { ...settings.gateway, zReport: () => Effect.succeed(closed) }
    const one = (store: FiscalDays.DayStore | undefined) => FiscalDays.one(gateway, settings, others, store, number)
    const day = (yield* looking(site, Effect.flatMap(SubmissionStore.SubmissionStore, one))) ?? (yield* one(undefined))
    if (day?.day.isSuccess === true) site.days.set(key, { standing, day })
    return day
  })

export const showDays = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const account = yield* orFirst(site, query.get("account"))
    if (query.get("at") === "month")
      return shownMonth(site, account, { month: yield* lastMonth(site), found: null, text: null })
    const { accounts } = site.workplace
    const asked = query.get("day")
    const page = (content: Html) => shown(site, { title: Texts.days.heading, at: "days", content })
    const standing = yield* looking(site, Effect.flatMap(SubmissionStore.SubmissionStore, Following.standing))
    if (asked === null) {
      const { settings } = yield* site.workplace.account(account, undefined)
      const found = yield* FiscalDays.list(settings.gateway, undefined)
      const shownDays = Reconcile.ofMonth(found.days, query.get("month"))
      const numbers = shownDays.days.flatMap(({ fiscalDayNumber }) => fiscalDayNumber ?? [])
      const toRead = query.get("read") === "yes" && standing !== null ? numbers.slice(-together) : []
      const now = new Map<number, FiscalDays.FiscalDay | null>()
      for (const number of toRead) now.set(number, yield* dayOf(site, account, number, standing))
      const read = numbers.flatMap((number) => {
        const day = now.get(number) ?? comparedDay(site, account, number, standing)
        return day === null ? [] : [[number, day] as const]
      })
      const sentOn = (store: FiscalDays.DayStore) => Reconcile.sentOnDays(settings, store, shownDays.days)
      const sent = yield* looking(site, Effect.flatMap(SubmissionStore.SubmissionStore, sentOn))
      const closed = Math.max(0, ...found.days.map(({ fiscalDayNumber }) => fiscalDayNumber ?? 0))
      const isNewest = shownDays.month === (shownDays.months[0] ?? null)
      const open = [...(sent?.days.keys() ?? [])].find((day) => isNewest && day > closed) ?? null
      const days = { ...shownDays, findings: found.findings, read: new Map(read), sent, open }
      return page(daysPage(site.frame, accounts, account, days))
    }
    if (!/^\d{1,9}$/.test(asked)) return yield* notFound
    const day = yield* dayOf(site, account, Number(asked), standing)
    if (day === null) return yield* new NotDone({ status: 409, text: Texts.days.unknown(asked) })
    return page(dayPage(site.frame, account, day))
  }).pipe(Effect.scoped)

export const reconcile = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const account = yield* orFirst(site, form.get("account"))
    const asked = form.get("month") ?? ""
    const without = (text: string) => shownMonth(site, account, { month: asked, found: null, text })
    if (!month.test(asked)) return without(Texts.days.noMonth)
    if (!(yield* site.workplace.isThere)) return without(Texts.days.neverSent)
    const { others, settings } = yield* site.workplace.account(account, undefined)
    const from = CivilDate.CivilDate.make(`${asked}-01`)
    const to = CivilDate.CivilDate.make(DateTime.formatIsoDateUtc(DateTime.endOf(DateTime.makeUnsafe(from), "month")))
    const order = { settings, others, period: { from, to }, source: null }
    return yield* Reconcile.run(order).pipe(
      Effect.map((found) => shownMonth(site, account, { month: asked, found, text: null })),
      Effect.catchTag("ReconcileRefused", ({ message }) => Effect.succeed(without(message))),
      Effect.provide(site.workplace.engine)
    )
  }).pipe(Effect.scoped)
