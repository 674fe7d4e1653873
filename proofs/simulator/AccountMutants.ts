/** Mutants of the account of a period: each loses a receipt, a document or a cent. */
import type { Mutant } from "./Mutants.ts"

const day = "core/src/day"

/** Each names the test of core that finds the mistake without a seed. */
export const accountMutants: ReadonlyArray<Mutant> = [
  {
    name: "a receipt has the figures of the latest revision",
    file: `${day}/Receipts.ts`,
    also: ["corrections", "working-words", "closes"],
    test: [
      "day/DayDifferences.test.ts",
      "counts each proof, with the figures of the revision whose request it answers"
    ],
    edits: [["of: [seq, sent?.revision ?? found.revision]", "of: [seq, found.revision]"]]
  },
  {
    name: "a day that could not be closed is not compared",
    file: `${day}/DayLeg.ts`,
    also: ["other-till", "closes"],
    test: [
      "day/DayDifferences.test.ts",
      "finds a difference of a day that could not be closed, and leaves out its later receipts"
    ],
    edits: [["if (day.report === null) return", 'if (day.report === null || day.times.close === "failed") return']]
  },
  {
    name: "the codes of every account are those of the first",
    file: `${day}/FiscalDays.ts`,
    also: ["two-accounts", "closes"],
    test: [
      "day/DayDifferences.test.ts",
      "counts each document by the codes of its account, even if accounts share the device"
    ],
    edits: [["const mapped = codes.get(account)", "const [mapped] = codes.values()"]]
  },
  {
    name: "a claimed receipt counts as proven",
    file: `${day}/Receipts.ts`,
    also: ["lost-after", "lost-before", "prompt-operator", "closes"],
    test: [
      "day/DayDifferences.test.ts",
      "names a document that an operator declared fiscalised but the device does not have"
    ],
    edits: [['by: by === "operator" ? "operator" : "proof"', 'by: "proof"']]
  },
  {
    name: "the second proof of a document is dropped",
    file: `${day}/Receipts.ts`,
    also: ["lost-after", "prompt-operator", "closes", "corrections"],
    test: [
      "day/DayDifferences.test.ts",
      "counts each proof, with the figures of the revision whose request it answers"
    ],
    edits: [["const receipts = all.flatMap(", "const receipts = all.slice(0, 1).flatMap("]]
  },
  {
    name: "a cent is no difference",
    file: `${day}/ZReportComparison.ts`,
    test: ["day/DayLeg.test.ts", "of free amounts is found to the cent: a cent more"],
    edits: [
      [
        "BigDecimal.isZero(BigDecimal.sumAll(balances))",
        "Money.within(BigDecimal.sumAll(balances), Money.zero, Money.cent)"
      ],
      ["BigDecimal.isZero(amount) || isBalance(key)", "Money.within(amount, Money.zero, Money.cent) || isBalance(key)"]
    ]
  },
  {
    name: "an awaited number is missing",
    file: `${day}/DayDifferences.ts`,
    also: ["lost-after", "held-requests", "closes"],
    test: [
      "day/DayDifferences.test.ts",
      "finds a missing receipt number on a device of this store alone, unless a request may have it"
    ],
    edits: [["filter(({ awaited }) => awaited === 0)", "filter(({ awaited }) => awaited >= 0)"]]
  },
  {
    name: "documents carried out have no row",
    file: `${day}/Account.ts`,
    test: ["day/Account.test.ts", "closes to the cent for every history: each document has one origin and one fate"],
    edits: [
      [
        'if (fate !== "fiscalised" && fate',
        'if (fate === "carried-out") return place\n      if (fate !== "fiscalised" && fate'
      ]
    ]
  }
]
