/** `--report FILE`: one self-contained file with the whole report. */
import { assert, describe, it } from "../../core/test/It.ts"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor } from "../../cli/test/RunningConnector.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"
const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex")
const count = (text: string, part: string) => text.split(part).length - 1

describe("the report of an import", () => {
  it.live("contains every document with its QR code, the refused rows, and the files of the import", function* () {
    const cwd = yield* folderWith(faults, book)
    writeFileSync(join(cwd, "out.html"), "an earlier one")
    const { code, out } = yield* connector(["import", "csv", faults, "--sandbox", "--report", "out.html"], { cwd })
    assert.strictEqual(code, 2)
    assert.include(out, "The report: out.html")
    const file = join(cwd, "out.html")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.isFalse(existsSync(`${file}.part`))
    const report = readFileSync(file, "utf8")
    assert.strictEqual(count(report, '<svg class="qr"'), 12)
    for (const said of ["INV-0101", "Żółć Ceramics", "6,156.30", "TOTAL_MISMATCH", "299.48", "VAT155", "2000000001"])
      assert.include(report, said)
    for (const name of [faults, book]) assert.include(report, sha256(join(cwd, name)))
    assert.notMatch(report, /<script|<link|<img|<iframe|@import|url\(|src=/)
    assert.include(report, "Content-Security-Policy".toLowerCase())
  })

  it.live("shows texts of the file as text, whatever they contain", function* () {
    const cwd = yield* folderWith(faults, book)
    const evil = "<img src=x onerror=alert(1)>"
    const text = readFileSync(join(cwd, faults), "utf8")
    writeFileSync(join(cwd, faults), text.replaceAll("Café Zoë", evil).replaceAll("20006677", evil))
    yield* connector(["import", "csv", faults, "--sandbox", "--report", "out.html"], { cwd })
    const report = readFileSync(join(cwd, "out.html"), "utf8")
    assert.notInclude(report, "<img")
    assert.include(report, "&lt;img src=x onerror=alert(1)&gt;")
  })

  it.live("is written by a plan before sending, and by resume afterwards", function* () {
    const cwd = yield* folderWith(faults, book)
    // The document is taken, but the answer is lost: the document and those behind it remain
    // open.
    const lost = {
      kind: "drop",
      stage: "after",
      operations: ["submitInvoice"],
      documents: ["INV-0116"],
      times: 1
    } as const
    yield* gatewayFor(cwd, { gateway: { faults: [lost] } })
    const config = ["--config", "account.json"]
    yield* connector(["plan", "csv", faults, ...config, "--report", "plan.html"], { cwd })
    const plan = readFileSync(join(cwd, "plan.html"), "utf8")
    assert.include(plan, "To send")
    assert.notInclude(plan, '<svg class="qr"')
    yield* connector(["import", "csv", faults, ...config, "--send-rest"], { cwd })
    yield* connector(
      ["resolve", "INV-0116", ...config, "--not-processed", "--although-recent", "--because", "not in the portal"],
      {
        cwd
      }
    )
    const { out } = yield* connector(["resume", ...config, "--report", "resumed.html"], { cwd })
    assert.include(out, "The report: resumed.html")
    const resumed = readFileSync(join(cwd, "resumed.html"), "utf8")
    assert.include(resumed, "Report of what was open")
    assert.include(resumed, "CN-0101")
    assert.notInclude(resumed, "INV-0101<")
    assert.strictEqual(count(resumed, '<svg class="qr"'), 2)
  })
})
