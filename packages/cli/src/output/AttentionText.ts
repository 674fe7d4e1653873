/** Items of attention for a person at a terminal: what is the matter, since when, what follows, and each next step as a call. */
import type { Action } from "@fiscal-connector/core/attention/Action"
import type { AttentionItem } from "@fiscal-connector/core/attention/Attention"
import type { Step } from "@fiscal-connector/core/unstable/finding/Step"
import type { DateTime } from "effect"
import type { CallShape } from "./Call.ts"
import * as NextStep from "./NextStep.ts"
import { printable } from "./Terminal.ts"
import * as Times from "./Times.ts"

/** Steps that ask the gateway: which account is meant is said, however many the store has. */
const asksGateway: ReadonlySet<Step["do"]> = new Set(["doctor", "compare-day", "acknowledge-day"])

/** The call that does it; null where this call leaves nothing behind that it could be done with. `accounts`: how many the store has. */
export const command = ({ account, document, step }: Action, call: CallShape, accounts: number): string | null =>
  NextStep.word(step, call, {
    number: document?.number,
    account: account ?? undefined,
    forAccount: account !== null && (accounts > 1 || asksGateway.has(step.do)) ? account : undefined
  })

/** Each item with its calls; empty where attention is. */
export const lines = (
  items: ReadonlyArray<AttentionItem>,
  call: CallShape,
  accounts: number,
  zone: DateTime.TimeZone
): ReadonlyArray<string> =>
  items.flatMap((item) => {
    const { code, consequence, since, text, until } = item
    const where = item.lane ?? item.account
    return [
      printable(`${code}${where === null ? "" : ` ${where}`}: ${text}`),
      `    since ${Times.shown(since, zone).slice(0, "YYYY-MM-DD hh:mm".length)} ${Times.label(zone)}. ${consequence} ${until}`,
      ...item.actions.flatMap((action) => command(action, call, accounts) ?? []).map((line) => `    ${line}`)
    ]
  })
