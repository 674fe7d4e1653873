/**
 * Next steps as data: the command prints a step as a call, the page as a button, and a program
 * calls the library.
 */
import type { Step } from "../finding/Step.ts"
import type { Decision } from "../submission/Decision.ts"
import type { NamedDocument } from "../submission/Health.ts"

/** One next step. */
export interface Action {
  readonly step: Step
  readonly document: NamedDocument | null
  /** The account to ask or to send for. Null means any account. */
  readonly account: string | null
  /**
   * `settles`: the action removes the item, or the item stays as `AttentionItem.until` says.
   * `shows`: the action changes nothing.
   */
  readonly effect: "settles" | "shows"
}

/** Makes an action that shows something and changes nothing. */
export const shows = (step: Step, account: string | null = null, document: NamedDocument | null = null): Action => ({
  step,
  account,
  document,
  effect: "shows"
})

/** Makes an action that resolves its item. */
export const settles = (step: Step, account: string | null = null, document: NamedDocument | null = null): Action => ({
  step,
  account,
  document,
  effect: "settles"
})

const decisions = {
  fiscalised: "Fiscalised",
  "not-processed": "NotProcessed",
  resend: "Resend",
  rejected: "Rejected",
  acknowledged: "Acknowledged",
  accepted: "Accepted",
  same: "Same"
} as const satisfies Record<Extract<Step, { readonly do: "resolve" }>["as"], Decision["_tag"]>

/** Decision that a step makes. Null if the step decides nothing about a document. */
export const decisionOf = (step: Step): Decision["_tag"] | null =>
  step.do === "withdraw" ? "Withdrawn" : step.do === "resolve" ? decisions[step.as] : null
