/** Which page answers which address, and what each form does. */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import * as DocumentJson from "@fiscal-connector/core/unstable/import/DocumentJson"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as ImportRecord from "@fiscal-connector/core/import/ImportRecord"
import * as FiscalDays from "@fiscal-connector/core/unstable/doctor/FiscalDays"
import * as Mappings from "@fiscal-connector/core/unstable/doctor/Mappings"
import * as MappingApply from "@fiscal-connector/core/unstable/mapping/MappingApply"
import * as SavedPlan from "@fiscal-connector/core/unstable/mapping/SavedPlan"
import * as BookFiles from "@fiscal-connector/core/unstable/mapping/BookFiles"
import { StatusPoller } from "@fiscal-connector/core/engine/StatusPoller"
import * as Health from "@fiscal-connector/core/submission/Health"
import type { State, Submission } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Runner from "@fiscal-connector/core/engine/Runner"
import * as OpenAccounts from "@fiscal-connector/core/unstable/connector/OpenAccounts"
import { requestId } from "@fiscal-connector/core/unstable/gateway/operation/Submit"
import { DateTime, Duration, Effect, FileSystem, Option, Result, type Scope, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headers } from "../guard/Entrance.ts"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import { html, type Html } from "../html/Html.ts"
import { pageStyle } from "../html/PageStyle.ts"
import * as AskPages from "../page/AskPages.ts"
import { bookPage } from "../page/BookPage.ts"
import { evidencePage } from "../page/EvidencePage.ts"
import { checkPage, lookingOf } from "../page/CheckPage.ts"
import { choicesOf, codesPage } from "../page/CodesPage.ts"
import { dayPage, daysPage } from "../page/DaysPage.ts"
import * as DocumentPages from "../page/DocumentPages.ts"
import { filePage } from "../page/FilePage.ts"
import { healthPage } from "../page/HealthPage.ts"
import { keptList, keptPage } from "../page/KeptPage.ts"
import { type Frame, type Layout, whole } from "../page/Layout.ts"
import { icon, script } from "../page/Script.ts"
import { mappingsPage } from "../page/MappingsPage.ts"
import { originalsPage } from "../page/OriginalsPage.ts"
import * as SendPages from "../page/SendPages.ts"
import * as Report from "../report/Report.ts"
import * as Words from "../text/Words.ts"
import * as Following from "../work/Following.ts"
import * as Kept from "../work/Kept.ts"
import type * as MappingPlans from "../work/MappingPlans.ts"
import * as Pdfs from "../work/Pdfs.ts"
import { type Imports, withAnswer } from "../work/Imports.ts"
import type { PageImport, Upload } from "../work/PageImport.ts"
import * as Planning from "../work/Planning.ts"
import { type Format, type Workplace, type WorkplaceRefused } from "../work/Workplace.ts"
import { download, type Form, NotDone, page, plain, type Response, seeOther, uploadLimit } from "./Request.ts"

/** What the pages are made of. */
export interface Site {
  readonly workplace: Workplace
  readonly imports: Imports
  readonly kept: Kept.KeptImports
  readonly plans: MappingPlans.MappingPlans
  readonly folder: PrivateFolder
  readonly frame: Frame
  /** Of what goes on when nobody looks. */
  readonly scope: Scope.Scope
}

export type Call =
  | { readonly method: "GET"; readonly path: string; readonly query: URLSearchParams }
  | {
      readonly method: "POST"
      readonly path: string
      readonly query: URLSearchParams
      readonly form: Form
      readonly files: ReadonlyArray<Upload>
    }

const notFound = new NotDone({ status: 404, text: Words.page.notFoundText })
const gone = new NotDone({ status: 409, text: Words.page.gone })

