/**
 * A clerk who knows the truth about a firm's table, and answers the questions of a conversation by
 * meaning. A lying clerk gives one wrong answer.
 */
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvFormat"
import * as ColumnQuestions from "../../packages/core/src/question/ColumnQuestions.ts"
import * as AnsweredReading from "../../packages/core/src/question/AnsweredReading.ts"
import * as Conversation from "../../packages/core/src/question/Conversation.ts"
import { leaveOut, type OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import type * as Questions from "../../packages/core/src/question/Questions.ts"
import { Effect, Stream } from "effect"
import { type Firm, linesOf } from "./Firm.ts"
import { type Column, words } from "./Languages.ts"
import type { Written } from "./Layouts.ts"

/** Meaning of each column in an answer; a column of another kind is not used. */
const meanings = ({ traits }: Firm): { readonly [Of in Column]?: string } => ({
  number: "number",
  date: "date",
  buyer: "customerName",
  taxId: "customerTin",
  currency: "currency",
  kind: "kind",
  original: "original",
  reason: "reason",
  text: "description",
  quantity: "quantity",
  price: "unitPrice",
  discount: "discountPercent",
  taxName: "tax.code",
  taxPercent: "tax.percent",
  lineTax: "tax.amount",
  shipping: "shipping",
  net: "net",
  tax: "tax",
  total: "total",
  ...(traits.prices === "net" ? { lineNet: "lineAmount", lineGross: "lineTotal" } : { lineGross: "lineAmount" })
})

/** Facts that do not depend on the file. */
const facts: { readonly [id: string]: string } = {
  // the row of sums; without a first cell, it can only be left out
  CSV_TOTAL_ROW_UNSURE: "skip",
  CSV_KEY_MISSING: leaveOut.id,
  zone: "+02:00",
  currency: "USD",
  "currency USD": "USD",
  "currency $": "USD",
  rounding: "as-inclusive",
  charges: "as-line-taxed-like-lines",
  "unit-prices": "from-line-amount",
  "product-codes": "12345678",
  "buyers-without-number": "cash-sale"
}

/** Returns the percents of the lines that a question is about; undefined for another question. */
const taxesOf = (
  { documents }: Firm,
  { isUnnamed = () => true }: Pick<Written, "isUnnamed">,
  id: string
): ReadonlyArray<number> | undefined => {
  if (id === "tax of charges") return [15]
  const [, which] = /^tax of (all|taxable|exempt) lines(?: of other items)?/.exec(id) ?? []
  const [, item] = /^tax of product (.*)$/.exec(id) ?? []
  if (which === undefined && item === undefined) return undefined
  const lines = documents.flatMap((sale) => linesOf(sale)).filter(isUnnamed)
  const own = item === undefined ? lines : lines.filter(({ text }) => text === item)
  return [...new Set(own.map(({ tax }) => tax.percent))].filter(
    (percent) => which === undefined || which === "all" || percent > 0 === (which === "taxable")
  )
}

const hasPercent = (words: string, percent: number): boolean => new RegExp(`(?:^|or )${percent} %`).test(words)

/** Returns the true answer; undefined if the clerk finds none among the answers. */
export const truth = (firm: Firm, file: Written) => {
  const meaning = meanings(firm)
  const columnOf = (field: string) => file.columns.find(({ is }) => meaning[is] === field)?.name
  const { dates, decimalMark, headerRow } = file.writing!
  const { invoice, note } = words[firm.traits.language]
  return ({ choices, id, proposal }: OpenQuestion): string | undefined => {
    const has = (answer: string | undefined) => choices.find((choice) => choice.id === answer)?.id
    if (id === ColumnQuestions.headerLine) return has(String(headerRow))
    const field = ColumnQuestions.fieldOf(id)
    if (field !== undefined) return has(choices.find(({ id }) => id === columnOf(field))?.id ?? "none")
    const column = file.columns.find(({ name }) => ColumnQuestions.idOf(name) === id)
    if (column !== undefined) return has(meaning[column.is] ?? ColumnQuestions.notUsed)
    const tax = firm.taxes.find(({ name }) => id === `tax ${name}`)
    if (tax !== undefined) {
      const stated = choices.find(({ words }) => words.startsWith(`${tax.percent} %`))
      return stated?.id ?? (choices.some(({ fill }) => fill !== null) ? `${tax.percent} %` : undefined)
    }
    const taxes = taxesOf(firm, file, id)
    if (taxes !== undefined) {
      const stated = choices.find(({ words }) => taxes.every((percent) => hasPercent(words, percent)))
      return (
        stated?.id ??
        (taxes.length === 1 && choices.some(({ fill }) => fill !== null) ? `${taxes[0]} %` : has("each-item"))
      )
    }
    const kind = [invoice, note].find((word) => id === `CSV_KIND_UNKNOWN ${word}`)
    if (kind !== undefined) return has(`${kind}=${kind === invoice ? "invoice" : "credit-note"}`)
    if (id === "amounts") return has(firm.traits.prices === "net" ? "exclusive" : "inclusive")
    if (id === "dates" || id.startsWith("dates ")) return has(dates)
    if (id === "decimalMark") return has(decimalMark === "." ? "point" : "comma")
    return facts[id] ?? proposal ?? undefined
  }
}

/** Columns that show how the firm rounded a tax. */
const ofRounding: ReadonlySet<Column> = new Set<Column>(["tax", "total", "lineTax", "lineGross"])

/**
 * Returns true if a table states how tax was rounded. Without it, a total may differ by a cent, and
 * the plan names both.
 */
export const isWitnessed = ({ columns }: Written): boolean => columns.some(({ is }) => ofRounding.has(is))

/** Returns true if a table states what each document comes to, so that a wrong charge shows. */
export const statesTotal = ({ columns }: Written): boolean => {
  const has = (one: Column) => columns.some(({ is }) => is === one)
  return has("total") || (has("net") && has("tax"))
}

export interface Asked {
  readonly question: OpenQuestion
  readonly answer: string
}

export interface Conversed {
  readonly asked: ReadonlyArray<Asked>
  /** Questions without a true answer, and reasons why the conversation did not end. */
  readonly misses: ReadonlyArray<string>
  /** Subjects that lost their meaning to another one, and were asked again. */
  readonly again: ReadonlyArray<string>
  readonly state: Conversation.ConversationState
  readonly options: CsvOptions
  readonly book: string
}

/** Returns the wrong answers that the questions offer. To leave documents out is not wrong. */
export const liesIn = (asked: ReadonlyArray<Asked>): ReadonlyArray<Asked> =>
  asked.flatMap(({ answer, question }) =>
    question.choices.flatMap(({ fill, id }) =>
      fill !== null || id === answer || id === leaveOut.id ? [] : [{ question, answer: id }]
    )
  )

/** More groups than an honest export needs. */
const most = 40

/** Holds a conversation to its end. `answerOf`: undefined if the clerk has no answer. */
export const converse = (
  file: Written,
  answerOf: (question: OpenQuestion) => string | undefined,
  begun = Conversation.begin()
) =>
  Effect.gen(function* () {
    const asking: Questions.Asking<CsvOptions> = {
      adapter: csv,
      input: { files: [{ name: file.name, bytes: Stream.succeed(file.bytes) }] },
      options: {},
      zones: ["UTC"],
      columns: ColumnQuestions.ofFirst(csv.table!)
    }
    const asked: Array<Asked> = []
    const misses: Array<string> = []
    const again: Array<string> = []
    let state = begun
    for (let i = 0; ; i++) {
      const next = yield* Conversation.next(asking, state)
      state = next.state
      if (next._tag === "Stopped") misses.push(`stopped: ${next.error.message}`)
      if (next._tag !== "Group" || i === most) break
      for (const { id } of next.questions) {
        const question = Conversation.openIn(state, next.questions).find((one) => one.id === id)
        if (question === undefined) continue
        const answer = answerOf(question)
        const text = answer ?? (question.subject === "columns" ? ColumnQuestions.notUsed : leaveOut.id)
        if (answer === undefined) misses.push(`${id}: ${question.choices.map((choice) => choice.id).join(", ")}`)
        const answered = Conversation.answer(state, id, text)
        if (answered._tag === "Failure") {
          misses.push(`${id}: ${text} ${answered.failure}`)
          return { asked, misses, again, state, options: {}, book: "" } satisfies Conversed
        }
        asked.push({ question, answer: text })
        again.push(...answered.success.again)
        state = answered.success.state
      }
    }
    const options = AnsweredReading.laidAll(csv, asking.options, Conversation.readingsOf(state))
    return { asked, misses, again, state, options, book: Conversation.bookOf(asking, state) } satisfies Conversed
  })
