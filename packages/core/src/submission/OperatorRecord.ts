/**
 * Who, when, what, and why. Entries are only added. Each carries a digest over itself and the entry
 * before, so that a later change is found.
 */
import { createHash } from "node:crypto"
import { Context, type DateTime } from "effect"

/** Operator who decides: the system's user, or a stated name. */
export class Operator extends Context.Reference<{ readonly name: string }>(
  "@fiscal-connector/core/submission/OperatorRecord/Operator",
  { defaultValue: () => ({ name: "a program" }) }
) {}

/**
 * Kinds of decisions. `resolve` covers every decision about a document except `withdraw`, the
 * decision never to send the document.
 */
export const acts = [
  "resolve",
  "withdraw",
  "accept-older",
  "forget",
  "first-use",
  "live",
  "repin",
  "trust-origin",
  "accept-unknown",
  "acknowledge-day",
  "cancel-import",
  "forget-source",
  "dismiss",
  "other-programs",
  "credit",
  "credited-receipt",
  "report"
] as const
/** Kind of a decision. */
export type Act = (typeof acts)[number]

/** A decision to add to the record. */
export interface OperatorDecision {
  readonly act: Act
  readonly account: string | null
  readonly subject: string
  readonly what: string
  readonly because: string | null
}

/**
 * Entry of the record. `because` is also null after the document's texts were forgotten;
 * `becauseDigest` stays.
 */
export interface RecordedDecision extends OperatorDecision {
  readonly id: number
  readonly at: DateTime.Utc
  readonly who: string
  readonly becauseDigest: string
  /** Digest over this entry and the digest of the entry before. */
  readonly digest: string
}

/**
 * Returns the placeholder for a reason, for every printed command. Only the operator knows the
 * reason, and every decision refuses the placeholder.
 */
export const reasonPlaceholder = (what: string): string => `<${what}>`

/** Returns what the reason lacks, or null if it is a reason. */
export const reasonProblem = (because: string): string | null => {
  const text = because.trim()
  if (text === "") return "a decision needs a reason"
  return /^<[^<>]*>$/.test(text)
    ? `a decision needs your reason, and ${text} only marks its place: write what you saw or did`
    : null
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Returns the digest of a reason. The digest stays when the reason is forgotten. */
export const digestOfReason = (because: string | null): string => sha256(because ?? "")

/**
 * Returns the digest of an entry. `previous` is the digest of the entry before, empty for the
 * first.
 */
export const digestOf = (
  previous: string,
  { account, act, at, becauseDigest, id, subject, what, who }: Omit<RecordedDecision, "because" | "digest">
): string =>
  sha256(JSON.stringify([previous, id, at.epochMilliseconds, who, act, account, subject, what, becauseDigest]))

/** Result of verifying the record. `at`: id of the first entry that does not fit. */
export type Verification =
  | { readonly _tag: "Whole"; readonly entries: number; readonly digest: string }
  | { readonly _tag: "Changed"; readonly at: number; readonly text: string }

/**
 * Verifies all entries of the record, in their order. Detects a truncated end only by comparison
 * with a digest recorded elsewhere.
 */
export const verify = (entries: ReadonlyArray<RecordedDecision>): Verification => {
  let previous = ""
  let last = 0
  for (const entry of entries) {
    if (entry.id !== last + 1) return { _tag: "Changed", at: entry.id, text: `an entry is missing before ${entry.id}` }
    if (entry.because !== null && digestOfReason(entry.because) !== entry.becauseDigest) {
      return { _tag: "Changed", at: entry.id, text: `the reason of entry ${entry.id} was changed` }
    }
    if (digestOf(previous, entry) !== entry.digest) {
      return { _tag: "Changed", at: entry.id, text: `entry ${entry.id} was changed, or one before it` }
    }
    previous = entry.digest
    last = entry.id
  }
  return { _tag: "Whole", entries: entries.length, digest: previous }
}
