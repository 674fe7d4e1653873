/**
 * Runs the page: a server on this machine for the browser that opened its link, until it is
 * stopped.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Data, Effect, type FileSystem, type Path, type Scope } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { createServer } from "node:http"
import { SlowClients } from "@fiscal-connector/core/host/account"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Entrance from "../guard/Entrance.ts"
import * as PageIdentity from "../guard/PageIdentity.ts"
import * as PrivateFolder from "../guard/PrivateFolder.ts"
import { escape, html } from "../html/Html.ts"
import { bare, opened, whole } from "../page/part/Layout.ts"
import * as Texts from "../text/Texts.ts"
import * as BookHistory from "../work/BookHistory.ts"
import * as Going from "../work/Going.ts"
import * as Imports from "../work/Imports.ts"
import * as Kept from "../work/Kept.ts"
import * as Loaded from "../work/Loaded.ts"
import * as RefusedFiles from "../work/RefusedFiles.ts"
import * as Around from "./Around.ts"
import * as MappingPlans from "../work/MappingPlans.ts"
import type { Workplace } from "../work/Workplace.ts"
import { discard, formOf, NotDone, page, plain, type RequestForm, type Response, uploadOf } from "./Request.ts"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { posted, respond } from "./Routes.ts"
import { isSource } from "./SourceRoutes.ts"
import type { CountedAround, Site } from "./Site.ts"

/** The port is used by another program or not permitted. */
export class PageNotListening extends Data.TaggedError("PageNotListening")<{
  readonly port: number
  readonly text: string
}> {
  override get message() {
    return `the page cannot listen on port ${this.port} of this machine: ${this.text}`
  }
}

export interface RunningPage {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Single-use link for the user who started the page. */
  readonly link: string
  /**
   * Path of a file for its owner alone that redirects to the link. A link in the browser's
   * arguments would be visible in the list of processes.
   */
  readonly linkFile: string
}

const loopback = "127.0.0.1"

/**
 * Serves the page until the scope closes. Then uploads and all other temporary files are removed.
 * Port 0 takes a free port.
 */
export const serve = (
  workplace: Workplace,
  options: { readonly port?: number } = {}
): Effect.Effect<RunningPage, PageNotListening, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const { port = 0 } = options
    const folder = yield* PrivateFolder.make
    const scope = yield* Effect.scope
    const going = Going.make(scope)
    const bookFile = workplace.bookFile ?? join(folder.path, "sandbox.book.json")
    // a sandbox keeps nothing when the page ends
    const beside =
      workplace.place === "sandbox" ? join(folder.path, "sandbox") : bookFile.replace(/(\.book)?(\.[^./\\]*)?$/, "")
    const refusedFiles = yield* RefusedFiles.make(`${beside}.refused`, workplace.formats)
    const history = BookHistory.make(bookFile)
    const imports = yield* Imports.make(workplace, bookFile, refusedFiles, going, history)
    const identityFile = `${beside}.page.json`
    const before = workplace.place === "sandbox" ? null : yield* PageIdentity.load(identityFile)
    // the port of the last run, if no port was given and the port is free
    const listening = before === null || port !== 0 ? listen(port) : Effect.catch(listen(before.port), () => listen(0))
    const server = yield* listening.pipe(
      Effect.mapError(({ cause }) => {
        const code = (cause as NodeJS.ErrnoException | undefined)?.code
        const text = code === "EADDRINUSE" ? "another program uses it" : (code ?? "not permitted")
        return new PageNotListening({ port, text })
      })
    )
    const bound = "port" in server.address ? server.address.port : port
    const host = `${loopback}:${bound}`
    const identity = before?.port === bound ? before : PageIdentity.draw(bound)
    if (workplace.place === "configured" && identity !== before) yield* PageIdentity.save(identityFile, identity)
    const entrance = Entrance.make(host, identity)
    const { prefix, token } = entrance
    const around: CountedAround = { accounts: [], open: 0, at: 0, standing: "" }
    const site: Site = {
      workplace,
      imports,
      kept: Kept.make(workplace, going, scope),
      // a decision shows in the list at once, and a forgotten document is in no list
      lists: Loaded.make(workplace, going, scope, { rest: 0, fresh: 0 }),
      plans: MappingPlans.make(),
      going,
      history,
      paces: new Map(),
      refusedFiles,
      folder,
      frame: { prefix, token, place: workplace.place, revision: going.revision, around },
      around,
      notes: new Map(),
      days: new Map(),
      scope
    }
    yield* Effect.forkIn(Around.first(site), scope)
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    yield* server.serve(Effect.provideContext(answer(entrance, site), context))
    const link = `http://${host}${entrance.link}`
    const linkFile = join(folder.path, "open.html")
    writeFileSync(
      linkFile,
      `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${escape(link)}"><a href="${escape(link)}">${escape(Texts.page.opened)}</a>\n`,
      { mode: 0o600 }
    )
    return { origin: `http://${host}`, link, linkFile }
  })

