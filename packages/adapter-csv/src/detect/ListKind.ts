/**
 * Kind of a file's documents by names of columns, titles, sheets and files. Only evidence for
 * invoices needs no answer.
 */
import { type Adapter, type SourceDocument, StatedWords, type Statement } from "@fiscal-connector/core/adapter"
import * as Columns from "../columns/ColumnMap.ts"
import { answerIn, isPeriod, type Title, titleKey } from "./Titles.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import type { Contents, Meant, Settings } from "../columns/Settings.ts"
import { type FieldMeaning, meaningOf } from "../columns/Synonyms.ts"
import { isTable } from "../scan/Table.ts"
import { quoted } from "../scan/Row.ts"

export interface TitledList {
  readonly file: Adapter.InputFile
  readonly cells: ReadonlyArray<string>
  /** `known`: the names are those of a layout, and state nothing else. */
  readonly names: "known" | "unknown"
  readonly map: Columns.ColumnMap | undefined
  readonly titles: ReadonlyArray<Title>
  readonly below: ReadonlyArray<Title>
}

type TextRows = ReadonlyArray<ReadonlyArray<string>>

const filledIn = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.map((cell) => cell.trim()).filter((cell) => cell !== "")

export const aloneIn = (rows: TextRows): ReadonlyArray<Title> =>
  rows.flatMap((cells) => {
    const [text, ...others] = filledIn(cells)
    return text === undefined || others.length > 0 || cells[0]?.trim() !== text ? [] : [{ place: "row", text }]
  })

export const titlesOf = (file: Adapter.InputFile, rows: TextRows): ReadonlyArray<Title> => [
  ...rows.flatMap((cells): ReadonlyArray<Title> => {
    const text = filledIn(cells).join(" ")
    return text === "" ? [] : [{ place: "title", text }]
  }),
  ...(isTable(file) ? [{ place: "sheet", text: file.table.sheet } as const] : []),
  { place: "file", text: file.name.slice(Math.max(file.name.lastIndexOf("/"), file.name.lastIndexOf("\\")) + 1) }
]

