/**
 * Routes for the settings. Saves them to the mapping book atomically, and only if the resulting
 * book has no problems.
 */
import type { Finding } from "@fiscal-connector/core/adapter"
import { CodesInUse } from "@fiscal-connector/core/host/account"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { BookEditing, BookFiles, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { AtomicFile } from "@fiscal-connector/core/host"
import { Effect, FileSystem } from "effect"
import {
  compareLinks,
  itemsOf,
  kindOf,
  nameOf as fieldOf,
  sameAs,
  type SettingsSection,
  sections,
  settings,
  settingsPage,
  type SettingsShown
} from "../page/SettingsPage.ts"
import * as Texts from "../text/Texts.ts"
import type { ChangedSetting } from "../work/BookHistory.ts"
import * as Planning from "../work/Planning.ts"
import { undoChange } from "./FixRoutes.ts"
import * as MappingRoutes from "./MappingRoutes.ts"
import type { RequestForm } from "./Request.ts"
import { gone, looking, nameOf, openItems, shown, type Site } from "./Site.ts"

type SettingsNote = SettingsShown["note"]

const sectionOf = (name: string | null | undefined): SettingsSection =>
  sections.find((one) => one === name) ?? "business"

interface Showing extends Partial<Pick<SettingsShown, "note" | "problems" | "rule" | "compared">> {
  readonly typed?: string
}

const show = (site: Site, at: SettingsSection, { compared, note = null, problems = [], rule = null, typed }: Showing) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = site.imports.bookFile
    const stored = yield* Effect.orElseSucceed(fs.readFileString(file), () => null)
    const read = yield* Effect.result(Planning.bookOf(file))
    const own = read._tag === "Failure" && read.failure._tag === "BookError" ? read.failure.findings : []
    const uses = at === "business" || at === "taxes" ? yield* usesOf(site) : "no-store"
    const wrong = problems.length > 0 ? problems : own
    return shown(
      site,
      {
        title: Texts.word.settings,
        at: "book",
        content: settingsPage(site.frame, {
          at,
          rule,
          note,
          stored: read._tag === "Success" ? (read.success ?? null) : null,
          history: site.history,
          known: at === "files" ? yield* known(site) : [],
          uses: typeof uses === "string" ? null : uses,
          problems: wrong,
          compared: compared ?? compareLinks(site.frame, site.workplace.accounts),
          file: { name: nameOf(file), stored, typed }
        })
      },
      problems.length === 0 ? 200 : 400
    )
  })

/** Returns what uses the entries of the settings. `no-store`: nothing was sent yet. */
const usesOf = (site: Site) =>
  looking(
    site,
    Effect.gen(function* () {
      const counted = yield* CodesInUse.inReceipts(yield* SubmissionStore.SubmissionStore, site.workplace.accounts)
      const { health, items } = yield* openItems
      const late = items.filter(({ cause, code }) => code === "HELD" && cause === "late")
      const receipts = health.counts.Fiscalised ?? 0
      return { ...counted, receipts, held: late.reduce((sum, { documents }) => sum + documents, 0) }
    })
  ).pipe(
    Effect.map((uses) => uses ?? "no-store"),
    Effect.catchTag("StoreError", () => Effect.succeed("not-known" as const))
  )

const answersFile = ({ imports }: Site) => RememberedAnswers.fileOf(imports.bookFile)

const known = (site: Site) => Effect.orElseSucceed(RememberedAnswers.load(answersFile(site)), () => [])

export const showAt = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const account = site.workplace.accounts.find((name) => name === query.get("compare"))
    if (account !== undefined) return yield* showCompared(site, account, null)
    return yield* show(site, sectionOf(query.get("at")), { rule: query.get("rule") })
  })

const showCompared = (site: Site, account: string, note: string | null) =>
  Effect.flatMap(MappingRoutes.compared(site, account, note), (compared) => show(site, "taxes", { compared }))

export const applyMappings = (site: Site, form: RequestForm) =>
  Effect.flatMap(MappingRoutes.applyCompared(site, form), ({ account, note }) => showCompared(site, account, note))

/** Writes the text and records the change if the book loads. Otherwise returns the problems. */
const write = (site: Site, before: string, after: string, changed: ReadonlyArray<ChangedSetting>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { bookFile: file } = site.imports
    return yield* AtomicFile.write(file, (unfinished) =>
      Effect.andThen(fs.writeFileString(unfinished, after, { mode: 0o600 }), BookFiles.open(unfinished))
    ).pipe(
      Effect.andThen(site.history.note(changed, before, after)),
      Effect.as<ReadonlyArray<Finding.Finding>>([]),
      Effect.catchTag("BookError", ({ findings }) => Effect.succeed(findings))
    )
  })

