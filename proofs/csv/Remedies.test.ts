/**
 * Every answer about the file that a question offers helps: with it, fewer documents of the altered
 * export are refused, or for another reason.
 */
import { adapter, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Effect, Stream } from "effect"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { type Finding, refuses } from "../../packages/core/src/finding/Finding.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as AnsweredReading from "../../packages/core/src/question/AnsweredReading.ts"
import * as Questions from "../../packages/core/src/question/Questions.ts"
import { refusing } from "../../packages/core/src/question/Trials.ts"
import * as Readings from "../../packages/core/src/source/Readings.ts"
import { counted, shown } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { alter, kinds } from "./Alterations.ts"
import { documentsOf, formats } from "./ExportFormats.ts"

const { seeds } = given("remedies")

/** Without a policy, so that everything that an answer can settle is open. */
const text = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [
    { from: ["VAT 15%"], code: "VAT15", device: 1, percent: "15" },
    { from: ["Zero rated"], code: "ZERO", device: 2, percent: "0" }
  ],
  currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
  defaults: { productCode: "12345678" }
})

const settings: CsvOptions["settings"] = { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" }

const inputOf = (file: string) => ({
  files: [{ name: "altered.csv", bytes: Stream.succeed(new TextEncoder().encode(file)) }]
})

/** Counts the refusals of an export by document and code, and those of the file. */
const refusalsOf = (file: string, options: CsvOptions, bookText: string) =>
  Effect.gen(function* () {
    const book = yield* BookFile.load("remedies.book.json", bookText)
    const readings = yield* Stream.runCollect(Readings.from(adapter, inputOf(file), options, book))
    return readings.flatMap((reading): ReadonlyArray<Finding> =>
      reading._tag === "SourceDocument"
        ? [...reading.findings.filter(refuses), ...refusing(reading, book)]
        : reading._tag === "Finding" && refuses(reading)
          ? [reading]
          : []
    )
  })

const codes = (findings: ReadonlyArray<Finding>): string =>
  findings
    .map(({ code, message }) => `${code} ${message}`)
    .toSorted()
    .join("\n")

describe("an answer that a question about an altered export offers", () => {
  it.effect("leaves fewer refusals, or others", function* () {
    const outcomes: Array<string> = []
    const useless: Array<string> = []
    for (const seed of seeds) {
      const random = Random.make(seed)
      const format = random.pick(formats)
      const { text: file, what } = alter(format, documentsOf(format, random), random.pick(kinds), random)
      const options: CsvOptions = { settings, ...(format.map && { columns: format.map }) }
      const opened = yield* Effect.result(
        Questions.open({
          adapter,
          input: inputOf(file),
          options,
          book: { file: "remedies.book.json", text },
          zones: ["UTC"]
        })
      )
      if (opened._tag === "Failure") {
        outcomes.push("no answer helps, and none is offered")
        continue
      }
      const before = yield* Effect.result(refusalsOf(file, options, text))
      for (const question of opened.success.questions) {
        for (const choice of question.choices) {
          // policies are tried together with the likeliest answers to the other questions
          if (choice.fill !== null || choice.reading === null) continue
          const laid = AnsweredReading.laid(adapter, options, choice.reading)
          const after = yield* Effect.result(refusalsOf(file, laid ?? options, text))
          const helped =
            before._tag === "Failure"
              ? after._tag === "Success" || after.failure.message !== before.failure.message
              : after._tag === "Success" &&
                (after.success.length < before.success.length || codes(after.success) !== codes(before.success))
          outcomes.push(`${question.id.split(" ")[0]}: ${helped ? "helps" : "does not help"}`)
          if (!helped) useless.push(`seed ${seed} ${format.name}, ${what}: ${question.id} = ${choice.id}`)
        }
      }
    }
    yield* shown(counted(outcomes))
    assert.deepStrictEqual(useless.slice(0, 20), [], counted(outcomes))
  })
})
