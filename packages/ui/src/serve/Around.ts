/** What every page shows beside its content: whose device it is, whether receipts are real, and how many things wait for an operator. */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import { Clock, DateTime, Duration, Effect } from "effect"
import { know } from "./ShownAround.ts"
import { looking, type Site } from "./Site.ts"

/** How long a count is shown without looking again, in milliseconds. */
const fresh = 3_000

/** Counts what waits for an operator. A store that cannot be read is reported by the pages that need it. */
export const refresh = (site: Site) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - site.around.at < fresh) return
    site.around.at = now
    const health = yield* looking(
      site,
      SubmissionStore.use((store) => store.health(Duration.days(7)))
    )
    const items = health === null ? [] : Attention.of(health)
    site.around.open = items.length
    // a fiscal day that failed or differs is said on the first screen, whatever else there is
    const days = items.filter(({ code }) => code.startsWith("DAY_"))
    site.around.worst = [...new Set([...days, ...items].map(({ text }) => text))].slice(0, few)
  }).pipe(Effect.ignore)

/** How many are said in words. */
const few = 3

/** Asks each gateway once, when the page starts, which device it is; one that does not answer is asked again with the first import. */
export const first = (site: Site) =>
  Effect.forEach(
    site.workplace.place === "sandbox" ? [] : site.workplace.accounts,
    (name) =>
      Effect.gen(function* () {
        const { settings } = yield* site.workplace.account(name, undefined)
        const { destination } = yield* AccountFacts.read(settings, DateTime.zoneMakeLocal())
        know(site.around, name, destination.lane, destination.environment)
      }).pipe(Effect.scoped, Effect.ignore),
    { discard: true }
  )