export const respond = (site: Site, call: Call) => {
  const [, first = "", ...rest] = call.path.split("/").map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return ""
    }
  })
  if (call.method === "GET") {
    switch (first) {
      case "":
        return importPage(site, null, call.query)
      case "style.css":
        return Effect.succeed(plain(pageStyle, "text/css; charset=utf-8"))
      case "page.js":
        return Effect.succeed(plain(script, "text/javascript; charset=utf-8"))
      case "icon.svg":
        return Effect.succeed(plain(icon, "image/svg+xml"))
      case "imports":
        return showImport(site, rest, call.query)
      case "follow":
        return follow(site)
      case "pdfs":
        return allPdfs(site, null)
      case "documents":
        return rest.length === 0 ? showList(site, call.query) : showDocument(site, rest, call.query)
      case "health":
        return showHealth(site, call.query)
      case "book":
        return showBook(site)
      case "days":
        return showDays(site, call.query)
      case "mappings":
        return showMappings(site, call.query.get("account"), null)
      default:
        return notFound
    }
  }
  switch (first) {
    case "imports":
      return rest.length === 0 ? begin(site, call.form, call.files) : change(site, rest, call.form)
    case "documents":
      return decide(site, rest, call.form)
    case "resume":
      return resume(site, call.form)
    case "book":
      return saveBook(site, call.form)
    case "mappings":
      return applyMappings(site, call.form)
    default:
      return notFound
  }
}

const shown = ({ frame }: Site, layout: Layout, status?: number): Response => page(whole(frame, layout), status)

const importPage = (site: Site, problem: string | null, query = new URLSearchParams()) =>
  Effect.gen(function* () {
    const { frame, imports, workplace } = site
    const before = Number(query.get("before")) || undefined
    const running = imports.all().filter(({ phase }) => phase._tag !== "Done")
    const sessions = new Map(
      imports
        .all()
        .flatMap(({ id, record }) => (record === null ? [] : [[record, `${frame.prefix}/imports/${id}`] as const]))
    )
    const looked = looking(
      site,
      SubmissionStore.use((store) =>
        store.imports({ limit: importsPerPage + 1, ...(before !== undefined && { before }) })
      )
    )
    // a store that cannot be looked at does not keep a file from being chosen; Documents says what is the matter
    const found = (yield* Effect.orElseSucceed(looked, () => null)) ?? []
    const page = found.slice(0, importsPerPage)
    const more = found.length > importsPerPage ? (page.at(-1)?.id ?? null) : null
    const kept = keptList(frame, page, sessions, more)
    return shown(
      site,
      {
        title: Words.page.import,
        at: "import",
        content: filePage(frame, workplace, running, kept, uploadLimit.words, problem)
      },
      problem === null ? 200 : 400
    )
  })

/** How many imports of the store a page lists. */
const importsPerPage = 20

const begin = (site: Site, form: Form, files: ReadonlyArray<Upload>) =>
  Effect.gen(function* () {
    const { accounts, formats } = site.workplace
    const chosen = formats.find(({ name }) => name === form.get("format"))
    const account = accounts.find((name) => name === form.get("account"))
    const [first] = files
    const refused = (problem: string) =>
      Effect.andThen(
        Effect.flatMap(FileSystem.FileSystem, (fs) =>
          Effect.forEach(files, ({ path }) => Effect.ignore(fs.remove(path)), { discard: true })
        ),
        importPage(site, problem)
      )
    if (first === undefined) return yield* refused(Words.page.noFile)
    if (account === undefined) return yield* notFound
    const ofName = ({ name }: Upload): Format | undefined => formats.find(({ endings }) => endings.test(name))
    const format = chosen ?? ofName(first)
    if (format === undefined) return yield* refused(Words.page.noFormat(first.name))
    if (chosen === undefined && files.some((file) => ofName(file) !== format)) return yield* refused(Words.page.mixed)
    const purpose = form.get("purpose") === "originals" ? "originals" : "import"
    const one = yield* site.imports.begin({ account, format, files, purpose })
    return seeOther(`${site.frame.prefix}/imports/${one.id}`)
  })

const imported = ({ imports }: Site, id: string | undefined) => {
  const one = id === undefined ? undefined : imports.get(id)
  return one === undefined ? notFound : Effect.succeed(one)
}

