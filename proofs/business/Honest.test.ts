import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as Conversation from "../../packages/core/src/question/Conversation.ts"
import * as ColumnQuestions from "../../packages/core/src/question/ColumnQuestions.ts"
import type { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { counted, shown } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import * as Clerk from "./Clerk.ts"
import { firm } from "./Firm.ts"
import { books, judge, judgeConversed, judgeFirm, mapOf } from "./HonestTrial.ts"
import { knownFile, knownFirm, layouts } from "./KnownLayouts.ts"
import { type Layout, written } from "./Layouts.ts"

const { count, seed } = given("honest")

/** Number of documents in one file. */
const size = 8

/** Returns the layout's firm of a seed; the layouts come in turn. */
const named = (nth: number, seed: number) => {
  const { name } = layouts[nth % layouts.length]!.format
  return [name, knownFirm(name, seed, size)] as const
}

describe("a column with an unknown name that states the total of every document but one", () => {
  it.effect("refuses only that document, in every layout", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 4 < count; nth++) {
      const random = Random.make(seed + nth * 7919)
      const file = knownFile(...named(nth, seed + nth * 7919), random, random.between(0, size - 1))
      const { planned, refused, wrong } = yield* judge(file, books.answered)
      if (planned === size - 1 && refused.length === 1 && refused[0]!.includes("AMOUNT_CONTRADICTS")) continue
      problems.push(`seed ${seed + nth * 7919}: ${planned} planned; ${[...wrong, ...refused].join("; ")}`)
    }
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })
})

describe("honest exports of every layout, with additional columns that are not totals", () => {
  it.effect("are planned with the charged amounts, and none is refused after the rounding is settled", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const [wrong, refused]: [Array<string>, Array<string>] = [[], []]
    for (let nth = 0; nth * size < count; nth++) {
      const file = knownFile(...named(nth, seed + nth), Random.make(seed + nth))
      for (const [name, book] of Object.entries(books)) {
        const outcome = yield* judge(file, book)
        wrong.push(...outcome.wrong.map((text) => `${name} book, seed ${seed + nth}: ${text}`))
        if (name === "answered") refused.push(...outcome.refused.map((text) => `seed ${seed + nth}: ${text}`))
        for (let i = 0; i < outcome.planned; i++) outcomes.push(`${name} book: planned as charged`)
        for (const _ of outcome.refused) outcomes.push(`${name} book: refused`)
      }
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(wrong.slice(0, 20), [])
    assert.deepStrictEqual(refused.slice(0, 20), [])
  })
})

/** Shapes and tables of a firm, other than the layouts of products. */
const shapes: ReadonlyArray<Layout> = [
  { shape: "documents" },
  { shape: "xero-like" },
  { shape: "csv", rows: "line" },
  { shape: "csv", rows: "fill-down" },
  { shape: "workbook", rows: "line" }
]

describe("documents of a firm in seven languages, as a program, a system or a table states them", () => {
  it.effect("are planned with the charged amounts, with true answers about the table", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 4 < count; nth++) {
      const { planned, refused, wrong } = yield* judgeFirm(firm(seed + nth), shapes[nth % shapes.length]!, seed + nth)
      outcomes.push(...Array.from({ length: planned }, () => "document as charged"))
      problems.push(...[...wrong, ...refused].map((text) => `seed ${seed + nth}: ${text}`))
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })
})

/** Number columns of a map that documents of one row may not tell apart. */
const numbers = [
  "quantity",
  "unitPrice",
  "lineAmount",
  "lineTotal",
  "discountPercent",
  "discount",
  "documentDiscount",
  "shipping",
  "net",
  "tax",
  "total"
] as const

type Columns = NonNullable<ReturnType<typeof mapOf>["columns"]>

/** Returns the columns with two fields exchanged, or with one field renamed or left out. */
const exchanged = (columns: Columns): ReadonlyArray<Columns> =>
  numbers
    .filter((field) => columns[field] !== undefined)
    .flatMap((field) => {
      const { [field]: own, ...others } = columns
      const other = (to: (typeof numbers)[number]): ReadonlyArray<Columns> =>
        to === field ? [] : [{ ...others, ...(columns[to] && { [field]: columns[to] }), [to]: own }]
      return [others, ...numbers.flatMap(other)]
    })

describe("a wrong column map that plans documents of one row as charged", () => {
  it.effect("sends no other total in the next month, whose documents have several rows", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const layout = { shape: "csv", rows: "line" } as const
    const [outcomes, doubled]: [Array<string>, Array<string>] = [[], []]
    for (let nth = 0; nth * 220 < count; nth++) {
      const traits = { notes: "none", shipping: "none" } as const
      const first = firm(seed + nth, { ...traits, lines: [1, 1], documents: [1, 5] })
      const next = firm(seed + nth, { ...traits, lines: [2, 4], documents: [3, 5] })
      for (const columns of exchanged(mapOf(first, written(first, layout, seed + nth), "line").columns!)) {
        const judged = (month: typeof first) => judgeFirm(month, layout, seed + nth, (map) => ({ ...map, columns }))
        const before = yield* judged(first)
        outcomes.push(
          before.planned === first.documents.length ? "plans the first month" : "refused in the first month"
        )
        if (before.planned < first.documents.length) continue
        const { wrong } = yield* judged(next)
        doubled.push(...wrong.map((text) => `seed ${seed + nth}: ${text}`))
      }
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(doubled.slice(0, 20), [])
  })
})

