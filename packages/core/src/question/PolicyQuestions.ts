/** Questions answered by a policy of the mapping book. Every choice is tried on the documents. */
import type { Finding } from "../finding/Finding.ts"
import { Policies } from "../mapping/BookEntry.ts"
import { BookFile } from "../mapping/BookFile.ts"
import { type OpenQuestion, type QuestionEdit, typed } from "./OpenQuestion.ts"
import { fills } from "./TypedText.ts"

export interface PolicyChoice {
  readonly id: string
  readonly words: string
  readonly edits: ReadonlyArray<QuestionEdit>
  readonly fill?: string
  readonly sample?: string
}

export interface PolicyQuestion {
  readonly id: string
  readonly subject: OpenQuestion["subject"]
  readonly question: string
  readonly raises: (finding: Finding) => boolean
  readonly choices: readonly [PolicyChoice, ...ReadonlyArray<PolicyChoice>]
  /**
   * `proved`: proposes a choice only if more documents pass with it than with the others. `usual`:
   * otherwise proposes the first of the best. `never`: no proposal.
   */
  readonly proposing: "proved" | "usual" | "never"
}

const setting = (path: readonly [string, ...Array<string>], value: unknown): ReadonlyArray<QuestionEdit> => [
  { what: "setting", path, value }
]

const policy = (name: string, value: string, words: string): PolicyChoice => ({
  id: value,
  words,
  edits: setting(["policies", name], value)
})

const code =
  (...codes: ReadonlyArray<string>) =>
  (finding: Finding): boolean =>
    codes.includes(finding.code)

const lacks =
  (field: string) =>
  ({ code, path }: Finding): boolean =>
    code === "LINE_INCOMPLETE" && path.at(-1) === field

const isTooExact =
  (field: string) =>
  ({ code, path }: Finding): boolean =>
    code === "PRECISION_EXCEEDED" && path.at(-1) === field

export const productCodesId = "product-codes"

