import { Attention } from "@fiscal-connector/core/attention"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Duration, Effect, Option, type Scope, Stream } from "effect"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import type { ListedDocuments } from "../page/DocumentsPage.ts"
import { type Around, type Frame, type PageLayout, whole } from "../page/part/Layout.ts"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "../work/BookHistory.ts"
import type { Going } from "../work/Going.ts"
import type { FiscalDays, Pace } from "@fiscal-connector/core/host/account"
import type { RefusedFiles } from "../work/RefusedFiles.ts"
import type { Imports } from "../work/Imports.ts"
import type * as Kept from "../work/Kept.ts"
import type * as Loaded from "../work/Loaded.ts"
import type * as MappingPlans from "../work/MappingPlans.ts"
import * as Planning from "../work/Planning.ts"
import type { Workplace } from "../work/Workplace.ts"
import { NotDone, page, type Response } from "./Request.ts"

export interface CountedAround extends Around {
  accounts: Array<Around["accounts"][number]>
  open: number
  /** Time of the last look at the store, in milliseconds since the epoch. */
  at: number
  standing: string
}

export interface Site {
  readonly workplace: Workplace
  readonly imports: Imports
  readonly kept: Kept.KeptImports
  readonly lists: ReturnType<typeof Loaded.make<ListedDocuments>>
  readonly plans: MappingPlans.MappingPlans
  readonly going: Going
  readonly history: BookHistory
  readonly paces: Map<number, ReturnType<typeof Pace.make>>
  readonly refusedFiles: RefusedFiles
  readonly folder: PrivateFolder
  readonly frame: Frame
  readonly around: CountedAround
  readonly notes: Map<string, string>
  /** Compared fiscal days, each with the state of the store (work/Following) at that time. */
  readonly days: Map<string, { readonly standing: string | null; readonly day: FiscalDays.FiscalDay }>
  readonly scope: Scope.Scope
}

export const notFound = new NotDone({ status: 404, text: Texts.page.notFoundText })
export const gone = new NotDone({ status: 409, text: Texts.page.gone })

export const shown = ({ frame }: Site, layout: PageLayout, status?: number): Response =>
  page(whole(frame, layout), status)

export const nameOf = (file: string): string => file.split(/[/\\]/).at(-1) ?? file

/** Keeps a text to show after a form, so that the address has only an id and no text. */
export const noted = ({ notes }: Site, text: string): string => {
  const id = String(notes.size + 1)
  notes.set(id, text)
  return id
}

/** Returns the text that was kept for the address. Null without one. */
export const saidIn = ({ notes }: Site, query: URLSearchParams): string | null =>
  notes.get(query.get("said") ?? "") ?? null

export const zoneOf = ({ imports }: Site) =>
  Effect.map(
    Effect.orElseSucceed(Planning.bookOf(imports.bookFile), () => undefined),
    (found) => found?.book.zone ?? DateTime.zoneMakeLocal()
  )

export const looking = <A, E, R>(
  { workplace }: Site,
  effect: Effect.Effect<A, E, R | SubmissionStore.SubmissionStore>
) =>
  Effect.gen(function* () {
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return null
    return yield* Effect.provide(effect, workplace.looking)
  })

/** Returns what is found in the store, else fails with 404. */
export const foundOf = <A, E, R>(
  site: Site,
  effect: Effect.Effect<A | null | undefined, E, R | SubmissionStore.SubmissionStore>
) => Effect.flatMap(looking(site, effect), (found) => (found == null ? notFound : Effect.succeed(found)))

/** Returns an import in the store. Undefined if the store has no such import. */
export const keptOf = (id: number) =>
  Effect.map(
    SubmissionStore.SubmissionStore.use((store) => store.importOf(id)),
    Option.getOrUndefined
  )

/** Returns the account of this name, else fails with 404. */
export const accountOf = ({ workplace }: Site, named: string | null | undefined) => {
  const account = workplace.accounts.find((name) => name === named)
  return account === undefined ? notFound : Effect.succeed(account)
}

export const onStore = <A, E>({ workplace }: Site, stream: Stream.Stream<A, E, SubmissionStore.SubmissionStore>) =>
  Stream.provide(stream, workplace.looking)

/** State of the store of the last seven days, with the items that need an operator. */
export const openItems = Effect.gen(function* () {
  const store = yield* SubmissionStore.SubmissionStore
  const health = yield* store.health(Duration.days(7))
  return { health, items: Attention.of(health) }
})
