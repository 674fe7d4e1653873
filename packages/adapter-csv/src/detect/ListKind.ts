/**
 * Kind of a file's documents by evidence: names of the columns for the number, the date and the
 * party, titles, the names of the sheet and of the file. Only evidence for invoices needs no
 * answer.
 */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { InputFile, Question } from "@fiscal-connector/core/source/Adapter"
import type { SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import { kindsIn, type ListKind, type StatedKind } from "@fiscal-connector/core/source/StatedWords"
import * as Columns from "../columns/ColumnMap.ts"
import { answerIn, isPeriod, titleKey } from "./Titles.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import type { Contents, Meant, Settings } from "../columns/Settings.ts"
import { type FieldMeaning, meaningOf } from "../columns/Synonyms.ts"
import { isTable } from "../scan/Table.ts"
import { quoted } from "../scan/Row.ts"

/** Text above or beside a table. */
export interface Title {
  readonly place: "title" | "sheet" | "file"
  readonly text: string
}

/** Header of a file, and the rows above it. */
export interface TitledList {
  readonly file: InputFile
  readonly cells: ReadonlyArray<string>
  /** `known`: the names are those of a layout, and state nothing else. */
  readonly names: "known" | "unknown"
  readonly map: Columns.ColumnMap | undefined
  readonly titles: ReadonlyArray<Title>
}

/** Returns the names of the file and the sheet, and the rows above the header as texts. */
export const titlesOf = (file: InputFile, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Title> => [
  ...rows.flatMap((cells): ReadonlyArray<Title> => {
    const text = cells
      .map((cell) => cell.trim())
      .filter((cell) => cell !== "")
      .join(" ")
    return text === "" ? [] : [{ place: "title", text }]
  }),
  ...(isTable(file) ? [{ place: "sheet", text: file.table.sheet } as const] : []),
  { place: "file", text: file.name.slice(Math.max(file.name.lastIndexOf("/"), file.name.lastIndexOf("\\")) + 1) }
]

/**
 * One statement of a kind, with its word and its place. `unknown`: a text in unknown words,
 * which may state a kind.
 */
interface KindEvidence extends Omit<StatedKind, "kind"> {
  readonly kind: ListKind | "unknown"
  readonly place: "column" | Title["place"]
  readonly text: string
  /** `mixed`: the same text states invoices too. */
  readonly beside: "alone" | "mixed"
}

type KindField = "number" | "date" | "customerName" | "customerTradeName" | "customerTin" | "customerVat" | "customerId"
const parties: ReadonlySet<FieldMeaning> = new Set<KindField>([
  "customerName",
  "customerTradeName",
  "customerTin",
  "customerVat",
  "customerId"
])

/** Returns the evidence of a text. A column of bills and something else may be one of sales. */
const evidenceIn = (place: KindEvidence["place"], text: string): ReadonlyArray<KindEvidence> => {
  const { isAlone, kinds } = kindsIn(text)
  const hasInvoice = kinds.some(({ kind }) => kind === "invoice")
  return kinds
    .filter((one) => place !== "column" || one.in === "names")
    .filter(({ word }) => word !== "bill" || (!hasInvoice && (isAlone || place !== "column")))
    .map((one) => ({ ...one, place, text, beside: hasInvoice ? "mixed" : "alone" }))
}

/** Words of titles that state no kind. */
const neutral =
  /^(?:reports?|list(?:e|a|ing)?|register|export|import|journal|details?|summary|data|titles?|transactions?|all|dates?|by|for|from|to|and|in|month|year|period|monthly|daily|bericht|rapport|informe|relatorio|overzicht|zeitraum|periode?|periodo|von|bis|sheet|table)$/

/** Sales and invoices in scripts that the vocabulary does not have. */
const sold = /фактур|сч[её]т|инво[ий]с|продаж|реализац|发票|發票|销售|銷售|請求|売上|τιμολ[οό]γ|πωλ[ηή]σ|فاتور|مبيعات/iu

/** A name in capitals, or too short for a noun. */
const abbreviation = /^[^\p{L}]*(?:\p{Lu}{1,5}|\p{L}{1,3})[^\p{L}]*$/u

const isForeign = (part: string): boolean => !/^\p{Script=Latin}+$/u.test(part)

/**
 * Returns a text that may state any kind. Words of another script are never known. A title of one
 * unknown word is its heading if nothing in the file states invoices; more words may be a name.
 */
const unknownIn = ({ place, text }: Title, says: "invoices" | "nothing"): ReadonlyArray<KindEvidence> => {
  const { kinds, others } = kindsIn(text)
  const open = others.filter((part) => !neutral.test(part) && !isPeriod(part))
  const isHeading = place === "title" && says === "nothing" && open.length === 1 && !abbreviation.test(text)
  if (kinds.length > 0 || sold.test(text) || !(isHeading || open.some(isForeign))) return []
  return [{ kind: "unknown", word: open.join(" "), of: "document", place, text, beside: "alone" }]
}

const nameOf = (column: Columns.Column): string => (typeof column === "string" ? column : column.column)

/** Returns the evidence of the columns that a map reads as number, date and party. */
const mapped = (map: Columns.ColumnMap): ReadonlyArray<KindEvidence> =>
  (["number", "date", ...parties] as ReadonlyArray<KindField>).flatMap((field) =>
    Columns.columnsOf(map.columns?.[field])
      .flatMap((column) => evidenceIn("column", nameOf(column)))
      .filter(({ of }) => of === "party" || !parties.has(field))
  )

const dateNoun = /dat(?:e|um|a)|fecha|dato/i

/**
 * Returns the evidence of unknown names. A number beside the number of an invoice is a reference,
 * and a vendor beside a buyer may be a brand.
 */
const named = (cells: ReadonlyArray<string>): ReadonlyArray<KindEvidence> => {
  const all = cells.map((name) => ({ name, ...kindsIn(name), meaning: meaningOf(name) }))
  const isKnown = (isOf: (meaning: FieldMeaning) => boolean) =>
    all.some(
      ({ kinds, meaning }) => meaning !== undefined && isOf(meaning) && kinds.every(({ kind }) => kind === "invoice")
    )
  const known = {
    number: isKnown((meaning) => meaning === "number"),
    date: isKnown((meaning) => meaning === "date"),
    party: isKnown((meaning) => parties.has(meaning))
  }
  return all
    .filter(({ isAlone }) => isAlone)
    .flatMap(({ name }) => evidenceIn("column", name))
    .filter(({ of, text }) => !known[of === "party" ? "party" : dateNoun.test(text) ? "date" : "number"])
}

type NotSold = Exclude<KindEvidence["kind"], "invoice">

/** Kinds that columns state, each with its setting. */
const contentsOf = (kind: Exclude<NotSold, "unissued" | "unknown">): Contents => `${kind}s`

const wordsOf = (kind: KindEvidence["kind"]): string =>
  kind === "unissued"
    ? "documents that were not issued"
    : kind === "unknown"
      ? "something in words that are not known"
      : `${kind.replaceAll("-", " ")}s`

/** Kinds that are never proposed as sales, the one that decides first. */
const notSold: ReadonlyArray<NotSold> = [
  "purchase",
  "debit-note",
  "pro-forma",
  "delivery-note",
  "quotation",
  "order",
  "payment",
  "unissued",
  "credit-note",
  "unknown"
]

const answerOf = (
  { kind, place, word }: KindEvidence,
  file: string,
  { contents, kind: ofAll, titles }: Settings
): Meant | "unused" | undefined =>
  kind === "invoice"
    ? "invoices"
    : ((place === "column" ? contents?.[contentsOf(kind as "purchase")] : answerIn(titles, file, `${place} ${word}`)) ??
      (kind === "credit-note" && ofAll !== undefined ? `${ofAll}s` : undefined))

const hasKinds = ({ cells, map }: TitledList): boolean =>
  map?.columns?.kind !== undefined || cells.some((name) => meaningOf(name) === "kind")

const statesInvoices = (text: string): boolean => kindsIn(text).kinds.some(({ kind }) => kind === "invoice")

const evidenceOf = ({ cells, map, names, titles }: TitledList): ReadonlyArray<KindEvidence> => {
  const texts = [...cells, ...titles.map(({ text }) => text)]
  const says = names === "known" || texts.some(statesInvoices) ? "invoices" : "nothing"
  const ofColumns = names === "known" ? [] : map?.columns?.number === undefined ? named(cells) : mapped(map)
  return [
    // the bill of a shop is its invoice
    ...ofColumns.filter(({ word }) => word !== "bill" || says === "nothing"),
    ...titles.flatMap((title) => [...evidenceIn(title.place, title.text), ...unknownIn(title, says)])
  ]
}

/** A list that is not asked about is one of invoices, or the operator's answer decides. */
export type KindVerdict =
  | { readonly _tag: "Settled"; readonly kind: "credit-note" | undefined }
  | { readonly _tag: "Stopped"; readonly problem: string }
  | { readonly _tag: "Asked"; readonly question: Question }

/** Returns titles that state credit notes only, if a column states the kind of each document. */
export const heldTitles = (list: TitledList, settings: Settings): ReadonlyArray<SourceWord> =>
  hasKinds(list)
    ? evidenceOf(list).flatMap((one) =>
        isHeld(one) && answerOf(one, list.file.name, settings) === undefined
          ? [
              {
                subject: "kind",
                name: one.text,
                text: one.word,
                means: "credit-note",
                answers: [
                  { settings: { titles: { [titleKey(list.file.name, `${one.place} ${one.word}`)]: "unused" } } }
                ]
              }
            ]
          : []
      )
    : []

const isHeld = ({ beside, kind, place }: KindEvidence): boolean =>
  kind === "credit-note" && place !== "column" && beside === "alone"

/**
 * Returns what a title between the rows states about the documents below it; undefined for a row
 * that is not a title of a kind. A title of invoices ends the one before.
 */
export const sectionIn = (file: string, text: string, settings: Settings): ReadonlyArray<SourceWord> | undefined => {
  const { kinds, others } = kindsIn(text)
  if (kinds.length === 0 || others.some((part) => !neutral.test(part) && !isPeriod(part))) return undefined
  if (kinds.some(({ kind }) => kind === "invoice")) return []
  return kinds.flatMap(({ kind, word }): ReadonlyArray<SourceWord> => {
    const statement = `title ${word}`
    if (answerIn(settings.titles, file, statement) !== undefined) return []
    return [
      {
        subject: "kind",
        name: text,
        text: word,
        means: kind === "credit-note" ? kind : "skip",
        answers: [{ settings: { titles: { [titleKey(file, statement)]: "unused" } } }]
      }
    ]
  })
}

/** Returns the kind by an answer about a title that a file of refused rows no longer has. */
const kindOfRefused = ({ cells }: TitledList, { titles = {} }: Settings): "credit-note" | undefined =>
  cells.some(isReasonColumn) && Object.values(titles).includes("credit-notes") ? "credit-note" : undefined

/** Returns what the evidence and the answers show. */
export const verdictOf = (list: TitledList, settings: Settings): KindVerdict => {
  const all = evidenceOf(list).filter(
    (one) => !(hasKinds(list) && one.kind === "credit-note" && one.place !== "column")
  )
  const answers = new Set(all.map((one) => answerOf(one, list.file.name, settings)))
  const first = notSold.find((kind) => all.some((one) => one.kind === kind))
  if (first === undefined) return { _tag: "Settled", kind: kindOfRefused(list, settings) }
  if (!answers.has(undefined) && !answers.has("stop"))
    return { _tag: "Settled", kind: answers.has("credit-notes") ? "credit-note" : undefined }
  const problem = first === "unknown" ? "its title may state its kind" : `this looks like a list of ${wordsOf(first)}`
  if (answers.has("stop")) return { _tag: "Stopped", problem }
  const against = all.filter(({ kind }) => kind !== "invoice")
  const recorded = (answer: Meant): Answer => ({
    settings: {
      ...recordOf("contents", against, "column", ({ kind }) => contentsOf(kind as "purchase"), answer),
      ...recordOf("titles", against, "title", ({ place, word }) => titleKey(list.file.name, `${place} ${word}`), answer)
    }
  })
  const isCredit = against.every(({ kind }) => kind === "credit-note")
  const evidence = all.map(({ kind, place, text }) => `${placeName[place]} ${quoted(text)} states ${wordsOf(kind)}`)
  return {
    _tag: "Asked",
    question: {
      id: `contents ${first}s`,
      subject: "contents",
      file: list.file.name,
      question: `${problem}. Evidence: ${[...new Set(evidence)].join("; ")}. What is this file?`,
      readings: [
        { id: "stop", reading: `not sales: stop. ${fix}`, examples: [], answer: recorded("stop") },
        {
          id: "invoices",
          reading: "these are our own sales, each an invoice unless the document states otherwise",
          examples: [],
          answer: recorded("invoices")
        },
        {
          id: "credit-notes",
          reading: "these are our own credit notes, for our sales",
          examples: [],
          answer: recorded("credit-notes")
        }
      ],
      ...proposalOf(isCredit, all)
    }
  }
}

/** Remedy for a list that is not of sales. */
export const fix = "Export the invoices and credit notes that were issued"

/** Credit notes are proposed if nothing says invoice; no other kind is proposed as a sale. */
const proposalOf = (isCredit: boolean, all: ReadonlyArray<KindEvidence>): Pick<Question, "proposal"> =>
  !isCredit
    ? all.some(({ kind }) => kind === "unknown")
      ? {}
      : { proposal: "stop" }
    : all.some(({ kind }) => kind === "invoice")
      ? {}
      : { proposal: "credit-notes" }

const placeName = { column: "the column", title: "the title", sheet: "the sheet", file: "the file name" } as const

const recordOf = (
  setting: "contents" | "titles",
  all: ReadonlyArray<KindEvidence>,
  place: "column" | "title",
  key: (one: KindEvidence) => string,
  answer: Meant
): object => {
  const entries = all.flatMap((one) => ((one.place === "column") === (place === "column") ? [[key(one), answer]] : []))
  return entries.length === 0 ? {} : { [setting]: Object.fromEntries(entries) }
}
