/** In their order: the first guard that objects decides (docs/architecture.md#guards). */
import { Duration, Effect } from "effect"
import { DocumentNumber, type RequestId } from "../../document/Identifiers.ts"
import type { LaneWait, OwnStop } from "../../submission/Lane.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import type { HoldCause } from "../../submission/PlannedDocument.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { overAt } from "../database/Clocks.ts"
import { type SqlEffect, utc } from "../database/Transaction.ts"
import * as CreditFamily from "./CreditFamily.ts"
import * as Relations from "./Relations.ts"
import { keyOf, number } from "../rows/Rows.ts"
import { receiptDate } from "./AttemptDate.ts"
import { original } from "./CreditTurn.ts"
import { type HeadAnswer, type HeadCandidate, next } from "./QueueHead.ts"
import * as Refutation from "./Refutation.ts"
import * as Replaced from "./Replaced.ts"

type Objection =
  | `holds ${HoldCause}`
  | `waits for ${LaneWait["for"]}`
  | `stops ${OwnStop["cause"]}`
  | "asks the gateway"

export interface Guard {
  readonly name: string
  readonly law: string
  /**
   * Cause for which the row holds a document. An operator's decision to send names the cause to go
   * past the row; a row without a cause is asked in any case.
   */
  readonly cause?: HoldCause
  /** Other objections. Default: none. */
  readonly objects?: ReadonlyArray<Objection>
  readonly queries?: number
  readonly question: (candidate: HeadCandidate) => HeadAnswer | SqlEffect<HeadAnswer>
}

/**
 * A rejection may have been settled wrongly (STAT-9), or stated by an operator. Leaves out settled
 * requests that the gateway no longer answers for.
 */
const unconfirmed = ({ account, attempts, row, transaction }: HeadCandidate): ReadonlyArray<RequestId> => {
  const retention = Duration.toMillis(account?.retention ?? Patience.retention.is)
  return attempts.flatMap(({ confirmed, known_at, request_id, settled }) => {
    if (request_id === null || (confirmed !== null && number(confirmed) === number(row.revision))) return []
    return settled === "open" || transaction.earliest < number(known_at ?? 0) + retention
      ? [Stored.name<RequestId>(request_id, () => `request_id of an attempt of ${row.kind} ${row.number}`)]
      : []
  })
}

export const objections = ({ cause, objects = [] }: Guard): ReadonlyArray<Objection> =>
  cause === undefined ? objects : [`holds ${cause}`, ...objects]

const waits = (wait: LaneWait): HeadAnswer => ({ _tag: "Waiting", wait })

export const guards: ReadonlyArray<Guard> = [
  {
    name: "account",
    law: "The caller sends for the document's account and environment.",
    objects: ["waits for account"],
    question: ({ account, row }) =>
      account === undefined
        ? waits({
            for: "account",
            key: keyOf(row),
            number: DocumentNumber.make(row.number),
            environment: row.environment
          })
        : null
  },
  {
    name: "before the start",
    law: "A document dated before its account begins may have been sent by another system.",
    cause: "before-start",
    question: ({ account, row }) =>
      account?.notBefore !== undefined && row.source_date < account.notBefore
        ? `it is dated before ${account.notBefore}, where the account ${row.account} begins`
        : null
  },
  {
    name: "older copy",
    law: "A document dated while a lost store was in use may have been sent through that store.",
    cause: "older-copy",
    question: ({ lane: { doubtful_until: doubtful }, row }) =>
      doubtful !== null && row.source_date <= doubtful
        ? `the store was an older copy, and until ${doubtful} documents may have been sent that it does not have`
        : null
  },
  {
    name: "duplicate",
    law: "A document that is registered as fiscalized elsewhere has its receipt.",
    cause: "duplicate",
    queries: 2,
    question: ({ row, transaction }) =>
      row.related === "elsewhere" ? Relations.openRegistration(transaction, keyOf(row)) : null
  },
  {
    name: "replaces",
    law: "Of two documents that replace each other, one is sent only if the other cannot have a receipt or is credited in full.",
    cause: "replaces",
    queries: 2,
    question: ({ row, transaction }) => (row.related === null ? null : Replaced.holds(transaction.sql, keyOf(row)))
  },
  {
    name: "credited here",
    law: "A note of the source and a prepared note on one invoice are not both sent without an answer.",
    // an answer is about two notes, so no earlier decision goes past the row
    objects: ["holds duplicate"],
    queries: 1,
    question: ({ row, transaction }) => {
      const { made, original_account, original_id } = row
      if (original_account === null || original_id === null) return null
      const original = { account: original_account, kind: "invoice", id: original_id } as const
      return Effect.gen(function* () {
        const asked = yield* CreditFamily.question(transaction.sql, { key: keyOf(row), original, made })
        if (asked === null) return null
        yield* Relations.record(transaction, keyOf(row), asked)
        return { _tag: "Hold", cause: "duplicate", text: asked.text } as const
      })
    }
  },
  {
    name: "original",
    law: "A credit note follows its fiscalized original, and credits no more than its rest.",
    objects: ["waits for original", "holds original", "holds credited"],
    queries: 3,
    question: original
  },
  {
    name: "contradicted",
    law: "A refusal that may be the answer to an earlier request leaves a receipt possible.",
    objects: ["holds contradicted"],
    queries: 2,
    question: ({ attempts, row, transaction }) =>
      attempts.some(({ is_refuted }) => number(is_refuted) === 1)
        ? Effect.map(Refutation.hold(transaction, row), (isHeld) => (isHeld ? next : null))
        : null
  },
  {
    name: "quiet period",
    law: "A document is not sent again while its last request may still arrive.",
    objects: ["waits for quiet"],
    question: ({ attempts, row, transaction }) => {
      const over = overAt(transaction, Math.max(...attempts.map(({ quiet_until }) => number(quiet_until ?? 0))))
      return over === null ? null : waits({ for: "quiet", key: keyOf(row), until: utc(over) })
    }
  },
  {
    name: "unconfirmed rejection",
    law: "The gateway confirms a rejection once more before the document is sent again; a text of the gateway alone does not reject a document.",
    cause: "rejection-unconfirmed",
    objects: ["asks the gateway"],
    question: (candidate) => {
      const requestIds = unconfirmed(candidate)
      if (requestIds.length > 0)
        return { _tag: "Unconfirmed", key: keyOf(candidate.row), requestIds: [...new Set(requestIds)] }
      return candidate.attempts.some(({ by_text }) => number(by_text) > 0)
        ? "an earlier version of this program took a text of the gateway for a rejection; look in the portal that its request made no receipt"
        : null
    }
  },
  {
    name: "receipt date",
    law: "A receipt date is after the mark and after the last close, not in the future, and permitted for its document.",
    objects: [
      "stops mark-in-future",
      "waits for clock",
      "holds late",
      "holds historical",
      "holds outdated",
      "holds operator"
    ],
    queries: 1,
    question: receiptDate
  },
  {
    name: "pace",
    law: "An account keeps its pace between two requests.",
    objects: ["waits for clock"],
    question: ({ row, transaction: { hostNow, now } }) => {
      const pause = row.paced_until === null ? 0 : number(row.paced_until) - now
      return pause > 0 ? waits({ for: "clock", key: keyOf(row), until: utc(hostNow + pause) }) : null
    }
  }
]
