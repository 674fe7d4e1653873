/** Readings in the order of reading. */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Finding } from "../finding/Finding.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { mapConcat } from "../source/MapConcat.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { Stray } from "./Batch.ts"
import type { ImportEntry, NumberedEntry } from "./ImportEntry.ts"
import type { SkippedAs } from "./SkippedRows.ts"
import { orStoreError } from "./StagingArea.ts"

export type ImportInput =
  | { readonly _tag: "Document"; readonly entry: ImportEntry }
  /** `duplicate`: another statement of the same document counts. */
  | { readonly _tag: "Skipped"; readonly skipped: Skipped; readonly as: SkippedAs }
  /** A reading that is not a document; the finding has the reason. */
  | { readonly _tag: "Stray"; readonly finding: Finding }

interface SkippedTurn {
  readonly follows: number
  readonly turn: number
  readonly reading: string
  readonly skipped_as: SkippedAs
}

interface PlacedInput {
  readonly after: number
  /** Position among the readings; 0 if the reading was itself a document. */
  readonly turn: number
  readonly input: ImportInput
}

const between = (sql: SqlClient, from: number, to: number, strays: ReadonlyArray<Stray>) =>
  Effect.map(
    orStoreError(sql<SkippedTurn>`select follows, turn, reading, skipped_as from skipped
      where follows >= ${from} and follows < ${to} order by follows, turn, seq`),
    (rows): ReadonlyArray<ImportInput> => {
      const skipped = rows.map(({ follows, reading, skipped_as, turn }): PlacedInput => {
        const skipped: Skipped = JSON.parse(reading)
        return { after: follows, turn, input: { _tag: "Skipped", skipped, as: skipped_as } }
      })
      const stray = strays
        .filter(({ after }) => after >= from && after < to)
        .map(({ after, finding, turn }): PlacedInput => ({ after, turn, input: { _tag: "Stray", finding } }))
      return [...skipped, ...stray].toSorted((a, b) => a.after - b.after || a.turn - b.turn).map(({ input }) => input)
    }
  )

export const stream = (
  sql: SqlClient,
  documents: Stream.Stream<NumberedEntry, StoreError>,
  strays: ReadonlyArray<Stray>
): Stream.Stream<ImportInput, StoreError> =>
  Stream.suspend(() => {
    let next = 0
    const withWhatIsBefore = documents.pipe(
      Stream.mapEffect(({ entry, seq }) => {
        const from = next
        next = seq
        return Effect.map(between(sql, from, seq, strays), (before): ReadonlyArray<ImportInput> => [
          ...before,
          { _tag: "Document", entry }
        ])
      })
    )
    const rest = Stream.fromEffect(Effect.suspend(() => between(sql, next, Number.MAX_SAFE_INTEGER, strays)))
    return mapConcat((inputs: ReadonlyArray<ImportInput>) => inputs)(Stream.concat(withWhatIsBefore, rest))
  })
