/**
 * All open questions about an export at once. Reads the export with known or most likely answers,
 * so that a later question need not wait for an earlier answer.
 */
import { BigDecimal, Effect, Result, Stream } from "effect"
import type { Answer } from "../finding/Answer.ts"
import type { Finding } from "../finding/Finding.ts"
import * as BookEditing from "../mapping/BookEditing.ts"
import * as BookFile from "../mapping/BookFile.ts"
import { itemOf, type MappingBook } from "../mapping/MappingBook.ts"
import type { MappedTax } from "../preflight/BookChoice.ts"
import * as Unmapped from "../preflight/Unmapped.ts"
import type { DeviceFacts } from "../preflight/DeviceFacts.ts"
import type { Adapter, AdapterError, AskedColumns, Input } from "../source/Adapter.ts"
import * as ExportContents from "./ExportContents.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument, SourceLine } from "../source/SourceDocument.ts"
import { translate } from "../translate/translate.ts"
import type { BlankFlagOf } from "../translate/LineTax.ts"
import * as WordCheck from "../translate/WordCheck.ts"
import { Amounts, amountsCode, amountsId } from "./Amounts.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import * as CodeQuestions from "./CodeQuestions.ts"
import * as ColumnQuestions from "./ColumnQuestions.ts"
import * as FieldQuestions from "./FieldQuestions.ts"
import { FindingQuestions, ofUnread, RowQuestions } from "./FindingQuestions.ts"
import { type Choice, filled, leaveOut, type OpenQuestion, placeholder, subjects, typed } from "./OpenQuestion.ts"
import { UnwitnessedTotals } from "../translate/UnwitnessedTotals.ts"
import { type PolicyQuestion, policyQuestions, productCodesId } from "./PolicyQuestions.ts"
import * as OriginalQuestions from "./OriginalQuestions.ts"
import * as ProductCodes from "./ProductCodes.ts"
import * as Trials from "./Trials.ts"
import { WorkedOut } from "./WorkedOut.ts"
import { fills } from "./TypedText.ts"

export interface Asking<Options> {
  readonly adapter: Adapter<Options>
  readonly input: Input
  readonly options: Options
  readonly book?: { readonly file: string; readonly text: string; readonly fetchBase?: BookFile.FetchBase } | undefined
  /** Initial text of a new book: the gateway's current mappings. Default: only the zone. */
  readonly draft?: string | undefined
  /**
   * Taxes and currencies of the device. Undefined without a gateway: the taxes are then derived
   * from the export.
   */
  readonly device?: (CodeQuestions.CodesDevice & Partial<Pick<DeviceFacts, "creditWithoutOriginal">>) | undefined
  /** Tax codes that the gateway maps already; choices prefer them to new codes. Default: none. */
  readonly mapped?: ReadonlyArray<MappedTax> | undefined
  readonly zones: readonly [string, ...ReadonlyArray<string>]
  /** `asked`: the zone of the book is asked again. Default: asked without a book only. */
  readonly zone?: "asked"
  /**
   * HS codes to ask for. `items`: the question for all lines is answered, and each item without a
   * code is asked. `none`: items were asked, too. Default: `all`.
   */
  readonly productCodes?: "all" | "items" | "none"
  /** Choices of settled questions: the items of lines without a tax may be asked one by one. */
  readonly settled?: ReadonlyMap<string, { readonly choice: Choice }>
  /** Notes without an original to ask about: many at once, each, or none. Default: `all`. */
  readonly originals?: "all" | "each" | "none"
  readonly columns?: (input: Input, options: Options) => Effect.Effect<AskedColumns, AdapterError>
}

export interface OpenedQuestions {
  readonly questions: ReadonlyArray<OpenQuestion>
  /**
   * Contents of the export, read with the likeliest answers; undefined if the export cannot be read
   * before an answer.
   */
  readonly contents: ExportContents.ExportContents | undefined
  readonly unsettled: ReadonlyArray<{
    readonly finding: Finding
    readonly documents: number
    readonly examples: ReadonlyArray<string>
  }>
}

/** An adapter's questions may lead to further questions, but more rounds do not bring progress. */
const mostRounds = 6

/**
 * Nothing is assumed about what a file is, because every other question depends on it, and about a
 * column whose statement nothing reads.
 */