/**
 * A firm and its table. Tables state the taxes of all lines, of some items or of none, or only as
 * amounts.
 */
const tableOf = (nth: number) => {
  const taxes = (["named", "some", "amounts", "named", "none", "amounts"] as const)[nth % 6]!
  const byItem = { taxes: "of items" } as const
  const of = firm(seed + nth, taxes === "some" || taxes === "none" ? byItem : {})
  return { of, file: written(of, { shape: "csv", rows: "line", taxes }, seed + nth) }
}

describe("a conversation about a firm's table", () => {
  it.effect("has the true answer to each question, and ends with every document as it was charged", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 4 < count; nth++) {
      const { file, of } = tableOf(nth)
      const conversed = yield* Clerk.converse(file, Clerk.truth(of, file))
      const { planned, refused, unrounded, wrong } = yield* judgeConversed(of, file, conversed)
      outcomes.push(...Array.from({ length: planned }, () => "document as charged"))
      outcomes.push(...unrounded.map(() => "document whose rounding is not stated, and both totals named"))
      const all = [...conversed.misses, ...wrong, ...(Clerk.isWitnessed(file) ? unrounded : []), ...refused]
      problems.push(...all.map((text) => `seed ${seed + nth}: ${text}`))
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })

  it.effect("never ends in another sale by one wrong answer", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 8 < count; nth++) {
      const { file, of } = tableOf(nth)
      const truth = Clerk.truth(of, file)
      const lies = Clerk.liesIn((yield* Clerk.converse(file, truth)).asked)
      if (lies.length === 0) continue
      const lie = Random.make(seed + nth).pick(lies)
      const answerOf = (question: OpenQuestion) => (question.id === lie.question.id ? lie.answer : truth(question))
      const conversed = yield* Effect.result(Clerk.converse(file, answerOf))
      if (Result.isFailure(conversed)) {
        outcomes.push("not read")
        continue
      }
      const { others, planned, refused, unrounded, wrong } = yield* judgeConversed(of, file, conversed.success)
      const what = `seed ${seed + nth}, ${lie.question.id}: ${lie.answer}`
      problems.push(...others.map((name) => `${what}: ${name} is another sale`))
      if (Clerk.statesTotal(file)) problems.push(...[...wrong, ...unrounded].map((text) => `${what}: ${text}`))
      const isSame = wrong.length + unrounded.length === 0 && planned === of.documents.length
      outcomes.push(refused.length > 0 ? "refused" : isSame ? "as charged" : "planned otherwise")
      // to change the lie, and the answers without a truth that it led to, ends whole
      const isLed = ({ answer, question }: Clerk.Asked) =>
        truth(question) === undefined ||
        (question.id === lie.question.id && answer === lie.answer) ||
        // by wrong amounts, no percent may fit all lines
        (answer === "each-item" && question.subject === "tax")
      const led = conversed.success.asked.flatMap((one) => (isLed(one) ? [one.question.id] : []))
      const state = [...led, ...conversed.success.again].reduce(Conversation.change, conversed.success.state)
      const mended = yield* Effect.result(Clerk.converse(file, truth, state))
      const after = Result.isFailure(mended) ? undefined : yield* judgeConversed(of, file, mended.success)
      if (after === undefined || after.planned + after.unrounded.length < of.documents.length)
        problems.push(
          `${what}, changed: ${after?.planned} planned, ${[...(after?.wrong ?? []), ...(after?.refused ?? [])].join("; ")}`
        )
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })

  it.effect("names the other dates if the clerk takes the due date for the date", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 16 < count; nth++) {
      const { file, of } = tableOf(nth)
      const truth = Clerk.truth(of, file)
      const due = file.columns.find(({ is }) => is === "due")?.name
      const own = file.columns.find(({ is }) => is === "date")!.name
      if (due === undefined) continue
      const answers: { readonly [id: string]: string } = {
        "which date": due,
        [ColumnQuestions.idOf(due)]: "date",
        [ColumnQuestions.idOf(own)]: ColumnQuestions.notUsed
      }
      const answerOf = ({ choices, id, ...rest }: OpenQuestion) =>
        choices.find((choice) => choice.id === answers[id])?.id ?? truth({ choices, id, ...rest })
      const conversed = yield* Effect.result(Clerk.converse(file, answerOf))
      if (Result.isFailure(conversed)) continue
      const { unread, wrong } = yield* judgeConversed(of, file, conversed.success)
      const isNamed = unread.includes(JSON.stringify(own))
      outcomes.push(wrong.length === 0 ? "refused or asked" : isNamed ? "named" : "silent")
      if (wrong.length > 0 && !isNamed) problems.push(`seed ${seed + nth}: ${wrong[0]}; ${unread}`)
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })
})
