/**
 * Lists open items about the account's receipts: an error text beside a success, contradictory or
 * shared proofs, successes without a proof, and a fiscal day that cannot be closed. They are
 * reported until an operator has handled them.
 */
import * as Attention from "@fiscal-connector/core/attention/Attention"
import { retentionOf } from "@fiscal-connector/core/engine/StatusPoller"
import type { StoredConflict } from "@fiscal-connector/core/submission/Explanation"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { type DateTime, Effect } from "effect"
import type { CallShape } from "../output/Call.ts"
import * as AttentionText from "../output/AttentionText.ts"

const ofReceipts: ReadonlySet<string> = new Set<StoredConflict["code"]>([
  "SUCCESS_WITH_ERROR",
  "SUCCESS_AND_FAILURE",
  "DOUBLE_FISCALISED",
  "PROOF_SHARED",
  "CODE_NOT_UNIQUE",
  "RECEIPT_NOT_UNIQUE"
])

/** Returns the account's open items. */
export const find = (account: string) =>
  Effect.map(
    SubmissionStore.use((store) => store.health(retentionOf([]))),
    (health) =>
      Attention.ofAccounts(Attention.of(health), health, [account]).filter(
        ({ cause, code }) =>
          code === "PROOF_MISSING" || code === "DAY_FAILED" || (code === "CONFLICT" && ofReceipts.has(cause ?? ""))
      )
  )

/**
 * Returns true if the item is about receipts of documents, and not about the fiscal day as a
 * whole.
 */
export const isOfReceipts = ({ code }: Attention.AttentionItem): boolean => code !== "DAY_FAILED"

/** Returns the report, or an empty text for no items. */
export const report = (
  found: Effect.Success<ReturnType<typeof find>>,
  call: CallShape,
  zone: DateTime.TimeZone
): string => AttentionText.lines(found, call, 1, zone).join("\n")