/** Saves the file atomically, and only if it has no problems. */
export const saveFile = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const stored = yield* fs.readFileString(site.imports.bookFile)
    // browsers send forms with CRLF
    const typed = (form.get("text") ?? "").replaceAll("\r\n", "\n")
    if (form.get("was") !== sameAs(stored))
      return yield* show(site, "advanced", { note: waiting(Texts.book.changed), typed })
    const problems = yield* write(site, stored, typed, [{ what: Texts.book.byFile }])
    return yield* show(site, "advanced", problems.length === 0 ? { note: saved } : { problems, typed })
  })

const written = (
  site: Site,
  at: SettingsSection,
  before: string,
  after: string,
  changed: ReadonlyArray<ChangedSetting>
) =>
  Effect.flatMap(write(site, before, after, changed), (problems) =>
    show(site, at, problems.length === 0 ? { note: saved } : { problems })
  )

type FoundBook = NonNullable<Effect.Success<ReturnType<typeof Planning.bookOf>>>

/** Edits the book, unless its file was changed after the form was shown. */
const edited = (
  site: Site,
  at: SettingsSection,
  form: RequestForm,
  edit: (found: FoundBook) => ReturnType<typeof written>
) =>
  Effect.gen(function* () {
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* gone
    if (form.get("was") !== sameAs(found.text)) return yield* show(site, at, { note: waiting(Texts.book.changed) })
    return yield* edit(found)
  })

const saved: SettingsNote = { text: Texts.settings.saved, tone: "good" }
const waiting = (text: string): SettingsNote => ({ text, tone: "waiting" })

export const save = (site: Site, form: RequestForm) => {
  const at = sectionOf(form.get("at"))
  return edited(site, at, form, (found) => {
    const changed = Object.values(settings)
      .flat()
      .flatMap((setting) => {
        const value = form.get(fieldOf(setting))?.trim()
        return value === undefined || value === setting.of(found.book) ? [] : [{ setting, value }]
      })
    if (changed.length === 0) return show(site, at, { note: waiting(Texts.settings.unchanged) })
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
      at,
      found.text,
      after,
      changed.map(({ setting, value }) => {
        const worded = (one: string) => {
          const text = setting.choices?.find(([choice]) => choice === one)?.[1] ?? one
          return text === "" ? Texts.settings.nothing : text
        }
        return { what: setting.label, from: worded(setting.of(found.book)), to: worded(value) }
      })
    )
  })
}

export const saveItems = (site: Site, form: RequestForm) =>
  edited(site, "codes", form, (found) => {
    const typed = (name: string) => form.get(name)?.trim() ?? ""
    const shownItems = itemsOf(found.book.productCodes)
    const changed = shownItems.flatMap(([item, code], at) => {
      const to = form.get(`code.${at}`)?.trim()
      return to === undefined || to === code ? [] : [[item, to] as const]
    })
    const further = typed("item") === "" && typed("code") === "" ? [] : [[typed("item"), typed("code")] as const]
    const all = [...changed, ...further]
    if (all.length === 0) return show(site, "codes", { note: waiting(Texts.settings.unchanged) })
    if (all.some((pair) => pair.includes("")))
      return show(site, "codes", { note: waiting(Texts.settings.itemIncomplete) })
    const edits = all.map(
      ([description, productCode]) => ({ what: "described product", description, productCode }) as const
    )
    const before = new Map(shownItems)
    return written(
      site,
      "codes",
      found.text,
      BookEditing.apply(found.text, edits),
      all.map(([what, to]) => ({ what, from: before.get(what) ?? Texts.settings.nothing, to }))
    )
  })

/** Removes a spelling, or the answers about files. The next import asks for them. */
export const forget = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const list = form.get("list")
    const spelling = form.get("spelling")
    if (list === "files") {
      const entry = (yield* known(site)).find((one) => kindOf(one) === spelling)
      if (entry === undefined) return yield* gone
      yield* RememberedAnswers.forget(answersFile(site), entry)
      return yield* show(site, "files", { note: { text: Texts.settings.forgotten(entry.from), tone: "good" } })
    }
    if ((list !== "taxes" && list !== "currencies" && list !== "payments") || spelling === undefined) return yield* gone
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* gone
    if (list !== "payments") {
      const uses = yield* usesOf(site)
      const used = found.book[list]
        .filter(({ from }) => from.includes(spelling))
        .map(({ code }) => (uses === "no-store" ? 0 : uses === "not-known" ? null : uses[list](code)))
      const note = used.includes(null) ? Texts.settings.receiptsNotKnown : Texts.settings.inReceipts
      if (used.some((count) => count !== 0)) return yield* show(site, "taxes", { note: waiting(note) })
    }
    const after = BookEditing.apply(found.text, [{ what: "forgotten spelling", list, spelling }])
    if (after === found.text) return yield* gone
    const what = Texts.settings.forgotten(spelling === "" ? Texts.word.blank : spelling)
    return yield* written(site, "taxes", found.text, after, [{ what }])
  })

export const undo = (site: Site, form: RequestForm) =>
  Effect.flatMap(undoChange(site, form), (text) =>
    show(site, "changes", { note: { text, tone: text === Texts.fix.undoing.undone ? "good" : "waiting" } })
  )
