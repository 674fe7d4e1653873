/** Routes for health and fiscal days. */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as FiscalDays from "@fiscal-connector/core/unstable/day/FiscalDays"
import { DateTime, Duration, Effect } from "effect"
import { dayPage, daysPage } from "../page/DaysPage.ts"
import { healthPage } from "../page/HealthPage.ts"
import * as Texts from "../text/Texts.ts"
import * as Following from "../work/Following.ts"
import type { WorkplaceRefused } from "../work/Workplace.ts"
import { NotDone } from "./Request.ts"
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

/** Returns the named account of the page. Fails with 404 for an unknown account. */
const accountOf = ({ workplace }: Site, named: string | null) => {
  const account = workplace.accounts.find((name) => name === named)
  return account === undefined ? notFound : Effect.succeed(account)
}

export const showDays = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, query.get("account"))
    const { others, settings } = yield* site.workplace.account(account, undefined)
    const { gateway } = settings
    const asked = query.get("day")
    if (asked === null) {
      const days = yield* FiscalDays.list(gateway, undefined)
      return shown(site, { title: Texts.days.heading, at: "health", content: daysPage(site.frame, account, days) })
    }
    if (!/^\d{1,9}$/.test(asked)) return yield* notFound
    const one = (store: FiscalDays.DayStore | undefined) =>
      FiscalDays.one(gateway, settings, others, store, Number(asked))
    const day = (yield* looking(site, Effect.flatMap(SubmissionStore, one))) ?? (yield* one(undefined))
    if (day === null) return yield* new NotDone({ status: 409, text: Texts.days.unknown(asked) })
    return shown(site, { title: Texts.days.heading, at: "health", content: dayPage(site.frame, account, day) })
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ StoreError: storeProblem, GatewayError: storeProblem, WorkplaceRefused: storeProblem })
  )