export const provisional = (question: OpenQuestion): Choice | undefined => {
  if (question.subject === "contents" || ColumnQuestions.isUnread(question)) return undefined
  const choice =
    question.choices.find(({ id }) => id === question.proposal) ??
    question.choices.find(({ id }) => id === FieldQuestions.none) ??
    question.choices.find(({ id }) => id !== leaveOut.id)
  if (choice?.fill == null) return choice
  return filled(choice, question.subject === "currency" ? placeholder : question.id === "year" ? "2026" : "15")
}

export const bookText = ({ book, draft, zones }: Pick<Asking<never>, "book" | "draft" | "zones">): string =>
  book?.text ?? draft ?? BookEditing.blank(zones[0])

const loaded = ({ book }: Pick<Asking<never>, "book">, text: string) =>
  BookFile.load(book?.file ?? "the mapping book", text, book?.fetchBase)

/**
 * Collects all questions. Fails if the export cannot be read with any answer, or if the existing
 * book cannot be used.
 */
export const open = <Options>(
  asking: Asking<Options>
): Effect.Effect<OpenedQuestions, AdapterError | BookFile.BookError> =>
  Effect.gen(function* () {
    const text = bookText(asking)
    const book = yield* loaded(asking, text)
    const ofFiles: Array<OpenQuestion> = []
    const ofZone = asking.book === undefined || asking.zone === "asked" ? [zoneQuestion(asking.zones)] : []
    const isAsked = ({ id }: OpenQuestion) => ofFiles.some((known) => known.id === id)
    let options = asking.options
    let fields: "open" | "asked" = "open"
    for (let round = 0; round < mostRounds + 1; round++) {
      const seen = yield* Effect.result(look(asking, options, book))
      if (Result.isSuccess(seen)) {
        const ofRows = seen.success.rows.questions().filter((question) => !isAsked(question))
        if (ofRows.length > 0 && round < mostRounds) {
          // the meaning of the rows decides the contents of their documents
          ofFiles.push(...ofRows)
          const answers = ofRows.flatMap((question) => provisional(question)?.reading ?? [])
          options = AnsweredReading.laidAll(asking.adapter, options, answers)
          continue
        }
        const amounts = seen.success.amounts.question()
        const answer = amounts === undefined ? undefined : provisional(amounts)?.reading
        if (amounts !== undefined) {
          // evidence from the sums replaces the adapter's own question, which was asked before
          // reading
          const at = ofFiles.findIndex(({ id }) => id === amounts.id)
          if (at === -1) ofFiles.push(amounts)
          else
            ofFiles[at] = { ...amounts, choices: ofFiles[at]!.choices.map((choice) => withEvidence(choice, amounts)) }
          const laid = answer == null ? undefined : AnsweredReading.laid(asking.adapter, options, answer)
          if (laid !== undefined && round < mostRounds) {
            options = laid
            continue
          }
        }
        const ofFields = fields === "open" ? yield* FieldQuestions.ask({ ...asking, options }, book) : []
        fields = "asked"
        if (ofFields.length > 0) {
          ofFiles.push(...ofFields)
          const answers = ofFields.flatMap((question) => provisional(question)?.reading ?? [])
          options = AnsweredReading.laidAll(asking.adapter, options, answers)
          // the newly read fields may contain unknown spellings: read again without counting a
          // round
          round -= 1
          continue
        }
        const rest = yield* ofDocuments({ ...asking, options }, text, book, seen.success)
        return {
          ...rest,
          questions: ordered([...ofFiles, ...ofZone, ...rest.questions.filter((one) => !isAsked(one))])
        }
      }
      const asked = yield* questionsOf(asking, options, seen.failure)
      const ofContents = asked.filter(({ subject }) => subject === "contents")
      if (ofContents.length > 0) return { questions: ofContents, contents: undefined, unsettled: [] }
      const isNew = asked.some((question) => !isAsked(question))
      ofFiles.push(...asked.filter((question) => !isAsked(question)))
      // without the columns, every further question would be about the wrong cells
      if (asked.some(({ proposal, subject }) => subject === "columns" && proposal === null)) break
      const answers = asked
        .filter(({ id }) => id !== amountsId)
        .map((question) => provisional(question)?.reading ?? undefined)
      if (!isNew || answers.includes(undefined)) break
      options = AnsweredReading.laidAll(
        asking.adapter,
        options,
        answers.flatMap((answer) => answer ?? [])
      )
    }
    return { questions: ordered([...ofFiles, ...ofZone]), contents: undefined, unsettled: [] }
  })

