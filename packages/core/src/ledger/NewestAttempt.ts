/** The newest known attempt of a lane. A store without exactly this attempt is an older copy. */
export interface NewestAttempt {
  readonly lane: string
  /** Counts the attempts of the lane from 1. An older copy counts the same numbers again. */
  readonly number: number
  /** The id of its row. */
  readonly attempt: number
  /** A random text. Two attempts with the same number have different tokens. */
  readonly token: string
  /** Store time in milliseconds. */
  readonly begunAt: number
}

/** Returns true if an operator accepted the store after this attempt began. The store may then lack the attempt. */
export const isPardoned = ({ begunAt }: Pick<NewestAttempt, "begunAt">, acceptedAt: number | null): boolean =>
  acceptedAt !== null && acceptedAt >= begunAt

/** Describes why a lane without this attempt is stopped. */
export const becauseMissing = ({ number }: NewestAttempt, attempts: number): string =>
  `the store is an older copy: attempt ${number} of the lane was begun through it and is not in it; it has ${attempts}`

/** Merges two lists, keeping the newest attempt of each lane. Drops attempts from before the last acceptance by an operator. */
export const newest = (
  a: ReadonlyArray<NewestAttempt>,
  b: ReadonlyArray<NewestAttempt>,
  acceptedAt: number | null
): ReadonlyArray<NewestAttempt> => {
  const found = new Map<string, NewestAttempt>()
  for (const one of [...a, ...b]) {
    if (isPardoned(one, acceptedAt)) continue
    const known = found.get(one.lane)
    if (known === undefined || known.number <= one.number) found.set(one.lane, one)
  }
  return [...found.values()].toSorted((one, other) => (one.lane < other.lane ? -1 : 1))
}

/** Result of comparing a store with the known attempts. */
export interface StoreStanding {
  /** Known attempts that the store does not have. One is enough to make the store an older copy. */
  readonly missing: ReadonlyArray<NewestAttempt>
  /** Newest attempt of each lane in the store. */
  readonly newest: ReadonlyArray<NewestAttempt>
  /** Number of known attempts that were compared. */
  readonly known: number
  /** Store time of the last acceptance by an operator; null if there was none. */
  readonly acceptedAt: number | null
  /** Database of the store now, and at the last successful comparison. `unread`: missing privilege. Null for a file. */
  readonly place: { readonly is: string | "unread"; readonly provenAs: string | null } | null
}
