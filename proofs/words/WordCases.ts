/**
 * Combines every name of the vocabulary with words that contradict an issued invoice in USD, agree
 * with it, or are unknown.
 */
import {
  names,
  type NamedSubject,
  type Subject,
  meaningOf,
  normalize,
  wordsKnown
} from "../../packages/core/src/source/StatedWords.ts"
import { type Place, places } from "./WordTrial.ts"

export interface Case {
  readonly place: Place
  readonly subject: Subject
  readonly field: string
  readonly word: string
  /** Value of the field in the other documents. */
  readonly others: string
  readonly is: "contradicts" | "agrees" | "unknown"
}

const agreeing: { readonly [Name in NamedSubject]: ReadonlyArray<string> } = {
  kind: ["invoice"],
  credited: ["invoice"],
  status: ["issued"],
  docstatus: ["issued"],
  unissued: ["issued"],
  original: [],
  currency: [],
  seller: [],
  taxable: ["taxable"],
  exempt: ["taxable"]
}

/** Texts that state something themselves. */
const texts: { readonly [Name in Subject]?: ReadonlyArray<readonly [word: string, is: Case["is"]]> } = {
  unissued: [
    ["2026-03-05", "contradicts"],
    ["05/03/2026 10:15", "contradicts"]
  ],
  original: [["INV-77", "contradicts"]],
  currency: [
    ["ZAR", "contradicts"],
    ["EUR", "contradicts"],
    ["ZWG", "contradicts"],
    ["USD", "agrees"]
  ],
  seller: [
    ["Other Ltd", "contradicts"],
    ["Own Ltd", "agrees"]
  ]
}

const unknown = "Lorem ipsum"

const ofLines: ReadonlySet<Subject> = new Set(["currency", "unissued", "taxable", "exempt"])

const casesOf = (place: Place, subject: NamedSubject, field: string): ReadonlyArray<Case> => {
  const common = { place, subject, field, others: subject === "seller" ? "Own Ltd" : "" }
  const known = wordsKnown(subject).map((word): Case => {
    const meaning = meaningOf(subject, word, field)
    if (meaning === undefined) return { ...common, word, is: "unknown" }
    return { ...common, word, is: agreeing[subject].includes(meaning) ? "agrees" : "contradicts" }
  })
  const stated = (texts[subject] ?? []).map(([word, is]): Case => ({ ...common, word, is }))
  const listed =
    subject === "original" || subject === "seller" ? [] : [{ ...common, word: unknown, is: "unknown" } as const]
  return [...known, ...stated, ...listed]
}

/** Returns all cases, in a fixed order. */
export const cases = (): ReadonlyArray<Case> =>
  places.flatMap((place) =>
    (Object.keys(names) as Array<NamedSubject>).flatMap((subject) => {
      if (place.name.endsWith(" line") && !ofLines.has(subject)) return []
      const own = new Set(place.own.map(normalize))
      return names[subject]
        .split("|")
        .filter((field) => !own.has(normalize(field)))
        .flatMap((field) => casesOf(place, subject, field))
    })
  )
