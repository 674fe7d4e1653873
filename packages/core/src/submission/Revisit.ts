/**
 * Shared by the plan that shows the result and the store that applies the decision. Pure. The facts
 * come from the store.
 */
import { causeNamed, type HoldCause } from "./PlannedDocument.ts"
import type { Hold, Rejection, State } from "./Submission.ts"

export interface RevisitFacts {
  readonly state: State
  readonly hold: HoldCause | null
  /** Null unless the state is Rejected. */
  readonly nature: Rejection["nature"] | null
  /**
   * `open`: an attempt may have been processed, has no request id and no evidence, and no operator
   * has ruled out the attempt.
   */
  readonly attempts: "open" | "settled"
  /** Latest explanation of the state: for Accepted, a failure that proves nothing yet. */
  readonly text?: string | null
}

/**
 * Difference from the stored document. `translation`: the source states the same, but the book
 * translates it differently.
 */
export type RevisitChange = "nothing" | "translation" | "source"

interface StoredStatement {
  readonly fingerprint: string
  readonly restated: string | null
}

/** Statement of a source now. `rounded`: the same with unit prices of two places. */
interface SourceStatement {
  readonly fingerprint: string
  readonly rounded?: ReadonlyArray<string>
}

/**
 * Compares the source's statement with the stored one. `restated`: the reading shows more places
 * of unit prices than the earlier reading could, and nothing else differs. Only for a document that
 * may have been processed, and once: for all others finer prices are a correction.
 */
export const sourceChange = (
  facts: RevisitFacts,
  stored: StoredStatement,
  { fingerprint, rounded = [] }: SourceStatement
): "nothing" | "restated" | "source" => {
  if (fingerprint === stored.fingerprint || fingerprint === stored.restated) return "nothing"
  return staysAsSent(facts) && stored.restated === null && rounded.includes(stored.fingerprint) ? "restated" : "source"
}

export type Revisit =
  | { readonly _tag: "Replace" }
  /** The new content becomes a new revision. */
  | { readonly _tag: "Revise" }
  | { readonly _tag: "Keep" }
  /** The stored document stays, but the export states other values. An operator must decide. */
  | { readonly _tag: "Conflict"; readonly text: string }

/**
 * `waiting`: Planned or Held, without an open attempt. `correctable`: Declined or Rejected
 * (correctable), without an open attempt. `undecided`: one of these with an open attempt. `past`:
 * in flight or done, or Held as `contradicted`.
 */
type Situation = "waiting" | "correctable" | "undecided" | "past"

const table: Record<Situation, Record<RevisitChange, Revisit["_tag"]>> = {
  waiting: { nothing: "Replace", translation: "Replace", source: "Replace" },
  correctable: { nothing: "Keep", translation: "Revise", source: "Revise" },
  undecided: { nothing: "Keep", translation: "Keep", source: "Conflict" },
  past: { nothing: "Keep", translation: "Keep", source: "Conflict" }
}

const situationOf = ({ attempts, hold, nature, state }: RevisitFacts): Situation => {
  const waiting = state === "Planned" || (state === "Held" && hold !== "contradicted")
  const correctable = state === "Declined" || (state === "Rejected" && nature === "correctable")
  if (!waiting && !correctable) return "past"
  return attempts === "open" ? "undecided" : waiting ? "waiting" : "correctable"
}

export const asksForAttempts = (facts: RevisitFacts): boolean => situationOf(facts) !== "past"

export const asksForTranslation = (facts: RevisitFacts): boolean => situationOf(facts) === "correctable"

/** True if the document keeps its sent figures, whatever an export states of it now. */
export const staysAsSent = (facts: RevisitFacts): boolean => table[situationOf(facts)].source === "Conflict"

const standing = ({ state, text }: RevisitFacts): string =>
  state === "Accepted" && text != null ? `it is Accepted, and ${text}` : `it is ${state}`

export const revisit = (facts: RevisitFacts, change: RevisitChange): Revisit => {
  const situation = situationOf(facts)
  const _tag = table[situation][change]
  if (_tag !== "Conflict") return { _tag }
  const stands = situation === "undecided" ? "an earlier attempt may have been processed" : standing(facts)
  return { _tag, text: `${stands}, and the export now states something else` }
}

/**
 * Operator's decision about an unsent document. No import undoes the decision.
 *
 * `Hold` ends when an operator sends the document. `Send` ends when sending begins or a new
 * revision replaces the document.
 */
export type Override = { readonly _tag: "Hold" } | { readonly _tag: "Send"; readonly despite: ReadonlyArray<HoldCause> }

// `late` and `historical` are the same fact: the mark is not before the document's date
const sameFact = (cause: HoldCause): HoldCause => (cause === "historical" ? "late" : cause)

export const sendsDespite = (override: Override | null, cause: HoldCause): boolean =>
  override?._tag === "Send" && override.despite.map(sameFact).includes(sameFact(cause))

export const sentDespite = (override: Override | null, cause: HoldCause): Override => ({
  _tag: "Send",
  despite: [...new Set([...(override?._tag === "Send" ? override.despite : []), cause])]
})

export const holdAfter = (
  stored: { readonly hold: Hold | null; readonly override: Override | null },
  came: Hold | null
): Hold | null => {
  if (stored.override?._tag === "Hold") return stored.hold
  return came !== null && sendsDespite(stored.override, came.cause) ? null : came
}

export const formatOverride = (override: Override): string =>
  override._tag === "Hold" ? "hold" : ["send", ...override.despite].join(" ")

export const parseOverride = (text: string | null): Override | null => {
  if (text === null) return null
  const [tag, ...despite] = text.split(" ")
  if (tag === "hold") return { _tag: "Hold" }
  return { _tag: "Send", despite: (despite as ReadonlyArray<HoldCause | "person">).map(causeNamed) }
}
