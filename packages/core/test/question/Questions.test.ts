import { assert, describe, it } from "../It.ts"
import { Effect, Result, Stream } from "effect"
import * as Money from "../../src/document/Money.ts"
import * as Finding from "../../src/finding/Finding.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { productCodeOf } from "../../src/mapping/MappingBook.ts"
import { type Adapter, AdapterError, type Reading, ReadingAmbiguous } from "../../src/source/Adapter.ts"
import { translate } from "../../src/translate/translate.ts"
import type { SourceDocument, SourceLine } from "../../src/source/SourceDocument.ts"
import * as BookEditing from "../../src/mapping/BookEditing.ts"
import { bookWith } from "../translate/GeneratedSources.ts"
import * as RememberedAnswers from "../../src/question/RememberedAnswers.ts"
import * as Conversation from "../../src/question/Conversation.ts"
import * as AnsweredReading from "../../src/question/AnsweredReading.ts"
import { chosen, type OpenQuestion } from "../../src/question/OpenQuestion.ts"
import * as Questions from "../../src/question/Questions.ts"
import { refusing } from "../../src/question/Trials.ts"

const money = (text: string) => Money.parse(text).pipe((found) => (found._tag === "Some" ? found.value : Money.zero))

const line = (more: Partial<SourceLine> = {}): SourceLine => ({
  description: "Chair",
  quantity: money("1"),
  unitPrice: money("100"),
  lineAmount: money("100"),
  taxes: [{ code: "Standard" }],
  productCode: "12345678",
  ...more
})

const made = (number: string, more: Partial<SourceDocument> = {}): SourceDocument => ({
  _tag: "SourceDocument",
  kind: "invoice",
  id: number,
  number,
  order: 0,
  date: "2026-02-01" as never,
  currency: "USD",
  taxMode: "exclusive",
  lines: [line()],
  charges: [],
  totals: { net: money("100"), tax: money("15.50"), total: money("115.50") },
  originals: [],
  findings: [],
  where: () => ({ file: "made" }),
  ...more
})

interface Options {
  readonly dates?: string
}

const adapterOf = (documents: ReadonlyArray<SourceDocument>): Adapter<Options> => ({
  name: "made",
  read: () => Stream.fromIterable(documents)
})

const device = {
  taxes: [
    { id: 514, name: "Standard", percent: money("15"), since: null, until: "2025-12-31" as never },
    { id: 515, name: "Standard", percent: money("15.5"), since: "2026-01-01" as never, until: null },
    { id: 2, name: "Zero", percent: money("0"), since: null, until: null },
    { id: 3, name: "Exempt", percent: null, since: null, until: null }
  ],
  currencies: new Set(["USD", "ZAR"])
}

const askedAbout = (
  documents: ReadonlyArray<SourceDocument>,
  more: Partial<Questions.Asking<Options>> = {}
): Questions.Asking<Options> => ({
  adapter: adapterOf(documents),
  input: { files: [] },
  options: {},
  device,
  zones: ["+02:00"],
  ...more
})

const asking = (...about: Parameters<typeof askedAbout>) => Questions.open(askedAbout(...about))

/** Returns what a conversation asks after the answers of a file. */
const nextBy = (asked: Questions.Asking<Options>, answers: Readonly<Record<string, string>>) => {
  const given = new Map(Object.entries(answers).map(([id, answer]) => [id, { answer, origin: "file" as const }]))
  return Conversation.next(asked, Conversation.begin(given))
}

const question = (questions: ReadonlyArray<OpenQuestion>, id: string): OpenQuestion => {
  const found = questions.find((one) => one.id === id)
  if (found === undefined) throw new Error(`${id} is not among ${questions.map((one) => one.id).join(", ")}`)
  return found
}

/** Returns the book that the answers write. */
const booked = (questions: ReadonlyArray<OpenQuestion>, answers: Readonly<Record<string, string>>) => {
  const edits = choicesOf(questions, answers).flatMap(({ book }) => book)
  return BookFile.load("book", BookEditing.apply(BookEditing.blank("+00:00"), edits))
}

/** Returns the choice of every question. */
const choicesOf = (questions: ReadonlyArray<OpenQuestion>, answers: Readonly<Record<string, string>>) =>
  questions.map((question) => {
    const choice = chosen(question, answers[question.id] ?? "")
    if (choice === undefined) throw new Error(`${question.id}: ${answers[question.id]}`)
    return choice
  })

const proposals = (questions: ReadonlyArray<OpenQuestion>) =>
  Object.fromEntries(questions.flatMap(({ id, proposal }) => (proposal === null ? [] : [[id, proposal]])))

