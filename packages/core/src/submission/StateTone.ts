/** How a state reads at a glance, on a terminal, the page or a report. */

/** `good`: done. `bad`: nothing will come of it as it is. `waiting`: for a person. */
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

/** Of a submission's state, or of a document that was refused; undefined for what is on its way, or over without a result. */
export const toneOf = (state: string): StateTone | undefined => tones[state]