/**
 * Asks about the columns again. A column whose field is answered may show the fields of others.
 * `answers`: all parts of the reading that are answered. The questions stay as they are if nothing
 * can be read by these answers.
 */
export const withFields = <Options>(
  { adapter, columns, input, options }: Asking<Options>,
  opened: OpenedQuestions,
  answers: ReadonlyArray<Answer>
): Effect.Effect<OpenedQuestions> => {
  const isOfColumns = ({ subject }: OpenQuestion) => subject === "columns"
  const file = opened.questions.find(isOfColumns)?.file
  if (columns === undefined || file == null || answers.length === 0) return Effect.succeed(opened)
  return Effect.match(columns(input, AnsweredReading.laidAll(adapter, options, answers)), {
    onFailure: () => opened,
    onSuccess: (asked) => ({
      ...opened,
      questions: ordered([...opened.questions.filter((one) => !isOfColumns(one)), ...ColumnQuestions.of(file, asked)])
    })
  })
}

const ordered = (questions: ReadonlyArray<OpenQuestion>): ReadonlyArray<OpenQuestion> =>
  questions.toSorted((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject))

const zoneQuestion = (zones: ReadonlyArray<string>): OpenQuestion => ({
  id: "zone",
  subject: "zone",
  file: null,
  question: "In which time zone is the business? No export says it, and the date of a receipt needs it",
  documents: 0,
  examples: [],
  choices: [
    ...zones.map((zone): Choice => ({ ...zoneChoice, id: zone, words: zone, book: [{ ...zoneEdit, value: zone }] })),
    {
      ...zoneChoice,
      id: "typed",
      words: "another zone",
      book: [zoneEdit],
      fill: fills.zone
    }
  ],
  proposal: null
})
const zoneChoice = { examples: [], evidence: [], reading: null, fill: null }
const zoneEdit = { what: "setting" as const, path: ["zone"] as [string], value: typed as unknown }

/** Fails again if no answer can settle the error. */
const questionsOf = <Options>(
  { adapter, columns, device, input }: Asking<Options>,
  options: Options,
  error: AdapterError
): Effect.Effect<ReadonlyArray<OpenQuestion>, AdapterError> =>
  Effect.gen(function* () {
    const { reason } = error
    if (reason._tag === "ReadingAmbiguous")
      return reason.questions
        .map(AnsweredReading.fromAdapter)
        .map((question) => (question.id === "currency" ? withCurrencies(question, device) : question))
        .filter(({ choices }) => choices.length > 0)
    if (reason._tag !== "ExportUnreadable" || reason.answers === undefined) return yield* error
    const wantsColumns = reason.answers.some((answer) => "ask" in answer && answer.ask === "columns")
    if (wantsColumns && columns !== undefined) return ColumnQuestions.of(reason.file, yield* columns(input, options))
    const choices = reason.answers.flatMap((answer) => AnsweredReading.choiceOf(answer) ?? [])
    if (choices.every(({ reading }) => AnsweredReading.laid(adapter, options, reading ?? { ask: "" }) === undefined))
      return yield* error
    return [
      {
        id: choices.map(({ reading }) => Object.keys(reading ?? {})[0]).join(),
        subject: "file",
        file: reason.file,
        question: `${reason.problem}. ${reason.fix}`,
        documents: 0,
        examples: [],
        choices,
        proposal: null
      }
    ]
  })

/** Every choice also adds the currency to the book. */
const withCurrencies = (question: OpenQuestion, device: CodeQuestions.CodesDevice | undefined): OpenQuestion => ({
  ...question,
  choices: [
    ...[...(device?.currencies ?? [])].map((code): Choice => ({
      id: code,
      words: code,
      examples: [],
      evidence: [],
      reading: { settings: { currency: code } },
      book: [currencyEdit(code)],
      fill: null
    })),
    ...question.choices.map((choice) => (choice.fill === null ? choice : { ...choice, book: [currencyEdit(typed)] }))
  ]
})

/** Once, for the whole export. */
const ofWholeExport = (question: OpenQuestion, device: CodeQuestions.CodesDevice | undefined): OpenQuestion =>
  question.id === "CURRENCY_MISSING"
    ? withCurrencies(
        {
          ...question,
          id: "currency",
          question: "The export does not say which currency its amounts are in. Which is it?",
          choices: question.choices.map((choice) =>
            choice.fill === null ? choice : { ...choice, words: "one currency for the whole export" }
          )
        },
        device
      )
    : question