describe("the open questions about an export", () => {
  it.effect("propose the tax basis of amounts by the rows: beside an amount with tax, or one without", function* () {
    const proposalOf = (totals: NonNullable<SourceLine["totals"]>) =>
      Effect.map(
        asking([made("1", { taxMode: "unstated", totals: {}, lines: [line({ totals })] })]),
        ({ questions }) => question(questions, "amounts").proposal
      )
    assert.strictEqual(yield* proposalOf({ total: money("115.50") }), "exclusive")
    assert.strictEqual(yield* proposalOf({ net: money("86.58") }), "inclusive")
    assert.isNull(yield* proposalOf({ net: money("100") }))
  })

  it.effect("ask in one list about every unread number that could change a total without a witness", function* () {
    const map = (more: object) => ({ map: { version: 1, ...more } })
    const disc = (value: string) => ({
      name: "Disc",
      values: [money(value)],
      answers: [map({ unread: ["Disc"] })],
      changes: [map({ columns: { discountPercent: "Disc" } }), map({ columns: { discount: "Disc" } })]
    })
    const freight = { name: "Freight", values: [money("3.50")], answers: [map({ unread: ["Freight"] })] }
    const unstated = [
      made("1", { totals: {}, amounts: [disc("10"), freight] }),
      made("2", { totals: {}, amounts: [disc("25")] })
    ]
    const asked = question((yield* asking(unstated)).questions, "TOTAL_UNWITNESSED")
    assert.include(asked.question, '"Disc" 10, 25; "Freight" 3.5')
    assert.strictEqual(asked.documents, 2)
    assert.deepStrictEqual(
      asked.choices.map(({ id }) => id),
      ["Disc,Freight", "discountPercent=Disc", "discount=Disc", "leave-out"]
    )
    const { questions } = yield* asking([made("1", { amounts: [disc("10")] })])
    assert.notInclude(
      questions.map(({ id }) => id),
      "TOTAL_UNWITNESSED"
    )
  })

  it.effect("match a tax with a device tax by the percent of its amounts, and by the day", function* () {
    const { questions } = yield* asking([made("1"), made("2")])
    const { choices, proposal } = question(questions, "tax Standard")
    assert.strictEqual(proposal, "515")
    assert.match(choices.find(({ id }) => id === "515")!.evidence.join(), /2 of 2 amounts work out at 15\.5 %/)
    assert.notInclude(
      choices.map(({ id }) => id),
      "514"
    )
  })

  it.effect("give each tax with a typed percent a separate device tax if no device is known", function* () {
    const taxed = (number: string, code: string) => made(number, { lines: [line({ taxes: [{ code }] })], totals: {} })
    const { questions } = yield* asking([taxed("1", "N"), taxed("2", "R")], { device: undefined })
    const typed = { "tax N": "15.5", "tax R": "5" }
    const book = yield* booked(questions, {
      ...proposals(questions),
      zone: "+02:00",
      "currency USD": "USD",
      ...typed
    })
    const [first, second] = book.taxes
    assert.deepStrictEqual(
      [first?.percent, second?.percent].map((percent) => String(percent)),
      [String(money("15.5")), String(money("5"))]
    )
    assert.notStrictEqual(first?.device, second?.device)
  })

  it.effect(
    "offer exempt and 0 % for a spelling without a tax, and no other percent beside a stated one",
    function* () {
      const taxed = (number: string, code: string) => made(number, { lines: [line({ taxes: [{ code }] })], totals: {} })
      const { questions } = yield* asking([taxed("1", "VAT 15.5%"), taxed("2", "E")], { device: undefined })
      const words = (id: string) => question(questions, id).choices.map(({ words }) => words.replace(/ \(device.*/, ""))
      assert.includeMembers(words("tax E"), ["exempt", "0 %", "a tax of another percent"])
      assert.deepStrictEqual(words("tax VAT 15.5%").slice(0, -1), ["15.5 %"])
    }
  )

  it.effect("offer a known currency only as itself, whatever the device has", function* () {
    const ids = (currency: string, more: Partial<Questions.Asking<Options>> = {}) =>
      Effect.map(asking([made("1", { currency })], more), ({ questions }) =>
        question(questions, `currency ${currency}`).choices.map(({ id }) => id)
      )
    assert.deepStrictEqual(yield* ids("USD"), ["USD", "leave-out"])
    assert.deepStrictEqual(yield* ids("ZWG"), ["leave-out"])
    assert.deepStrictEqual(yield* ids("ZWG", { device: undefined }), ["ZWG", "leave-out"])
    assert.deepStrictEqual(yield* ids("$"), ["USD", "ZAR", "leave-out"])
  })

  it.effect("are asked all at once, and the answers plan every document", function* () {
    const shipping = { kind: "shipping" as const, amount: money("10"), taxes: [] }
    const documents = [
      made("1"),
      made("2", {
        charges: [shipping],
        totals: { net: money("110"), tax: money("17.05"), total: money("127.05") }
      }),
      made("3", { lines: [line(), line({ unitPrice: money("0"), lineAmount: money("0"), description: "Gift" })] }),
      made("4", { buyer: { name: "Ann" }, lines: [line({ productCode: "1234567" })] }),
      made("5", { paymentMethod: "eft" })
    ]
    const { questions, unsettled } = yield* asking(documents)
    assert.deepStrictEqual(
      questions.map(({ id }) => id),
      [
        "zone",
        "currency USD",
        "tax Standard",
        "charges",
        "free-items",
        "product-codes",
        "buyers-without-number",
        "payment eft"
      ]
    )
    assert.deepStrictEqual(unsettled, [])
    assert.strictEqual(question(questions, "charges").proposal, "as-line-taxed-like-lines")
    const book = yield* booked(questions, {
      ...proposals(questions),
      zone: "Africa/Harare",
      "buyers-without-number": "cash-sale",
      "product-codes": "87654321",
      "payment eft": "BankTransfer"
    })
    // a code that may lack a zero is never replaced by the one for all
    assert.deepStrictEqual(
      documents.flatMap((document) => refusing(document, book).map(({ code }) => code)),
      ["RCPT048"]
    )
  })

  it.effect("ask for HS codes once: a zero put back, one for all, or each item, the most frequent first", function* () {
    const sold = (number: string, ...items: ReadonlyArray<string>) =>
      made(number, {
        lines: items.map((description) => line({ description, productCode: undefined as never })),
        totals: {}
      })
    const many = Array.from({ length: 25 }, (_, i) => sold(`many ${i}`, `Item ${i}`))
    const documents = [
      ...many,
      sold("1", "Lamp", "Item 24"),
      sold("2", "Lamp"),
      sold("3", "Lamp"),
      made("4", { lines: [line({ productCode: "1234567" })] })
    ]
    const asked = askedAbout(documents)
    const first = { zone: "+02:00", "currency USD": "USD", "tax Standard": "515", "product-codes": "each-item" }
    const next = (answers: Readonly<Record<string, string>>) => nextBy(asked, answers)
    const { "product-codes": _, ...others } = first
    const begun = yield* next(others)
    const all = begun._tag === "Group" ? question(begun.questions, "product-codes") : undefined
    assert.deepStrictEqual(
      all?.choices.map(({ examples, id }) => [id, ...examples]),
      [["restore", "1234567 → 01234567"], ["typed"], ["each-item"], ["leave-out"]]
    )
    const each = yield* next(first)
    const questions = each._tag === "Group" ? each.questions : []
    assert.deepStrictEqual(
      questions.slice(0, 3).map(({ documents, id }) => [id, documents]),
      [
        ["HS code of Lamp", 3],
        ["HS code of Item 24", 2],
        ["HS code of Item 0", 1]
      ]
    )
    assert.lengthOf(questions, 21)
    assert.strictEqual(questions[20]?.id, "HS code of other items")
    const done = yield* next({
      ...first,
      ...Object.fromEntries(questions.map(({ id }, i) => [id, String(10_000_000 + i)])),
      "HS code of 1234567": "01234567"
    })
    assert.strictEqual(done._tag, "Done")
    const book = yield* BookFile.load("book", Conversation.bookOf(asked, done.state))
    assert.deepStrictEqual(
      documents.flatMap((document) => refusing(document, book)),
      []
    )
    assert.strictEqual(productCodeOf(book, { description: "Lamp" }), "10000000")
    // two questions of earlier versions
    const earlier = yield* next({ ...others, "item-codes": "87654321", "short-product-codes": "restore" })
    assert.strictEqual(earlier._tag, "Done")
  })

  it.effect("ask for the HS code of each item beside a line without a text, which is another item", function* () {
    const sold = (number: string, description: string) =>
      made(number, { lines: [line({ description, productCode: undefined as never })], totals: {} })
    const documents = [sold("1", "Lamp"), sold("2", "Rope"), sold("3", "")]
    const asked = askedAbout(documents)
    const answers = { zone: "+02:00", "currency USD": "USD", "tax Standard": "515", "product-codes": "each-item" }
    const group = yield* nextBy(asked, answers)
    assert.deepStrictEqual(group._tag === "Group" ? [group.problems, group.questions.map(({ id }) => id)] : [], [
      [],
      ["HS code of Lamp", "HS code of Rope", "HS code of other items"]
    ])
  })

  it.effect("give one tax to all items of one typed percent", function* () {
    const sold = (number: string, description: string) =>
      made(number, { lines: [line({ description, productCode: undefined as never, taxes: [] })], totals: {} })
    const documents = [sold("1", "Lamp"), sold("2", "Rope"), sold("3", "Tea")]
    const asked = askedAbout(documents, { device: undefined })
    const answers = {
      zone: "+02:00",
      "currency USD": "USD",
      "product-codes": "12345678",
      "tax of all lines": "each-item",
      "tax of product Lamp": "15 %",
      "tax of product Rope": "15 %",
      "tax of product Tea": "5 %"
    }
    const { state } = yield* nextBy(asked, answers)
    const { taxes } = yield* BookFile.load("book", Conversation.bookOf(asked, state))
    const [lamp, rope, tea] = taxes.map(({ code, device }) => `${code} ${device}`)
    assert.strictEqual(lamp, rope)
    assert.notStrictEqual(lamp, tea)
  })

  it.effect("ask which invoice a note credits: those of its buyer and its reference, or another one", function* () {
    const sold = (number: string, name: string, day: string, more: Partial<SourceDocument> = {}) =>
      made(number, { buyer: { name, tin: name === "Ann" ? "2000000001" : "2000000002" }, date: day as never, ...more })
    const note = (number: string, name: string, more: Partial<SourceDocument> = {}) =>
      sold(number, name, "2026-03-01", { kind: "credit-note", reason: "returned", ...more })
    const documents = [
      sold("A-1", "Ann", "2026-02-01"),
      sold("A-2", "Ann", "2026-02-02", { totals: { total: money("231") } }),
      sold("B-1", "Bo", "2026-02-03"),
      sold("A-9", "Ann", "2026-03-09"),
      note("CN-0", "Ann", { originals: [{ by: "number", value: "A-2" }] }),
      note("CN-1", "Ann", { reference: "B-1" })
    ]
    const { questions } = yield* asking(documents)
    const asked = question(questions, "original of CN-1")
    assert.deepStrictEqual(
      asked.choices.map(({ evidence, id, words }) => [id, words, ...evidence]),
      [
        [
          "B-1",
          "B-1 of 2026-02-03, USD 115.50 not credited yet",
          "the note's reference is this number",
          "the same total"
        ],
        ["A-2", "A-2 of 2026-02-02, USD 115.50 not credited yet"],
        ["A-1", "A-1 of 2026-02-01, USD 115.50 not credited yet", "the same total"],
        ["typed", "another invoice, also one that is fiscalised already"],
        ["leave-out", "leave these documents out: they are refused, and nothing of them is sent"]
      ]
    )
    assert.isNull(asked.proposal)
    const answers = { zone: "+02:00", "tax Standard": "515" }
    const book = yield* booked(questions, { ...proposals(questions), ...answers, "original of CN-1": "OLD-7" })
    assert.deepStrictEqual(book.originals, { "CN-1": "OLD-7" })
    const allowed = yield* asking(documents, { device: { ...device, creditWithoutOriginal: "allowed" } })
    assert.isFalse(allowed.questions.some(({ id }) => id.startsWith("original")))
  })

  it.effect("ask once about more than ten notes, and then about those that the answer does not settle", function* () {
    const notes = Array.from({ length: 12 }, (_, i) =>
      made(`CN-${i}`, { kind: "credit-note", reason: "returned", ...(i > 0 && { reference: `A-${i}` }) })
    )
    const documents = [...Array.from({ length: 12 }, (_, i) => made(`A-${i}`)), ...notes]
    const asked = askedAbout(documents)
    const next = (more: Readonly<Record<string, string>>) =>
      nextBy(asked, { zone: "+02:00", "currency USD": "USD", "tax Standard": "515", ...more })
    const idsOf = ({ questions }: { readonly questions: ReadonlyArray<OpenQuestion> }) => questions.map(({ id }) => id)
    const first = yield* next({})
    assert.deepStrictEqual(first._tag === "Group" ? idsOf(first) : [], ["originals"])
    const second = yield* next({ originals: "reference" })
    assert.deepStrictEqual(second._tag === "Group" ? idsOf(second) : [], ["original of CN-0"])
    const each = yield* next({ originals: "each-note" })
    assert.lengthOf(each._tag === "Group" ? each.questions : [], 12)
    const done = yield* next({ originals: "reference", "original of CN-0": "leave-out" })
    assert.strictEqual(done._tag, "Done")
    assert.strictEqual((yield* next({ originals: "leave-out" }))._tag, "Done")
  })

  it.effect("take the rounding of tax from the stated sums", function* () {
    const small = line({ unitPrice: money("0.10"), lineAmount: money("0.10") })
    // The tax of one line, 0.0155, is 0.02; the tax of all three, 0.0465, would be 0.05.
    const document = made("1", {
      lines: [small, small, small],
      totals: { net: money("0.30"), tax: money("0.06"), total: money("0.36") }
    })
    const { questions } = yield* asking([made("2"), made("3"), document])
    const { choices, proposal } = question(questions, "rounding")
    assert.strictEqual(proposal, "as-inclusive")
    assert.deepStrictEqual(
      choices.map(({ evidence, id }) => [id, evidence.join()]),
      [
        ["per-line", "with this answer, 0 of 1 documents pass every check"],
        ["per-group", "with this answer, 0 of 1 documents pass every check"],
        ["as-inclusive", "with this answer, 1 of 1 documents pass every check"],
        ["leave-out", ""]
      ]
    )
  })

  it.effect("take the rounding from the line totals if the export states no other sums", function* () {
    const small = line({ unitPrice: money("0.10"), lineAmount: money("0.10"), totals: { total: money("0.12") } })
    const { questions } = yield* asking([made("2"), made("1", { lines: [small, small, small], totals: {} })])
    const asked = question(questions, "rounding")
    assert.strictEqual(asked.documents, 1)
    assert.strictEqual(asked.proposal, "as-inclusive")
  })

  it.effect(
    "ask for the tax of lines without one by the export's flag, and otherwise for all such lines",
    function* () {
      const untaxed = line({ taxes: [] })
      const flagged = (number: string, text: string, tax: string) =>
        made(number, {
          lines: [untaxed],
          words: [{ subject: "taxable", name: "Lineitem taxable", text, line: 0 }],
          totals: { net: money("100"), tax: money(tax), total: money(tax === "0" ? "100" : "115.50") }
        })
      const both = [flagged("1", "true", "15.50"), flagged("2", "false", "0")]
      const { questions } = yield* asking(both)
      assert.strictEqual(question(questions, "tax of taxable lines").proposal, "515")
      assert.strictEqual(question(questions, "tax of exempt lines").proposal, "3")
      const book = yield* booked(questions, { ...proposals(questions), zone: "+02:00" })
      assert.deepStrictEqual(
        both.flatMap((document) => refusing(document, book)),
        []
      )
      const all = yield* asking([made("1", { lines: [untaxed] })])
      assert.strictEqual(question(all.questions, "tax of all lines").proposal, "515")
    }
  )

  it.effect("ask for the tax of lines by its amount if nothing names it: above zero, and zero", function* () {
    const lineOf = (amount: string) => line({ taxes: [{ code: "", amount: money(amount) }] })
    const both = made("1", { lines: [lineOf("15.50"), lineOf("0.00")], totals: {} })
    const { questions } = yield* asking([both, made("2", { lines: [lineOf("15.50")], totals: {} })])
    assert.strictEqual(question(questions, "tax of taxable lines").proposal, "515")
    // zero may be 0 % or exempt
    assert.isNull(question(questions, "tax of exempt lines").proposal)
    const book = yield* booked(questions, {
      "tax of taxable lines": "515",
      "tax of exempt lines": "2",
      zone: "+02:00",
      "currency USD": "USD"
    })
    assert.deepStrictEqual(refusing(both, book), [])
    const all = yield* asking([made("1", { lines: [lineOf("15.50")], totals: {} })])
    assert.strictEqual(question(all.questions, "tax of all lines").proposal, "515")
  })

  it.effect("ask for the tax of lines by its amount if the amounts have several percents", function* () {
    const five = { id: 5, name: "Reduced", percent: money("5"), since: null, until: null }
    const withFive = { ...device, taxes: [...device.taxes, five] }
    const taxed = (amount: string) => line({ taxes: [{ code: "", amount: money(amount) }] })
    // as an amount with tax, beside the amount without
    const gross = (amount: string) => line({ taxes: [], totals: { total: money(amount) } })
    for (const [lines, other] of [
      [[taxed("15.50"), taxed("5.00"), taxed("0.00")], taxed("12.00")],
      [[gross("115.50"), gross("105.00"), gross("100.00")], gross("112.00")]
    ] as const) {
      const documents = ["1", "2"].map((number) => made(number, { lines, totals: {} }))
      const { questions } = yield* asking(documents, { device: withFive })
      const { choices, proposal } = question(questions, "tax of taxable lines")
      assert.deepStrictEqual(
        choices.map(({ id }) => id),
        ["515+5", "leave-out"]
      )
      assert.deepStrictEqual(choices[0]?.evidence, ["2 of 4 amounts work out at 15.5 %, 2 at 5 %"])
      assert.strictEqual(proposal, "515+5")
      const book = yield* booked(questions, {
        "tax of taxable lines": "515+5",
        "tax of exempt lines": "2",
        zone: "+02:00",
        "currency USD": "USD"
      })
      assert.deepStrictEqual(refusing(documents[0]!, book), [])
      const sent = translate(documents[0]!, book).translated!
      assert.deepStrictEqual(
        sent.document.payload.lineItems.map(({ taxCode }) => sent.taxes.get(taxCode)?.device),
        [515, 5, 2]
      )
      // an amount of another percent is not sent, and one that two percents give is not guessed
      const codesOf = (one: SourceLine) =>
        refusing(made("3", { lines: [one], totals: {} }), book).map(({ code }) => code)
      assert.include(codesOf(other), "TAX_UNMAPPED")
      const small = { lineAmount: money("0.10"), unitPrice: money("0.10") }
      const either = other.totals === undefined ? taxed("0.01") : gross("0.11")
      assert.include(codesOf({ ...either, ...small }), "TAX_UNMAPPED")
      // without a device, its taxes are those of the amounts
      const assumed = yield* asking(documents, { device: undefined })
      assert.match(question(assumed.questions, "tax of taxable lines").choices[0]!.words, /^15\.5 % .* or 5 % /)
    }
  })

  it.effect("ask for the tax of each item if lines without a tax have several", function* () {
    const { productCode: _, ...uncoded } = line({ taxes: [] })
    const blank = (description: string, price: string): SourceLine => ({
      ...uncoded,
      description,
      unitPrice: money(price),
      lineAmount: money(price)
    })
    const made3 = (number: string, lines: ReadonlyArray<SourceLine>, total: string) =>
      made(number, { lines, totals: { total: money(total) } })
    const documents = [
      made3("1", [line(), blank("Lamp", "40"), blank("Bread", "15")], "176.70"),
      made3("2", [blank("Lamp", "80")], "92.40"),
      made3("3", [blank("Bread", "8"), blank("Fruit", "2")], "10"),
      made3("4", [line({ taxes: [{ code: "Zero" }] })], "100")
    ]
    const asked = askedAbout(documents)
    const next = (answers: Readonly<Record<string, string>>) => nextBy(asked, answers)
    const first = {
      zone: "+02:00",
      "currency USD": "USD",
      "tax Standard": "515",
      "tax Zero": "2",
      "tax of all lines": "each-item",
      "product-codes": "12345678"
    }
    const each = yield* next(first)
    const questions = each._tag === "Group" ? each.questions : []
    assert.deepStrictEqual(
      questions.map(({ documents, id, proposal }) => [id, documents, proposal]),
      [
        ["tax of product Lamp", 2, "515"],
        ["tax of product Bread", 2, null],
        ["tax of product Fruit", 1, null]
      ]
    )
    const answers = { "tax of product Lamp": "515", "tax of product Bread": "3", "tax of product Fruit": "2" }
    const done = yield* next({ ...first, ...answers })
    assert.strictEqual(done._tag, "Done")
    const book = yield* BookFile.load("book", Conversation.bookOf(asked, done.state))
    assert.deepStrictEqual(
      documents.flatMap((document) => refusing(document, book)),
      []
    )
    // an entry for a description does not apply to a line with a product code
    const coded = made("5", { lines: [line({ description: "Lamp", productCode: "87654321", taxes: [] })] })
    assert.deepStrictEqual(
      refusing(coded, book).map(({ code }) => code),
      ["TAX_UNMAPPED"]
    )
  })

  it.effect(
    "ask for the tax of the most frequent items first, and then for one of the others or of each",
    function* () {
      const { productCode: _, ...uncoded } = line({ taxes: [] })
      const sold = (number: number, item: number) =>
        made(String(number), {
          lines: [{ ...uncoded, description: `Item ${item}` }],
          totals: { total: money(item % 2 === 0 ? "100" : "115.50") }
        })
      // the last items are sold twice
      const documents = Array.from({ length: 130 }, (_, i) => sold(i, i % 90))
      const asked = askedAbout(documents)
      const first = {
        zone: "+02:00",
        "currency USD": "USD",
        "tax of all lines": "each-item",
        "product-codes": "12345678"
      }
      const asking = (answers: Readonly<Record<string, string>>) =>
        Effect.map(nextBy(asked, answers), (next) => (next._tag === "Group" ? next.questions : []))
      const answerTo = ({ id }: OpenQuestion) => [id, Number(id.split(" ").at(-1)) % 2 === 0 ? "2" : "515"] as const
      const each = yield* asking(first)
      assert.lengthOf(each, 41)
      assert.deepStrictEqual(
        each.slice(0, 40).filter(({ documents }) => documents !== 2),
        []
      )
      const others = each.at(-1)!
      assert.deepStrictEqual(
        [others.id, others.question, others.documents, others.choices.at(-2)?.words],
        [
          "tax of all lines of other items",
          "Which tax have the lines of 50 other items?",
          50,
          "each of 50 items has its own: they are asked one by one"
        ]
      )
      const some = { ...first, ...Object.fromEntries(each.slice(0, 40).map(answerTo)) }
      const rest = yield* asking({ ...some, "tax of all lines of other items": "each-item" })
      assert.deepStrictEqual(
        [rest.length, rest.at(-1)?.id, rest.at(-1)?.documents],
        [41, "tax of all lines of other items 2", 10]
      )
      const all = {
        ...some,
        "tax of all lines of other items": "each-item",
        ...Object.fromEntries(rest.slice(0, 40).map(answerTo))
      }
      // one tax for the others does not change the answer about an item
      const done = yield* nextBy(asked, { ...all, "tax of all lines of other items 2": "515" })
      assert.strictEqual(done._tag, "Done")
      const book = yield* BookFile.load("book", Conversation.bookOf(asked, done.state))
      assert.lengthOf(
        documents.filter((document) => refusing(document, book).length > 0),
        5
      )
    }
  )

  it.effect("ask once for the tax of charges whose documents have several taxes, or of all without one", function* () {
    const shipping = { kind: "shipping" as const, amount: money("10"), taxes: [] }
    const zero = line({ description: "Bread", taxes: [{ code: "Zero" }] })
    const several = made("1", {
      lines: [line(), zero],
      charges: [shipping],
      totals: { total: money("227.05") }
    })
    const single = made("2", { charges: [shipping], totals: { total: money("127.05") } })
    const first = {
      zone: "+02:00",
      "currency USD": "USD",
      "tax Standard": "515",
      "tax Zero": "2",
      "product-codes": "12345678"
    }
    const idsOf = (documents: ReadonlyArray<SourceDocument>, answers: Readonly<Record<string, string>>) =>
      Effect.map(nextBy(askedAbout(documents), answers), (next) =>
        next._tag === "Group" ? next.questions.map(({ id }) => id) : []
      )
    assert.deepStrictEqual(yield* idsOf([single], first), ["charges"])
    assert.deepStrictEqual(yield* idsOf([several, single], first), ["tax of charges", "charges"])
    assert.deepStrictEqual(yield* idsOf([single], { ...first, charges: "as-line" }), ["tax of charges"])
    for (const documents of [[several, single], [several]])
      for (const charges of ["as-line", "as-line-taxed-like-lines"]) {
        const asked = askedAbout(documents)
        const done = yield* nextBy(asked, { ...first, charges, "tax of charges": "515" })
        assert.strictEqual(done._tag, "Done")
        const book = yield* BookFile.load("book", Conversation.bookOf(asked, done.state))
        assert.deepStrictEqual(
          documents.flatMap((document) => refusing(document, book)),
          []
        )
      }
    // a tax on a rounding would change the total
    const rounded = made("3", { lines: [line(), zero], charges: [{ ...shipping, kind: "rounding" }], totals: {} })
    assert.notInclude(yield* idsOf([rounded], { ...first, charges: "as-line" }), "tax of charges")
  })

  it.effect("ask for a tax again if another tax of an assumed device has its number now", function* () {
    const stated = (code: string, percent: string) => line({ taxes: [{ code, percent: money(percent) }] })
    const lines = [stated("Standard", "15.5"), stated("Zero", "0")]
    const charges = [{ kind: "shipping" as const, amount: money("10"), taxes: [] }]
    const askedOf = (lines: ReadonlyArray<SourceLine>) =>
      askedAbout([made("1", { lines, charges, totals: {} })], { device: undefined })
    const groupOf = (state: Conversation.ConversationState, own: ReadonlyArray<SourceLine>) =>
      Effect.map(Conversation.next(askedOf(own), state), (next) =>
        next._tag === "Group" ? next : assert.fail(next._tag)
      )
    const first = yield* groupOf(Conversation.begin(), lines)
    assert.match(question(first.questions, "tax of charges").choices[0]!.words, /^15.5 %/)
    const answered = Result.getOrThrow(Conversation.answer(first.state, "tax of charges", "1"))
    const isAsked = (own: ReadonlyArray<SourceLine>) =>
      Effect.map(groupOf(Conversation.change(answered.state, "zone"), own), ({ problems, questions }) => [
        problems.length,
        questions.some(({ id }) => id === "tax of charges")
      ])
    assert.deepStrictEqual(yield* isAsked(lines), [0, false])
    assert.deepStrictEqual(yield* isAsked(lines.toReversed()), [0, true])
  })

  it.effect("do not take percents by the amounts of lines for one percent after another", function* () {
    const five = { id: 5, name: "Reduced", percent: money("5"), since: null, until: null }
    const taxed = (amount: string) => line({ taxes: [{ code: "", amount: money(amount) }] })
    const day = (number: string, date: string, ...lines: ReadonlyArray<SourceLine>) =>
      made(number, { date: date as never, lines, totals: {} })
    const documents = [
      day("1", "2026-02-01", taxed("15.50")),
      day("2", "2026-02-02", taxed("15.50")),
      day("3", "2026-03-01", taxed("5.00"))
    ]
    const choicesIn = (found: Questions.OpenedQuestions) =>
      question(found.questions, "tax of all lines").choices.map(({ words }) => words)
    for (const device of [undefined, { taxes: [five, { ...five, id: 6, percent: money("15.5") }], currencies: null }])
      assert.match(choicesIn(yield* asking(documents, { device }))[0]!, / or .* as the amount of each line works out$/)
    // the device states that one follows the other
    const next = [
      { ...five, id: 6, percent: money("15.5"), until: "2026-02-28" as never },
      { ...five, since: "2026-03-01" as never }
    ]
    assert.match(choicesIn(yield* asking(documents, { device: { taxes: next, currencies: null } }))[0]!, /, then /)
    // the sum of lines with several taxes shows nothing about one of them
    const mixed = made("4", {
      lines: [taxed("15.50"), taxed("5.00")],
      totals: { net: money("200"), tax: money("20.50"), total: money("220.50") }
    })
    assert.match(choicesIn(yield* asking([mixed], { device: undefined }))[0]!, / or /)
  })

  it.effect("ask once for each group of many spellings, and never for ten thousand", function* () {
    const documentsOf = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        made(String(i), {
          lines: [line({ taxes: [{ code: `T${i}`, percent: money(i % 2 === 0 ? "15.5" : "0") }] })],
          totals: {},
          paymentMethod: `Till ${i}`
        })
      )
    const idsOf = (questions: ReadonlyArray<OpenQuestion>) => questions.map(({ id }) => id)
    const some = yield* asking(documentsOf(60))
    assert.deepStrictEqual(idsOf(some.questions).toSorted(), [
      "currency USD",
      "payment Till 0 and 59 more",
      "tax T0 and 29 more",
      "tax T1 and 29 more",
      "zone"
    ])
    const taxed = question(some.questions, "tax T0 and 29 more")
    assert.strictEqual(taxed.proposal, "515")
    assert.match(taxed.question, /"T0", "T2", "T4" and 27 more/)
    assert.strictEqual(taxed.documents, 30)
    const book = yield* booked(some.questions, {
      "payment Till 0 and 59 more": "Cash",
      "tax T0 and 29 more": "515",
      "tax T1 and 29 more": "2",
      "currency USD": "USD",
      zone: "+02:00"
    })
    for (const source of documentsOf(60))
      assert.notInclude(
        refusing(source, book).map(({ code }) => code),
        "TAX_UNMAPPED"
      )
    const all = yield* asking(documentsOf(10_000))
    assert.isBelow(all.questions.length, 5, idsOf(all.questions).join())
  })

  it.effect("ask only for the lines whose tax the book does not know", function* () {
    const taxed = (amount: string) => line({ taxes: [{ code: "", amount: money(amount) }] })
    const text = BookEditing.apply(BookEditing.blank("+02:00"), [
      {
        what: "tax",
        spelling: "",
        code: "ZERO",
        device: 2,
        name: null,
        percent: "0",
        since: null,
        until: null,
        lines: "exempt"
      }
    ])
    const { questions } = yield* asking([made("1", { lines: [taxed("0.00"), taxed("15.50")], totals: {} })], {
      book: { file: "book", text }
    })
    const { choices, proposal } = question(questions, "tax of taxable lines")
    assert.strictEqual(proposal, "515")
    assert.deepStrictEqual(
      choices.map(({ id }) => id),
      ["515", "leave-out"]
    )
  })

  it.effect("take the basis of amounts from no document whose lines state no tax", function* () {
    const free = made("1", {
      taxMode: "unstated",
      totals: { total: money("100") },
      lines: [line({ taxes: [{ code: "Standard", amount: money("0") }] })]
    })
    assert.isNull(question((yield* asking([free])).questions, "amounts").proposal)
  })

  it.effect("do not include facts that the book knows", function* () {
    const documents = [made("1")]
    const { questions } = yield* asking(documents)
    const choices = choicesOf(questions, { ...proposals(questions), zone: "+02:00" })
    const text = BookEditing.apply(
      BookEditing.blank("+00:00"),
      choices.flatMap(({ book }) => book)
    )
    const again = yield* asking(documents, { book: { file: "book", text } })
    assert.deepStrictEqual(again.questions, [])
  })

  it.effect("ask about buyer numbers that lack one digit, such as a leading zero", function* () {
    const documents = [
      made("1", { buyer: { name: "Ann", tin: "123456789" } }),
      made("2", { buyer: { name: "Bo", tin: "2000000001", vatNumber: "12345678" } })
    ]
    const { questions, unsettled } = yield* asking(documents)
    const asked = question(questions, "short-buyer-numbers")
    assert.deepStrictEqual([asked.documents, asked.proposal, unsettled.length], [2, null, 0])
    const book = yield* booked(questions, {
      ...proposals(questions),
      zone: "+02:00",
      "short-buyer-numbers": "restore"
    })
    const [first, second] = documents.map((document) => translate(document, book).translated?.document.payload)
    assert.strictEqual(first?.buyerContact?.tin, "0123456789")
    assert.strictEqual(second?.buyerContact?.vatNumber, "012345678")
  })

  it.effect("ask about rows outside of documents, and continue with the likeliest answer", function* () {
    const row = Finding.make(
      {
        code: "ROW_BLANK",
        severity: "error",
        meaning: "A row names no document",
        consequence: "It is refused.",
        fix: "Say what a blank means.",
        answers: [{ settings: { dates: "goes on" } }]
      },
      { at: { file: "made", line: 3 } }
    )
    const adapter: Adapter<Options> = {
      name: "made",
      read: (_, { dates }) => Stream.fromIterable<Reading>(dates === undefined ? [row, row] : [made("1")])
    }
    const { contents, questions } = yield* asking([], { adapter })
    const asked = question(questions, "ROW_BLANK")
    assert.strictEqual(asked.question, "A row names no document. Which is it? Rows: 2 (made:3; made:3)")
    assert.deepStrictEqual(
      asked.choices.map(({ id }) => id),
      ["goes on", "leave-out"]
    )
    assert.strictEqual(contents?.totals[0]?.documents, 1)
  })

  it.effect("ask once for the order of days, together with everything that depends on the day", function* () {
    const undated = made("1", {
      findings: [
        Finding.make(
          {
            code: "DAY_NUMBER",
            severity: "error",
            meaning: "A date is a number",
            consequence: "It is refused.",
            fix: "Say from when days are counted.",
            answers: [{ settings: { dates: "1900" } }, { settings: { dates: "1904" } }]
          },
          { path: ["date"], detail: '"46083"' }
        )
      ]
    })
    const { date: _, ...source } = undated
    const adapter: Adapter<Options> = {
      name: "made",
      read: (_, { dates }) => Stream.succeed(dates === undefined ? source : made("1"))
    }
    const { questions } = yield* asking([], { adapter })
    assert.deepStrictEqual(
      questions.map(({ id }) => id),
      ["DAY_NUMBER", "zone", "currency USD", "tax Standard"]
    )
    const asked = question(questions, "DAY_NUMBER")
    assert.strictEqual(asked.question, 'A date is a number ("46083"). Which is it?')
    assert.deepStrictEqual([asked.documents, asked.examples], [1, ["1"]])
  })

  it.effect("of the file do not hide the questions of its documents", function* () {
    const ambiguous = new AdapterError({
      adapter: "made",
      reason: new ReadingAmbiguous({
        questions: [
          {
            id: "dates",
            file: "made",
            question: "03/02/2026 is two days",
            readings: ["dmy", "mdy"].map((dates) => ({
              reading: dates,
              examples: [],
              answer: { settings: { dates } }
            }))
          }
        ]
      })
    })
    const adapter: Adapter<Options> = {
      name: "made",
      read: (_, { dates }) => (dates === undefined ? Stream.fail(ambiguous) : Stream.fromIterable([made("1")]))
    }
    const { questions } = yield* asking([], { adapter })
    assert.deepStrictEqual(
      questions.map(({ id }) => id),
      ["dates", "zone", "currency USD", "tax Standard"]
    )
    const readings = choicesOf(questions.slice(0, 1), { dates: "mdy" }).flatMap(({ reading }) => reading ?? [])
    assert.deepStrictEqual(AnsweredReading.laidAll(adapter, {}, readings), { dates: "mdy" })
  })
})

