/**
 * The conversation about a file ends with every operator, and keeps every answer that it does not
 * name: random, adversarial and changing answers about generated files.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as Conversation from "../../packages/core/src/question/Conversation.ts"
import type { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import type * as Questions from "../../packages/core/src/question/Questions.ts"
import { adapter } from "@fiscal-connector/adapter-csv/CsvFormat"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Console, Effect, Result, Stream } from "effect"
import { documentsOf, invoicesOf } from "../../packages/adapter-csv/test/GeneratedFiles.ts"
import { firm } from "../business/Firm.ts"
import { written } from "../business/Layouts.ts"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"

const { seeds } = given("conversations")

const askingOf = (bytes: Uint8Array<ArrayBuffer>): Questions.Asking<CsvOptions> => ({
  adapter,
  input: { files: [{ name: "in.csv", bytes: Stream.succeed(bytes) }] },
  options: {},
  zones: ["Africa/Harare"],
  columns: ({ files: [file] }, options) => adapter.table.ask(file!, options)
})

/** Two questions about this file deleted each other's answers without end. */
const german = `Belegnummer;Belegdatum;Belegart;Firma;USt-IdNr.;Bezeichnung;Menge;Einzelpreis netto;Gesamt netto;USt %;USt-Betrag;Gesamt brutto;Währung;Zahlungsart
RE-1;05.01.2026;Rechnung;Beispiel GmbH;;Schrauben;3;12,50;37,50;15,5;5,81;43,31;USD;Bar
RE-2;19.01.2026;Rechnung;Straßenbau Weiß KG;2000990011;Bohrmaschine;2;1.249,00;2.498,00;15,5;387,19;2.885,19;USD;EC-Karte
`

const encoded = (text: string) => new TextEncoder().encode(text)

/** Files of unknown names, honest tables of a firm in seven languages, and the German one. */
const fileOf = (seed: number): Uint8Array<ArrayBuffer> => {
  const layout = { shape: "csv", rows: "line", taxes: seed % 2 === 0 ? "named" : "amounts" } as const
  const made = [
    () => encoded(german),
    () => encoded(invoicesOf(seed).text),
    () => encoded(documentsOf(seed).text),
    () => written(firm(seed, { documents: [1, 6] }), layout, seed).bytes
  ]
  return made[seed % made.length]!()
}

type Operator = (question: OpenQuestion, random: Random.Random) => string

const typedOf = ({ choices }: OpenQuestion): string => {
  const fill = choices.find((choice) => choice.fill !== null)?.fill ?? ""
  return /zone/.test(fill) ? "+02:00" : /currency/.test(fill) ? "USD" : /HS/.test(fill) ? "87168000" : "15"
}

const textOf = (question: OpenQuestion, at: number): string => {
  const choice = question.choices.at(at)!
  return choice.fill === null ? choice.id : typedOf(question)
}

/** Operators, and the choices that each prefers. */
const operators: Readonly<Record<string, Operator>> = {
  random: (question, random) => textOf(question, random.between(0, question.choices.length - 1)),
  first: (question) => textOf(question, 0),
  last: (question) => textOf(question, -1),
  "everything the number": ({ choices, ...question }) =>
    choices.find(({ id, meaning }) => id === "number" || meaning === "number")?.id ??
    textOf({ ...question, choices }, 0),
  "never the proposal": (question, random) => {
    const others = question.choices.filter(({ id }) => id !== question.proposal)
    return others.length === 0
      ? textOf(question, 0)
      : textOf({ ...question, choices: others }, random.between(0, 99) % others.length)
  }
}

/** Maximum number of answers of a run: far above the questions of these files. */
const most = 400

const hold = (asking: Questions.Asking<CsvOptions>, operator: Operator, random: Random.Random, changes: number) =>
  Effect.gen(function* () {
    let state = Conversation.begin()
    let left = changes
    const taken = new Set<string>()
    for (let answers = 0; answers < most;) {
      const next = yield* Conversation.next(asking, state)
      state = next.state
      if (next._tag !== "Group") {
        const subjects = [...state.answers.keys()]
        if (left === 0 || subjects.length === 0) return next
        left -= 1
        // to change the answer that stopped it goes on
        const by = next._tag === "Stopped" ? subjects.filter((one) => next.by.includes(one)) : []
        const subject = random.pick(by.length > 0 ? by : subjects)
        const before = state.answers
        state = Conversation.change(state, subject)
        assert.deepStrictEqual(
          [...state.answers.keys()],
          [...before.keys()].filter((one) => one !== subject)
        )
        taken.clear()
        continue
      }
      // a change may take the choice of another answer away: it is named, and asked again
      const unnamed = next.problems.filter((text) => !next.questions.some(({ id }) => text.startsWith(`${id}: `)))
      assert.deepStrictEqual(left === changes ? next.problems : unnamed, [])
      for (const { id } of next.questions) {
        const [question] =
          state.opened === undefined
            ? []
            : Conversation.openIn(
                state,
                next.questions.filter((one) => one.id === id)
              )
        if (question === undefined) continue
        const text = operator(question, random)
        const answered = Conversation.answer(state, id, text)
        if (Result.isFailure(answered)) throw new Error(`${id} ${text}: ${answered.failure}`)
        answers += 1
        const choice = question.choices.find((one) => one.id === text)
        const subject = choice?.as?.subject ?? id
        const pair = `${subject} → ${choice?.as?.choice ?? text}`
        // each return to "not used" follows a meaning that is then used up
        assert.isFalse(taken.has(pair) && text !== "unused", `${pair} is taken twice`)
        taken.add(pair)
        // every other answer is kept, or named
        const kept = [...state.answers.keys()].filter((one) => one !== subject && !answered.success.again.includes(one))
        for (const one of kept)
          assert.deepStrictEqual(
            answered.success.state.answers.get(one),
            state.answers.get(one),
            `${one} after ${pair}`
          )
        state = answered.success.state
      }
    }
    throw new Error("the conversation does not end")
  })

const names = Object.keys(operators)

describe("the conversation about a file", () => {
  // slow: each run reads its file once for every group of answers
  it.live(
    `ends with each kind of operator, also after changes, and loses nothing: ${seeds.length} files`,
    function* () {
      const outcomes: Array<string> = []
      for (const [nth, seed] of seeds.entries()) {
        const name = names[nth % names.length]!
        const random = Random.make(seed)
        const asking = askingOf(fileOf(seed))
        const next = yield* hold(asking, operators[name]!, random, 2 + (seed % 4)).pipe(
          Effect.tapCause((cause) => Effect.logError(`${name}, seed ${seed}`, cause))
        )
        outcomes.push(`${name}: ${next._tag}`)
        if (next._tag !== "Done") continue
        // the same answers, from a file, in another order, give the same map and the same book
        const begun = Conversation.begin(new Map(random.shuffled([...next.state.answers])))
        const again = yield* Conversation.next(asking, begun)
        assert.strictEqual(again._tag, "Done", `${name}, seed ${seed}`)
        assert.deepStrictEqual(
          Conversation.readingsOf(again.state),
          Conversation.readingsOf(next.state),
          `${name}, seed ${seed}`
        )
        assert.strictEqual(
          Conversation.bookOf(asking, again.state),
          Conversation.bookOf(asking, next.state),
          `${name}, seed ${seed}`
        )
      }
      yield* Console.log(counted(outcomes))
    }
  )
})
