/**
 * Determines the outcome of an altered document: refused, sent because a stated total proves the
 * amounts, or sent as altered.
 */
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { Adapter } from "../../packages/core/src/source/Adapter.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import * as WireCodec from "../../packages/core/src/document/WireCodec.ts"
import { stamp } from "../../packages/core/src/document/FiscalDocument.ts"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import { Effect, Stream } from "effect"
import type { Alteration } from "./XeroAlterations.ts"
import { type File, inputOf } from "./XeroFiles.ts"
import * as WrittenDocument from "../../packages/core/src/document/WrittenDocument.ts"

/**
 * Outcome of an alteration.
 * - `refused`: not sent, with a reason. `silent`: not sent, without a reason.
 * - `superseded`: not sent, because a later statement of the same document counts.
 * - `proven`: line amounts, taxes and totals are sent as before, with a warning.
 * - `as-before`: sent as before, without a warning.
 * - `as-altered`: the altered values are sent.
 */
export type Outcome = "refused" | "silent" | "superseded" | "proven" | "as-before" | "as-altered"

interface Sent {
  /** Request with its date; undefined if nothing is sent. */
  readonly body: string | undefined
  readonly warnings: number
  readonly refusals: number
  /** True if the document was skipped because a later statement counts. */
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

/** Input for the trial of one alteration. */
interface Tried<Options> extends Pick<Alteration, "id" | "original" | "altered"> {
  readonly options: Options
}

export const outcomeOf = (alteration: Alteration, book: MappingBook) => outcomeBy(xeroLike, alteration, book)

/**
 * Returns the outcome; undefined if the original is not sent, so that the alteration cannot be
 * judged.
 */
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
    // The price of a line proven by a total is the price that gives its amount, so prices are
    // ignored.
    const isSaid = after.warnings > before.warnings
    if (isSaid && withoutPrices(after.body) === withoutPrices(before.body)) return "proven"
    return after.body === before.body ? "as-before" : "as-altered"
  }) as Effect.Effect<Outcome | undefined, unknown>

/**
 * Returns true if the outcome keeps the law: a contradicted alteration is refused, proven by a
 * stated total, or superseded by a later statement.
 */
export const keepsLaw = ({ witness }: Pick<Alteration, "witness">, outcome: Outcome): boolean =>
  witness === undefined ? outcome === "as-altered" : ["refused", "proven", "superseded"].includes(outcome)
