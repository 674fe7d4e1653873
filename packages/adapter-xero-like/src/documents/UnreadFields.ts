/**
 * Fields that the adapter does not read although the vocabulary knows their names. Core holds them
 * against the document.
 */
import { type Provenance, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import { indexOf, isJsonNumber, type Json } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { field, type JsonPlace } from "../json/Place.ts"
import { Document } from "../values/Fields.ts"
import type { Shape } from "../values/Shape.ts"

export interface XeroWord {
  readonly word: SourceDocument.SourceWord
  at(): Provenance.Provenance
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string"
    ? value.trim()
    : typeof value === "boolean"
      ? String(value)
      : isJsonNumber(value)
        ? value.text
        : undefined

const read = [Document.type, Document.status, Document.currency]

const wordsIn = (
  place: JsonPlace,
  line: number | undefined,
  distinct: StatedWords.DistinctWords
): ReadonlyArray<XeroWord> => {
  const { keys, values } = place.object
  return keys.flatMap((name, i): ReadonlyArray<XeroWord> => {
    const value = values[i]
    const isSearched = line === undefined && typeof value === "string" && !place.fields.reads(name)
    const subject =
      StatedWords.subjectStated(name, line) ?? (isSearched ? StatedWords.subjectOfValue(value.trim()) : undefined)
    if (subject === undefined) return []
    if (line === undefined && read.some(({ names }) => indexOf(place.object, names) === i)) return []
    const word = distinct.take(subject, name, textOf(value), line)
    if (word === undefined) return []
    place.fields.at(name).mark("held")
    return [{ word, at: () => place.at(field(name)) }]
  })
}

/** Returns the words in a fixed order, so that an index identifies a word's place. */
export const wordsOf = ({ form, lines, records }: Shape): ReadonlyArray<XeroWord> => {
  const distinct = new StatedWords.DistinctWords()
  return [
    ...records.flatMap((record) => wordsIn(record, undefined, distinct)),
    ...(form === "rows" ? [] : lines.flatMap((line, i) => wordsIn(line, i, distinct)))
  ]
}
