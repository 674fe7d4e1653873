/**
 * The guards before an attempt, in their order. The first one that objects decides; a document
 * without an objection is sent (docs/architecture.md#guards).
 */
import { Duration, Effect } from "effect"
import { DocumentNumber, type RequestId } from "../../document/Identifiers.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { overAt } from "../database/Clocks.ts"
import { utc } from "../database/Transaction.ts"
import * as SameSales from "../planning/SameSales.ts"
import { keyOf, number } from "../rows/Rows.ts"
import { receiptDate } from "./AttemptDate.ts"
import { original } from "./CreditTurn.ts"
import { type Answer, type Candidate, type Guard, hold } from "./Guard.ts"
import { next } from "./QueueHead.ts"
import * as Refutation from "./Refutation.ts"
import * as Replaced from "./Replaced.ts"

/**
 * Returns the earlier requests of the document for one more query: a rejection may have been
 * settled wrongly (STAT-9), or stated by an operator. Leaves out settled requests that the gateway
 * no longer answers for.
 */
const unconfirmed = ({ account, attempts, row, transaction }: Candidate): ReadonlyArray<RequestId> => {
  const retention = Duration.toMillis(account?.retention ?? Patience.retention.is)
  return attempts.flatMap(({ confirmed, known_at, request_id, settled }) => {
    if (request_id === null || (confirmed !== null && number(confirmed) === number(row.revision))) return []
    return settled === "open" || transaction.earliest < number(known_at ?? 0) + retention
      ? [Stored.name<RequestId>(request_id, () => `request_id of an attempt of ${row.kind} ${row.number}`)]
      : []
  })
}

const waitsUntil = (on: "clock" | "quiet", { row }: Candidate, until: number): Answer => ({
  _tag: "Waiting",
  wait: { for: on, key: keyOf(row), until: utc(until) }
})

export const guards: ReadonlyArray<Guard> = [
  {
    name: "account",
    law: "The caller sends for the document's account and environment.",
    objects: ["waits for account"],
    despite: "ignored",
    queries: 0,
    question: ({ account, row }) =>
      account === undefined
        ? {
            _tag: "Waiting",
            wait: {
              for: "account",
              key: keyOf(row),
              number: DocumentNumber.make(row.number),
              environment: row.environment
            }
          }
        : null
  },
  {
    name: "before the start",
    law: "A document dated before its account begins may have been sent by another system.",
    objects: ["holds before-start"],
    despite: "before-start",
    queries: 0,
    question: ({ account, row }) =>
      account?.notBefore !== undefined && row.source_date < account.notBefore
        ? hold("before-start", `it is dated before ${account.notBefore}, where the account ${row.account} begins`)
        : null
  },
  {
    name: "older copy",
    law: "A document dated while a lost store was in use may have been sent through that store.",
    objects: ["holds older-copy"],
    despite: "older-copy",
    queries: 0,
    question: ({ lane: { doubtful_until: doubtful }, row }) =>
      doubtful !== null && row.source_date <= doubtful
        ? hold(
            "older-copy",
            `the store was an older copy, and until ${doubtful} documents may have been sent that it does not have`
          )
        : null
  },
  {
    name: "duplicate",
    law: "A document that is registered as fiscalised elsewhere has its receipt.",
    objects: ["holds duplicate"],
    despite: "duplicate",
    queries: 2,
    question: ({ row, transaction }) =>
      row.related === "elsewhere"
        ? Effect.map(SameSales.openRegistration(transaction, keyOf(row)), (because) =>
            because === null ? null : hold("duplicate", because)
          )
        : null
  },
  {
    name: "replaces",
    law: "Of two documents that replace each other, one is sent only if the other cannot have a receipt or is credited in full.",
    objects: ["holds replaces"],
    despite: "replaces",
    queries: 2,
    question: ({ row, transaction }) =>
      row.related === null
        ? null
        : Effect.map(Replaced.holds(transaction.sql, keyOf(row)), (because) =>
            because === null ? null : hold("replaces", because)
          )
  },
  {
    name: "original",
    law: "A credit note follows its fiscalised original, and credits no more than its rest.",
    objects: ["waits for original", "holds original", "holds credited"],
    despite: "considered",
    queries: 3,
    question: original
  },
  {
    name: "contradicted",
    law: "A refusal that may be the answer to an earlier request leaves a receipt possible.",
    objects: ["holds contradicted"],
    despite: "ignored",
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
    despite: "ignored",
    queries: 0,
    question: (candidate) => {
      const ends = candidate.attempts.map(({ quiet_until }) => number(quiet_until ?? 0))
      const over = overAt(candidate.transaction, Math.max(...ends))
      return over === null ? null : waitsUntil("quiet", candidate, over)
    }
  },
  {
    name: "unconfirmed rejection",
    law: "The gateway confirms a rejection once more before the document is sent again; a text of the gateway alone is no rejection.",
    objects: ["asks the gateway", "holds rejection-unconfirmed"],
    despite: "rejection-unconfirmed",
    queries: 0,
    question: (candidate) => {
      const requestIds = [...new Set(unconfirmed(candidate))]
      if (requestIds.length > 0) return { _tag: "Unconfirmed", key: keyOf(candidate.row), requestIds }
      return candidate.attempts.some(({ by_text }) => number(by_text) > 0)
        ? hold(
            "rejection-unconfirmed",
            "an earlier version of this program took a text of the gateway for a rejection; look in the portal that its request made no receipt"
          )
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
    despite: "considered",
    queries: 1,
    question: receiptDate
  },
  {
    name: "pace",
    law: "An account keeps its pace between two requests.",
    objects: ["waits for clock"],
    despite: "ignored",
    queries: 0,
    question: (candidate) => {
      const { row, transaction } = candidate
      const pause = row.paced_until === null ? 0 : number(row.paced_until) - transaction.now
      return pause > 0 ? waitsUntil("clock", candidate, transaction.hostNow + pause) : null
    }
  }
]
