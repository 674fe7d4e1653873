import type { Submission } from "@fiscal-connector/core/store"
import type { KeptImport } from "@fiscal-connector/core/host"
import { Effect, type FileSystem, Stream } from "effect"
import { html } from "../html/Html.ts"
import { keptAddress } from "../page/KeptPage.ts"
import { documentAddress } from "../page/SendPages.ts"
import { chooseForm, sourcePage } from "../page/SourcePage.ts"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "../work/PageImport.ts"
import * as SourceRow from "../work/SourceRow.ts"
import { discard, rowsDownload, uploadLimit } from "./Request.ts"
import { type Site, looking, notFound, onStore, shown } from "./Site.ts"

export const isSource = (path: string): boolean =>
  /^\/(documents\/[^/]+\/[^/]+\/[^/]+\/source|imports\/r\d{1,15}\/receipts)$/.test(path)

export const showReceipts = (site: Site, kept: KeptImport.KeptImport, given: Upload | null) =>
  Effect.gen(function* () {
    const found = yield* SourceRow.withReceipts(site.workplace, site.imports, kept, given)
    if (found === undefined) return yield* notFound
    if (found._tag === "Written") {
      const context = yield* Effect.context<FileSystem.FileSystem>()
      const done = Effect.provideContext(discard(given === null ? [] : [given.path]), context)
      return rowsDownload(Stream.ensuring(onStore(site, found.bytes), done), kept.files, "receipts", found.ending)
    }
    const here = keptAddress(site.frame, kept.id)
    if (given !== null) yield* discard([given.path])
    return shown(site, {
      title: Texts.page.withReceipts,
      at: "import",
      environment: kept.destination.environment,
      content: html`<p><a href="${here}">‹ ${found.file.name}</a></p>
        <h1>${Texts.page.withReceipts}</h1>
        ${chooseForm(site.frame, `${here}/receipts`, Texts.page.withReceipts, [found.file], found, uploadLimit)}`
    })
  })

/** Shows the rows. `given`: the file, if the operator chose it again. */
export const showSource = (site: Site, submission: Submission.Submission, given: Upload | null) =>
  Effect.gen(function* () {
    if (!SourceRow.isPlaced(submission)) return yield* notFound
    const known = (yield* looking(site, SourceRow.filesOf(submission))) ?? []
    const found = yield* SourceRow.look(site.workplace, site.imports, submission, known, given)
    const here = documentAddress(site.frame, submission.account, submission) ?? ""
    return shown(site, {
      title: Texts.sourceRow.title(submission.number),
      at: "documents",
      environment: submission.environment,
      content: sourcePage(site.frame, here, submission, known, found, uploadLimit)
    })
  })
