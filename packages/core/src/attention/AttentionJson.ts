import { DateTime } from "effect"
import type { Step } from "../finding/Step.ts"
import type { AttentionItem } from "./Attention.ts"

/** An item as read by a program. */
export interface AttentionRecord extends Omit<AttentionItem, "actions" | "plain" | "since" | "words"> {
  /** ISO 8601, UTC. */
  readonly since: string
  readonly actions: ReadonlyArray<{
    readonly step: Step
    readonly effect: "settles" | "shows"
    readonly account: string | null
    readonly document: string | null
  }>
}

/** Returns the item for JSON. Documents are named by their numbers. */
export const of = ({
  account,
  actions,
  cause,
  code,
  consequence,
  documents,
  lane,
  since,
  text,
  until
}: AttentionItem): AttentionRecord => ({
  code,
  cause,
  account,
  lane,
  documents,
  text,
  consequence,
  until,
  since: DateTime.formatIso(since),
  actions: actions.map(({ account, document, effect, step }) => ({
    step,
    effect,
    account,
    document: document?.number ?? null
  }))
})
