/**
 * Record, outside a store, of the store's progress. Recognizes an older copy, or another store in
 * its place. If store and record are restored together, only the device's receipts show it
 * (store/lanes/ReceiptGaps).
 */
import { DateTime, Effect, Option } from "effect"
import * as Finding from "../finding/Finding.ts"
import { compare, merge, type WitnessedMarks } from "../submission/ledger/NewestAttempt.ts"
import type { WriteFailure } from "../submission/ledger/StoreError.ts"
import type { StoreIdentity } from "../submission/SubmissionStore.ts"
import { AccountFinding } from "./AccountFinding.ts"

/** Progress of one store when it was last seen. */
export interface WitnessedStore extends WitnessedMarks {
  readonly lanes: ReadonlyArray<string>
  /**
   * Writes that a process could not make: time of the first one (ISO 8601), and the problem. Null
   * after a write succeeded. Undefined if the process that made the record tried none.
   */
  readonly unwritten?: { readonly since: string; readonly problem: string } | null | undefined
}

/**
 * Merges new figures into the known ones. Figures never decrease, except if an operator has
 * accepted an older copy in the meantime.
 */
export const merged = (known: WitnessedStore | undefined, reported: WitnessedStore): WitnessedStore => {
  if (known === undefined) return reported
  const lanes = [...new Set([...known.lanes, ...reported.lanes])].toSorted()
  const comparison = compare(known.accepted, reported.accepted)
  // an attempt that was begun since is a write that succeeded
  const standing = reported.attempts > known.attempts ? null : (known.unwritten ?? null)
  const { unwritten: stated = standing, ...figures } = reported
  const unwritten = stated === null ? {} : { unwritten: stated }
  if (comparison === "lost") {
    const { unwritten: _, ...kept } = known
    return { ...kept, lanes, ...unwritten }
  }
  const attempts = comparison === "later" ? reported.attempts : Math.max(known.attempts, reported.attempts)
  return { ...figures, ...merge(known, figures), attempts, lanes, ...unwritten }
}

/** Storage for the progress of all stores. */
export interface StoreWitness {
  /** Reads all records. Empty if no record exists, or if the records cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<WitnessedStore>>
  /**
   * Merges the figures of a store into the known ones (`merged`). `unwritten`: the figures could
   * not be written. `absent`: the host keeps no record.
   */
  write(store: WitnessedStore): Effect.Effect<"written" | Unwitnessed>
}

/** Reason why nothing outside the store knows its progress. */
export type Unwitnessed = "unwritten" | "absent"

/** Returns the writes that failed, as another process recorded them. Null if none are recorded. */
export const failureOf = (store: WitnessedStore | undefined): WriteFailure | null =>
  store?.unwritten == null
    ? null
    : {
        since: Option.getOrElse(Option.map(DateTime.make(store.unwritten.since), DateTime.toUtc), () =>
          DateTime.makeUnsafe(0)
        ),
        text: store.unwritten.problem
      }

/** Records that the store cannot be written, or, with null, that it can be written again. */
export const noteWrites = (
  witness: StoreWitness,
  { attempts, id }: StoreIdentity,
  failure: WriteFailure | null
): Effect.Effect<"written" | Unwitnessed> =>
  Effect.flatMap(Effect.all([witness.read, DateTime.now]), ([stores, now]) =>
    witness.write({
      ...(stores.find((store) => store.id === id) ?? { id, attempts, lanes: [], accepted: null, newest: [] }),
      at: DateTime.formatIso(now),
      unwritten: failure && { since: DateTime.formatIso(failure.since), problem: failure.text }
    })
  )

/** Witness of a host that keeps no record: each opening notes it in the store. */
export const absent: StoreWitness = { read: Effect.succeed([]), write: () => Effect.succeed("absent") }

/** Returns the finding about a store whose progress is not recorded. */
export const unwitnessed = (why: Unwitnessed): Finding.Finding =>
  Finding.make(
    AccountFinding.STORE_UNWITNESSED,
    why === "absent"
      ? {
          message: "nothing outside the store records its progress",
          fix: "Give `connect` a witnessFile outside the store's folder, and keep backups of the store in a separate place."
        }
      : {}
  )
