import type { StoreStop } from "./StoreStop.ts"

export interface NewestAttempt {
  readonly lane: string
  /** Counts the attempts of the lane from 1. An older copy counts the same numbers again. */
  readonly number: number
  readonly attempt: number
  /** Random text. Two attempts with the same number have different tokens. */
  readonly token: string
  readonly begunAt: number
}

/**
 * Acceptance of an older copy as the store, by an operator. A store without the last known
 * acceptance is an older copy, too.
 */
export interface Acceptance {
  readonly number: number
  /** Random text. Two acceptances with the same number have different tokens. */
  readonly token: string
}

export interface StoreMarks {
  readonly accepted: Acceptance | null
  /** Newest attempt of each lane since that acceptance. */
  readonly newest: ReadonlyArray<NewestAttempt>
}

export interface WitnessedMarks extends StoreMarks {
  readonly id: string
  /**
   * Number of the last attempt of the whole store. Files of earlier versions have only this value.
   */
  readonly attempts: number
  readonly at: string
}

export const unmarked: StoreMarks = { accepted: null, newest: [] }

/**
 * Compares a known acceptance with the acceptance in the store.
 *
 * `later`: an operator has accepted the store since, so attempts known before may be missing.
 * `lost`: the store does not have the known acceptance.
 */
export const compare = (known: Acceptance | null, store: Acceptance | null): "same" | "later" | "lost" => {
  const [before, now] = [known?.number ?? 0, store?.number ?? 0]
  if (before !== now) return before < now ? "later" : "lost"
  return known?.token === store?.token ? "same" : "lost"
}

export const becauseMissing = ({ begunAt, lane, number }: NewestAttempt, attempts: number): string =>
  `attempt ${number} of lane ${lane} was begun through it at ${new Date(begunAt).toISOString()} and is not in it; it has ${attempts}`

export const becauseFewer = (
  { accepted, attempts, at }: WitnessedMarks,
  store: { readonly accepted: Acceptance | null; readonly attempts: number }
): string | undefined =>
  attempts <= store.attempts || compare(accepted, store.accepted) === "later"
    ? undefined
    : `it has written ${store.attempts} attempts; ${attempts} were counted at ${at}`

export const becauseUnaccepted =
  "an operator accepted it as the store before, and this is not in it; the copy was put in place once more"

const ofEachLane = (a: ReadonlyArray<NewestAttempt>, b: ReadonlyArray<NewestAttempt>): ReadonlyArray<NewestAttempt> => {
  const found = new Map<string, NewestAttempt>()
  for (const one of [...a, ...b]) {
    const known = found.get(one.lane)
    if (known === undefined || known.number <= one.number) found.set(one.lane, one)
  }
  return [...found.values()].toSorted((one, other) => (one.lane < other.lane ? -1 : 1))
}

/**
 * Merges new marks into the known ones: the last acceptance, and the newest attempt of each lane
 * since. Marks with an older acceptance are ignored, and marks with a newer acceptance replace the
 * known ones.
 */
export const merge = (known: StoreMarks, reported: StoreMarks): StoreMarks => {
  const comparison = compare(known.accepted, reported.accepted)
  if (comparison === "lost") return known
  return comparison === "later" ? reported : { ...reported, newest: ofEachLane(known.newest, reported.newest) }
}

export interface MarkComparison extends StoreMarks {
  readonly stop: StoreStop | null
  readonly missing: ReadonlyArray<NewestAttempt>
  /** `lost`: the store lacks a known acceptance and is an older copy. */
  readonly acceptance: "kept" | "lost"
  readonly known: number
  /**
   * Database of the store now, and at the last successful comparison. `unread`: missing privilege.
   * Null for a file.
   */
  readonly place: { readonly is: string | "unread"; readonly provenAs: string | null } | null
}

/**
 * True if the database is another one than before, or if the store was stopped and is not
 * back in the proven database. Only an attempt that is known from elsewhere proves such a store
 * complete.
 */
export const isUnproven = ({ place, stop }: Pick<MarkComparison, "place" | "stop">): boolean => {
  const { is = null, provenAs: was = null } = place ?? {}
  const isOther = is !== null && is !== "unread" && was !== null && is !== was
  return isOther || (stop !== null && (is === null || is !== was))
}

/**
 * Describes why the store is an older copy. Undefined if nothing known is missing.
 *
 * `attempts`: number of the last attempt in the store. The total count is compared too: files of
 * earlier versions contain nothing else.
 */
export const becauseOlder = (
  { acceptance, accepted, missing, newest }: Pick<MarkComparison, "acceptance" | "accepted" | "missing" | "newest">,
  attempts: number,
  witnessed: WitnessedMarks | undefined
): string | undefined => {
  if (acceptance === "lost") return becauseUnaccepted
  const [lost] = missing.toSorted((a, b) => b.number - a.number)
  if (lost !== undefined) return becauseMissing(lost, newest.find(({ lane }) => lane === lost.lane)?.number ?? 0)
  return witnessed && becauseFewer(witnessed, { accepted, attempts })
}