const showImport = (site: Site, path: ReadonlyArray<string>, query: URLSearchParams) =>
  Effect.gen(function* () {
    const [id = "", what] = path
    const record = /^r(\d{1,15})$/.exec(id)?.[1]
    if (record !== undefined) return yield* keptImport(site, Number(record), null, what, query)
    const one = yield* imported(site, id)
    switch (what) {
      case undefined:
        if (one.phase._tag === "Done") return yield* keptImport(site, one.record ?? 0, one, undefined, query)
        return importStep(site, one, query)
      case "events":
        return events(one)
      case "book":
        return yield* bookFile(site)
      case "plan":
        return yield* planFile(one)
      case "evidence":
        return yield* evidence(site, one)
      case "report":
        return one.record === null ? yield* gone : yield* keptImport(site, one.record, one, "report", query)
      case "refused":
        return yield* refusedFile(one)
      default:
        return yield* notFound
    }
  })

/** An import that the store remembers; `session`: where it is of this session of the page. */
const keptImport = (
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

/** A stream that looks at the store as long as it runs. */
const onStore = <A, E>({ workplace }: Site, stream: Stream.Stream<A, E, SubmissionStore>) =>
  Stream.provide(stream, workplace.looking)

const stemOf = (files: ReadonlyArray<{ readonly name: string }>): string =>
  (files[0]?.name ?? "export").replace(/(\.[^.]*)?(\.gz)?$/, "")

/** Every PDF there is, as one archive: of an import, or of the store. */
const allPdfs = (site: Site, id: number | null) =>
  Effect.gen(function* () {
    const { workplace } = site
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return yield* notFound
    const kept = id === null ? null : yield* looking(site, keptOf(id))
    if (kept === undefined) return yield* notFound
    const bytes = Stream.unwrap(Pdfs.archive(workplace, kept))
    const name = kept === null ? "receipts.zip" : `${stemOf(kept.files)}.receipts.zip`
    return download(onStore(site, bytes), name, "application/zip")
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** How the store stands, and whenever something in it has changed, whichever process changed it. */
const follow = (site: Site) =>
  Effect.gen(function* () {
    const { workplace } = site
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return yield* notFound
    const standings = Stream.unwrap(SubmissionStore.use((store) => Effect.succeed(Following.standings(store))))
    const events = Stream.map(Stream.orDie(onStore(site, standings)), (standing) => `data: ${standing}\n\n`)
    return HttpServerResponse.stream(Stream.encodeText(events), { headers, contentType: "text/event-stream" })
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** The page of an import is the step it has come to, in whichever tab. */
const importStep = (site: Site, one: PageImport, query: URLSearchParams): Response => {
  const { frame } = site
  const { phase } = one
  const note = AskPages.recalledNote(frame, one, nameOf(site.imports.answersFile))
  const step = (title: string, content: Html, more: Partial<Layout> = {}) =>
    shown(site, { title, at: "import", content, ...more })
  switch (phase._tag) {
    case "Reading":
      return step(Words.page.reading, SendPages.readingPage(one, phase.documents), {
        again: { seconds: 1, how: "always" }
      })
    case "Zone":
      return step(Words.page.zoneTitle, AskPages.zonePage(frame, one, phase))
    case "Asking":
      return step(Words.page.questionsTitle, html`${AskPages.questionsPage(frame, one, phase)}${note}`)
    case "Columns":
      return step(Words.page.columnsTitle, html`${AskPages.columnsPage(frame, one, phase)}${note}`)
    case "Unreadable":
      return step(Words.page.unreadableTitle, html`${AskPages.unreadablePage(frame, one, phase)}${note}`)
    case "Standstill":
      return step(phase.why.title, html`${SendPages.standstillPage(frame, one, phase.why)}${note}`)
    case "Checked": {
      const { environment } = phase.checked.destination
      if (one.codes === "open" && phase.checked.summary.unmapped.codes.length > 0)
        return step(Words.page.codesTitle, codesPage(frame, one, phase.checked), { environment })
      return step(Words.page.checkTitle, checkPage(frame, one, phase.checked, phase, lookingOf(query), note), {
        environment
      })
    }
    case "Sending":
      return step(Words.page.sendingTitle, SendPages.sendingPage(frame, one, phase), {
        environment: phase.destination.environment,
        again: { seconds: 2, how: "without-script" }
      })
    case "Registered":
      return step(Words.originals.done, originalsPage(frame, one, phase.report))
    case "Done":
      return step(Words.page.doneTitle, html``)
  }
}

const event = (one: PageImport): { readonly text: string; readonly isLast: boolean } => {
  const { phase } = one
  const isLast = phase._tag !== "Sending"
  const progress = isLast ? { done: 1, total: 1, text: "" } : SendPages.progressOf(phase)
  return { text: `data: ${JSON.stringify({ ...progress, over: isLast })}\n\n`, isLast }
}

/** State first, then changes; a browser that comes later sees how it stands. */
const events = (one: PageImport): Response =>
  HttpServerResponse.stream(
    Stream.tick("300 millis").pipe(
      Stream.map(() => event(one)),
      Stream.changesWith((a, b) => a.text === b.text),
      Stream.takeUntil(({ isLast }) => isLast),
      Stream.map(({ text }) => text),
      Stream.encodeText
    ),
    { headers, contentType: "text/event-stream" }
  )

const contentTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".json": "application/json"
}

const refusedFile = ({ files, format, phase }: PageImport) =>
  Effect.gen(function* () {
    if (phase._tag !== "Done") return yield* gone
    if (phase.refusedFile === null) return yield* notFound
    const fs = yield* FileSystem.FileSystem
    const { ending } = format
    const name = `${stemOf(files)}.refused${ending}`
    return download(fs.stream(phase.refusedFile), name, contentTypes[ending] ?? "application/octet-stream")
  })

/** How the first file is read, with the cells that decided it. */
const evidence = (site: Site, one: PageImport) =>
  Effect.gen(function* () {
    const { files } = yield* Planning.inputOf(one)
    const [first] = files
    if (first === undefined || one.format.evidence === undefined) return yield* notFound
    const text = yield* Effect.catchTag(one.format.evidence(first, one.said), "AdapterError", storeProblem)
    return shown(site, {
      title: Words.page.evidence,
      at: "import",
      content: evidencePage(site.frame, one, first.name, text)
    })
  })

/** The plan as `connector plan --json` has its documents, an envelope a line. */
const planFile = ({ files, phase }: PageImport) =>
  Effect.gen(function* () {
    if (phase._tag !== "Checked" || phase.checked.documents === null) return yield* gone
    const { book, documents } = phase.checked
    const now = DateTime.setZone(yield* DateTime.now, book.zone)
    const lines = Stream.map(documents, (page) =>
      page
        .map(
          (document) =>
            `${JSON.stringify({ kind: "document", version: 1, data: DocumentJson.toJson(document, now) })}\n`
        )
        .join("")
    )
    return download(Stream.encodeText(lines), `${files[0]?.name ?? "export"}.plan.jsonl`, "application/jsonl")
  })

const bookFile = ({ imports }: Site) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(imports.bookFile), () => false))) return yield* notFound
    return download(
      fs.stream(imports.bookFile),
      imports.bookFile.split(/[/\\]/).at(-1) ?? "book.json",
      "application/json"
    )
  })

