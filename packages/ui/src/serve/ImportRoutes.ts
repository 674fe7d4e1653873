import { SubmissionStore } from "@fiscal-connector/core/store"
import { OpenQuestion, StagedDates } from "@fiscal-connector/core/host/import"
import { DateTime, Effect, FileSystem } from "effect"
import { html } from "../html/Html.ts"
import { filePage } from "../page/FilePage.ts"
import { keptList } from "../page/KeptPage.ts"
import { sourcesPart } from "../page/SourcesPart.ts"
import { consentOf } from "../page/part/ConsentWords.ts"
import * as Texts from "../text/Texts.ts"
import * as ChosenColumns from "../work/ChosenColumns.ts"
import { nameOf, type PageImport, type Upload } from "../work/PageImport.ts"
import * as FormatOfFiles from "../work/FormatOfFiles.ts"
import { importStep, events, lookBack, refusedFile, plannedDocument, planFile } from "./ImportFiles.ts"
import * as Example from "../text/Example.ts"
import * as FixRoutes from "./FixRoutes.ts"
import { changeKept, keptImport } from "./KeptRoutes.ts"
import { register } from "./MappingRoutes.ts"
import * as QuestionRoutes from "./QuestionRoutes.ts"
import { discard, type RequestForm, remembersOf, seeOther, uploadLimit } from "./Request.ts"
import { type Site, notFound, gone, shown, looking, openItems, zoneOf } from "./Site.ts"

/** Returns the block of the sources; a store that cannot be read leaves the runs out. */
const sourcesOf = (site: Site) =>
  Effect.gen(function* () {
    const { sources = [] } = site.workplace
    if (sources.length === 0) return html``
    const found = yield* Effect.orElseSucceed(looking(site, openItems), () => null)
    const { liveSources: known = [] } = found?.health ?? {}
    const shown = sources.map((setting) => ({
      setting,
      state: known.find(({ source, tenant }) => source === setting.name && tenant === setting.tenant)
    }))
    return sourcesPart(site.frame, shown, yield* DateTime.now, yield* zoneOf(site))
  })

export const importPage = (site: Site, problem: string | null, query = new URLSearchParams()) =>
  Effect.gen(function* () {
    const { frame, imports, workplace } = site
    const before = Number(query.get("before")) || undefined
    const all = imports.all()
    const sessions = new Map(
      all.flatMap(({ id, record }) => (record === null ? [] : [[record, `${frame.prefix}/imports/${id}`] as const]))
    )
    const kept = SubmissionStore.SubmissionStore.use((store) =>
      store.imports({ limit: importsPerPage + 1, ...(before && { before }) })
    )
    // an unreadable store does not block the choice of a file; the document list reports the
    // problem
    const found = (yield* Effect.orElseSucceed(looking(site, kept), () => null)) ?? []
    const page = found.slice(0, importsPerPage)
    // accepted imports are in the store's list
    const running = all.filter(({ phase, record }) => phase._tag !== "Done" && page.every(({ id }) => id !== record))
    const more = found.length > importsPerPage ? (page.at(-1)?.id ?? null) : null
    const few = page.filter(({ documents }) => documents <= mostLoaded)
    const loaded = yield* looking(
      site,
      Effect.forEach(few, ({ id }) => Effect.orElseSucceed(site.kept.load(id), () => undefined))
    )
    const figures = new Map((loaded ?? []).flatMap((one) => (one === undefined ? [] : [[one.kept.id, one] as const])))
    const lists = html`${yield* sourcesOf(site)}${keptList(frame, page, figures, sessions, more)}`
    const example = workplace.place === "sandbox" && page.length + running.length === 0 ? "offered" : "hidden"
    const content = filePage(frame, workplace, running, lists, uploadLimit, problem, example)
    return shown(site, { title: Texts.page.import, at: "import", content }, problem === null ? 200 : 400)
  })

const importsPerPage = 10

/** Most documents of an import that the list of imports reads: the first screen is quick. */
const mostLoaded = 500

