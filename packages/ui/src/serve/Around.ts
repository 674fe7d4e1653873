/**
 * Facts shown on every page besides its content: the owner of the device, real or test receipts,
 * and the number of items that need an operator.
 */
import { Lane, SubmissionStore } from "@fiscal-connector/core/store"
import { AccountFacts } from "@fiscal-connector/core/host/account"
import { Clock, DateTime, Effect } from "effect"
import * as Following from "../work/Following.ts"
import { looking, openItems, type Site } from "./Site.ts"

const fresh = 3_000

/**
 * Counts the items that need an operator. Ignores an unreadable store: the pages that need the
 * store report the problem.
 */
export const refresh = (site: Site) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isOld = now - site.around.at >= fresh
    const items = yield* looking(
      site,
      Effect.gen(function* () {
        const store = yield* SubmissionStore.SubmissionStore
        const standing = yield* Following.standing(store)
        if (!isOld && standing === site.around.standing) return undefined
        site.around.standing = standing
        return (yield* openItems).items
      })
    )
    if (items === undefined) return
    site.around.at = now
    site.around.open = items?.length ?? 0
  }).pipe(Effect.ignore)

export const first = (site: Site) =>
  Effect.forEach(
    site.workplace.place === "sandbox" ? [] : site.workplace.accounts,
    (name) =>
      Effect.gen(function* () {
        const { settings } = yield* site.workplace.account(name, undefined)
        const { destination } = yield* AccountFacts.read(settings, DateTime.zoneMakeLocal())
        const { environment, lane } = destination
        site.around.accounts.push({ account: name, device: Lane.deviceOf(lane), environment })
      }).pipe(Effect.scoped, Effect.ignore),
    { discard: true }
  )
