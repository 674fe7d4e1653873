/** A next step with what it is about, as data: the command writes it as a call, the page as a button, a program calls the library. */
import type { Step } from "../finding/Step.ts"
import type { NamedDocument } from "../submission/Health.ts"

/** One next step. */
export interface Action {
  readonly step: Step
  /** The document that is decided about; null where the step itself says what it is about. */
  readonly document: NamedDocument | null
  /** The account that is asked or sent for; null: any. */
  readonly account: string | null
  /** `settles`: the item is gone after it, or stays until what `AttentionItem.until` says. `shows`: it changes nothing. */
  readonly effect: "settles" | "shows"
}

/** The action shows something, and changes nothing. */
export const shows = (step: Step, account: string | null = null, document: NamedDocument | null = null): Action => ({
  step,
  account,
  document,
  effect: "shows"
})

/** The action resolves its item. */
export const settles = (step: Step, account: string | null = null, document: NamedDocument | null = null): Action => ({
  step,
  account,
  document,
  effect: "settles"
})
