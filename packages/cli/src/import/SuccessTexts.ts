/** Open items about the account's receipts, reported until an operator has handled them. */
import { Attention } from "@fiscal-connector/core/attention"
import { StatusPoller } from "@fiscal-connector/core/worker"
import { RunReport } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { type DateTime, Effect } from "effect"
import type { CallShape } from "../output/Call.ts"
import * as AttentionText from "../output/AttentionText.ts"

export const find = (account: string) =>
  Effect.map(
    SubmissionStore.SubmissionStore.use((store) => store.health(StatusPoller.retentionOf([]))),
    (health) =>
      Attention.ofAccounts(Attention.of(health), health, [account]).filter((item) => RunReport.ofItem(item) !== null)
  )

export const report = (
  found: ReadonlyArray<Attention.AttentionItem>,
  call: CallShape,
  zone: DateTime.TimeZone
): string => AttentionText.lines(found, call, 1, zone).join("\n")