const currencyEdit = (code: string) => ({ what: "currency" as const, spelling: code, code, device: code })

const withEvidence = (choice: Choice, { choices }: OpenQuestion): Choice => ({
  ...choice,
  evidence: choices.find(({ id }) => id === choice.id)?.evidence ?? []
})

interface FirstReading {
  readonly amounts: Amounts
  readonly rows: RowQuestions
  readonly contents: ExportContents.ExportContents
  readonly codes: ReadonlyArray<CodeQuestions.OpenCode>
  /** `some`: there are more spellings. */
  readonly kept: "all" | "some"
  readonly rates: WorkedOut
}

const keyOf = ({ account, product, spelling }: Pick<CodeQuestions.OpenCode, "account" | "product" | "spelling">) =>
  spelling !== "" ? `code ${spelling}` : product !== undefined ? `product ${product}` : `account ${account}`

const look = <Options>({ adapter, input, settled = new Map() }: Asking<Options>, options: Options, book: MappingBook) =>
  Effect.gen(function* () {
    const unmapped = Unmapped.make()
    const isByItem = [...settled.values()].some(({ choice }) => ProductCodes.isEachItem(choice))
    const rates = new WorkedOut()
    const blanks = new Blanks(book)
    const amounts = new Amounts()
    const rows = new RowQuestions()
    const take = (source: SourceDocument) => {
      const { findings } = translate(source, book)
      rows.takeDay(source)
      amounts.take(source, findings)
      unmapped.add(source.number || source.id, findings)
      const flags = WordCheck.flagsOf(source)
      // a credit note has the rate of its original, whatever the note's date
      if (source.kind === "invoice")
        rates.add(source, (line, index) => {
          const spelling = line.taxes[0]?.code.trim() ?? ""
          if (spelling !== "") return [`code ${spelling}`]
          return blankKeys(line, flags(index), isByItem ? itemOf(line) : line.productCode?.trim())
        })
      blanks.take(source, findings, flags)
    }
    const readings = Stream.tap(Readings.from(adapter, input, options, book), (reading) =>
      Effect.sync(() => {
        if (reading._tag === "SourceDocument") take(reading)
        else if (reading._tag === "Finding") rows.take(reading)
      })
    )
    const contents = yield* ExportContents.read(readings, () => {})
    return {
      contents,
      rates,
      amounts,
      rows,
      codes: codesOf(unmapped.codes, blanks, rates, settled),
      kept: unmapped.beyond === "some" ? "some" : "all"
    } satisfies FirstReading
  })

const blankKeys = (
  line: SourceLine,
  flag: ReturnType<BlankFlagOf> | undefined,
  item: string | undefined
): ReadonlyArray<string> => [
  ...(flag === undefined ? [] : [`lines ${flag}`]),
  "lines all",
  ...(item ? [`product ${item}`] : []),
  ...(line.account?.trim() ? [`account ${line.account.trim()}`] : [])
]

type LineKind = "all" | "taxable" | "exempt"

interface BlankCount {
  documents: number
  readonly examples: Array<string>
  readonly items: Map<string, BlankCount>
}

const countIn = <Key>(counts: Map<Key, BlankCount>, key: Key, number: string): BlankCount => {
  const known: BlankCount = counts.get(key) ?? { documents: 0, examples: [], items: new Map() }
  counts.set(key, known)
  return count(known, number)
}

const count = (known: BlankCount, number: string): BlankCount => {
  known.documents += 1
  if (known.examples.length < 3) known.examples.push(number)
  return known
}

const isUntaxed = ({ charges, lines }: SourceDocument, { code, path }: Finding): boolean => {
  const charge = path[0] === "charges" ? charges[Number(path[1])] : undefined
  if (charge === undefined || charge.kind === "rounding" || charge.taxes.length > 0) return false
  const areSeveral = new Set(lines.map(({ taxes }) => taxes[0]?.code)).size > 1
  const isAdded = charge.kind !== "discount" && BigDecimal.isPositive(charge.amount)
  return code === "CHARGE_UNTAXED" || (code === "CHARGE_UNDECIDED" && areSeveral && isAdded)
}

/** More items are not counted. */
const mostKept = 2000

/** More items are not asked at once. */
const mostItems = 40

