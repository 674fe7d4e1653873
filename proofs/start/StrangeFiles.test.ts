/**
 * Proves the path from an unknown export to its plan: `connector start` on a real terminal, without
 * editing any file by hand.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { given } from "../Given.ts"
import { hasScript, lines, onTerminal } from "../OnTerminal.ts"
import { type StrangeFile, strangeFiles } from "./StrangeFiles.ts"

/** Prompt before the operator's input; the question is the text since the last answer. */
const prompt = /(?:Answer:|Answer, or Enter for the proposed one:|take the others:|"no" stops here:) $/

/** Prompt of the choice that asks for a text. */
const textPrompt = /\n {2}[^\n]+: $/

/** Number of the choice that asks for a text, in a question. */
const openChoice = /^ {2}(\d+) {2}.*: type /m

interface Asked {
  readonly question: string
  readonly answer: string
}

/** Answers every question as the owner of the file would; Enter accepts the proposal. */
const owner = ({ facts }: Pick<StrangeFile, "facts">) => {
  const asked: Array<Asked> = []
  let from = 0
  let text: string | undefined
  return {
    asked,
    watch: (shown: string, type: (keys: string) => void) => {
      const question = lines(shown.slice(from)).join("\n")
      if (!prompt.test(question) && !(text !== undefined && textPrompt.test(question))) return
      from = shown.length
      // a table shows the proposals of many questions: Enter takes them
      const isTable = /(?:take the others|stops here): $/.test(question)
      const fact = isTable ? "" : (facts.find(([about]) => about.test(question))?.[1] ?? "")
      const open = openChoice.exec(question)?.[1]
      const isText = text === undefined && open !== undefined && !/^\d$/.test(fact) && fact !== ""
      const answer = text ?? (isText ? open : fact)
      if (text === undefined) asked.push({ question, answer: fact })
      text = isText ? fact : undefined
      setTimeout(() => type(`${answer}\r`), 20)
    }
  }
}

const inFolder = (file: StrangeFile) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "connector-strange-"))
      writeFileSync(join(folder, file.name), await file.bytes())
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const { count, seed } = given("start")
const drawn = Array.from({ length: Math.min(count, strangeFiles.length) }, (_, i) =>
  strangeFiles.at((seed - 1 + i) % strangeFiles.length)!
)

describe.skipIf(!hasScript)("connector start on a terminal of util-linux's script", () => {
  for (const file of drawn) {
    it.live(`leads to a plan of every document: ${file.name}`, function* () {
      const cwd = yield* inFolder(file)
      const { asked, watch } = owner(file)
      const { code, text } = yield* onTerminal(`connector start ${file.name} --sandbox`, 100, cwd, {
        watch
      })
      const shown = lines(text).join("\n")
      assert.strictEqual(code, 0, shown)
      const all = `${file.documents} documents: ${file.documents} Planned`
      assert.include(shown, `Plan, nothing sent: ${all}`)
      const [, next = ""] = /^ {2}(connector import .*)$/m.exec(shown) ?? []
      const sent = yield* onTerminal(next, 100, cwd)
      assert.strictEqual(sent.code, 0, sent.text)
      // The answers are in generated files that were not edited.
      assert.isNotEmpty(readdirSync(cwd).filter((name) => name.endsWith(".sandbox.book.json")))
      process.stdout.write(
        `${file.name}: ${asked.length} answers, ${asked.filter(({ answer }) => answer === "").length} of them Enter\n`
      )
    })
  }

  it.live("keeps the answers when Ctrl-C ends it, and asks only the rest again", function* () {
    const [file] = strangeFiles
    const cwd = yield* inFolder(file!)
    const command = `connector start ${file!.name} --sandbox`
    const first = owner(file!)
    const leaving = (shown: string, type: (keys: string) => void) =>
      first.watch(shown, first.asked.length < 3 ? type : () => type("\u0003"))
    const left = yield* onTerminal(command, 100, cwd, { watch: leaving })
    const shown = lines(left.text).join("\n")
    assert.strictEqual(left.code, 130, shown)
    assert.include(shown, "Nothing was sent. The answers are kept in till.sandbox.questions.json. To continue:")
    assert.include(shown, `\n  ${command}`)
    const second = owner(file!)
    const { code, text } = yield* onTerminal(command, 100, cwd, { watch: second.watch })
    assert.strictEqual(code, 0, text)
    assert.isBelow(second.asked.length, 7)
  })
})
