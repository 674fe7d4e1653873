/**
 * Lists receipts reported by the gateway together with an error text (SUCCESS_WITH_ERROR). They may
 * be marked at the authority, and are reported until an operator has handled them.
 */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { retentionOf } from "@fiscal-connector/core/engine/StatusPoller"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { type DateTime, Effect } from "effect"
import type { CallShape } from "../output/Call.ts"
import * as AttentionText from "../output/AttentionText.ts"

/** Returns the account's open items. */
export const find = (account: string) =>
  Effect.map(
    SubmissionStore.use((store) => store.health(retentionOf([]))),
    (health) =>
      Attention.ofAccounts(Attention.of(health), health, [account]).filter(
        ({ cause }) => cause === "SUCCESS_WITH_ERROR"
      )
  )

/** Returns the report, or an empty text for no items. */
export const report = (
  found: Effect.Success<ReturnType<typeof find>>,
  call: CallShape,
  zone: DateTime.TimeZone
): string => AttentionText.lines(found, call, 1, zone).join("\n")