class Blanks {
  /** Charges without a tax, beside lines with several taxes or with a policy for their own tax. */
  readonly charges: BlankCount = { documents: 0, examples: [], items: new Map() }
  private readonly found = new Map<LineKind, BlankCount>()
  isFlagged = false
  /** The book has a tax of some lines without a name for it. */
  private readonly areSomeKnown: boolean

  constructor({ taxes }: Pick<MappingBook, "taxes">) {
    this.areSomeKnown = taxes.some(({ lines }) => !["all", "charges", undefined].includes(lines))
  }

  /** Lines that all state a tax, or all state zero, are one group. */
  get counts(): ReadonlyMap<LineKind, BlankCount> {
    const [one, ...others] = this.found.values()
    return this.isFlagged || this.areSomeKnown || one === undefined || others.length > 0
      ? this.found
      : new Map([["all" as const, one]])
  }

  take(source: SourceDocument, findings: ReadonlyArray<Finding>, flags: BlankFlagOf): void {
    const of = new Map<LineKind, Set<string>>()
    for (const { code, path } of findings) {
      const line = code === "TAX_UNMAPPED" && path[0] === "lines" ? source.lines[Number(path[1])] : undefined
      if (line === undefined || (line.taxes[0]?.code.trim() ?? "") !== "") continue
      const which = flags(Number(path[1])) ?? "all"
      of.set(which, (of.get(which) ?? new Set<string>()).add(itemOf(line)))
    }
    this.isFlagged ||= source.words?.some(({ subject }) => subject === "taxable" || subject === "exempt") === true
    const number = source.number || source.id
    if (findings.some((finding) => isUntaxed(source, finding))) count(this.charges, number)
    for (const [which, sold] of of) {
      const { items } = countIn(this.found, which, number)
      for (const item of sold) if (items.has(item) || items.size < mostKept) countIn(items, item, number)
    }
  }
}

const mostLimits = 20

const rate = /^\d{1,2}(?:[.,]\d{1,3})?$/

/**
 * As `15,5` next to `0`. Requires at least one spelling with decimals: a column of whole numbers
 * may contain codes.
 */
const withRates = (codes: ReadonlyArray<Unmapped.UnmappedCode>): ReadonlyArray<Unmapped.UnmappedCode> => {
  const isRate = ({ spelling, what }: Unmapped.UnmappedCode) => what === "tax" && rate.test(spelling)
  if (!codes.some((code) => isRate(code) && /[.,]/.test(code.spelling))) return codes
  return codes.map((code) =>
    isRate(code) && code.percents.length === 0 ? { ...code, percents: [code.spelling.replace(",", ".")] } : code
  )
}

const nothing = { what: "tax" as const, spelling: "", percents: [], since: undefined, until: undefined }

/**
 * Lines without a tax are grouped by flag, otherwise into one question; by product or account only
 * if these have several percents, and by item if the operator answers so.
 */
const codesOf = (
  codes: ReadonlyArray<Unmapped.UnmappedCode>,
  { charges, counts, isFlagged }: Blanks,
  rates: WorkedOut,
  settled: NonNullable<Asking<never>["settled"]>
): ReadonlyArray<CodeQuestions.OpenCode> => {
  const isByItem = (id: string) => [settled.get(id)].some((one) => one && ProductCodes.isEachItem(one.choice))
  const named = withRates(codes).map((code) => ({ ...code, key: keyOf(code) }))
  const spelled = named.filter(({ spelling, what }) =>
    what === "tax" ? spelling !== "" : what !== "currency" || spelling !== placeholder
  )
  const ofCharges: ReadonlyArray<CodeQuestions.OpenCode> =
    charges.documents === 0 ? [] : [{ ...nothing, ...charges, items: [], key: "charges", lines: "charges" }]
  const limited = named.filter(({ spelling, what }) => what === "tax" && spelling === "")
  const found = new Set(limited.map(({ key }) => rates.ratesOf(key)[0]?.percent).filter((rate) => rate !== undefined))
  if (found.size > 1 && limited.length <= mostLimits && counts.size === 1 && counts.has("all"))
    return [...spelled, ...limited, ...ofCharges]
  const blank = {
    ...nothing,
    percents: [...new Set(limited.flatMap(({ percents }) => percents))],
    since: limited.map(({ since }) => since).toSorted()[0],
    until: limited
      .map(({ until }) => until)
      .toSorted()
      .at(-1)
  }
  const together = [...counts].flatMap(
    ([lines, { documents, examples, items }]): ReadonlyArray<CodeQuestions.OpenCode> => {
      const by = !isFlagged && lines !== "all" ? { by: "amounts" as const } : {}
      if (!isByItem(CodeQuestions.idOfLines(lines)))
        return [{ ...blank, ...by, documents, examples, key: `lines ${lines}`, lines, items: [...items.keys()] }]
      let nth = 1
      while (isByItem(CodeQuestions.idOfOthers(lines, nth))) nth += 1
      const asked = [...settled.keys()].filter((id) => id.startsWith(CodeQuestions.idOfItem("")))
      const left = [...items]
        .filter(([item]) => !asked.includes(CodeQuestions.idOfItem(item)))
        .toSorted(([, a], [, b]) => b.documents - a.documents)
      const now = left.splice(0, Math.max(0, nth * mostItems - asked.length))
      const each = now.map(([product, { documents, examples }]) => ({
        ...blank,
        documents,
        examples,
        key: `product ${product}`,
        product
      }))
      if (left.length === 0) return each
      const count = left.reduce((sum, [, { documents }]) => sum + documents, 0)
      const rest = { documents: count, examples: left[0]![1].examples, items: left.map(([item]) => item) }
      return [...each, { ...blank, ...rest, key: "others", lines, others: nth }]
    }
  )
  return [...spelled, ...together, ...ofCharges]
}

