/** Spellings that the mapping book does not know, with choices from the device. */
import { BigDecimal, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as BookChoice from "../preflight/BookChoice.ts"
import type { DeviceFacts, DeviceTax } from "../preflight/DeviceFacts.ts"
import * as StatedWords from "../source/StatedWords.ts"
import { overlap, type UnmappedCode } from "../preflight/Unmapped.ts"
import { type Choice, leaveOut, type OpenQuestion, type QuestionEdit, typed } from "./OpenQuestion.ts"
import { eachItem } from "./ProductCodes.ts"
import type { Rate, WorkedOut } from "./WorkedOut.ts"
import { fills } from "./TypedText.ts"

export type CodesDevice = Pick<DeviceFacts, "taxes" | "currencies">

export interface OpenCode extends UnmappedCode {
  readonly key: string
  readonly lines?: "all" | "taxable" | "exempt" | "charges"
  /** Items of the lines, each once. */
  readonly items?: ReadonlyArray<string>
  /** Nth question about the items that are not asked one by one. */
  readonly others?: number
  /** `amounts`: only amounts of tax show which lines are meant; zero may be exempt or 0 %. */
  readonly by?: "amounts"
}

export const idOfLines = (lines: NonNullable<OpenCode["lines"]>): string =>
  lines === "charges" ? "tax of charges" : `tax of ${lines} lines`

export const idOfItem = (product: string): string => `tax of product ${product}`

/** The first questions are about the most frequent items, and one is about all others. */
export const idOfOthers = (lines: NonNullable<OpenCode["lines"]>, nth: number): string =>
  `${idOfLines(lines)} of other items${nth === 1 ? "" : ` ${nth}`}`

const exemptWord = /exempt|befreit|exon|exent|isent|vrijgesteld|esente/i

const zeroWord = /zero|null|nul\b|cero|0/i

const namedIn = (spelling: string): ReadonlyArray<string> => {
  const percent = /(\d{1,2}(?:[.,]\d{1,3})?)\s*%/.exec(spelling)?.[1]
  return percent === undefined ? [] : [percent.replace(",", ".")]
}

const plainPercent = (text: string): string =>
  Option.match(Money.parse(text), { onNone: () => text, onSome: Money.formatPlain })

interface CodeEvidence {
  readonly percents: ReadonlyArray<string>
  readonly texts: ReadonlyArray<string>
  readonly exempt: boolean
  readonly rates: ReadonlyArray<Rate>
  /** `amounts`: several percents, and the amount of each line shows its own. */
  readonly by?: "amounts"
}

/** True if the device's taxes of these percents follow each other. */
const isInTurn = (rates: ReadonlyArray<Rate>, device: CodesDevice | undefined): boolean => {
  const percents = new Set(rates.map(({ percent }) => percent))
  const taxes =
    device?.taxes?.filter(({ percent }) => percent !== null && percents.has(Money.formatPlain(percent))) ?? []
  return taxes.length > 1 && !overlap(taxes)
}

const evidenceOf = (code: OpenCode, rates: WorkedOut, device: CodesDevice | undefined): CodeEvidence => {
  const exempt = exemptWord.test(code.spelling) || (code.lines === "exempt" && code.by === undefined)
  const none = { exempt, rates: [] }
  const stated = [...new Set(code.percents.map(plainPercent))]
  if (stated.length > 0) return { ...none, percents: stated, texts: [`the export states ${stated.join(" % and ")} %`] }
  const named = namedIn(code.spelling).map(plainPercent)
  if (named.length > 0) return { ...none, percents: named, texts: [`its name says ${named.join()} %`] }
  const among = device?.taxes?.map(({ percent }) => (percent === null ? "0" : Money.formatPlain(percent)))
  const found = rates.ratesOf(code.key, among)
  const byName = exempt ? ["its name says exempt"] : []
  const isAsked = code.lines !== undefined && found.length !== 1 && !isInTurn(found, device)
  const several = isAsked ? rates.severalOf(code.key, among) : []
  if (several.length > 0) {
    const all = several.reduce((sum, { of }) => sum + of, 0)
    const [first, ...others] = several.map(({ of, percent }) => ({ of, percent }))
    const texts = [
      `${first!.of} of ${all} amounts work out at ${first!.percent} %`,
      ...others.map(({ of, percent }) => `${of} at ${percent} %`)
    ]
    return { ...none, by: "amounts", percents: several.map(({ percent }) => percent), texts: [texts.join(", ")] }
  }
  if (found.length === 0) return { ...none, percents: exempt ? ["0"] : [], texts: byName }
  const [only] = found
  const text =
    found.length === 1
      ? `${only!.of} of ${only!.of} amounts work out at ${only!.percent} %`
      : found.map(({ first, last, of, percent }) => `${of} from ${first} to ${last} at ${percent} %`).join(", ")
  return { exempt, rates: found, percents: found.map(({ percent }) => percent), texts: [text, ...byName] }
}

/**
 * The first day of the month in which a rate changes, if later than the last document of the old
 * rate; otherwise the first day of the new rate.
 */
const dayOfChange = (last: string, first: string): string => {
  const month = `${first.slice(0, 8)}01`
  return month > last ? month : first
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

const isSame = (a: Money.Money | null, b: Money.Money | null): boolean =>
  a === null || b === null ? a === b : BigDecimal.equals(a, b)

/**
 * Returns the taxes of an assumed device, used if no gateway is asked: the book's taxes and the
 * taxes that the export needs.
 */
export const ownDevice = (codes: ReadonlyArray<OpenCode>, book: MappingBook, rates: WorkedOut): CodesDevice => {
  const all = codes.filter(({ what }) => what === "tax").map((code) => evidenceOf(code, rates, undefined))
  const known = Array.from(
    new Map(book.taxes.map((tax) => [tax.device, tax])).values(),
    ({ device: id, name, percent, since, until }): DeviceTax => ({
      id,
      name,
      percent,
      since: since ?? null,
      until: until ?? null
    })
  )
  const add = (percent: Money.Money | null, since: string | null = null, until: string | null = null) => {
    const [from, to] = [since as CivilDate | null, until as CivilDate | null]
    if (known.some((tax) => isSame(tax.percent, percent) && tax.since === from && tax.until === to)) return
    known.push({ id: Math.max(0, ...known.map(({ id }) => id)) + 1, name: null, percent, since: from, until: to })
  }
  for (const { exempt, percents, rates } of all) {
    const [before, after] = rates
    const change = before === undefined || after === undefined ? undefined : dayOfChange(before.last, after.first)
    percents.forEach((text, i) => {
      const percent = Option.getOrUndefined(Money.parse(text))
      if (percent === undefined) return
      if (change === undefined) add(percent)
      else add(percent, i === 0 ? null : change, i === 0 ? dayBefore(change) : null)
    })
    // only the operator knows whether a spelling without a tax is exempt or 0 %, another tax
    if (exempt || percents.length === 0 || percents.includes("0")) {
      add(Money.zero)
      add(null)
    }
  }
  return { taxes: known, currencies: null }
}

const questionOf = (code: OpenCode): Pick<OpenQuestion, "id" | "question"> => {
  const { account, by, items = [], lines, others, product, spelling, what } = code
  if (lines !== undefined && others !== undefined)
    return { id: idOfOthers(lines, others), question: `Which tax have the lines of ${items.length} other items?` }
  if (what === "currency") return { id: `currency ${spelling}`, question: `Which currency is "${spelling}"?` }
  if (what === "payment method")
    return { id: `payment ${spelling}`, question: `Which payment method is "${spelling}"?` }
  if (spelling !== "") return { id: `tax ${spelling}`, question: `Which tax of the device is "${spelling}"?` }
  if (by !== undefined && lines !== undefined && lines !== "all")
    return {
      id: idOfLines(lines),
      question: `Which tax have lines ${lines === "exempt" ? "whose amount of tax is 0" : "with an amount of tax and no name for it"}?`
    }
  if (lines === "taxable" || lines === "exempt")
    return { id: idOfLines(lines), question: `Which tax have lines that the export states to be ${lines}?` }
  if (lines === "charges")
    return { id: idOfLines(lines), question: "Which tax have charges beside the lines, as shipping, that state none?" }
  if (lines === "all") return { id: idOfLines(lines), question: "Lines state no tax. Which tax do all of them have?" }
  return product === undefined
    ? { id: `tax of account ${account}`, question: `Which tax have lines of account "${account}"? They state none` }
    : { id: idOfItem(product), question: `Which tax have lines of product "${product}"? They state none` }
}

const plain = { examples: [], evidence: [], reading: null, fill: null }

const taxChoices = (
  code: OpenCode,
  book: MappingBook,
  device: CodesDevice,
  evidence: CodeEvidence,
  mapped: ReadonlyArray<BookChoice.MappedTax>
) => {
  const asked: UnmappedCode = { ...code, percents: evidence.percents }
  const choices = BookChoice.of(asked, book, device, mapped).map(({ edits, id, standing, words }) => {
    const isExempt = edits.every((edit) => edit.what === "tax" && edit.percent === null)
    return {
      standing,
      isExempt,
      choice: {
        ...plain,
        id,
        words,
        evidence: standing === "fits" ? evidence.texts : [],
        book: edits.map((edit) => (edit.what === "tax" && code.lines ? { ...edit, lines: code.lines } : edit))
      } satisfies Choice
    }
  })
  const ofAmounts = evidence.by === undefined ? undefined : byAmounts(choices, evidence)
  if (ofAmounts !== undefined) return { choices: [ofAmounts], proposal: ofAmounts.id, isOpen: false }
  const fitting = evidence.percents.length === 0 ? [] : choices.filter(({ standing }) => standing === "fits")
  // a device may have both 0 % and exempt: only a word or a stated percent decides between them
  const isNamed = evidence.exempt || code.percents.length > 0 || zeroWord.test(code.spelling)
  const right = fitting.filter(({ isExempt }) => isNamed && isExempt === evidence.exempt)
  const several = fitting.find(({ choice }) => choice.id.includes("+"))
  const one = several ?? (fitting.length === 1 ? fitting[0] : right.length === 1 ? right[0] : undefined)
  // a tax of another percent contradicts the file
  const offered = fitting.length > 0 ? fitting : choices
  return {
    choices: offered.map(({ choice }) => choice),
    proposal: one?.choice.id ?? null,
    isOpen: fitting.length === 0
  }
}

interface TaxChoice {
  readonly standing: BookChoice.BookChoice["standing"]
  readonly isExempt: boolean
  readonly choice: Choice
}

/** Returns one choice for all percents: the amount of each line shows its tax. */
const byAmounts = (all: ReadonlyArray<TaxChoice>, { percents, texts }: CodeEvidence): Choice | undefined => {
  const fitting = all.filter(
    ({ choice, isExempt, standing }) => standing === "fits" && !isExempt && choice.book.length === 1
  )
  if (fitting.length !== percents.length) return undefined
  return {
    ...plain,
    id: fitting.map(({ choice }) => choice.id).join("+"),
    words: `${fitting.map(({ choice }) => choice.words).join(" or ")}, as the amount of each line works out`,
    evidence: texts,
    book: fitting.flatMap(({ choice }) =>
      choice.book.map((edit) => (edit.what === "tax" ? { ...edit, lines: "amounts" as const } : edit))
    )
  }
}

const currencyChoices = (code: OpenCode, book: MappingBook, device: CodesDevice) => {
  const own = code.spelling.toUpperCase()
  const itself = { what: "currency" as const, spelling: code.spelling, code: own, device: own }
  const isCode = StatedWords.isCurrencyCode(own)
  const all = BookChoice.of(code, book, device).map(({ edits, id, words }): Choice => ({
    ...plain,
    id,
    words,
    book: edits
  }))
  // a currency code is itself: any other one would be another amount
  const known = isCode ? all.filter(({ id }) => id === own) : all
  const choices =
    isCode && device.currencies === null && known.length === 0
      ? [{ ...plain, id: own, words: own, book: [itself] } satisfies Choice]
      : known
  const open: Choice = {
    ...plain,
    id: "typed",
    words: "another currency",
    book: [{ what: "currency", spelling: code.spelling, code: typed, device: typed }],
    fill: fills.currency
  }
  return {
    choices: device.currencies === null && !isCode ? [...choices, open] : choices,
    proposal: choices.find(({ id }) => id === own)?.id ?? null,
    isOpen: false
  }
}

const typedPercent = "typed"

const typedTax = (code: OpenCode, id: number): Choice => {
  const { account, lines, product, spelling } = code
  const edit = {
    what: "tax" as const,
    spelling,
    code: spelling === "" ? `TAX-${id}` : spelling,
    device: id,
    name: null
  }
  return {
    ...plain,
    id: typedPercent,
    words: "a tax of another percent",
    book: [{ ...edit, percent: typed, since: null, until: null, account, product, ...(lines && { lines }) }],
    fill: fills.percent
  }
}

/** Returns the edits of the answers. Lines without a name for their tax share one of a percent. */
export const editsOf = (choices: ReadonlyArray<Choice>): ReadonlyArray<QuestionEdit> => {
  const first = new Map<string | null, { readonly code: string; readonly device: number }>()
  return choices.flatMap(({ book, id }) =>
    book.map((edit) => {
      if (edit.what !== "tax" || edit.spelling !== "" || id !== typedPercent) return edit
      const { code, device } = first.get(edit.percent) ?? edit
      first.set(edit.percent, { code, device })
      return { ...edit, code, device }
    })
  )
}

/**
 * Returns an unused tax id on an assumed device for each code, so that two typed taxes never share
 * an id.
 */
export const typedIds = (codes: ReadonlyArray<OpenCode>, device: CodesDevice): ReadonlyMap<OpenCode, number> => {
  const next = Math.max(0, ...(device.taxes ?? []).map(({ id }) => id)) + 1
  return new Map(codes.map((code, i) => [code, next + i]))
}

const hasItems = ({ items = [] }: OpenCode): boolean => items.length > 1 && !items.includes("")

export interface CodeFacts {
  readonly book: MappingBook
  readonly device: CodesDevice
  /** Codes that the gateway maps already; preferred to new codes. */
  readonly mapped: ReadonlyArray<BookChoice.MappedTax>
  readonly rates: WorkedOut
}

/**
 * Returns the question about a spelling. `typedId`: tax id for a typed percent on an assumed
 * device; undefined for a gateway's device, whose taxes are fixed.
 */
export const of = (
  code: OpenCode,
  { book, device, mapped, rates }: CodeFacts,
  typedId: number | undefined
): OpenQuestion => {
  const isTax = code.what === "tax"
  const { choices, isOpen, proposal } = isTax
    ? taxChoices(code, book, device, evidenceOf(code, rates, device), mapped)
    : code.what === "currency"
      ? currencyChoices(code, book, device)
      : paymentChoices(code, book, device)
  return {
    ...questionOf(code),
    subject: isTax ? "tax" : code.what === "currency" ? "currency" : "documents",
    file: null,
    documents: code.documents,
    examples: code.examples,
    choices: [
      ...choices,
      ...(isOpen && typedId !== undefined ? [typedTax(code, typedId)] : []),
      ...(hasItems(code) ? [eachItem(code.items!.length)] : []),
      leaveOut
    ],
    proposal
  }
}

/** More spellings of one kind are one question for each group with the same choices. */
const mostSpelled = 20

interface AskedCode {
  readonly code: OpenCode
  readonly question: OpenQuestion
}

/** Returns the questions about all spellings. `kept`: the spellings that are not all known. */
export const all = (
  codes: ReadonlyArray<OpenCode>,
  facts: CodeFacts,
  typedIds: ReadonlyMap<OpenCode, number> | undefined,
  kept: "all" | "some"
): ReadonlyArray<AskedCode & { readonly codes: ReadonlyArray<OpenCode> }> => {
  const kinds = Map.groupBy(codes, ({ spelling, what }) => (spelling === "" ? "blank" : what))
  return [...kinds].flatMap(([kind, ofKind]) => {
    const asked = (code: OpenCode, typedId = typedIds?.get(code)) => ({ code, question: of(code, facts, typedId) })
    if (kind === "blank" || ofKind.length <= mostSpelled)
      return ofKind.map((code) => ({ ...asked(code), codes: [code] }))
    if (kept === "some") return [{ ...tooMany(ofKind.map((code) => asked(code))), codes: ofKind }]
    const typedId = typedIds?.get(ofKind[0]!)
    const each = ofKind.map((code) => asked(code, typedId))
    const groups = Map.groupBy(each, ({ question: { choices, proposal } }) =>
      JSON.stringify([proposal, choices.map(({ evidence, id }) => [id, evidence.length])])
    )
    return Array.from(groups.values(), (group) => ({ ...together(group), codes: group.map(({ code }) => code) }))
  })
}

const together = (group: ReadonlyArray<AskedCode>): AskedCode => {
  const [first, ...others] = group as readonly [AskedCode, ...ReadonlyArray<AskedCode>]
  if (others.length === 0) return first
  const named = namedTogether(group)
  return {
    code: first.code,
    question: {
      ...first.question,
      id: `${first.question.id} and ${others.length} more`,
      question: `${questionOf(first.code).question.split(" is ")[0]} are ${named}?`,
      documents: group.reduce((sum, { question: { documents } }) => sum + documents, 0),
      choices: first.question.choices.map((choice, i) => ({
        ...choice,
        book: group.flatMap(({ question: { choices } }) => choices[i]?.book ?? [])
      }))
    }
  }
}

const namedTogether = (group: ReadonlyArray<AskedCode>): string => {
  const shown = group.slice(0, 3).map(({ code: { spelling } }) => `"${spelling}"`)
  const more = group.length - shown.length
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`
}

/** A column with so many spellings does not state what it is read as. */
const tooMany = (group: ReadonlyArray<AskedCode>): AskedCode => {
  const { code, question } = together(group)
  return {
    code,
    question: {
      ...question,
      id: `${code.what} spellings`,
      question: `More than ${group.length} spellings of a ${code.what} are not known, as ${namedTogether(group)}. Such a column states something else: change the answer about it`,
      choices: [leaveOut],
      proposal: null
    }
  }
}

const paymentChoices = (code: OpenCode, book: MappingBook, device: CodesDevice) => {
  const all = BookChoice.of(code, book, device)
  return {
    choices: all.map(({ edits, id, words }): Choice => ({ ...plain, id, words, book: edits })),
    proposal: all.find(({ standing }) => standing === "fits")?.id ?? null,
    isOpen: false
  }
}
