/**
 * Every output shows a sent document as sent, with the book's current values in a finding beside
 * the document.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandsIn } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const config = ["--config", "account.json"]
const book = "historical-invoices.book.json"

describe("a sent document", () => {
  it.live("is shown with its sent codes after a code was renamed in the book", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", book)
    yield* gatewayFor(cwd)
    const importing = ["import", "csv", "historical-invoices.csv", ...config, "--book", book]
    const codesOf = (out: string) => {
      const summary = lines(out).find((line) => "taxes" in line) as unknown as {
        readonly taxes: ReadonlyArray<{ readonly state: string; readonly taxCode: string; readonly total: string }>
      }
      return summary.taxes
        .filter(({ state }) => state === "Fiscalised")
        .map(({ taxCode, total }) => `${taxCode} ${total}`)
        .toSorted()
    }
    const first = yield* connector([...importing, "--json"], { cwd })
    assert.strictEqual(first.code, 0, first.err)
    const text = readFileSync(join(cwd, book), "utf8")
    const [code = ""] = /"code":\s*"([^"]+)"/.exec(text)?.slice(1) ?? []
    writeFileSync(join(cwd, book), text.replaceAll(`"${code}"`, '"RENAMED"'))
    const again = yield* connector(["plan", "csv", "historical-invoices.csv", ...config, "--book", book, "--json"], {
      cwd
    })
    assert.notInclude(codesOf(again.out).join(), "RENAMED")
    assert.deepStrictEqual(
      codesOf(again.out).filter((line) => line.startsWith(code)),
      codesOf(first.out).filter((line) => line.startsWith(code))
    )
    assert.match(again.out, new RegExp(`"BOOK_DIFFERS_FROM_SENT"[^]*tax codes ${code}, now RENAMED`))
  })

  it.live("precedes the command for the refused rows", function* () {
    const cwd = yield* folderWith("historical-invoices-with-faults.csv", book)
    yield* gatewayFor(cwd)
    const importing = ["import", "csv", "historical-invoices-with-faults.csv", ...config, "--book", book]
    const sent = yield* connector(importing, { cwd })
    assert.strictEqual(sent.code, 2, sent.err)
    assert.isNotEmpty(commandsIn(sent.out).filter((command) => command.includes(".refused.")))
  })
})