const ofDocuments = <Options>(
  asking: Asking<Options>,
  text: string,
  book: MappingBook,
  { codes, contents, kept, rates }: FirstReading
): Effect.Effect<OpenedQuestions, AdapterError> =>
  Effect.gen(function* () {
    const isFree = asking.device?.creditWithoutOriginal === "allowed"
    const device = asking.device ?? CodeQuestions.ownDevice(codes, book, rates)
    const typedIds = asking.device === undefined ? CodeQuestions.typedIds(codes, device) : undefined
    const facts = { book, device, mapped: asking.mapped ?? [], rates }
    const asked = CodeQuestions.all(codes, facts, typedIds, kept)
    const ofCodes = asked.map(({ question }) => question)
    const doubtful = new Set(
      asked.flatMap(({ codes, question }) => (question.proposal === null ? codes.map(({ spelling }) => spelling) : []))
    )
    const isSound = ({ charges, lines }: SourceDocument) =>
      [...lines, ...charges].every(({ taxes }) => !doubtful.has(taxes[0]?.code.trim() ?? ""))
    const isUnknown = contents.totals.some(({ currency }) => currency === placeholder)
    const named = isUnknown ? BookEditing.apply(text, [currencyEdit(placeholder)]) : text
    let likely = yield* withChoices(
      asking,
      named,
      ofCodes.flatMap((question) => provisional(question) ?? [])
    )
    const policies: Array<OpenQuestion> = []
    // questions that no choice settles for any document: the cause is an error in the file
    const hopeless = new Set<string>()
    let left = new FindingQuestions()
    const productCodes = new ProductCodes.ProductCodes()
    const originals = new OriginalQuestions.OriginalQuestions()
    let unwitnessed = new UnwitnessedTotals()
    const readings = Readings.from(asking.adapter, asking.input, asking.options, book)
    for (let round = 0; likely !== undefined && round < mostRounds; round++) {
      const questions = policyQuestions.filter(
        ({ id }) => !hopeless.has(id) && policies.every((asked) => asked.id !== id)
      )
      const books = yield* booksOf(asking, likely.text, questions)
      const found = new FindingQuestions()
      const unread = new UnwitnessedTotals()
      const trial = yield* Trials.run(
        readings,
        { book: likely.book, questions, bookWith: (question, choice) => books.get(`${question} ${choice}`), isSound },
        (source, findings, translated) => {
          unread.take(source, translated)
          productCodes.take(round, source, findings)
          if (round === 0) originals.take(source, translated, book)
          found.take(source, findings, (finding) => isOfOther(source, finding, policies, hopeless))
        }
      )
      left = found
      unwitnessed = unread
      const asked = trial.tried.filter(Trials.isSettling).map(policyQuestion)
      for (const one of trial.tried) if (!Trials.isSettling(one)) hopeless.add(one.question.id)
      if (trial.tried.length === 0) break
      policies.push(...asked)
      likely = yield* withChoices(
        asking,
        likely.text,
        asked.flatMap((question) => provisionalPolicy(question) ?? [])
      )
    }
    const [helpful, helpless] = yield* Effect.partition(left.questions(), (one) =>
      likely === undefined || !Trials.isOfFile(one)
        ? Effect.succeed(one)
        : Effect.flatMap(Trials.helpful(asking, likely.book, one), (helped) =>
            helped === undefined ? Effect.fail(one) : Effect.succeed(helped)
          )
    )
    const totals = contents.totals.map((total) => (total.currency === placeholder ? { ...total, currency: "" } : total))
    return {
      questions: [
        ...ofCodes,
        ...policies.filter(({ id }) => id !== productCodesId),
        ...helpful.map(({ question }) => ofWholeExport(question, asking.device)),
        ...unwitnessed.asked().map(ofUnread),
        ...productCodes.questions(asking.productCodes ?? "all"),
        ...originals.questions(isFree ? "none" : (asking.originals ?? "all"))
      ],
      contents: { ...contents, totals },
      unsettled: [...helpless.map(({ group }) => group), ...left.unsettled()]
    }
  })

