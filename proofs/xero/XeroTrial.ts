/**
 * Takes one generated export through adapter, translation, plan, store and sandbox; then again as
 * other files and later in its life.
 */
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import type { ImportEntry } from "../../packages/core/src/import/ImportEntry.ts"
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import * as StorePlace from "../../packages/core/src/submission/StorePlace.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as UndiciHttpClient from "../../packages/core/src/node/UndiciHttpClient.ts"
import * as DeviceFacts from "../../packages/core/src/preflight/DeviceFacts.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import type { PlanResult } from "../../packages/core/src/submission/PlanResult.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { DateTime, Effect, Redacted, Stream } from "effect"
import * as Engine from "../../packages/cli/src/account/Engine.ts"
import { brokenByPlan, brokenByReceipts, type Plan } from "./Laws.ts"
import { bookWith, deviceTaxes, taxMappings } from "./TaxTypes.ts"
import { type Document, isIssued } from "./XeroExport.ts"
import { inputOf, render, type Rendering } from "./XeroFiles.ts"

/**
 * Creates a separate gateway. It accepts every well-formed document, and its device marks every
 * broken rule.
 */
const connect = Effect.gen(function* () {
  const credentials = { key: "proof-key", application: "proof", station: "proof" }
  const sandbox = yield* Sandbox.make({
    processingDelayMillis: 0,
    accounts: [
      {
        ...credentials,
        device: 1,
        taxMappings,
        currencyMappings: ["USD", "ZAR"].map((code) => ({ sourceCurrency: code, destinationCurrency: code }))
      }
    ],
    devices: [
      {
        deviceId: 1,
        taxes: deviceTaxes,
        supportedCurrencies: ["USD", "ZAR"],
        allowCreditNoteWithNoInvoice: true,
        expireCreditNoteWithNoInvoice: "2999-12-31T00:00:00"
      }
    ]
  })
  const gateway = yield* Gateway.make({
    account: "proof",
    baseUrl: sandbox.url,
    application: credentials.application,
    station: credentials.station,
    apiKey: Redacted.make(credentials.key)
  }).pipe(Effect.provide(UndiciHttpClient.layer()))
  return { sandbox, gateway }
})

export interface Setting {
  readonly arrangement: number
  readonly unitPlaces: Rendering["unitPlaces"]
  readonly rounding: MappingBook["rounding"]
  /**
   * `with-tin`: buyers have the TIN of their contacts. `by-name`: the operator leaves the TIN
   * unread, and the contact file provides only addresses and phones.
   */
  readonly buyers: "with-tin" | "by-name"
}

export interface Report {
  /** Number of issued sales documents in the export. */
  readonly documents: number
  readonly fiscalised: number
  /** Number of credit notes whose original was refused. */
  readonly held: number
  /** Refused documents by their codes. */
  readonly refused: ReadonlyMap<string, number>
  /** Marks on receipts by code. */
  readonly marks: ReadonlyMap<string, number>
  /** Total number of imports of the documents. */
  readonly imports: number
  /** Broken laws; expected to be empty. */
  readonly broken: ReadonlyArray<string>
}

/** Returns the number of occurrences of each text, the most frequent first. */
export const count = (words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = Array.from(
    Map.groupBy(words, (word) => word),
    ([word, of]) => [word, of.length] as const
  )
  return new Map(counts.toSorted(([, a], [, b]) => b - a))
}

/** Returns the codes that refuse a document, each once. */
export const refusal = ({ findings }: Pick<ImportEntry & { _tag: "Refused" }, "findings">): string =>
  [...new Set(findings.filter(refuses).map(({ code }) => code))].toSorted().join(" + ")

const plannedOf = (entries: ReadonlyArray<ImportEntry>) =>
  entries.flatMap((entry) => (entry._tag === "Planned" ? [entry.planned] : []))

/** One import of the documents. */
interface Import {
  readonly what: string
  readonly rendering: Omit<Rendering, "unitPlaces">
  readonly options: XeroLikeOptions
  /**
   * Permitted verdicts for sent documents: none, or at most a conflict if the buyers' TINs are
   * missing from the export.
   */
  readonly verdicts: ReadonlySet<PlanResult["verdict"]["_tag"]>
}

/**
 * Returns the first import, and imports of the same documents again: other pages and orders,
 * without the contact file, paid and allocated since, customers renamed.
 */
