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
    name: "a code beside the name of a file is a result",
    file: `${store}/evidence/Failures.ts`,
    also: ["working-words"],
    from: 1001,
    test: ["sending/Unproven.test.ts", "the code of a receipt rule beside the name of a PDF proves nothing"],
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
    test: ["sending/AnsweredStatement.test.ts", "takes no correction, no resend and no withdrawal"],
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
    also: ["late-lane", "restored", "running-restore", "two-lanes", "own-witnesses", "workers"],
    from: 3000,
    test: [
      "store/StoreWentBack.test.ts",
      "begins nothing in another lane in the same commit in which a lane recognizes the copy"
    ],
    edits: [["if (transaction.stop !== null) return", "if (transaction.stop !== null && transaction.now < 0) return"]]
  },
  {
    name: "a quiet period ends by the clock of the server",
    file: `${store}/database/Clocks.ts`,
    also: ["server-clock", "held-requests", "prompt-operator", "slow-before"],
    test: [
      "store/Clocks.test.ts",
      "is not over for NotProcessed after the database restarts with its clock 20 minutes ahead"
    ],
    edits: [["earliest: Math.min(now, hostNow, ...gateways),", "earliest: now,"]]
  },
  {
    name: "a failure of the device stops no lane",
    file: `${store}/lanes/Begin.ts`,
    // Only a process that was open before the failure reads it; a stall would excuse it.
    also: ["device-flickers", "workers", "pends"],
    without: ["stalls", "stalls-before-sending"],
    from: 4000,
    test: ["sending/LaneCauses.test.ts", "stops the lane at the first outcome that shows it, and the rest is not sent"],
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
