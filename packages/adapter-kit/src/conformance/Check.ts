/**
 * Check of one rule for adapters, for any test runner. A failed check has a sentence that states
 * the remedy.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Data, Effect, Stream } from "effect"
import { isOfRecord } from "./Facts.ts"
import type { Fixture } from "./Fixture.ts"

/** A rule that the adapter breaks, with the remedy. */
export class NotHeld extends Data.TaggedError("NotHeld")<{ readonly message: string }> {}

export interface AdapterCheck {
  readonly name: string
  readonly check: Effect.Effect<void, Adapter.AdapterError | NotHeld>
}

export interface Law {
  readonly name: string
  hold<Options>(
    adapter: Adapter.Adapter<Options>,
    fixtures: ReadonlyArray<Fixture<Options>>
  ): Effect.Effect<void, Adapter.AdapterError | NotHeld>
}

export const fail = (message: string) => Effect.fail(new NotHeld({ message }))

export const holds = (isHeld: boolean, message: () => string): Effect.Effect<void, NotHeld> =>
  isHeld ? Effect.void : Effect.suspend(() => fail(message()))

/** Returns all readings of records; the record of the file's fields is of no record. */
export const readAll = <Options>(
  adapter: Adapter.Adapter<Options>,
  { options }: Fixture<Options>,
  input: Adapter.Input
): Effect.Effect<ReadonlyArray<Adapter.Reading>, Adapter.AdapterError> =>
  Stream.runCollect(
    Stream.filter(
      Stream.suspend(() => adapter.read(input, options)),
      isOfRecord
    )
  )
