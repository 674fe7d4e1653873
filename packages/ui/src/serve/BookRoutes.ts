/** The mapping book as its text. */
import * as WholeFile from "@fiscal-connector/core/unstable/file/WholeFile"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as ImportRecord from "@fiscal-connector/core/import/ImportRecord"
import * as BookFiles from "@fiscal-connector/core/unstable/mapping/BookFiles"
import { Effect, FileSystem } from "effect"
import { bookPage } from "../page/BookPage.ts"
import * as Words from "../text/Words.ts"
import { type Form, type Response } from "./Request.ts"
import { type Site, shown, storeProblem, nameOf } from "./Site.ts"

export const showBook = (site: Site) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = site.imports.bookFile
    const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => null)
    return bookForm(site, text, text ?? "", [], null)
  })

const bookForm = (
  site: Site,
  stored: string | null,
  shownText: string,
  problems: ReadonlyArray<Finding>,
  note: string | null
): Response =>
  shown(
    site,
    {
      title: Words.page.bookFile,
      at: "book",
      content: bookPage(
        site.frame,
        nameOf(site.imports.bookFile),
        stored === null ? null : sameAs(stored),
        shownText,
        problems,
        note
      )
    },
    problems.length === 0 ? 200 : 400
  )

/** By which a form knows whether somebody else has written the book meanwhile. */
const sameAs = (text: string): string => ImportRecord.textRecord("", text).sha256

/** Written whole, and only where it is in order. */
export const saveBook = (site: Site, form: Form) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { bookFile: file } = site.imports
    const stored = yield* fs.readFileString(file)
    // a form has line ends of its own
    const text = (form.get("text") ?? "").replaceAll("\r\n", "\n")
    if (form.get("was") !== sameAs(stored)) return bookForm(site, stored, text, [], Words.book.changed)
    return yield* WholeFile.write(file, (unfinished) =>
      Effect.andThen(fs.writeFileString(unfinished, text, { mode: 0o600 }), BookFiles.open(unfinished))
    ).pipe(
      Effect.as(bookForm(site, text, text, [], Words.book.saved)),
      Effect.catchTag("BookError", ({ findings }) => Effect.succeed(bookForm(site, stored, text, findings, null)))
    )
  }).pipe(Effect.catchTag("PlatformError", storeProblem))
