/** What the words of an export mean: kinds of documents, their statuses, and whether amounts include tax. */
import * as StatedWords from "@fiscal-connector/core/source/StatedWords"
import type { WholeMap } from "./ColumnMap.ts"

const fold = StatedWords.folded

export type Kind = StatedWords.Kind
export type Status = StatedWords.State
export type Amounts = "inclusive" | "exclusive" | "untaxed"

const spelled = <Meaning>(meanings: ReadonlyArray<readonly [Meaning, string]>): ReadonlyMap<string, Meaning> =>
  new Map(meanings.flatMap(([meaning, words]) => words.split("|").map((word) => [fold(word), meaning] as const)))

const amounts = spelled<Amounts>([
  [
    "inclusive",
    "inclusive|incl|tax inclusive|including tax|gross|true|yes|y|brutto|inkl|inklusive|ttc|inclusief|bruto|incluido|lordo|ivato"
  ],
  [
    "exclusive",
    "exclusive|excl|tax exclusive|excluding tax|net|false|no|n|netto|exkl|exklusive|ht|exclusief|neto|líquido|imponibile"
  ],
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
  /^(void|voided|deleted|cancelled|canceled|cancel|2|storniert|annulliert|annulée?|geannuleerd|cancelad[oa]|anulad[oa]|annullat[oa])$/.test(
    fold(word)
  )

/** Whether a cell that marks something says that it is not so. */
export const isNo: (word: string) => boolean = StatedWords.isEmpty

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
    ours: (word: string) => Meaning | undefined
  ) => {
    const words = new Map(Object.entries(own ?? {}).map(([word, meaning]) => [fold(word), meaning]))
    const asWritten = new Map<string, Meaning | undefined>()
    return (word: string) => {
      const known = asWritten.get(word)
      if (known !== undefined || asWritten.has(word)) return known
      const folded = fold(word)
      const meaning = words.get(folded) ?? ours(folded)
      if (asWritten.size < mostWords) asWritten.set(word, meaning)
      return meaning
    }
  }
  return {
    kind: lookup(map.kinds, StatedWords.kindOf),
    status: lookup(map.statuses, map.statusesAre === "all" ? () => undefined : StatedWords.stateOf),
    amounts: lookup(map.amountsAre, (word) => amounts.get(word))
  }
}