export const policyQuestions: ReadonlyArray<PolicyQuestion> = [
  {
    id: "rounding",
    subject: "amounts",
    question: "The stated taxes and totals do not come out as tax is rounded now. How does the source round tax?",
    // RCPT026 and RCPT038 occur if tax was rounded differently than by the device
    raises: code("TAX_TOTAL_MISMATCH", "TOTAL_MISMATCH", "LINES_TOTAL_MISMATCH", "RCPT026", "RCPT038"),
    choices: [
      { id: "per-line", words: "line by line, then summed up", edits: setting(["rounding"], "per-line") },
      { id: "per-group", words: "once for each tax of a document", edits: setting(["rounding"], "per-group") },
      {
        id: "as-inclusive",
        words: "line by line, and the stated total with tax is what counts",
        edits: setting(["rounding"], "as-inclusive")
      }
    ],
    proposing: "proved"
  },
  {
    id: "charges",
    subject: "lines",
    question:
      "Documents have amounts beside their lines: shipping, tips, fees, adjustments or discounts. What are they?",
    // the other charges without a tax are asked for it
    raises: ({ code, fix }) =>
      code === "CHARGE_UNDECIDED" || (code === "CHARGE_UNTAXED" && fix.includes("as-line-taxed-like-lines")),
    choices: [
      policy("charges", "as-line", "lines with the tax that the export states for them; negative ones a discount"),
      policy(
        "charges",
        "as-line-taxed-like-lines",
        "the same, and where the export states no tax for them, taxed as the lines are"
      )
    ],
    proposing: "proved"
  },
  {
    id: "negative-lines",
    subject: "lines",
    question: "Documents have lines with a negative amount. What are they?",
    raises: code("LINE_NEGATIVE"),
    choices: [policy("negativeLines", "as-discount", "discounts, spread over the lines of the same tax")],
    proposing: "usual"
  },
  {
    id: "free-items",
    subject: "lines",
    question:
      "Documents have lines that come to nothing: free items, or texts. The device takes no line without a price",
    raises: code("LINE_TEXT_ONLY"),
    choices: [
      policy("textLines", "append", "their text is joined to the line before"),
      policy("textLines", "drop", "they are left out")
    ],
    proposing: "usual"
  },
  {
    id: "quantities",
    subject: "lines",
    question: "Lines have an amount and no quantity. How many pieces are they?",
    raises: lacks("quantity"),
    choices: [policy("quantities", "one-if-missing", "one piece")],
    proposing: "usual"
  },
  {
    id: "unit-prices",
    subject: "lines",
    question:
      "Lines have no unit price, one that does not give the line's amount, or one with more decimal places than the device takes. Which of the two counts?",
    raises: (finding) =>
      finding.code === "LINE_AMOUNT_MISMATCH" || lacks("unitPrice")(finding) || isTooExact("unitPrice")(finding),
    choices: [policy("unitPrices", "from-line-amount", "the line's amount; the unit price is computed from it")],
    proposing: "proved"
  },
  {
    id: "allocations",
    subject: "documents",
    question: "Credit notes credit several invoices, and the device takes one. Which one is it?",
    raises: code("ORIGINAL_SEVERAL"),
    choices: [policy("allocations", "largest", "the one with the largest amount")],
    proposing: "never"
  },
  {
    id: "long-descriptions",
    subject: "lines",
    question: "Descriptions are longer than the device accepts. How should they be sent?",
    raises: ({ code, path }) => code === "LENGTH_EXCEEDED" && path.at(-1) === "description",
    choices: [policy("longDescriptions", "cut", "their beginning")],
    proposing: "usual"
  },
  {
    id: "number-spaces",
    subject: "buyers",
    question: "Buyers' numbers are written with spaces. Are they taken out?",
    raises: code("BUYER_NUMBER_SPACED"),
    choices: [policy("numberSpaces", "remove", "yes, the numbers are sent without spaces")],
    proposing: "usual"
  },
  {
    id: "short-buyer-numbers",
    subject: "buyers",
    question:
      "Buyers' numbers lack one digit, as when a spreadsheet drops a leading zero: a TIN has 10 digits, a VAT number 9. Is it put back?",
    raises: code("BUYER_NUMBER_SHORT"),
    choices: [policy("numberZeros", "restore", "yes, each is sent with a zero before it")],
    proposing: "never"
  },
  {
    id: "control-characters",
    subject: "lines",
    question: "Texts have invisible control characters. How should they be sent?",
    raises: code("TEXT_CONTROL"),
    choices: [policy("controlCharacters", "remove", "a space for each")],
    proposing: "usual"
  },
  {
    id: "buyer-names",
    subject: "buyers",
    question: "Buyers have contact details, but no name or number. How should they be sent?",
    raises: ({ code, path }) => code === "RCPT043" && path.at(-1) === "name",
    choices: [policy("namelessBuyers", "walk-in", "the document without its buyer, as to a walk-in")],
    proposing: "never"
  },
  {
    id: "buyers-without-number",
    subject: "buyers",
    question:
      "Buyers have a name but no TIN; the device accepts such a sale only as a cash sale. How should they be sent?",
    raises: ({ code, path }) => code === "RCPT043" && path.at(-1) === "tin",
    choices: [
      {
        id: "cash-sale",
        words: "the buyer as `Cash sale NAME`, without a number",
        edits: setting(["defaults", "cashBuyer"], "Cash sale {name}")
      }
    ],
    proposing: "never"
  },
  {
    id: "credit-reasons",
    subject: "documents",
    question: "Credit notes state no reason, and the device requires one. Which reason should be sent?",
    raises: code("RCPT034"),
    choices: [
      { id: "credit-note", words: '"Credit note"', edits: setting(["defaults", "creditReason"], "Credit note") },
      {
        id: "typed",
        words: "a text of yours",
        edits: setting(["defaults", "creditReason"], typed),
        fill: "the reason of all of them",
        sample: "Reason"
      }
    ],
    proposing: "never"
  },
  {
    id: productCodesId,
    subject: "lines",
    // asked by ProductCodes; the trial shows what else the documents need
    question: "",
    raises: code("RCPT047"),
    choices: [
      {
        id: "typed",
        words: "",
        edits: setting(["defaults", "productCode"], typed),
        fill: fills.hsCode,
        sample: "00000000"
      }
    ],
    proposing: "never"
  }
]

/** Rule of the book in words: its subject, and each value. The first value is the delivered one. */
export interface PolicyInWords {
  readonly path: readonly [string, ...ReadonlyArray<string>]
  readonly subject: string
  readonly values: ReadonlyArray<readonly [value: string, words: string]>
}

/** Values that no question offers. */
const withoutQuestion: Readonly<Record<string, string>> = {
  refuse: "not accepted",
  stated: "not accepted",
  whole: "left out",
  "as-stated": "sent with empty parts"
}

const wordsOf = (path: ReadonlyArray<string>): ReadonlyMap<unknown, string> =>
  new Map(
    policyQuestions.flatMap(({ choices }) =>
      choices.flatMap(({ edits, words }) =>
        edits.flatMap((edit) =>
          edit.what === "setting" && edit.path.join() === path.join() ? [[edit.value, words] as const] : []
        )
      )
    )
  )

/** All rules of the book in the words of the questions about them. */
export const inWords: ReadonlyArray<PolicyInWords> = [
  ...Object.entries(Policies.fields).map(([name, { ast }]) => ({ path: ["policies", name] as const, ast })),
  { path: ["rounding"] as const, ast: BookFile.fields.rounding.ast }
].map(({ ast: { annotations, types }, path }) => {
  const words = wordsOf(path)
  const [subject = ""] = String(annotations?.["description"]).split("; default")
  return {
    path,
    subject,
    values: types.map(({ literal }) => {
      const value = String(literal)
      return [value, words.get(value) ?? withoutQuestion[value] ?? value] as const
    })
  }
})
