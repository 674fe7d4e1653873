/**
 * Measures the share of generated exclusive documents that each rounding policy accepts, with the
 * reasons for the others.
 */
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { examine, type ExaminedDocument, isRefused } from "../../packages/core/src/import/BatchDocument.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import { Effect, Stream } from "effect"
import { bookWith } from "./TaxTypes.ts"
import { documents, type Particulars } from "./XeroExport.ts"
import { inputOf, render } from "./XeroFiles.ts"
import { count, refusal } from "./XeroTrial.ts"

export const policies = ["per-line", "per-group", "as-inclusive"] as const

export interface Share {
  readonly rounding: MappingBook["rounding"]
  readonly documents: number
  readonly accepted: number
  /** Shares by the number of lines. */
  readonly byLines: ReadonlyArray<{ readonly lines: string; readonly documents: number; readonly accepted: number }>
  /** Refused documents by their codes. */
  readonly refused: ReadonlyMap<string, number>
}

const linesOf = ({ source: { lines } }: ExaminedDocument): string =>
  lines.length === 1 ? "1" : lines.length < 4 ? "2–3" : lines.length < 7 ? "4–6" : "7 and more"

/** Measures invoices only: a credit note may also be refused because of its original. */
export const measure = (seed: number, particulars: Omit<Particulars, "modes">) =>
  Effect.gen(function* () {
    const invoices = documents(seed, { ...particulars, modes: ["Exclusive"] }).filter(({ kind }) => kind === "invoice")
    const files = render(invoices, { unitPlaces: 4, life: "first", contacts: "left-out", arrangement: seed })
    return yield* Effect.forEach(policies, (rounding) =>
      Effect.gen(function* () {
        const book = yield* BookFile.load("proof.book.json", bookWith({ rounding }))
        const options = { account: "proof", book, originals: new Map<string, string>() }
        const readings = yield* Stream.runCollect(adapter.read(inputOf(files), {}))
        // Pages overlap, so each document is counted once.
        const byId = new Map(
          readings.flatMap((reading) => (reading._tag === "SourceDocument" ? [[reading.id, reading] as const] : []))
        )
        const examined = Array.from(byId.values(), (source) => examine(source, options))
        const accepted = (of: ReadonlyArray<ExaminedDocument>) => of.filter((document) => !isRefused(document)).length
        const share: Share = {
          rounding,
          documents: examined.length,
          accepted: accepted(examined),
          byLines: Array.from(Map.groupBy(examined, linesOf), ([lines, of]) => ({
            lines,
            documents: of.length,
            accepted: accepted(of)
          })).toSorted((a, b) => (a.lines < b.lines ? -1 : 1)),
          refused: count(examined.filter(isRefused).map(refusal))
        }
        return share
      })
    )
  })
