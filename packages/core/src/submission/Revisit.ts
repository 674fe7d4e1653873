/**
 * What becomes of a document that is known already and comes again: one decision, for the plan that shows it and for the store that does it.
 * Pure; the facts it goes by are the store's.
 */
import type { HoldCause } from "./PlannedDocument.ts"
import type { Hold, Rejection, State } from "./Submission.ts"

/** What the decision goes by, of the submission. */
export interface RevisitFacts {
  readonly state: State
  readonly hold: HoldCause | null
  /** Null unless it is Rejected. */
  readonly nature: Rejection["nature"] | null
  /** `open`: one of them may have been processed, nothing has been said about it, and no person has ruled it out. */
  readonly attempts: "open" | "settled"
}

/** What is other than it was. `translation`: the source states the same, and the book makes something else of it. */
export type Change = "nothing" | "translation" | "source"

export type Revisit =
  /** It becomes what came: its payload, date and hold, as far as they differ. */
  | { readonly _tag: "Replace" }
  /** What came is a new revision. */
  | { readonly _tag: "Revise" }
  | { readonly _tag: "Keep" }
  /** It stays, and the export states something else: for a person. */
  | { readonly _tag: "Conflict"; readonly because: string }

/** `waiting`: nothing of it has gone. `correctable`: it came back. `undecided`: one of these, but an attempt is open. `past`: on its way or over. */
type Situation = "waiting" | "correctable" | "undecided" | "past"

const table: Record<Situation, Record<Change, Revisit["_tag"]>> = {
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

/** Whether its attempts have a say in it. */
export const asksForAttempts = (facts: RevisitFacts): boolean => situationOf(facts) !== "past"

/** Whether only the stored translation can tell what becomes of it. */
export const asksForTranslation = (facts: RevisitFacts): boolean => situationOf(facts) === "correctable"

export const revisit = (facts: RevisitFacts, change: Change): Revisit => {
  const situation = situationOf(facts)
  const _tag = table[situation][change]
  if (_tag !== "Conflict") return { _tag }
  const stands = situation === "undecided" ? "an earlier attempt may have been processed" : `it is ${facts.state}`
  return { _tag, because: `${stands}, and the export now states something else` }
}

/**
 * A person's word about a document that has not gone. No import undoes it; `hold` ends when a person sends it, `send` once it is being sent or is
 * another revision.
 */
export type Word =
  | { readonly _tag: "Hold" }
  /** Sent although it was held for these. */
  | { readonly _tag: "Send"; readonly despite: ReadonlyArray<HoldCause> }

// late and historical are one fact, seen from two sides: the mark is not behind the document's date
const sameFact = (cause: HoldCause): HoldCause => (cause === "historical" ? "late" : cause)

/** Whether a person has it sent although it is held for this. */
export const sendsDespite = (word: Word | null, cause: HoldCause): boolean =>
  word?._tag === "Send" && word.despite.map(sameFact).includes(sameFact(cause))

/** A person sends it although it is held for this, too. */
export const sentDespite = (word: Word | null, cause: HoldCause): Word => ({
  _tag: "Send",
  despite: [...new Set([...(word?._tag === "Send" ? word.despite : []), cause])]
})

/** The hold of a waiting document once it has become what came. */
export const holdAfter = (
  stored: { readonly hold: Hold | null; readonly word: Word | null },
  came: Hold | null
): Hold | null => {
  if (stored.word?._tag === "Hold") return stored.hold
  return came !== null && sendsDespite(stored.word, came.cause) ? null : came
}

/** As the store keeps it. */
export const formatWord = (word: Word): string => (word._tag === "Hold" ? "hold" : ["send", ...word.despite].join(" "))

export const parseWord = (text: string | null): Word | null => {
  if (text === null) return null
  const [tag, ...despite] = text.split(" ")
  return tag === "hold" ? { _tag: "Hold" } : { _tag: "Send", despite: despite as ReadonlyArray<HoldCause> }
}
