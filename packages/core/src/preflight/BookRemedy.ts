/**
 * Book changes that make rejected documents acceptable, by finding code. Never chooses
 * automatically. Pure.
 */
import type { Finding } from "../finding/Finding.ts"
import type { BookEdit } from "../mapping/BookEditing.ts"
import type { MappingBook, Policies } from "../mapping/MappingBook.ts"

export interface BookRemedy {
  readonly id: string
  readonly words: string
  readonly consequence: string
  readonly asks: RemedyQuestion | null
  /**
   * Returns the changes of the book. `answers` are the answers to `asks`, by item or by `""`.
   * Undefined if an answer is missing or unusable.
   */
  edits(answers: ReadonlyMap<string, string>): ReadonlyArray<BookEdit> | undefined
}

export interface RemedyQuestion {
  readonly of: "all" | "each-item"
  readonly words: string
  readonly proposed: string
  readonly pattern: RegExp
  readonly options: ReadonlyArray<string>
}

const setting = (path: readonly [string, ...ReadonlyArray<string>], value: string): ReadonlyArray<BookEdit> => [
  { what: "setting", path, value }
]

const policy = <Name extends keyof Policies>(
  name: Name,
  value: Policies[Name],
  words: string,
  consequence: string
): BookRemedy => ({
  id: `${name}:${value}`,
  words,
  consequence,
  asks: null,
  edits: () => setting(["policies", name], value)
})

const asked = (
  id: string,
  words: string,
  consequence: string,
  asks: Omit<RemedyQuestion, "of" | "options"> & Partial<Pick<RemedyQuestion, "options">>,
  path: readonly [string, ...ReadonlyArray<string>]
): BookRemedy => ({
  id,
  words,
  consequence,
  asks: { of: "all", options: [], ...asks },
  edits: (answers) => {
    const answer = (answers.get("") ?? "").trim()
    return asks.pattern.test(answer) ? setting(path, answer) : undefined
  }
})

const hsCode = /^(?:\d{8}|\d{4})$/u

const cashSale = asked(
  "cash-buyer",
  "Send them as cash sales",
  "The receipt names the buyer as below; {name} is the name in the file. The buyer cannot claim the tax by it.",
  { words: "Name on the receipt", proposed: "Cash sale {name}", pattern: /^Cash/u },
  ["defaults", "cashBuyer"]
)

const walkIn = policy(
  "namelessBuyers",
  "walk-in",
  "Send those without a name and a number as sales to a walk-in customer",
  "The receipt has no buyer; address, phone and e-mail are left out."
)

const oneCode = asked(
  "product-code",
  "All their items have this product code",
  "Kept for every later line that states none.",
  { words: "Product code (8 digits)", proposed: "", pattern: hsCode },
  ["defaults", "productCode"]
)

const codePerItem: BookRemedy = {
  id: "product-codes",
  words: "Each item has its own product code",
  consequence: "Kept for later lines with the same description.",
  asks: { of: "each-item", words: "Product code (8 digits)", proposed: "", pattern: hsCode, options: [] },
  edits: (answers) => {
    const filled = Array.from(answers, ([description, code]) => ({ description, productCode: code.trim() })).filter(
      ({ productCode }) => productCode !== ""
    )
    if (filled.length === 0 || filled.some(({ productCode }) => !hsCode.test(productCode))) return undefined
    return filled.map((one) => ({ what: "described product", ...one }))
  }
}

