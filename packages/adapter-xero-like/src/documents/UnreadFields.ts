/** Fields that nothing is read from although the vocabulary knows their names: core holds them against the document. */
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import { type Subject, subjectOf } from "@fiscal-connector/core/source/StatedWords"
import { indexOf, type Json, JsonNumber } from "@fiscal-connector/adapter-kit/json/Json"
import { field, type Place } from "../json/Place.ts"
import { Document } from "../values/Fields.ts"
import type { Shape } from "../values/Shape.ts"

/** A word, and where it stands. */
export interface PlacedWord {
  readonly word: SourceWord
  at(): Provenance
}

/** Longest text that can be a word; a longer one is a sentence. */
const longest = 200

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string"
    ? value.trim()
    : typeof value === "boolean"
      ? String(value)
      : value instanceof JsonNumber
        ? value.text
        : undefined

/** Fields of which one name of several is read. */
const read = [Document.type, Document.status, Document.currency]

/** Subjects that a line may state. */
const ofLines: ReadonlySet<Subject> = new Set(["currency", "unissued", "taxable", "exempt"])

const wordsIn = (place: Place, line: number | undefined, seen: Set<string>): ReadonlyArray<PlacedWord> => {
  const { keys, values } = place.object
  return keys.flatMap((name, i): ReadonlyArray<PlacedWord> => {
    const subject = subjectOf(name)
    if (subject === undefined) return []
    if (line === undefined ? read.some(({ names }) => indexOf(place.object, names) === i) : !ofLines.has(subject))
      return []
    const text = textOf(values[i])
    const key = `${line} ${name} ${text}`
    if (text === undefined || text === "" || text.length > longest || seen.has(key)) return []
    seen.add(key)
    const word = { subject, name, text, ...(line !== undefined && { line }) }
    return [{ word, at: () => place.at(field(name)) }]
  })
}

/** In a fixed order, so that the place of each is found again. */
export const wordsOf = ({ form, lines, records }: Shape): ReadonlyArray<PlacedWord> => {
  const seen = new Set<string>()
  return [
    ...records.flatMap((record) => wordsIn(record, undefined, seen)),
    ...(form === "rows" ? [] : lines.flatMap((line, i) => wordsIn(line, i, seen)))
  ]
}