describe("a default of the mapping book", () => {
  const skus = (text: string, number: string) =>
    made(number, {
      lines: [{ ...line(), productCode: undefined as never }],
      words: [
        {
          subject: "item-code",
          name: "SKU",
          text,
          line: 0,
          answers: [{ settings: { dates: "sku" } }, { settings: { dates: "unread" } }]
        }
      ]
    })

  it.effect("never replaces unmapped item codes, which are a question with the column of the file", function* () {
    const documents = [skus("LAMP-1", "1"), skus("DESK-2", "2")]
    const { questions: first } = yield* asking(documents)
    const [column] = question(first, "product-codes").choices
    assert.deepStrictEqual(
      [column?.id, column?.words, column?.reading, column?.evidence],
      ["column SKU", 'the field "SKU" has the codes', { settings: { dates: "sku" } }, ["0 of 2 values have 8 digits"]]
    )
    const answers = { ...proposals(first), zone: "+02:00", "product-codes": "12345678" }
    const book = yield* booked(first, answers)
    const text = BookEditing.apply(
      BookEditing.blank("+00:00"),
      choicesOf(first, answers).flatMap(({ book }) => book)
    )
    const { questions } = yield* asking(documents, { book: { file: "book", text }, productCodes: "items" })
    assert.deepStrictEqual(
      documents
        .flatMap((document) => refusing(document, book))
        .map(({ code, detail, message }) => [code, message, detail]),
      ["LAMP-1", "DESK-2"].map((text) => [
        "DEFAULT_OVERRULES",
        '"SKU" states item codes that nothing reads, and `defaults.productCode` of the mapping book would be sent instead',
        `"${text}"`
      ])
    )
    const asked = question(questions, "DEFAULT_OVERRULES SKU")
    assert.strictEqual(asked.documents, 2)
    assert.deepStrictEqual(
      asked.choices.map(({ id }) => id),
      ["sku", "unread", "leave-out"]
    )
  })

  it.effect("has a question for each unmapped field, and each is answered separately", function* () {
    const word = (subject: "item-code" | "buyer-number", setting: string, line?: number) => ({
      subject,
      name: `the field of ${setting}`,
      text: "X-1",
      answers: [{ settings: { [setting]: "read" } }, { settings: { unmapped: "unread" } }],
      ...(line !== undefined && { line })
    })
    const document = made("1", {
      buyer: { name: "Ann" },
      lines: [{ ...line(), productCode: undefined as never }],
      words: [word("item-code", "productCode", 0), word("buyer-number", "tin")]
    })
    const text = BookEditing.apply(BookEditing.blank("+02:00"), [
      { what: "setting", path: ["defaults", "productCode"], value: "12345678" },
      { what: "setting", path: ["defaults", "cashBuyer"], value: "Cash sale {name}" }
    ])
    const { questions } = yield* asking([document], { book: { file: "book", text } })
    assert.deepStrictEqual(
      questions.flatMap(({ choices, id }) => (id.startsWith("DEFAULT") ? [[id, choices[1]?.words]] : [])),
      ["productCode", "tin"].map((setting) => [
        `DEFAULT_OVERRULES the field of ${setting}`,
        "it is left unread, and defaults of the mapping book are sent instead"
      ])
    )
  })

  it.effect("can be answered by two settings that accept the same value", function* () {
    const answers = [
      { settings: { tin: "vat" } },
      { settings: { vatNumber: "vat" } },
      { settings: { unmapped: "unread" } }
    ]
    const word = { subject: "buyer-number" as const, name: "vat", text: "220088812", answers }
    const text = BookEditing.apply(BookEditing.blank("+02:00"), [
      { what: "setting", path: ["defaults", "cashBuyer"], value: "Cash sale {name}" }
    ])
    const document = made("1", { buyer: { name: "Ann" }, words: [word] })
    const { questions } = yield* asking([document], { book: { file: "book", text } })
    const asked = question(questions, "DEFAULT_OVERRULES vat")
    assert.deepStrictEqual(
      asked.choices.map(({ id }) => id),
      ["tin=vat", "vatNumber=vat", "unread", "leave-out"]
    )
    assert.deepStrictEqual(chosen(asked, "vatNumber=vat")?.reading, { settings: { vatNumber: "vat" } })
  })

  it("never makes an anonymous sale if the export states a buyer in an unread column", () => {
    const word = { subject: "buyer-name" as const, name: "Client", text: "Ann" }
    const codes = (more: Partial<SourceDocument>) =>
      translate(made("1", { words: [word], ...more }), bookWith({})).findings.flatMap(({ code, message }) =>
        code === "DEFAULT_OVERRULES" ? [message] : []
      )
    assert.deepStrictEqual(codes({}), ['"Client" states unread buyers, and a cash sale would be sent instead'])
    assert.deepStrictEqual(codes({ buyer: { name: "Ann Ltd" } }), [])
    assert.deepStrictEqual(codes({ words: [{ ...word, text: "none" }] }), [])
  })

  it.effect("never makes a cash sale for a buyer whose number the export states", function* () {
    const word = { subject: "buyer-number" as const, name: "TaxNumber", text: "2000111222" }
    const document = made("1", { buyer: { name: "Ann" }, words: [word] })
    const { questions } = yield* asking([document])
    const book = yield* booked(
      questions.filter(({ id }) => id !== "DEFAULT_OVERRULES"),
      { ...proposals(questions), zone: "+02:00", "buyers-without-number": "cash-sale" }
    )
    assert.deepStrictEqual(
      refusing(document, book).map(({ code }) => code),
      ["DEFAULT_OVERRULES"]
    )
    assert.deepStrictEqual(refusing({ ...document, buyer: { name: "Ann", tin: "2000111222" } }, book), [])
  })
})

describe("an answers file", () => {
  it.effect("has the proposals in its template, and is read back", function* () {
    const { questions } = yield* asking([made("1")])
    const read = RememberedAnswers.listed("answers.json", RememberedAnswers.template(questions))
    assert.isTrue(Result.isSuccess(read))
    const answers = Result.getOrThrow(read)
    assert.deepStrictEqual(
      questions
        .filter((question) => chosen(question, answers.get(question.id) ?? "") === undefined)
        .map(({ id }) => id),
      ["zone"]
    )
  })

  it("is refused if it is not valid JSON, or of another version", () => {
    assert.isTrue(Result.isFailure(RememberedAnswers.listed("answers.json", "{ answers")))
    assert.isTrue(Result.isFailure(RememberedAnswers.listed("answers.json", '{ "version": 2, "answers": {} }')))
  })
})
