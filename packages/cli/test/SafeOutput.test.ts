/**
 * Tests the escaping of all output. For every command with control characters in every name and
 * cell, see proofs/output.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Call from "../src/output/Call.ts"
import * as Terminal from "../src/output/Terminal.ts"
import { connector, type Ended, key } from "./RunningConnector.ts"

/**
 * Hostile text. A terminal obeys the first characters; the bidirectional ones reorder the text; the
 * last one starts a separate text line.
 */
const hostile = "x\u001b[2J\u009b31m\u009d0;t\u0007\u007f\u202e\u2066\u200f\u061c\u2028\nFORGED"
const obeyed = /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\n]]/v

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const columns = ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode", `Column ${hostile}`]
const row = (number: string) => [number, "2026-02-03", `Pen ${hostile}`, "2", "9.50", `VAT ${hostile}`, hostile]
const csv = [columns, row("INV-1"), row(`INV-2 ${hostile}`), row("INV-3")]
  .map((cells) => `${cells.map(quoted).join(",")}\r\n`)
  .join("")

const file = `sales ${hostile.replaceAll("/", "")}.csv`

const config = {
  accounts: {
    [`main ${hostile}`]: {
      baseUrl: "http://127.0.0.1:9",
      application: "TestApp",
      station: "POS-1",
      version: "1.0",
      keyFile: "key"
    }
  }
}

const book = JSON.stringify({
  zone: "+02:00",
  taxes: [{ from: [`VAT ${hostile}`], code: hostile, device: 1 }],
  currencies: [{ from: [hostile], code: "USD" }]
})

const isSafe = ({ err, out }: Ended, call: ReadonlyArray<string>) => {
  for (const text of [out, err]) {
    const found = obeyed.exec(text)
    assert.isNull(
      found,
      `${JSON.stringify(call)}: ${JSON.stringify(text.slice(Math.max(0, (found?.index ?? 0) - 80)).slice(0, 160))}`
    )
    const forged = text.split("\n").find((each) => each.startsWith("FORGED"))
    assert.isUndefined(
      forged,
      `${JSON.stringify(call)}: ${JSON.stringify(text.slice(Math.max(0, text.indexOf("\nFORGED") - 160)).slice(0, 240))}`
    )
  }
}

const inFolder = (run: (folder: string) => Effect.Effect<void>) =>
  Effect.suspend(() => {
    const folder = mkdtempSync(join(tmpdir(), "fiscal-connector-safe-"))
    writeFileSync(join(folder, file), csv)
    writeFileSync(join(folder, "key"), key, { mode: 0o600 })
    writeFileSync(join(folder, `${file}.book.json`), book)
    writeFileSync(join(folder, "connector.json"), JSON.stringify(config))
    return Effect.ensuring(
      run(folder),
      Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  })

describe("a drafted file", () => {
  it.live("contains no control character in the output, and is readable for its owner only", () =>
    inFolder((cwd) =>
      Effect.gen(function* () {
        const ended = yield* connector(
          ["book", "draft", "csv", file, "--currency", "USD", "--amounts", "exclusive", "--book", "d.book.json"],
          { cwd }
        )
        isSafe(ended, ["book draft"])
        assert.include(readdirSync(cwd), "d.book.json", ended.err)
        assert.notMatch(readFileSync(join(cwd, "d.book.json"), "utf8"), obeyed)
        assert.strictEqual(statSync(join(cwd, "d.book.json")).mode & 0o777, 0o600)
      })
    )
  )
})

describe("the terminal filter", () => {
  it("escapes terminal control characters, and keeps the meaning of JSON", () => {
    const json = JSON.stringify({ [hostile]: hostile })
    assert.notMatch(Terminal.leaving(json), obeyed)
    assert.deepStrictEqual(JSON.parse(Terminal.leaving(json)), { [hostile]: hostile })
  })

  it("adds our own styles, which cell texts cannot imitate", () => {
    assert.strictEqual(Terminal.leaving(Terminal.styled("a\u001b[2J", 32)), "\u001b[32ma\\u001b[2J\u001b[0m")
    assert.notInclude(Terminal.leaving("\ufdd032;red"), "\u001b")
  })
})

describe("a printed command", () => {
  it("quotes a text exactly without printing a control character", () => {
    const word = Call.quoted(`it's ${hostile}\\n`, "posix")
    assert.notMatch(word, /[\p{Cc}\p{Bidi_Control}]/u)
    assert.include(word, String.raw`\u202e`)
    assert.strictEqual(Call.quoted("a\u001bb", "posix"), String.raw`$'a\x1bb'`)
    assert.strictEqual(Call.quoted('a\u001b"$b', "powershell"), '"a$([char]27)`"`$b"')
  })
})
