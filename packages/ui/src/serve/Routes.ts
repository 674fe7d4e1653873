import { Effect, Option } from "effect"
import { pageStyle } from "../html/PageStyle.ts"
import { samplePage } from "../page/FilePage.ts"
import { icon, script } from "../page/Script.ts"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "../work/PageImport.ts"
import { changeCredit, showCredits } from "./CreditRoutes.ts"
import { acknowledge, cancelImport, decideMany, showAcknowledge, showDecide, showDecisions } from "./DecideRoutes.ts"
import { exportList, showList } from "./DocumentListRoutes.ts"
import { showDocument, decide, givenSource } from "./DocumentRoutes.ts"
import * as SettingsRoutes from "./SettingsRoutes.ts"
import { resume } from "./ResumeRoutes.ts"
import * as StoreRoutes from "./StoreRoutes.ts"
import { isSource } from "./SourceRoutes.ts"
import { reconcile, showHealth, showDays } from "./HealthRoutes.ts"
import { importPage, begin, beginExample, showImport, change } from "./ImportRoutes.ts"
import { allPdfs, follow } from "./KeptRoutes.ts"
import { type RequestForm, type Response, plain } from "./Request.ts"
import { type Site, notFound, shown } from "./Site.ts"

interface Posted {
  readonly path: string
  readonly query: URLSearchParams
  readonly form: RequestForm
  readonly files: ReadonlyArray<Upload>
}

/** Pages and files by the first part of their path. `rest`: the other parts. */
const pages = {
  "": (site, _, query) => importPage(site, null, query),
  "style.css": () => Effect.succeed(plain(pageStyle, "text/css; charset=utf-8")),
  "page.js": () => Effect.succeed(plain(script, "text/javascript; charset=utf-8")),
  "icon.svg": () => Effect.succeed(plain(icon, "image/svg+xml")),
  imports: showImport,
  sample: (site) =>
    Effect.succeed(shown(site, { title: Texts.page.sample, at: "import", content: samplePage(site.frame) })),
  follow: (site) => Effect.succeed(follow(site)),
  pdfs: (site) => allPdfs(site, null),
  documents: (site, rest, query) => (rest.length === 0 ? showList(site, query) : showDocument(site, rest, query)),
  "documents.csv": (site, _, query) => exportList(site, query),
  credits: (site, _, query) => showCredits(site, query),
  health: (site, _, query) => showHealth(site, query),
  book: (site, _, query) => SettingsRoutes.showAt(site, query),
  days: (site, _, query) => showDays(site, query),
  decide: (site, _, query) => showDecide(site, query),
  acknowledge: (site, _, query) => showAcknowledge(site, query),
  "accept-older": StoreRoutes.showOlder,
  dismiss: (site, _, query) => StoreRoutes.showDismiss(site, query),
  repin: (site, _, query) => StoreRoutes.showRepin(site, query),
  "other-programs": (site, _, query) => StoreRoutes.showOthers(site, query),
  decisions: (site, _, query) => showDecisions(site, query)
} satisfies Record<
  string,
  (site: Site, rest: ReadonlyArray<string>, query: URLSearchParams) => Effect.Effect<Response, unknown, unknown>
>

/** Forms by the first part of their path; the settings have a form for each second part. */
const forms = {
  imports: (site, { files, form, path, query }, rest) =>
    isSource(path)
      ? showImport(site, rest, query, files[0] ?? null)
      : rest.length === 0
        ? begin(site, form, files)
        : change(site, rest, form),
  documents: (site, { files, form, path }, rest) =>
    isSource(path) ? givenSource(site, rest, files) : decide(site, rest, form),
  credits: (site, { form }) => changeCredit(site, form),
  example: beginExample,
  resume: (site, { form }) => resume(site, form),
  book: (site, { form }) => SettingsRoutes.saveFile(site, form),
  days: (site, { form }) => reconcile(site, form),
  decide: (site, { form }) => decideMany(site, form),
  acknowledge: (site, { form }) => acknowledge(site, form),
  "accept-older": (site, { form }) => StoreRoutes.acceptOlder(site, form),
  dismiss: (site, { form }) => StoreRoutes.dismiss(site, form),
  repin: (site, { form }) => StoreRoutes.repin(site, form),
  "other-programs": (site, { form }) => StoreRoutes.sayOthers(site, form),
  "cancel-import": (site, { form }) => cancelImport(site, form),
  settings: (site, { form }) => SettingsRoutes.save(site, form),
  "settings/forget": (site, { form }) => SettingsRoutes.forget(site, form),
  "settings/items": (site, { form }) => SettingsRoutes.saveItems(site, form),
  "settings/undo": (site, { form }) => SettingsRoutes.undo(site, form),
  "settings/mappings": (site, { form }) => SettingsRoutes.applyMappings(site, form)
} satisfies Record<
  string,
  (site: Site, posted: Posted, rest: ReadonlyArray<string>) => Effect.Effect<Response, unknown, unknown>
>

const named = <A extends object>(table: A, name: string): A[keyof A] | undefined =>
  Object.hasOwn(table, name) ? table[name as keyof A] : undefined

const decode = Option.liftThrowable(decodeURIComponent)

const decoded = (part: string): string => Option.getOrElse(decode(part), () => "")

export const respond = Effect.fnUntraced(function* (site: Site, path: string, query: URLSearchParams) {
  const [, first = "", ...rest] = path.split("/").map(decoded)
  return yield* named(pages, first)?.(site, rest, query) ?? notFound
})

/** Does what a form asks for. */
export const posted = Effect.fnUntraced(function* (site: Site, form: Posted) {
  const [, first = "", ...rest] = form.path.split("/").map(decoded)
  const name = first === "settings" ? [first, ...rest].join("/") : first
  return yield* named(forms, name)?.(site, form, rest) ?? notFound
})
