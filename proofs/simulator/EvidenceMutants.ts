/**
 * Mutants of the rules about evidence: what settles a failure, whom a refusal answers, what belongs
 * to the store's one row and to the lane. Each puts one old part back.
 */
import type { Mutant } from "./Mutants.ts"

const store = "core/src/store"

const gaps = `${store}/lanes/ReceiptGaps.ts`
const lacked = "core/src/day/LackedReceipts.ts"

/** The guards of a store that was restored with its witness, each alone. */
const ofRestored = (
  [
    [
      "a receipt that is the only one of its process shows nothing",
      gaps,
      ["gap: found.at(-1),", "gap: undefined,"],
      "is stopped by the only receipt of a process after missing numbers, where other programs are not stated"
    ],
    [
      "the first answer of a process is not awaited",
      gaps,
      ['key === undefined ? null : { _tag: "Waiting"', 'key !== null ? null : { _tag: "Waiting"'],
      "waits for the first answer of a process for one minute, and for no other answer"
    ],
    [
      "the first number of a process shows nothing",
      gaps,
      ["missing === undefined ? null", "missing !== null ? null"],
      "is stopped by the first receipt after missing numbers, where other programs are not stated"
    ],
    [
      "numbers that a till used during a run are of a lost store",
      gaps,
      ["after.fence !== before.fence", "after.fence >= before.fence"],
      "is not assumed where a first store begins with a used device, or its numbers had gaps before"
    ],
    [
      "a request without a number has no missing one",
      "core/src/submission/ledger/ReceiptGap.ts",
      ["if (missing <= unnumbered)", "if (missing <= 0 * unnumbered)"],
      "is not assumed where requests of the store may have the missing numbers"
    ],
    [
      "receipts from before an acceptance are compared",
      gaps,
      ["Math.max(number(store?.at ?? 0), alone)", "Math.max(0 * number(store?.at ?? 0), alone)"],
      "goes on after an acceptance, and is compared with later receipts only"
    ],
    [
      "a closed day shows nothing",
      lacked,
      ["further(one).length > 0)", "further(one).length > 1e6)"],
      "is stopped before its first document by a closed day, beside nothing"
    ],
    [
      "an open request hides a closed day",
      lacked,
      ["ours !== null && ", "ours !== null && BigDecimal.isZero(ours) && "],
      "is stopped before its first document by a closed day, beside a document without an outcome"
    ],
    [
      "an open request has no receipt of a closed day",
      lacked,
      ["BigDecimal.sum(rounded, ours)", "rounded"],
      "is not stopped before its first document by a closed day, beside a document without an outcome that has the same amount"
    ]
  ] as const
).map(([name, file, edit, test]): Mutant => ({
  name,
  file,
  also: ["restored", "whole-machine"],
  test: ["store/StoreWentBack.test.ts", test],
  edits: [edit]
}))

