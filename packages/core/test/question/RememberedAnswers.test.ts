import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Finding from "../../src/finding/Finding.ts"
import { RCPT043 } from "../../src/finding/ReceiptRule.ts"
import { type Choice, leaveOut } from "../../src/question/OpenQuestion.ts"
import * as RememberedAnswers from "../../src/question/RememberedAnswers.ts"

const at = DateTime.makeZonedUnsafe("2026-03-01T12:00:00Z", { timeZone: DateTime.zoneMakeOffset(0) })

const said = (header: ReadonlyArray<string>, settings: Readonly<Record<string, unknown>>) =>
  RememberedAnswers.worth({ adapter: "csv", header, from: "january.csv", settings }, at)

const header = ["Number", "Date"]

const ownFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "answers-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("remembered answers about files", () => {
  it("contain settings for similar files, but not settings for a single file", () => {
    assert.deepStrictEqual(said(header, { dates: "dmy", year: 2025 })?.settings, { dates: "dmy" })
    assert.strictEqual(said(header, { dates: "dmy" })?.on, "2026-03-01")
    assert.isUndefined(said(header, { year: 2025 }))
    assert.isUndefined(said(header, {}))
  })

  it.effect("are written next to existing comments, replaced, found and forgotten", () =>
    Effect.gen(function* () {
      const file = join(yield* ownFolder, RememberedAnswers.fileOf("shop.book.json"))
      assert.match(file, /shop\.answers\.json$/)
      assert.deepStrictEqual(yield* RememberedAnswers.load(file), [])
      yield* RememberedAnswers.remember(file, said(header, { dates: "dmy" })!)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      writeFileSync(file, readFileSync(file, "utf8").replace('"files"', '// of our shop\n  "files"'))
      yield* RememberedAnswers.remember(file, said(["Other", "Date"], { dates: "ymd" })!)
      yield* RememberedAnswers.remember(file, said(header, { dates: "mdy" })!)
      assert.include(readFileSync(file, "utf8"), "// of our shop")
      const entries = yield* RememberedAnswers.load(file)
      assert.deepStrictEqual(
        entries.map(({ settings }) => settings),
        [{ dates: "mdy" }, { dates: "ymd" }]
      )
      const recalled = (names: ReadonlyArray<string>) =>
        RememberedAnswers.recall(entries, "csv", [names], (names) => Effect.succeed(names))
      assert.deepStrictEqual(Option.map(yield* recalled(header), RememberedAnswers.describe), Option.some("dates mdy"))
      assert.isTrue(Option.isNone(yield* recalled(["Date", "Number"])))
      yield* RememberedAnswers.forget(file, { adapter: "csv", header })
      assert.lengthOf(yield* RememberedAnswers.load(file), 1)
      assert.include(readFileSync(file, "utf8"), "// of our shop")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("have the column map of the named file, are forgotten without that file, and refuse another content", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      const file = join(folder, "shop.answers.json")
      const entry = RememberedAnswers.worth(
        { adapter: "csv", header, from: "january.csv", settings: {}, columnMap: "shop.columns.json" },
        at
      )
      yield* RememberedAnswers.remember(file, entry!)
      yield* RememberedAnswers.remember(file, said(["Other", "Date"], { dates: "ymd" })!)
      assert.lengthOf(yield* RememberedAnswers.load(file), 1)
      writeFileSync(
        join(folder, "shop.columns.json"),
        '{\n  // ours\n  "version": 1, "columns": { "number": "No" },\n}'
      )
      const [first] = yield* RememberedAnswers.load(file)
      assert.deepStrictEqual(first?.columns, { version: 1, columns: { number: "No" } })
      assert.strictEqual(RememberedAnswers.describe(first!), "which column is what")
      // the map stays in one place
      yield* RememberedAnswers.remember(file, said(header, { dates: "dmy" })!)
      assert.notInclude(readFileSync(file, "utf8"), '"number"')
      yield* RememberedAnswers.remember(file, entry!)
      writeFileSync(join(folder, "shop.columns.json"), "[]")
      const error = yield* Effect.flip(RememberedAnswers.load(file))
      assert.include(error.message, "shop.columns.json is not a column map")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("are refused as a whole if the file has another form, and the file is not changed", () =>
    Effect.gen(function* () {
      const file = join(yield* ownFolder, "x.answers.json")
      for (const text of ["{", '{"version":2,"files":[]}', '{"version":1,"files":[{"adapter":"csv"}]}']) {
        writeFileSync(file, text)
        const error = yield* Effect.flip(RememberedAnswers.load(file))
        assert.include(error.message, "x.answers.json is not a file of answers")
        yield* Effect.flip(RememberedAnswers.remember(file, said(header, { dates: "dmy" })!))
        assert.strictEqual(readFileSync(file, "utf8"), text)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("a refusal that follows from an answer", () => {
  it("names the answer about its policy before the answer about its column", () => {
    const at = { file: "sales.csv", line: 2, columnName: "TIN" } as const
    const finding = Finding.make(RCPT043, { path: ["buyer", "tin"], at })
    const answers = new Map([
      ["column TIN", { answer: "customerTin", says: "the buyer's TIN" }],
      ["buyers-without-number", { answer: "leave-out", says: "leave these documents out" }]
    ])
    assert.deepStrictEqual(
      RememberedAnswers.caused({ findings: [finding], number: null }, answers, "change it").map(
        ({ becauseOf }) => becauseOf
      ),
      ["buyers-without-number"]
    )
  })

  it("names the answer about its word before the answer about the column", () => {
    const at = { file: "sales.csv", line: 2, columnName: "Type", text: "Return" } as const
    const finding = Finding.make(RCPT043, { path: ["lines"], at })
    const answers = new Map([
      ["column Type", { answer: "kind", says: "the kind: invoice or credit note" }],
      ["CSV_KIND_UNKNOWN Sale", { answer: "Sale=invoice", says: '"Sale" means an invoice' }],
      ["CSV_KIND_UNKNOWN Return", { answer: "Return=invoice", says: '"Return" means an invoice' }]
    ])
    const [caused] = RememberedAnswers.caused({ findings: [finding], number: null }, answers, "change it")
    assert.strictEqual(caused?.becauseOf, "CSV_KIND_UNKNOWN Return")
  })

  it("names the answer about many spellings together", () => {
    const book = ["T0", "T1"].map((spelling) => ({
      what: "tax",
      spelling,
      code: spelling,
      device: 1,
      name: null,
      percent: "15.5",
      since: null,
      until: null
    }))
    const choices = [
      { id: "1", words: "15.5 %", examples: [], evidence: [], reading: null, book, fill: null },
      leaveOut
    ] as ReadonlyArray<Choice>
    const kept = { answer: leaveOut.id, says: leaveOut.words }
    const answers = new Map([["tax T0 and 1 more", { ...kept, ...RememberedAnswers.aboutOf({ choices }) }]])
    const [caused, other] = ["T1", "T7"].map((spelling) =>
      RememberedAnswers.caused(
        {
          findings: [
            Finding.make(RCPT043, { path: ["lines", 0, "taxes", 0], unmapped: { what: "tax", spelling } as never })
          ],
          number: null
        },
        answers,
        "change it"
      ).map(({ becauseOf }) => becauseOf)
    )
    assert.deepStrictEqual(caused, ["tax T0 and 1 more"])
    assert.deepStrictEqual(other, [undefined])
    // an answer about one spelling has its name
    assert.deepStrictEqual(
      RememberedAnswers.aboutOf({ choices: [{ ...choices[0]!, book: book.slice(1) as never }] }),
      {}
    )
  })
})
