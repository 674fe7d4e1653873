/** Mutations of prepared credit notes: a named test finds each. */
import type { Mutant } from "./Mutants.ts"

const prepared = "core/src/credit/Prepared.ts"
const anyHistory = [
  "credit/Prepared.test.ts",
  "makes receipts and source equal to the cent for each tax, in any history, and never credits more than is left"
] as const

export const creditMutants: ReadonlyArray<Mutant> = [
  {
    name: "waiting notes are not counted",
    file: prepared,
    edits: [["counting(notes)", 'notes.filter(({ standing }) => standing === "fiscalised")']],
    test: anyHistory
  },
  {
    name: "totals are compared, and not taxes",
    file: prepared,
    edits: [["[...less.values()].map(({ total }) => total)", "[whole(less).total]"]],
    test: anyHistory
  },
  {
    name: "a note has a rounding of its own",
    file: prepared,
    edits: [["Rounding.taxOn(stated, of.percent, mode)", "credit.get(device)!.tax"]],
    test: anyHistory
  },
  {
    name: "the source's notes are not taken off its statement",
    file: prepared,
    edits: [["[sharesOf(document), sumOf(own)]", "[sharesOf(document), sumOf([])]"]],
    test: anyHistory
  },
  {
    name: "a note beside a prepared one is held only when it is planned",
    file: "core/src/store/lanes/Guards.ts",
    edits: [
      [
        "const asked = yield* CreditFamily.question(transaction.sql, { key: keyOf(row), original, made })",
        "const asked = yield* Effect.as(CreditFamily.question(transaction.sql, { key: keyOf(row), original, made }), null)"
      ]
    ],
    test: ["store/NotesBeside.test.ts", "is never sent without an answer, in 80 histories"]
  },
  {
    name: "the number of a note is from a counter",
    file: "core/src/session/Credit.ts",
    edits: [["own.length + ofReceipts.notes.length + 1", "own.length + ofReceipts.notes.length + (Date.now() % 900)"]],
    test: [
      "../../promise/test/Connector.test.ts",
      "sends the credit note that is prepared for a changed invoice, with the total that was seen"
    ]
  },
  {
    name: "a document for which the source does not answer is void",
    file: "core/src/pull/Pulling.ts",
    edits: [
      [
        "!there.has(id) && !latest.byId.has(id) && absent.has(id)",
        "!there.has(id) && !latest.byId.has(id) && absent.size >= 0"
      ]
    ],
    test: [
      "../../promise/test/SourceSync.test.ts",
      "takes no document for void for which the source does not answer, and one that is deleted for void"
    ]
  }
]
