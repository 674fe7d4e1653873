/**
 * Lists open items about the account's receipts: an error text beside a success, contradictory or
 * shared proofs, successes without a proof, and a fiscal day that cannot be closed. They are
 * reported until an operator has handled them.
 */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { retentionOf } from "@fiscal-connector/core/engine/StatusPoller"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { type DateTime, Effect } from "effect"
import type { CallShape } from "../output/Call.ts"
import * as AttentionText from "../output/AttentionText.ts"

/** Returns the account's open items. */
export const find = (account: string) =>
  Effect.map(
    SubmissionStore.use((store) => store.health(retentionOf([]))),
    (health) =>
      Attention.ofAccounts(Attention.of(health), health, [account]).filter((item) => RunReport.ofItem(item) !== null)
  )

/** Returns the report, or an empty text for no items. */
export const report = (
  found: ReadonlyArray<Attention.AttentionItem>,
  call: CallShape,
  zone: DateTime.TimeZone
): string => AttentionText.lines(found, call, 1, zone).join("\n")
