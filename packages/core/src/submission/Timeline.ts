/** Timeline of a document in sentences, oldest first, shared by `explain` and the page. */
import type { DateTime } from "effect"
import type { Explanation, TimelineEntry } from "./Explanation.ts"
import { type StateTone, toneOf } from "./OutcomeRecord.ts"

export interface TimelineSentence {
  readonly at: DateTime.Utc
  readonly sentence: string
  readonly text: string | null
  readonly tone: StateTone | "plain"
}

export const sentences = ({ attempts, timeline }: Explanation): ReadonlyArray<TimelineSentence> => {
  const order = new Map(attempts.map(({ id }, index) => [id, index + 1]))
  const retries = new Set(attempts.filter(({ repeats }) => repeats === "retry").map(({ id }) => id))
  return timeline.map((entry) => ({
    at: entry.at,
    text: entry.text,
    tone: entry.cause === "conflict" ? "bad" : entry.from === entry.to ? "plain" : (toneOf(entry.to) ?? "plain"),
    sentence: sentenceOf(
      entry,
      entry.attempt === null ? undefined : order.get(entry.attempt),
      entry.attempt !== null && retries.has(entry.attempt) ? "retry" : "first"
    )
  }))
}

const sentenceOf = ({ cause, to }: TimelineEntry, attempt: number | undefined, repeats: "first" | "retry"): string => {
  const ofAttempt =
    attempt === undefined ? "" : `, attempt ${attempt}${repeats === "retry" ? ", marked as a retry" : ""}`
  switch (cause) {
    case "planned":
      return to === "Held" ? "Came with an export, and is held back" : "Planned"
    case "replaced":
      return "Came again before it was sent, and is now what came"
    case "revised":
      return "A corrected version arrived and is planned"
    case "held":
      return "Held back"
    case "released":
      return "No longer held back"
    case "attempt-begun":
      return `Sent to the gateway${ofAttempt}`
    case "accepted":
      return `Taken by the gateway${ofAttempt}; its outcome is awaited`
    case "declined":
      return `Declined by the gateway${ofAttempt}`
    case "not-processed":
      return `Certainly not processed${ofAttempt}; planned again`
    case "unknown-outcome":
      return `It is not known whether it arrived${ofAttempt}; it is not sent again automatically`
    case "evidence":
      return `${to}, says the gateway`
    case "older-attempt":
      return `${to}, by an answer about an earlier attempt`
    case "contradicted":
      return `${to}, against what was taken for true before`
    case "horizon":
      return "The gateway answers for it no more"
    case "resend-policy":
      return "Planned again, marked as a retry, as the account's policy says"
    case "operator":
      return `${to}, by a decision of an operator`
    case "withdrawn":
      return "Withdrawn by an operator"
    case "conflict":
      return "A contradiction was found, which an operator must settle"
    case "noted":
      return "Noted"
  }
}
