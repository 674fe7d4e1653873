/**
 * Mutants of the rules about evidence: what settles a failure, whom a refusal answers, what belongs
 * to the store's one row and to the lane. Each puts one old part back.
 */
import type { Mutant } from "./Mutants.ts"

const store = "core/src/store"

/** The text of each occurs once in the sources; `Mutants.ts` lists them with the others. */
export const evidenceMutants: ReadonlyArray<Mutant> = [
  {
    name: "any failure is a result",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["working-words"],
    from: 1001,
    edits: [['if (code === "rule" && beside === "nothing") return "code"', 'if (beside === "nothing") return "code"']]
  },
  {
    name: "a number of ours is the code of a receipt rule",
    file: `${store}/evidence/Failures.ts`,
    also: ["working-words", "coded-numbers"],
    from: 1002,
    edits: [['if (ours.length > 0) return "none"', 'if (ours.length > 1e6) return "none"']]
  },
  {
    name: "a code glued to a number is the code of a receipt rule",
    file: "core/src/submission/ledger/StatedFailure.ts",
    also: ["working-words"],
    from: 1001,
    edits: [["codes(text, /^RCPT\\d{3}$/)", "codes(text, /RCPT\\d{3}/)"]]
  },
  {
    name: "a failure beside a proof is a result after a delivery",
    file: `${store}/evidence/Failures.ts`,
    also: ["contradictions", "webhooks", "corrections"],
    from: 1001,
    edits: [["  beside: besideOf(statement.beside),", '  beside: "nothing",']]
  },
  {
    name: "three looks with the same words are a result",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["working-words", "corrections"],
    from: 1001,
    edits: [
      ["    ableMillis >= whole &&\n", ""],
      ["    now - ableSince >= Duration.toMillis(Patience.lastHours.is) &&\n", ""],
      ['looks >= Patience.leastLooks.is &&\n    lane === "later-receipt"', "looks >= Patience.leastLooks.is"]
    ]
  },
  {
    name: "the words for an unknown id are a result",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["working-words", "same-words", "coded-numbers"],
    from: 1001,
    edits: [
      [
        'if (control === "same") return null\n  if (code === "rule"',
        'if (control === "same") return "code"\n  if (code === "rule"'
      ]
    ]
  },
  {
    name: "a refusal answers no earlier request",
    file: `${store}/lanes/Refutation.ts`,
    also: ["early-words", "corrections"],
    from: 3002,
    edits: [["if (refuted.length === 0) return false", "if (refuted.length < 1e6) return false"]]
  },
  {
    name: "a printed placeholder is a reason",
    file: "core/src/submission/OperatorRecord.ts",
    also: ["blind-operator", "restored"],
    from: 3004,
    edits: [["return /^<[^<>]*>$/.test(text)", 'return text === "<"']]
  },
  {
    name: "the stop of the store stops no attempt",
    file: `${store}/lanes/Begin.ts`,
    also: ["late-lane", "restored", "two-lanes", "own-witnesses"],
    without: ["running-restore"],
    from: 3000,
    edits: [["if (transaction.stop !== null) return", "if (transaction.stop !== null && transaction.now < 0) return"]]
  },
  {
    name: "a quiet period ends by the clock of the server",
    file: `${store}/database/Clocks.ts`,
    also: ["server-clock", "held-requests", "prompt-operator", "slow-before"],
    edits: [["earliest: Math.min(now, hostNow, ...gateways),", "earliest: now,"]]
  },
  {
    name: "a failure of the device stops no lane",
    file: `${store}/lanes/Begin.ts`,
    also: ["device-flickers", "pends"],
    from: 4000,
    edits: [
      [
        'if (hasFailed(lane, options)) return { _tag: "Failed" }',
        'if (hasFailed(lane, options) && lane.lane === "") return { _tag: "Failed" }'
      ]
    ]
  },
  {
    name: "one proof in two documents is no conflict",
    file: `${store}/evidence/Conflicts.ts`,
    also: ["repeated-proofs"],
    from: 1001,
    edits: [
      [
        "  Effect.map(\n    sql<{",
        '  code === "PROOF_SHARED"\n    ? Effect.succeed(false)\n    : Effect.map(\n    sql<{'
      ]
    ]
  },
  {
    name: "a success without a proof is asked for no more",
    file: `${store}/evidence/Evidence.ts`,
    also: ["missing-proofs"],
    from: 1000,
    edits: [['item._tag === "Fiscalised" && item.missing === undefined', 'item._tag === "Fiscalised"']]
  }
]