export const begin = (site: Site, form: RequestForm, files: ReadonlyArray<Upload>) =>
  Effect.gen(function* () {
    const { accounts, formats } = site.workplace
    const chosen = formats.find(({ name }) => name === form.get("format"))
    const account = accounts.find((name) => name === form.get("account"))
    const [first] = files
    const refused = (problem: string) =>
      Effect.andThen(discard(files.map(({ path }) => path)), importPage(site, problem))
    if (first === undefined) return yield* refused(Texts.page.noFile)
    if (account === undefined) return yield* notFound
    const found = chosen === undefined ? yield* FormatOfFiles.of(formats, files) : { format: chosen }
    if ("problem" in found) return yield* refused(found.problem)
    const { format } = found
    const purpose = form.get("purpose") === "originals" ? "originals" : "import"
    const one = yield* site.imports.begin({ account, format, files, purpose })
    return seeOther(`${site.frame.prefix}/imports/${one.id}`)
  })

export const beginExample = (site: Site) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const [account = ""] = site.workplace.accounts
    const format = site.workplace.formats.find(({ endings }) => endings.test(Example.name))
    // only in a sandbox, where nothing reaches an authority
    if (site.workplace.place !== "sandbox" || format === undefined) return yield* notFound
    const path = site.folder.next(".upload")
    yield* fs.writeFileString(path, Example.text, { mode: 0o600 })
    const files = [{ name: Example.name, path, bytes: Example.text.length }]
    const one = yield* site.imports.begin({ account, format, files, purpose: "import" })
    return seeOther(`${site.frame.prefix}/imports/${one.id}`)
  })

const imported = ({ imports }: Site, id: string | undefined) => {
  const one = id === undefined ? undefined : imports.get(id)
  return one === undefined ? notFound : Effect.succeed(one)
}

export const showImport = (
  site: Site,
  path: ReadonlyArray<string>,
  query: URLSearchParams,
  given: Upload | null = null
) =>
  Effect.gen(function* () {
    const [id = "", what] = path
    const record = /^r(\d{1,15})$/.exec(id)?.[1]
    if (record !== undefined) return yield* keptImport(site, Number(record), null, what, query, given)
    const one = yield* imported(site, id)
    switch (what) {
      case undefined:
        if (one.phase._tag === "Done" || (one.phase._tag === "Sending" && one.record !== null))
          return yield* keptImport(site, one.record ?? 0, one, undefined, query)
        return importStep(site, one, one.phase, query)
      case "events":
        return events(one)
      case "plan":
        return yield* planFile(one)
      case "document":
        return yield* plannedDocument(site, one, query)
      case "read":
      case "columns":
      case "questions":
        return yield* lookBack(site, one, what)
      case "refused":
        return yield* refusedFile(one)
      default:
        return yield* notFound
    }
  })

