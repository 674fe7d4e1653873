/** Route for the rows of a document in its source file. */
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import { Effect } from "effect"
import { documentAddress } from "../page/SendPages.ts"
import { sourcePage } from "../page/SourcePage.ts"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "../work/PageImport.ts"
import * as SourceRow from "../work/SourceRow.ts"
import { uploadLimit } from "./Request.ts"
import { type Site, looking, notFound, shown } from "./Site.ts"

/** Returns true for the address of the form with the source file. */
export const isSource = (path: string): boolean => /^\/documents\/[^/]+\/[^/]+\/[^/]+\/source$/.test(path)

/** Shows the rows. `given`: the file, if the operator chose it again. */
export const showSource = (site: Site, submission: Submission, given: Upload | null) =>
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
