/** Imports that the store remembers, all PDFs, and what follows the store. */
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect, Option, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headers } from "../guard/Entrance.ts"
import { lookingOf } from "../page/CheckPage.ts"
import { keptPage } from "../page/KeptPage.ts"
import * as Report from "../report/Report.ts"
import * as Words from "../text/Words.ts"
import * as Following from "../work/Following.ts"
import * as Kept from "../work/Kept.ts"
import type { PageImport } from "../work/PageImport.ts"
import * as Pdfs from "../work/Pdfs.ts"
import { download, type Response } from "./Request.ts"
import { type Site, notFound, shown, looking, storeProblem, onStore } from "./Site.ts"

/** An import that the store remembers; `session`: where it is of this session of the page. */
export const keptImport = (
  site: Site,
  id: number,
  session: PageImport | null,
  what: string | undefined,
  query: URLSearchParams
) =>
  Effect.gen(function* () {
    switch (what) {
      case undefined: {
        const found = yield* looking(site, site.kept.load(id))
        if (found == null) return yield* notFound
        const { environment } = found.kept.destination
        return shown(site, {
          title: session === null ? Words.page.imports : Words.page.doneTitle,
          at: "import",
          environment,
          content: keptPage(site.frame, found, session, environment === "live" ? "live" : "none", lookingOf(query))
        })
      }
      case "report": {
        const kept = yield* looking(site, keptOf(id))
        if (kept == null) return yield* notFound
        const text = Stream.unwrap(Effect.map(Kept.reportOf(kept), Report.write))
        return download(onStore(site, Stream.encodeText(text)), `${stemOf(kept.files)}.report.html`, "text/html")
      }
      case "pdfs":
        return yield* allPdfs(site, id)
      default:
        return yield* notFound
    }
  }).pipe(Effect.catchTag("StoreError", storeProblem))

const keptOf = (id: number) =>
  Effect.map(
    SubmissionStore.use((store) => store.importOf(id)),
    Option.getOrUndefined
  )

export const stemOf = (files: ReadonlyArray<{ readonly name: string }>): string =>
  (files[0]?.name ?? "export").replace(/(\.[^.]*)?(\.gz)?$/, "")

/** Every PDF there is, as one archive: of an import, or of the store. */
export const allPdfs = (site: Site, id: number | null) =>
  Effect.gen(function* () {
    const { workplace } = site
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return yield* notFound
    const kept = id === null ? null : yield* looking(site, keptOf(id))
    if (kept === undefined) return yield* notFound
    const bytes = Stream.unwrap(Pdfs.archive(workplace, kept))
    const name = kept === null ? "receipts.zip" : `${stemOf(kept.files)}.receipts.zip`
    return download(onStore(site, bytes), name, "application/zip")
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** How the store stands, and whenever something in it has changed, whichever process changed it: from the moment there is one. */
export const follow = (site: Site): Response => {
  const { isThere, place } = site.workplace
  const waiting =
    place === "sandbox"
      ? Stream.empty
      : Stream.tick("1 second").pipe(
          Stream.mapEffect(() => isThere),
          Stream.takeUntil((is) => is),
          Stream.drain
        )
  const standings = Stream.unwrap(SubmissionStore.use((store) => Effect.succeed(Following.standings(store))))
  const events = Stream.concat(waiting, onStore(site, standings)).pipe(
    Stream.map((standing) => `data: ${standing}\n\n`),
    Stream.encodeText,
    Stream.orDie
  )
  return HttpServerResponse.stream(events, { headers, contentType: "text/event-stream" })
}
