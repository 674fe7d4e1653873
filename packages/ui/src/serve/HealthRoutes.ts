/** Routes for health and fiscal days. */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import * as Reconcile from "@fiscal-connector/core/unstable/session/Reconcile"
import * as FiscalDays from "@fiscal-connector/core/unstable/day/FiscalDays"
import { DateTime, Duration, Effect } from "effect"
import type { Html } from "../html/Html.ts"
import { dayPage, daysPage, monthPage, type ShownMonth } from "../page/DaysPage.ts"
import { healthPage } from "../page/HealthPage.ts"
import * as Texts from "../text/Texts.ts"
import * as Following from "../work/Following.ts"
import type { WorkplaceRefused } from "../work/Workplace.ts"
import { type RequestForm, NotDone } from "./Request.ts"
import { type Site, notFound, shown, looking, storeProblem, zoneOf } from "./Site.ts"

export const showHealth = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const { workplace } = site
    const zone = yield* zoneOf(site)
    const now = yield* DateTime.now
    const since = DateTime.makeUnsafe(Math.floor(now.epochMilliseconds / 3_600_000) * 3_600_000 - 23 * 3_600_000)
    const found = yield* looking(
      site,
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const health = yield* store.health(Duration.days(7))
        const activity = yield* store.activity(since, Duration.hours(1))
        const standing = yield* Following.standing(store)
        return { health, concerns: Attention.of(health), activity, since, standing }
      })
    )
    const account = workplace.accounts.find((name) => name === query.get("examine"))
    const checks =
      account === undefined
        ? null
        : yield* workplace.doctor(account).pipe(
            Effect.map((checks) => ({ account, checks })),
            Effect.catchTag("WorkplaceRefused", ({ text }: WorkplaceRefused) => Effect.succeed({ problem: text }))
          )
    const content = healthPage(
      site.frame,
      found,
      workplace.accounts,
      checks,
      zone,
      found?.standing ?? "",
      query.get("more") === "yes" ? "more" : "less"
    )
    return shown(site, { title: Texts.page.health, at: "health", content })
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** Returns the named account, else the first. Fails with 404 for an unknown account. */
const accountOf = ({ workplace }: Site, named: string | null | undefined) => {
  const account = named == null ? workplace.accounts[0] : workplace.accounts.find((name) => name === named)
  return account === undefined ? notFound : Effect.succeed(account)
}

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

export const showDays = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, query.get("account"))
    if (query.get("at") === "month")
      return shownMonth(site, account, { month: yield* lastMonth(site), found: null, problem: null })
    const { others, settings } = yield* site.workplace.account(account, undefined)
    const { gateway } = settings
    const { accounts } = site.workplace
    const asked = query.get("day")
    const page = (content: Html) => shown(site, { title: Texts.days.heading, at: "days", content })
    if (asked === null) return page(daysPage(site.frame, accounts, account, yield* FiscalDays.list(gateway, undefined)))
    if (!/^\d{1,9}$/.test(asked)) return yield* notFound
    const one = (store: FiscalDays.DayStore | undefined) =>
      FiscalDays.one(gateway, settings, others, store, Number(asked))
    const day = (yield* looking(site, Effect.flatMap(SubmissionStore, one))) ?? (yield* one(undefined))
    if (day === null) return yield* new NotDone({ status: 409, text: Texts.days.unknown(asked) })
    return page(dayPage(site.frame, account, day))
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ StoreError: storeProblem, GatewayError: storeProblem, WorkplaceRefused: storeProblem })
  )

/** Compares a month. Answers of the gateway are recorded as evidence, so it is a form. */
export const reconcile = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, form.get("account"))
    const asked = form.get("month") ?? ""
    const without = (problem: string) => shownMonth(site, account, { month: asked, found: null, problem })
    if (!month.test(asked)) return without(Texts.days.noMonth)
    if (!(yield* site.workplace.isThere)) return without(Texts.days.neverSent)
    const { others, settings } = yield* site.workplace.account(account, undefined)
    const from = CivilDate.make(`${asked}-01`)
    const to = CivilDate.make(DateTime.formatIsoDateUtc(DateTime.endOf(DateTime.makeUnsafe(from), "month")))
    const order = { settings, others, period: { from, to }, source: null }
    return yield* Reconcile.run(order).pipe(
      Effect.map((found) => shownMonth(site, account, { month: asked, found, problem: null })),
      Effect.catchTag("ReconcileRefused", ({ message }) => Effect.succeed(without(message))),
      Effect.provide(site.workplace.engine)
    )
  }).pipe(Effect.scoped, Effect.catchTags({ StoreError: storeProblem, WorkplaceRefused: storeProblem }))
