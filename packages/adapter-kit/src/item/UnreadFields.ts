/** Fields that an adapter has not looked at although the vocabulary knows their names: core holds them against the document. */
import type { SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import { type Subject, subjectOf } from "@fiscal-connector/core/source/StatedWords"
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

/** Longest text that can be a word; a longer one is a sentence. */
const longest = 200

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

/** Subjects that a line may state. */
const ofLines: ReadonlySet<Subject> = new Set(["currency", "unissued", "taxable", "exempt"])

const wordsIn = (
  item: Stating,
  none: ReadonlyArray<unknown>,
  line: number | undefined,
  seen: Set<string>
): ReadonlyArray<PlacedWord> =>
  item.members.keys.flatMap((name, i): ReadonlyArray<PlacedWord> => {
    const subject = subjectOf(name)
    if (subject === undefined || touched.get(item.members)?.has(name) === true) return []
    if (line !== undefined && !ofLines.has(subject)) return []
    const cell = item.members.values[i]
    const text = none.includes(cell) ? undefined : textOf(cell)
    const key = `${line} ${name} ${text}`
    if (text === undefined || text === "" || text.length > longest || seen.has(key)) return []
    seen.add(key)
    return [{ word: { subject, name, text, ...(line !== undefined && { line }) }, item }]
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
  const seen = new Set<string>()
  return [
    ...items.filter(({ list }) => list === items[0]!.list).flatMap((item) => wordsIn(item, none, undefined, seen)),
    ...lines.flatMap((line, i) => {
      const round = log.rounds.get(line)
      return round === undefined ? [] : wordsIn(round.item, none, i, seen)
    })
  ]
}
