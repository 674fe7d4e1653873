import { BulkDecision, type Decision } from "@fiscal-connector/core/decisions"
import { Session } from "@fiscal-connector/core/session"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { type PlannedDocument, type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { OpenAccounts } from "@fiscal-connector/core/host/account"
import { Effect, Option } from "effect"
import * as Texts from "../text/Texts.ts"
import * as Going from "../work/Going.ts"
import { type RequestForm, seeOther } from "./Request.ts"
import { keptOf, looking, type Site } from "./Site.ts"

export const backOf = ({ frame }: Site, form: RequestForm, note?: string): string => {
  const back = form.get("back") ?? ""
  return /^\d{1,15}$/.test(back)
    ? `${frame.prefix}/imports/r${back}${note === undefined ? "" : `?said=${note}`}`
    : `${frame.prefix}/documents`
}

/**
 * Sends waiting documents in the background and keeps the reasons why an account may not send. Does
 * not disturb a lane in use by another worker. `live`: `every` allows all live devices, `consented`
 * only those with the operator's consent in this run of the page.
 */
export const resumeSending = (site: Site, live: "every" | "consented") => {
  const { going, workplace } = site
  const run = Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const all = yield* workplace.all
    const pins = yield* Effect.forEach(all, ({ settings }) => store.pinOf(settings.account))
    const accounts = yield* OpenAccounts.toGoOnWith(all.map(({ settings }) => settings))
    const known = all.filter(({ settings }) => accounts.includes(settings))
    const openings = yield* Effect.forEach(known, ({ settings, witness }) => {
      const lane = Option.getOrUndefined(pins[all.findIndex((one) => one.settings.account === settings.account)]!)?.lane
      const isMeant = live === "every" || (lane !== undefined && going.hasConsent(lane))
      return OpenAccounts.openEach([settings], { live: isMeant ? "allowed" : "not-allowed", witness, backOff: "over" })
    })
    const opened = openings.flatMap(({ opened }) => opened)
    const stopped = openings.flatMap(({ stopped }) => stopped)
    if (opened.length > 0) yield* Session.resume(opened)
    // outcomes are polled even for accounts that may not send
    const closed = accounts.filter(({ account }) => opened.every((one) => one.account !== account))
    if (closed.length > 0) yield* StatusPoller.StatusPoller.use((poller) => poller.sweep(closed))
    return Going.stopped(stopped)
  }).pipe(
    Effect.scoped,
    Effect.provide(workplace.engine),
    Effect.catchTag(["StoreError", "WorkplaceRefused"], ({ message }) => Effect.succeed(Going.because(message))),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("going on broke off", cause), Going.because(Texts.standstill.sendingText))
    )
  )
  return going.begin(workplace.accounts, run)
}

/**
 * Asks the gateway for what a decision depends on, before the store decides: the documents, and its
 * time. A call that fails leaves the last answer old, and the store then refuses the decision.
 */
export const askBefore = (
  { workplace }: Site,
  decision: Decision.Decision,
  keys: ReadonlyArray<PlannedDocument.SubmissionKey>
) =>
  Effect.gen(function* () {
    const documents = yield* SubmissionStore.SubmissionStore.use((store) => store.getMany(keys))
    const accounts = Effect.forEach(new Set(documents.map(({ account }) => account)), (account) =>
      Effect.map(workplace.account(account, undefined), ({ settings }) => settings)
    )
    return yield* BulkDecision.before(decision, documents, accounts)
  }).pipe(Effect.scoped)

/** Sends what a decision has released. Sending is of all accounts: if one is paused, it waits. */
export const sendAgain = (
  site: Site,
  { lane }: Pick<Submission.Submission, "lane">,
  consent: "allowed" | "not-needed"
) => {
  if (consent === "allowed") site.going.consent(lane)
  const isPaused = site.workplace.accounts.some((account) => site.going.endOf(account)?._tag === "Paused")
  return isPaused ? Effect.void : resumeSending(site, "consented")
}

/**
 * If the form has the operator's consent to a live device (`live=yes`), records it for the device
 * of the import that the form names in `back`.
 */
export const consented = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const back = Number(form.get("back"))
    if (form.get("live") !== "yes" || !Number.isSafeInteger(back) || back <= 0) return
    const kept = yield* looking(site, keptOf(back))
    if (kept != null) site.going.consent(kept.destination.lane)
  })

export const resume = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    yield* consented(site, form)
    yield* resumeSending(site, form.get("live") === "yes" && !form.has("back") ? "every" : "consented")
    return seeOther(backOf(site, form))
  })
