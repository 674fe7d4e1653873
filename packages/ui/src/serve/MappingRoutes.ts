/**
 * Routes for the codes at the gateway: the codes that an import lacks, and the comparison of all
 * codes with the settings. Only shown changes are applied.
 */
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Mappings } from "@fiscal-connector/core/host/account"
import { MappingApply, SavedPlan } from "@fiscal-connector/core/host/import"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { Html } from "../html/Html.ts"
import { comparison } from "../page/part/MappingsPart.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport, Phase } from "../work/PageImport.ts"
import * as Planning from "../work/Planning.ts"
import type { RequestForm } from "./Request.ts"
import { gone, looking, type Site } from "./Site.ts"

export const nameOf = (plan: SavedPlan.SavedPlan): string =>
  createHash("sha256").update(SavedPlan.toText(plan)).digest("base64url")

const applied = ({ imports, workplace }: Site, plan: SavedPlan.SavedPlan) =>
  Effect.gen(function* () {
    const found = yield* Planning.bookOf(imports.bookFile)
    if (found === undefined || SavedPlan.digest(found.book) !== plan.book) return Texts.mappings.gone
    const { settings } = yield* workplace.account(plan.account, found.book.zone)
    yield* MappingApply.apply(plan, settings.gateway)
    return null
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      PlanStale: ({ message }) => Effect.succeed(Texts.mappings.stale(message)),
      GatewayError: ({ message }) => Effect.succeed(Texts.mappings.stale(message))
    })
  )

export const register = (
  site: Site,
  one: PageImport,
  { checked: { additions } }: Extract<Phase, { readonly _tag: "Checked" }>,
  form: RequestForm
) =>
  Effect.gen(function* () {
    if (additions === null || form.get("plan") !== nameOf(additions)) return yield* gone
    // a second click finds another phase
    one.phase = { _tag: "Reading", documents: 0 }
    const set = Effect.tap(applied(site, additions), (problem) =>
      Effect.sync(() => {
        one.notice = problem
      })
    )
    yield* Effect.ensuring(set, site.imports.recheck(one))
  })

export const compared = (site: Site, account: string, note: string | null) =>
  Effect.gen(function* () {
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* gone
    const { settings } = yield* site.workplace.account(account, found.book.zone)
    const planned = (store: Mappings.PlanRequest["store"]) =>
      Mappings.plan(settings.gateway, { account, book: found.book, extras: "keep", store })
    const made =
      (yield* looking(site, Effect.flatMap(SubmissionStore.SubmissionStore, planned))) ?? (yield* planned(undefined))
    const { findings, steps } = made.plan
    const id = steps.length === 0 ? null : site.plans.keep(SavedPlan.make(account, found.book, made.gateway, made.plan))
    return comparison(site.frame, account, steps, findings, id, note) satisfies Html
  }).pipe(Effect.scoped)

/** Applies the shown comparison exactly, and only once. Returns the account with the result. */
export const applyCompared = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const plan = site.plans.take(form.get("plan") ?? "")
    if (plan === undefined) return yield* gone
    return { account: plan.account, note: (yield* applied(site, plan)) ?? Texts.mappings.applied }
  })
