/** What becomes of altered documents: refused, sent because a stated total proves what is sent, or sent as altered. */
import { planBatch } from "@fiscal-connector/core/unstable/session/Planning"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as WireCodec from "@fiscal-connector/core/document/WireCodec"
import { stamp } from "@fiscal-connector/core/document/FiscalDocument"
import * as Instant from "@fiscal-connector/core/document/Instant"
import { Effect, Stream } from "effect"
import type { Alteration } from "./XeroAlterations.ts"
import { type File, inputOf } from "./XeroFiles.ts"
import * as WrittenDocument from "@fiscal-connector/core/unstable/document/WrittenDocument"

/**
 * `refused`: nothing is sent, and it is said. `silent`: nothing is sent, and nothing refuses. `proven`: the line amounts, taxes and totals that are sent are as before, with a warning.
 * `as-before`: the same without a word. `as-altered`: the altered reading is sent.
 */
export type Outcome = "refused" | "silent" | "superseded" | "proven" | "as-before" | "as-altered"

interface Sent {
  /** The request, its date with it; undefined where nothing is sent. */
  readonly body: string | undefined
  readonly warnings: number
  readonly refusals: number
  /** Skipped because a later statement of the same document counts. */
  readonly superseded: boolean
}

const sentOf = <Options>(
  adapter: Adapter<Options>,
  files: ReadonlyArray<File>,
  options: Options,
  book: MappingBook,
  id: string
) =>
  Effect.gen(function* () {
    const plan = yield* planBatch(adapter.read(inputOf(files), options), {
      account: "proof",
      book,
      originals: new Map(),
      destination: { account: "proof", taxpayer: "proof", lane: "proof/1", environment: "sandbox" }
    })
    const entries = yield* Stream.runCollect(plan.entries)
    const skipped = yield* Stream.runCollect(plan.skipped)
    const planned = entries.find((entry) => entry._tag === "Planned" && entry.source.id === id)
    if (planned?._tag !== "Planned") {
      const refusals = entries.filter(({ _tag }) => _tag === "Refused").length + plan.unattached.length
      const superseded = skipped.some(({ reason }) => reason.startsWith("stated again later ("))
      return { body: undefined, warnings: 0, refusals, superseded } satisfies Sent
    }
    const { document, receiptDate } = planned.planned
    const at = receiptDate === "at-submission" ? Instant.fromSeconds(0, book.zone) : receiptDate
    const said = planned.findings.filter(({ code }) => code !== "FILLED_FROM_BOOK").length
    return {
      body: WireCodec.encode(stamp(WrittenDocument.read(document), at, "first")),
      warnings: said,
      refusals: 0,
      superseded: false
    } satisfies Sent
  }).pipe(
    Effect.provide([SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory]),
    Effect.scoped,
    Effect.catchTag("AdapterError", () =>
      Effect.succeed({ body: undefined, warnings: 0, refusals: 1, superseded: false } satisfies Sent)
    )
  )

const withoutPrices = (body: string) => body.replace(/"UnitAmount":[^,]*/g, "")

/** What the trial of one alteration needs. */
interface Tried<Options> extends Pick<Alteration, "id" | "original" | "altered"> {
  readonly options: Options
}

export const outcomeOf = (alteration: Alteration, book: MappingBook) => outcomeBy(xeroLike, alteration, book)

/** Undefined where the document is not sent as it was generated, so that nothing can be said of the alteration. */
export const outcomeBy = <Options>(
  adapter: Adapter<Options>,
  { altered, id, options, original }: Tried<Options>,
  book: MappingBook
) =>
  Effect.gen(function* () {
    const before: Sent = yield* sentOf(adapter, original, options, book, id)
    if (before.body === undefined) return undefined
    const after: Sent = yield* sentOf(adapter, altered, options, book, id)
    if (after.body === undefined) return after.refusals > 0 ? "refused" : after.superseded ? "superseded" : "silent"
    // of a line that a total proves, the price is the one that gives its amount
    const isSaid = after.warnings > before.warnings
    if (isSaid && withoutPrices(after.body) === withoutPrices(before.body)) return "proven"
    return after.body === before.body ? "as-before" : "as-altered"
  }) as Effect.Effect<Outcome | undefined, unknown>

/** Whether what has become of a contradicted alteration keeps the law: refused, proven by a stated total, or settled by a later statement. */
export const keepsLaw = ({ witness }: Pick<Alteration, "witness">, outcome: Outcome): boolean =>
  witness === undefined ? outcome === "as-altered" : ["refused", "proven", "superseded"].includes(outcome)
