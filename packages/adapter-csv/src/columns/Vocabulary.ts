/** Known values: kinds of documents, statuses, tax inclusion. */
import { StatedWords } from "@fiscal-connector/core/adapter"
import type { WholeMap } from "./ColumnMap.ts"

const fold = StatedWords.folded

export type KindWord = StatedWords.KindMeaning
export type StatusWord = StatedWords.StateMeaning
export type AmountsWord = "inclusive" | "exclusive" | "untaxed"

const spelled = <Meaning>(meanings: ReadonlyArray<readonly [Meaning, string]>): ReadonlyMap<string, Meaning> =>
  new Map(meanings.flatMap(([meaning, words]) => words.split("|").map((word) => [fold(word), meaning] as const)))

const amounts = spelled<AmountsWord>([
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

export const isMoneyReceived = (word: string): boolean => moneyReceived.has(fold(word))

/** Returns true for the status of a canceled document, which may have been issued before. */
export const isCanceled = (word: string): boolean =>
  /^(void|voided|deleted|cancelled|canceled|cancel|2|storniert|annulliert|annulée?|geannuleerd|cancelad[oa]|anulad[oa]|annullat[oa])$/.test(
    fold(word)
  )

export const isNo: (word: string) => boolean = StatedWords.isEmpty

/** Limit of the cache. No export has more status words; an unsuitable column may. */
const mostWords = 1000

export interface Vocabulary {
  kind(word: string): KindWord | undefined
  status(word: string): StatusWord | undefined
  /** Meaning of a mark in another column than the status: only the map states it. */
  mark(word: string): StatusWord | undefined
  amounts(word: string): AmountsWord | undefined
}

/**
 * Looks up the map's own words first, then the known words. If the layout's statuses are complete,
 * only the map's statuses count.
 */
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
    mark: lookup(map.statuses, () => undefined),
    amounts: lookup(map.amountsAre, (word) => amounts.get(word))
  }
}
