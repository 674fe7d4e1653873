/**
 * Applies answers to the options of an adapter, and turns an adapter's questions into open
 * questions.
 */
import type { Answer } from "../finding/Answer.ts"
import type { Adapter, Question } from "../source/Adapter.ts"
import { type Choice, type OpenQuestion, typed } from "./OpenQuestion.ts"
import { fills } from "./TypedText.ts"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const joined = new Set(["unread", "rowAmounts"])

export const over = (base: unknown, given: unknown, name = ""): unknown =>
  isRecord(base) && isRecord(given)
    ? {
        ...base,
        ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, over(base[key], value, key)]))
      }
    : !Array.isArray(base) || !Array.isArray(given)
      ? given
      : joined.has(name)
        ? [...new Set([...base, ...given])]
        : name === "taxes"
          ? [over(base[0], given[0]), ...base.slice(1)]
          : given

export const without = (value: unknown, written: unknown): unknown => {
  if (Array.isArray(value) && Array.isArray(written)) {
    const left = value.flatMap((one: unknown, i) => {
      if (typeof one === "string") return written.includes(one) ? [] : [one]
      return [without(one, written[i])]
    })
    return left.length === 0 ? undefined : left
  }
  if (!isRecord(value) || !isRecord(written)) return value === written ? undefined : value
  const entries = Object.entries(value).map(([key, each]) => [key, key in written ? without(each, written[key]) : each])
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

type OptionsReader<Options> = Pick<Adapter<Options>, "optionsOf">

export const laid = <Options>(
  adapter: OptionsReader<Options>,
  options: Options,
  answer: Answer
): Options | undefined => {
  const given: unknown =
    adapter.optionsOf !== undefined ? adapter.optionsOf(answer) : "settings" in answer ? answer.settings : undefined
  return given === undefined ? undefined : (over(options, given) as Options)
}

export const laidAll = <Options>(
  adapter: OptionsReader<Options>,
  options: Options,
  answers: ReadonlyArray<Answer>
): Options => answers.reduce((all, answer) => laid(adapter, all, answer) ?? all, options)

const fillOf: { readonly [ask: string]: string } = {
  currency: fills.currency,
  year: fills.year,
  headerLine: fills.line,
  delimiter: fills.delimiter,
  encoding: "its name, such as windows-1250, iso-8859-2, macintosh or ibm850",
  dates: fills.dates,
  sheet: "the sheet's name"
}

/** Questions whose answers are no options: they are in a separate file or concern one document. */
const elsewhere = new Set(["columns", "original", "originals"])

const plain = { examples: [], evidence: [], book: [], fill: null }

const idOf = (value: unknown): string =>
  isRecord(value)
    ? Object.entries(value)
        .map(([key, each]) => `${key}=${idOf(each)}`)
        .join(",")
    : String(value)

/**
 * Returns the answer as a choice; undefined if the operator must write the answer in another file.
 */
export const choiceOf = (answer: Answer, words?: string, examples: ReadonlyArray<string> = []): Choice | undefined => {
  if ("ask" in answer) {
    if (elsewhere.has(answer.ask)) return undefined
    return {
      ...plain,
      id: "typed",
      words: words ?? `what you type for ${answer.ask}`,
      examples,
      reading: { settings: { [answer.ask]: typed } },
      fill: fillOf[answer.ask] ?? answer.ask
    }
  }
  const content = "settings" in answer ? answer.settings : "layout" in answer ? answer.layout : answer.map
  const id = isRecord(content)
    ? Object.entries(content)
        .filter(([name]) => name !== "version")
        .map(([, value]) => idOf(value))
        .join(" ")
    : idOf(content)
  return { ...plain, id, words: words ?? textOf(content), examples, reading: answer }
}

/** Words for fields of a column map; others have a name that says it. */
const fieldWords: { readonly [field: string]: string } = {
  customerName: "the buyer's name",
  customerTin: "the buyer's TIN",
  customerVat: "the buyer's VAT number",
  discount: "a discount of its row",
  discountPercent: "a discount in percent",
  documentDiscount: "a discount of the whole document",
  original: "the number of the invoice that a note credits",
  productCode: "the HS code",
  total: "the document's total"
}

/** Words for settings whose name and value do not say it. */
const settingWords: { readonly [setting: string]: string } = {
  "controlCharacters=blank": "each of these characters is replaced by a blank",
  "debitNotes=invoice": "a debit note is an invoice",
  "debitNotes=skip": "a debit note is not a sale: skip it",
  "hiddenRows=read": "hidden rows count",
  "hiddenRows=skip": "hidden rows do not count: skip them",
  "negativeTotals=credit-note": "a document with a negative total is a credit note",
  "refundedSales=issued": "the sale was issued, and its refund is another document",
  "refundNumbers=suffix": "a refund gets the number of its sale with -R and its day",
  "repeatedRows=drop": "the row was written twice: it counts once",
  "repeatedRows=keep": "each of the equal rows counts",
  "shortRows=pad": "the missing cells are blank",
  "times=instant": "the day on which the instant is at the business",
  "times=written-day": "the day as it is written",
  "totalRows=lines": "such a row is a line of its document",
  "totalRows=skip": "such a row is not a line of a document: skip it",
  "unknownBuyers=walk-in": "a buyer with only an id is a cash customer"
}

/** Words for the meaning of a value. */
const meantWords: { readonly [meaning: string]: string } = {
  invoice: "an invoice",
  "credit-note": "a credit note",
  issued: "a document that was issued",
  refunded: "a document that was issued, and its money returned",
  skip: "no issued sale: skip the document"
}

const plainly = (content: Readonly<Record<string, unknown>>): string | undefined => {
  const { columns, layout, productCode, rowAmounts, serialDates, tin, unmapped, unnumberedRows, unread, vatNumber } =
    content
  if (tin !== undefined) return `${idOf(tin)} is the buyer's TIN`
  if (vatNumber !== undefined) return `${idOf(vatNumber)} is the buyer's VAT number`
  if (productCode !== undefined)
    return `${idOf(productCode)} is the HS code, or a spelling in productCodes of the mapping book`
  if (layout === "continuation") return "a row without a number belongs to the document above it"
  if (unnumberedRows === "skip") return "a row without a number belongs to no document, as an opening balance: skip it"
  if (serialDates !== undefined) return `days are counted from ${idOf(serialDates)}`
  if (unmapped === "unread") return "it is left unread, and defaults of the mapping book are sent instead"
  if (Array.isArray(unread)) return `${unread.map((name) => JSON.stringify(name)).join(", ")} is left unread`
  if (Array.isArray(rowAmounts))
    return `${rowAmounts.map((name) => JSON.stringify(name)).join(", ")} is the amount of each row`
  const [setting, ...further] = Object.entries(content)
  const worded = setting && further.length === 0 && settingWords[`${setting[0]}=${idOf(setting[1])}`]
  if (worded) return worded
  const [meant, ...more] = [content["kinds"], content["statuses"]].flatMap((of) =>
    isRecord(of) ? Object.entries(of) : []
  )
  if (meant !== undefined && more.length === 0)
    return `${JSON.stringify(meant[0])} means ${meantWords[idOf(meant[1])] ?? idOf(meant[1])}`
  const [named, ...others] = isRecord(columns) ? Object.entries(columns) : []
  return named === undefined || others.length > 0
    ? undefined
    : `${JSON.stringify(named[1])} is ${fieldWords[named[0]] ?? `read as ${named[0]}`}`
}

const textOf = (content: unknown): string =>
  isRecord(content) ? (plainly(content) ?? listed(content)) : `read as ${idOf(content)}`

const listed = (content: Readonly<Record<string, unknown>>): string =>
  Object.entries(content)
    .filter(([name]) => name !== "version")
    .map(([name, value]) => `${name}: ${idOf(value)}`)
    .join(", ")

export const fromAdapter = ({ file, id, proposal, question, readings, subject }: Question): OpenQuestion => ({
  id,
  subject: subject ?? (id === "currency" ? "currency" : id === "amounts" ? "amounts" : "file"),
  file,
  question,
  documents: 0,
  examples: [],
  choices: readings.flatMap(({ answer, examples, id: own, reading }) => {
    const choice = choiceOf(answer, reading, examples)
    return choice === undefined ? [] : [{ ...choice, id: own ?? choice.id }]
  }),
  proposal: proposal ?? null
})
