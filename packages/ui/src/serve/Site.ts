/** State shared by all routes of the page, and access to the store. */
import type { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { DateTime, Effect, type Scope, Stream } from "effect"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import { type Frame, type PageLayout, whole } from "../page/part/Layout.ts"
import * as Texts from "../text/Texts.ts"
import type { Around } from "./ShownAround.ts"
import type { BookHistory } from "../work/BookHistory.ts"
import type { Going } from "../work/Going.ts"
import type * as Pace from "@fiscal-connector/core/unstable/session/Pace"
import type { RefusedFiles } from "../work/RefusedFiles.ts"
import type { Imports } from "../work/Imports.ts"
import type * as Kept from "../work/Kept.ts"
import type * as MappingPlans from "../work/MappingPlans.ts"
import * as Planning from "../work/Planning.ts"
import type { Workplace } from "../work/Workplace.ts"
import { NotDone, page, type Response } from "./Request.ts"

/** State shared by all pages. */
export interface Site {
  readonly workplace: Workplace
  readonly imports: Imports
  readonly kept: Kept.KeptImports
  readonly plans: MappingPlans.MappingPlans
  readonly going: Going
  readonly history: BookHistory
  /** Pace of each import, by its id in the store. */
  readonly paces: Map<number, ReturnType<typeof Pace.make>>
  readonly refusedFiles: RefusedFiles
  readonly folder: PrivateFolder
  readonly frame: Frame
  readonly around: Around
  /** Texts to show after a form, by the id in the address. */
  readonly notes: Map<string, string>
  /** Scope of background work. */
  readonly scope: Scope.Scope
}

export const notFound = new NotDone({ status: 404, text: Texts.page.notFoundText })
export const gone = new NotDone({ status: 409, text: Texts.page.gone })

export const shown = ({ frame }: Site, layout: PageLayout, status?: number): Response =>
  page(whole(frame, layout), status)

export const nameOf = (file: string): string => file.split(/[/\\]/).at(-1) ?? file

/** Returns the zone for times: the book's zone, else the machine's. */
export const zoneOf = ({ imports }: Site) =>
  Planning.bookOf(imports.bookFile).pipe(
    Effect.map((found) => found?.book.zone ?? DateTime.zoneMakeLocal()),
    Effect.orElseSucceed(() => DateTime.zoneMakeLocal())
  )

/** Runs the effect read-only on the store. Returns null if no store exists. */
export const looking = <A, E, R>({ workplace }: Site, effect: Effect.Effect<A, E, R | SubmissionStore>) =>
  Effect.gen(function* () {
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return null
    return yield* Effect.provide(effect, workplace.looking)
  })

/** Provides the read-only store to a stream while it runs. */
export const onStore = <A, E>({ workplace }: Site, stream: Stream.Stream<A, E, SubmissionStore>) =>
  Stream.provide(stream, workplace.looking)

export const storeProblem = ({ message }: { readonly message: string }) => new NotDone({ status: 409, text: message })