const imports = ({ arrangement, buyers }: Setting): readonly [Import, ...ReadonlyArray<Import>] => {
  const options: XeroLikeOptions = buyers === "with-tin" ? { tin: "TaxNumber" } : { unmapped: "unread" }
  const rendering = { life: "first", contacts: "given", arrangement } as const
  const first = { what: "the same files", rendering, options, verdicts: new Set([]) }
  const again = (what: string, change: Partial<Import["rendering"]>, further: Partial<Import> = {}): Import => ({
    ...first,
    what,
    ...further,
    rendering: { ...rendering, arrangement: arrangement + 1, ...change }
  })
  return [
    first,
    first,
    again("other pages", {}),
    again("paid and allocated", { life: "later" }, { options: { ...options, paymentMethod: "paying-account" } }),
    ...(buyers === "with-tin"
      ? [
          again("customers renamed", { life: "renamed" }),
          again("no contact file", { contacts: "left-out" }, { verdicts: new Set(["Conflict"] as const) })
        ]
      : [again("no contact file", { contacts: "left-out" })])
  ]
}

/** Imports the documents in every way into a separate sandbox, and checks the laws. */
export const run = (documents: ReadonlyArray<Document>, setting: Setting) =>
  Effect.gen(function* () {
    const { rounding, unitPlaces } = setting
    const { gateway, sandbox } = yield* connect
    const book = yield* BookFile.load("proof.book.json", bookWith({ rounding }))
    const device = yield* gateway.fiscalDevice
    const settings = { account: "proof", environment: "sandbox", gateway, firstLook: "20 millis" } as const
    const submitting = yield* OpenAccount.open(settings)
    const { destination } = submitting
    const now = DateTime.setZone(yield* DateTime.now, book.zone)
    const facts = DeviceFacts.make(device, yield* gateway.supportedCurrencies, now)
    const planOf = ({ options, rendering }: Import) =>
      planBatch(adapter.read(inputOf(render(documents, { ...rendering, unitPlaces })), options), {
        account: "proof",
        book,
        destination,
        device: facts,
        originals: new Map()
      }).pipe(
        Effect.flatMap((plan) =>
          Effect.map(Stream.runCollect(plan.entries), (entries): Plan => ({ unattached: plan.unattached, entries }))
        ),
        Effect.scoped
      )
    const submissions = Effect.map(
      sandbox.control.calls,
      (calls) => calls.filter(({ operation }) => operation.startsWith("submit")).length
    )
    const [first, ...others] = imports(setting)
    const plan = yield* planOf(first)
    yield* SubmissionStore.use((store) => store.plan(plannedOf(plan.entries)))
    yield* Session.resume([submitting])
    const receipts = yield* sandbox.control.receipts
    const broken = [...brokenByPlan(plan, documents, book), ...brokenByReceipts(plan, receipts)]

    const sent = yield* submissions
    const isSent = new Set(receipts.map(({ documentId }) => documentId))
    for (const again of others) {
      const { rendering, verdicts, what } = again
      const { entries } = yield* planOf(again)
      const before = entries.filter(({ source }) => isSent.has(source.id))
      // A later allocation may correctly let a refused note be sent.
      const results = yield* SubmissionStore.use((store) =>
        store.plan(plannedOf(rendering.life === "first" ? entries : before))
      )
      yield* Session.resume([submitting])
      const news = results.filter(({ key, verdict }) => isSent.has(key.id) && !verdicts.has(verdict._tag))
      broken.push(...news.map(({ key, verdict }) => `${what}: ${key.kind} ${key.id} is ${verdict._tag}`))
      if (before.length !== isSent.size) broken.push(`${what}: ${before.length} of ${isSent.size} are read again`)
      if ((yield* submissions) !== sent) broken.push(`${what}: something was sent again`)
    }
    const accepted = yield* sandbox.control.accepted
    for (const { accepted: times, number, receipts: issued } of accepted) {
      if (times !== 1 || issued !== 1) broken.push(`${number}: accepted ${times} times, ${issued} receipts`)
    }
    const report: Report = {
      documents: documents.filter(isIssued).length,
      fiscalised: accepted.filter(({ state }) => state === "fiscalised").length,
      held: plan.entries.filter((entry) => entry._tag === "Planned" && entry.planned.held !== null).length,
      refused: count(plan.entries.flatMap((entry) => (entry._tag === "Refused" ? [refusal(entry)] : []))),
      marks: count(receipts.flatMap(({ marks }) => marks.map(({ code }) => code))),
      imports: others.length + 1,
      broken
    }
    return report
  }).pipe(Effect.provide([Engine.layer(StorePlace.memory), SqliteStaging.layerMemory]), Effect.scoped)
