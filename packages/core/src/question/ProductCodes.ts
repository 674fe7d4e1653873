/**
 * Asks once for the HS codes that lines do not state: a column, one code for all, or one for each
 * item, the most frequent first.
 */
import type { Finding } from "../finding/Finding.ts"
import type { SourceDocument, SourceLine } from "../source/SourceDocument.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import { type Choice, leaveOut, type OpenQuestion, plain, type QuestionEdit, typed } from "./OpenQuestion.ts"
import { productCodesId } from "./PolicyQuestions.ts"
import { fills } from "./TypedText.ts"

const itemId = "HS code of "
const others = `${itemId}other items`

const isOfItem = (subject: string): boolean => subject.startsWith(itemId)

export const askedAfter = (settled: ReadonlyMap<string, { readonly choice: Choice }>): "all" | "items" | "none" => {
  const ofAll = settled.get(productCodesId)?.choice.id
  if (ofAll === leaveOut.id || [...settled.keys()].some(isOfItem)) return "none"
  return ofAll === undefined ? "all" : "items"
}

const eachItemId = "each-item"

/** The questions about each item are the next ones. */
export const eachItem = (count: number): Choice => ({
  ...plain,
  id: eachItemId,
  words: `each of ${count} items has its own: they are asked one by one`
})

export const isEachItem = ({ id }: Choice): boolean => id === eachItemId

const mostItems = 20
const mostKept = 500

interface SoldItem {
  readonly text: string
  readonly by: "code" | "description"
  /** Documents by round: a document that another question refuses is examined in a later one. */
  readonly rounds: Array<number>
  readonly examples: Set<string>
}

const documentsOf = ({ rounds }: { readonly rounds: ReadonlyArray<number> }): number =>
  rounds.reduce((most, documents) => Math.max(most, documents), 0)

interface CodeColumn {
  readonly choice: Choice
  readonly texts: Set<string>
}

const itemOf = (source: SourceDocument, { code, path }: Finding): Pick<SoldItem, "text" | "by"> | undefined => {
  const line: SourceLine | undefined = path[0] === "lines" ? source.lines[Number(path[1])] : undefined
  const own = line?.productCode?.trim() ?? ""
  if (code === "RCPT048") return own === "" ? undefined : { text: own, by: "code" }
  return code === "RCPT047" ? { text: line?.description?.trim() ?? "", by: "description" } : undefined
}

export const settles = (source: SourceDocument, finding: Finding): boolean => itemOf(source, finding) !== undefined

/** Returns true for a column of codes that a default would overrule: it is a choice. */
export const offersColumn = ({ words = [] }: SourceDocument, { code, path }: Finding): boolean =>
  code === "DEFAULT_OVERRULES" && path[0] === "words" && words[Number(path[1])]?.subject === "item-code"

const padded = ({ by, text }: Pick<SoldItem, "by" | "text">): string | undefined =>
  by === "code" && /^(?:\d{7}|\d{3})$/.test(text) ? `0${text}` : undefined

const editOf = ({ by, text }: SoldItem, productCode: string): QuestionEdit =>
  by === "code"
    ? { what: "product code", spelling: text, productCode }
    : { what: "described product", description: text, productCode }

const editsOf = (items: ReadonlyArray<SoldItem>): ReadonlyArray<QuestionEdit> => [
  ...(items.some(({ by }) => by === "description")
    ? [{ what: "setting" as const, path: ["defaults", "productCode"] as const, value: typed }]
    : []),
  ...items.filter(({ by }) => by === "code").map((item) => editOf(item, typed))
]

export class ProductCodes {
  private readonly items = new Map<string, SoldItem>()
  private readonly columns = new Map<string, CodeColumn>()
  readonly rounds: Array<number> = []

  take(round: number, source: SourceDocument, findings: ReadonlyArray<Finding>): void {
    const found = new Map(
      findings.flatMap((finding) => {
        const item = itemOf(source, finding)
        return item === undefined ? [] : [[`${item.by} ${item.text}`, item] as const]
      })
    )
    for (const [key, item] of found) {
      const known = this.items.get(key)
      if (known === undefined && this.items.size >= mostKept) continue
      const counted: SoldItem = known ?? { ...item, rounds: [], examples: new Set() }
      this.items.set(key, counted)
      counted.rounds[round] = (counted.rounds[round] ?? 0) + 1
      if (counted.examples.size < 3) counted.examples.add(source.number || source.id)
    }
    if (found.size === 0) return
    this.rounds[round] = (this.rounds[round] ?? 0) + 1
    for (const { answers, name, subject, text } of source.words ?? []) {
      const [answer] = subject === "item-code" ? (answers ?? []) : []
      if (answer === undefined || (!this.columns.has(name) && this.columns.size >= mostItems)) continue
      const read = AnsweredReading.choiceOf(answer)
      if (read === undefined) continue
      const as = "map" in answer ? { as: { subject: `column ${name}`, choice: "productCode" } } : {}
      const id = `column ${name}`
      const known = this.columns.get(name) ?? { choice: { ...read, ...as, id }, texts: new Set<string>() }
      this.columns.set(name, known)
      if (known.texts.size < mostKept) known.texts.add(text)
    }
  }

