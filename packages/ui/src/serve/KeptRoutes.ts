import { Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { Pace } from "@fiscal-connector/core/host/account"
import { Effect, FileSystem, Option, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headers } from "../guard/Entrance.ts"
import { lookingOf } from "../page/CheckPage.ts"
import { livingPage, type Sending } from "../page/LivingPage.ts"
import * as Report from "../report/Report.ts"
import * as Sheet from "../report/Sheet.ts"
import * as Texts from "../text/Texts.ts"
import * as Blocked from "../work/Blocked.ts"
import * as Following from "../work/Following.ts"
import * as Kept from "../work/Kept.ts"
import type { PageImport, Upload } from "../work/PageImport.ts"
import * as Pdfs from "../work/Pdfs.ts"
import { answersOf, rowsFormatOf } from "../work/SourceRow.ts"
import { download, type Response, rowsDownload, seeOther, stemOf } from "./Request.ts"
import { showReceipts } from "./SourceRoutes.ts"
import { type Site, foundOf, notFound, saidIn, shown, looking, onStore, zoneOf } from "./Site.ts"

/**
 * Returns the page or a file of an import in the store. `session`: the import, if it was started in
 * this session of the page. `given`: its file, if the operator chose it again.
 */
export const keptImport = (
  site: Site,
  id: number,
  session: PageImport | null,
  what: string | undefined,
  query: URLSearchParams,
  given: Upload | null = null
) =>
  Effect.gen(function* () {
    switch (what) {
      case undefined: {
        const found = yield* foundOf(site, site.kept.load(id))
        const { environment } = found.kept.destination
        const sending = yield* sendingOf(site, found, query)
        return shown(site, {
          title: found.kept.files.map(({ name }) => name).join(", ") || Texts.page.imports,
          at: "import",
          environment,
          ...(sending.state === "idle" ? {} : { again: 2 }),
          content: livingPage(site.frame, found, session, sending, lookingOf(query))
        })
      }
      case "report": {
        const kept = yield* foundOf(site, keptOf(id))
        const qr = query.get("qr") === "yes" ? "with" : "without"
        const text = Stream.unwrap(Effect.map(Kept.reportOf(kept), (report) => Report.write(report, qr)))
        return download(onStore(site, Stream.encodeText(text)), `${stemOf(kept.files)}.report.html`, "text/html")
      }
      case "report.xlsx": {
        const kept = yield* foundOf(site, keptOf(id))
        const bytes = Stream.unwrap(Effect.map(Kept.reportOf(kept), Sheet.write))
        return rowsDownload(onStore(site, bytes), kept.files, "report", ".xlsx")
      }
      case "receipts": {
        return yield* showReceipts(site, yield* foundOf(site, keptOf(id)), given)
      }
      case "refused": {
        const kept = yield* foundOf(site, keptOf(id))
        const file = yield* site.refusedFiles.find(kept)
        if (file === null) return yield* notFound
        const fs = yield* FileSystem.FileSystem
        return rowsDownload(fs.stream(file.path), kept.files, "refused", file.ending)
      }
      case "pdfs":
        return yield* allPdfs(site, id)
      default:
        return yield* notFound
    }
  })

const paceOf = ({ paces }: Site, id: number) => {
  const pace = paces.get(id) ?? Pace.make()
  paces.set(id, pace)
  return pace
}

const sendingOf = (site: Site, { at, kept, result }: Kept.Shown, query: URLSearchParams) =>
  Effect.gen(function* () {
    const { account, environment, lane } = kept.destination
    const stored = result.rows.filter(({ state }) => state !== "Refused" && state !== "Skipped")
    const known = stored.filter(({ state }) => Submission.isSettled(state)).length
    return {
      state: site.going.stateOf(account),
      end: site.going.endOf(account),
      pace: paceOf(site, kept.id)(at, known, stored.length + kept.rest),
      blocked: yield* looking(site, Blocked.ofLane(lane)),
      consent: environment !== "live" || site.going.hasConsent(lane) ? "given" : "asks",
      refusedFile: (yield* site.refusedFiles.find(kept)) === null ? "gone" : "there",
      receipts: rowsFormatOf(site.workplace, kept) === undefined ? "not-offered" : "offered",
      zone: yield* zoneOf(site),
      note: saidIn(site, query)
    } satisfies Sending
  })

export const changeKept = (site: Site, id: number, what: string | undefined) =>
  Effect.gen(function* () {
    const kept = yield* foundOf(site, keptOf(id))
    switch (what) {
      case "pause": {
        yield* site.going.pause(kept.destination.account)
        return seeOther(`${site.frame.prefix}/imports/r${id}`)
      }
      case "correct": {
        const file = yield* site.refusedFiles.find(kept)
        const format = site.workplace.formats.find(({ name }) => name === kept.adapter)
        if (file === null || format === undefined) return yield* notFound
        const fs = yield* FileSystem.FileSystem
        const path = site.folder.next(".upload")
        yield* fs.copyFile(file.path, path)
        yield* fs.chmod(path, 0o600)
        const { size } = yield* fs.stat(path)
        const one = yield* site.imports.begin({
          account: kept.destination.account,
          format,
          files: [{ name: `${stemOf(kept.files)}.refused${file.ending}`, path, bytes: Number(size) }],
          purpose: "import",
          base: answersOf(kept)
        })
        return seeOther(`${site.frame.prefix}/imports/${one.id}`)
      }
      default:
        return yield* notFound
    }
  })

const keptOf = (id: number) =>
  Effect.map(
    SubmissionStore.SubmissionStore.use((store) => store.importOf(id)),
    Option.getOrUndefined
  )

export const allPdfs = (site: Site, id: number | null) =>
  Effect.gen(function* () {
    const { workplace } = site
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return yield* notFound
    const kept = id === null ? null : yield* looking(site, keptOf(id))
    if (kept === undefined) return yield* notFound
    const bytes = Stream.unwrap(Pdfs.archive(workplace, kept))
    const name = kept === null ? "receipts.zip" : `${stemOf(kept.files)}.receipts.zip`
    return download(onStore(site, bytes), name, "application/zip")
  })

/** Streams the state of the store and each change by any process, starting when a store exists. */
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
  const standings = Stream.unwrap(
    SubmissionStore.SubmissionStore.use((store) => Effect.succeed(Following.standings(store, site.going.revision)))
  )
  const events = Stream.concat(waiting, onStore(site, standings)).pipe(
    Stream.map((standing) => `data: ${standing}\n\n`),
    Stream.encodeText,
    Stream.orDie
  )
  return HttpServerResponse.stream(events, { headers, contentType: "text/event-stream" })
}
