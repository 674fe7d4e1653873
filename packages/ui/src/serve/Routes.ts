import { Effect } from "effect"
import { pageStyle } from "../html/PageStyle.ts"
import { icon, script } from "../page/Script.ts"
import type { Upload } from "../work/PageImport.ts"
import { saveBook } from "./BookRoutes.ts"
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
import { type RequestForm, plain } from "./Request.ts"
import { type Site, notFound } from "./Site.ts"

export type PageCall =
  | { readonly method: "GET"; readonly path: string; readonly query: URLSearchParams }
  | {
      readonly method: "POST"
      readonly path: string
      readonly query: URLSearchParams
      readonly form: RequestForm
      readonly files: ReadonlyArray<Upload>
    }

export const respond = (site: Site, call: PageCall) => {
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
        return Effect.succeed(follow(site))
      case "pdfs":
        return allPdfs(site, null)
      case "documents":
        return rest.length === 0 ? showList(site, call.query) : showDocument(site, rest, call.query)
      case "documents.csv":
        return exportList(site, call.query)
      case "credits":
        return showCredits(site, call.query)
      case "health":
        return showHealth(site, call.query)
      case "book":
        return SettingsRoutes.showAt(site, call.query)
      case "days":
        return showDays(site, call.query)
      case "decide":
        return showDecide(site, call.query)
      case "acknowledge":
        return showAcknowledge(site, call.query)
      case "accept-older":
        return StoreRoutes.showOlder(site)
      case "repin":
        return StoreRoutes.showRepin(site, call.query)
      case "other-programs":
        return StoreRoutes.showOthers(site, call.query)
      case "decisions":
        return showDecisions(site, call.query)
      default:
        return notFound
    }
  }
  switch (first) {
    case "imports":
      if (isSource(call.path)) return showImport(site, rest, call.query, call.files[0] ?? null)
      return rest.length === 0 ? begin(site, call.form, call.files) : change(site, rest, call.form)
    case "documents":
      return isSource(call.path) ? givenSource(site, rest, call.files) : decide(site, rest, call.form)
    case "credits":
      return changeCredit(site, call.form)
    case "example":
      return beginExample(site)
    case "resume":
      return resume(site, call.form)
    case "book":
      return saveBook(site, call.form)
    case "days":
      return reconcile(site, call.form)
    case "decide":
      return decideMany(site, call.form)
    case "acknowledge":
      return acknowledge(site, call.form)
    case "accept-older":
      return StoreRoutes.acceptOlder(site, call.form)
    case "repin":
      return StoreRoutes.repin(site, call.form)
    case "other-programs":
      return StoreRoutes.sayOthers(site, call.form)
    case "cancel-import":
      return cancelImport(site, call.form)
    case "settings":
      switch (rest[0]) {
        case undefined:
          return SettingsRoutes.save(site, call.form)
        case "forget":
          return SettingsRoutes.forget(site, call.form)
        case "items":
          return SettingsRoutes.saveItems(site, call.form)
        case "undo":
          return SettingsRoutes.undo(site, call.form)
        case "mappings":
          return SettingsRoutes.applyMappings(site, call.form)
        default:
          return notFound
      }
    default:
      return notFound
  }
}
