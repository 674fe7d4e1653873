/** Fields that an adapter has not looked at although the vocabulary knows their names: core holds them against the document. */
import type { SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import { DistinctWords, subjectOf, subjectStated } from "@fiscal-connector/core/source/StatedWords"
import { JsonNumber } from "../json/Json.ts"
import { type Cell, isList, isMembers, member, type Members } from "./Cell.ts"
import type { Placed, ReadLog } from "./ReadLog.ts"

/** Names of the vocabulary that were looked at, by the object they stand in. */
const touched = new WeakMap<Members, Set<string>>()

/** Notes that an adapter looks at the field. */
export const touch = (members: Members, name: string | undefined): void => {
  if (name === undefined || subjectOf(name) === undefined) return
  const names = touched.get(members)
  if (names === undefined) touched.set(members, new Set([name]))
  else names.add(name)
}

/** A word, and the object that states it. */
export interface PlacedWord {
  readonly word: SourceWord
  readonly item: Placed
}

interface Stating extends Placed {
  readonly members: Members
}

/** Of a reference its code or name: `[1, "Name"]`, `{"value": "USD"}`. */
const textOf = (cell: Cell | undefined): string | undefined => {
  if (typeof cell === "string") return cell.trim()
  if (typeof cell === "boolean") return String(cell)
  if (cell instanceof JsonNumber) return cell.text
  if (isList(cell)) return cell.length === 2 ? textOf(cell[1]) : undefined
  if (!isMembers(cell)) return undefined
  const [named] = ["code", "value", "name"].flatMap((name) => member(cell, name) ?? [])
  return isMembers(named) || isList(named) ? undefined : textOf(named)
}

const wordsIn = (
  item: Stating,
  none: ReadonlyArray<unknown>,
  line: number | undefined,
  distinct: DistinctWords
): ReadonlyArray<PlacedWord> =>
  item.members.keys.flatMap((name, i): ReadonlyArray<PlacedWord> => {
    const subject = subjectStated(name, line)
    if (subject === undefined || touched.get(item.members)?.has(name) === true) return []
    const cell = item.members.values[i]
    const word = distinct.take(subject, name, none.includes(cell) ? undefined : textOf(cell), line)
    return word === undefined ? [] : [{ word, item }]
  })

/**
 * Words of the records that state the document, and of its lines where they stand inside it. Records of another list than the first are joined
 * with the document and state something else.
 */
export const wordsOf = (
  items: ReadonlyArray<Stating & { readonly list: string }>,
  lines: ReadonlyArray<unknown>,
  log: ReadLog,
  none: ReadonlyArray<unknown>
): ReadonlyArray<PlacedWord> => {
  const distinct = new DistinctWords()
  return [
    ...items.filter(({ list }) => list === items[0]!.list).flatMap((item) => wordsIn(item, none, undefined, distinct)),
    ...lines.flatMap((line, i) => {
      const round = log.rounds.get(line)
      return round === undefined ? [] : wordsIn(round.item, none, i, distinct)
    })
  ]
}
