/**
 * Routes for the settings. Saves them to the mapping book atomically, and only if the resulting
 * book has no problems.
 */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as BookFiles from "@fiscal-connector/core/unstable/mapping/BookFiles"
import * as BookEditing from "@fiscal-connector/core/unstable/mapping/BookEditing"
import * as AtomicFile from "@fiscal-connector/core/unstable/file/AtomicFile"
import { Effect, FileSystem } from "effect"
import { bookFileForm, sameAs } from "../page/BookPage.ts"
import type { Html } from "../html/Html.ts"
import { compareLinks, itemsOf, nameOf as fieldOf, sections, settingsPage } from "../page/SettingsPage.ts"
import * as Texts from "../text/Texts.ts"
import * as Planning from "../work/Planning.ts"
import { undoChange } from "./FixRoutes.ts"
import * as MappingRoutes from "./MappingRoutes.ts"
import type { Form } from "./Request.ts"
import { gone, nameOf, shown, type Site, storeProblem } from "./Site.ts"

type Note = Parameters<typeof settingsPage>[4]

/** Shows the settings. `typed`: the rejected text of the file as sent. */
export const show = (
  site: Site,
  note: Note = null,
  problems: ReadonlyArray<Finding> = [],
  typed: string | null = null,
  compared: Html | null = null
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = site.imports.bookFile
    const stored = yield* Effect.orElseSucceed(fs.readFileString(file), () => null)
    const read = yield* Effect.result(Planning.bookOf(file))
    const usable = read._tag === "Success" ? (read.success ?? null) : null
    const own = read._tag === "Failure" && read.failure._tag === "BookError" ? read.failure.findings : []
    return shown(
      site,
      {
        title: Texts.settings.title,
        at: "book",
        content: settingsPage(
          site.frame,
          usable,
          site.history,
          problems.length > 0 ? problems : own,
          note,
          compared ?? compareLinks(site.frame, site.workplace.accounts),
          bookFileForm(site.frame, nameOf(file), stored, typed, problems.length + own.length > 0 ? "open" : "closed")
        )
      },
      problems.length === 0 ? 200 : 400
    )
  })

/** Shows the settings, compared with the gateway's mappings for the account if one is named. */
export const showCompared = (site: Site, named: string | null, note: string | null = null) =>
  Effect.gen(function* () {
    const account = site.workplace.accounts.find((name) => name === named)
    const compared = account === undefined ? null : yield* MappingRoutes.compared(site, account, note)
    return yield* show(site, null, [], null, compared)
  })

export const applyMappings = (site: Site, form: Form) =>
  Effect.flatMap(MappingRoutes.applyCompared(site, form), ({ account, note }) => showCompared(site, account, note))

/** Writes the text and records the change if the book loads. Otherwise returns the problems. */
export const write = (site: Site, before: string, after: string, texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { bookFile: file } = site.imports
    return yield* AtomicFile.write(file, (unfinished) =>
      Effect.andThen(fs.writeFileString(unfinished, after, { mode: 0o600 }), BookFiles.open(unfinished))
    ).pipe(
      Effect.andThen(site.history.note(texts, before, after)),
      Effect.as<ReadonlyArray<Finding>>([]),
      Effect.catchTag("BookError", ({ findings }) => Effect.succeed(findings))
    )
  })

/** Writes the changed text of the book, and shows the settings with the result. */
const written = (site: Site, before: string, after: string, texts: ReadonlyArray<string>) =>
  Effect.flatMap(write(site, before, after, texts), (problems) =>
    problems.length === 0 ? show(site, saved) : show(site, null, problems)
  )

type FoundBook = NonNullable<Effect.Success<ReturnType<typeof Planning.bookOf>>>

/** Edits the book, unless its file was changed after the form was shown. */
const edited = (site: Site, form: Form, edit: (found: FoundBook) => ReturnType<typeof written>) =>
  Effect.gen(function* () {
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* gone
    if (form.get("was") !== sameAs(found.text)) return yield* show(site, { text: Texts.book.changed, tone: "waiting" })
    return yield* edit(found)
  }).pipe(Effect.catchTags({ BookError: storeProblem, PlatformError: storeProblem }))

const saved: Note = { text: Texts.settings.saved, tone: "good" }

export const save = (site: Site, form: Form) =>
  edited(site, form, (found) => {
    const changed = sections
      .flatMap(({ settings }) => settings)
      .flatMap((setting) => {
        const value = form.get(fieldOf(setting))?.trim()
        return value === undefined || value === setting.of(found.book) ? [] : [{ setting, value }]
      })
    if (changed.length === 0) return show(site, { text: Texts.settings.unchanged, tone: "waiting" })
    const after = BookEditing.apply(
      found.text,
      changed.map(({ setting: { path }, value }) => ({
        what: "setting",
        path,
        // an empty value removes the setting, so that its default applies
        value: value === "" ? null : value
      }))
    )
    return written(
      site,
      found.text,
      after,
      changed.map(({ setting: { choices, label }, value }) => {
        const text = choices?.find(([choice]) => choice === value)?.[1] ?? value
        return `${label}: ${text === "" ? Texts.settings.nothing : text}`
      })
    )
  })

/** Saves the changed product codes of items, and a further item. */
export const saveItems = (site: Site, form: Form) =>
  edited(site, form, (found) => {
    const typed = (name: string) => form.get(name)?.trim() ?? ""
    const shownItems = itemsOf(found.book.productCodes)
    const changed = shownItems.flatMap(([item, code], at) => {
      const to = form.get(`code.${at}`)?.trim()
      return to === undefined || to === code ? [] : [[item, to] as const]
    })
    const further = typed("item") === "" && typed("code") === "" ? [] : [[typed("item"), typed("code")] as const]
    const all = [...changed, ...further]
    if (all.length === 0) return show(site, { text: Texts.settings.unchanged, tone: "waiting" })
    if (all.some((pair) => pair.includes("")))
      return show(site, { text: Texts.settings.itemIncomplete, tone: "waiting" })
    const edits = all.map(
      ([description, productCode]) => ({ what: "described product", description, productCode }) as const
    )
    const texts = all.map(([item, code]) => Texts.settings.itemIs(item, code))
    return written(site, found.text, BookEditing.apply(found.text, edits), texts)
  })

/** Removes a spelling. The next import asks for its meaning. */
export const forget = (site: Site, form: Form) =>
  Effect.gen(function* () {
    const list = form.get("list")
    const spelling = form.get("spelling")
    if ((list !== "taxes" && list !== "currencies" && list !== "payments") || spelling === undefined) return yield* gone
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* gone
    const after = BookEditing.apply(found.text, [{ what: "forgotten spelling", list, spelling }])
    if (after === found.text) return yield* gone
    return yield* written(site, found.text, after, [Texts.settings.forgotten(spelling)])
  }).pipe(Effect.catchTags({ BookError: storeProblem, PlatformError: storeProblem }))

export const undo = (site: Site, form: Form) =>
  Effect.flatMap(undoChange(site, form), (text) =>
    show(site, { text, tone: text === Texts.fix.undone ? "good" : "waiting" })
  )
