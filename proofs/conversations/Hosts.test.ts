/**
 * The same answers give the same map, book and plan in every host: the command with JSON, a
 * terminal, the promise package and the page.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as CsvFormat from "@fiscal-connector/adapter-csv/CsvFormat"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Console, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines } from "../../packages/cli/test/RunningConnector.ts"
import * as BookEditing from "../../packages/core/src/mapping/BookEditing.ts"
import type { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import { connect } from "../../packages/promise/src/index.ts"
import { plainText, start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import * as Clerk from "../business/Clerk.ts"
import { firm } from "../business/Firm.ts"
import { type Written, written } from "../business/Layouts.ts"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import * as TerminalClerk from "./TerminalClerk.ts"

const { seeds } = given("hosts")

/** Result of a conversation. `planned`: documents that the host would send. */
interface Held {
  readonly book: unknown
  /** Column map; the page keeps it to itself. */
  readonly columns?: unknown
  readonly planned: number
}

type Answers = Readonly<Record<string, string>>

const taxes = [
  { taxId: 1, taxPercent: "15", taxName: "Standard" },
  { taxId: 5, taxPercent: "5", taxName: "Reduced" },
  { taxId: 2, taxPercent: "0", taxName: "Zero" },
  { taxId: 3, taxName: "Exempt" }
]

const base = BookEditing.blank("+02:00")

/** Returns a folder with the file, a book and a gateway that maps the firm's taxes. */
const folderOf = (file: Written, { taxes: own }: ReturnType<typeof firm>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    const taxMappings = own.map(({ name, percent }) => ({
      taxCode: name,
      destinationTaxId: taxes.find(({ taxPercent }) => taxPercent === String(percent))!.taxId
    }))
    yield* gatewayFor(folder, { device: { taxes }, account: { taxMappings } })
    writeFileSync(join(folder, file.name), file.bytes)
    writeFileSync(join(folder, "own.book.json"), base)
    return folder
  })

/** Parses JSON with comments on lines of their own. */
const parseJsonc = (text: string): unknown => JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ""))

const read = (folder: string, name: string): unknown => parseJsonc(readFileSync(join(folder, name), "utf8"))

/** More groups than a conversation has. */
const most = 12

/** Returns book and map that the command has written, and its plan by them. */
const heldIn = (folder: string, { name }: Written) =>
  Effect.gen(function* () {
    const flags = ["--config", "account.json", "--book", "own.book.json", "--columns", "own.columns.json", "--json"]
    const plan = yield* connector(["plan", name, ...flags], { cwd: folder })
    const planned = lines(plan.out).filter((one) => "payload" in one && one["state"] === "Planned").length
    return { book: read(folder, "own.book.json"), columns: read(folder, "own.columns.json"), planned } satisfies Held
  })

/** Types the same answers at a terminal. Returns the number of prompts. */
const byTerminal = (name: string, folder: string, asked: ReadonlyArray<Clerk.Asked>) =>
  Effect.gen(function* () {
    const clerk = TerminalClerk.make(asked)
    const flags = ["--config", "account.json", "--book", "own.book.json"]
    const { code, err, out } = yield* connector(["start", name, ...flags], { cwd: folder, typed: clerk.line })
    if (code === 1) throw new Error(`${name} at a terminal: ${out}${err}`)
    return clerk.prompts()
  })

/** Most prompts for an unknown table, and for the second file of the kind. */
const mostPrompts = { first: 22, second: 3 }

/** Answers the questions of the command until it asks none. Returns the answers, too. */
const byCommand = (file: Written, folder: string, answerOf: (question: OpenQuestion) => string) =>
  Effect.gen(function* () {
    const answers: Record<string, string> = {}
    const asked: Array<Clerk.Asked> = []
    for (let i = 0; i < most; i++) {
      writeFileSync(join(folder, "given.json"), JSON.stringify({ version: 1, answers }))
      const flags = ["--config", "account.json", "--book", "own.book.json", "--answers", "given.json", "--json"]
      const { out } = yield* connector(["start", file.name, ...flags], { cwd: folder })
      const [first] = lines(out) as unknown as ReadonlyArray<{ readonly questions?: ReadonlyArray<OpenQuestion> }>
      const questions = first?.questions ?? []
      if (questions.length === 0) return { answers, asked, held: yield* heldIn(folder, file) }
      for (const question of questions) {
        answers[question.id] = answerOf(question)
        asked.push({ question, answer: answers[question.id]! })
      }
    }
    throw new Error(`${file.name}: the command goes on asking`)
  })

