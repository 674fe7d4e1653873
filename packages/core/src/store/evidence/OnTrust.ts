/** Attempts that the gateway has under their request id by nothing but a person's word: the person may have mistyped it. */
import type { Fragment } from "effect/sql/Statement"
import type { Transaction } from "../database/Transaction.ts"

// that nobody answers for it is our own conclusion, not the gateway's word
const condition = `a.named_by = 'operator' and a.mentioned_at is null
  and not exists (select 1 from fiscal_outcome o where o.account = a.account and o.request_id = a.request_id
    and o.source <> 'operator' and o.outcome <> 'Expired')`

/** The condition on `fiscal_attempt a`. */
export const onTrust = ({ sql }: Pick<Transaction, "sql">): Fragment => sql.literal(condition)
