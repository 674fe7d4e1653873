import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { SettledBy } from "../../submission/ledger/Settled.ts"
import type { Integer } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as StoredOutcome from "./StoredOutcome.ts"

export interface About {
  readonly account: string
  readonly requestId: string
  /** `id` is null for a document without a request of which an operator states the receipt. */
  readonly attempt: { readonly id: Integer | null; readonly submission: Integer } | undefined
}

export type OutcomeOrigin = "poll" | "webhook" | "operator"

/**
 * Sends the insert of one outcome. Returns no row for a known outcome (HOOK-3). Outcomes with one
 * verification code are stored one after another, so that the later one sees the clash
 * (ProofClashes).
 */
export const keepAhead = (
  { dialect, now, sql }: Transaction,
  about: About,
  stated: StoredOutcome.OutcomeStatement,
  source: OutcomeOrigin,
  settledBy: SettledBy | null = null
) => {
  const proof = StoredOutcome.proofColumns(stated)
  const { detail, outcome } = StoredOutcome.columnsOf(stated.outcome)
  return sql.ahead<{ readonly id: Integer }>`insert into fiscal_outcome ${sql.insert({
    account: about.account,
    request_id: about.requestId,
    digest: createHash("sha256")
      // an operator's statement answers what arrived before it, so a repetition is news
      .update(`${source === "operator" ? `true ${now}` : "false"} ${outcome} ${detail}`)
      .digest("hex"),
    submission: about.attempt?.submission ?? null,
    attempt: about.attempt?.id ?? null,
    source,
    outcome,
    detail,
    ...proof,
    unknown_fields: stated.unknownFields === undefined ? null : JSON.stringify(stated.unknownFields),
    arrived_at: now,
    settled_by: settledBy
  })} on conflict (account, request_id, digest) do nothing
    returning id ${proof.code === null ? sql.literal("") : dialect.alone(proof.code)}`
}

export const keep = (
  transaction: Transaction,
  about: About,
  stated: StoredOutcome.OutcomeStatement,
  source: OutcomeOrigin,
  settledBy: SettledBy | null = null
): SqlEffect<boolean> =>
  Effect.map(Effect.flatten(keepAhead(transaction, about, stated, source, settledBy)), (rows) => rows.length > 0)