const remedies: Readonly<Record<string, ReadonlyArray<BookRemedy>>> = {
  RCPT047: [codePerItem, oneCode],
  RCPT034: [
    asked(
      "credit-reason",
      "Give credit notes without a reason this one",
      "The receipt states it as the reason of the credit note.",
      { words: "Reason", proposed: "", pattern: /\S/u },
      ["defaults", "creditReason"]
    )
  ],
  LINE_INCOMPLETE: [
    policy(
      "quantities",
      "one-if-missing",
      "A line with an amount and no quantity is one piece",
      "The receipt shows the quantity 1."
    ),
    policy(
      "unitPrices",
      "from-line-amount",
      "A missing unit price is the line amount divided by the quantity",
      "The receipt shows the computed price; the amounts stay as they are in the file."
    )
  ],
  LINE_AMOUNT_MISMATCH: [
    policy(
      "unitPrices",
      "from-line-amount",
      "The unit price is the line amount divided by the quantity",
      "The receipt shows the computed price; the amounts stay as they are in the file."
    )
  ],
  LINE_TEXT_ONLY: [
    policy(
      "textLines",
      "append",
      "Join lines that are only text to the line before them",
      "The receipt shows the text there."
    ),
    policy("textLines", "drop", "Leave lines that are only text out", "The receipt does not show the text.")
  ],
  LINE_NEGATIVE: [
    policy(
      "negativeLines",
      "as-discount",
      "A negative line is a discount on the lines with the same tax",
      "The receipt shows the discount on those lines; the total stays."
    )
  ],
  LENGTH_EXCEEDED: [
    policy(
      "longDescriptions",
      "cut",
      "Cut descriptions that are too long",
      "The receipt shows the beginning of the description."
    )
  ],
  TEXT_CONTROL: [
    policy(
      "controlCharacters",
      "remove",
      "Replace characters that cannot be printed by a space",
      "The receipt shows a space for them."
    )
  ],
  BUYER_NUMBER_SPACED: [
    policy(
      "numberSpaces",
      "remove",
      "Take the spaces out of the buyer's number",
      "The receipt shows the number without spaces."
    )
  ],
  BUYER_NUMBER_SHORT: [
    policy(
      "numberZeros",
      "restore",
      "Put a zero before the buyer's number",
      "The receipt shows the number with the zero."
    )
  ],
  CHARGE_UNDECIDED: [
    policy(
      "charges",
      "as-line-taxed-like-lines",
      "Shipping and fees are lines, with the tax that all lines have",
      "Documents whose lines have several taxes still need the tax of the charge."
    ),
    policy(
      "charges",
      "as-line",
      "Shipping and fees are lines, with the tax that the file states for them",
      "The receipt shows them as lines."
    )
  ],
  TAX_TOTAL_MISMATCH: [
    {
      id: "rounding:as-inclusive",
      words: "The accounting system rounds the tax of each line",
      consequence: "Amounts are sent with their tax included; the total stays, and the device computes the tax of it.",
      asks: null,
      edits: () => setting(["rounding"], "as-inclusive")
    }
  ],
  ORIGINAL_SEVERAL: [
    policy(
      "allocations",
      "largest",
      "Credit the invoice with the largest amount",
      "The whole credit note counts for that invoice alone."
    )
  ]
}

/** Remedies by missing field: a missing name and a missing number need different remedies. */
const buyers = { name: [walkIn], tin: [cashSale] } as const

const forFinding = ({ code, path }: Pick<Finding, "code" | "path">): ReadonlyArray<BookRemedy> =>
  code === "RCPT043" ? buyers[path.at(-1) === "name" ? "name" : "tin"] : (remedies[code] ?? [])

/**
 * True if the book already contains the remedy, so that the remedy is not offered again.
 */
const isInBook = ({ id }: BookRemedy, { defaults, policies, rounding }: BookPolicies): boolean => {
  const [name = "", value] = id.split(":")
  if (name === "rounding") return rounding === value
  if (value !== undefined) return policies[name as keyof Policies] === value
  return (
    (id === "cash-buyer" && defaults.cashBuyer !== null) ||
    (id === "product-code" && defaults.productCode !== null) ||
    (id === "credit-reason" && defaults.creditReason !== null)
  )
}

type BookPolicies = Pick<MappingBook, "defaults" | "policies" | "rounding">

/**
 * Returns the choices for documents rejected with this finding; empty if the file itself must be
 * corrected.
 */
export const of = (finding: Pick<Finding, "code" | "path">, book: BookPolicies): ReadonlyArray<BookRemedy> =>
  forFinding(finding).filter((remedy) => !isInBook(remedy, book))
