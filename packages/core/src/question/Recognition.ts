/** Each candidate reads the export, and the one with the most documents is taken. */
import { Effect, Result } from "effect"
import type { Adapter, BookDraft, Input } from "../source/Adapter.ts"
import * as BookDrafting from "../source/BookDrafting.ts"
import * as Readings from "../source/Readings.ts"

const documents = ({ currencies }: BookDraft): number => currencies.reduce((sum, { count }) => sum + count, 0)

export const draftOf = <Options>(adapter: Adapter<Options>, options: Options, input: Input) =>
  adapter.draftBook?.(input, options) ?? BookDrafting.draft(Readings.from(adapter, input, options))

/**
 * A single candidate is returned without reading; undefined if none reads any document. `inputOf`
 * fails if the files cannot be opened for the candidate.
 */
export const best = <Candidate extends { readonly adapter: Adapter<unknown>; readonly options: unknown }, E, R>(
  candidates: ReadonlyArray<Candidate>,
  inputOf: (candidate: Candidate) => Effect.Effect<Input, E, R>
): Effect.Effect<Candidate | undefined, never, R> =>
  Effect.gen(function* () {
    const [only, ...others] = candidates
    if (others.length === 0) return only
    const read = yield* Effect.forEach(candidates, (candidate) =>
      Effect.gen(function* () {
        const input = yield* inputOf(candidate)
        return documents(yield* draftOf(candidate.adapter, candidate.options, input))
      }).pipe(
        Effect.result,
        Effect.map((result) => ({ candidate, documents: Result.getOrElse(result, () => 0) }))
      )
    )
    const [first] = read.toSorted((a, b) => b.documents - a.documents)
    return first === undefined || first.documents === 0 ? undefined : first.candidate
  })