export const change = (site: Site, [id, what]: ReadonlyArray<string>, form: RequestForm) =>
  Effect.gen(function* () {
    const record = /^r(\d{1,15})$/.exec(id ?? "")?.[1]
    if (record !== undefined) return yield* changeKept(site, Number(record), what)
    const one = yield* imported(site, id)
    const { phase } = one
    const { imports } = site
    const here = seeOther(`${site.frame.prefix}/imports/${one.id}`)
    switch (what) {
      case "questions": {
        if (phase._tag !== "Questions") return yield* gone
        yield* QuestionRoutes.answer(site, one, phase, form)
        return here
      }
      case "change": {
        if (phase._tag === "Questions") one.given = QuestionRoutes.givenOf(phase, form)
        else if (phase._tag !== "Checked") return yield* gone
        yield* imports.change(one, form.get("subject") ?? "")
        return here
      }
      case "register":
        if (phase._tag !== "Checked") return yield* gone
        yield* register(site, one, phase, form)
        return here
      case "columns":
      case "preview": {
        // a look back at the columns leaves the import as it is until another choice is made
        const isLook = phase._tag === "Checked" || phase._tag === "Questions"
        const seen = isLook ? yield* imports.columnsOf(one) : phase
        if (seen?._tag !== "Columns") return yield* gone
        const columns = seen.seen.columns.map((column, at) => ({ ...column, field: form.get(`column.${at}`) || null }))
        const twice = ChosenColumns.takenTwice(seen.proposed, columns)
        const named = twice.map(
          ({ columns, field }) => `“${Texts.field(field, seen.seen.words)}” (${columns.join(", ")})`
        )
        const problem = named.length > 0 ? Texts.page.fieldTwice(named.join("; ")) : Texts.page.columnsAgain
        if (what === "preview" || twice.length > 0) {
          const preview = yield* imports.preview(one, seen, columns, problem)
          if (isLook) return importStep(site, one, preview, new URLSearchParams())
          one.phase = preview
          return here
        }
        const answers = ChosenColumns.answersOf({ ...seen.seen, columns })
        one.base = ChosenColumns.withoutColumns(one.base)
        const failed = yield* imports.answer(one, { answers, again: [], text: null, remembers: remembersOf(form) })
        if (failed !== null) one.phase = { ...seen, problem: failed }
        return here
      }
      case "forget": {
        if (phase._tag === "Sending" || phase._tag === "Done" || phase._tag === "Reading") return yield* gone
        yield* imports.forget(one)
        return here
      }
      case "remedy":
      case "cells":
      case "undo-cell":
        if (phase._tag !== "Checked") return yield* gone
        yield* FixRoutes.fix(site, one, phase, what, form)
        return here
      case "undo-book":
        if (phase._tag !== "Checked") return yield* gone
        yield* FixRoutes.undoBook(site, one, form)
        return here
      case "held": {
        if (phase._tag !== "Checked") return yield* gone
        const { book, rows } = phase.checked
        const held = rows.filter(({ cause, state }) => state === "Held" && (cause ?? "operator") === form.get("cause"))
        const [first] = held
        const decision = form.get("decision")
        if (decision === "keep") return here
        if (decision === "restamp" && phase.checked.lateBy !== null && form.get("nothing-older") !== "yes") {
          one.phase = { ...phase, note: Texts.heldBack.sayNothingOlder }
          return here
        }
        if (
          first === undefined ||
          !StagedDates.decisionsOf(first.cause ?? "operator", one, book).some((may) => may === decision)
        )
          return yield* gone
        if (decision === "restamp") yield* imports.decide(one, { late: "restamp" })
        else if (decision === "historical") yield* imports.decide(one, {}, "historical")
        else yield* imports.decide(one, { leftOut: one.decided.leftOut.union(new Set(held.map(nameOf))) })
        return here
      }
      case "take-back": {
        if (phase._tag !== "Checked" && phase._tag !== "Standstill") return yield* gone
        const what = form.get("what")
        if (what === "late") yield* imports.decide(one, { late: "as-the-book-says" })
        else if (what === "historical") yield* imports.decide(one, {}, "ordinary")
        else if (what === "left-out") yield* imports.decide(one, { leftOut: new Set() })
        else return yield* gone
        return here
      }
      case "ask-again":
      case "recheck":
        if (phase._tag !== "Standstill" && phase._tag !== "Checked") return yield* gone
        yield* askAgain(imports, one)
        return here
      case "send": {
        if (phase._tag !== "Checked") return here
        const { destination } = phase.checked
        const consent = consentOf(destination, form.get("device"))
        // another tab may have changed an answer since this form was shown
        const isStale = form.get("check") !== String(phase.checked.check)
        if (isStale || consent === "other-device") {
          one.phase = { ...phase, note: isStale ? Texts.standstill.changed : Texts.page.consentWrong }
          return here
        }
        yield* imports.send(one, {
          live: consent === "allowed" ? "allowed" : "not-allowed",
          firstUse: form.get("first-use")?.trim() || undefined,
          whenLate: form.get("rest") === "yes" || site.workplace.place === "sandbox" ? "send-rest-beyond-limit" : "stop"
        })
        return here
      }
      case "discard": {
        if (phase._tag === "Sending") return yield* gone
        yield* imports.discard(one)
        return seeOther(`${site.frame.prefix}/`)
      }
      default:
        return yield* notFound
    }
  })

const askAgain = (imports: Site["imports"], one: PageImport) => {
  // an answer that leaves documents out is open again
  one.answers = new Map([...one.answers].filter(([, { answer }]) => answer !== OpenQuestion.leaveOut.id))
  one.questions = "open"
  return imports.recheck(one)
}