  /** `asked`: whether the question for all was answered, and whether items were. */
  questions(asked: "all" | "items" | "none"): ReadonlyArray<OpenQuestion> {
    const items = [...this.items.values()].toSorted((a, b) => documentsOf(b) - documentsOf(a))
    if (items.length === 0 || asked === "none") return []
    return asked === "all" ? [this.ofAll(items)] : ofItems(items)
  }

  private ofAll(items: ReadonlyArray<SoldItem>): OpenQuestion {
    const short = items.filter((item) => padded(item) !== undefined)
    const rest = items.filter((item) => padded(item) === undefined)
    const columns = Array.from(this.columns, ([name, { choice, texts }]): Choice => ({
      ...choice,
      words: `the field "${name}" has the codes`,
      examples: [...texts].slice(0, 3),
      evidence: [`${[...texts].filter((text) => /^\d{8}$/.test(text)).length} of ${texts.size} values have 8 digits`]
    }))
    const restored: Choice = {
      ...plain,
      id: "restore",
      words: "a spreadsheet dropped the zero before codes of 7 or 3 digits: it is put back",
      examples: short.slice(0, 3).map((item) => `${item.text} → ${padded(item)}`),
      book: short.map((item) => editOf(item, padded(item)!))
    }
    const one: Choice = {
      ...plain,
      id: "typed",
      words: "one HS code for all lines without a code of their own",
      book: editsOf(rest),
      fill: fills.hsCode
    }
    return {
      ...of(items),
      documents: documentsOf(this),
      id: productCodesId,
      question: `The device wants an HS code for every line: the 8 digits that the customs tariff gives to a kind of goods. ${
        rest.every(({ by }) => by === "description") && short.length === 0 ? "Lines have none" : namesOf(items)
      }. Which is it?`,
      choices: [
        ...columns,
        ...(short.length === 0 ? [] : [restored]),
        ...(rest.length === 0 ? [] : [one]),
        // charges without a text are the other items
        ...(items.length === 1 ? [] : [eachItem(items.length)]),
        leaveOut
      ]
    }
  }
}

const namesOf = (items: ReadonlyArray<SoldItem>): string => {
  const codes = items.filter(({ by }) => by === "code").map(({ text }) => `"${text.slice(0, 40)}"`)
  const more = codes.length > 5 ? ` and ${codes.length - 5} more` : ""
  return `The export has other codes (${codes.slice(0, 5).join(", ")}${more})`
}

const of = (items: ReadonlyArray<SoldItem>): Omit<OpenQuestion, "id" | "question" | "choices"> => ({
  subject: "lines",
  file: null,
  documents: items.reduce((sum, item) => sum + documentsOf(item), 0),
  examples: [...new Set(items.flatMap(({ examples }) => [...examples]))].slice(0, 3),
  proposal: null
})

const ofItems = (items: ReadonlyArray<SoldItem>): ReadonlyArray<OpenQuestion> => {
  const each = items.filter(({ text }) => text !== "").slice(0, mostItems)
  const rest = items.filter((item) => !each.includes(item))
  return [
    ...each.map((item): OpenQuestion => {
      const zero = padded(item)
      return {
        ...of([item]),
        id: `${itemId}${item.text}`,
        question: `Which HS code has "${item.text}"?`,
        choices: [
          ...(zero === undefined
            ? []
            : [{ ...plain, id: zero, words: `${zero}, with the zero before it`, book: [editOf(item, zero)] }]),
          { ...plain, id: "typed", words: "its HS code", book: [editOf(item, typed)], fill: fills.hsCode },
          leaveOut
        ]
      }
    }),
    ...(rest.length === 0
      ? []
      : [
          {
            ...of(rest),
            id: others,
            question: `Which HS code have the ${rest.length} other items?`,
            choices: [
              { ...plain, id: "typed", words: "one for all of them", book: editsOf(rest), fill: fills.hsCode },
              leaveOut
            ]
          }
        ])
  ]
}

export const earlierAnswer = (
  { choices, id }: Pick<OpenQuestion, "choices" | "id">,
  answerOf: (subject: string) => string | undefined
): string | undefined => {
  const [short, other] = [answerOf("short-product-codes"), answerOf("item-codes")]
  if (id === productCodesId) return other ?? short
  if (!isOfItem(id)) return undefined
  const [first] = choices
  return first?.fill !== null ? other : short === "restore" ? first.id : short
}