const isOfOther = (
  source: SourceDocument,
  finding: Finding,
  policies: ReadonlyArray<OpenQuestion>,
  hopeless: ReadonlySet<string>
): boolean =>
  policyQuestions.some(({ id, raises }) => !hopeless.has(id) && raises(finding)) ||
  finding.code === "TAX_UNMAPPED" ||
  isUntaxed(source, finding) ||
  finding.code === amountsCode ||
  ProductCodes.settles(source, finding) ||
  (policies.some(({ id }) => id === productCodesId) && ProductCodes.offersColumn(source, finding))

const provisionalPolicy = (question: OpenQuestion): Choice | undefined => {
  const choice = question.choices.find(({ id }) => id === question.proposal) ?? question.choices[0]
  const sample = policyQuestions
    .find(({ id }) => id === question.id)
    ?.choices.find(({ id }) => id === choice?.id)?.sample
  return choice === undefined || sample === undefined ? choice : filled(choice, sample)
}

const withChoices = (asking: Pick<Asking<never>, "book" | "zones">, text: string, choices: ReadonlyArray<Choice>) => {
  const changed = BookEditing.apply(
    text,
    choices.flatMap(({ book }) => book)
  )
  return Effect.orElseSucceed(
    Effect.map(loaded(asking, changed), (book) => ({ text: changed, book })),
    () => undefined
  )
}

const booksOf = (
  asking: Pick<Asking<never>, "book" | "zones">,
  text: string,
  questions: ReadonlyArray<PolicyQuestion>
) =>
  Effect.map(
    Effect.forEach(
      questions.flatMap(({ choices, id }) => choices.map((choice) => ({ id, choice }))),
      ({ choice, id }) =>
        Effect.map(
          withChoices(asking, text, [choiceOf(choice, choice.sample)]),
          (made) => [`${id} ${choice.id}`, made?.book] as const
        )
    ),
    (made) => new Map(made)
  )

const choiceOf = ({ edits, fill, id, words }: PolicyQuestion["choices"][number], sample?: string): Choice => {
  const choice: Choice = { id, words, examples: [], evidence: [], reading: null, book: edits, fill: fill ?? null }
  return sample === undefined ? choice : filled(choice, sample)
}

const policyQuestion = ({ choices: counts, documents, examples, question, tried }: Trials.Tried): OpenQuestion => {
  const ranked = question.choices.map((choice) => ({ choice, ...counts.get(choice.id)! }))
  const isBetter = (a: Trials.TriedChoice, b: Trials.TriedChoice) =>
    a.passing > b.passing || (a.passing === b.passing && a.settled > b.settled)
  const most = ranked.filter((one) => ranked.every((other) => !isBetter(other, one)))
  const isProved = most[0]!.settled > 0 && (question.proposing === "usual" || ranked.length === 1 || most.length === 1)
  return {
    id: question.id,
    subject: question.subject,
    file: null,
    question: question.question,
    documents,
    examples,
    choices: [
      ...ranked.map(({ choice, passing, settled }): Choice => ({
        ...choiceOf(choice),
        // a count that is the same for every choice shows nothing
        evidence:
          most.length === ranked.length
            ? []
            : [
                `with this answer, ${passing} of ${tried} documents pass every check${settled > passing ? `; ${settled - passing} more need another answer too` : ""}`
              ]
      })),
      leaveOut
    ],
    proposal: question.proposing !== "never" && isProved ? most[0]!.choice.id : null
  }
}
