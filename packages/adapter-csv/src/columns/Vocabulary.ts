/** What the words of an export mean: kinds of documents, their statuses, and whether amounts include tax. */
import type { ColumnMap } from "./ColumnMap.ts"

export type Kind = "invoice" | "credit-note" | "skip"
export type Status = "issued" | "skip"
export type Amounts = "inclusive" | "exclusive" | "untaxed"

const spelled = <Meaning>(meanings: ReadonlyArray<readonly [Meaning, string]>): ReadonlyMap<string, Meaning> =>
  new Map(meanings.flatMap(([meaning, words]) => words.split("|").map((word) => [fold(word), meaning] as const)))

const fold = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")

/** The kinds seen in exports (formats.md, B3). */
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
  ["skip", "draft|submitted|awaiting approval|void|voided|deleted|cancelled|canceled|cancel|pending|rejected|declined"]
])

const amounts = spelled<Amounts>([
  ["inclusive", "inclusive|incl|tax inclusive|including tax|gross|true|yes|y"],
  ["exclusive", "exclusive|excl|tax exclusive|excluding tax|net|false|no|n"],
  ["untaxed", "untaxed|no tax|notax|none"]
])

export interface Vocabulary {
  kind(word: string): Kind | undefined
  status(word: string): Status | undefined
  amounts(word: string): Amounts | undefined
}

/** The map's own words first, then ours. */
export const make = (map: ColumnMap): Vocabulary => {
  const lookup = <Meaning>(
    own: { readonly [word: string]: Meaning } | undefined,
    ours: ReadonlyMap<string, Meaning>
  ) => {
    const words = new Map(Object.entries(own ?? {}).map(([word, meaning]) => [fold(word), meaning]))
    const asWritten = new Map<string, Meaning>()
    return (word: string) => {
      const known = asWritten.get(word)
      if (known !== undefined) return known
      const meaning = words.get(fold(word)) ?? ours.get(fold(word))
      if (meaning !== undefined) asWritten.set(word, meaning)
      return meaning
    }
  }
  return {
    kind: lookup(map.kinds, kinds),
    status: lookup(map.statuses, statuses),
    amounts: lookup(map.amountsAre, amounts)
  }
}
