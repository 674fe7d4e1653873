import { DocumentJson } from "@fiscal-connector/core/host/import"
import { DateTime, Effect, Option, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { headers } from "../guard/Entrance.ts"
import { html, type Html } from "../html/Html.ts"
import * as AskPages from "../page/AskPages.ts"
import { columnsPage } from "../page/ColumnsPage.ts"
import { checkPage, lookingOf } from "../page/CheckPage.ts"
import { plannedPage } from "../page/DocumentPages.ts"
import { questionsPage } from "../page/QuestionsPage.ts"
import { answersPage, readPage } from "../page/EvidencePage.ts"
import type { PageLayout } from "../page/part/Layout.ts"
import { originalsPage } from "../page/OriginalsPage.ts"
import * as SendPages from "../page/SendPages.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import { download, type Response, rowsDownload, seeOther } from "./Request.ts"
import { nameOf as planName } from "./MappingRoutes.ts"
import { type Site, notFound, gone, shown, nameOf } from "./Site.ts"

export const importStep = (
  site: Site,
  one: PageImport,
  phase: Exclude<PageImport["phase"], { readonly _tag: "Done" }>,
  query: URLSearchParams
): Response => {
  const { frame } = site
  const note = AskPages.recalledNote(frame, one, nameOf(site.imports.answersFile))
  const step = (title: string, content: Html, more: Partial<PageLayout> = {}) =>
    shown(site, { title, at: "import", content, ...more })
  switch (phase._tag) {
    case "Reading":
      return step(Texts.page.reading, SendPages.readingPage(frame, one, phase.documents), {
        again: 1
      })
    case "Questions":
      return step(Texts.questions.step, html`${questionsPage(frame, one, phase)}${note}`)
    case "Columns":
      return step(Texts.page.columnsTitle, html`${columnsPage(frame, one, phase)}${note}`)
    case "Standstill":
      return step(phase.why.title, html`${SendPages.standstillPage(frame, one, phase.why)}${note}`)
    case "Checked": {
      const { additions, destination } = phase.checked
      const plan = additions === null ? "" : planName(additions)
      return step(Texts.page.checkTitle, checkPage(frame, one, phase.checked, phase, lookingOf(query), plan), {
        environment: destination.environment
      })
    }
    case "Sending":
      return step(Texts.living.title.sending, SendPages.sendingPage(frame, one, phase), {
        environment: phase.destination.environment,
        again: 2
      })
    case "Registered":
      return step(Texts.originals.done, originalsPage(frame, one, phase.report))
  }
}

/** Shows a step that was done. Changes nothing, and leads to the import once it is not checked. */
export const lookBack = (site: Site, one: PageImport, what: "read" | "columns" | "questions") =>
  Effect.gen(function* () {
    const { frame, history, imports } = site
    const { phase } = one
    const isOpen = phase._tag === "Questions"
    if ((!isOpen && phase._tag !== "Checked") || (isOpen && what === "questions"))
      return seeOther(`${frame.prefix}/imports/${one.id}`)
    if (what === "read")
      return shown(site, {
        title: Texts.page.howRead,
        at: "import",
        content: readPage(frame, one, phase, nameOf(imports.answersFile))
      })
    if (what === "questions")
      return shown(site, {
        title: Texts.page.changeAnswer,
        at: "import",
        content: answersPage(frame, one, history)
      })
    const columns = yield* imports.columnsOf(one)
    return columns === null
      ? yield* notFound
      : shown(site, { title: Texts.page.columnsTitle, at: "import", content: columnsPage(frame, one, columns) })
  })

/** Progress of an import. `over`: the page now shows another phase. */
interface Event {
  readonly text: string
  readonly over: boolean
}

const eventOf = ({ phase, record }: PageImport, begun: PageImport["phase"]["_tag"]): Event => {
  if (phase._tag !== begun) return { text: "", over: true }
  switch (phase._tag) {
    case "Reading":
      return { text: Texts.page.readSoFar(phase.documents), over: false }
    // an accepted import has a separate page
    case "Sending":
      return { text: Texts.page.preparing[phase.step](phase.documents), over: record !== null }
    default:
      return { text: "", over: true }
  }
}

/** Streams the current state and then the changes, so that a late browser also sees the state. */
export const events = (one: PageImport): Response => {
  const begun = one.phase._tag
  return HttpServerResponse.stream(
    Stream.tick("300 millis").pipe(
      Stream.map(() => eventOf(one, begun)),
      Stream.changesWith((a, b) => a.text === b.text && a.over === b.over),
      Stream.takeUntil(({ over }) => over),
      Stream.map((event) => `data: ${JSON.stringify(event)}\n\n`),
      Stream.encodeText
    ),
    { headers, contentType: "text/event-stream" }
  )
}

export const refusedFile = ({ files, format, phase }: PageImport) =>
  Effect.gen(function* () {
    const write = format.adapter.writeRefused
    if (phase._tag !== "Checked" || phase.checked.refused === null || write === undefined) return yield* gone
    return rowsDownload(write(Stream.orDie(phase.checked.refused)), files, "refused", format.ending)
  })

/** Shows a document as it will be sent. */
export const plannedDocument = (site: Site, one: PageImport, query: URLSearchParams) =>
  Effect.gen(function* () {
    const [kind, id] = [query.get("kind"), query.get("id")]
    if (one.phase._tag !== "Checked" || one.phase.checked.documents === null) return yield* gone
    const { destination, documents } = one.phase.checked
    const found = Stream.map(documents, (page) => page.find((document) => document.id === id && document.kind === kind))
    const planned = Option.getOrUndefined(
      yield* Stream.runHead(Stream.filter(found, (document) => document !== undefined))
    )
    if (planned === undefined) return yield* notFound
    const content = plannedPage(site.frame, one, planned)
    return shown(site, { title: planned.number, at: "import", environment: destination.environment, content })
  })

/** Returns the plan in the form of `connector plan --json`: an envelope per text line. */
export const planFile = ({ files, phase }: PageImport) =>
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
