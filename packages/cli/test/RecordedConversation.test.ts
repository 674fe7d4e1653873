/**
 * Runs the conversation of docs/start.md and compares the recording with the output.
 * `UPDATE_DOCS=1` writes the recording; check the difference before keeping it.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith } from "./RunningConnector.ts"

const page = join(import.meta.dirname, "../../../docs/start.md")
const isWritten = process.env["UPDATE_DOCS"] !== undefined

const place = (name: string) => new RegExp(`(<!-- recorded: ${name} -->\n)([^]*?)(<!-- end: ${name} -->)`)

/** Returns the text in the block of a part of the page. */
const partOf = (text: string, name: string): string => {
  const [, , part = ""] = place(name).exec(text) ?? []
  return part.replaceAll(/^```\w*\n/gm, "")
}

/** Returns the page with the text as the block of the part. */
const withPart = (text: string, name: string, language: string, part: string): string =>
  text.replace(place(name), (_, begin: string, __: string, end: string) =>
    [begin, "```", language, "\n", part.trim(), "\n```\n", end].join("")
  )

/** A prompt, after which the operator types. */
const prompt = /(?:Answer:|Answer, or Enter for the proposed one:|take the others:|"no" stops here:) /g

/** Answers of the recording. An empty text is the Enter key. */
const typed = ["Clase", "", "2", "Africa/Harare", "", "15.5", "0 %", "12345678", "1", ""]

describe("the recording of docs/start.md", () => {
  it.live("is what the conversation, its files and its import print (UPDATE_DOCS=1 writes it)", function* () {
    const text = readFileSync(page, "utf8")
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, "sales.csv"), partOf(text, "file"))
    const env = { TZ: "UTC" }
    const started = yield* connector(["start", "sales.csv", "--sandbox"], { cwd, env, typed })
    assert.strictEqual(started.code, 0, started.err + started.out)
    const answers = [...typed]
    const said = started.out.replaceAll(prompt, (asked) => `${asked}${answers.shift() || "⏎"}\n`)
    assert.deepStrictEqual(answers, [])
    const [, call = ""] = /^ {2}connector (import .*)$/m.exec(started.out) ?? []
    const imported = yield* connector(call.split(" "), { cwd, env })
    const outcome = imported.out.trim().split("\n").at(-1) ?? ""
    assert.strictEqual(outcome, "2 documents: 2 fiscalised", imported.err)
    const recorded = [
      ["conversation", "text", said],
      ["map", "jsonc", readFileSync(join(cwd, "sales.columns.json"), "utf8")],
      ["import", "text", outcome]
    ] as const
    const current = recorded.reduce((all, [name, language, part]) => withPart(all, name, language, part), text)
    if (isWritten) writeFileSync(page, current)
    else assert.strictEqual(text, current)
  })
})
