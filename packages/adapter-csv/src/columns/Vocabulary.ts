/** What the words of an export mean: kinds of documents, their statuses, and whether amounts include tax. */
import type { WholeMap } from "./ColumnMap.ts"

export type Kind = "invoice" | "credit-note" | "skip"
export type Status = "issued" | "skip" | "refunded"
export type Amounts = "inclusive" | "exclusive" | "untaxed"

const spelled = <Meaning>(meanings: ReadonlyArray<readonly [Meaning, string]>): ReadonlyMap<string, Meaning> =>
  new Map(meanings.flatMap(([meaning, words]) => words.split("|").map((word) => [fold(word), meaning] as const)))

const fold = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

/** The kinds seen in exports. */
const kinds = spelled<Kind>([
  [
    "invoice",
    "invoice|sales invoice|tax invoice|customer invoice|sales receipt|cash sale|sales|sale|out_invoice|SI|ACCREC|rechnung|faktura|facture"
  ],
  [
    "credit-note",
    "credit note|credit-note|sales credit note|tax credit note|credit memo|customer credit note|refund|out_refund|SC|ACCRECCREDIT|gutschrift|kreditnota|avoir"
  ],
  [
    "skip",
    "bill|kreditnota fra leverandør|purchase|purchase invoice|purchase order|quote|estimate|order|sales order|payment received|receipt|journal|deposit|in_invoice|in_refund|entry|" +
      "sales overpayment|sales prepayment|bill credit note|bill overpayment|bill prepayment|ACCPAY|ACCPAYCREDIT|PI|PC|SR|SA|JD|JC"
  ]
])

/** The statuses seen in exports. A draft's number can still change; a void is no sale. */
const statuses = spelled<Status>([
  [
    "issued",
    "issued|sent|paid|unpaid|partially paid|partly paid|partial|awaiting payment|authorised|authorized|approved|overdue|closed|viewed|posted|open|return|credit note issued|complete|completed|fulfilled"
  ],
  ["refunded", "refunded|partially refunded|partly refunded"],
  ["skip", "draft|submitted|awaiting approval|void|voided|deleted|cancelled|canceled|cancel|pending|rejected|declined"]
])

const amounts = spelled<Amounts>([
  ["inclusive", "inclusive|incl|tax inclusive|including tax|gross|true|yes|y"],
  ["exclusive", "exclusive|excl|tax exclusive|excluding tax|net|false|no|n"],
  ["untaxed", "untaxed|no tax|notax|none"]
])

const moneyReceived = new Set(
  "payment|payment received|receipt|deposit|customer payment|sales overpayment|sales prepayment|SR|SA"
    .split("|")
    .map(fold)
)

/** Whether the kind is money that came in: a sale may stand behind it. */
export const isMoneyReceived = (word: string): boolean => moneyReceived.has(fold(word))

/** Whether the status is of a sales document that was issued once, perhaps. */
export const isCancelled = (word: string): boolean =>
  /^(void|voided|deleted|cancelled|canceled|cancel|2)$/.test(fold(word))

/** Whether a cell that marks something says that it is not so. */
export const isNo = (word: string): boolean => /^(|0|no|n|false|none|null|ok|-+)$/.test(fold(word))

/** No export has so many; a column that is no such column may. */
const mostWords = 1000

export interface Vocabulary {
  kind(word: string): Kind | undefined
  status(word: string): Status | undefined
  amounts(word: string): Amounts | undefined
}

/** The map's own words first, then ours; of statuses only its own where they are all that the layout has. */
export const make = (map: WholeMap): Vocabulary => {
  const lookup = <Meaning>(
    own: { readonly [word: string]: Meaning } | undefined,
    ours: ReadonlyMap<string, Meaning>
  ) => {
    const words = new Map(Object.entries(own ?? {}).map(([word, meaning]) => [fold(word), meaning]))
    const asWritten = new Map<string, Meaning | undefined>()
    return (word: string) => {
      const known = asWritten.get(word)
      if (known !== undefined || asWritten.has(word)) return known
      const folded = fold(word)
      const meaning = words.get(folded) ?? ours.get(folded)
      if (asWritten.size < mostWords) asWritten.set(word, meaning)
      return meaning
    }
  }
  return {
    kind: lookup(map.kinds, kinds),
    status: lookup(map.statuses, map.statusesAre === "all" ? new Map() : statuses),
    amounts: lookup(map.amountsAre, amounts)
  }
}
