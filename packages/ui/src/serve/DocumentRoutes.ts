import { Connector } from "@fiscal-connector/core/session"
import { Identifiers } from "@fiscal-connector/core/adapter"
import type { Decision } from "@fiscal-connector/core/decisions"
import { type Explanation, type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { LateBy, Submit } from "@fiscal-connector/core/host/account"
import { Effect, Stream } from "effect"
import * as DocumentPages from "../page/DocumentPages.ts"
import * as SendPages from "../page/SendPages.ts"
import { consentOf, sends } from "../page/part/ConsentWords.ts"
import { shownIn } from "../page/part/Form.ts"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "../work/PageImport.ts"
import { discard, download, type RequestForm, NotDone, seeOther } from "./Request.ts"
import { askBefore, backOf, consented, resumeSending, sendAgain } from "./ResumeRoutes.ts"
import { type Site, foundOf, noted, notFound, saidIn, shown, looking, zoneOf } from "./Site.ts"
import { explained, shownCredit } from "./CreditRoutes.ts"
import { showSource } from "./SourceRoutes.ts"

const keyOf = ([account = "", kind, id = ""]: ReadonlyArray<string>) =>
  kind === "invoice" || kind === "credit-note" ? Effect.succeed({ account, kind, id } as const) : notFound

export const showDocument = (site: Site, path: ReadonlyArray<string>, query: URLSearchParams) =>
  Effect.gen(function* () {
    const key = yield* keyOf(path)
    const zone = yield* zoneOf(site)
    const found = yield* explained(site, key)
    const { submission } = found
    if (path[3] === "pdf") return yield* pdf(site, submission)
    if (path[3] === "source") return yield* showSource(site, submission, null)
    const content = DocumentPages.documentPage(
      site.frame,
      found,
      zone,
      saidIn(site, query),
      yield* foundOf(site, besideOf(submission)),
      yield* looking(site, LateBy.of([submission], "Resend")),
      yield* creditOf(site, found)
    )
    return shown(site, { title: submission.number, at: "documents", environment: submission.environment, content })
  }).pipe(Effect.scoped)

/**
 * Returns the note of an invoice whose receipts may differ from the source. Null without an answer
 * of the gateway: the page then has the link.
 */
const creditOf = (site: Site, found: Explanation.Explanation) =>
  DocumentPages.isToCredit(found)
    ? Effect.catchTag(shownCredit(site, found, {}), ["GatewayError", "WorkplaceRefused"], () => Effect.succeed(null))
    : Effect.succeed(null)

const besideOf = ({ account, seq }: Submission.Submission) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const one = { accounts: [account], limit: 1 }
    const [previous = null] = yield* store.list({ ...one, before: seq, order: "newest-first" })
    const [next = null] = yield* store.list({ ...one, after: seq })
    return { previous, next }
  })

/**
 * Shows the document's rows in the file that the operator chose. The file is removed afterwards.
 */
export const givenSource = (site: Site, path: ReadonlyArray<string>, files: ReadonlyArray<Upload>) =>
  Effect.gen(function* () {
    const { submission } = yield* explained(site, yield* keyOf(path))
    return yield* showSource(site, submission, files[0] ?? null)
  }).pipe(Effect.ensuring(discard(files.map(({ path }) => path))))

const pdf = ({ workplace }: Site, { account, number, proof }: Submission.Submission) =>
  Effect.gen(function* () {
    const file = proof?.fiscalInvoicePdf ?? null
    if (file === null) return yield* new NotDone({ status: 404, text: Texts.document.noPdf })
    const { settings } = yield* workplace.account(account, undefined)
    const bytes = yield* settings.gateway.downloadPdf(file)
    return download(Stream.succeed(bytes), `${number}.pdf`, "application/pdf")
  }).pipe(Effect.scoped)

const decisionOf = (form: RequestForm): Decision.Decision | string => {
  const tag = form.get("decision") ?? ""
  const typed = (form.get(`with.${tag}`) ?? "").trim()
  switch (tag) {
    case "Fiscalised":
      return { _tag: tag, proof: typed === "" ? {} : { verificationCode: typed } }
    case "Rejected":
      return { _tag: tag, rejection: { error: typed, nature: "correctable" } }
    case "Accepted":
      return Submit.requestId(typed, {}) === null
        ? Texts.document.noRequestId
        : { _tag: tag, requestId: Identifiers.RequestId.make(typed) }
    case "NotProcessed":
    case "Resend":
    case "Same":
    case "Withdrawn":
    case "Acknowledged":
      return { _tag: tag }
    default:
      return Texts.page.gone
  }
}

export const decide = (site: Site, path: ReadonlyArray<string>, form: RequestForm) =>
  Effect.gen(function* () {
    const key = yield* keyOf(path)
    if (path[3] !== "decide") return yield* notFound
    const address = SendPages.documentAddress(site.frame, key.account, key) ?? ""
    const back = (text: string) =>
      seeOther(form.has("back") ? backOf(site, form, noted(site, text)) : `${address}?said=${noted(site, text)}`)
    const decision = decisionOf(form)
    if (typeof decision === "string") return back(decision)
    // the form of a stopped sending asks with a box
    const isSent = sends.has(decision._tag) && !form.has("back")
    const device = isSent ? (yield* explained(site, key)).submission : null
    const consent = device === null ? "not-needed" : consentOf(device, form.get(`with.${decision._tag}`))
    if (consent === "other-device") return back(Texts.page.consentWrong)
    const decided = Effect.gen(function* () {
      yield* askBefore(site, decision, [key])
      const although = form.get("although") === "recent" ? "recent" : undefined
      // with two tabs, a decision about an earlier state must not apply to the current one
      const resolution = yield* Connector.resolve(key, decision, form.get("because") ?? "", although, shownIn(form))
      if (resolution._tag === "Refused") return Texts.document.refused(resolution.text)
      if (device !== null) yield* sendAgain(site, device, consent)
      return Texts.document.recorded(resolution.to)
    })
    const text = yield* Effect.provide(decided, site.workplace.engine)
    // documents blocked by this one continue automatically, as far as the operator has consented
    if (form.has("back")) {
      yield* consented(site, form)
      yield* resumeSending(site, "consented")
    }
    return back(text)
  })
