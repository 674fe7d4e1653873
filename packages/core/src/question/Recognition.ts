/** By which of several adapters an export is read: each reads it, and the one that makes most documents of it is taken. */
import { Effect, Result } from "effect"
import type { Adapter, BookDraft, Input } from "../source/Adapter.ts"
import * as BookDrafting from "../source/BookDrafting.ts"
import * as Readings from "../source/Readings.ts"

/** How much of an export an adapter makes something of: its documents with a currency. */
const documents = ({ currencies }: BookDraft): number => currencies.reduce((sum, { count }) => sum + count, 0)

/** Returns what the adapter reads as a draft of a mapping book. */
export const draftOf = <Options>(adapter: Adapter<Options>, options: Options, input: Input) =>
  adapter.draftBook?.(input, options) ?? BookDrafting.draft(Readings.from(adapter, input, options))

/**
 * Returns the candidate that reads most documents; the first where only one is given, undefined where none reads any. `inputOf` fails where the files
 * cannot be opened for it.
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