/** `unknown`: a text in unknown words, which may state a kind. */
interface KindEvidence extends Omit<StatedWords.StatedKind, "kind"> {
  readonly kind: StatedWords.ListKind | "unknown"
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

const evidenceIn = (place: KindEvidence["place"], text: string): ReadonlyArray<KindEvidence> => {
  const { isAlone, kinds } = StatedWords.kindsIn(text)
  const hasInvoice = kinds.some(({ kind }) => kind === "invoice")
  return kinds
    .filter((one) => place !== "column" || one.in === "names")
    .filter(({ word }) => word !== "bill" || (!hasInvoice && (isAlone || place !== "column")))
    .map((one) => ({ ...one, place, text, beside: hasInvoice ? "mixed" : "alone" }))
}

const neutral =
  /^(?:reports?|list(?:e|a|ing)?|register|export|import|journal|details?|summary|data|titles?|transactions?|all|dates?|by|for|from|to|and|in|month|year|period|monthly|daily|bericht|rapport|informe|relatorio|overzicht|zeitraum|periode?|periodo|von|bis|sheet|table)$/

const sold = /фактур|сч[её]т|инво[ий]с|продаж|реализац|发票|發票|销售|銷售|請求|売上|τιμολ[οό]γ|πωλ[ηή]σ|فاتور|مبيعات/iu

const abbreviation = /^[^\p{L}]*(?:\p{Lu}{1,5}|\p{L}{1,3})[^\p{L}]*$/u

const isForeign = (part: string): boolean => !/^\p{Script=Latin}+$/u.test(part)

/**
 * Words of another script are never known. A title of one unknown word is its heading if nothing in
 * the file states invoices; more words may be a name.
 */
const unknownIn = ({ place, text }: Title, says: "invoices" | "nothing"): ReadonlyArray<KindEvidence> => {
  const { kinds, others } = StatedWords.kindsIn(text)
  const open = others.filter((part) => !neutral.test(part) && !isPeriod(part))
  const isHeading = place === "title" && says === "nothing" && open.length === 1 && !abbreviation.test(text)
  if (kinds.length > 0 || sold.test(text) || !(isHeading || open.some(isForeign))) return []
  return [{ kind: "unknown", word: open.join(" "), of: "document", place, text, beside: "alone" }]
}

const nameOf = (column: Columns.Column): string => (typeof column === "string" ? column : column.column)

const mapped = (map: Columns.ColumnMap): ReadonlyArray<KindEvidence> =>
  (["number", "date", ...parties] as ReadonlyArray<KindField>).flatMap((field) =>
    Columns.columnsOf(map.columns?.[field])
      .flatMap((column) => evidenceIn("column", nameOf(column)))
      .filter(({ of }) => of === "party" || !parties.has(field))
  )

const dateNoun = /dat(?:e|um|a)|fecha|dato/i

/**
 * A number beside the number of an invoice is a reference, and a vendor beside a buyer may be a
 * brand.
 */
const named = (cells: ReadonlyArray<string>): ReadonlyArray<KindEvidence> => {
  const all = cells.map((name) => ({ name, ...StatedWords.kindsIn(name), meaning: meaningOf(name) }))
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

const paidName =
  /payment.?(?:no|num|id|ref|date|amount|#)|amount.?(?:paid|received)|zahlungs?(?:datum|betrag|nr|nummer)|beta(?:al|lings?).?(?:datum|bedrag|nr|nummer)|(?:date|n°|num[eé]ro|montant|fecha|importe|monto|data|importo|valor)(?: d[eo])? (?:paiement|pay[eé]|re[cç]u|pago|pagado|recibido|cobrado|pagamento|pagato|ricevuto|recebido)/i

const sale: ReadonlySet<FieldMeaning | undefined> = new Set<FieldMeaning>([
  "description",
  "quantity",
  "unitPrice",
  "total",
  "net",
  "tax",
  "taxCode",
  "taxPercent",
  "taxAmount"
])

/** Names of payments in a list that states nothing of a sale but an invoice's number. */
const paymentsIn = (cells: ReadonlyArray<string>): ReadonlyArray<KindEvidence> =>
  cells.some((name) => sale.has(meaningOf(name)))
    ? []
    : cells
        .filter((name) => paidName.test(name))
        .map((text) => ({ kind: "payment", word: text, of: "document", place: "column", text, beside: "alone" }))

type NotSold = Exclude<KindEvidence["kind"], "invoice">

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

const statesInvoices = (text: string): boolean =>
  sold.test(text) || StatedWords.kindsIn(text).kinds.some(({ kind }) => kind === "invoice")

const saidBy = ({ cells, names, titles }: TitledList): "invoices" | "nothing" =>
  names === "known" || [...cells, ...titles.map(({ text }) => text)].some(statesInvoices) ? "invoices" : "nothing"

const evidenceOf = (list: TitledList): ReadonlyArray<KindEvidence> => {
  const { cells, map, names, titles } = list
  const says = saidBy(list)
  const ofColumns =
    names === "known" ? [] : map?.columns?.number === undefined ? [...named(cells), ...paymentsIn(cells)] : mapped(map)
  return [
    // the bill of a shop is its invoice
    ...ofColumns.filter(({ word }) => word !== "bill" || says === "nothing"),
    ...titles.flatMap((title) => [...evidenceIn(title.place, title.text), ...unknownIn(title, says)])
  ]
}

/** A list that is not asked about is one of invoices. */
export type KindVerdict =
  | { readonly _tag: "Settled"; readonly kind: "credit-note" | undefined }
  | { readonly _tag: "Stopped"; readonly text: string }
  | { readonly _tag: "Asked"; readonly question: Adapter.Question }

export const heldTitles = (list: TitledList, settings: Settings): ReadonlyArray<SourceDocument.SourceWord> =>
  hasKinds(list)
    ? evidenceOf(list).flatMap((one) =>
        isHeld(one) && !isReleased(answerOf(one, list.file.name, settings))
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

const isReleased = (answer: Meant | "unused" | undefined): boolean => answer === "unused" || answer === "invoices"

const isNumber = (text: string): boolean => /\d/.test(text) && !/\s/.test(text)

/**
 * One unknown word may be any kind, alone or beside invoices; a word of a state counts as in a
 * column of states.
 */
const kindsBelow = (text: string, row: "own" | "continued"): ReadonlyArray<Pick<KindEvidence, "kind" | "word">> => {
  const { kinds, others } = StatedWords.kindsIn(text)
  const open = others.filter((part) => !neutral.test(part) && !isPeriod(part))
  if (open.length === 0) return kinds
  if (row === "continued" || isNumber(text) || kinds.some(({ kind }) => kind !== "invoice")) return []
  const word = open.join(" ")
  const state = StatedWords.meantBy({ subject: "status", text: word })
  if (state !== undefined) return state === "skip" ? [{ kind: "unissued", word }] : kinds
  return kinds.length > 0 && open.length === 1
    ? [{ kind: "unknown", word }]
    : unknownIn({ place: "title", text }, "nothing")
}

export const isUnknown = ({ text }: SourceDocument.SourceWord): boolean => text === wordsOf("unknown")

/**
 * Undefined for a row that is not a title of a kind. A title of invoices ends the one before.
 * `continued`: the row may belong to the document above.
 */
export const sectionIn = (
  file: string,
  text: string,
  settings: Settings,
  row: "own" | "continued"
): ReadonlyArray<SourceDocument.SourceWord> | undefined => {
  const kinds = kindsBelow(text, row).map((one) => {
    const statement = `title ${one.word}`
    return { ...one, statement, answer: answerIn(settings.titles, file, statement) }
  })
  if (kinds.every(({ answer }) => answer === "unused")) return undefined
  return kinds
    .filter(({ answer, kind }) => kind !== "invoice" && !isReleased(answer))
    .map(({ answer, kind, statement, word }) => ({
      subject: "kind",
      name: text,
      text: kind === "unknown" ? wordsOf(kind) : word,
      means: (answer ?? `${kind}s`) === "credit-notes" ? "credit-note" : "skip",
      answers: [{ settings: { titles: { [titleKey(file, statement)]: "unused" } } }]
    }))
}

const kindOfRefused = ({ cells }: TitledList, { titles = {} }: Settings): "credit-note" | undefined =>
  cells.some(isReasonColumn) && Object.values(titles).includes("credit-notes") ? "credit-note" : undefined

const isUnstatedIn = (list: TitledList, { contents = {}, kind }: Settings): boolean =>
  kind === undefined &&
  Object.values(contents).every((one) => one === "stop") &&
  !hasKinds(list) &&
  saidBy(list) === "nothing"

/** A file that states no kind is asked about before its columns; a column map is made by them. */
const verdictWithout = (list: TitledList, settings: Settings): KindVerdict => {
  const answer = settings.contents?.["no-kinds"]
  if (answer === "stop") return { _tag: "Stopped", text: unstated }
  return list.map === undefined && isUnstatedIn(list, settings)
    ? asked(list, "no-kinds", `${unstated}: no name of a column, no title and no name of a file or sheet`, (meant) => ({
        contents: { "no-kinds": meant }
      }))
    : { _tag: "Settled", kind: answer === "credit-notes" ? "credit-note" : kindOfRefused(list, settings) }
}

/** Names the kind of a file that is read by a column map, where no name and no answer states it. */
export const kindNamed = (list: TitledList, settings: Settings): ReadonlyArray<Statement.Statement> => {
  const { columns = {} } = list.map ?? {}
  const isAnswered = Object.values(settings.titles ?? {}).some((one) => one !== "stop")
  if (list.map === undefined || isAnswered || !isUnstatedIn(list, settings)) return []
  const name = list.titles.at(-1)!.text
  const samples = [columns.number, columns.date].flatMap((of) => Columns.columnsOf(of).map(nameOf))
  return [{ place: "file name", name, samples, values: "texts", treatment: "named", reason: unstated }]
}

export const isUnstated = ({ id }: Adapter.Question): boolean => id === "contents no-kinds"

const unstated = "nothing in the file says that it lists invoices"

export const verdictOf = (list: TitledList, settings: Settings): KindVerdict => {
  const all = evidenceOf(list).filter(
    (one) => !(hasKinds(list) && one.kind === "credit-note" && one.place !== "column")
  )
  const answers = new Set(all.map((one) => answerOf(one, list.file.name, settings)))
  const first = notSold.find((kind) => all.some((one) => one.kind === kind))
  if (first === undefined) return verdictWithout(list, settings)
  if (!answers.has(undefined) && !answers.has("stop"))
    return { _tag: "Settled", kind: answers.has("credit-notes") ? "credit-note" : undefined }
  const problem = first === "unknown" ? "its title may state its kind" : `this looks like a list of ${wordsOf(first)}`
  if (answers.has("stop")) return { _tag: "Stopped", text: problem }
  const against = all.filter(({ kind }) => kind !== "invoice")
  const isCredit = against.every(({ kind }) => kind === "credit-note")
  const evidence = all.map(({ kind, place, text }) => `${placeName[place]} ${quoted(text)} states ${wordsOf(kind)}`)
  const problems = `${problem}. Evidence: ${[...new Set(evidence)].join("; ")}`
  return asked(
    list,
    `${first}s`,
    problems,
    // the columns of the same kind are known only after the titles
    (answer) => ({
      ...recordOf("contents", against.filter(hasContents), ({ kind }) => contentsOf(kind as "purchase"), answer),
      ...recordOf(
        "titles",
        against.filter(({ place }) => place !== "column"),
        ({ place, word }) => titleKey(list.file.name, `${place} ${word}`),
        answer
      )
    }),
    proposalOf(isCredit, all)
  )
}

const hasContents = ({ kind }: KindEvidence): boolean => kind !== "unissued" && kind !== "unknown"

const asked = (
  { file }: TitledList,
  of: string,
  problem: string,
  recorded: (answer: Meant) => Readonly<Record<string, unknown>>,
  proposal: Pick<Adapter.Question, "proposal"> = {}
): KindVerdict => {
  const reading = (id: Meant, reading: string) => ({ id, reading, examples: [], answer: { settings: recorded(id) } })
  return {
    _tag: "Asked",
    question: {
      id: `contents ${of}`,
      subject: "contents",
      file: file.name,
      question: `${problem}. What is this file?`,
      readings: [
        reading("stop", `not sales: stop. ${fix}`),
        reading("invoices", "these are our own sales, each an invoice unless the document states otherwise"),
        reading("credit-notes", "these are our own credit notes, for our sales")
      ],
      ...proposal
    }
  }
}

export const fix = "Export the invoices and credit notes that were issued"

/** Credit notes are proposed if nothing says invoice; no other kind is proposed as a sale. */
const proposalOf = (isCredit: boolean, all: ReadonlyArray<KindEvidence>): Pick<Adapter.Question, "proposal"> =>
  !isCredit
    ? all.some(({ kind }) => kind === "unknown")
      ? {}
      : { proposal: "stop" }
    : all.some(({ kind }) => kind === "invoice")
      ? {}
      : { proposal: "credit-notes" }

const placeName = {
  column: "the column",
  row: "the row",
  title: "the title",
  sheet: "the sheet",
  file: "the file name"
} as const

const recordOf = (
  setting: "contents" | "titles",
  all: ReadonlyArray<KindEvidence>,
  key: (one: KindEvidence) => string,
  answer: Meant
): object => (all.length === 0 ? {} : { [setting]: Object.fromEntries(all.map((one) => [key(one), answer])) })
