/**
 * Points at which a submitting process is killed, the gateway's behavior meanwhile, and the
 * account's policy for unknown outcomes.
 */

/** Behavior of the gateway for the second document, once. */
export const behaviors = ["accepted", "rejected", "dropped-before", "dropped-after", "slow"] as const
export type Behavior = (typeof behaviors)[number]

/**
 * Policies: `hold` with a gateway that ignores IsRetry; `resend-flagged` with a gateway that honors
 * IsRetry with the same request id, or with a new one.
 */
export const policies = ["hold", "resend-same-id", "resend-new-id"] as const
export type Policy = (typeof policies)[number]

/**
 * Place of the kill. `commit`: before, or just after, the n-th commit of the process. `submit` and
 * `status`: before the n-th request leaves, while the request is at the gateway, or after its
 * answer was read and before it is stored.
 */
export type Site =
  | { readonly of: "commit"; readonly n: number; readonly when: "before" | "after" }
  | { readonly of: "submit" | "status"; readonly n: number; readonly when: "before" | "in-flight" | "after" }

export interface CrashPoint {
  readonly policy: Policy
  readonly behavior: Behavior
  readonly site: Site
}

/** Number of possible kill places in a whole run. */
export interface Extent {
  readonly commits: number
  readonly submits: number
  readonly polls: number
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

export const sites = ({ commits, polls, submits }: Extent): ReadonlyArray<Site> => [
  ...upTo(commits).flatMap((n) => (["before", "after"] as const).map((when): Site => ({ of: "commit", n, when }))),
  ...(["submit", "status"] as const).flatMap((of) =>
    upTo(of === "submit" ? submits : polls).flatMap((n) =>
      (["before", "in-flight", "after"] as const).map((when): Site => ({ of, n, when }))
    )
  )
]

/**
 * Returns a little more than the extent of a run without a kill. Under `hold`, no document follows
 * one whose answer was cut off.
 */
export const reach = (policy: Policy, behavior: Behavior): Extent =>
  policy === "hold" && behavior !== "accepted" && behavior !== "rejected"
    ? { commits: 23, submits: 2, polls: 2 }
    : { commits: 47, submits: 5, polls: 4 }

/**
 * Complete matrix, the same on every machine. The extent of a real run depends on timing, so the
 * matrix does not use one.
 */
export const points: ReadonlyArray<CrashPoint> = policies.flatMap((policy) =>
  behaviors.flatMap((behavior) => sites(reach(policy, behavior)).map((site) => ({ policy, behavior, site })))
)

/** Returns true if a run reached further than the matrix. */
export const isBeyond = ({ behavior, policy }: CrashPoint, extent: Extent): boolean => {
  const { commits, submits, polls } = reach(policy, behavior)
  return extent.commits > commits || extent.submits > submits || extent.polls > polls
}

export const format = ({ behavior, policy, site }: CrashPoint): string =>
  `${policy}, ${behavior}, killed ${site.when} ${site.of} ${site.n}`

/** Thread on which a victim writes its file. */
export type Thread = "own" | "same"

/** Place of a store: a file, or a PostgreSQL address with a separate schema for this victim. */
export type Place =
  | { readonly engine: "sqlite"; readonly filename: string; readonly thread: Thread }
  | { readonly engine: "postgres"; readonly url: string; readonly schema: string }

/** Orders for the victim, passed in its environment. */
export interface Orders {
  readonly place: Place
  readonly url: string
  readonly policy: Policy
  /** Receipt date of the first document, in seconds since the epoch. */
  readonly firstSecond: number
  readonly site: Site | null
}

/** Returns some points of the matrix; the same for the same seed. */
export const sample = (count: number, seed: number): ReadonlyArray<CrashPoint> => {
  let state = seed
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state
  }
  return points
    .map((point) => ({ point, draw: draw() }))
    .toSorted((a, b) => a.draw - b.draw)
    .slice(0, count)
    .map(({ point }) => point)
}
