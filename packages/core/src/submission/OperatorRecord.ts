/**
 * The record of what operators decided: who, when, what, and why. Entries are only added, and each carries a digest over itself and the one before it,
 * so that a later change is found.
 */
import { createHash } from "node:crypto"
import { Context, type DateTime } from "effect"

/** Who decides: the system's user, or a name that was stated. */
export class Operator extends Context.Reference<{ readonly name: string }>(
  "@fiscal-connector/core/submission/OperatorRecord/Operator",
  { defaultValue: () => ({ name: "a program" }) }
) {}

/** Kinds of decisions. `resolve` covers every decision about a document except that it is never to be sent, which is `withdraw`. */
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
  "cancel-import"
] as const
/** What was decided. */
export type Act = (typeof acts)[number]

/** A decision as it is handed over for the record. */
export interface OperatorDecision {
  readonly act: Act
  readonly account: string | null
  /** What was decided about: `invoice INV-7`, a device, a day, a gateway's address. */
  readonly subject: string
  /** What was decided, in words: `Held → Planned`. */
  readonly what: string
  /** The reason; null where none was asked for. */
  readonly because: string | null
}

/** An entry of the record. `because` is null, too, once it was forgotten with the document's texts; `becauseDigest` stays. */
export interface RecordedDecision extends OperatorDecision {
  /** Grows with every entry. */
  readonly id: number
  readonly at: DateTime.Utc
  readonly who: string
  readonly becauseDigest: string
  /** Over this entry and the digest of the one before it. */
  readonly digest: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The digest of a reason, which stays when the reason itself is forgotten. */
export const digestOfReason = (because: string | null): string => sha256(because ?? "")

/** The digest of an entry; `previous` is that of the entry before it, empty for the first. */
export const digestOf = (
  previous: string,
  { account, act, at, becauseDigest, id, subject, what, who }: Omit<RecordedDecision, "because" | "digest">
): string =>
  sha256(JSON.stringify([previous, id, at.epochMilliseconds, who, act, account, subject, what, becauseDigest]))

/** What a check of the record found. `at`: the id of the first entry that does not fit. */
export type Verification =
  | { readonly _tag: "Whole"; readonly entries: number; readonly digest: string }
  | { readonly _tag: "Changed"; readonly at: number; readonly because: string }

/** Checks all entries of the record, in their order. A cut end is recognized by a digest that was noted elsewhere, or not at all. */
export const verify = (entries: ReadonlyArray<RecordedDecision>): Verification => {
  let previous = ""
  let last = 0
  for (const entry of entries) {
    if (entry.id !== last + 1)
      return { _tag: "Changed", at: entry.id, because: `an entry is missing before ${entry.id}` }
    if (entry.because !== null && digestOfReason(entry.because) !== entry.becauseDigest) {
      return { _tag: "Changed", at: entry.id, because: `the reason of entry ${entry.id} was changed` }
    }
    if (digestOf(previous, entry) !== entry.digest) {
      return { _tag: "Changed", at: entry.id, because: `entry ${entry.id} was changed, or one before it` }
    }
    previous = entry.digest
    last = entry.id
  }
  return { _tag: "Whole", entries: entries.length, digest: previous }
}