/** A form of another step than the import stands at changes nothing. */
const change = (site: Site, [id, what]: ReadonlyArray<string>, form: Form) =>
  Effect.gen(function* () {
    const one = yield* imported(site, id)
    const { phase } = one
    const { imports } = site
    const here = seeOther(`${site.frame.prefix}/imports/${one.id}`)
    switch (what) {
      case "zone": {
        if (phase._tag !== "Zone") return yield* gone
        const zone = (form.get("zone") ?? "").trim()
        if (!(yield* imports.setZone(one, zone))) {
          one.phase = { ...phase, proposed: zone, problem: Words.page.zoneWrong }
        }
        return here
      }
      case "answers": {
        if (phase._tag !== "Asking" && phase._tag !== "Unreadable") return yield* gone
        const questions =
          phase._tag === "Asking"
            ? phase.questions.map(({ readings }) => readings.map(({ answer }) => answer))
            : [phase.answers]
        const said = questions.reduce((said, answers, at) => {
          const value = form.get(`answer.${at}`) ?? ""
          const answer = answers[Number(value.split(".")[1])]
          if (answer === undefined || value.split(".")[0] !== String(at)) return said
          if (!("ask" in answer)) return withAnswer(said, answer)
          const filled = (form.get(`fill.${value}`) ?? "").trim()
          return filled === "" ? said : withAnswer(said, { settings: { [answer.ask]: numbered(answer.ask, filled) } })
        }, one.said)
        yield* imports.say(one, said, remembersOf(form))
        return here
      }
      case "columns": {
        if (phase._tag !== "Columns") return yield* gone
        const columns = phase.seen.columns.map((column, at) => ({ ...column, field: form.get(`column.${at}`) || null }))
        const said = { ...one.said, columns: JSON.stringify(mapOf({ ...phase.seen, columns })) }
        yield* imports.say(one, said, remembersOf(form))
        return here
      }
      case "forget": {
        if (phase._tag === "Sending" || phase._tag === "Done" || phase._tag === "Reading") return yield* gone
        yield* imports.forget(one)
        return here
      }
      case "codes": {
        if (phase._tag !== "Checked") return yield* gone
        const edits = choicesOf(phase.checked).flatMap(
          ({ choices }, at) => choices.find((choice) => choice.id === form.get(`code.${at}`))?.edits ?? []
        )
        yield* imports.edit(one, edits)
        return here
      }
      case "historical": {
        if (phase._tag !== "Checked") return yield* gone
        one.passage = "historical"
        yield* imports.recheck(one)
        return here
      }
      case "recheck": {
        if (phase._tag !== "Standstill" && phase._tag !== "Checked") return yield* gone
        one.codes = "open"
        yield* imports.recheck(one)
        return here
      }
      case "send": {
        if (phase._tag !== "Checked") return here
        const { destination } = phase.checked
        const device = destination.lane.split("/").at(-1)
        const isLive = destination.environment === "live"
        if (isLive && (form.get("live") !== "yes" || form.get("device")?.trim() !== device)) {
          one.phase = { ...phase, note: Words.page.consentWrong }
          return here
        }
        yield* imports.send(one, {
          live: isLive ? "allowed" : "not-allowed",
          firstUse: form.get("first-use")?.trim() || undefined,
          whenLate: form.get("rest") === "yes" || site.workplace.place === "sandbox" ? "send-rest" : "stop"
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

const remembersOf = (form: Form): PageImport["remembers"] => (form.get("remember") === "yes" ? "yes" : "no")

/** Settings that are figures. */
const numbered = (setting: string, text: string): string | number =>
  (setting === "year" || setting === "headerLine") && /^\d+$/.test(text) ? Number(text) : text

/** The column map of what was chosen; taxes are their own list in it. */
const mapOf = ({ columns, rest }: Extract<PageImport["phase"], { _tag: "Columns" }>["seen"]): object => {
  const chosen = columns.flatMap(({ field, reference }) => (field === null ? [] : [[field, reference] as const]))
  const tax = Object.fromEntries(
    chosen.flatMap(([field, reference]) => (field.startsWith("tax.") ? [[field.slice(4), reference] as const] : []))
  )
  const plainFields = Object.fromEntries(chosen.filter(([field]) => !field.startsWith("tax.")))
  return {
    version: 1,
    ...rest,
    columns: { ...plainFields, ...(Object.keys(tax).length > 0 && { taxes: [tax] }) }
  }
}

const showBook = (site: Site) =>
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

const nameOf = (file: string): string => file.split(/[/\\]/).at(-1) ?? file

/** By which a form knows whether somebody else has written the book meanwhile. */
const sameAs = (text: string): string => ImportRecord.textRecord("", text).sha256

/** Written whole, and only where it is in order. */
const saveBook = (site: Site, form: Form) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { bookFile: file } = site.imports
    const stored = yield* fs.readFileString(file)
    // a form has line ends of its own
    const text = (form.get("text") ?? "").replaceAll("\r\n", "\n")
    if (form.get("was") !== sameAs(stored)) return bookForm(site, stored, text, [], Words.book.changed)
    const unfinished = `${file}.part`
    yield* fs.writeFileString(unfinished, text, { mode: 0o600 })
    const checked = yield* Effect.result(BookFiles.open(unfinished))
    if (Result.isFailure(checked)) {
      yield* fs.remove(unfinished, { force: true })
      const error = checked.failure
      if (error._tag === "BookError") return bookForm(site, stored, text, error.findings, null)
      return yield* error
    }
    yield* fs.rename(unfinished, file)
    return bookForm(site, text, text, [], Words.book.saved)
  }).pipe(Effect.catchTag("PlatformError", storeProblem))

/** Times are shown in the book's zone, where there is one. */
const zoneOf = ({ imports }: Site) =>
  Planning.bookOf(imports.bookFile).pipe(
    Effect.map((found) => found?.book.zone ?? DateTime.zoneMakeLocal()),
    Effect.orElseSucceed(() => DateTime.zoneMakeLocal())
  )

const perPage = 50

/** Looks at the store, where there is one. */
const looking = <A, E, R>({ workplace }: Site, effect: Effect.Effect<A, E, R | SubmissionStore>) =>
  Effect.gen(function* () {
    if (workplace.place === "configured" && !(yield* workplace.isThere)) return null
    return yield* Effect.provide(effect, workplace.looking)
  })

const storeProblem = ({ message }: { readonly message: string }) => new NotDone({ status: 409, text: message })

const showList = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const zone = yield* zoneOf(site)
    const group = DocumentPages.groups.find(({ name }) => name === query.get("group"))
    const before = Number(query.get("before")) || null
    const matching = (query.get("matching") ?? "").trim().slice(0, 100)
    const found = yield* looking(
      site,
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const { counts, lanes } = yield* store.health(Duration.days(7))
        const list = yield* store.list({
          order: "newest-first",
          limit: perPage + 1,
          ...(group !== undefined && { states: group.states }),
          ...(before !== null && { before }),
          ...(matching !== "" && { matching })
        })
        const standing = yield* Following.standing(store)
        return { counts, list, standing, hasLive: lanes.some(({ lane }) => lane.startsWith("live/")) }
      })
    )
    const list = found?.list ?? []
    const page = list.slice(0, perPage)
    const content = DocumentPages.listPage(
      site.frame,
      page,
      found?.counts ?? {},
      { group: group?.name ?? null, matching, before },
      list.length > perPage ? (page.at(-1)?.seq ?? null) : null,
      zone,
      found?.hasLive === true ? "live" : "none",
      found?.standing ?? ""
    )
    return shown(site, { title: Words.page.documents, at: "documents", content })
  }).pipe(Effect.catchTag("StoreError", storeProblem))

