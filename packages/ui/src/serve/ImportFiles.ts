import { DocumentJson } from "@fiscal-connector/core/host/import"
import { DateTime, Effect, Option, Stream } from "effect"
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
import { download, eventStream, type Response, rowsDownload, seeOther } from "./Request.ts"
import { nameOf as planName } from "./MappingRoutes.ts"
import { type Site, notFound, gone, shown, nameOf } from "./Site.ts"

const stepOf =
  (site: Site) =>
  (title: string, content: Html, more: Partial<PageLayout> = {}): Response =>
    shown(site, { title, at: "import", content, ...more })

export const importStep = (
  site: Site,
  one: PageImport,
  phase: Exclude<PageImport["phase"], { readonly _tag: "Done" }>,
  query: URLSearchParams
): Response => {
  const { frame } = site
  const note = AskPages.recalledNote(frame, one, nameOf(site.imports.answersFile))
  const step = stepOf(site)
  switch (phase._tag) {
    case "Reading":
      return step(Texts.page.reading, SendPages.readingPage(frame, one, phase.documents), { again: 1 })
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
    const step = stepOf(site)
    if (what === "read") return step(Texts.page.howRead, readPage(frame, one, phase, nameOf(imports.answersFile)))
    if (what === "questions") return step(Texts.page.changeAnswer, answersPage(frame, one, history))
    const columns = yield* imports.columnsOf(one)
    return columns === null ? yield* notFound : step(Texts.page.columnsTitle, columnsPage(frame, one, columns))
  })

/** Returns the progress of an import. `over`: the page now shows another phase. */
const eventOf = ({ phase, record }: PageImport, begun: PageImport["phase"]["_tag"]) => {
  if (phase._tag !== begun) return { text: "", over: true }
  if (phase._tag === "Reading") return { text: Texts.page.readSoFar(phase.documents), over: false }
  if (phase._tag !== "Sending") return { text: "", over: true }
  // an accepted import has a separate page
  return { text: Texts.page.preparing[phase.step](phase.documents), over: record !== null }
}

/** Streams the current state and then the changes, so that a late browser also sees the state. */
export const events = (one: PageImport): Response => {
  const begun = one.phase._tag
  return eventStream(
    Stream.tick("300 millis").pipe(
      Stream.map(() => eventOf(one, begun)),
      Stream.changesWith((a, b) => a.text === b.text && a.over === b.over),
      Stream.takeUntil(({ over }) => over),
      Stream.map((event) => JSON.stringify(event))
    )
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
        .map((one) => `${JSON.stringify({ kind: "document", version: 1, data: DocumentJson.toJson(one, now) })}\n`)
        .join("")
    )
    return download(Stream.encodeText(lines), `${files[0]?.name ?? "export"}.plan.jsonl`, "application/jsonl")
  })