const byPromise = (file: Written, folder: string, answers: Answers) =>
  Effect.promise(async (): Promise<Held> => {
    const options = {
      account: "main",
      config: join(folder, "account.json"),
      store: { sqlite: join(folder, "promise.db") }
    }
    const exported = { adapter: CsvFormat.adapter, files: [{ name: file.name, bytes: file.bytes }] }
    writeFileSync(join(folder, "promise.book.json"), base)
    await using asking = await connect({ ...options, book: join(folder, "promise.book.json") })
    const asked = await asking.questions(exported, { answers })
    assert.deepStrictEqual([asked.questions, asked.problems], [[], []])
    writeFileSync(join(folder, "promise.book.json"), asked.book)
    await using planning = await connect({ ...options, book: join(folder, "promise.book.json") })
    await using plan = await planning.plan({ ...exported, options: asked.options as CsvOptions })
    return {
      book: parseJsonc(asked.book),
      columns: (asked.options as CsvOptions).columns,
      planned: plan.counts.planned ?? 0
    }
  })

/** Returns the page's choice of each column. */
const columnsIn = (body: string, answers: Answers): Readonly<Record<string, string>> => {
  const ofFields = Object.entries(answers).flatMap(([id, column]) =>
    id.startsWith("which ") ? [[column, id.slice(6)] as const] : []
  )
  const fields = new Map(ofFields)
  return Object.fromEntries(
    Array.from(body.matchAll(/<h2>([^<]*)<\/h2>\s*<select name="(column\.\d+)"/g), ([, text = "", name = ""]) => {
      const column = plainText(text)
      return [name, fields.get(column) ?? answers[`column ${column}`] ?? "unused"]
    })
  )
}

const byPage = (file: Written, folder: string, answers: Answers) =>
  Effect.gen(function* () {
    const page = yield* start(["--config", "account.json", "--book", "page.book.json"], {}, folder)
    writeFileSync(join(folder, "page.book.json"), base)
    return yield* Effect.promise(async (): Promise<Held> => {
      const visitor = await Visitor.open(page)
      const where = visitor.whereTo(
        await visitor.upload([[file.name, new TextDecoder().decode(file.bytes)]], { fields: { account: "main" } })
      )
      for (let i = 0; i < most; i++) {
        const { body } = await visitor.read(where)
        if (body.includes("Which column is what?")) await visitor.post(`${where}/columns`, columnsIn(body, answers))
        else if (visitor.questionsIn(body).size === 0) break
        else await visitor.answer(where, answers)
      }
      const { body } = await visitor.read(where)
      const [, planned = "0"] = /Send (\d+) document/.exec(body) ?? []
      return { book: read(folder, "page.book.json"), planned: Number(planned) }
    })
  })

describe("the same answers", () => {
  it.live(`give the same map, book and plan in every host: ${seeds.length} files`, function* () {
    const outcomes: Array<string> = []
    const prompts: Array<string> = []
    for (const [nth, seed] of seeds.entries()) {
      const of = firm(seed, { documents: [1, 4] })
      const file = written(of, { shape: "csv", rows: "line", taxes: nth % 3 === 2 ? "amounts" : "named" }, seed)
      const folder = yield* folderOf(file, of)
      const truth = Clerk.truth(of, file)
      const random = Random.make(seed)
      // now and then another answer: the hosts agree about wrong ones, too
      const other = ({ choices, subject }: OpenQuestion) =>
        seed % 2 === 1 && !["columns", "contents"].includes(subject) && random.chance(0.2)
          ? random.pick(choices.filter(({ fill }) => fill === null)).id
          : undefined
      const answerOf = (question: OpenQuestion) =>
        other(question) ?? truth(question) ?? question.choices.find(({ fill }) => fill === null)!.id
      const { answers, asked, held } = yield* byCommand(file, folder, answerOf)
      const what = `seed ${seed} ${JSON.stringify(answers)}`
      assert.deepStrictEqual(yield* byPromise(file, folder, answers), held, what)
      const typed = yield* folderOf(file, of)
      const first = yield* byTerminal(file.name, typed, asked)
      assert.deepStrictEqual(yield* heldIn(typed, file), held, what)
      assert.isAtMost(first, mostPrompts.first, what)
      if (seed % 2 === 1) prompts.push(`${first} prompts, some wrong answers`)
      else {
        writeFileSync(join(typed, "second.csv"), file.bytes)
        const second = yield* byTerminal("second.csv", typed, asked)
        assert.isAtMost(second, mostPrompts.second, what)
        prompts.push(`${first} prompts, ${second} for the second file`)
      }
      const { book, planned } = held
      assert.deepStrictEqual(yield* byPage(file, folder, answers), { book, planned }, what)
      outcomes.push(planned === of.documents.length ? "all planned" : planned > 0 ? "some planned" : "none planned")
    }
    yield* Console.log(counted([...outcomes, ...prompts]))
  })
})