const keyOf = ([account = "", kind, id = ""]: ReadonlyArray<string>) =>
  kind === "invoice" || kind === "credit-note" ? Effect.succeed({ account, kind, id } as const) : notFound

const showDocument = (site: Site, path: ReadonlyArray<string>, query: URLSearchParams) =>
  Effect.gen(function* () {
    const key = yield* keyOf(path)
    const zone = yield* zoneOf(site)
    const found = yield* looking(site, Connector.explain(key))
    if (found === null || Option.isNone(found)) return yield* notFound
    const { submission } = found.value
    if (path[3] === "pdf") return yield* pdf(site, submission)
    const said = query.get("said")
    const content = DocumentPages.documentPage(
      site.frame,
      found.value,
      zone,
      said === null ? null : (notes.get(said) ?? null)
    )
    return shown(site, { title: submission.number, at: "documents", environment: submission.environment, content })
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** What is told after a form, once; an address says which, and no text. */
const notes = new Map<string, string>()
const noted = (text: string): string => {
  const id = String(notes.size + 1)
  notes.set(id, text)
  return id
}

const pdf = ({ workplace }: Site, { account, number, proof }: Submission) =>
  Effect.gen(function* () {
    const file = proof?.fiscalInvoicePdf ?? null
    if (file === null) return yield* new NotDone({ status: 404, text: Words.document.noPdf })
    const { settings } = yield* workplace.account(account, undefined)
    const bytes = yield* settings.gateway.downloadPdf(file)
    return download(Stream.succeed(bytes), `${number}.pdf`, "application/pdf")
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      GatewayError: storeProblem,
      WorkplaceRefused: storeProblem
    })
  )

const decisionOf = (form: Form): Decision | string => {
  const tag = form.get("decision") ?? ""
  const said = (form.get(`with.${tag}`) ?? "").trim()
  switch (tag) {
    case "Fiscalised":
      return { _tag: tag, proof: said === "" ? {} : { verificationCode: said } }
    case "Rejected":
      return { _tag: tag, rejection: { error: said, nature: "correctable" } }
    case "Accepted":
      return requestId(said, {}) === null ? Words.document.noRequestId : { _tag: tag, requestId: RequestId.make(said) }
    case "NotProcessed":
    case "Resend":
    case "Withdrawn":
    case "Acknowledged":
      return { _tag: tag }
    default:
      return Words.page.gone
  }
}

const decide = (site: Site, path: ReadonlyArray<string>, form: Form) =>
  Effect.gen(function* () {
    const key = yield* keyOf(path)
    if (path[3] !== "decide") return yield* notFound
    const address = SendPages.documentAddress(site.frame, key.account, key) ?? ""
    const back = (text: string) => seeOther(`${address}?said=${noted(text)}`)
    const decision = decisionOf(form)
    if (typeof decision === "string") return back(decision)
    const decided = Effect.gen(function* () {
      const now = Option.getOrUndefined(yield* Connector.outcomeOf(key))
      if (now === undefined) return yield* notFound
      // two tabs: what was decided about another state is not done to this one
      if (now.state !== (form.get("state") as State)) return Words.document.changed
      const resolution = yield* Connector.resolve(key, decision, form.get("because") ?? "")
      return resolution._tag === "Refused"
        ? Words.document.refused(resolution.because)
        : Words.document.recorded(resolution.from, resolution.to)
    })
    return back(yield* Effect.provide(decided, site.workplace.engine))
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** Goes on with what is planned and awaited, in the background; whoever sends already is not disturbed. */
const resume = (site: Site, form: Form) =>
  Effect.gen(function* () {
    const { workplace } = site
    const live = form.get("live") === "yes" ? "allowed" : "not-allowed"
    const run = Effect.gen(function* () {
      const store = yield* SubmissionStore
      const known = yield* Effect.filter(yield* workplace.all, ({ settings }) =>
        Effect.map(store.pinOf(settings.account), Option.isSome)
      )
      const accounts = known.map(({ settings }) => settings)
      const { opened } = yield* OpenAccounts.openEach(accounts, { live, witness: known[0]?.witness })
      if (opened.length > 0) yield* Runner.run(opened)
      // outcomes are asked for all the same where nothing may be sent
      const closed = accounts.filter(({ account }) => opened.every((one) => one.account !== account))
      if (closed.length > 0) yield* StatusPoller.use((poller) => poller.sweep(closed))
    }).pipe(
      Effect.scoped,
      Effect.provide(workplace.engine),
      Effect.catchCause((cause) => Effect.logError("going on broke off", cause))
    )
    yield* Effect.forkIn(run, site.scope)
    const back = form.get("back") ?? ""
    return seeOther(`${site.frame.prefix}${/^\d{1,15}$/.test(back) ? `/imports/r${back}` : "/documents"}`)
  })

const showHealth = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const { workplace } = site
    const zone = yield* zoneOf(site)
    const now = yield* DateTime.now
    const since = DateTime.makeUnsafe(Math.floor(now.epochMilliseconds / 3_600_000) * 3_600_000 - 23 * 3_600_000)
    const found = yield* looking(
      site,
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const health = yield* store.health(Duration.days(7))
        const activity = yield* store.activity(since, Duration.hours(1))
        const standing = yield* Following.standing(store)
        return { health, concerns: Health.concerns(health), activity, since, standing }
      })
    )
    const account = workplace.accounts.find((name) => name === query.get("examine"))
    const checks =
      account === undefined
        ? null
        : yield* workplace.doctor(account).pipe(
            Effect.map((checks) => ({ account, checks })),
            Effect.catchTag("WorkplaceRefused", ({ text }: WorkplaceRefused) => Effect.succeed({ problem: text }))
          )
    const content = healthPage(site.frame, found, workplace.accounts, checks, zone, found?.standing ?? "")
    return shown(site, { title: Words.page.health, at: "health", content })
  }).pipe(Effect.catchTag("StoreError", storeProblem))

