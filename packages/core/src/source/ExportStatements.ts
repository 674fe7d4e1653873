/**
 * One list per file, each statement with its treatment. The adapters list the statements; documents
 * show which of them are compared.
 */
import type { Money } from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { Statement } from "../finding/Statement.ts"
import type { SourceAmount, SourceDocument } from "./SourceDocument.ts"
import { figuresOf, isAmong, statesDiscount } from "./StatedAmounts.ts"
import { SourceFinding } from "./SourceFinding.ts"
import * as StatedWords from "./StatedWords.ts"

const shown = 20
/** Number of samples that one statement keeps. */
export const mostSamples = 3
/** Longest sample: more does not help to recognize a value. */
const longestSample = 60

/** Returns the sample as it is shown. */
export const sampleOf = (text: string): string => text.slice(0, longestSample)

/** Order in the text: what could change an amount comes first, what never changes comes last. */
const order: ReadonlyArray<Statement["values"]> = ["numbers", "figures", "texts", "constant"]

const titles: { readonly [Values in Statement["values"]]: string } = {
  numbers: "numbers ",
  figures: "numbers that the documents also state ",
  texts: "",
  constant: "the same everywhere "
}

/** A longer number may be a telephone or the number of a buyer, which no text shows. */
const isShort = /^\D{0,4}(?:\d\D?){1,6}\D{0,4}$/

const isCode = /^\p{Lu}{1,4}$/u

const ofColumns =
  "Look at the names. If a column changes what is sold, the amounts, the kind or the currency of documents, map it in a column map. List columns that never matter under its `unread`. Otherwise no action is needed."

const named = ({ name, place, samples, values }: Statement): string => {
  if (place === "file name")
    return `the kind of the documents, which nothing states (${[name, ...samples].map((text) => `"${text}"`).join(", ")})`
  const quoted = `${place === "column" || place === "field" ? "" : `${place} `}"${name.slice(0, longestSample)}"`
  const isShown = (sample: string) => isShort.test(sample) || (values === "constant" && isCode.test(sample))
  const short = values === "numbers" || values === "constant" ? samples.filter(isShown) : []
  return short.length > 0 ? `${quoted} ${short.join(", ")}` : quoted
}

const listed = (statements: ReadonlyArray<Statement>): string => {
  let left = shown
  const groups = order.flatMap((values) => {
    const some = statements.filter((statement) => statement.values === values).slice(0, left)
    left -= some.length
    return some.length === 0 ? [] : [`${titles[values]}${some.map(named).join(", ")}`]
  })
  const more = statements.length - (shown - left)
  return `${groups.join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

/** Returns the finding with the record of one file; undefined if nothing of the file is named. */
export const finding = (
  statements: ReadonlyArray<Statement>,
  { file, sheet }: { readonly file: string; readonly sheet?: string | undefined }
): Finding.Finding | undefined => {
  const open = statements.filter(({ treatment }) => treatment === "named")
  if (open.length === 0) return undefined
  const answered = statements.filter(({ place, treatment }) => place !== "sheet" && treatment === "answered").length
  const before = answered === 0 ? "" : `; ${answered} left unread by the column map`
  return Finding.make(SourceFinding.STATEMENTS_NOT_READ, {
    message: `not read: ${listed(open)}${before}`,
    at: { file, ...(sheet !== undefined && { sheet }) },
    ...(open.some(({ place }) => place === "column") && { fix: ofColumns }),
    statements
  })
}

const mostCompared = 1000

interface SeenNames {
  readonly at: Provenance
  /** Fields with a known name and at least one unknown value. */
  readonly unknownWords: Set<string>
  /** Amount columns; false as soon as a number equals no figure of its document. */
  readonly amounts: Map<string, "figures" | "numbers">
  documents: number
}

/** Names in one list: a file with more names uses the names for something else. */
const mostNames = 2000

/** Completes the records of the files with what their documents show. */
export class ExportStatements {
  private readonly files = new Map<string, SeenNames>()
  private readonly records: Array<Finding.Finding> = []

  add(record: Finding.Finding): void {
    this.records.push(record)
  }

  take(source: SourceDocument): void {
    const { amounts, words } = source
    if (amounts === undefined && words === undefined) return
    const at = source.where([])
    const seen: SeenNames = this.files.get(at.file) ?? { at, unknownWords: new Set(), amounts: new Map(), documents: 0 }
    this.files.set(at.file, seen)
    seen.documents++
    for (const word of words ?? [])
      if (
        StatedWords.meantBy(word) === undefined &&
        !StatedWords.isEmpty(word.text) &&
        seen.unknownWords.size < mostNames
      )
        seen.unknownWords.add(word.name)
    if (amounts === undefined) return
    let figures: ReadonlyArray<Money> | undefined
    for (const { name, of, values } of amounts) {
      if (of !== undefined) continue
      const known = seen.amounts.get(name)
      if (known === "numbers" || (known === undefined && seen.amounts.size >= mostNames)) continue
      const all = (figures ??= figuresOf(source))
      if (known === undefined || seen.documents < mostCompared)
        seen.amounts.set(name, stated(values).every((value) => isAmong(value, all)) ? "figures" : "numbers")
    }
  }

  /**
   * Returns one finding for each file with named statements. `isHeld`: true for an amount column
   * that is compared with the totals.
   */
  findings(isHeld: (file: string, name: string) => boolean): ReadonlyArray<Finding.Finding> {
    const taken = new Set<string>()
    const given = this.records.flatMap(({ at, statements = [] }) => {
      const { file, sheet } = at ?? { file: "" }
      taken.add(file)
      const seen = this.files.get(file)
      const settled = statements.map((statement) => completed(statement, seen, (name) => isHeld(file, name)))
      return finding(settled, { file, ...(sheet !== undefined && { sheet }) }) ?? []
    })
    const others = Array.from(this.files, ([file, seen]) => {
      if (taken.has(file)) return []
      const { amounts, at, unknownWords } = seen
      const statement = (name: string, values: Statement["values"]): Statement => ({
        place: "field",
        name,
        samples: [],
        values,
        treatment: "named"
      })
      const open = [
        ...Array.from(amounts, ([name, values]) => statement(name, values)),
        ...Array.from(unknownWords, (name) => statement(name, "texts"))
      ]
      return finding(
        open.map((one) => completed(one, seen, (name) => isHeld(file, name))),
        at
      )
    })
    return [...given, ...others.flatMap((one) => one ?? [])]
  }
}

const completed = (statement: Statement, seen: SeenNames | undefined, isHeld: (name: string) => boolean): Statement => {
  const { name, treatment, values } = statement
  if (treatment === "held" && seen?.unknownWords.has(name) === true)
    return { ...statement, treatment: "named", reason: "it has a known name and a value that is not known" }
  if (treatment !== "named") return statement
  if (statesDiscount(name)) return { ...statement, treatment: "held", reason: "it is compared with the discounts" }
  if (isHeld(name)) return { ...statement, treatment: "held", reason: "it is compared with the total to be sent" }
  return values === "numbers" && seen?.amounts.get(name) === "figures" ? { ...statement, values: "figures" } : statement
}

const stated = (values: SourceAmount["values"]): SourceAmount["values"] =>
  values.length > 2 ? values.slice(0, -1) : values
