import { Effect, FileSystem } from "effect"
import { sameAs } from "../page/BookPage.ts"
import * as Texts from "../text/Texts.ts"
import type { RequestForm } from "./Request.ts"
import * as SettingsRoutes from "./SettingsRoutes.ts"
import { type Site } from "./Site.ts"

/** Saves the file atomically, and only if it has no problems. */
export const saveBook = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const stored = yield* fs.readFileString(site.imports.bookFile)
    // browsers send forms with CRLF
    const text = (form.get("text") ?? "").replaceAll("\r\n", "\n")
    if (form.get("was") !== sameAs(stored))
      return yield* SettingsRoutes.show(site, "advanced", {
        note: { text: Texts.book.changed, tone: "waiting" },
        typed: text
      })
    const problems = yield* SettingsRoutes.write(site, stored, text, [{ what: Texts.book.byFile }])
    return yield* SettingsRoutes.show(
      site,
      "advanced",
      problems.length === 0 ? { note: { text: Texts.settings.saved, tone: "good" } } : { problems, typed: text }
    )
  })