/** The account of the page that is named; else nothing is there. */
const accountOf = ({ workplace }: Site, named: string | null) => {
  const account = workplace.accounts.find((name) => name === named)
  return account === undefined ? notFound : Effect.succeed(account)
}

const showDays = (site: Site, query: URLSearchParams) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, query.get("account"))
    const { settings } = yield* site.workplace.account(account, undefined)
    const { gateway } = settings
    const asked = query.get("day")
    if (asked === null) {
      const days = yield* FiscalDays.list(gateway, undefined)
      return shown(site, { title: Words.days.heading, at: "health", content: daysPage(site.frame, account, days) })
    }
    if (!/^\d{1,9}$/.test(asked)) return yield* notFound
    const one = (store: Parameters<typeof FiscalDays.one>[2]) => FiscalDays.one(gateway, account, store, Number(asked))
    const day = (yield* looking(site, Effect.flatMap(SubmissionStore, one))) ?? (yield* one(undefined))
    return shown(site, { title: Words.days.heading, at: "health", content: dayPage(site.frame, account, day) })
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ StoreError: storeProblem, GatewayError: storeProblem, WorkplaceRefused: storeProblem })
  )

const showMappings = (site: Site, named: string | null, note: string | null) =>
  Effect.gen(function* () {
    const account = yield* accountOf(site, named)
    const found = yield* Planning.bookOf(site.imports.bookFile)
    if (found === undefined) return yield* new NotDone({ status: 409, text: Words.mappings.noBook })
    const { settings } = yield* site.workplace.account(account, found.book.zone)
    const planned = (store: Mappings.PlanRequest["store"]) =>
      Mappings.plan(settings.gateway, { account, book: found.book, extras: "keep", store })
    const made = (yield* looking(site, Effect.flatMap(SubmissionStore, planned))) ?? (yield* planned(undefined))
    const { findings, steps } = made.plan
    const id = steps.length === 0 ? null : site.plans.keep(SavedPlan.make(account, found.book, made.gateway, made.plan))
    const content = mappingsPage(site.frame, account, steps, findings, id, note)
    return shown(site, { title: Words.mappings.title(account), at: "book", content })
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      BookError: storeProblem,
      GatewayError: storeProblem,
      PlatformError: storeProblem,
      StoreError: storeProblem,
      WorkplaceRefused: storeProblem
    })
  )

/** Does exactly what was shown, once; what has changed since is shown instead. */
const applyMappings = (site: Site, form: Form) =>
  Effect.gen(function* () {
    const plan = site.plans.take(form.get("plan") ?? "")
    if (plan === undefined) return yield* gone
    const book = yield* Planning.bookOf(site.imports.bookFile)
    if (book === undefined || SavedPlan.digest(book.book) !== plan.book)
      return yield* showMappings(site, plan.account, Words.mappings.gone)
    const { settings } = yield* site.workplace.account(plan.account, book.book.zone)
    const note = yield* MappingApply.apply(plan, settings.gateway).pipe(
      Effect.as(Words.mappings.applied),
      Effect.catchTags({
        PlanStale: ({ message }) => Effect.succeed(Words.mappings.stale(message)),
        GatewayError: ({ message }) => Effect.succeed(Words.mappings.stale(message))
      })
    )
    return yield* showMappings(site, plan.account, note)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({ BookError: storeProblem, PlatformError: storeProblem, WorkplaceRefused: storeProblem })
  )
