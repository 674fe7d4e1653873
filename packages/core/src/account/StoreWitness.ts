/**
 * Record, outside a store, of the store's progress. Recognizes an older copy, or another store in
 * its place. Cannot help if store and record are restored together.
 */
import { Effect } from "effect"
import * as Finding from "../finding/Finding.ts"
import { compare, merge, type WitnessedMarks } from "../submission/ledger/NewestAttempt.ts"
import { AccountFinding } from "./AccountFinding.ts"

/** Progress of one store when it was last seen. */
export interface WitnessedStore extends WitnessedMarks {
  /** Lanes that the store had permission for. */
  readonly lanes: ReadonlyArray<string>
}

/**
 * Merges new figures into the known ones. Figures never decrease, except if an operator has
 * accepted an older copy in the meantime.
 */
export const merged = (known: WitnessedStore | undefined, reported: WitnessedStore): WitnessedStore => {
  if (known === undefined) return reported
  const lanes = [...new Set([...known.lanes, ...reported.lanes])].toSorted()
  const comparison = compare(known.accepted, reported.accepted)
  if (comparison === "lost") return { ...known, lanes }
  const attempts = comparison === "later" ? reported.attempts : Math.max(known.attempts, reported.attempts)
  return { ...reported, ...merge(known, reported), attempts, lanes }
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