/** Operator's row, LIM-1, and what an operator is offered: each with the test that finds it. */
const ofOperator = (
  [
    [
      "an operator settles a failure by any earlier answer",
      `${store}/evidence/Failures.ts`,
      ["at === null || Math.abs", "at === null && Math.abs"],
      "sending/Unproven.test.ts",
      "settles a failure after the quiet period by an answer that was just read"
    ],
    [
      "an answer is new by the clock of the server",
      `${store}/evidence/Failures.ts`,
      ["Math.abs(latest - number(at))", "transaction.now - number(at)"],
      "store/Clocks.test.ts",
      "is not new for an operator's decision because the database restarts with its clock behind"
    ],
    [
      "an operator settles a failure within the quiet period",
      "core/src/submission/Decision.ts",
      ['  "NotProcessed",\n  "Rejected",\n  "Resend",', '  "NotProcessed",\n  "Resend",'],
      "sending/Unproven.test.ts",
      "settles a failure after the quiet period by an answer that was just read"
    ],
    [
      "an operator settles the words for an unknown id",
      "core/src/submission/PermittedDecision.ts",
      ["if (same !== undefined)", 'if (same?.error === "")'],
      "sending/Unproven.test.ts",
      "settles nothing for which the gateway says the same as for an unknown id"
    ],
    [
      "a text that had a receipt is settled by its text",
      "core/src/submission/PermittedDecision.ts",
      ['|| precedent === "receipt"))', "|| precedent === undefined))"],
      "sending/Unproven.test.ts",
      "offers no decision by text if a document with the same text had a receipt"
    ],
    [
      "LIM-1 covers only 429",
      "core/src/gateway/exchange/Answer.ts",
      [
        'isSubmission(operation) && switches["LIM-1"] === "unknown"',
        'status === 429 && isSubmission(operation) && switches["LIM-1"] === "unknown"'
      ],
      "gateway/CertainlyNotProcessed.test.ts",
      "does not include a 404 if LIM-1 states that it may come after processing"
    ],
    [
      "LIM-1 covers reads",
      "core/src/gateway/exchange/Answer.ts",
      ["isSubmission(operation) && switches", "switches"],
      "gateway/AssumptionSwitches.test.ts",
      "LIM-1: unknown leaves a submission's outcome open after a 429, and does not affect reads"
    ],
    [
      "a receipt after a refusal agrees with LIM-1",
      "core/src/attention/KnowYourGateway.ts",
      ["      afterRefusal,\n      `answers", "      0,\n      `answers"],
      "attention/KnowYourGateway.test.ts",
      "shows answers that count as not processed, and outcomes that came after one"
    ],
    [
      "one override goes past every guard",
      "core/src/submission/Revisit.ts",
      [
        'override?._tag === "Send" && override.despite.map(sameFact).includes(sameFact(cause))',
        'override?._tag === "Send" && cause !== undefined'
      ],
      "sending/HoldCauses.test.ts",
      "does not send a document that an older copy of the store may lack"
    ],
    [
      "a hold of an earlier version is an operator's",
      "core/src/submission/PlannedDocument.ts",
      ['(name === "person" ? "older-copy" : name)', '(name === "person" ? "operator" : name)'],
      "sending/HoldCauses.test.ts",
      "an override of an earlier version goes past the older copy, and past nothing else"
    ],
    [
      "what an older copy may lack is released together",
      "core/src/submission/PlannedDocument.ts",
      ['"older-copy": "each"', '"older-copy": "together"'],
      "sending/HoldCauses.test.ts",
      "leaves out documents held as older-copy, unless their numbers are given"
    ],
    [
      "the first action for what may have a receipt sends it",
      "core/src/attention/Attention.ts",
      [
        "actions: [fiscalised, resend, withdraw] }\nconst refused",
        "actions: [resend, fiscalised, withdraw] }\nconst refused"
      ],
      "sending/HoldCauses.test.ts",
      "held as older-copy are more than withdrawing, and none of them releases together what needs a look each"
    ],
    [
      "documents of unknown outcome are decided about together",
      "core/src/submission/PermittedDecision.ts",
      ['state === "Unknown" || state === "Expired" || (hold', 'state === "Expired" || (hold'],
      "sending/HoldCauses.test.ts",
      "leaves out documents of unknown outcome, unless their numbers are given"
    ],
    [
      "a stopped store offers its first use",
      "core/src/account/OpenAccount.ts",
      ["storeReason(facts) === null ? {", "facts.identity.id !== null ? {"],
      "store/StoreWentBack.test.ts",
      "offers no first use of a live device while it is stopped, and another code than before afterwards"
    ],
    [
      "the code of a first use is the same after an acceptance",
      "core/src/account/FirstUse.ts",
      ["[id, accepted?.number ?? 0, accepted?.token ?? null, deviceId, serial]", "[id, deviceId, serial]"],
      "store/StoreWentBack.test.ts",
      "offers no first use of a live device while it is stopped, and another code than before afterwards"
    ],
    [
      "an unknown field beside a code shows nothing",
      "core/src/gateway/operation/Status.ts",
      [": !/^(?:rejected|", ": /^(?:succeeded|"],
      "sending/Unproven.test.ts",
      "beside a number under an unknown name proves nothing"
    ],
    [
      "a serial number that is left out is that of the pinned device",
      `${store}/lanes/Lanes.ts`,
      ["serial !== null || row.serial === null", "serial !== undefined"],
      "sending/Lane.test.ts",
      "with another serial number stops the lane until the pinned number is stated again"
    ],
    [
      "a look leaves another device unused",
      "core/src/account/SendingAbility.ts",
      ["const other = pin === null ? null :", "const other = pin !== undefined ? null :"],
      "sending/LaneCauses.test.ts",
      "stops the lane at once if it finds another device"
    ]
  ] as const
).map(([name, file, edit, test, says]): Mutant => ({ name, file, test: [test, says], edits: [edit] }))

/** The text of each occurs once in the sources; `Mutants.ts` lists them with the others. */
export const evidenceMutants: ReadonlyArray<Mutant> = [
  ...ofRestored,
  ...ofOperator,
  {
    name: "the receipts of the device are not compared",
    file: `${store}/lanes/Begin.ts`,
    also: ["restored", "whole-machine", "corrections", "crashes"],
    without: ["running-restore", "other-till"],
    edits: [
      ["else if (compare !== null) return compare", "else if (compare !== null && transaction.now < 0) return compare"]
    ]
  },
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
    test: ["sending/Unproven.test.ts", "beside the name of a PDF proves nothing"],
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
    name: "a delivery settles a failure within the quiet period",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["webhooks", "working-words"],
    from: 1001,
    test: [
      "store/Settled.test.ts",
      "is settled by a delivery after the quiet period, by its code at once, and by neither against the control"
    ],
    edits: [["if (now < quietUntil) return null", "if (now < quietUntil && deliveredAt === null) return null"]]
  },
  {
    name: "time settles a failure in a lane that may be broken",
    file: "core/src/submission/ledger/Settled.ts",
    also: ["working-words", "nights"],
    from: 1001,
    test: ["sending/Unproven.test.ts", "not without the receipt of a later document"],
    edits: [['\n    lane === "later-receipt"', "\n    lane !== undefined"]]
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
