import type { Action, Attention } from "@fiscal-connector/core/attention"
import type { Step } from "@fiscal-connector/core/host"
import type { DateTime } from "effect"
import type { CallShape } from "./Call.ts"
import * as NextStep from "./NextStep.ts"
import { printable } from "./Terminal.ts"
import * as Times from "./Times.ts"

/** Steps whose calls always name the account, even if the store has only one. */
const ofAccount: ReadonlySet<Step.Step["do"]> = new Set([
  "doctor",
  "compare-day",
  "acknowledge-day",
  "other-programs",
  "dismiss"
])

/**
 * Returns the call for an action. Null if the current call leaves no store or configuration to act
 * on. `accounts`: number of accounts in the store.
 */
export const command = ({ account, document, step }: Action.Action, call: CallShape, accounts: number): string | null =>
  NextStep.callFor(step, call, {
    number: document?.number,
    account: account ?? undefined,
    forAccount: account !== null && (accounts > 1 || ofAccount.has(step.do)) ? account : undefined
  })

const titleOf = ({ account, code, lane, text }: Attention.AttentionItem): string => {
  const where = lane ?? account
  return printable(`${code}${where === null ? "" : ` ${where}`}: ${text}`)
}

export const pending = (items: ReadonlyArray<Attention.AttentionItem>): ReadonlyArray<string> =>
  items.map((item) => `${titleOf(item)}. No action needed yet.`)

export const lines = (
  items: ReadonlyArray<Attention.AttentionItem>,
  call: CallShape,
  accounts: number,
  zone: DateTime.TimeZone
): ReadonlyArray<string> =>
  items.flatMap((item) => {
    const { consequence, since, until } = item
    return [
      titleOf(item),
      `    since ${Times.shown(since, zone).slice(0, "YYYY-MM-DD hh:mm".length)} ${Times.label(zone)}. ${consequence} ${until}`,
      ...item.actions.flatMap((action) => command(action, call, accounts) ?? []).map((line) => `    ${line}`)
    ]
  })