/** Starts a new server: one that failed to listen cannot be reused. */
const listen = (port: number) =>
  Effect.gen(function* () {
    const node = createServer({ ...SlowClients.timeouts, headersTimeout: 10_000, requestTimeout: 300_000 })
    SlowClients.guard(node)
    const server = yield* NodeHttpServer.make(() => node, { host: loopback, port, disablePreemptiveShutdown: true })
    // open event streams and kept-alive connections must not delay the end
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    return server
  })

const answer = (entrance: Entrance.Entrance, site: Site) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const admission = entrance.admit(request)
    switch (admission._tag) {
      case "Alive":
        return plain(admission.proof, "text/plain")
      case "TurnedAway":
        return page(bare(Texts.page.name, admission.text), admission.status)
      case "Opened":
        return HttpServerResponse.setHeader(page(opened(admission.home)), "set-cookie", admission.cookie)
      case "Admitted":
        return yield* admitted(entrance, site, request, admission)
    }
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("a page broke off", cause), page(bare(Texts.page.name, Texts.page.error), 500))
    )
  )

/**
 * Handles a request. Changes need POST with a token; in uploads the token must precede the files.
 */
const admitted = (
  entrance: Entrance.Entrance,
  site: Site,
  request: HttpServerRequest.HttpServerRequest,
  { path, query }: Extract<Entrance.Admission, { _tag: "Admitted" }>
): Effect.Effect<
  Response,
  never,
  FileSystem.FileSystem | Path.Path | HttpServerRequest.HttpServerRequest | Scope.Scope
> =>
  Effect.gen(function* () {
    if (request.method === "GET") {
      yield* Around.refresh(site)
      return yield* respond(site, path, query)
    }
    if (request.method !== "POST") return yield* new NotDone({ status: 404, text: Texts.page.notFound })
    const admits = (form: RequestForm) => entrance.hasToken(form.get("token") ?? null)
    const isUpload = path === "/imports" || isSource(path)
    const sent = isUpload ? yield* uploadOf(request, site.folder, admits) : { form: yield* formOf(request), files: [] }
    if (!admits(sent.form)) return yield* new NotDone({ status: 403, text: Texts.page.noToken })
    // remove the files after any failure, such as an unknown account: no other code will read them
    return yield* Effect.onError(posted(site, { path, query, ...sent }), () =>
      discard(sent.files.map(({ path }) => path))
    )
  }).pipe(
    Effect.catchTag(
      ["AnswersFileError", "BookError", "GatewayError", "PlatformError", "StoreError", "WorkplaceRefused"],
      ({ message }) => new NotDone({ status: 409, text: message })
    ),
    Effect.catchTag("NotDone", ({ status, text }) =>
      Effect.succeed(
        page(
          whole(site.frame, {
            title: Texts.page.name,
            content: html`<h1>${status === 404 ? Texts.page.notFound : Texts.page.notDone}</h1>
              <p>${text}</p>
              <p><a href="${site.frame.prefix}/">${Texts.page.import}</a></p>`
          }),
          status
        )
      )
    )
  )
