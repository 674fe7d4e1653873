/** Tone of a state at a glance, on a terminal, the page or a report. */

/**
 * `good`: done. `bad`: the document does not become a receipt without a change. `waiting`: an
 * operator must decide.
 */
export type StateTone = "good" | "bad" | "waiting"

const tones: Readonly<Record<string, StateTone>> = {
  Fiscalised: "good",
  Refused: "bad",
  Declined: "bad",
  Rejected: "bad",
  Held: "waiting",
  Unknown: "waiting",
  Expired: "waiting"
}

/**
 * Returns the tone of a submission's state, or of `Refused`. Undefined for states in flight, and
 * for states that ended without a result.
 */
export const toneOf = (state: string): StateTone | undefined => tones[state]
