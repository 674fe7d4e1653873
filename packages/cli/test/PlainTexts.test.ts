/**
 * Proves that errors of the system and the parser are reported in our words, with the file's name.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith } from "./RunningConnector.ts"

const raw =
  /FileSystem\.|BadResource|NotFound|Expected: Path|RangeError|ValueExpected|(Missing|Unexpected) key|planted|\.part|\n {4}at /

describe("a file that cannot be read or written", () => {
  it.live("is reported in one sentence with its name", function* () {
    const cwd = yield* folderWith("historical-invoices.csv")
    mkdirSync(join(cwd, "folder"))
    execFileSync("mkfifo", [join(cwd, "pipe")])
    writeFileSync(join(cwd, "broken.json"), '{ "accounts": ')
    writeFileSync(join(cwd, "other.json"), '{ "apiKey": "planted" }')
    const account = { baseUrl: "http://127.0.0.1:9", application: "a", station: "s", keyFile: "pipe" }
    writeFileSync(join(cwd, "pipes.json"), JSON.stringify({ accounts: { shop: account } }))
    const answers = ["--base-url", "http://127.0.0.1:9", "--application", "a", "--station", "s", "--zone", "+02:00"]
    copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "good.book.json"))
    const deep = "[".repeat(20_000)
    writeFileSync(join(cwd, "deep.book.json"), deep)
    writeFileSync(join(cwd, "deep.columns.json"), deep)
    writeFileSync(join(cwd, "deep.json"), `{ "accounts": ${deep}`)
    for (const [args, said] of [
      [["plan", "csv", "historical-invoices.csv", "--book", "folder"], "folder is a folder, and a file is needed"],
      [["plan", "csv", "historical-invoices.csv", "--columns", "nope.json"], "--columns: there is no file nope.json."],
      [
        ["book", "draft", "csv", "historical-invoices.csv", "--book", "no/x.json"],
        "no/x.json cannot be written: there is no folder for it."
      ],
      [["plan", "csv", "historical-invoices.csv", "--columns", "deep.columns.json"], "nested more than 100 deep"],
      [["config", "check", "--config", "pipe"], "pipe  The configuration cannot be read: it is not a file, but a pipe"],
      [["book", "check", "pipe"], "The mapping book cannot be read. pipe is not a file, but a pipe or a device"],
      [["plan", "csv", "pipe"], "connector plan csv -"],
      [["config", "check", "--config", "pipes.json"], "pipe is not a file, but a pipe or a device"],
      [["doctor", "--config", "pipes.json"], "pipe is not a file, but a pipe or a device"],
      [
        ["init", "--key-file", "pipe", ...answers],
        "Nothing was written: --key-file pipe cannot be read: pipe is not a file, but a pipe or a device"
      ],
      [
        ["init", "--key-file", "folder", ...answers],
        "Nothing was written: --key-file folder cannot be read: folder is a folder, and a file is needed"
      ],
      [["sandbox", "--config", "pipe"], "--config: pipe is a folder, a pipe or a device, and a file is needed."],
      [
        ["import", "csv", "historical-invoices.csv", "--sandbox", "--book", "good.book.json", "--originals", "pipe"],
        "--originals: pipe is a folder, a pipe or a device, and a file is needed."
      ],
      [
        ["plan", "csv", "historical-invoices.csv", "--columns", "pipe"],
        "--columns: pipe is a folder, a pipe or a device, and a file is needed."
      ],
      [["plan", "csv", "historical-invoices.csv", "--columns", "broken.json"], "broken.json:1:15"],
      [
        ["import", "csv", "historical-invoices.csv", "--sandbox", "--report", "no/report.html"],
        "Nothing was sent: the report no/report.html cannot be written, since there is no folder no."
      ],
      [
        ["import", "csv", "historical-invoices.csv", "--sandbox", "--report", "folder"],
        "Nothing was sent: the report cannot be written there. folder is a folder, and a file is needed. Name another place"
      ],
      [
        ["resume", "--config", "pipes.json", "--report", "pipe"],
        "Nothing was sent: the report cannot be written there. pipe is not a file, but a pipe or a device, and a file is needed."
      ],
      [["config", "check", "--config", "broken.json"], "broken.json:1:15  not JSON: a value is missing here"],
      [["config", "check", "--config", "nope.json"], "The configuration cannot be read: there is no such file"],
      [["book", "check", "other.json"], "apiKey: there is no such field"],
      [["sandbox", "--port", "x"], "Expected a whole number"],
      [["book", "check", "deep.book.json"], "deep.book.json:1:101  nested more than 100 deep"],
      [["config", "check", "--config", "deep.json"], "nested more than 100 deep"]
    ] as const) {
      const { code, err, out } = yield* connector(args, { cwd })
      assert.strictEqual(code, 1, args.join(" "))
      assert.include(err + out, said)
      assert.notMatch(err + out, raw)
    }
  })
})
